/** The jobs on a handover sheet. */
import { LONDON_CLOCK } from '#contract/london.ts';
import type { SheetJob } from '#contract/shift/handover.ts';
import { doneBy, jobWords, risksOfJobs, stoodWords } from '../../delivery/briefs/briefSheet.ts';
import type { Db } from '../../db/open.ts';
import type { Collector } from '../../incidents/collector.ts';
import { responses } from '../../shift/responses.ts';
import { jobs } from '../../watches/jobs/jobStore.ts';
import { watchList } from '../../watches/watchAnswers.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

/** Today's jobs that are on the way, or have a certain incident ahead, for a sheet that somebody reads now. */
export function handoverJobs(parts: Parts) {
  const { db, now } = parts;
  return async (teamId: string): Promise<SheetJob[]> => {
    const at = now();
    const open = (await jobs(db).asOf(teamId, at)).filter(
      ({ arrived_at, cancelled_at }) => arrived_at === null && cancelled_at === null,
    );
    if (open.length === 0) return [];
    const { list } = await watchList(parts, teamId, undefined, at);
    const { watches, incidents: all } = list;
    const { responses: states } = await responses(db).ofTeam(teamId, { changedAfter: at });
    const incidents = new Map(all.map((one) => [one.event_id, one]));
    const risks = new Map(
      risksOfJobs({ jobs: open, watches, incidents, doneOf: doneBy(states) }, at).map(({ id, risk }) => [
        id,
        risk,
      ]),
    );
    return open.flatMap((job): SheetJob[] => {
      const risk = risks.get(job.id);
      if (!risk && job.left_at === null) return [];
      return [
        {
          time: LONDON_CLOCK.format(new Date(job.leaves_at)),
          what: jobWords(job),
          left: stoodWords(job),
          touched_by: risk?.touched_by ?? '',
          arrives: risk?.arrives ?? '',
          done: risk?.done ?? '',
        },
      ];
    });
  };
}
