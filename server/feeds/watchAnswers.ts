/** What touches the routes of a team, as it is answered: the list built once a change, and single ones. */
import type { Source } from '#contract/disruptions.ts';
import { type BriefMatch, type Match, WatchList } from '#contract/watches.ts';
import { collections } from '../db/collections.ts';
import { cursors } from '../db/cursors.ts';
import { disruptions } from '../db/disruptions.ts';
import { events } from '../db/events.ts';
import { ownReports } from '../db/ownReports.ts';
import { MATCHER, matches, WATCHES_REVISION } from '../db/matches.ts';
import type { Db } from '../db/open.ts';
import { EVENTS_REVISION, revision } from '../db/revisions.ts';
import type { MatchesTable } from '../db/schema.ts';
import { inOrder, type KeptWatch, watches } from '../db/watches.ts';
import type { Collector } from '../incidents/collector.ts';
import { type Answer, answerOfBytes } from '../http/answers.ts';
import { keptAnswers } from '../http/keptAnswers.ts';
import { conditionsAt, soonest, toSource } from './freshness.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

export interface WatchAnswers {
  /** All of the team, or those of these ids: ready, and the same bytes until something changes. */
  list(teamId: string, ids?: readonly string[]): Promise<Answer>;
}

export function watchAnswers(parts: Parts): WatchAnswers {
  const { db, now } = parts;
  const kept = keptAnswers<{ teamId: string; ids?: readonly string[] }>(
    { now, revision: () => revisionOf(db) },
    async ({ teamId, ids }, at) => {
      const own = ids ? await watches(db).some(teamId, ids) : await watches(db).ofTeam(teamId);
      const inForce = await matches(db).inForce(own.map(({ id }) => id));
      const { incidents, happenings } = await subjectsOf(db, inForce);
      const known = inForce.filter(({ subject, subject_id }) =>
        (subject === 'event' ? happenings : incidents).has(subject_id),
      );
      const byWatch = Map.groupBy(known, ({ watch_id }) => watch_id);
      const { sources, nextChangeAt } = await sourcesFor(parts, own, at);
      const list: WatchList = WatchList.parse({
        watches: own.map(({ legs: _, geometry: __, ...watch }) => ({
          ...watch,
          matches: inOrder(byWatch.get(watch.id) ?? []).map(toBrief),
        })),
        total: own.length,
        incidents: [...incidents.values()],
        events: [...happenings.values()],
        sources,
        behind_since: await watches(db).behindSince(teamId),
      });
      return { answer: answerOfBytes(Buffer.from(JSON.stringify(list)), { isQuick: true }), nextChangeAt };
    },
  );
  return { list: (teamId, ids) => kept({ teamId, ...(ids && { ids }) }) };
}

/** Rises whenever a list can differ. */
async function revisionOf(db: Db): Promise<number> {
  const names = [WATCHES_REVISION, 'feeds', EVENTS_REVISION, 'changes'];
  const values = await Promise.all(names.map((name) => revision(db, name)));
  return values.reduce((sum, value) => sum + value, await cursors(db).batch(MATCHER));
}

/** The incidents that are in force and the events that are stored, of these matches. */
async function subjectsOf(db: Db, all: readonly MatchesTable[]) {
  const idsOf = (subject: MatchesTable['subject']) => [
    ...new Set(all.filter((match) => match.subject === subject).map(({ subject_id }) => subject_id)),
  ];
  const ids = idsOf('disruption');
  const incidents = [...(await disruptions(db).withShapes(ids)), ...(await ownReports(db).some(ids))];
  const happenings = await events(db).performances(idsOf('event'));
  return {
    incidents: new Map(incidents.map((incident) => [incident.event_id, incident])),
    happenings: new Map(happenings.map((event) => [event.performance_id, event])),
  };
}

/** All sources that these watches name. */
export async function sourcesFor(
  { db, collectors }: Parts,
  named: readonly Pick<KeptWatch, 'sources'>[],
  at: Date,
): Promise<{ sources: Source[]; nextChangeAt: number | null }> {
  const conditionOf = conditionsAt(await collections(db).all(), collectors, at);
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
  };
}

type Kept = Pick<
  MatchesTable,
  'subject' | 'subject_id' | 'level' | 'why' | 'from_km' | 'to_km' | 'off_m' | 'began_at'
>;

const toBrief = ({ subject, subject_id, level, why, from_km, to_km }: Kept): BriefMatch => ({
  subject,
  subject_id,
  level,
  why,
  from_km,
  to_km,
});

/** These matches with their incident or event; without those whose incident is no longer in force. By kilometre, those
 *  without one last. */
export async function withSubjects(db: Db, all: readonly MatchesTable[]): Promise<Match[]> {
  const { incidents, happenings } = await subjectsOf(db, all);
  return all
    .toSorted(
      (one, other) =>
        (one.from_km ?? Infinity) - (other.from_km ?? Infinity) ||
        (one.subject_id < other.subject_id ? -1 : 1),
    )
    .flatMap((match): Match[] => {
      const common = { ...toBrief(match), began_at: match.began_at, off_m: match.off_m };
      if (match.subject === 'event') {
        const event = happenings.get(match.subject_id);
        return event ? [{ ...common, event }] : [];
      }
      const disruption = incidents.get(match.subject_id);
      return disruption ? [{ ...common, disruption }] : [];
    });
}
