import type { Job } from '../../api/watches/jobs.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { counted } from '#contract/numbers.ts';
import { leavesWords, tripName } from '../../watches/jobState.ts';
import { dayWords } from './sheetJobs.ts';
import styles from './ImportPage.module.css';

/** Jobs of the day that the sheet no longer has. They are kept unless the user decides otherwise. */
export function SheetGone({
  jobs,
  day,
  cancel,
  onCancel,
}: {
  jobs: readonly Job[];
  day: string;
  cancel: boolean;
  onCancel: (cancel: boolean) => void;
}) {
  return (
    <section className={styles.part} data-pad="4">
      <header data-split="5" data-align="baseline">
        <h2 data-size="h3">Not on this sheet</h2>
        <p data-text="line" data-tone="2">
          {counted(jobs.length, 'job')} of {dayWords(day)}.
        </p>
      </header>
      <ul className={styles.gone} data-list data-text="line">
        {jobs.map((job) => (
          <li key={job.id}>
            <time>{leavesWords(job).clock}</time>
            <b>{tripName(job)}</b>
            <span data-tone="2">
              {[job.ref, job.created_at && `added ${formatDateTime(job.created_at)}`]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <p data-row>
        <Button aria-pressed={!cancel} onClick={() => onCancel(false)}>
          {jobs.length === 1 ? 'Keep it' : 'Keep them'}
        </Button>
        <Button kind="danger" aria-pressed={cancel} onClick={() => onCancel(true)}>
          {cancel
            ? `${jobs.length} will be cancelled`
            : jobs.length === 1
              ? 'Cancel it?'
              : `Cancel these ${jobs.length}?`}
        </Button>
      </p>
    </section>
  );
}
