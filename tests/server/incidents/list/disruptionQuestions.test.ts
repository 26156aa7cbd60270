import { beforeEach, describe, expect, it } from 'vitest';
import { Disruption } from '../../../../contract/incidents/disruptions.ts';
import {
  type DisruptionQuery,
  DISRUPTION_CURSOR,
} from '../../../../server/incidents/list/disruptionFilter.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import type { Db } from '../../../../server/db/open.ts';
import { Refused } from '../../../../server/refusals.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { collect, incident } from '../incidents.ts';
import { factsOf } from '../../../support/facts.ts';

const at = (time: string) => `2026-11-21T${time}:00.000Z`;
const idsOf = ({ events }: { events: Disruption[] }) => events.map(({ event_id }) => event_id);

const operator = (code: string, changes: Partial<ReturnType<typeof incident>> = {}) =>
  incident({ event_id: `nsi-service:${code}`, event_type: 'rail.operator_status', ...changes });

describe.each(DATABASES)('disruptions on $engine: queries', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  it('can be asked for near a place, on a road, by state, and page through each order', async () => {
    const later = [
      incident({
        event_id: 'near',
        latitude: 53.8,
        longitude: -1.5,
        facts: factsOf({ roads: ['M1', 'M621'] }),
      }),
      incident({ event_id: 'nearer', latitude: 53.79, longitude: -1.54, facts: factsOf({ roads: ['M62'] }) }),
      incident({ event_id: 'far', latitude: 51.5, longitude: 0, severity: 'critical' }),
      incident({ event_id: 'nowhere', phase: 'planned', latitude: 0, longitude: 0 }),
    ];
    await collect(db, '12:00', [...later, incident({ event_id: 'over' })]);
    await collect(db, '12:10', later);
    const leeds = { latitude: 53.7997, longitude: -1.5492 };
    const found = async (query: DisruptionQuery) => {
      const all: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await disruptions(db).page({ ...query, limit: 1, ...(cursor && { cursor }) });
        all.push(...idsOf(page));
        cursor = page.next_cursor;
      }
      return all;
    };
    expect(await found({ near: { ...leeds, radius_km: 20 } })).toEqual(['nearer', 'near']);
    expect(await found({ near: { ...leeds, radius_km: 400 } })).toEqual(['far', 'nearer', 'near']);
    expect(await disruptions(db).totalWithoutPosition({ near: { ...leeds, radius_km: 20 } })).toBe(1);
    expect(await found({ road: 'M62' })).toEqual(['nearer']);
    expect(await found({ road: 'M6' })).toEqual([]);
    expect(await found({ state: 'planned' })).toEqual(['nowhere']);
    expect(await found({ state: 'ended', sort: 'newest' })).toEqual(['over']);
    expect(await found({ ended_since: at('12:10') })).toEqual(['over']);
    expect(await found({ ended_since: at('12:11') })).toEqual([]);
    expect(await found({ state: 'active', sort: 'newest' })).toHaveLength(3);
  });

  describe('the alerts of a feed', () => {
    it('come active ones first, each group worst first, then newest', async () => {
      await collect(db, '12:00', [
        incident({ event_id: 'planned-critical', phase: 'planned', severity: 'critical' }),
        incident({ event_id: 'low', severity: 'low' }),
        incident({ event_id: 'high-old', updated_at: at('09:00') }),
        incident({ event_id: 'high-new', updated_at: at('10:00') }),
        incident({ event_id: 'critical', severity: 'critical', updated_at: at('08:00') }),
        incident({ event_id: 'runs-normally', kind: 'status', severity: 'low' }),
      ]);
      await collect(db, '12:00', [incident({ event_id: 'medium', severity: 'medium' })], { source: 'other' });
      await collect(db, '12:00', [incident({ event_id: 'elsewhere' })], { source: 'elsewhere' });

      const { events, alert_count } = await disruptions(db).alertsOf(['tfl', 'other'], 20);
      expect(idsOf({ events })).toEqual([
        'critical',
        'high-new',
        'high-old',
        'medium',
        'low',
        'planned-critical',
      ]);
      expect(alert_count).toBe(5);
      for (const event of events) expect(Disruption.parse(event)).toEqual(event);
    });

    it('are counted even if they are not sent', async () => {
      await collect(
        db,
        '12:00',
        ['a', 'b', 'c'].map((event_id) => incident({ event_id })),
      );

      const answer = await disruptions(db).alertsOf(['tfl'], 2);
      expect(idsOf(answer)).toEqual(['a', 'b']);
      expect(answer.alert_count).toBe(3);
    });

    it('are none without a source', async () => {
      await collect(db, '12:00', [incident({ event_id: 'a' })]);
      expect(await disruptions(db).alertsOf([], 20)).toEqual({ events: [], alert_count: 0 });
    });

    it('leave out what has ended', async () => {
      await collect(db, '12:00', [incident({ event_id: 'a' }), incident({ event_id: 'b' })]);
      await collect(db, '12:05', [incident({ event_id: 'b' })]);

      expect(idsOf(await disruptions(db).alertsOf(['tfl'], 20))).toEqual(['b']);
      expect(await disruptions(db).byId('a')).toBeUndefined();
    });
  });

  it('find works that began weeks ago by their next night, however many others only wait', async () => {
    const works = (event_id: string, night: string, changes = {}) =>
      incident({
        event_id,
        phase: 'planned',
        start_time: '2026-11-02T20:00:00.000Z',
        windows: [
          { start: '2026-11-02T20:00:00.000Z', end: '2026-11-03T04:00:00.000Z' },
          { start: `2026-11-${night}T20:00:00.000Z`, end: `2026-11-${night}T23:00:00.000Z` },
        ],
        ...changes,
      });
    await collect(db, '12:00', [
      ...Array.from({ length: 101 }, (_, n) => works(`next week ${n}`, '26')),
      works('tonight', '21', { severity: 'low' }),
      incident({ event_id: 'first night', phase: 'planned', severity: 'low', start_time: at('22:00') }),
      incident({ event_id: 'clears', severity: 'low', end_time: at('18:00') }),
    ]);
    const upcoming = await disruptions(db).upcoming(['tfl'], new Date(at('12:00')), new Date(at('23:00')));
    expect(idsOf({ events: upcoming })).toEqual(['clears', 'first night', 'tonight']);
  });

  describe('one source', () => {
    it('lists operators that run normally last, and counts them separately', async () => {
      await collect(
        db,
        '12:00',
        [
          operator('VT', { kind: 'status', severity: 'low' }),
          operator('GW', { severity: 'medium' }),
          operator('XC', { kind: 'status', severity: 'low' }),
          operator('SR', { severity: 'critical' }),
          operator('LO', { phase: 'planned', severity: 'critical' }),
        ],
        { source: 'nsi-service' },
      );

      const answer = await disruptions(db).ofSource('nsi-service', { limit: 4 });
      expect(idsOf(answer)).toEqual(['SR', 'GW', 'LO', 'VT'].map((code) => `nsi-service:${code}`));
      expect(answer).toMatchObject({
        total: 5,
        event_count: 2,
        operators_total: 5,
        operators_disrupted: 2,
      });
    });

    it('has no operators if none are listed', async () => {
      await collect(db, '12:00', [
        incident({ event_id: 'a' }),
        incident({ event_id: 'b', phase: 'planned' }),
      ]);

      const answer = await disruptions(db).ofSource('tfl', { limit: 12 });
      expect(answer).toMatchObject({ total: 2, event_count: 1 });
      expect(answer).not.toHaveProperty('operators_total');
      expect(await disruptions(db).ofSource('nobody', { limit: 12 })).toEqual({
        events: [],
        total: 0,
        event_count: 0,
      });
    });

    it('can be asked for one phase alone', async () => {
      await collect(db, '12:00', [
        incident({ event_id: 'a' }),
        incident({ event_id: 'b', phase: 'planned' }),
      ]);

      const answer = await disruptions(db).ofSource('tfl', { limit: 12, phase: 'planned' });
      expect(idsOf(answer)).toEqual(['b']);
      expect(answer).toMatchObject({ total: 1, event_count: 1 });
    });
  });

  it('counts active alerts by source and severity', async () => {
    await collect(db, '12:00', [
      incident({ event_id: 'a', severity: 'low' }),
      incident({ event_id: 'b', severity: 'critical' }),
      incident({ event_id: 'c', severity: 'low' }),
      incident({ event_id: 'planned', phase: 'planned' }),
      incident({ event_id: 'status', kind: 'status' }),
    ]);
    await collect(db, '12:00', [incident({ event_id: 'd' })], { source: 'ea-flood' });

    expect(await disruptions(db).counts()).toEqual([
      { source: 'ea-flood', severity: 'high', count: 1 },
      { source: 'tfl', severity: 'critical', count: 1 },
      { source: 'tfl', severity: 'low', count: 2 },
    ]);
  });

  describe('pages', () => {
    it('lose no incident and repeat none, however many are alike', async () => {
      const severities = ['critical', 'high', 'medium', 'low'] as const;
      const records = Array.from({ length: 61 }, (_, n) =>
        incident({
          // The ids are out of order, and languages sort them differently from machines.
          event_id: `${n % 2 ? 'a' : 'B'}-${(n * 37) % 61}`,
          severity: severities[n % 4]!,
          updated_at: at(n % 3 ? '10:00' : '11:00'),
        }),
      );
      await collect(db, '12:00', records);
      const whole = idsOf(await disruptions(db).page({ limit: 200 }));
      expect(new Set(whole).size).toBe(61);

      for (const limit of [1, 2, 7, 20, 60, 61]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await disruptions(db).page({ limit, cursor });
          expect(page.total).toBe(61);
          expect(page.events.length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(page));
          cursor = page.next_cursor;
        } while (cursor);
        expect(seen).toEqual(whole);
      }
    });

    it('lose nothing when incidents begin in between', async () => {
      const records = ['a', 'b', 'c', 'd'].map((event_id) => incident({ event_id, updated_at: at('10:00') }));
      await collect(db, '12:00', records);
      const first = await disruptions(db).page({ limit: 2 });
      await collect(db, '12:05', [
        ...records,
        incident({ event_id: 'aa', severity: 'critical' }),
        incident({ event_id: 'bb', updated_at: at('10:00') }),
      ]);

      const second = await disruptions(db).page({ limit: 10, cursor: first.next_cursor });
      expect([...idsOf(first), ...idsOf(second)]).toEqual(['a', 'b', 'bb', 'c', 'd']);
    });

    it('are worst first, then newest, then by id, the same on every engine', async () => {
      await collect(db, '12:00', [
        incident({ event_id: 'b-1', updated_at: at('10:00') }),
        incident({ event_id: 'B-1', updated_at: at('10:00') }),
        incident({ event_id: 'a-1', updated_at: at('10:00') }),
        incident({ event_id: 'a1', updated_at: at('10:00') }),
        incident({ event_id: 'newer', updated_at: at('11:00') }),
        incident({ event_id: 'worse', severity: 'critical', updated_at: at('01:00') }),
      ]);

      expect(idsOf(await disruptions(db).page({}))).toEqual(['worse', 'newer', 'B-1', 'a-1', 'a1', 'b-1']);
    });

    it('hold 50 unless asked, and 200 at most', async () => {
      await collect(
        db,
        '12:00',
        Array.from({ length: 210 }, (_, n) => incident({ event_id: `tfl:${n}` })),
      );

      expect((await disruptions(db).page({})).events).toHaveLength(50);
      expect((await disruptions(db).page({ limit: 1000 })).events).toHaveLength(200);
      expect((await disruptions(db).page({ limit: 0 })).events).toHaveLength(1);
    });

    const FORGED = [
      'nonsense',
      '',
      Buffer.from('[]').toString('base64url'),
      Buffer.from('[9999999999,"a","b"]').toString('base64url'),
      Buffer.from('[1,2,3]').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ];
    it.each(FORGED)('refuse or ignore the cursor %j', async (cursor) => {
      expect(DISRUPTION_CURSOR.isCursor(cursor)).toBe(false);
      if (cursor === '') return;
      await expect(disruptions(db).page({ cursor })).rejects.toThrow(Refused);
    });
  });

  describe('filters', () => {
    beforeEach(async () => {
      await collect(
        db,
        '12:00',
        [
          incident({
            event_id: 'm6',
            severity: 'critical',
            title: 'M6 closed: 100% of lanes',
            latitude: 52.5,
            longitude: -1.9,
            updated_at: at('09:00'),
          }),
          incident({
            event_id: 'a_b',
            event_type: 'road.works',
            title: 'A_B junction',
            summary_line: String.raw`Back\slash`,
            latitude: 53.5,
            longitude: -2.2,
            updated_at: at('10:00'),
          }),
        ],
        { source: 'national-highways' },
      );
      await collect(
        db,
        '12:00',
        [
          incident({
            event_id: 'flood',
            event_type: 'flood.warning',
            title: 'River ÉCLAIR',
            severity: 'medium',
          }),
          incident({ event_id: 'planned', phase: 'planned', title: 'AxB later', severity: 'low' }),
          incident({ event_id: 'status', kind: 'status' }),
        ],
        { source: 'ea-flood' },
      );
      await collect(db, '12:00', [incident({ event_id: 'post', title: 'Said 100 times' })], {
        source: 'somebody.new',
      });
    });

    const CASES: [DisruptionQuery, string[]][] = [
      [{}, ['m6', 'post', 'a_b', 'flood', 'planned']],
      [{ source: 'national-highways' }, ['m6', 'a_b']],
      [{ source: 'national' }, []],
      [{ source: 'a\u0000b' }, []],
      [{ feed: 'roads-uk' }, ['m6', 'a_b']],
      [{ feed: 'weather-flood' }, ['flood', 'planned']],
      [{ feed: 'aviation' }, []],
      [{ feed: 'no-such-feed' }, []],
      [{ category: 'Roads' }, ['m6', 'a_b']],
      [{ category: 'transport' }, ['m6', 'a_b']],
      [{ category: 'Environment' }, ['flood', 'planned']],
      [{ category: 'other' }, ['post']],
      [{ category: 'no-such-category' }, []],
      [{ feed: 'roads-uk', category: 'weather' }, []],
      [{ severity: ['critical'] }, ['m6']],
      [{ severity: ['medium', 'critical'] }, ['m6', 'flood']],
      [{ severity: [] }, []],
      [{ severity: ['dreadful'] }, []],
      [{ severity: ['dreadful', 'low'] }, ['planned']],
      [{ event_type: 'flood.warning' }, ['flood']],
      [{ q: 'm6 CLOSED' }, ['m6']],
      [{ q: 'a lane is' }, ['m6', 'post', 'flood', 'planned']],
      [{ q: 'éclair' }, ['flood']],
      [{ q: 'ÉCLAIR' }, ['flood']],
      [{ q: '100%' }, ['m6']],
      [{ q: '%' }, ['m6']],
      [{ q: 'a_b' }, ['a_b']],
      [{ q: '_' }, ['a_b']],
      [{ q: '\\' }, ['a_b']],
      [{ q: `'; drop table disruptions; --` }, []],
      [{ q: '   ' }, ['m6', 'post', 'a_b', 'flood', 'planned']],
      [{ north: 53, south: 52, east: -1, west: -2 }, ['m6']],
      [{ south: 53 }, ['a_b']],
      [{ position: 'known' }, ['m6', 'a_b']],
      [{ position: 'none' }, ['post', 'flood', 'planned']],
      [{ west: -2 }, ['m6']],
      [{ north: 52.5, south: 52.5, east: -1.9, west: -1.9 }, ['m6']],
      [{ since: at('10:00') }, ['post', 'a_b', 'flood', 'planned']],
      [{ since: '2026-11-21T11:00:00+01:00', feed: 'roads-uk' }, ['a_b']],
      [{ since: new Date(at('10:01')) }, ['post', 'flood', 'planned']],
      [{ feed: 'roads-uk', severity: ['high'], q: 'junction' }, ['a_b']],
    ];
    it.each(CASES)('%j', async (query, ids) => {
      const page = await disruptions(db).page(query);
      expect(idsOf(page)).toEqual(ids);
      expect(page).toMatchObject({ total: ids.length, next_cursor: null });
    });

    it('find in an area what reaches into it from any side, and nothing that only lies near', async () => {
      const line = { latitude: 51.5, longitude: -0.4, metadata: { location_reach_km: 10 } };
      await collect(db, '12:00', [incident({ event_id: 'line', title: 'Delays', ...line })], {
        source: 'tfl',
      });
      const within = async (south: number, west: number, side = 0.02) =>
        idsOf(await disruptions(db).page({ south, west, north: south + side, east: west + side }));
      for (const [south, west] of [
        [51.57, -0.41],
        [51.41, -0.41],
        [51.49, -0.54],
        [51.49, -0.26],
      ] as const)
        expect(await within(south, west)).toEqual(['line']);
      for (const [south, west] of [
        [51.6, -0.41],
        [51.38, -0.41],
        [51.49, -0.58],
        [51.49, -0.24],
      ] as const)
        expect(await within(south, west)).toEqual([]);
    });

    it('apply on the next page too, and total counts what matches', async () => {
      const first = await disruptions(db).page({ feed: 'roads-uk', limit: 1 });
      const second = await disruptions(db).page({ feed: 'roads-uk', limit: 1, cursor: first.next_cursor });

      expect([idsOf(first), idsOf(second)]).toEqual([['m6'], ['a_b']]);
      expect([first.total, second.total, second.next_cursor]).toEqual([2, 2, null]);
    });
  });
});
