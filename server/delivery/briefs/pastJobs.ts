/** A team's jobs of a day in their state at a time, with the incidents that touched them then. */
import type { PastJob } from '#contract/history/history.ts';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Db } from '../../db/open.ts';
import { jobs } from '../../watches/jobs/jobStore.ts';
import { matches } from '../../watches/matching/matchStore.ts';
import { toBrief } from '../../watches/watchAnswers.ts';
import { watches } from '../../watches/watchStore.ts';
import { dayClock, doneBy, jobWords, risksOfJobs, stoodWords } from './briefSheet.ts';

/** The answer has the ids of the incidents that touched them. Their words are added later, from the versions of that
 *  time. */
export async function pastJobs(db: Db, teamId: string, at: Date) {
  const all = await jobs(db).asOf(teamId, at);
  const routes = new Set(all.flatMap(({ watch_id }) => watch_id ?? []));
  const touching = Map.groupBy(await matches(db).certainAt([...routes], at), ({ watch_id }) => watch_id);
  const ways = (await watches(db).brief(teamId, [...routes])).map(({ id, length_km }) => ({
    id,
    length_km,
    matches: (touching.get(id) ?? []).map(toBrief),
  }));

  return {
    ids: ways.flatMap((way) => way.matches.map(({ subject_id }) => subject_id)),
    words(known: readonly Disruption[]): PastJob[] {
      const incidents = new Map(known.map((one) => [one.event_id, one]));
      const open = all.filter(({ arrived_at, cancelled_at }) => arrived_at === null && cancelled_at === null);
      const risks = new Map(
        risksOfJobs({ jobs: open, watches: ways, incidents, doneOf: doneBy([]) }, at).map(({ id, risk }) => [
          id,
          risk,
        ]),
      );
      return all.map((job) => {
        const risk = risks.get(job.id);
        return {
          id: job.id,
          time: dayClock(job.leaves_at, at),
          what: jobWords(job),
          stood: stoodWords(job),
          touched_by: risk?.touched_by ?? '',
          severity: risk?.severity ?? null,
          arrives: risk?.arrives ?? '',
        };
      });
    },
  };
}
