/** One day of every source, on a clock that the test moves: its alerts appear, change, worsen and end; its upstream
 *  dies and comes back. At each step the API answers, and the board's own rules say what it would make of the
 *  answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Disruption, SourceEvents } from '#contract/incidents/disruptions.ts';
import { type Feed, type FeedBundle, FEEDS } from '#contract/feeds/feeds.ts';
import type { z } from 'zod';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import type { Collector } from '../../server/incidents/collector.ts';
import { downloader } from '../../server/http/documents/download.ts';
import { startSchedule, type Schedule } from '../../server/sources/polling/pollRunners.ts';
import { startReplay, type Replay } from '../../server/operate/replay.ts';
import { statusOf } from '../../src/feeds/alerts/sourceLine.ts';
import { quietLine, silentSources } from '../../src/feeds/alerts/sourceStatus.ts';
import { memoryFacts } from '../support/upstream.ts';
import { openTestApp, type TestApp } from './app/testApp.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Half of the time that a scene takes. */
const POLLS_APART = 20 * SECOND;

/** The whole round, and its first scene again: incidents that are first missing in the last scene end then. */
const SCENES = [1, 2, 3, 4, 5, 6, 7];
/** How long the upstreams are dead, at each look: past the maximum age of every source in turn. */
const DEAD_MINUTES = [1, ...new Set(COLLECTORS.map(({ maxAgeMinutes }) => maxAgeMinutes + 1))].sort(
  (a, b) => a - b,
);

type Answer = z.infer<typeof SourceEvents>;

/** Answer of one source, and its line on the board. */
interface Saying {
  answer: Answer;
  line: { status: string; text: string };
}

/** The board at one moment. */
interface Look {
  at: Date;
  feeds: readonly FeedBundle[];
  sayings: ReadonlyMap<string, Saying>;
  /** The upstream's present list, by source, as `severity phase` by id; null: it does not answer. */
  listed: ReadonlyMap<string, ReadonlyMap<string, string> | null>;
}

let test: TestApp;
let replay: Replay;
let schedule: Schedule;
let isDead = false;
/** Each scene at its first poll and at its second. */
const scenes: { first: Look; second: Look }[] = [];
const dead: { minutes: number; look: Look }[] = [];
let back: Look;
/** The reasons why incidents ended during the scenes. */
let endings: { source: string; ended_reason: string | null }[];

const states = (
  events: readonly Pick<Disruption, 'event_id' | 'severity'>[],
  phaseOf: (at: number) => string,
) => new Map(events.map(({ event_id, severity }, at) => [event_id, `${severity} ${phaseOf(at)}`]));

/** Records that an upstream lists, read without store and schedule. */
async function listedBy(collector: Collector): Promise<Map<string, string> | null> {
  const { get } = downloader().newGet();
  try {
    const found = await collector.collect({
      get,
      now: test.now(),
      settings: replay.settings,
      facts: memoryFacts(),
    });
    const records = found.records.filter(({ kind }) => kind === 'alert');
    return states(records, (at) => records[at]!.phase);
  } catch {
    return null;
  }
}

/** Asks every upstream, and then, as the board does, the API. */
async function look(): Promise<Look> {
  await Promise.all(COLLECTORS.map(({ source }) => schedule.collectNow(source)));
  const { access_token } = await test.signIn();
  const read = async <T>(path: string) => {
    const reply = await test.get(`/api/v1/${path}`, access_token);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<T>();
  };
  const { feeds } = await read<{ feeds: FeedBundle[] }>('feeds/?include_events=true');
  const at = test.now();

  const sayings = new Map<string, Saying>();
  for (const entry of feeds.flatMap(({ feed }) => feed.sources)) {
    const { source } = entry;
    const answer = await read<Answer>(`disruptions/sources/${source}?limit=200`);
    const detail = { source, outcome: 'answered' as const, answer, entry, directoryDeclares: true };
    sayings.set(source, {
      answer,
      line: statusOf(detail, { newest: entry, boardStale: false, now: at }),
    });
  }
  const listed = new Map<string, Map<string, string> | null>();
  for (const collector of COLLECTORS) listed.set(collector.source, isDead ? null : await listedBy(collector));
  return { at, feeds, sayings, listed };
}

beforeAll(async () => {
  // The replay needs the app's clock, and the app the replay's addresses.
  const settings: Record<string, string> = {};
  test = await openTestApp({ config: { settings } });
  replay = await startReplay({ stepSeconds: 0, now: test.now });
  Object.assign(settings, replay.settings);
  await test.addUser();
  schedule = startSchedule({
    db: test.db,
    collectors: COLLECTORS,
    settings,
    download: downloader({
      fetch: (...request) => (isDead ? Promise.reject(new TypeError('fetch failed')) : fetch(...request)),
    }),
    now: test.now,
    random: () => 1,
    log: { info() {}, warn() {}, error() {} },
    owner: 'the only node',
  });

  for (const scene of SCENES) {
    const first = await look();
    test.pass(POLLS_APART);
    // Some sources end an incident only when it is missing twice.
    const second = await look();
    scenes.push({ first, second });
    if (scene < SCENES.length) {
      test.pass(POLLS_APART);
      replay.step();
    }
  }
  endings = await test.db
    .selectFrom('disruptions')
    .select(['source', 'ended_reason'])
    .where('ended_at', 'is not', null)
    .execute();

  isDead = true;
  const lastGood = test.now().getTime();
  for (const minutes of DEAD_MINUTES) {
    test.pass(lastGood + minutes * MINUTE - test.now().getTime());
    dead.push({ minutes, look: await look() });
  }

  isDead = false;
  replay.step();
  test.pass(SECOND);
  back = await look();
});

afterAll(async () => {
  await schedule.stop();
  await test.close();
  await replay.close();
});

const alertsOf = (look: Look, source: string) =>
  look.sayings.get(source)!.answer.events.filter(({ metadata }) => metadata.kind !== 'status');

function statesOf(look: Look, source: string): Map<string, string> {
  const alerts = alertsOf(look, source).filter(
    // A rail operator that runs normally is listed, and is no alert.
    ({ metadata }) => metadata.nsi?.status !== 'Good service',
  );
  return states(alerts, (at) => String(alerts[at]!.metadata.phase));
}

/** The line for this many active alerts. */
function wordsFor(source: string, count: number): string {
  if (source === 'nsi-service') {
    if (count === 0) return 'All operators good service';
    return count > 3 ? `${count} operators disrupted` : `${count} operators reporting issues`;
  }
  if (count === 0) return 'No active alerts';
  const word = count > 4 ? 'Attention required' : 'Monitoring';
  return `${word}, ${count} ${count === 1 ? 'alert' : 'alerts'}`;
}

const activeIn = (listed: ReadonlyMap<string, string>) =>
  [...listed.values()].filter((state) => state.endsWith('active')).length;

const clock = (at: Date) => at.toISOString().slice(11, 16); // in November London's clock is UTC's

const RANK = ['low', 'medium', 'high', 'critical'];
const rankOf = ({ severity }: Pick<Disruption, 'severity'>) => RANK.indexOf(severity);

describe.each(COLLECTORS)('$source', ({ source, absentPolls, maxAgeMinutes }) => {
  it('shows in every scene the state of its upstream, in the board’s words', () => {
    for (const [at, { second }] of scenes.entries()) {
      const listed = second.listed.get(source);
      const said = statesOf(second, source);
      const before = scenes[at - 1]?.second;
      if (!listed) {
        // Away for a scene: the known incidents stay.
        expect([...said]).toEqual([...statesOf(before!, source)]);
      } else if (absentPolls === 1) {
        expect(Object.fromEntries(said)).toEqual(Object.fromEntries(listed));
      } else {
        // An end needs two different documents, so incidents that this one leaves out may still be there.
        expect([...said]).toEqual(expect.arrayContaining([...listed]));
        const known = new Set([...listed.keys(), ...(before?.listed.get(source)?.keys() ?? [])]);
        for (const id of said.keys()) expect(known).toContain(id);
      }
      const active = activeIn(said);
      expect(second.sayings.get(source)!.answer.event_count).toBe(active);
      expect(second.sayings.get(source)!.line.text).toBe(wordsFor(source, active));
    }
  });

  it('lets alerts appear, change, worsen and end', () => {
    const pairs = scenes.slice(1).map(({ second }, at) => ({
      before: new Map(alertsOf(scenes[at]!.second, source).map((alert) => [alert.event_id, alert])),
      after: alertsOf(second, source),
    }));
    const some = (is: (before: Disruption, after: Disruption) => boolean) =>
      pairs.some(({ before, after }) =>
        after.some((alert) => before.has(alert.event_id) && is(before.get(alert.event_id)!, alert)),
      );

    const steps = SCENES.slice(1).map((_, at) => ({
      before: statesOf(scenes[at]!.second, source),
      after: statesOf(scenes[at + 1]!.second, source),
    }));
    expect({
      appears: steps.some(({ before, after }) => [...after.keys()].some((id) => !before.has(id))),
      changes: some(
        (before, after) => before.title !== after.title || before.summary_line !== after.summary_line,
      ),
      worsens: some((before, after) => rankOf(after) > rankOf(before)),
      ends: steps.some(({ before, after }) => [...before.keys()].some((id) => !after.has(id))),
    }).toEqual({ appears: true, changes: true, worsens: true, ends: true });
  });

  it('is relied on with a dead upstream until its maximum age; then only the time since is shown', () => {
    const last = scenes.at(-1)!.second;
    for (const { minutes, look } of dead) {
      const { answer, line } = look.sayings.get(source)!;
      const said = statesOf(look, source);
      expect(answer.last_collected).toBe(last.at.toISOString());

      if (minutes > maxAgeMinutes) {
        expect(answer).toMatchObject({ state: 'failing', freshness: 'stale', event_count: 0 });
        expect(said.size).toBe(0);
        expect(line).toEqual({ status: 'none', text: `No recent information since ${clock(last.at)}` });
      } else {
        expect(answer.freshness).not.toBe('stale');
        expect(answer.state).not.toBe('ok');
        // Nothing is new, and only incidents that ended at their own end time are gone.
        const gone = alertsOf(last, source).filter(
          ({ end_time }) => end_time && new Date(end_time) <= look.at,
        );
        const left = [...statesOf(last, source).keys()].filter(
          (id) => !gone.some(({ event_id }) => event_id === id),
        );
        expect([...said.keys()].sort()).toEqual(left.sort());
        expect(line.text).toBe(wordsFor(source, activeIn(said)));
      }
    }
  });

  it('comes back with its upstream', () => {
    const said = statesOf(back, source);
    const { answer, line } = back.sayings.get(source)!;
    expect(answer).toMatchObject({ state: 'ok', freshness: 'fresh', last_collected: back.at.toISOString() });
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(back.listed.get(source)!));
    expect(said.size).toBeGreaterThan(0);
    expect(line.text).toBe(wordsFor(source, activeIn(said)));
  });
});

describe('the board', () => {
  /** The line in place of the alerts; null if there are alerts. */
  const lineOf = ({ feed, events }: FeedBundle, at: Date) =>
    events.length > 0 ? null : quietLine(feed, { boardStale: false, at, now: at });
  const staleIn = (feed: Feed) => feed.sources.filter(({ freshness }) => freshness === 'stale').length;

  it('shows alerts of every feed in every scene', () => {
    for (const { first, second } of scenes)
      for (const bundle of [...first.feeds, ...second.feeds]) {
        expect(bundle.feed.freshness).toBe('fresh');
        expect(bundle.feed.alert_count).toBeGreaterThan(0);
        expect(lineOf(bundle, second.at)).toBeNull();
        expect(silentSources(bundle.feed)).toEqual([]);
      }
  });

  it('never calls a feed with a silent source calm, and names the silent ones', () => {
    for (const { minutes, look } of dead)
      for (const bundle of look.feeds) {
        const silent = COLLECTORS.filter(({ maxAgeMinutes }) => minutes > maxAgeMinutes).map(
          ({ source }) => source,
        );
        const sources = bundle.feed.sources.map(({ source }) => source);
        expect(silentSources(bundle.feed).map(({ source }) => source)).toEqual(
          sources.filter((source) => silent.includes(source)),
        );
        if (staleIn(bundle.feed) > 0) expect(lineOf(bundle, look.at)?.status).not.toBe('good');
      }
  });

  it('says for every feed since when nothing is known, once all sources are silent', () => {
    const { look } = dead.at(-1)!;
    const since = clock(scenes.at(-1)!.second.at);
    for (const bundle of look.feeds) {
      expect(bundle.feed).toMatchObject({ freshness: 'stale', alert_count: 0 });
      expect(lineOf(bundle, look.at)).toMatchObject({
        status: 'none',
        text: `No recent information since ${since}`,
      });
    }
  });

  it('shows alerts of every feed again, as soon as the upstreams are back', () => {
    for (const bundle of back.feeds) {
      expect(bundle.feed.freshness).toBe('fresh');
      expect(lineOf(bundle, back.at)).toBeNull();
    }
  });

  it('calls a source without a collector not connected, whatever happens to the others', () => {
    const collected = new Set(COLLECTORS.map(({ source }) => source));
    const others = FEEDS.flatMap(({ sources }) => sources).filter((source) => !collected.has(source));
    const looks = [...scenes.map(({ second }) => second), ...dead.map(({ look }) => look), back];
    for (const { sayings } of looks)
      for (const source of others) expect(sayings.get(source)!.line.text).toBe('Not connected');
  });

  it('knows the reason for every end', () => {
    expect(endings.length).toBeGreaterThan(COLLECTORS.length - 1);
    for (const { ended_reason } of endings) expect(ended_reason).toMatch(/^(?:publisher|absent|end_time)$/);
  });
});
