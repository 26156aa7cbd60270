import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EventRecord } from '#contract/events.ts';
import { events, EVENTS_REVISION } from '../../../server/db/events.ts';
import { revision } from '../../../server/db/revisions.ts';
import { viewIndex } from '../../../server/events/viewIndex.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { event } from '../events/oneEvent.ts';

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

  it('writes nothing for what has not changed, and says what became of each', async () => {
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

  it('describes an event by its first row, and shows its performances to come before those past', async () => {
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
    // The same again: nothing changes, though the rows do not agree with each other.
    expect(await store(rows, { described: new Set() })).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('pages soonest first and counts all, each once, over equal times', async () => {
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

  it('shortens a long description in lists only', async () => {
    const description = 'word '.repeat(1000).trim();
    await store([event({ description })]);

    const { shown } = await page();
    expect(JSON.parse(shown[0]!).description.length).toBeLessThanOrEqual(602);
    expect((await events(database.db).byId('e1', NOW))?.description).toBe(description);
  });

  it('reads the chosen in the order asked for, however many they are, without those that are gone', async () => {
    await store([event(), event({ id: 'e2', name: 'Another' })]);
    const positions = await events(database.db).positions(0, 10);
    const [first, second] = positions.map(({ id }) => id) as [number, number];
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
    await store(Array.from({ length: 400 }, (_, at) => event({ id: `e${at}` })));
    const plan = async (where: string) => {
      const query = `select shown from performances where ${where}`;
      if (engine === 'sqlite') {
        const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${query}`)}`.execute(
          database.db,
        );
        return rows.map(({ detail }) => detail).join('\n');
      }
      // So few rows are read faster without an index, and so it would.
      return database.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        await sql`set local enable_bitmapscan = off`.execute(trx);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain ${query}`)}`.execute(trx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    };
    expect(await plan(`event_id = 'e3'`)).toContain('performances_of_event');
    const keys = `select cast(key as integer) from json_each('{"1":0,"2":0}')`;
    expect(await plan(`id in (${keys})`)).toMatch(/PRIMARY KEY|performances_pkey/);
  });
});
