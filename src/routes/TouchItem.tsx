import type { Trip } from '#contract/departures.ts';
import { reachedAt } from '#contract/departures.ts';
import { knownSource } from '#contract/sources.ts';
import type { CoursePart } from '#contract/watches.ts';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { failureText } from '../api/failureText.ts';
import { sendFeedback } from '../api/watches.ts';
import { alertAddress } from '../feeds/alertAddress.ts';
import { alertTime, detailOf, gradeOf, titleOf } from '../feeds/alerts.ts';
import { shortTime, spanWords } from '../feeds/times.ts';
import { formsOf } from '../feeds/worst.ts';
import { Answers } from '../shift/Answers.tsx';
import { useClock } from '../time/clock.ts';
import { formatClock, formatDateTime } from '../time/london.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { kmWords, stretchWords, usesWords, whyWords } from '../watches/routeWords.ts';
import type { Touch } from '../watches/window.ts';
import styles from './TouchItem.module.css';

/** One incident that touches the route: what, where on it, when it is reached, from whom, and why it is listed. */
export function TouchItem({
  touch,
  trip,
  watchId,
  course,
  offline,
  narrow,
  isOpen,
  isSelected,
  onWhy,
  onSelect,
}: {
  touch: Touch;
  trip: Trip | null;
  watchId: string;
  course: readonly CoursePart[];
  offline: boolean;
  narrow?: boolean;
  isOpen: boolean;
  isSelected: boolean;
  onWhy: (open: boolean) => void;
  /** Shows it on the map as well; null while there is none. */
  onSelect: (() => void) | null;
}) {
  const { match, alert } = touch;
  const isOurs = alert?.source?.startsWith('own:') ?? false;
  const button = useRef<HTMLButtonElement>(null);
  const span = useClock((now) => (alert ? spanWords(alert, now) : ''));
  const said = alert && alertTime(alert);
  const source = useClock((now) =>
    alert?.source
      ? `${isOurs ? 'Ours' : knownSource(alert.source).displayName}${said ? `, ${shortTime(said, now)}` : ''}`
      : '',
  );
  const where = match.level === 'certain' ? stretchWords(alert) : match.why;
  const reached =
    trip && match.from_km !== null
      ? `reached about ${formatClock(reachedAt(trip, match.from_km))} (${formatClock(trip.leaves)} departure)`
      : '';
  const grade = alert ? gradeOf(alert) : 'unrated';
  const title = alert ? (formsOf(alert)[0] ?? titleOf(alert)) : 'Alert without a title';

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key is Escape; a tap marks it on the map, whose symbols are buttons
    <div
      className={styles.touch}
      data-match={match.subject_id}
      data-event={match.subject_id}
      data-narrow={narrow || undefined}
      data-selected={isSelected || undefined}
      onClick={onSelect ?? undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        onWhy(false);
        button.current?.focus();
      }}
    >
      <h3>
        <VisuallyHidden>{match.level === 'certain' ? 'Certain, ' : 'Possible, '}</VisuallyHidden>
        <span className={styles.symbol} aria-hidden="true">
          <Severity grade={grade} wordless />
        </span>
        <span>
          {GRADE_WORDS[grade]}: {alert && !isOurs ? <Link href={alertAddress(alert)}>{title}</Link> : title}
        </span>
      </h3>
      <p>
        {where && <b>{where}</b>}
        {[kmWords(match), reached, span, source].filter(Boolean).map((part, index) => (
          <span key={part}>{index > 0 || where ? ` · ${part}` : part}</span>
        ))}
      </p>
      <div className={styles.act}>
        <Button
          ref={button}
          small
          aria-expanded={isOpen}
          data-why
          onClick={(event) => {
            event.stopPropagation();
            onWhy(!isOpen);
          }}
        >
          Why?
        </Button>
        {alert && <Answers alert={alert} />}
      </div>
      {isOpen && <Why {...{ touch, watchId, course, offline }} />}
    </div>
  );
}

function Why({
  touch,
  watchId,
  course,
  offline,
}: {
  touch: Touch;
  watchId: string;
  course: readonly CoursePart[];
  offline: boolean;
}) {
  const { match, alert } = touch;
  const [sent, setSent] = useState<'no' | 'sending' | 'sent'>('no');
  const [failure, setFailure] = useState<string | null>(null);
  const [words, setWords] = useState(false);
  const uses = usesWords(touch, course);

  const notOurs = async () => {
    setSent('sending');
    setFailure(null);
    try {
      await sendFeedback(watchId, { subject_id: match.subject_id, verdict: 'not_ours' });
      setSent('sent');
    } catch (error) {
      setSent('no');
      setFailure(failureText(error, 'Unable to save this'));
    }
  };

  return (
    <div className={styles.why}>
      <p>
        {whyWords(touch)} {uses}
      </p>
      <p className={styles.links}>
        {sent === 'sent' ? (
          <span role="status">Noted: not on our route.</span>
        ) : (
          <button type="button" disabled={offline || sent === 'sending'} onClick={() => void notOurs()}>
            Not on our route
          </button>
        )}
        {alert && (
          <button type="button" aria-expanded={words} onClick={() => setWords(!words)}>
            The publisher's words
          </button>
        )}
      </p>
      {failure && <Notice>{failure}</Notice>}
      {words && alert && (
        <blockquote className={styles.words}>
          <p>
            <b>{titleOf(alert)}</b>
          </p>
          {detailOf(alert) && <p>{detailOf(alert)}</p>}
          <p>
            {alert.latitude != null && alert.longitude != null
              ? `Position ${alert.latitude.toFixed(4)}, ${alert.longitude.toFixed(4)}`
              : 'No position'}
            {alert.collected_at && `, fetched ${formatDateTime(alert.collected_at)}`}
          </p>
        </blockquote>
      )}
    </div>
  );
}
