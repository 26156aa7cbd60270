/**
 * Keeps the stored matches up to date: which incidents and events touch which route or area. It reads the change log
 * from its cursor, compares the changes in a thread of its own, and stores the results in one transaction with the
 * cursor. If several nodes use one database, the one with the lease does this; it keeps routes and incidents in
 * memory as long as there are routes.
 */
import type { MatchEnd } from '#contract/watches/watches.ts';
import { chunks } from '../../db/batches.ts';
import { changesSince } from '../../db/changeLog.ts';
import { cursors } from '../../db/cursors.ts';
import {
  cursorLease,
  type CursorWorker,
  startCursorWorker,
  type WorkerParts,
} from '../../db/cursorWorker.ts';
import { demotions } from './demotionStore.ts';
import type { Instant } from '../../db/instant.ts';
import {
  alertsAfter,
  alertsById,
  crowds,
  endKinds,
  hasWatches,
  matcherRevisions,
  mergedInto,
  ownRevs,
  watchesById,
  watchRevs,
} from './matchInput.ts';
import { type FoundMatch, MATCHER, matches, noteMatched } from './matchStore.ts';
import { type Said, saidSince } from './notOurs.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Demoted } from './demotedMatch.ts';
import { matchingThread, type MatchingThread } from './matchingThread.ts';

/** Other nodes store changes too; changes of this node are reported at once. */
export const LOOK_EVERY_MS = 5000;
/** The wait after a failure. Then everything is read again. */
export const RETRY_MS = 30_000;
const LEASE_MS = 20_000;
/** As time passes, further events come into the span that is matched. */
const CROWDS_EVERY_MS = 60 * 60_000;
/** Events that are further ahead are not yet listed. */
const CROWDS_AHEAD_MS = 14 * 24 * 60 * 60_000;

const CHANGES_AT_ONCE = 500;
const INCIDENTS_READ = 200;
const WATCHES_READ = 50;
/** One step of the thread takes about 20 ms, so that other work has its turn on a small machine. */
const WATCHES_PER_STEP = 10;
const INCIDENTS_PER_STEP = 8;

interface MatchingParts extends WorkerParts {
  open?: () => MatchingThread;
}

/** The state of the thread, and how far it has read. */
interface Memory {
  thread: MatchingThread;
  batch: number;
  revs: Map<string, number>;
  merged: Map<string, string>;
  /** The teams' own reports, with their revision. */
  own: Map<string, number>;
  /** The time of the last verdict "Not on our route" that was read. */
  said: Said;
  demoted: Demoted;
  crowdIds: Set<string>;
  crowdsReadAt: number;
  /** Watches with more matches than their team may store. */
  cut: Set<string>;
  seen: Awaited<ReturnType<typeof matcherRevisions>>;
}

export function startMatching({ open = matchingThread, ...parts }: MatchingParts): CursorWorker {
  const { db, now, log } = parts;
  const lease = cursorLease(parts, MATCHER, LEASE_MS);
  let memory: Memory | null = null;

  async function forget(): Promise<void> {
    const { thread } = memory ?? {};
    memory = null;
    await thread?.close();
  }

  async function look(): Promise<void> {
    const seen = await matcherRevisions(db);
    if (!memory && !(await hasWatches(db))) return;
    if (!(await lease.keep())) return forget();
    if (!memory) return begin(seen);
    if (!(await follow(memory, seen))) {
      await forget();
      return look();
    }
    if (memory.revs.size === 0) await rest();
  }

  /** Stops the thread when nothing is watched any more. */
  async function rest(): Promise<void> {
    await forget();
    await lease.drop();
  }

  /** Compares everything with everything, a few routes at a time. */
  async function begin(seen: Memory['seen']): Promise<void> {
    // Read before the incidents: a change between the two is matched again.
    const { batch } = await changesSince(db, undefined, 1);
    const begun: Memory = {
      thread: open(),
      batch,
      revs: new Map(),
      merged: new Map(),
      own: await ownRevs(db),
      said: (await saidSince(db, { at: '', count: 0 })).last,
      demoted: await demotions(db).all(),
      crowdIds: new Set(),
      crowdsReadAt: 0,
      cut: new Set(),
      seen: { ...seen, watches: -1, events: -1 },
    };
    memory = begun;
    await begun.thread.ask({ kind: 'demoted', sources: begun.demoted });
    await readMerged(begun);
    for (let after = ''; ;) {
      const put = await alertsAfter(db, after, INCIDENTS_READ);
      await begun.thread.ask({ kind: 'incidents', put, drop: [] });
      if (put.length < INCIDENTS_READ) break;
      after = put.at(-1)!.event_id;
    }
    const own = await alertsById(db, [...begun.own.keys()]);
    await begun.thread.ask({ kind: 'incidents', put: own, drop: [] });
    await readCrowds(begun);
    await readWatches(begun, batch);
    await store(batch, async () => {});
    begun.seen = seen;
  }

  /** False: the log does not reach back far enough, or other sources count as certain now. */
  async function follow(known: Memory, seen: Memory['seen']): Promise<boolean> {
    const demoted = seen.watches === known.seen.watches ? known.demoted : await demotions(db).all();
    const changed = otherwiseDemoted(known.demoted, demoted);
    if (changed.includes(null)) return false;
    for (;;) {
      const list = await changesSince(db, known.batch, CHANGES_AT_ONCE);
      if (!list.complete) return false;
      const before = known.merged;
      if (seen.feeds !== known.seen.feeds) await readMerged(known);
      const touched = withTwins(
        list.changes.map(({ event_id }) => event_id),
        before,
        known.merged,
      );
      if (touched.length > 0 || list.batch !== known.batch) await matchIncidents(known, touched, list.batch);
      known.batch = list.batch;
      if (list.changes.length === 0) break;
    }
    const isHourOver = now().getTime() - known.crowdsReadAt >= CROWDS_EVERY_MS;
    if (seen.events !== known.seen.events || isHourOver) {
      await readCrowds(known);
      await matchEvents(known);
    }
    // Ended matches have made room.
    if (isHourOver && known.cut.size > 0) {
      matchAgain(known);
      await readWatches(known, known.batch);
    }
    if (seen.responses !== known.seen.responses) await readOwn(known);
    if (seen.watches !== known.seen.watches) {
      await readSaid(known);
      await readWatches(known, known.batch);
      if (changed.length > 0) await readDemoted(known, demoted, changed);
    }
    known.seen = seen;
    return true;
  }

  function matchAgain(known: Memory): void {
    for (const id of known.cut) known.revs.delete(id);
    known.cut.clear();
  }

  /** Reads the teams' own reports, which are in no log that others read. */
  async function readOwn(known: Memory): Promise<void> {
    const own = await ownRevs(db);
    const touched = [...new Set([...own.keys(), ...known.own.keys()])].filter(
      (id) => own.get(id) !== known.own.get(id),
    );
    if (touched.length > 0) await matchIncidents(known, touched, known.batch);
    known.own = own;
  }

  /** Reads the verdicts "Not on our route", and the ones that were taken back. */
  async function readSaid(known: Memory): Promise<void> {
    const { subjectIds, last } = await saidSince(db, known.said);
    known.said = last;
    if (subjectIds.length === 0) return;
    await matchIncidents(known, withTwins(subjectIds, known.merged, known.merged), known.batch);
  }

  /** If the demotions of one team changed, the routes of that team alone are matched again. */
  async function readDemoted(
    known: Memory,
    demoted: Demoted,
    changed: readonly (string | null)[],
  ): Promise<void> {
    await known.thread.ask({ kind: 'demoted', sources: demoted });
    known.demoted = demoted;
    const own = (await watchRevs(db)).filter(({ team_id }) => changed.includes(team_id)).map(({ id }) => id);
    for (const ids of chunks(own, WATCHES_READ)) await matchWatches(known, ids, known.batch);
  }

  async function readMerged(known: Memory): Promise<void> {
    known.merged = await mergedInto(db);
    await known.thread.ask({ kind: 'merged', into: known.merged });
  }

  async function matchIncidents(known: Memory, touched: readonly string[], batch: number): Promise<void> {
    const put = await alertsById(db, touched);
    const isThere = new Set(put.map(({ event_id }) => event_id));
    await known.thread.ask({ kind: 'incidents', put, drop: touched.filter((id) => !isThere.has(id)) });
    const found: FoundMatch[] = [];
    for (const ids of togetherBySubject([...isThere], known.merged)) {
      found.push(...(await known.thread.ask({ kind: 'matchIncidents', ids })).found);
    }
    const kinds = await endKinds(db, touched);
    await store(batch, async (trx, at) => {
      const endKind = ({ subject_id }: RowOf<'matches'>): MatchEnd =>
        kinds.get(subject_id) ?? (known.merged.has(subject_id) ? 'ended' : 'moved');
      const cut = await matches(trx).settle({ subject: 'disruption', subjectIds: touched }, found, {
        at,
        batch,
        endKind,
      });
      for (const id of cut) known.cut.add(id);
    });
  }

  /** Reads the watches that were made, edited or deleted since the last reading. */
  async function readWatches(known: Memory, batch: number): Promise<void> {
    const all = await watchRevs(db);
    const there = new Set(all.map(({ id }) => id));
    const gone = [...known.revs.keys()].filter((id) => !there.has(id));
    if (gone.length > 0) {
      await known.thread.ask({ kind: 'watches', put: [], drop: gone });
      await settleWatches(known, gone, [], batch, () => 'edited');
      for (const id of gone) known.revs.delete(id);
      matchAgain(known);
    }
    const edited = all.filter(({ id, rev }) => known.revs.get(id) !== rev).map(({ id }) => id);
    for (const ids of chunks(edited, WATCHES_READ)) await matchWatches(known, ids, batch);
  }

  async function matchWatches(known: Memory, ids: readonly string[], batch: number): Promise<void> {
    const rows = await watchesById(db, ids);
    const { faults } = await known.thread.ask({ kind: 'watches', put: rows, drop: [] });
    // The message of the fault is left out: it would name roads of the route, which only the team may know.
    for (const { id } of faults) log.error({ watch: id }, 'Could not read a route');
    for (const { id, rev } of rows) known.revs.set(id, rev);
    // Unreadable routes keep their matches, and count as not yet matched.
    const read = rows.filter(({ id }) => !faults.some((fault) => fault.id === id));
    const found: FoundMatch[] = [];
    for (const some of chunks(read, WATCHES_PER_STEP)) {
      for (const kind of ['matchWatches', 'matchEvents'] as const) {
        found.push(...(await known.thread.ask({ kind, ids: some.map(({ id }) => id) })).found);
      }
    }
    const readIds = read.map(({ id }) => id);
    const standing = await matches(db).inForce(readIds);
    const incidents = standing.filter(({ subject }) => subject === 'disruption');
    const kinds = await endKinds(db, [...new Set(incidents.map(({ subject_id }) => subject_id))]);
    const edited = new Set(read.filter(({ rev, matched_rev }) => matched_rev < rev).map(({ id }) => id));
    const endKind = ({ subject, subject_id, watch_id }: RowOf<'matches'>): MatchEnd => {
      const isOver = subject === 'event' ? !known.crowdIds.has(subject_id) : known.merged.has(subject_id);
      if (isOver) return 'ended';
      return kinds.get(subject_id) ?? (edited.has(watch_id) ? 'edited' : 'moved');
    };
    await settleWatches(known, readIds, found, batch, endKind, read);
  }

  async function settleWatches(
    known: Memory,
    watchIds: readonly string[],
    found: readonly FoundMatch[],
    batch: number,
    endKind: (match: RowOf<'matches'>) => MatchEnd,
    matched: readonly { id: string; rev: number }[] = [],
  ): Promise<void> {
    await store(null, async (trx, at) => {
      for (const subject of ['disruption', 'event'] as const) {
        const own = found.filter((match) => match.subject === subject);
        const cut = await matches(trx).settle({ subject, watchIds }, own, { at, batch, endKind });
        for (const id of cut) known.cut.add(id);
      }
      await noteMatched(
        trx,
        matched.filter(({ id }) => !known.cut.has(id)),
      );
    });
  }

  async function readCrowds(known: Memory): Promise<void> {
    const at = now();
    const all = await crowds(db, at, new Date(at.getTime() + CROWDS_AHEAD_MS));
    known.crowdIds = new Set(all.map(({ performance_id }) => performance_id));
    known.crowdsReadAt = at.getTime();
    await known.thread.ask({ kind: 'crowds', all });
  }

  async function matchEvents(known: Memory): Promise<void> {
    for (const watchIds of chunks([...known.revs.keys()], WATCHES_READ)) {
      const { found } = await known.thread.ask({ kind: 'matchEvents', ids: watchIds });
      await store(null, async (trx, at) => {
        const endKind = ({ subject_id }: RowOf<'matches'>) =>
          known.crowdIds.has(subject_id) ? 'moved' : 'ended';
        const settled = { at, batch: known.batch, endKind };
        const cut = await matches(trx).settle({ subject: 'event', watchIds }, found, settled);
        for (const id of cut) known.cut.add(id);
      });
    }
  }

  /** Writes in one transaction, in which no other node can take the lease. `batch`: the new position of the cursor. */
  async function store(batch: number | null, write: (trx: Db, at: Instant) => Promise<void>): Promise<void> {
    await lease.store(async (trx) => {
      await write(trx, now());
      if (batch !== null) await cursors(trx).move(MATCHER, batch);
    });
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: LOOK_EVERY_MS,
    retryMs: RETRY_MS,
    look,
    failure: 'Could not match incidents to routes',
    onBroken: forget,
    onStop: forget,
  });
}

/** The teams whose demoted sources differ; null: those for all teams. */
function otherwiseDemoted(before: Demoted, after: Demoted): (string | null)[] {
  const sources = (demoted: Demoted, team: string | null) => [...(demoted.get(team) ?? [])].toSorted().join();
  const teams = new Set([...before.keys(), ...after.keys()]);
  return [...teams].filter((team) => sources(before, team) !== sources(after, team));
}

/** The ids with all reports of the same incidents, as they were grouped before and as they are now. */
function withTwins(
  ids: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const touched = new Set(ids);
  if (before !== after) {
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(id) !== after.get(id)) touched.add(id);
    }
  }
  const groups = [before, after];
  const subjects = new Set(
    [...touched].flatMap((id) => [id, ...groups.flatMap((into) => into.get(id) ?? [])]),
  );
  for (const into of groups) {
    for (const [id, subject] of into) if (subjects.has(subject)) touched.add(id);
  }
  return [...new Set([...touched, ...subjects])];
}

/** The ids, a few at a time. Reports of one incident stay together, because the best one of them counts. */
function* togetherBySubject(ids: readonly string[], into: ReadonlyMap<string, string>): Generator<string[]> {
  let some: string[] = [];
  for (const group of Map.groupBy(ids, (id) => into.get(id) ?? id).values()) {
    some.push(...group);
    if (some.length < INCIDENTS_PER_STEP) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
