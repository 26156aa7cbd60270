import { beforeEach, expect, it } from 'vitest';
import { START_VIEW } from '../../../src/map/basemap.ts';
import {
  addressOf,
  datesOf,
  filtersOf,
  type MapFilters,
  resetMapFilters,
  setCategory,
  setView,
  useMapFilters,
} from '../../../src/map/mapFilters.ts';

beforeEach(resetMapFilters);

it('starts at the middle of the UK, with everything, and comes back to that', () => {
  const start = { category: null, dateRange: 'all', disruptions: false, view: START_VIEW };
  expect(useMapFilters.getState()).toEqual(start);
  expect(START_VIEW).toEqual({ latitude: 54.5, longitude: -3.2, zoom: 6 });
  setCategory('Sport');
  setView({ latitude: 51.5, longitude: 0, zoom: 11 });
  resetMapFilters();
  expect(useMapFilters.getState()).toEqual(start);
});

it('writes an address that brings the same filters back, ampersands too', () => {
  const filters: MapFilters = {
    category: 'Arts & crafts=50%',
    dateRange: '30',
    disruptions: true,
    view: { latitude: 51.50123, longitude: -0.12, zoom: 11.25 },
  };
  const address = addressOf(filters);
  expect(address).toBe(
    'category=Arts+%26+crafts%3D50%25&dates=30&disruptions=on&lat=51.50123&lng=-0.12&zoom=11.25',
  );
  expect(filtersOf(address)).toEqual(filters);
  expect(addressOf(useMapFilters.getInitialState())).toBe('');
});

it.each([
  ['', null],
  ['utm_source=mail', null],
  ['dates=8', { dateRange: 'all', view: START_VIEW }],
  ['lat=91&lng=0', { view: START_VIEW }],
  ['lat=51.5', { view: START_VIEW }],
  ['lat=&lng=&zoom=', { view: START_VIEW }],
  ['lat=51.5&lng=x&zoom=9', { view: START_VIEW }],
  ['lat=51.5&lng=-1&zoom=900', { view: { latitude: 51.5, longitude: -1, zoom: 6 } }],
  ['category=&disruptions=yes', { category: null, disruptions: false }],
])('reads the address "%s"', (address, expected) => {
  if (expected === null) expect(filtersOf(address)).toBeNull();
  else expect(filtersOf(address)).toMatchObject(expected);
});

it('counts days in London', () => {
  const lateAtNight = new Date('2026-06-30T23:30:00Z'); // already July there
  expect(datesOf('7', lateAtNight)).toEqual({ start: '2026-07-01', end: '2026-07-08' });
  expect(datesOf('30', new Date('2026-12-20T12:00:00Z'))).toEqual({ start: '2026-12-20', end: '2027-01-19' });
  expect(datesOf('90', new Date('2026-11-21T12:00:00Z'))?.end).toBe('2027-02-19');
  expect(datesOf('all', lateAtNight)).toBeNull();
});
