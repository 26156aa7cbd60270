import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EventRecord, type Venue } from '#contract/places/events.ts';
import { events } from '../../../../server/geography/events/events.ts';
import { EVENTS_REVISION, revision } from '../../../../server/db/revisions.ts';
import { viewIndex } from '../../../../server/geography/events/indexes/viewIndex.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { event } from './import/oneEvent.ts';

const NOW = '2026-11-21T09:00:00.000Z';

describe.each(DATABASES)('events on $engine', ({ engine, open }) => {
  const database = useDatabase(open);
  const store = (arriving: Parameters<ReturnType<typeof events>['store']>[0]['arriving'], more = {}) =>
    events(database.db).store({ source: 'hall', arriving, now: NOW, ...more });
  const page = (query = {}) => viewIndex(database.db).page({ from: NOW, ...query });
  const namesOf = ({ shown }: { shown: string[] }) => shown.map((text) => JSON.parse(text).name);

  it('keeps a whole record', async () => {
    await store([event()]);

    const record = await events(database.db).byId('e1', NOW);
    expect(EventRecord.parse({ ...record, nearby_stations: [] })).toMatchObject({
      event_id: 'e1',
      source: 'hall',
      is_sample: false,
      updated_at: NOW,
      prices: [{ min: 10, max: 20, currency: 'GBP' }],
      venue: { name: 'Town Hall', town: 'Leeds', latitude: 53.8 },
      performances: [{ performance_id: 'e1', end_datetime: null, booking_url: 'https://tickets.example/1' }],
    });
    expect(await events(database.db).byId('e2', NOW)).toBeUndefined();
  });

  it('writes nothing for what has not changed, and says what became of each row', async () => {
    expect(await store([event(), event({ id: 'e2' })])).toEqual(['imported', 'imported']);
    const before = await revision(database.db, EVENTS_REVISION);

    expect(await store([event(), event({ id: 'e2' })])).toEqual(['unchanged', 'unchanged']);
    expect(await revision(database.db, EVENTS_REVISION)).toBe(before);
    expect(await store([event({ name: 'Another' }), event({ id: 'e2' }), event({ id: 'e3' })])).toEqual([
      'updated',
      'unchanged',
      'imported',
    ]);
    expect(await revision(database.db, EVENTS_REVISION)).toBe(before + 1);
    expect(namesOf(await page())).toEqual(['Another', 'An evening', 'An evening']);
  });

  it('leaves an id to the source that used it first', async () => {
    await store([event()]);

    expect(await store([event({ name: 'Stolen' })], { source: 'other' })).toEqual(['taken']);
    const another = event({ id: 'e9' });
    expect(await store([{ ...another, performances: event().performances }])).toEqual(['taken']);
    expect(namesOf(await page())).toEqual(['An evening']);
  });

  it('describes an event by its first row, and lists coming performances before past ones', async () => {
    const described = new Set<string>();
    const on = (performance_id: string, day: string) => ({
      performance_id,
      start_datetime: `2026-${day}T19:30:00.000Z`,
      end_datetime: null,
      booking_url: null,
    });
    const rows = [
      event({ performances: [on('b', '12-02')] }),
      event({ performances: [on('a', '11-01')], description: 'Said later' }),
      event({ performances: [on('c', '12-01')], place: { capacity: 5 } }),
    ];
    await store(rows.slice(0, 2), { described });
    await store(rows.slice(2), { described });

    const record = await events(database.db).byId('e1', NOW);
    expect(record?.description).toBe('Doors open at seven.');
    expect(record?.venue?.capacity).toBe(1200);
    expect(record?.performances.map((one) => one.performance_id)).toEqual(['c', 'b', 'a']);
    // The same file again changes nothing, though its rows do not agree with each other.
    expect(await store(rows, { described: new Set() })).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('pages soonest first and counts all, each once, even at equal times', async () => {
    await store(
      Array.from({ length: 7 }, (_, at) =>
        event({ id: `e${at}`, name: `${at}`, start: `2026-12-0${1 + Math.floor(at / 3)}T19:30:00.000Z` }),
      ),
    );
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { total, next_cursor, ...rest } = await page({ limit: 2, cursor });
      expect(total).toBe(7);
      found.push(...namesOf(rest));
      cursor = next_cursor;
    } while (cursor);
    expect(found).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  });

  it('filters by town and category in any case, by words, and by time', async () => {
    await store([
      event({ id: 'a', name: 'Brass in Été' }),
      event({
        id: 'b',
        name: '100% Jazz',
        category: 'Food & drink',
        place: { venue_id: 'v2', town: 'YORK' },
      }),
      event({ id: 'c', name: 'Long ago', start: '2026-11-20T19:30:00.000Z' }),
      event({ id: 'd', name: 'Under way', start: '2026-11-21T07:30:00.000Z' }),
      event({ id: 'e', name: 'Nowhere', place: null }),
    ]);
    const found = async (query = {}) => namesOf(await page(query)).sort();

    expect(await found()).toEqual(['100% Jazz', 'Brass in Été', 'Nowhere', 'Under way']);
    expect(await found({ venue_town: 'york' })).toEqual(['100% Jazz']);
    expect(await found({ category: 'FOOD & DRINK' })).toEqual(['100% Jazz']);
    expect(await found({ q: 'été' })).toEqual(['Brass in Été']);
    expect(await found({ q: '0% j' })).toEqual(['100% Jazz']);
    expect(await found({ q: '%' })).toEqual(['100% Jazz']);
    expect(await found({ until: '2026-11-22T00:00:00.000Z' })).toEqual(['Under way']);
    expect(await found({ from: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' })).toEqual([
      'Long ago',
    ]);
  });

  describe('a venue that is corrected by an import which names one of its events', () => {
    const york = { name: 'City Hall', town: 'York', postcode: 'YO1 9QN', latitude: 53.96, longitude: -1.08 };
    const placesOf = ({ shown }: { shown: string[] }) =>
      shown.map((text) => {
        const { event_id, venue_name, venue_town, postcode, capacity, latitude } = JSON.parse(text);
        return { event_id, venue_name, venue_town, postcode, capacity, latitude };
      });
    const inYork = (event_id: string) => {
      const { name: venue_name, town: venue_town, postcode, latitude } = york;
      return { event_id, venue_name, venue_town, postcode, capacity: 1200, latitude };
    };

    it('takes all its events to the new place: list, search, map and record, on every node', async () => {
      const other = viewIndex(await database.node());
      await store([event(), event({ id: 'e2' }), event({ id: 'e3', place: { venue_id: 'v2' } })]);
      await store([event({ id: 'e4' })], { source: 'agency' });
      expect((await other.page({ from: NOW, venue_town: 'Leeds' })).total).toBe(4);
      expect((await page({ venue_town: 'Leeds' })).total).toBe(4);

      expect(await store([event({ place: york })])).toEqual(['updated']);

      const moved = ['e1', 'e2', 'e4'].map(inYork);
      for (const index of [viewIndex(database.db), other]) {
        expect(placesOf(await index.page({ from: NOW, venue_town: 'York' }))).toEqual(moved);
        expect(placesOf(await index.page({ from: NOW, q: 'city hall' }))).toEqual(moved);
        expect((await index.page({ from: NOW, q: 'town hall' })).total).toBe(1);
        const aroundYork = { north: 54, south: 53.9, east: -1, west: -1.1 };
        const { total } = await index.view({ ...aroundYork, from: new Date(NOW), max: 10 });
        expect(total).toBe(3);
        expect((await index.inUse(new Date(NOW))).towns).toEqual([
          { town: 'Leeds', event_count: 1 },
          { town: 'York', event_count: 3 },
        ]);
      }
      expect((await events(database.db).byId('e2', NOW))?.venue?.town).toBe('York');
      // The first file again puts it back, and then changes nothing.
      await store([event()]);
      expect((await page({ venue_town: 'York' })).total).toBe(0);
      expect(await store([event(), event({ id: 'e2' })])).toEqual(['unchanged', 'unchanged']);
    });

    it('leaves the other places of a tour where they are', async () => {
      const stop = (performance_id: string, place: Partial<Venue>) =>
        event({
          place,
          performances: [{ ...event().performances[0]!, performance_id }],
        });
      await store([stop('leeds', {}), stop('bath', { venue_id: 'v2', town: 'Bath', latitude: 51.38 })], {
        described: new Set(),
      });
      await store([event({ id: 'e2', place: york })]);
      expect((await page({ venue_town: 'York' })).total).toBe(2);
      expect(placesOf(await page({ venue_town: 'Bath' }))).toMatchObject([{ latitude: 51.38 }]);

      await store([event({ id: 'e3', place: { venue_id: 'v2', town: 'Wells' } })]);
      expect((await page({ venue_town: 'Bath' })).total).toBe(0);
      expect((await page({ venue_town: 'Wells' })).total).toBe(2);
    });

    it('takes along the performances of its event that the import leaves out, with its new name', async () => {
      const [first] = event().performances;
      const on = (performance_id: string) => ({ ...first!, performance_id });
      await store([event({ performances: [on('p1'), on('p2')] })]);
      const bath = { venue_id: 'v2', name: 'Forum', town: 'Bath', latitude: 51.38, longitude: -2.36 };
      const arriving = [
        event({ name: 'Another', category: 'Comedy', place: bath, performances: [on('p1')] }),
      ];
      expect(await store(arriving)).toEqual(['updated']);

      const { shown } = await page();
      const [one, two] = shown.map((text) => ({ ...JSON.parse(text), performance_id: null }));
      expect(two).toEqual(one);
      expect(two).toMatchObject({ name: 'Another', venue_name: 'Forum', latitude: 51.38 });
      expect((await page({ category: 'Comedy', venue_town: 'Bath', q: 'another' })).total).toBe(2);
      expect(await store(arriving)).toEqual(['unchanged']);
    });

    it('moves hundreds of them, each performance once, and only for the source that owns them', async () => {
      const performances = Array.from({ length: 5000 }, (_, at) => ({
        ...event().performances[0]!,
        performance_id: `p${at}`,
      }));
      await store([event({ id: 'run', performances }), event()]);
      await store([event({ id: 'e2', place: york })], { source: 'agency' });
      expect((await page({ venue_town: 'York' })).total).toBe(0);
      expect(placesOf(await page({ q: 'town hall', limit: 1 }))).toMatchObject([{ venue_town: 'Leeds' }]);

      await store([event({ place: york })]);
      expect((await page({ venue_town: 'York' })).total).toBe(5002);
      expect((await page({ venue_town: 'Leeds' })).total).toBe(0);
    });

    it('is at one place when two nodes import at once', async () => {
      const nodes = [database.db, await database.node()];
      await store([event()]);
      for (let round = 0; round < 10; round++) {
        const place = round % 2 === 0 ? york : {};
        await Promise.all([
          events(nodes[0]!).store({ source: 'hall', arriving: [event({ place })], now: NOW }),
          events(nodes[1]!).store({ source: 'agency', arriving: [event({ id: `n${round}` })], now: NOW }),
        ]);
        const towns = placesOf(await page()).map(({ venue_town }) => venue_town);
        expect(new Set(towns).size).toBe(1);
      }
    });
  });

  it('shortens a long description in lists only', async () => {
    const description = 'word '.repeat(1000).trim();
    await store([event({ description })]);

    const { shown } = await page();
    expect(JSON.parse(shown[0]!).description.length).toBeLessThanOrEqual(602);
    expect((await events(database.db).byId('e1', NOW))?.description).toBe(description);
  });

  it('reads any number of events in the given order, without those that are gone', async () => {
    await store([event(), event({ id: 'e2', name: 'Another' })]);
    const positions = await events(database.db).positions(0, 10);
    const [first, second] = positions!.rows.map(({ id }) => id) as [number, number];
    const shown = (ids: number[]) => events(database.db).shown(ids);
    expect((await shown([second, first])).map((text) => JSON.parse(text).name)).toEqual([
      'Another',
      'An evening',
    ]);
    const many = Array.from({ length: 40_000 }, (_, at) => second + 1 + at);
    expect((await shown([...many, first])).map((text) => JSON.parse(text).name)).toEqual(['An evening']);
    expect(await shown([])).toEqual([]);
  });

  it('reads an event, and what a page or a view shows, by an index', async () => {
    const halls = Array.from({ length: 400 }, (_, at) =>
      event({ id: `e${at}`, place: { venue_id: `v${at % 40}` } }),
    );
    await store(halls);
    // PostgreSQL without figures of its own goes by when it last looked at the table.
    await sql`analyze`.execute(database.db);
    const planOf = async (query: string) => {
      if (engine === 'sqlite') {
        const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${query}`)}`.execute(
          database.db,
        );
        return rows.map(({ detail }) => detail).join('\n');
      }
      // PostgreSQL would read so few rows without an index, because that is faster.
      return database.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        await sql`set local enable_bitmapscan = off`.execute(trx);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain ${query}`)}`.execute(trx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    };
    const plan = (where: string) => planOf(`select shown from performances where ${where}`);
    expect(await plan(`event_id = 'e3'`)).toContain('performances_of_event');
    const keys = `select cast(key as integer) from json_each('{"1":0,"2":0}')`;
    expect(await plan(`id in (${keys})`)).toMatch(/PRIMARY KEY|Index Cond: \(id = /);
    expect(await plan(`venue_id = 'v1' and id > 7 order by id`)).toContain('performances_of_venue');
    const unused = ['events', 'performances'].map(
      (table) => `not exists (select 1 from ${table} where ${table}.venue_id = venues.venue_id)`,
    );
    const unusedPlan = await planOf(`select venue_id from venues where ${unused.join(' and ')}`);
    expect(unusedPlan).toContain('performances_of_venue');
    expect(unusedPlan).toContain('events_of_venue');
  });
});
