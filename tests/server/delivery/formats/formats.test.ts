import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSIONS_SHOWN } from '#contract/incidents/disruptionHistory.ts';
import { type DataState, FilteredPage } from '#contract/watches/formats.ts';
import { calendarOf } from '../../../../server/delivery/formats/calendar.ts';
import type { Channel } from '../../../../server/delivery/formats/rssAndAtom.ts';
import { filtered } from '../../../../server/incidents/list/filteredDisruptions.ts';
import { readXml as xmlTree, type XmlNode } from '../../../../server/http/documents/xml.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { poll, record } from '../../feedsWorld.ts';
import { capFaults } from './capRules.ts';
import { MINUTE_MS, openFormatsWorld, roads, type FormatsWorld } from './formatsWorld.ts';
import { geojsonFaults } from './geojsonRules.ts';

const LISTS = ['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'badge'] as const;

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
});
afterEach(() => world.close());

async function read(path: string) {
  const reply = await world.ask(path);
  expect(reply.statusCode, `${path}: ${reply.body.slice(0, 300)}`).toBe(200);
  return reply;
}

const json = async (query = '') => FilteredPage.parse((await read(`/disruptions.json${query}`)).json());
const geojson = async (query = '') => (await read(`/disruptions.geojson${query}`)).json<GeoJson>();
const csv = async (query = ''): Promise<Record<string, string>[]> =>
  parse((await read(`/disruptions.csv${query}`)).body, { columns: true, bom: true });
const feed = async (ext: 'rss' | 'atom' | 'cap', query = '') => {
  const tree = xmlTree((await read(`/disruptions.${ext}${query}`)).body);
  return ext === 'rss' ? all(tree.children[0]!, 'item') : all(tree, 'entry');
};
const calendar = async (query = '') =>
  new ICAL.Component(ICAL.parse((await read(`/disruptions.ics${query}`)).body) as never).getAllSubcomponents(
    'vevent',
  );

interface GeoJson {
  type: string;
  features: { id: string; geometry: unknown; properties: Record<string, unknown> }[];
  attribution: { text: string }[];
}

const all = (node: XmlNode, name: string) => node.children.filter((child) => child.name === name);
const text = (node: XmlNode, name: string) => all(node, name)[0]?.text ?? '';
const value = (event: ICAL.Component, name: string) => String(event.getFirstPropertyValue(name));

const byHighways = (records: ReturnType<typeof roads>) =>
  poll(world.db, 'national-highways', records, world.now());

describe('the forms', () => {
  it('GeoJSON obeys RFC 7946, with the id of each incident, and null without a known place', async () => {
    const { features } = await geojson();
    expect(geojsonFaults(await geojson())).toEqual([]);
    expect(
      features.map(({ id, geometry }) => [id, (geometry as { type: string } | null)?.type ?? null]),
    ).toEqual([
      ['national-highways:m62', 'LineString'],
      ['tfl:victoria', null],
      ['national-highways:odd', null],
      ['national-highways:works', 'Point'],
      ['news-rss:one', null],
    ]);
  });

  it('CSV always has a byte order mark and a header, and CRLF', async () => {
    const { body } = await read('/disruptions.csv?q=nothing-has-this');
    expect(body).toMatch(/^\uFEFFevent_id,[\w,]+\r\n$/);
  });

  it('Atom names each incident by its event_id, RSS by its version', async () => {
    world.pass(MINUTE_MS);
    const [first, ...others] = roads();
    await byHighways([{ ...first!, title: 'M62 closed both ways' }, ...others]);
    const [entry] = await feed('atom');
    expect([text(entry!, 'id'), text(entry!, 'updated'), text(entry!, 'title')]).toEqual([
      'national-highways:m62',
      world.now().toISOString(),
      'Critical: M62 closed both ways',
    ]);
    const [item] = await feed('rss');
    expect(text(item!, 'guid')).toBe('national-highways:m62:2');
  });

  it('Atom and RSS have the 50 newest changes', async () => {
    await byHighways(Array.from({ length: 60 }, (_, at) => record(`national-highways:${at}`)));
    for (const ext of ['rss', 'atom'] as const) {
      expect(await feed(ext)).toHaveLength(50);
      expect((await read(`/disruptions.${ext}`)).body).not.toContain('silent');
    }
    expect((await read('/disruptions.rss')).headers['x-clearway-complete']).toBe('false');
  });

  it('JSON of a route has what ended while it touched the route', async () => {
    const { id } = (await world.post('/api/v1/watches', example.watchRequest, world.token)).json<{
      id: string;
    }>();
    const match = { watch_id: id, level: 'certain' as const, why: '', from_km: 1, to_km: 2, off_m: 0 };
    const settle = (ids: readonly string[]) =>
      world.db.transaction().execute((trx) =>
        matches(trx).settle(
          { subject: 'disruption', watchIds: [id] },
          ids.map((subject_id) => ({ ...match, subject: 'disruption' as const, subject_id })),
          { at: world.now(), batch: 1, endKind: () => 'ended' },
        ),
      );
    await settle(['national-highways:m62', 'national-highways:odd']);
    await settle(['national-highways:m62']);
    world.pass(MINUTE_MS);
    await byHighways([]);
    world.pass(MINUTE_MS);
    await settle([]);
    const { events } = await json(`?watch=${id}&state=ended`);
    expect(events.map(({ event_id }) => event_id)).toEqual(['national-highways:m62']);
  });

  it('RSS lists the incidents that the list of that state would, and those that ended', async () => {
    const titles = async (query: string) => (await feed('rss', query)).map((item) => text(item, 'title'));
    expect(await titles('?state=planned')).toEqual(['Planned, Low: Roadworks on the A1(M)']);
    expect(await titles('?phase=active&state=planned')).toEqual([]);
    world.pass(MINUTE_MS);
    await byHighways(roads().slice(1));
    expect(await titles('?state=ended')).toEqual(['Ended: M62 closed']);
    expect(await titles('?state=active&feed=roads-uk')).toEqual([
      'Ended: M62 closed',
      'Unrated: Something on the road',
    ]);
  });

  it('iCalendar has planned incidents, in UTC, and its sequence rises', async () => {
    const of = async () => {
      const [event] = await calendar();
      return ['uid', 'dtstart', 'dtend', 'sequence', 'status'].map((name) => value(event!, name));
    };
    expect(await of()).toEqual([
      'national-highways:works',
      '2026-11-23T20:00:00Z',
      '2026-11-24T05:00:00Z',
      '1',
      'CONFIRMED',
    ]);
    world.pass(MINUTE_MS);
    await byHighways(roads().filter(({ event_id }) => !event_id.endsWith('works')));
    expect((await of()).slice(3)).toEqual(['2', 'CANCELLED']);
  });

  it('iCalendar counts on when earlier versions are deleted by age', async () => {
    const [m62, works, odd] = roads();
    const sequence = async () => Number(value((await calendar())[0]!, 'sequence'));
    for (const listed of [
      [{ ...works!, title: 'Longer works' }],
      [],
      [works!],
      [{ ...works!, title: 'Works' }],
    ]) {
      world.pass(MINUTE_MS);
      await byHighways([m62!, ...listed, odd!]);
    }
    // Four versions, one of which ended.
    expect(await sequence()).toBe(5);
    for (let deleted = 0; deleted < 2; deleted++) {
      await disruptions(world.db).prune(new Date(world.now().getTime() - 1 + deleted));
      expect(await sequence()).toBe(5);
    }
    world.pass(MINUTE_MS);
    await byHighways([m62!, works!, odd!]);
    await disruptions(world.db).prune(new Date(world.now().getTime() + 1));
    expect(await sequence()).toBe(6);

    await disruptions(world.db).prune(new Date(world.now().getTime() + 1));
    world.pass(MINUTE_MS);
    await byHighways([m62!, odd!]);
    expect(await sequence()).toBe(7);
    await disruptions(world.db).prune(new Date(world.now().getTime() + 1));
    expect(await disruptions(world.db).history(works!.event_id)).toBeUndefined();

    // The incident was deleted whole and is listed again: a program that has version 7 accepts the next.
    world.pass(MINUTE_MS);
    await byHighways([m62!, works!, odd!]);
    expect(await sequence()).toBe(8);
    world.pass(MINUTE_MS);
    await byHighways([m62!, odd!]);
    expect(await sequence()).toBe(9);

    // The number is not kept for ever.
    const years = 3 * 365 * 24 * 60 * MINUTE_MS;
    await disruptions(world.db).prune(new Date(world.now().getTime() + 1));
    await disruptions(world.db).prune(new Date(world.now().getTime() + years));
    expect(await world.db.selectFrom('pruned_versions').selectAll().execute()).toEqual([]);
  });

  it('iCalendar keeps what has begun, and shows as no longer known what its source lost', async () => {
    world.pass(MINUTE_MS);
    await byHighways(roads().map((one) => ({ ...one, phase: 'active' as const })));
    expect((await calendar()).map((event) => value(event, 'uid'))).toEqual(['national-highways:works']);
    await world.db
      .updateTable('disruptions')
      .set({ ended_at: world.now().toISOString(), ended_reason: 'expired' })
      .where('event_id', '=', 'national-highways:works')
      .execute();
    world.pass(MINUTE_MS);
    await poll(world.db, 'tfl', [], world.now());
    const [event] = await calendar();
    expect([value(event!, 'status'), value(event!, 'summary')]).toEqual([
      'TENTATIVE',
      'No longer known: Roadworks on the A1(M)',
    ]);
  });

  it('iCalendar has an entry for each night of a closure by night', async () => {
    world.pass(MINUTE_MS);
    await byHighways(
      roads().map((one) =>
        one.phase === 'planned'
          ? {
              ...one,
              end_time: '2026-11-26T05:00:00.000Z',
              windows: [
                { start: one.start_time, end: '2026-11-26T05:00:00.000Z', from: '20:00', to: '05:00' },
              ],
            }
          : one,
      ),
    );
    expect((await calendar()).map((event) => `${value(event, 'dtstart')} ${value(event, 'dtend')}`)).toEqual([
      '2026-11-23T20:00:00Z 2026-11-24T05:00:00Z',
      '2026-11-24T20:00:00Z 2026-11-25T05:00:00Z',
      '2026-11-25T20:00:00Z 2026-11-26T05:00:00Z',
    ]);
  });

  it('iCalendar gives no end that is not after the start', async () => {
    for (const end_time of ['2026-11-23T20:00:00.000Z', '2026-11-22T20:00:00.000Z', null]) {
      world.pass(MINUTE_MS);
      await byHighways(roads().map((one) => ({ ...one, end_time })));
      const [event] = await calendar();
      expect([value(event!, 'dtstart'), value(event!, 'dtend')]).toEqual(['2026-11-23T20:00:00Z', 'null']);
    }
  });

  it('iCalendar leaves out plans whose publisher does not say when, and says how many', async () => {
    world.pass(MINUTE_MS);
    await byHighways([
      ...roads(),
      record('national-highways:strike', {
        phase: 'planned',
        title: 'Bus drivers in Hull to strike next week',
        start_time: null,
      }),
    ]);
    expect((await calendar()).map((event) => value(event, 'uid'))).toEqual(['national-highways:works']);
    const { body } = await read('/disruptions.ics');
    expect(body.replaceAll('\r\n ', '')).toMatch(
      /^X-WR-CALDESC:1 planned without a stated start has no day in a calendar: read it in the list\. /m,
    );
    const strike = (await json()).events.find(({ event_id }) => event_id.endsWith('strike'));
    expect(strike).toMatchObject({ metadata: { phase: 'planned', start_seen: true } });
  });

  it('CSV and CAP name a start only if its publisher says it', async () => {
    world.pass(MINUTE_MS);
    const works = {
      phase: 'planned',
      title: 'Works on the A1(M)',
      start_time: '2026-11-28T20:00:00.000Z',
    } as const;
    await byHighways([
      record('national-highways:dated', works),
      record('national-highways:undated', { ...works, start_time: null }),
    ]);
    const [head = '', ...rows] = (await read('/disruptions.csv')).body.split('\r\n');
    const column = head.split(',').indexOf('start_time');
    const starts = rows.filter((row) => row.includes('dated')).map((row) => row.split(',')[column]);
    const onsets = ['dated', 'undated'].map(async (id) => {
      const { body } = await read(`/disruptions.cap/national-highways:${id}`);
      return /<onset>(.*)<\/onset>/.exec(body)?.[1] ?? '';
    });
    expect([starts, await Promise.all(onsets)]).toEqual([
      ['2026-11-28T20:00:00.000Z', ''],
      ['2026-11-28T20:00:00-00:00', ''],
    ]);
  });

  it('CSV and GeoJSON have every row once, in the order of the list, and one header, however many', async () => {
    world.pass(MINUTE_MS);
    await byHighways(Array.from({ length: 450 }, (_, at) => record(`national-highways:${at}`)));
    const ids = (await json('?limit=1000')).events.map(({ event_id }) => event_id);
    expect(ids.length).toBeGreaterThan(450);
    expect((await geojson('?limit=1000')).features.map(({ id }) => id)).toEqual(ids);
    expect((await csv('?limit=1000')).map(({ event_id }) => event_id)).toEqual(ids);
    const { body } = await read('/disruptions.csv?limit=1000');
    expect(body.split('\uFEFF')).toHaveLength(2);
    expect(body.startsWith('\uFEFFevent_id,')).toBe(true);
    expect(body.split('\r\n')).toHaveLength(ids.length + 2);
  });

  it('iCalendar has no line of more than 75 octets, and cuts no letter', async () => {
    const title = `Ŵaun-y-pwll 道路 ${'🚧'.repeat(40)} ${'é'.repeat(100)} ${'a'.repeat(80)}`;
    world.pass(MINUTE_MS);
    await byHighways([{ ...roads()[1]!, title }]);
    const { body } = await read('/disruptions.ics');
    const lines = body.split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(body).not.toContain('\uFFFD');
    const [event] = await calendar();
    expect(value(event!, 'summary')).toContain('🚧'.repeat(30));
  });

  it('iCalendar has at most the next 5,000 nights, and others get their turn while it is written', async () => {
    const [works] = await filtered(world.db).calendar({}, world.now(), world.now(), 1);
    const nights = { start: '2026-11-01T00:00:00Z', end: null, from: '22:00', to: '05:00' };
    const many = Array.from({ length: 100 }, (_, at) => ({
      ...works!,
      incident: {
        ...works!.incident,
        event_id: `national-highways:${at}`,
        start_time: '2026-11-01T22:00:00.000Z',
        windows: [nights],
      },
    }));
    const state = { attribution: [], silent: [] } as unknown as DataState;
    const channel = { origin: 'https://clearway.example', title: 'Works', now: world.now() };
    const sign = { isWritten: false };
    const written = calendarOf(many, [], state, channel as Channel).finally(() => (sign.isWritten = true));
    let turns = 0;
    for (; !sign.isWritten; turns++) await setImmediate();
    expect(turns).toBeGreaterThan(50);
    const parts = new ICAL.Component(ICAL.parse(await written) as never).getAllSubcomponents();
    expect(parts).toHaveLength(5000);
    const starts = parts.map((part) => value(part, 'dtstart'));
    expect(starts).toEqual(starts.toSorted());
    expect(await written).toContain('Only the next 5,000 times are in it.');
  });

  it('iCalendar has one entry for works with a window that has no end', async () => {
    const [works] = await filtered(world.db).calendar({}, world.now(), world.now(), 1);
    const windows = [{ start: '2026-12-01T22:00:00Z', end: null }];
    const incident = { ...works!.incident, start_time: '2026-12-01T22:00:00.000Z', windows };
    const channel = { origin: 'https://clearway.example', title: 'Works', now: world.now() } as Channel;
    const state = { attribution: [], silent: [] } as unknown as DataState;
    const written = await calendarOf([{ ...works!, incident }], [], state, channel);
    const parts = new ICAL.Component(ICAL.parse(written) as never).getAllSubcomponents('vevent');
    expect(parts.map((part) => value(part, 'dtstart'))).toEqual(['2026-12-01T22:00:00Z']);
  });

  it('an empty calendar has one part, as RFC 5545 asks', async () => {
    const { body } = await read('/disruptions.ics?q=nothing-has-this');
    const parts = new ICAL.Component(ICAL.parse(body) as never).getAllSubcomponents();
    expect(parts.map(({ name }) => name)).toEqual(['vtimezone']);
    const zone = new ICAL.Timezone(parts[0]!);
    const offsetOn = (day: string) => zone.utcOffset(ICAL.Time.fromDateTimeString(`${day}T12:00:00`)) / 3600;
    expect([
      offsetOn('2026-03-28'),
      offsetOn('2026-03-29'),
      offsetOn('2026-10-24'),
      offsetOn('2026-10-25'),
    ]).toEqual([0, 1, 1, 0]);
  });

  it('the badge says how many of the worst', async () => {
    const { body, headers } = await read('/disruptions.badge?feed=roads-uk');
    expect(headers['content-type']).toContain('image/svg+xml');
    expect(body).toContain('<title>Roads: 1 critical</title>');
    expect((await read('/disruptions.badge?feed=rail-network&q=nothing-has-this')).body).toContain(
      '<title>Rail: none</title>',
    );
    expect(() => xmlTree(body)).not.toThrow();
  });

  it('the badge counts the planned ones, and is never calm about what it does not count', async () => {
    const { total } = JSON.parse((await read('/disruptions.json?phase=planned')).body) as { total: number };
    expect(total).toBeGreaterThan(0);
    for (const query of ['phase=planned', 'state=planned']) {
      expect((await read(`/disruptions.badge?${query}`)).body, query).toContain(`: ${total} planned`);
    }
    const { body } = await read('/disruptions.badge?state=ended');
    expect(body).toContain(': ended ones are not counted</title>');
    expect(body).not.toContain('#2b5d3a');
  });

  it('JSON obeys its schema, with geometry on request, and pages with a cursor', async () => {
    expect((await json('?geometry=true')).events[0]!.geometry?.type).toBe('LineString');
    const first = await json('?limit=2');
    expect([first.events.length, first.total, first.complete]).toEqual([2, 5, false]);
    const rest = await json(`?limit=5&cursor=${first.next_cursor}`);
    expect(rest.events).toHaveLength(3);
  });

  it('is 304 for a caller that has it, with how far it can be relied on', async () => {
    for (const ext of LISTS) {
      const { headers } = await read(`/disruptions.${ext}`);
      const again = await world.app.inject({
        url: `/api/v1/disruptions.${ext}`,
        headers: { authorization: `Bearer ${world.key}`, 'if-none-match': String(headers.etag) },
      });
      expect([again.statusCode, again.headers['x-clearway-complete']], ext).toEqual([304, 'true']);
    }
  });
});

describe('CAP', () => {
  const file = async (id: string) => (await read(`/disruptions.cap/${encodeURIComponent(id)}`)).body;
  const of = (body: string) => {
    const tree = xmlTree(body);
    const info = all(tree, 'info')[0]!;
    return {
      msgType: text(tree, 'msgType'),
      references: text(tree, 'references'),
      identifier: text(tree, 'identifier'),
      severity: text(info, 'severity'),
      note: text(tree, 'note'),
      scope: text(tree, 'scope'),
      headline: text(info, 'headline'),
      certainty: text(info, 'certainty'),
    };
  };

  it('obeys the schema of CAP 1.2, for every incident that may be relayed', async () => {
    for (const id of [
      'national-highways:m62',
      'national-highways:odd',
      'national-highways:works',
      'tfl:victoria',
    ])
      expect(capFaults(await file(id)), id).toEqual([]);
  });

  it.each([
    ['national-highways:m62', 'Extreme'],
    ['tfl:victoria', 'Severe'],
    ['national-highways:odd', 'Unknown'],
    ['national-highways:works', 'Minor'],
  ])('grades %s as %s', async (id, severity) => {
    expect(of(await file(id)).severity).toBe(severity);
  });

  it('is an Alert, then an Update that refers to it, then a Cancel that refers to both', async () => {
    const first = of(await file('national-highways:m62'));
    expect(first).toMatchObject({
      msgType: 'Alert',
      references: '',
      scope: 'Restricted',
      note: 'Relayed from National Highways; not an official warning',
    });
    world.pass(MINUTE_MS);
    const [m62, ...others] = roads();
    await byHighways([{ ...m62!, severity: 'high' }, ...others]);
    const second = await file('national-highways:m62');
    expect(capFaults(second)).toEqual([]);
    expect(of(second)).toMatchObject({
      msgType: 'Update',
      references: `clearway@clearway.example,${first.identifier},2026-11-21T09:00:00-00:00`,
    });
    world.pass(MINUTE_MS);
    await byHighways(others);
    const third = of(await file('national-highways:m62'));
    expect(third.msgType).toBe('Cancel');
    expect(third.references.split(' ')).toHaveLength(2);
    expect(new Set([first.identifier, of(second).identifier, third.identifier]).size).toBe(3);
  });

  it('refers to what it sent, and gives no number twice, when earlier versions are deleted by age', async () => {
    const [m62, ...others] = roads();
    const listings = [[{ ...m62!, title: 'M62 shut' }], [], [m62!], [{ ...m62!, severity: 'high' as const }]];
    for (const listed of listings) {
      world.pass(MINUTE_MS);
      await byHighways([...listed, ...others]);
    }
    const number = ({ identifier }: ReturnType<typeof of>) => identifier.split(':').at(-1);
    const before = of(await file('national-highways:m62'));
    expect([number(before), before.references.split(' ')]).toEqual([
      '5',
      expect.objectContaining({ length: 4 }),
    ]);

    await disruptions(world.db).prune(new Date(world.now().getTime() + 1));
    const after = await file('national-highways:m62');
    expect(capFaults(after)).toEqual([]);
    expect(of(after)).toEqual({ ...before, references: before.references.split(' ').at(-1) });

    world.pass(MINUTE_MS);
    await byHighways(others);
    const end = of(await file('national-highways:m62'));
    expect([number(end), end.msgType, end.references.split(' ').at(-1)]).toEqual([
      '6',
      'Cancel',
      `clearway@clearway.example,${before.identifier},2026-11-21T09:04:00-00:00`,
    ]);
  });

  it('has in its index the number of its file, even after more versions than are shown', async () => {
    const [stored] = await world.db
      .selectFrom('disruptions')
      .selectAll()
      .where('event_id', '=', 'national-highways:m62')
      .execute();
    const { event_id, severity, title, summary_line, phase, kind, updated_at, start_time, details } = stored!;
    const said = { event_id, severity, title, summary_line, phase, kind, updated_at, start_time, details };
    const ends = { end_time: null, ended_reason: null };
    const versions = Array.from({ length: VERSIONS_SHOWN + 9 }, (_, n) => {
      const seen_at = new Date(world.now().getTime() - MINUTE_MS * (VERSIONS_SHOWN + 9 - n)).toISOString();
      return { ...said, ...ends, seen_at, replaced_at: seen_at, ended_at: n === 3 ? seen_at : null };
    });
    await world.db.insertInto('disruption_versions').values(versions).execute();
    const { identifier, references } = of(await file('national-highways:m62'));
    const ids = (await feed('cap')).map((entry) => text(entry, 'id'));
    expect(identifier).toBe(`national-highways%3Am62:${VERSIONS_SHOWN + 11}`);
    expect(ids).toContain(`urn:clearway:cap:${identifier}`);
    expect(references.split(' ')).toHaveLength(20);
  });

  it('never cancels what its source lost', async () => {
    await world.db
      .updateTable('disruptions')
      .set({ ended_at: world.now().toISOString(), ended_reason: 'expired' })
      .where('event_id', '=', 'tfl:victoria')
      .execute();
    const lost = await file('tfl:victoria');
    expect(capFaults(lost)).toEqual([]);
    expect(of(lost)).toMatchObject({
      msgType: 'Update',
      headline: 'No longer known: Victoria line: severe delays',
      certainty: 'Unknown',
    });
  });

  it('leaves out and names the sources whose licence does not allow it', async () => {
    const entries = await feed('cap');
    expect(entries).toHaveLength(4);
    const reply = await read('/disruptions.cap');
    expect(reply.body).toContain('does not allow it: News headlines.');
    expect(reply.headers['x-clearway-left-out']).toBe('News%20headlines');
    expect((await world.ask('/disruptions.cap/news-rss:one')).statusCode).toBe(404);
  });

  it('links from its index to the files', async () => {
    const [entry] = await feed('cap');
    const { href } = all(entry!, 'link')[0]!.attributes;
    const { body } = await world.get(href!.replace('https://clearway.example', ''), world.key);
    expect(capFaults(body)).toEqual([]);
  });
});

describe('the rows', () => {
  it('are the same in JSON, GeoJSON and CSV', async () => {
    const cases = [
      '',
      '?feed=roads-uk',
      '?min_severity=high',
      '?limit=2',
      '?sort=newest',
      '?phase=planned',
      '?q=nothing',
    ];
    for (const query of cases) {
      const ids = (await json(query)).events.map(({ event_id }) => event_id);
      expect(
        (await geojson(query)).features.map(({ id }) => id),
        query,
      ).toEqual(ids);
      expect(
        (await csv(query)).map(({ event_id }) => event_id),
        query,
      ).toEqual(ids);
    }
  });

  it('are all there beyond one page of the list', async () => {
    await byHighways(Array.from({ length: 450 }, (_, at) => record(`national-highways:${at}`)));
    const [one, other, third] = [await json(), await geojson(), await csv()];
    expect([one.events.length, other.features.length, third.length]).toEqual([452, 452, 452]);
    expect(one.complete).toBe(true);
  });

  it('say whom to credit, in every format', async () => {
    for (const ext of LISTS)
      expect(
        (await read(`/disruptions.${ext}?source=national-highways`)).body.replaceAll('\r\n ', ''),
        ext,
      ).toContain('Open Government Licence v3.0 (National Highways)');
  });
});

describe('a silent source', () => {
  /** Roads are silent, the others still answer. */
  beforeEach(async () => {
    world.pass(180 * MINUTE_MS);
    await poll(world.db, 'tfl', [], world.now());
    await poll(world.db, 'news-rss', [], world.now());
  });

  it('is named in the headers of every format', async () => {
    for (const ext of LISTS)
      expect((await read(`/disruptions.${ext}`)).headers, ext).toMatchObject({
        'x-clearway-complete': 'false',
        'x-clearway-stale': 'national-highways',
        'x-clearway-data-time': world.now().toISOString(),
      });
  });

  it('is the first thing that RSS, Atom, the index of CAP and the calendar say', async () => {
    const said = 'No information from National Highways since 09:00';
    for (const ext of ['rss', 'atom', 'cap'] as const)
      expect(text((await feed(ext))[0]!, 'title'), ext).toBe(said);
    expect(value((await calendar())[0]!, 'summary')).toBe(said);
    expect(value((await calendar())[0]!, 'dtstart')).toBe('2026-11-21');
  });

  it('is on London’s day in the calendar, even in the first hour of a summer’s day', async () => {
    const silent = [{ source: 'tfl', name: 'Transport for London', since: '2026-07-01T20:00:00.000Z' }];
    const state = { attribution: [], silent } as unknown as DataState;
    const now = new Date('2026-07-01T23:30:00.000Z');
    const written = await calendarOf([], [], state, { origin: '', title: 'Roads', now } as Channel);
    expect(written).toContain('DTSTART;VALUE=DATE:20260702');
  });

  it('is named even if nothing is listed', async () => {
    const query = '?feed=roads-uk&q=nothing-has-this';
    for (const ext of ['rss', 'atom', 'cap'] as const) expect(await feed(ext, query)).toHaveLength(1);
    expect(await calendar(query)).toHaveLength(1);
    expect((await read(`/disruptions.badge${query}`)).body).toContain(
      'Roads: no information from National Highways since 09:00',
    );
    expect((await read(`/disruptions.csv${query}`)).headers['content-disposition']).toContain('incomplete');
  });

  it('makes the incidents that it reported no longer known, in every format', async () => {
    expect((await csv())[0]).toMatchObject({ event_id: 'national-highways:m62', standing: 'lost' });
    expect((await geojson()).features[0]!.properties).toMatchObject({ standing: 'lost' });
    expect((await json()).silent).toMatchObject([{ source: 'national-highways' }]);
    expect((await read('/disruptions.cap/national-highways:m62')).body).toContain(
      '<certainty>Unknown</certainty>',
    );
    expect((await read('/disruptions.badge')).body).not.toContain('critical');
    expect((await feed('rss')).map((item) => text(item, 'title'))).toContain('No longer known: M62 closed');
  });

  it('does not count if the filter has nothing to do with it', async () => {
    expect((await read('/disruptions.rss?feed=rail-network')).headers['x-clearway-complete']).toBe('true');
    expect((await read('/disruptions.badge?feed=rail-network')).body).toContain('Rail: none');
  });

  it('is no longer named once it is disconnected, and the answer is complete', async () => {
    await world.db.updateTable('collections').set({ enabled: 0 }).where('source', '=', 'tfl').execute();
    await byHighways(roads());
    const { body, headers } = await read('/disruptions.csv');
    expect(body).not.toContain('Victoria');
    expect(headers['x-clearway-stale']).toBeUndefined();
    expect(headers['x-clearway-complete']).toBe('true');
  });

  it('is not calm if only this source was requested and it was disconnected', async () => {
    await world.db.updateTable('collections').set({ enabled: 0 }).where('source', '=', 'tfl').execute();
    for (const ext of LISTS) {
      const { headers } = await read(`/disruptions.${ext}?source=tfl`);
      expect(headers['x-clearway-stale'], ext).toBe('tfl');
      expect(headers['x-clearway-complete'], ext).toBe('false');
    }
    expect((await read('/disruptions.badge?source=tfl')).body).toContain(
      'no information from Transport for London',
    );
  });

  it('that has never answered is not calm either', async () => {
    await world.db.deleteFrom('collections').where('source', '=', 'tfl').execute();
    await collections(world.db).ensure('tfl', true);
    expect((await read('/disruptions.badge?source=tfl')).body).toContain(
      'no information from Transport for London',
    );
  });
});

describe('hostile text', () => {
  const CELLS = ['=1', '+1', '-2', '@x', '\tx', '=HYPERLINK("http://evil.example")'];
  const TITLES = [
    ...CELLS,
    ']]>',
    ']]><script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '&lt;b&gt; & "quotes" \'\'',
    '\u202Egnp.exe\u202C \u2066x\u2069',
    'a\u0000b\u0007c\uFFFE\uD800',
    'BEGIN:VEVENT\r\nUID:evil\r\nEND:VEVENT',
    'M'.repeat(1024 * 1024),
    `${'<![CDATA['.repeat(200)}`,
    '',
  ];

  beforeEach(async () => {
    await world.db.deleteFrom('disruptions').execute();
    await byHighways(
      TITLES.map((title, at) =>
        record(`national-highways:h${at}`, {
          title,
          summary_line: title,
          phase: at % 2 === 0 ? 'active' : 'planned',
          start_time: '2026-11-23T20:00:00.000Z',
        }),
      ),
    );
    await poll(world.db, 'tfl', [], world.now());
    await poll(world.db, 'news-rss', [], world.now());
  });

  it('is no formula in CSV, and numbers stay numbers', async () => {
    const rows = await csv();
    expect(rows).toHaveLength(TITLES.length);
    for (const row of rows) expect(row.title).not.toMatch(/^[=+\-@\t\r]/);
    const titles = rows.map(({ title }) => title);
    for (const cell of ['=1', '+1', '-2', '@x']) expect(titles).toContain(`'${cell}`);
    await byHighways([record('national-highways:west', { latitude: 52, longitude: -1.5 })]);
    expect((await csv())[0]!.longitude).toBe('-1.5');
  });

  it.each(['rss', 'atom', 'cap'] as const)('does not break out of %s', async (ext) => {
    const entries = await feed(ext);
    expect(entries).toHaveLength(TITLES.length);
    const { body } = await read(`/disruptions.${ext}`);
    expect(body).not.toMatch(/<script/);
    expect(body.length).toBeLessThan(60_000);
    expect(body).not.toMatch(/[\p{Cf}\uFFFE]|[^\P{Cc}\s]/u);
  });

  it('does not break out of a CAP file', async () => {
    for (const [at, title] of TITLES.entries()) {
      const { body } = await read(`/disruptions.cap/national-highways:h${at}`);
      expect(capFaults(body), title.slice(0, 40)).toEqual([]);
      expect(body).not.toContain('<script');
    }
  });

  it('does not break out of a calendar', async () => {
    const events = await calendar();
    expect(events).toHaveLength(Math.floor(TITLES.length / 2));
    expect(events.map((event) => value(event, 'uid'))).not.toContain('evil');
    for (const event of events) expect(value(event, 'summary').length).toBeLessThan(400);
  });

  it('is valid in GeoJSON, and the rows are still the same', async () => {
    const answer = await geojson();
    expect(geojsonFaults(answer)).toEqual([]);
    expect(answer.features.map(({ id }) => id)).toEqual((await csv()).map(({ event_id }) => event_id));
  });
});
