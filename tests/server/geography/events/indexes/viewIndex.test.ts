import { array, constantFrom, integer, option, record, sample, tuple } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type EventQuery, events } from '../../../../../server/geography/events/events.ts';
import type { ViewQuery } from '../../../../../server/geography/events/indexes/eventPlaceIndex.ts';
import { viewIndex, type ViewIndex } from '../../../../../server/geography/events/indexes/viewIndex.ts';
import { DATABASES, useDatabase } from '../../../../support/databases.ts';
import { event } from '../import/oneEvent.ts';

const NOW = '2026-11-21T09:00:00.000Z';
const COUNTRY = { south: 49, north: 61, west: -9, east: 2 };

describe.each(DATABASES)('the view index on $engine', ({ open }) => {
  const database = useDatabase(open);
  let index: ViewIndex;
  beforeEach(() => {
    index = viewIndex(database.db);
  });

  let stored = 0;
  const put = async (
    places: readonly {
      at: [number, number] | null;
      start?: string;
      category?: string;
      name?: string;
      town?: string;
    }[],
  ) => {
    const arriving = places.map(({ at, start, category, name, town = 'Leeds' }) => {
      const id = `e${stored++}`;
      const [latitude, longitude] = at ?? [null, null];
      return event({
        id,
        start,
        place: { venue_id: id, town, latitude, longitude },
        ...(category && { category }),
        name: name ?? id,
      });
    });
    await events(database.db).store({ source: 'hall', arriving, now: NOW });
  };
  const view = async (query: Partial<ViewQuery> = {}) => {
    const asked = { ...COUNTRY, from: new Date(NOW), max: 500, ...query };
    await index.make();
    const { ids, total, others } = await index.view(asked);
    // A new one has nothing in memory yet.
    expect(await viewIndex(database.db).view(asked)).toEqual({ ids, total, others });
    const shown = await events(database.db).shown(ids);
    return {
      total,
      events: shown.map(
        (text) =>
          JSON.parse(text) as { name: string; latitude: number; longitude: number; start_datetime: string },
      ),
    };
  };
  const names = async (query: Partial<ViewQuery> = {}) => (await view(query)).events.map(({ name }) => name);

  it('finds what lies in the view, its edges included, and nothing without a position', async () => {
    await put([
      { at: [51.5, -0.12], name: 'London' },
      { at: [55.95, -3.19], name: 'Edinburgh' },
      { at: [50.1, -7.9], name: 'At sea' },
      { at: [0, 0], name: 'Null island' },
      { at: null, name: 'Nowhere' },
      { at: [52, 0.123456], name: 'On the edge' },
    ]);

    expect((await names()).sort()).toEqual(['At sea', 'Edinburgh', 'London', 'On the edge']);
    expect(await names({ south: 51, north: 52, west: -1, east: 0.123456 })).toEqual([
      'London',
      'On the edge',
    ]);
    expect(await names({ south: 51, north: 52, west: -1, east: 0.123455 })).toEqual(['London']);
    expect(await names({ south: -1, north: 1, west: -1, east: 1 })).toEqual(['Null island']);
    expect(await names({ south: -90, north: 90, west: -180, east: 180 })).toHaveLength(5);
  });

  it('filters by category and time, soonest first', async () => {
    await put([
      { at: [51, 0], name: 'later', start: '2026-12-03T19:30:00.000Z', category: 'Food & drink' },
      { at: [52, 0], name: 'sooner', start: '2026-12-02T19:30:00.000Z', category: 'food & Drink' },
      { at: [53, 0], name: 'other', start: '2026-12-01T19:30:00.000Z' },
      { at: [53, 0], name: 'over', start: '2026-11-20T19:30:00.000Z' },
    ]);

    expect(await names()).toEqual(['other', 'sooner', 'later']);
    expect(await names({ category: 'Food & Drink' })).toEqual(['sooner', 'later']);
    expect(await names({ category: 'Unheard of' })).toEqual([]);
    expect(await names({ until: new Date('2026-12-03T00:00:00Z') })).toEqual(['other', 'sooner']);
    expect(await names({ from: new Date('2026-11-01T00:00:00Z') })).toEqual([
      'over',
      'other',
      'sooner',
      'later',
    ]);
  });

  it('counts all, and shows some of every part of a view that holds more than it may show', async () => {
    // A thousand in one town, soon; a few far apart, late.
    await put(
      Array.from({ length: 1000 }, (_, at) => ({
        at: [51.4 + (at % 30) / 100, -0.3 + (at % 17) / 50] as [number, number],
        start: new Date(Date.parse(NOW) + (at + 1) * 60_000).toISOString(),
      })),
    );
    const far: [number, number][] = [
      [57.5, -4.2],
      [54.6, -5.9],
      [50.3, -4.1],
      [53.4, -2.2],
    ];
    await put(far.map((at) => ({ at, start: '2027-11-01T19:30:00.000Z', name: 'far' })));

    const { total, events: shown } = await view({ max: 100 });
    expect(total).toBe(1004);
    expect(shown).toHaveLength(100);
    expect(shown.filter(({ name }) => name === 'far')).toHaveLength(4);
    expect(shown.map((one) => one.start_datetime)).toEqual(shown.map((one) => one.start_datetime).sort());
    expect(await view({ max: 100 })).toEqual({ total, events: shown });
    // The soonest of one square.
    expect(shown[0]!.start_datetime).toBe(new Date(Date.parse(NOW) + 60_000).toISOString());
  });

  it('shows nearly the same when the view moves a little', async () => {
    await put(
      Array.from({ length: 2000 }, (_, at) => ({
        at: [51 + (at % 45) / 50, -1 + (at % 89) / 60] as [number, number],
        start: new Date(Date.parse(NOW) + (at + 1) * 60_000).toISOString(),
      })),
    );
    const bounds = { south: 51.2, north: 51.8, west: -0.8, east: 0.4 };
    const moved = { ...bounds, west: bounds.west + 0.01, east: bounds.east + 0.01 };
    const [before, after] = [await names({ ...bounds, max: 200 }), await names({ ...moved, max: 200 })];

    const kept = before.filter((name) => after.includes(name));
    expect(kept.length).toBeGreaterThan(180);
  });

  it('shows squares from all over a view that has more squares than it may show', async () => {
    await put(
      Array.from({ length: 400 }, (_, at) => ({
        at: [-60 + Math.floor(at / 20) * 6, -170 + (at % 20) * 17] as [number, number],
      })),
    );
    const { events: shown } = await view({ south: -90, north: 90, west: -180, east: 180, max: 40 });

    expect(shown).toHaveLength(40);
    const quarters = new Set(shown.map(({ latitude, longitude }) => `${latitude > 0} ${longitude > 0}`));
    expect(quarters.size).toBe(4);
  });

  it('sees changes when events are stored, changed and removed', async () => {
    await put([{ at: [51, 0], name: 'one' }]);
    expect(await names()).toEqual(['one']);
    await put([{ at: [52, 0], name: 'two' }]);
    expect((await names()).sort()).toEqual(['one', 'two']);
    await events(database.db).keepOnly('hall', new Set());
    expect(await view()).toEqual({ total: 0, events: [] });
  });

  it('names the categories and towns of events that are not over', async () => {
    await put([
      { at: [51, 0], category: 'Sport', town: 'Leeds' },
      { at: null, category: 'Music', town: 'leeds' },
      { at: [51, 0], category: 'Film', town: 'York', start: '2026-11-20T19:30:00.000Z' },
      { at: [51, 0], category: 'sport', town: 'Barnsley' },
    ]);

    const used = await viewIndex(database.db).inUse(new Date(NOW));
    await index.make();
    expect(await index.inUse(new Date(NOW))).toEqual(used);
    expect(used).toEqual({
      categories: ['Music', 'Sport'],
      towns: [
        { town: 'Barnsley', event_count: 1 },
        { town: 'Leeds', event_count: 2 },
      ],
    });
  });

  it('answers any call from the database, until it is made, as it does from memory', async () => {
    const some = <T>(...values: T[]) => constantFrom(...values);
    const minute = (at: number) => new Date(Date.parse(NOW) + at * 60_000).toISOString();
    const latitude = integer({ min: 50_000, max: 53_000 }).map((at) => at / 1000);
    const longitude = integer({ min: -3000, max: 1000 }).map((at) => at / 1000);
    const performances = array(
      record({
        at: option(tuple(latitude, longitude), { freq: 10 }),
        start: integer({ min: -300, max: 300 }).map(minute),
        category: some('Music', 'music', 'Sport', 'Food & drink'),
        town: some('Leeds', 'LEEDS', 'York', 'Ely'),
        name: some('Brass band', 'brass', 'Jazz', '100 % Été'),
      }),
      { minLength: 60, maxLength: 60 },
    );
    const category = some(undefined, 'MUSIC', 'Sport', 'Opera');
    const time = {
      from: integer({ min: -400, max: 300 }).map((at) => new Date(minute(at))),
      until: option(
        integer({ min: -300, max: 400 }).map((at) => new Date(minute(at))),
        { nil: undefined },
      ),
    };
    const views = record({
      south: latitude,
      high: some(0.001, 0.5, 4),
      west: longitude,
      wide: some(0.001, 0.5, 4),
      category,
      ...time,
      max: some(1, 7, 500),
    });
    const pages = record({
      category,
      venue_town: some(undefined, ' leeds ', 'York', 'Bath'),
      q: some(undefined, 'BRASS', 'été', '%'),
      ...time,
      limit: some(1, 5, 500),
    });

    for (const [round, places] of sample(performances, { numRuns: 2, seed: 7 }).entries()) {
      await events(database.db).keepOnly('hall', new Set());
      await put(places);
      await index.make();
      for (const { high, wide, category: only, until, ...rest } of sample(views, {
        numRuns: 20,
        seed: round,
      })) {
        const { south, west } = rest;
        const query = {
          ...rest,
          north: south + high,
          east: west + wide,
          ...(only && { category: only }),
          ...(until && { until }),
        };
        expect(await viewIndex(database.db).view(query)).toEqual(await index.view(query));
      }
      for (const query of sample(pages, { numRuns: 20, seed: round })) {
        let cursor: string | undefined;
        do {
          const asked = { ...query, ...(cursor && { cursor }) } as EventQuery;
          const page = await index.page(asked);
          expect(await viewIndex(database.db).page(asked)).toEqual(page);
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
      }
      const at = new Date(minute(0));
      expect(await viewIndex(database.db).inUse(at)).toEqual(await index.inUse(at));
    }
  });
});
