import { describe, expect, it } from 'vitest';
import type { ListedAlert } from '../../../../src/api/alerts/alerts.ts';
import {
  addressOf,
  callOf,
  type Filters,
  filtersOf,
  isFiltered,
  NO_FILTERS,
  setCount,
  shownBy,
  withoutPlaceOf,
} from '../../../../src/screens/list/listFilters.ts';

const LEEDS = { label: 'Leeds', latitude: 53.8, longitude: -1.55 };
const one = (event_id: string, changes: Partial<ListedAlert> = {}): ListedAlert => ({
  event_id,
  source: 'national-highways',
  severity: 'high',
  title: event_id,
  updated_at: '2026-11-21T08:00:00.000Z',
  metadata: { phase: 'active' },
  ...changes,
});
const ALERTS = [
  one('m62', { severity: 'critical', latitude: 53.75, longitude: -1.7, facts: { roads: ['M62'] } }),
  one('m621', { latitude: 53.79, longitude: -1.56, facts: { roads: ['M621'] } }),
  one('rail', {
    source: 'kb-incidents',
    title: 'Leeds to Shipley: delays',
    latitude: 53.83,
    longitude: -1.77,
  }),
  one('news', { source: 'news-rss', severity: 'low', latitude: 0, longitude: 0 }),
  one('m4', { latitude: 51.5, longitude: -3, updated_at: '2026-11-21T09:00:00.000Z' }),
];
const ids = (change: Partial<Filters>, spot: typeof LEEDS | null = null) =>
  shownBy(ALERTS, { ...NO_FILTERS, ...change }, spot).map(({ alert }) => alert.event_id);

describe('the filters', () => {
  it.each([
    [{}, ['m62', 'm4', 'm621', 'rail', 'news']],
    [{ sort: 'newest' }, ['m4', 'm62', 'm621', 'news', 'rail']],
    [{ feed: 'rail-network' }, ['rail']],
    [{ severities: ['critical', 'low'] }, ['m62', 'news']],
    [{ road: ' m62 ' }, ['m62']],
    [{ q: 'SHIPLEY' }, ['rail']],
    [{ withoutPlace: true }, ['news']],
  ] as const)('%j let through %j', (change, found) => {
    expect(ids(change)).toEqual(found);
  });

  it('put the nearest first in each grade, and leave out incidents outside the radius', () => {
    expect(ids({ near: 'Leeds', radius: 25 }, LEEDS)).toEqual(['m62', 'm621', 'rail']);
    expect(ids({ near: 'Leeds', radius: 10 }, LEEDS)).toEqual(['m621']);
  });

  it('keep an incident whose place reaches into the radius', () => {
    const reaching = (km: number) => {
      const wide = one('wide', { latitude: 54, longitude: -1.55, metadata: { location_reach_km: km } });
      return shownBy([wide], { ...NO_FILTERS, near: 'Leeds', radius: 10 }, LEEDS);
    };
    expect([reaching(12), reaching(13)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('never lose incidents without a place: they are counted, and one switch shows them', () => {
    expect(withoutPlaceOf(ALERTS, { ...NO_FILTERS, near: 'Leeds' })).toBe(1);
    expect(ids({ near: 'Leeds', withoutPlace: true }, LEEDS)).toEqual(['news']);
  });

  it('are the address, and come back from it', () => {
    const set: Filters = {
      when: 'ended',
      q: 'a & b',
      feed: 'roads-uk',
      severities: ['critical', 'high'],
      road: 'A1(M)',
      near: 'Leeds',
      radius: 300,
      withoutPlace: true,
      sort: 'newest',
    };
    const address = addressOf(set);
    expect(filtersOf(address.slice(address.indexOf('?')))).toEqual(set);
    expect(addressOf(NO_FILTERS)).toBe('/disruptions/list');
    expect(filtersOf('?when=never&severity=dreadful&radius=7&feed=x&sort=y')).toEqual(NO_FILTERS);
    expect([setCount(set), setCount(NO_FILTERS)]).toEqual([4, 0]);
    expect(isFiltered({ ...NO_FILTERS, when: 'planned', sort: 'newest' })).toBe(false);
    expect(isFiltered({ ...NO_FILTERS, road: 'M62' })).toBe(true);
  });

  it('are sent to the server in its own words', () => {
    expect(
      callOf(
        { ...NO_FILTERS, when: 'ended', near: 'Leeds', severities: ['high'] },
        '2026-11-21T00:00:00.000Z',
      ),
    ).toEqual({
      state: 'ended',
      sort: 'worst',
      ended_since: '2026-11-21T00:00:00.000Z',
      severity: 'high',
      near: 'Leeds',
      radius_km: '25',
    });
  });
});
