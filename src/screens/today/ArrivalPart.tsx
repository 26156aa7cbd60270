import {
  arrivalWords,
  arrivesWords,
  type Delay,
  marginWords,
  verdictWords,
} from '#contract/watches/arrival.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { guessedDuration } from '#contract/watches/watches.ts';
import { type CSSProperties, useState } from 'react';
import { alertTime, dateOf, titleOf } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { stretchWords } from '../../watches/routeWords.ts';
import { durationWords } from '../../watches/routeWords.ts';
import { type Known } from '../../watches/watchState.ts';
import type { DayJob } from '../../watches/jobState.ts';
import { useMedia } from '../../ui/useMedia.ts';
import { Plate } from './JobGroups.tsx';
import styles from './ArrivalPart.module.css';

/** Whether the job still arrives in time. Only stated delays count; "Why?" names the source of each. */
export function ArrivalPart({
  one,
  known,
  asOf,
}: {
  one: DayJob;
  known: Known;
  /** The time of the data, if it is not current; null: it is. */
  asOf: Date | null;
}) {
  const { job, state, arrival } = one;
  const [opened, setOpened] = useState<boolean | null>(null);
  const isPhone = useMedia('(width < 40rem)');
  if (!arrival || !state) return null;
  const { kind, verdict } = arrival;
  const isSilent = state.standing === 'silent';
  const hasSum = kind === 'told';
  // On a phone there is room below: a verdict that it will be late is shown there with its reasons.
  const open = opened ?? (isPhone && !isSilent && verdict !== null && verdict.kind !== 'left');
  const telling = arrival.counted.flatMap(({ event_id }) => known.alerts.get(event_id) ?? []);
  const [first] = telling;
  const untold = arrival.untold.length > 0 && kind === 'told' ? ' Another alert has no stated delay.' : '';

  return (
    <section className={styles.arrival} aria-label="Arrival">
      <div data-tight="1" data-split="4">
        <h3 data-figures data-size="h2">
          {arrivalWords(arrival)}
          {asOf && <small data-text="line"> as of {formatClock(asOf)}</small>}
        </h3>
        {isSilent ? (
          <b data-text="lead">Do not rely on this</b>
        ) : (
          verdict && verdict.kind !== 'left' && <Plate kind={verdict.kind}>{verdictWords(verdict)}</Plate>
        )}
      </div>
      {hasSum && <Rail one={one} />}
      <p data-text="line" data-tone="2">
        {verdict && !isSilent && <b>{marginWords(verdict)}. </b>}
        {first && `Told by ${whoWords(first)}.`}
        {untold}
        {kind === 'due' && !verdict && 'As on the sheet. No stated delay changes it.'}
        {kind === 'not_told' && `Due ${formatClock(arrival.due)}. No publisher says how long it takes.`}
        {kind === 'closed' && `Due ${formatClock(arrival.due)}. No diversion is named.`}{' '}
        {hasSum && (
          <Button kind="quiet" aria-expanded={open} data-sum onClick={() => setOpened(!open)}>
            Why?
          </Button>
        )}
      </p>
      {hasSum && open && (
        <dl className={styles.numbers}>
          <dt>
            Due
            <small data-text="note" data-block>
              the sheet: leaves {formatClock(job.leaves_at)}, takes{' '}
              {job.duration_min === null
                ? `${durationWords(guessedDuration(one.watch?.length_km ?? 0))} (we guessed)`
                : durationWords(job.duration_min)}
            </small>
          </dt>
          <dd>{formatClock(arrival.due)}</dd>
          {job.left_at !== null && arrival.leftLate !== 0 && (
            <>
              <dt>
                {arrival.leftLate > 0 ? 'Left late' : 'Left early'}
                <small data-text="note" data-block>
                  {[job.left_by, formatClock(job.left_at)].filter(Boolean).join(', ')}
                </small>
              </dt>
              <dd>{Math.abs(arrival.leftLate)} min</dd>
            </>
          )}
          {arrival.counted.map(({ event_id, delay, within }) => {
            const alert = known.alerts.get(event_id);
            return (
              <Number
                key={event_id}
                what={alert ? `${stretchWords(alert)}: “${titleOf(alert)}”`.replace(/^: /, '') : 'Disruption'}
                from={alert ? whoWords(alert) : ''}
                delay={delay}
                within={within}
              />
            );
          })}
          <dt>Arrives</dt>
          <dd>{arrivesWords(arrival)}</dd>
        </dl>
      )}
    </section>
  );
}

function Number({
  what,
  from,
  delay,
  within,
}: {
  what: string;
  from: string;
  delay: Delay;
  within: boolean;
}) {
  return (
    <>
      <dt>
        {what}
        <small data-text="note" data-block>
          {[from, within && 'on the stretch of a longer delay, counted once'].filter(Boolean).join(', ')}
        </small>
      </dt>
      <dd>{delay.least === delay.most ? `${delay.most} min` : `${delay.least} to ${delay.most} min`}</dd>
    </>
  );
}

/** "National Highways, 05:58" */
function whoWords(alert: Alert): string {
  const at = alertTime(alert);
  const name = alert.source?.startsWith('own:') ? 'our team' : knownSource(alert.source ?? '').displayName;
  return [name, at && shortTime(at, serverNow())].filter(Boolean).join(', ');
}

/** A bar from the due time to the later of the latest arrival and the deadline. The words beside it say the same. */
function Rail({ one: { job, arrival } }: { one: DayJob }) {
  if (!arrival) return null;
  const deadline = dateOf(job.deadline_at);
  const from = Math.min(arrival.due.getTime(), arrival.earliest.getTime());
  const to = Math.max(arrival.latest.getTime(), deadline?.getTime() ?? 0, from + 60_000);
  const at = (time: Date) => (Math.max(0, time.getTime() - from) / (to - from)) * 100;
  const [a, b] = [at(arrival.earliest), at(arrival.latest)];
  const d = deadline && at(deadline);
  // With less room the labels would overlap; the words beside the bar give the deadline.
  const isRoomy = d !== null && d > 30 && d <= 100;

  return (
    <div
      className={styles.rail}
      aria-hidden="true"
      style={{ '--a': `${a}%`, '--b': `${b}%`, '--d': `${d ?? 0}%` } as CSSProperties}
    >
      <span className={styles.line} />
      <span className={styles.up}>due {formatClock(arrival.due)}</span>
      {b - a > 0.1 ? <span className={styles.range} /> : <span className={styles.point} />}
      <span className={styles.due} />
      {d !== null && <span className={styles.deadline} />}
      {deadline && isRoomy && (
        <span className={styles.until} data-end={d > 75 || undefined}>
          {(job.deadline_what ?? 'deadline').toLowerCase()} <b>{formatClock(deadline)}</b>
        </span>
      )}
      {b - a > 18 && (
        <span className={styles.from} data-start={a < 6 || undefined}>
          {formatClock(arrival.earliest)}
        </span>
      )}
      <span className={styles.to} data-end={b > 90 || undefined}>
        {formatClock(arrival.latest)}
      </span>
    </div>
  );
}
