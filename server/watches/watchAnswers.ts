/** A team's routes with their matches, as answered: the list is made once for each change; a single route is made
 *  when it is asked for. */
import { setImmediate } from 'node:timers/promises';
import type { Disruption, Source } from '#contract/incidents/disruptions.ts';
import { type BriefMatch, type Match, WatchList } from '#contract/watches/watches.ts';
import { collections } from '../incidents/collectionState.ts';
import { cursors } from '../db/cursors.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { events } from '../geography/events/events.ts';
import { ownReports } from '../shift/ownReports.ts';
import { MATCHER, matches } from './matching/matchStore.ts';
import type { Db } from '../db/open.ts';
import { EVENTS_REVISION, revision, WATCHES_REVISION } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';
import { standingAlerts } from '../incidents/list/standingAlerts.ts';
import { type BriefWatch, type KeptWatch, watches } from './watchStore.ts';
import type { Collector } from '../incidents/collector.ts';
import { type Answer, answerOfBytes } from '../http/answers/readyAnswers.ts';
import { keptAnswers } from '../http/answers/latestAnswers.ts';
import { type Condition, conditionsAt, soonest, toSource } from '../feeds/sourceCondition.ts';
import { letThrough, type Through } from './alertsLetThrough.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

export interface WatchAnswers {
  /** All of the team, or the ones with these ids: made in advance, and the same bytes until something changes. */
  list(teamId: string, ids?: readonly string[]): Promise<Answer>;
}

export function watchAnswers(parts: Parts): WatchAnswers {
  const { db, now } = parts;
  const kept = keptAnswers<{ teamId: string; ids?: readonly string[] }>(
    { now, revision: () => revisionOf(db) },
    async ({ teamId, ids }, at) => {
      const { list, nextChangeAt } = await watchList(parts, teamId, ids, at);
      return { answer: answerOfBytes(Buffer.from(JSON.stringify(list)), { isQuick: true }), nextChangeAt };
    },
  );
  return { list: (teamId, ids) => kept({ teamId, ...(ids && { ids }) }) };
}

/** The answer of `WatchAnswers.list` for readers in this process. `nextChangeAt`: the time in ms since 1970 at which
 *  it changes without a new event; null: never. */
export async function watchList(
  parts: Omit<Parts, 'now'>,
  teamId: string,
  ids: readonly string[] | undefined,
  at: Date,
): Promise<{ list: WatchList; nextChangeAt: number | null }> {
  const { db } = parts;
  const own = await watches(db).brief(teamId, ids);
  const inForce = await matches(db).inForce(own.map(({ id }) => id));
  // Lines and areas are long, and a list has none.
  const { incidents, happenings } = await subjectsOf(db, inForce, (those) => disruptions(db).standing(those));
  const byWatch = Map.groupBy(inForce, ({ watch_id }) => watch_id);
  const { sources, nextChangeAt, disconnected } = await sourcesFor(parts, own, at);
  const standing = own.some(({ kind }) => kind === 'feeds') ? await standingAlerts(db) : new Map();
  // Two hundred areas take 40 ms to read, and as long to check: between the two, other work has its turn.
  await setImmediate();
  const listed = own.map((watch) => ({
    ...watch,
    ...letThrough(watch, {
      touching: byWatch.get(watch.id) ?? [],
      incidents,
      happenings,
      standing,
      disconnected,
    }),
  }));
  const shown = new Set(listed.flatMap((watch) => watch.matches.map(({ subject_id }) => subject_id)));
  const list: WatchList = WatchList.parse({
    watches: listed.map((watch) => ({ ...watch, matches: watch.matches.map(toBrief) })),
    total: own.length,
    incidents: [...new Map([...standing, ...incidents]).values()].filter(({ event_id }) =>
      shown.has(event_id),
    ),
    events: [...happenings.values()],
    sources,
    behind_since: await watches(db).behindSince(teamId),
    unplaced: own.some(({ kind }) => kind === 'area') ? await unplacedCount(db) : 0,
  });
  return { list, nextChangeAt };
}

/**
 * Incidents in force that no area can be compared with, because neither their publisher nor their words give a place.
 */
export const unplacedCount = (db: Db): Promise<number> => disruptions(db).totalWithoutPosition({});

/** A number that rises whenever a list can differ. */
async function revisionOf(db: Db): Promise<number> {
  const names = [WATCHES_REVISION, 'feeds', EVENTS_REVISION, 'changes'];
  const values = await Promise.all(names.map((name) => revision(db, name)));
  return values.reduce((sum, value) => sum + value, await cursors(db).batch(MATCHER));
}

/** The incidents in force and the stored events of these matches. */
async function subjectsOf<One extends Disruption>(
  db: Db,
  all: readonly RowOf<'matches'>[],
  read: (ids: readonly string[]) => Promise<One[]>,
) {
  const idsOf = (subject: RowOf<'matches'>['subject']) => [
    ...new Set(all.filter((match) => match.subject === subject).map(({ subject_id }) => subject_id)),
  ];
  const ids = idsOf('disruption');
  const incidents = [...(await read(ids)), ...(await ownReports(db).some(ids))];
  const happenings = await events(db).performances(idsOf('event'));
  return {
    incidents: byId(incidents),
    happenings: new Map(happenings.map((event) => [event.performance_id, event])),
  };
}

/** Sources that were ever collected. */
const disconnectedAmong = (
  rows: readonly { source: string }[],
  conditionOf: (source: string) => Condition,
): ReadonlySet<string> =>
  new Set(
    rows.map(({ source }) => source).filter((source) => conditionOf(source).state === 'not_configured'),
  );

const byId = <One extends Disruption>(all: readonly One[]) =>
  new Map<string, One>(all.map((one) => [one.event_id, one]));

/** All sources that these watches name. */
export async function sourcesFor(
  { db, collectors }: Omit<Parts, 'now'>,
  named: readonly Pick<KeptWatch, 'sources'>[],
  at: Date,
): Promise<{ sources: Source[]; nextChangeAt: number | null; disconnected: ReadonlySet<string> }> {
  const rows = await collections(db).all();
  const conditionOf = conditionsAt(rows, collectors, at);
  const counts = await disruptions(db).counts();
  const conditions = [...new Set(named.flatMap(({ sources }) => sources))].map(conditionOf);
  return {
    sources: conditions.map((condition) =>
      toSource(
        condition,
        counts
          .filter(({ source }) => source === condition.source)
          .reduce((total, { count }) => total + count, 0),
      ),
    ),
    nextChangeAt: soonest(conditions.map(({ nextChangeAt }) => nextChangeAt)),
    disconnected: disconnectedAmong(rows, conditionOf),
  };
}

type Kept = Omit<Match, 'disruption' | 'event' | 'reached'>;

export const toBrief = ({ subject, subject_id, level, why, from_km, to_km }: Kept): BriefMatch => ({
  subject,
  subject_id,
  level,
  why,
  from_km,
  to_km,
});

/** The alerts that this route, area or feeds let through now, in full: by kilometre, and alerts without a kilometre
 *  last; for feeds the worst first. The caller checks whether it is watched at that time. */
export async function throughNow(
  parts: Parts,
  watch: BriefWatch,
  at: Date,
): Promise<Pick<Through<Match>, 'matches' | 'beyond' | 'left_out'> & { sources: Source[] }> {
  const { db } = parts;
  const touching = await matches(db).inForce([watch.id]);
  const { incidents, happenings } = await subjectsOf(db, touching, (ids) => disruptions(db).withShapes(ids));
  const { sources, disconnected } = await sourcesFor(parts, [watch], at);
  const standing = watch.kind === 'feeds' ? await standingAlerts(db) : new Map();
  const through = letThrough(watch, { touching, incidents, happenings, standing, disconnected });
  const shaped =
    watch.kind === 'feeds'
      ? byId(await disruptions(db).withShapes(through.matches.map(({ subject_id }) => subject_id)))
      : incidents;
  const inOrder = watch.kind === 'feeds' ? through.matches : through.matches.toSorted(byKilometre);
  return {
    ...through,
    sources,
    matches: inOrder.flatMap((match): Match[] => {
      const common = { ...toBrief(match), began_at: match.began_at, off_m: match.off_m };
      const event = happenings.get(match.subject_id);
      if (match.subject === 'event') return event ? [{ ...common, event }] : [];
      const disruption = shaped.get(match.subject_id);
      return disruption ? [{ ...common, disruption }] : [];
    }),
  };
}

const byKilometre = (one: Kept, other: Kept) =>
  (one.from_km ?? Infinity) - (other.from_km ?? Infinity) || (one.subject_id < other.subject_id ? -1 : 1);
