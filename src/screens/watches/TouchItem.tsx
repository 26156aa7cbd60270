import { knownSource } from '#contract/feeds/knownSources.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import type { CoursePart, WatchKind } from '#contract/watches/watches.ts';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { alertAddress, alertTime, detailOf, gradeOf, titleOf } from '../../feeds/alerts/alerts.ts';
import { shortTime, spanWords } from '../../feeds/alerts/alertTimes.ts';
import { formsOf } from '../../feeds/alerts/titles.ts';
import { Answers } from '../../shift/inHand/Answers.tsx';
import { useClock } from '../../time/tickingClock.ts';
import { formatClock, formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';
import { TouchShape } from '../../watches/StateShape.tsx';
import { NotOursMark } from '../../watches/NotOursMark.tsx';
import { fromMiddleWords, kmWords, stretchWords, usesWords, whyWords } from '../../watches/routeWords.ts';
import type { RouteState } from '../../watches/watchState.ts';
import {
  endUnknownWords,
  isNotMet,
  NOT_MET,
  reachWords,
  type Touch,
  tripTo,
} from '../../watches/timeWindow.ts';
import type { LonLat } from '../../maps/frame.ts';
import styles from './TouchItem.module.css';

/** One incident that touches the route: its title, its place on the route, when it is reached, its source, and why
 *  it is listed. */
export function TouchItem({
  touch,
  state,
  watchId,
  kind,
  middle = null,
  course,
  offline,
  narrow,
  isOpen,
  isSelected,
  onWhy,
  onSelect,
  onChanged,
}: {
  touch: Touch;
  state: Pick<RouteState, 'window' | 'trip' | 'trips'>;
  watchId: string;
  kind: WatchKind;
  /** The middle of an area's circle. */
  middle?: LonLat | null;
  course: readonly CoursePart[];
  offline: boolean;
  narrow?: boolean;
  isOpen: boolean;
  isSelected: boolean;
  onWhy: (open: boolean) => void;
  /** Shows it on the map as well; null when there is no map. */
  onSelect: (() => void) | null;
  /** Called when somebody has marked that it is not on the route, or has undone that. */
  onChanged: () => void;
}) {
  const { match, alert } = touch;
  const isOurs = alert?.source?.startsWith('own:') ?? false;
  const button = useRef<HTMLButtonElement>(null);
  const reached = useClock((now) => reachedWords(touch, state, now));
  const span = useClock((now) => (alert ? spanWords(alert, now) : ''));
  // A start has a small letter within the line, and is said once where `reached` has the same one.
  const times =
    reached.startsWith('from ') && span.startsWith('From ') ? '' : span.replace(/^From /, 'from ');
  const said = alert && alertTime(alert);
  const source = useClock((now) =>
    alert?.source
      ? `${isOurs ? 'Ours' : knownSource(alert.source).displayName}${said ? `, ${shortTime(said, now)}` : ''}`
      : '',
  );
  const isRoute = kind === 'route';
  const mode = isRoute || isOurs ? '' : (alert?.source && feedOf(alert.source)?.category) || '';
  const where = !isRoute ? mode : match.level === 'certain' ? stretchWords(alert) : match.why;
  const off = isRoute ? '' : match.level === 'certain' ? fromMiddleWords(middle, alert) : match.why;
  const end = useClock((now) => endUnknownWords(touch, state, now));
  const grade = alert ? gradeOf(alert) : 'unrated';
  const title = alert ? (formsOf(alert)[0] ?? titleOf(alert)) : 'Alert without a title';

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape, and a tap marks it on the map
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
      <h3 data-line data-align="baseline" data-text="lead" data-links="quiet">
        <span data-hidden>{match.level === 'certain' ? 'Certain, ' : 'Possible, '}</span>
        <span className={styles.symbol} aria-hidden="true">
          <TouchShape touch={touch} />
        </span>
        <span>
          {GRADE_WORDS[grade]}: {alert && !isOurs ? <Link href={alertAddress(alert)}>{title}</Link> : title}
        </span>
      </h3>
      <p data-text="note">
        {where && <b data-tone="1">{where}</b>}
        {[kmWords(match), off, reached, times, end, source].filter(Boolean).map((part, index) => (
          <span key={part}>{index > 0 || where ? ` · ${part}` : part}</span>
        ))}
      </p>
      <div className={styles.act} data-row data-only="screen">
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
      {isOpen && <Why {...{ touch, watchId, kind, course, offline, onChanged }} />}
    </div>
  );
}

/** "reached about 06:28 tomorrow (06:10 departure)", "no departure meets it" */
function reachedWords(
  touch: Touch,
  state: Parameters<typeof isNotMet>[1] & Parameters<typeof tripTo>[1],
  now: Date,
): string {
  if (isNotMet(touch, state, now)) return NOT_MET;
  const trip = tripTo(touch, state, now);
  return trip ? `${reachWords(trip, touch, now)} (${formatClock(trip.leaves)} departure)` : '';
}

function Why({
  touch,
  watchId,
  kind,
  course,
  offline,
  onChanged,
}: {
  touch: Touch;
  watchId: string;
  kind: WatchKind;
  course: readonly CoursePart[];
  offline: boolean;
  onChanged: () => void;
}) {
  const { match, alert } = touch;
  const [words, setWords] = useState(false);
  const uses = usesWords(touch, course);

  return (
    <div className={styles.why} data-across>
      <p>
        {whyWords(touch)} {uses}
      </p>
      <p data-row="4" data-only="screen">
        <NotOursMark
          watchId={watchId}
          subjectIds={[match.subject_id]}
          kind={kind}
          offline={offline}
          onChanged={onChanged}
        />
        {alert && (
          <button type="button" data-tap aria-expanded={words} onClick={() => setWords(!words)}>
            The publisher's words
          </button>
        )}
      </p>
      {words && alert && (
        <blockquote className={styles.words} data-text="note">
          <p>
            <b data-tone="1">{titleOf(alert)}</b>
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
