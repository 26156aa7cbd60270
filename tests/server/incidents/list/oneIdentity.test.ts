/** One incident has one id, however many sources report it: a program that applies the log to an old list gets the
 *  new list. */
import { describe, expect, it, vi } from 'vitest';
import type { Change } from '#contract/incidents/changes.ts';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { changesSince } from '../../../../server/db/changeLog.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { countedOnce, incidentsOf } from '../../../../server/incidents/list/duplicates.ts';
import { filtered } from '../../../../server/incidents/list/filteredDisruptions.ts';
import { history } from '../../../../server/feeds/past/pastStore.ts';
import { split, unsplit } from '../../../../server/incidents/merging/mergedIdentity.ts';
import type { Db } from '../../../../server/db/open.ts';
import type { DisruptionQuery } from '../../../../server/incidents/list/disruptionFilter.ts';
import type { Conditions } from '../../../../server/delivery/formats/formatConditions.ts';
import { streams } from '../../../../server/delivery/formats/streams.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { DATABASES, emptyTables, useDatabase } from '../../../support/databases.ts';
import { factsOf } from '../../../support/facts.ts';
import { clock, collect, incident } from '../incidents.ts';
import { amount } from '../../../support/long.ts';

const SOURCES = ['national-highways', 'met-police', 'news-rss.bbc', 'tfl', 'kb-incidents', 'nsi-service'];
const STRETCHES = [
  ['J26', 'J27'],
  ['J26', 'J27'],
  ['J26', 'J28'],
  ['J30', 'J31'],
] as const;
const STEPS = 14;
/** Sequences that run side by side, each on a road of its own: the checks after a step take about as long for all as
 *  for one. */
const ROADS = [
  'M62',
  'M1',
  'M3',
  'M4',
  'M5',
  'M6',
  'M8',
  'M11',
  'M18',
  'M20',
  'M25',
  'M27',
  'M40',
  'M42',
  'M60',
];
/** Further sequences: SEQUENCES=10000 npx vitest run tests/server/incidents/list/oneIdentity.test.ts */
const sequencesOn = (engine: string) =>
  amount('SEQUENCES', { whole: 10_000, part: engine === 'sqlite' ? 30 : 15 });

/** Fields that a program keeps of a list. */
type Known = Pick<ListedDisruption, 'event_id' | 'source' | 'severity' | 'title' | 'end_time'> & {
  phase: string | undefined;
  also: string[];
};
const known = ({ event_id, source, severity, title, end_time, metadata }: ListedDisruption): Known => ({
  event_id,
  source,
  severity,
  title,
  end_time,
  phase: metadata.phase,
  also: (metadata.also_reported_by ?? []).map((one) => `${one.event_id} ${one.severity} ${one.title}`).sort(),
});

/** Applies changes to a list as docs/api.md says. */
async function apply(db: Db, list: Map<string, Known>, changes: readonly Change[]): Promise<void> {
  const now = await filtered(db).some(changes.map(({ event_id, other_id }) => other_id ?? event_id));
  const present = await filtered(db).some(changes.map(({ event_id }) => event_id));
  for (const { kind, event_id, other_id } of changes) {
    list.delete(event_id);
    const id = kind === 'merged' ? other_id! : event_id;
    const incident = now.get(id) ?? present.get(id);
    if (kind !== 'ended' && kind !== 'lost' && incident && !incident.ended_at) list.set(id, known(incident));
  }
}

async function listOf(db: Db): Promise<Map<string, Known>> {
  const { events, total } = await disruptions(db).page({ limit: 200 });
  expect(events).toHaveLength(total);
  return new Map(events.map((event) => [event.event_id, known(event)]));
}

describe.each(DATABASES)('one identity, on $engine', ({ engine, open }) => {
  const database = useDatabase(open);

  it(
    'the changes of any sequence, applied to an old list, give the new list',
    { timeout: 6 * 3_600_000 },
    async () => {
      const { db } = database;
      const seen = { merged: 0, split: 0, compared: 0 };
      const first = Number(process.env['FIRST'] ?? 1);
      for (let seed = first; seed < first + sequencesOn(engine); seed += ROADS.length) {
        await emptyTables(db);
        await sequences(db, seed, seen).catch((error: unknown) => {
          throw new Error(`Sequences from ${seed}`, { cause: error });
        });
      }
      // Without any merge this would prove nothing.
      expect(seen.merged).toBeGreaterThan(sequencesOn(engine) / 2);
      expect(seen.split).toBeGreaterThan(sequencesOn(engine) / 10);
      if (process.env['SEQUENCES']) process.stdout.write(`${engine}: ${JSON.stringify(seen)}\n`);
    },
  );

  it.each(['ended', 'lost'] as const)(
    'an incident that was %s and is back as part of another is logged as that',
    async (over) => {
      const { db } = database;
      const closed = (source: string) =>
        incident({
          event_id: `${source}:1`,
          event_type: 'road.closure',
          title: `${source} says it`,
          start_time: '2026-11-21T11:31:00.000Z',
          facts: factsOf({
            place: 'M62 eastbound, J26 to J27',
            effect: 'closed',
            roads: ['M62'],
            stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
            direction: 'E',
          }),
        });
      await collect(db, '12:05', [closed('tfl')], { source: 'tfl' });
      if (over === 'ended') await collect(db, '12:10', [], { source: 'tfl' });
      else await disruptions(db).expire({ source: 'tfl', now: clock('12:10'), maxAgeMinutes: 4 });
      await collect(db, '12:15', [closed('national-highways')], { source: 'national-highways' });
      const { batch } = await changesSince(db, undefined, 1);
      await collect(db, '12:20', [closed('tfl')], { source: 'tfl' });
      const { changes } = await changesSince(db, batch, 10);
      expect(changes.map(({ kind, event_id, other_id }) => [kind, event_id, other_id])).toEqual([
        ['merged', 'tfl:1', 'national-highways:1'],
        ['changed', 'national-highways:1', null],
      ]);
      expect((await disruptions(db).page({ state: 'ended', limit: 200 })).events).toEqual([]);
    },
  );

  /** One sequence for each road, beginning with this seed. */
  async function sequences(
    db: Db,
    seed: number,
    seen: { merged: number; split: number; compared: number },
  ): Promise<void> {
    const random = randomFrom(-seed);
    const pick = pickBy(random);
    const roads = ROADS.map((road, at) => oneRoad(road, seed + at));
    const list = new Map<string, Known>();
    /** The log is read late: only now and then. */
    const late = { list: new Map<string, Known>(), batch: 0 };
    let batch = 0;
    const past: { at: Date; ids: string[] }[] = [];
    const streamed = await openStreams(db);
    const cuts = randomFrom(-seed - ROADS.length);

    /** A write is lost half-way from time to time. */
    async function maybeKilled(write: (to: Db) => Promise<unknown>): Promise<void> {
      const isKilled = random() < 0.1;
      await write(isKilled ? killed(db) : db).catch((error: unknown) => {
        if (!isKilled || (error as Error).message !== KILLED) throw error;
      });
    }

    for (let step = 0; step < STEPS; step++) {
      const time = `12:${String(5 + step * 3).padStart(2, '0')}`;
      const at = clock(time);
      // There are few at a time, so that the others grow old.
      const polled = [pick(SOURCES), pick(SOURCES)];
      const acts = roads.map((road) => road.act(polled));
      for (const { ids, act } of acts.flatMap((one) => one ?? []))
        await maybeKilled((to) => to.transaction().execute(async (trx) => void (await act(trx, ids, at))));
      const what = random();
      const source = pick(SOURCES);
      if (what < 0.3)
        await maybeKilled((to) => disruptions(to).expire({ source, now: at, maxAgeMinutes: pick([5, 60]) }));
      else if (what < 0.5) await maybeKilled((to) => disruptions(to).begin({ source, now: at }));
      for (const one of new Set(polled)) {
        const records = roads.flatMap((road) => road.published(one));
        await maybeKilled((to) => collect(to, time, records, { source: one }));
      }

      const { changes, batch: newest, complete } = await changesSince(db, batch, 1000);
      expect(complete).toBe(true);
      batch = newest;
      seen.merged += changes.filter(({ kind }) => kind === 'merged').length;
      seen.split += changes.filter(({ kind }) => kind === 'split').length;
      await apply(db, list, changes);
      const now = await listOf(db);
      expect(sorted(list), `${seed} ${step}`).toEqual(sorted(now));
      seen.compared += ROADS.length;
      // The log alone gives the grade.
      for (const { kind, event_id, other_id, severity_to } of lastOf(changes)) {
        const id = kind === 'merged' ? other_id! : event_id;
        if (now.has(id) && !['ended', 'lost'].includes(kind)) expect(severity_to).toBe(now.get(id)!.severity);
      }
      if (random() < 0.3) await othersAgree(db, now);
      if (random() < 0.25) await readLate(db, late, now);
      await streamed.agree(cuts);
      past.push({ at, ids: [...now.keys()].sort() });
    }
    await readLate(db, late, await listOf(db));
    streamed.close();
    // The id of any report leads to an incident, which has its own id.
    const { events } = { events: await db.selectFrom('disruptions').select('event_id').execute() };
    const ids = await incidentsOf(
      db,
      events.map(({ event_id }) => event_id),
    );
    expect([...ids.values()].filter((id) => ids.has(id))).toEqual([]);
    // The past is as it was.
    for (const { at, ids: then } of past.slice(-4)) {
      const merged = new Map((await history(db).mergedAt(at)).map((row) => [row.event_id, row.incident_id]));
      const inForce = (await history(db).inForceAt(at)).filter(({ kind }) => kind === 'alert');
      expect(inForce.flatMap(({ event_id }) => (merged.has(event_id) ? [] : event_id)).sort()).toEqual(then);
    }
  }
});

/** Reports of one road, one step after the other. */
function oneRoad(road: string, seed: number) {
  const random = randomFrom(seed);
  const pick = pickBy(random);
  const published = new Map<string, DisruptionRecord[]>();

  const idOf = (source: string, n: number) => `${source}:${road}-${n}`;

  const record = (source: string, n: number): DisruptionRecord => {
    const [from, to] = pick(STRETCHES);
    const isOperator = source === 'nsi-service' && random() < 0.7;
    const named = isOperator ? pick([[1], [1, 2], [2]]).map((n) => `${road}-${n}`) : [];
    return incident({
      event_id: idOf(source, n),
      event_type: isOperator ? 'rail.operator_status' : 'road.closure',
      title: `${source} ${road} ${n} ${pick(['a', 'b'])}`,
      severity: pick(Severity.options),
      phase: random() < 0.15 ? 'planned' : 'active',
      start_time: pick(['2026-11-21T11:31:00.000Z', '2026-11-21T11:43:00.000Z', '2026-11-21T12:20:00.000Z']),
      end_time: random() < 0.15 ? '2026-11-21T12:40:00.000Z' : null,
      ...(isOperator
        ? {
            kind: random() < 0.2 ? ('status' as const) : ('alert' as const),
            metadata: {
              related_event_ids: named.map((id) => `kb-incidents:${id}`),
              nsi: {
                toc_code: 'SW',
                toc_name: 'SW',
                status: 'Minor delays',
                service_groups: named.map((current_disruption) => ({ current_disruption })),
              },
            },
          }
        : {
            facts: factsOf({
              place: `${road} eastbound, ${from} to ${to}`,
              effect: 'closed',
              roads: [road],
              stretch: [{ road, from, to }],
              direction: 'E',
            }),
          }),
    });
  };

  return {
    /** The two reports that people split or merge in this step; otherwise one of these sources publishes something
     *  new. */
    act(sources: readonly string[]): { ids: [string, string]; act: typeof split | typeof unsplit } | null {
      const source = pick(sources);
      if (random() < 0.15) {
        const [one, other] = [idOf(pick(SOURCES), 1), idOf(pick(SOURCES), pick([1, 2]))];
        return one === other ? null : { ids: [one, other], act: random() < 0.6 ? split : unsplit };
      }
      const kept = (published.get(source) ?? [])
        .filter(() => random() < 0.7)
        .map((one) => (random() < 0.5 ? one : record(source, one.event_id.endsWith('-1') ? 1 : 2)));
      const free = [1, 2].filter((n) => !kept.some(({ event_id }) => event_id === idOf(source, n)));
      published.set(source, [...kept, ...free.filter(() => random() < 0.5).map((n) => record(source, n))]);
      return null;
    },
    published: (source: string) => published.get(source) ?? [],
  };
}

const sorted = (list: ReadonlyMap<string, Known>) =>
  [...list.values()].sort((one, other) => (one.event_id < other.event_id ? -1 : 1));

const lastOf = (changes: readonly Change[]) => [
  ...new Map(
    changes.map((change) => [change.kind === 'merged' ? change.other_id : change.event_id, change]),
  ).values(),
];

async function readLate(
  db: Db,
  late: { list: Map<string, Known>; batch: number },
  now: ReadonlyMap<string, Known>,
) {
  const { changes, batch } = await changesSince(db, late.batch, 1000);
  late.batch = batch;
  await apply(db, late.list, changes);
  expect(sorted(late.list)).toEqual(sorted(now));
}

const FILTERS: readonly (Conditions & DisruptionQuery)[] = [
  {},
  { q: ' a' },
  { source: 'tfl' },
  { feed: 'roads-uk' },
  { road: 'M62' },
  { event_type: 'rail.operator_status' },
  { min_severity: 'high' },
  { severity: ['medium', 'low'] },
  { state: 'planned' },
  { phase: 'active' },
  { state: 'ended' },
  { state: 'ended', min_severity: 'high', road: 'M62' },
];

/** Streams of some filters, each with the list that a program keeps of it, as docs/api.md says. */
async function openStreams(db: Db) {
  const open = streams({ db, config: { teams: 'one' }, collectors: [], now: () => clock('12:00') });
  let caller = 0;
  async function read(query: Conditions & DisruptionQuery, list: Map<string, string>, last: string | null) {
    const closing: (() => void)[] = [];
    let isClosed = false;
    const one = {
      last,
      close() {
        isClosed = true;
        closing.forEach((over) => over());
      },
    };
    const sse = {
      isConnected: true,
      lastEventId: last,
      keepAlive() {},
      onClose: (over: () => void) => void closing.push(over),
      close() {},
      async send({ id, event, data }: { id?: string; event: string; data: string }) {
        // A write to an ended connection reaches nobody.
        if (isClosed) return;
        one.last = id ?? one.last;
        if (!event.startsWith('disruption.')) return;
        const { event_id, in_filter, disruption } = JSON.parse(data) as StreamedChange;
        list.delete(event_id);
        if (disruption) list.delete(disruption.event_id);
        if (in_filter && disruption) list.set(disruption.event_id, toText(disruption));
      },
    };
    await open.open({ sse } as never, {
      caller: `user:${++caller}`,
      teamId: 'everyone',
      mayStill: async () => true,
      conditions: query,
      asked: { query, whenever: query, when: null, watchingChangesAt: null, near: null, sources: [] },
    });
    return one;
  }
  const toText = (one: ListedDisruption) => JSON.stringify(known(one));
  const all = await Promise.all(
    FILTERS.map(async (query) => {
      const list = new Map<string, string>();
      return { query, list, stream: await read(query, list, null) };
    }),
  );
  return {
    /** Some streams are cut off before they have the last changes, and begin again at the same place. */
    async agree(random: () => number): Promise<void> {
      const cut = all.filter(() => random() < 0.2);
      for (const one of cut) one.stream.close();
      // After a look has ended, everybody has been sent everything.
      (await read({ source: 'none' }, new Map(), null)).close();
      for (const one of cut) one.stream = await read(one.query, one.list, one.stream.last);
      for (const { query, list } of all) {
        const { events } = await disruptions(db).page({ ...query, limit: 200 });
        // Every ended incident is listed, until its age takes it out, or until its operator runs again: what an
        // operator says is at times over before it was an incident.
        const isOfEnded = query.state === 'ended';
        const now = events
          .filter(({ source }) => !isOfEnded || source !== 'nsi-service')
          .map(toText)
          .sort();
        const isAllThere = isOfEnded ? expect.arrayContaining(now) : now;
        await vi.waitFor(() => expect([...list.values()].sort(), JSON.stringify(query)).toEqual(isAllThere), {
          interval: 1,
          timeout: 20_000,
        });
      }
    },
    close: () => all.forEach(({ stream }) => stream.close()),
  };
}
interface StreamedChange {
  event_id: string;
  in_filter: boolean;
  disruption: ListedDisruption | null;
}

/** The board, its counts, filters and the matcher know the same incidents. */
async function othersAgree(db: Db, list: ReadonlyMap<string, Known>): Promise<void> {
  const { events, alert_count } = await disruptions(db).alertsOf(SOURCES, 200);
  expect(sorted(new Map(events.map((event) => [event.event_id, known(event)])))).toEqual(sorted(list));
  const active = [...list.values()].filter(({ phase }) => phase === 'active');
  expect(alert_count).toBe(active.length);
  const counted = countedOnce(await disruptions(db).counts(), await disruptions(db).duplicates(SOURCES));
  for (const severity of Severity.options) {
    const sum = counted.filter((one) => one.severity === severity).reduce((all, { count }) => all + count, 0);
    expect(sum).toBe(active.filter((one) => one.severity === severity).length);
    const { events } = await disruptions(db).page({ severity: [severity], limit: 200 });
    expect(events.map(({ event_id }) => event_id).sort()).toEqual(
      sorted(list).flatMap((one) => (one.severity === severity ? one.event_id : [])),
    );
  }
  expect((await filtered(db).allMatching({})).sort()).toEqual(sorted(list).map(({ event_id }) => event_id));
  const newest = await filtered(db).newest({}, clock('23:00'), 200);
  expect(sorted(new Map(newest.map(({ incident }) => [incident.event_id, known(incident)])))).toEqual(
    sorted(list),
  );
}

/** A database whose transactions fail when they write the log: everything that they have done must be undone. */
const killed = (db: Db): Db =>
  db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'changes')
        throw new Error(KILLED);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
const KILLED = 'The process was killed';

const pickBy =
  (random: () => number) =>
  <T>(all: readonly T[]): T =>
    all[Math.floor(random() * all.length)]!;

/** Random numbers, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
