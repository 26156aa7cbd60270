/** "Left", "Arrived" and "Cancel job": they are shown at once, sent when there is a connection, and can be undone
 *  for 10 seconds. */
import type { JobMark } from '#contract/watches/jobs.ts';
import { UNDO_MS } from '#contract/shift/responses.ts';
import { create } from 'zustand';
import type { Job } from '../../api/watches/jobs.ts';
import { doAction, dropAction, useQueue, type WaitingAction } from '../../shift/inHand/sendActions.ts';
import { jobName } from '../../watches/jobState.ts';

/** The last mark, and until when it can be undone. */
export const useLastMark = create<{ jobId: string | null; until: number }>(() => ({ jobId: null, until: 0 }));

export async function markJob(job: Job, mark: JobMark): Promise<void> {
  useLastMark.setState({ jobId: job.id, until: Date.now() + UNDO_MS });
  await say(job, mark, false);
}

/** Undoes a mark. If it was not sent yet, it is dropped; otherwise the opposite mark is sent. */
export async function undoMark(job: Job, mark: JobMark): Promise<void> {
  useLastMark.setState({ jobId: null, until: 0 });
  const waiting = useQueue
    .getState()
    .items.find(({ event_id, doing }) => event_id === job.id && doing.kind === 'job' && doing.mark === mark);
  // A mark that is not late, or was sent before, may be on its way.
  if (waiting?.isLate && !waiting.wasSent) await dropAction(waiting.id);
  else await say(job, mark, true);
}

const say = (job: Job, mark: JobMark, undo: boolean) =>
  doAction({
    event_id: job.id,
    title: jobName(job),
    severity: undefined,
    rev: 0,
    doing: { kind: 'job', mark, undo },
  });

/** The jobs with the marks that the server does not know yet. Refused marks do not count. */
export function withMarks(jobs: readonly Job[], actions: readonly WaitingAction[]): Job[] {
  const marks = actions.filter(({ doing, refused }) => doing.kind === 'job' && refused === null);
  if (marks.length === 0) return [...jobs];
  return jobs.map((job) =>
    marks.reduce<Job>(
      (known, { event_id, doing, at }) =>
        event_id === job.id && doing.kind === 'job'
          ? { ...known, [`${doing.mark}_at`]: doing.undo ? null : at }
          : known,
      job,
    ),
  );
}
