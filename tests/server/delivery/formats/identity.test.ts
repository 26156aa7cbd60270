import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import { XMLParser } from 'fast-xml-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import type { HistoryBoard } from '#contract/history/history.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { factsOf } from '../../../support/facts.ts';
import { poll, record } from '../../feedsWorld.ts';
import { MINUTE_MS, openFormatsWorld, type FormatsWorld } from './formatsWorld.ts';

const ONE = 'national-highways:pair';
const OTHER = 'tfl:pair';
const CAP_GRADES = { Extreme: 'critical', Severe: 'high', Moderate: 'medium', Minor: 'low' } as const;

let world: FormatsWorld;
let admin: string;

beforeEach(async () => {
  world = await openFormatsWorld();
  const { id, email } = await world.addUser({ email: 'ada@clearway.example', role: 'admin' });
  await teams(world.db, 'one').put(id, EVERYONE, 'lead', world.now());
  admin = (await world.signIn({ email })).access_token;
});
afterEach(() => world.close());

/** Lines such as `national-highways:pair critical active`, of the two alone. */
const line = (id: string, severity: string, state: string | undefined) => `${id} ${severity} ${state}`;
const ours = (lines: readonly string[]) => lines.filter((one) => /:pair /.test(one)).toSorted();
const listed = (events: readonly ListedDisruption[]) =>
  events.map(({ event_id, severity, metadata }) => line(event_id, severity, metadata.phase));

const xml = new XMLParser({ ignoreAttributes: false, isArray: (name) => ['entry', 'item'].includes(name) });
/** "Critical: M62 closed", "Planned, high: M62 closed". The newest include ended incidents. */
const ofHeadline = (id: string, title: string) =>
  /^(?:cleared|ended|no longer)/i.test(title)
    ? []
    : line(
        id,
        /critical|high|medium|low/i.exec(title)?.[0].toLowerCase() ?? title,
        /^planned/i.test(title) ? 'planned' : 'active',
      );

type Events = { events: ListedDisruption[] };
type Feature = { id: string; properties: { severity: string; standing: string } };
type Entry = { id: string; title: { '#text': string }; link: { '@_href': string } };
type Item = { guid: { '#text': string }; title: string };
type Cap = {
  msgType: string;
  web: string;
  info: { severity: keyof typeof CAP_GRADES; web: string; parameter: { value: string }[] };
};

/** Everything that lists incidents, each as the lines of the two. */
async function everywhere(): Promise<Record<string, string[]>> {
  const ask = async (path: string, token?: string) => {
    const reply = token ? await world.get(`/api/v1${path}`, token) : await world.ask(path);
    expect(reply.statusCode, `${path} ${reply.body}`).toBe(200);
    return reply;
  };
  const json = async <T>(path: string, token?: string) => (await ask(path, token)).json<T>();
  const tree = async (path: string) => xml.parse((await ask(path)).body) as unknown;

  const csv = parse((await ask('/disruptions.csv')).body, { columns: true, bom: true });
  const geojson = await json<{ features: Feature[] }>('/disruptions.geojson');
  const { feed: atom } = (await tree('/disruptions.atom')) as { feed: { entry?: Entry[] } };
  const { rss } = (await tree('/disruptions.rss')) as { rss: { channel: { item?: Item[] } } };
  const { feed: index } = (await tree('/disruptions.cap')) as { feed: { entry?: Entry[] } };
  const caps: string[] = [];
  for (const { link } of index.entry ?? []) {
    const path = new URL(link['@_href']).pathname.replace('/api/v1', '');
    const { alert } = (await tree(path)) as unknown as { alert: Cap };
    const id = decodeURIComponent(alert.info.web.split('/').at(-1)!);
    if (alert.msgType !== 'Cancel')
      caps.push(line(id, CAP_GRADES[alert.info.severity], alert.info.parameter[0]!.value));
  }
  const board = await json<{ feeds: Events[] }>('/feeds/?include_events=true');
  const then = world.now().toISOString();
  const past = await json<HistoryBoard>(`/history/board?at=${then}`, admin);
  return Object.fromEntries(
    Object.entries({
      list: listed((await json<Events>('/disruptions/?limit=200')).events),
      json: listed((await json<Events>('/disruptions.json')).events),
      geojson: geojson.features.map((one) => line(one.id, one.properties.severity, one.properties.standing)),
      csv: (csv as { event_id: string; severity: string; standing: string }[]).map((row) =>
        line(row.event_id, row.severity, row.standing),
      ),
      atom: (atom.entry ?? []).flatMap(({ id, title }) => ofHeadline(id, title['#text'])),
      rss: (rss.channel.item ?? []).flatMap(({ guid, title }) =>
        ofHeadline(guid['#text'].replace(/:\d+$/, ''), title),
      ),
      cap: caps,
      board: [...new Set(board.feeds.flatMap(({ events }) => listed(events)))],
      history: [...new Set(past.feeds.flatMap(({ events }) => listed(events as ListedDisruption[])))],
    }).map(([place, lines]) => [place, ours(lines)]),
  );
}

/** The planned ones with a stated time, as a calendar has them. */
async function calendar(): Promise<string[]> {
  const { body } = await world.ask('/disruptions.ics');
  return new ICAL.Component(ICAL.parse(body) as unknown[])
    .getAllSubcomponents('vevent')
    .flatMap((event) => {
      const [uid, summary, status] = ['uid', 'summary', 'status'].map((name) =>
        String(event.getFirstPropertyValue(name)),
      );
      return status === 'CANCELLED' ? [] : ofHeadline(uid!, summary!);
    })
    .filter((one) => /:pair /.test(one));
}

async function split(path = ''): Promise<void> {
  const reply = await world.post(`/api/v1/admin/merges/splits${path}`, { one: ONE, other: OTHER }, admin);
  expect(reply.statusCode, reply.body).toBe(204);
}

describe('two reports of one incident', () => {
  const saidOf = (phase: 'active' | 'planned'): Partial<DisruptionRecord> => ({
    phase,
    event_type: 'road.closure',
    title: 'M62 closed',
    start_time: phase === 'active' ? '2026-11-21T08:31:00.000Z' : '2026-11-23T20:00:00.000Z',
    end_time: phase === 'active' ? null : '2026-11-24T05:00:00.000Z',
    facts: factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    }),
  });
  const twoOf = (phase: 'active' | 'planned') => [
    record(ONE, { ...saidOf(phase), severity: 'medium' }),
    record(OTHER, { ...saidOf(phase), severity: 'critical' }),
  ];
  const publish = async (records: Record<string, DisruptionRecord[]>) => {
    world.pass(MINUTE_MS);
    for (const [source, some] of Object.entries(records)) await poll(world.db, source, some, world.now());
  };
  const areEverywhere = async (...lines: string[]) => {
    const found = await everywhere();
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, lines])));
    expect((await calendar()).toSorted()).toEqual(lines.filter((one) => one.endsWith('planned')));
  };

  it('have one id, grade and state in every format, also after a split, a new merge and the end of the first', async () => {
    const [official, other] = twoOf('active') as [DisruptionRecord, DisruptionRecord];
    await publish({ 'national-highways': [official] });
    await areEverywhere(`${ONE} medium active`);
    await publish({ tfl: [other] });
    await areEverywhere(`${ONE} critical active`);
    world.pass(MINUTE_MS);
    await split();
    await areEverywhere(`${ONE} medium active`, `${OTHER} critical active`);
    world.pass(MINUTE_MS);
    await split('/undo');
    await areEverywhere(`${ONE} critical active`);
    // Either id leads to the one incident.
    for (const id of [ONE, OTHER]) {
      const page = (await world.ask(`/disruptions/${encodeURIComponent(id)}`)).json<ListedDisruption>();
      expect(page).toMatchObject({
        event_id: ONE,
        severity: 'critical',
        metadata: {
          phase: 'active',
          also_reported_by: [{ event_id: OTHER, source: 'tfl', severity: 'critical' }],
        },
      });
    }
    const caps = await Promise.all(
      [ONE, OTHER].map((id) => world.ask(`/disruptions.cap/${encodeURIComponent(id)}`)),
    );
    expect(caps.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(caps[1]!.body).toBe(caps[0]!.body);
    await publish({ 'national-highways': [] });
    await areEverywhere(`${OTHER} critical active`);
    await publish({ tfl: [] });
    await areEverywhere();
  });

  it('are two incidents everywhere while both are only planned', async () => {
    const [official, other] = twoOf('planned') as [DisruptionRecord, DisruptionRecord];
    await publish({ 'national-highways': [official], tfl: [other] });
    await areEverywhere(`${ONE} medium planned`, `${OTHER} critical planned`);
  });
});
