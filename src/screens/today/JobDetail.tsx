import type { JobMark } from '#contract/watches/jobs.ts';
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { useRef, useState } from 'react';
import { watchRecord } from '../../api/watches/oneWatch.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { RouteNow } from '../watches/detail/RouteNow.tsx';
import { useRefused } from '../../shift/inHand/Answers.tsx';
import { useQueue } from '../../shift/inHand/sendActions.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { londonDay } from '#contract/london.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { grouped } from '#contract/numbers.ts';
import { useKeptFocus } from '../../ui/useKeptFocus.ts';
import type { Known } from '../../watches/watchState.ts';
import { ArrivalPart } from './ArrivalPart.tsx';
import {
  type DayJob,
  jobName,
  leavesWords,
  NO_ROUTE,
  sheetWords,
  unmarkedWords,
} from '../../watches/jobState.ts';
import { DRIVER_MAX } from '../alert/copyTexts.ts';
import { driverWords } from './jobDriverText.ts';
import { markJob, undoMark, useLastMark } from './marks.ts';
import { Pane } from '../../ui/page/ListAndPane.tsx';
import styles from './JobDetail.module.css';

const MARKS: Readonly<Record<JobMark, string>> = { left: 'Left', arrived: 'Arrived', cancelled: 'Cancelled' };

/** The chosen job from the top: its departure, its arrival, the text for the driver, then the strip of its route. */
export function JobDetail({
  one,
  known,
  offline,
  asOf,
  back,
  onEdit,
  onChanged,
}: {
  one: DayJob;
  known: Known;
  offline: boolean;
  /** The time of the data, if it is not current; null: it is. */
  asOf: Date | null;
  /** The address of the list. */
  back: string;
  onEdit: () => void;
  onChanged: () => void;
}) {
  const { job, watch, state } = one;
  // The way itself changes only with the route.
  const { data: record, renew } = useRefreshed(
    watch ? `${watch.id} ${watch.rev}` : null,
    (signal) => watchRecord(watch!.id, signal), // called only for a job with a route
  );
  const [asking, setAsking] = useState(false);
  const unmarked = useClock((now) => unmarkedWords(one, now));
  const about = [sheetWords(job), job.people !== null && peopleWords(job.people), unmarked];
  const changed = () => {
    void renew();
    onChanged();
  };
  const sheet = (
    <section>
      <h3>On the sheet</h3>
      <ul>
        <li>
          {job.people !== null && <b>{peopleWords(job.people)}</b>}
          {job.note ?? (job.people === null ? 'Nothing more' : '')}
        </li>
      </ul>
    </section>
  );

  return (
    <Pane
      back={[back, 'Today']}
      heading={[leavesWords({ ...job, day: londonDay(serverNow()) }).weekday, jobName(job)]
        .filter(Boolean)
        .join(' ')}
      about={about.filter(Boolean).join(' · ')}
      acts={<Acts one={one} onEdit={onEdit} onCancel={() => setAsking(true)} />}
    >
      <Refused jobId={job.id} />
      {state && watch ? (
        <>
          <div className={styles.answer} data-columns={one.arrival?.kind === 'told' ? '80' : undefined}>
            <ArrivalPart one={one} known={known} asOf={asOf} />
            <ForTheDriver one={one} />
          </div>
          <RouteNow
            watch={watch}
            state={state}
            known={known}
            record={record}
            mapShown={false}
            offline={offline}
            window={state.window}
            onWindow={() => {}}
            onChanged={changed}
            sheet={sheet}
          />
        </>
      ) : (
        <>
          <div className={styles.noRoute} data-text="line">
            <h3 data-size="h2">{NO_ROUTE}</h3>
            <p>Choose a route under Edit, and this job is watched like the others.</p>
          </div>
          {sheet}
        </>
      )}
      {asking && (
        <Confirm
          heading={`Cancel ${jobName(job)}?`}
          act="Cancel job"
          keep="Keep job"
          onCancel={() => setAsking(false)}
          onAct={() => {
            void markJob(job, 'cancelled');
            setAsking(false);
          }}
        >
          <p>It stays in the list under “Done”, for the whole team.</p>
        </Confirm>
      )}
    </Pane>
  );
}

/** "38 people" */
const peopleWords = (count: number) => (count === 1 ? '1 person' : `${grouped(count)} people`);

/** "Left 06:05" and "Arrived", one tap each. The mark that was made is shown in the same place, with "Undo". */
function Acts({ one, onEdit, onCancel }: { one: DayJob; onEdit: () => void; onCancel: () => void }) {
  const { job } = one;
  const minute = useClock((now) => formatClock(now));
  const { jobId, until } = useLastMark();
  const canUndo = useClock(() => jobId === job.id && Date.now() < until);
  const waits = useQueue(({ items }) => items.some(({ event_id, isLate }) => event_id === job.id && isLate));
  const last: JobMark | null =
    job.cancelled_at !== null
      ? 'cancelled'
      : job.arrived_at !== null
        ? 'arrived'
        : job.left_at !== null
          ? 'left'
          : null;
  const at = last && job[`${last}_at`];
  // By keyboard the focus goes to "Undo", and from there to the first button.
  const place = useKeptFocus<HTMLDivElement>('button');

  return (
    <div {...place} className={styles.acts}>
      <span role="status" className={styles.did} data-row data-text="strong">
        {last && at && (
          <>
            <CheckIcon weight="bold" aria-hidden /> {MARKS[last]} {formatClock(at)}
            {waits && <small data-text="note">Not sent yet</small>}
          </>
        )}
      </span>
      {last && (canUndo || last !== 'left') && (
        <Button kind="quiet" onClick={() => void undoMark(job, last)}>
          Undo
        </Button>
      )}
      {last === null && (
        <Button kind="primary" onClick={() => void markJob(job, 'left')}>
          Left {minute}
        </Button>
      )}
      {(last === null || last === 'left') && (
        <Button kind={last === 'left' ? 'primary' : 'default'} onClick={() => void markJob(job, 'arrived')}>
          Arrived{last === 'left' && ` ${minute}`}
        </Button>
      )}
      <span className={styles.others} data-row>
        <Button onClick={onEdit}>Edit</Button>
        {last !== 'cancelled' && last !== 'arrived' && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel job
          </Button>
        )}
      </span>
    </div>
  );
}

/** Why the server refused a mark: "Sam Lee marked this as left at 06:07." */
function Refused({ jobId }: { jobId: string }) {
  const refused = useRefused(jobId);
  return (
    <p role="status" data-notice data-text="strong">
      {refused?.refused}
    </p>
  );
}

/** The text for the driver, shown as it will be copied. */
function ForTheDriver({ one }: { one: DayJob }) {
  const shown = useRef<HTMLParagraphElement>(null);
  const { state, arrival } = one;
  const minute = useClock((now) => formatClock(now));
  const text = state && minute ? driverWords(state, arrival, serverNow()) : '';
  if (!text) return null;

  return (
    <section className={styles.pass} aria-label="For the driver">
      <p ref={shown}>{text}</p>
      <div data-split>
        <CopyButton text={text} from={shown} label="Copy for the driver" />
        <small data-text="note">
          {text.length} of {DRIVER_MAX}
        </small>
      </div>
    </section>
  );
}
