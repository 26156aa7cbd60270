import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { START_VIEW } from '../../../../src/maps/basemap.ts';
import {
  addressOf,
  datesOf,
  filtersOf,
  type MapFilters,
  resetMapFilters,
  setCategory,
  setDisruptions,
  setEvents,
  setSelected,
  setView,
  useMapAddress,
  useMapFilters,
} from '../../../../src/screens/map/mapFilters.ts';

beforeEach(resetMapFilters);
afterEach(() => {
  vi.restoreAllMocks();
});

it('keeps a choice that is made before the address has the one before it', () => {
  history.replaceState(null, '', '/map');
  renderHook(() => useMapAddress());
  const write = history.replaceState.bind(history);
  vi.spyOn(history, 'replaceState').mockImplementationOnce((...entry) => {
    write(...entry);
    setCategory('Music');
  });
  act(() => setCategory('Sport'));
  expect([useMapFilters.getState().category, location.search]).toEqual(['Music', '?category=Music']);
  // The address of a link has priority.
  act(() => history.replaceState(null, '', '/map?category=Comedy'));
  expect(useMapFilters.getState().category).toBe('Comedy');
});

it('starts at the middle of the UK, with everything, and comes back to that', () => {
  const start = {
    category: null,
    dateRange: 'all',
    disruptions: true,
    events: true,
    selected: null,
    view: START_VIEW,
  };
  expect(useMapFilters.getState()).toEqual(start);
  expect(START_VIEW).toEqual({ latitude: 54.5, longitude: -3.2, zoom: 6 });
  setCategory('Sport');
  setView({ latitude: 51.5, longitude: 0, zoom: 11 });
  resetMapFilters();
  expect(useMapFilters.getState()).toEqual(start);
});

it('writes an address that restores the same filters, ampersands too', () => {
  const filters: MapFilters = {
    category: 'Arts & crafts=50%',
    dateRange: '30',
    disruptions: false,
    events: false,
    selected: { kind: 'alert', id: 'national-highways:1/2 & 3' },
    view: { latitude: 51.50123, longitude: -0.12, zoom: 11.25 },
  };
  const address = addressOf(filters);
  expect(address).toBe(
    '/map?category=Arts+%26+crafts%3D50%25&dates=30&disruptions=off&events=off&alert=national-highways%3A1%2F2+%26+3&lat=51.50123&lng=-0.12&zoom=11.25',
  );
  expect(filtersOf(address.slice('/map'.length))).toEqual(filters);
  expect(addressOf(useMapFilters.getInitialState())).toBe('/map');
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
  ['category=Sport', { category: 'Sport', dateRange: 'all', disruptions: true, view: START_VIEW }],
  ['disruptions=on', { category: null, disruptions: true, events: true, view: START_VIEW }],
  ['disruptions=off', { disruptions: false, events: true }],
  ['events=off', { disruptions: true, events: false }],
  ['event=perf-1', { selected: { kind: 'event', id: 'perf-1' } }],
  ['alert=tfl%3Apiccadilly&event=perf-1', { selected: { kind: 'alert', id: 'tfl:piccadilly' } }],
  ['lat=51.5&lng=-1', { category: null, view: { latitude: 51.5, longitude: -1, zoom: 6 } }],
  ['category=&disruptions=yes', { category: null, disruptions: true }],
])('reads the address "%s"', (address, expected) => {
  if (expected === null) expect(filtersOf(address)).toBeNull();
  else expect(filtersOf(address)).toMatchObject(expected);
});

it.each([
  ['7', 'from today on', '2026-11-22T12:00:00Z', '2026-11-22', '2026-11-28'],
  ['7', 'from the day that it is there', '2026-06-30T23:30:00Z', '2026-07-01', '2026-07-07'],
  ['7', 'over the end of a year', '2026-12-31T23:59:59Z', '2026-12-31', '2027-01-06'],
  ['30', 'over the end of a year', '2026-12-20T12:00:00Z', '2026-12-20', '2027-01-18'],
  ['90', 'over the end of a year', '2026-11-21T12:00:00Z', '2026-11-21', '2027-02-18'],
  ['7', 'over the night that lacks an hour', '2027-03-27T23:30:00Z', '2027-03-27', '2027-04-02'],
  ['7', 'after that night', '2027-03-28T23:30:00Z', '2027-03-29', '2027-04-04'],
  ['7', 'over the night that has one more', '2026-10-24T22:30:00Z', '2026-10-24', '2026-10-30'],
  ['30', 'over the night that has one more', '2026-10-24T23:30:00Z', '2026-10-25', '2026-11-23'],
  ['7', 'over a leap day', '2028-02-28T12:00:00Z', '2028-02-28', '2028-03-05'],
] as const)('the next %s days are that many days in London, %s', (range, _when, now, start, end) => {
  const dates = datesOf(range, new Date(now))!;
  expect(dates).toEqual({ start, end });
  expect((Date.parse(dates.end) - Date.parse(dates.start)) / 86_400_000 + 1).toBe(Number(range));
});

it('sends no dates for all dates', () => {
  expect(datesOf('all', new Date('2026-11-22T12:00:00Z'))).toBeNull();
});

it('deselects an item of a layer that is switched off', () => {
  setSelected({ kind: 'alert', id: 'tfl:piccadilly' });
  setEvents(false);
  expect(useMapFilters.getState().selected).toEqual({ kind: 'alert', id: 'tfl:piccadilly' });
  setDisruptions(false);
  expect(useMapFilters.getState().selected).toBeNull();
});
