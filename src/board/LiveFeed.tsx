import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Alert } from '../api/disruptions.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { grouped } from '../ui/numbers.ts';
import { GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { formatDateTime } from '../ui/time.ts';
import {
  alertAge,
  alertTime,
  detailOf,
  gradeOf,
  inOrder,
  isPlanned,
  shortAge,
  sourcesOf,
  startText,
  titleOf,
} from './alerts.ts';
import { useClock } from './clock.ts';
import styles from './LiveFeed.module.css';
import { prefersStillness, stepAt } from './stepTimer.ts';

const SECONDS_PER_ALERT = 7;
const SHORTEST_LOOP_SECONDS = 30;
/** Rows step in turn. */
const ROW_OFFSET_MS = 1400;
const QUEUE_LENGTH = 2;
/** In characters. Our server stays below it; another one must not fill the page. */
const LINE_LENGTH = 280;

/** How long the feed takes to show every alert once. */
export function loopSeconds(alerts: number): number {
  return Math.max(SECONDS_PER_ALERT * alerts, SHORTEST_LOOP_SECONDS);
}

/**
 * A feed's alerts like the trains on a platform sign: the first in full, the next in one line each. It moves in steps,
 * never while somebody reads it, and never while its data is stale. Everything it will show stands in a hidden list.
 */
export function LiveFeed({
  events,
  unlisted,
  row,
  held,
  stale,
  feedTitle,
  describedBy,
}: {
  /** At least one. */
  events: readonly Alert[];
  /** Active alerts beyond these. */
  unlisted: number;
  /** The feed's place on the board, from 0. */
  row: number;
  /** Something else wants it to stand still. */
  held: boolean;
  stale: boolean;
  feedTitle: string;
  /** The id of the feed's title. */
  describedBy: string;
}) {
  const alerts = inOrder(events);
  const loop = loopSeconds(alerts.length);
  const [paused, setPaused] = useState(prefersStillness);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const hidden = useSyncExternalStore(onVisibility, () => document.visibilityState === 'hidden');
  const running = alerts.length > 1 && !(paused || hovered || focused || hidden || held || stale);

  const [place, setPlace] = useState<Place>({ id: alerts[0]?.event_id, index: 0, steps: 0 });
  const index = indexOf(place, alerts);

  // What stands still for hours shall be the worst of it.
  const [wasStale, setWasStale] = useState(stale);
  if (stale !== wasStale) {
    setWasStale(stale);
    if (stale) setPlace({ id: alerts[0]?.event_id, index: 0, steps: place.steps });
  }
  const known = useRef(new Set(alerts.map(({ event_id }) => event_id)));

  const step = () => {
    // A critical alert that has joined since the last step need not wait for its turn.
    const urgent = alerts.findIndex((alert) => isUrgent(alert) && !known.current.has(alert.event_id));
    known.current = new Set(alerts.map(({ event_id }) => event_id));
    setPlace((before) => {
      const next = urgent === -1 ? (indexOf(before, alerts) + 1) % alerts.length : urgent;
      return { id: alerts[next]!.event_id, index: next, steps: before.steps + 1 };
    });
  };
  const takeTurn = useEffectEvent(step);

  const [startedAt] = useState(() => performance.now());
  const interval = (loop * 1000) / alerts.length;
  const { steps } = place;
  useEffect(() => {
    if (!running) return;
    let cancel = () => {};
    const wait = () => {
      cancel = stepAt(nextTurn(startedAt + row * ROW_OFFSET_MS, interval), () => {
        takeTurn();
        wait();
      });
    };
    wait();
    return () => cancel();
  }, [running, interval, row, startedAt]);

  const lead = alerts[index]!;
  const queue = Array.from(
    { length: Math.min(QUEUE_LENGTH, alerts.length - 1) },
    (_, ahead) => alerts[(index + 1 + ahead) % alerts.length]!,
  );

  return (
    // Standing still while somebody reads is not an interaction: nothing here needs a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={{ '--loop': `${loop}s`, '--place': index, '--alerts': alerts.length } as CSSProperties}
      data-held={!running || undefined}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ target }) => setFocused(target.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
    >
      <div className={styles.picture} aria-hidden="true" data-stepped={steps > 0 || undefined}>
        <div className={styles.stage}>
          <Lead key={steps} alert={lead} stale={stale} />
          {alerts.map((alert) => (
            <Room key={alert.event_id} alert={alert} />
          ))}
        </div>
        <ol className={styles.queue} key={`queue-${steps}`}>
          {queue.map((alert) => (
            <li key={alert.event_id}>
              <Severity grade={gradeOf(alert)} />
              <span className={styles.title}>{titleOf(alert)}</span>
              <span className={styles.age}>
                {isPlanned(alert) ? 'Planned' : stale ? null : <Age alert={alert} />}
              </span>
            </li>
          ))}
        </ol>
      </div>

      <ol className={styles.all} aria-label="All alerts">
        {alerts.map((alert) => (
          <li key={alert.event_id}>{spoken(alert)}</li>
        ))}
      </ol>

      {alerts.length > 1 && (
        <p className={styles.control}>
          <Button
            small
            aria-pressed={paused}
            aria-describedby={describedBy}
            onClick={() => setPaused(!paused)}
          >
            <PauseIcon weight={paused ? 'fill' : 'bold'} aria-hidden />
            Pause
          </Button>
          {(paused || stale) && (
            <Button small aria-describedby={describedBy} onClick={step}>
              Next
            </Button>
          )}
          <span>
            Alert {index + 1} of {alerts.length}
            {unlisted > 0 && `, ${grouped(unlisted)} more not listed`}
          </span>
        </p>
      )}
    </section>
  );
}

/** Which alert leads, where it stood then, and how often the feed has stepped. */
interface Place {
  id: string | undefined;
  index: number;
  steps: number;
}

/** An alert that has ended leaves its place to the one behind it. */
function indexOf({ id, index }: Place, alerts: readonly Alert[]): number {
  const found = alerts.findIndex(({ event_id }) => event_id === id);
  return found === -1 ? Math.min(index, alerts.length - 1) : found;
}

function Lead({ alert, stale }: { alert: Alert; stale: boolean }) {
  return (
    <div className={styles.lead}>
      <Severity grade={gradeOf(alert)} stacked />
      <div>
        <p className={styles.title}>{titleOf(alert)}</p>
        <p className={styles.line}>
          <span className={styles.age} data-planned={isPlanned(alert) || undefined}>
            {isPlanned(alert) ? <Badge>Planned</Badge> : stale ? null : <Age alert={alert} />}
          </span>
          {lineOf(alert)}
        </p>
      </div>
    </div>
  );
}

/** Keeps the room that this alert will need, so that no step moves what stands below. Its words are drawn by the style
 *  sheet: nobody shall find an alert here that is not shown. */
function Room({ alert }: { alert: Alert }) {
  return (
    <div className={`${styles.lead} ${styles.room}`}>
      <span />
      <div>
        <p className={styles.title} data-words={titleOf(alert)} />
        <p className={styles.line} data-words={lineOf(alert)}>
          <span className={styles.age} />
        </p>
      </div>
    </div>
  );
}

/** Under the title: for planned works first when they begin. */
function lineOf(alert: Alert): string {
  const start = isPlanned(alert) ? startText(alert).replace(/^f/, 'F') : '';
  const line = [start, detailOf(alert)].filter(Boolean).join('. ');
  const told = line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line;
  const sources = sourcesOf(alert);
  return sources ? [told.replace(/\.$/, ''), sources].filter(Boolean).join('. ') : told;
}

function Age({ alert }: { alert: Alert }) {
  return useClock((now) => alertAge(alert, now, shortAge));
}

const isUrgent = (alert: Alert) => gradeOf(alert) === 'critical' && !isPlanned(alert);

/** One alert as a sentence. With its time and not its age: a list that is read aloud must not change under the reader. */
function spoken(alert: Alert): string {
  const at = alertTime(alert);
  return [
    `${GRADE_WORDS[gradeOf(alert)]}: ${titleOf(alert)}`,
    detailOf(alert),
    sourcesOf(alert),
    isPlanned(alert) ? `Planned ${startText(alert)}`.trim() : at && `Updated ${formatDateTime(at)}`,
  ]
    .flatMap((part) => part?.replace(/[.\s]+$/, '') || [])
    .join('. ');
}

/** The row's next turn that leaves the alert now shown at least half its time. */
function nextTurn(startedAt: number, interval: number): number {
  const earliest = performance.now() + interval / 2;
  return startedAt + interval * Math.max(1, Math.ceil((earliest - startedAt) / interval));
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
