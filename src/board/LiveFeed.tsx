import { isPlanned } from '#contract/disruptions.ts';
import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause';
import { type CSSProperties, memo, useMemo, useState } from 'react';
import type { Alert } from '../api/disruptions.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { grouped } from '../ui/numbers.ts';
import { Severity } from '../ui/Severity.tsx';
import { alertAge, gradeOf, lineOf, shortAge, shownOf, titleOf } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import styles from './LiveFeed.module.css';
import { AllAlerts } from '../feeds/AllAlerts.tsx';
import { loopSeconds, useLiveLoop } from '../feeds/liveLoop.ts';
import { prefersStillness } from '../feeds/stepTimer.ts';

const QUEUE_LENGTH = 2;

/**
 * A feed's alerts like the trains on a platform sign: the first in full, the next in one line each. It moves in
 * steps, but not while somebody reads it or its data is stale. A hidden list holds all the alerts it will show.
 */
export const LiveFeed = memo(function LiveFeed({
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
  /** How many active alerts there are beyond those shown here. */
  unlisted: number;
  /** The feed's place on the board, from 0. */
  row: number;
  /** It must stand still for a reason outside this component. */
  held: boolean;
  stale: boolean;
  feedTitle: string;
  /** The id of the feed's title. */
  describedBy: string;
}) {
  const alerts = useMemo(() => shownOf(events), [events]);
  const [paused, setPaused] = useState(prefersStillness);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const running = !(paused || hovered || focused || held || stale);
  const { index, steps, step, moving } = useLiveLoop(alerts, { row, running, stale });

  const lead = alerts[index]!;
  const queue = Array.from(
    { length: Math.min(QUEUE_LENGTH, alerts.length - 1) },
    (_, ahead) => alerts[(index + 1 + ahead) % alerts.length]!,
  );

  return (
    // Pausing while somebody reads is not an interaction: nothing here needs a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={
        {
          '--loop': `${loopSeconds(alerts.length)}s`,
          '--place': index,
          '--alerts': alerts.length,
        } as CSSProperties
      }
      data-held={!moving || undefined}
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

      <AllAlerts alerts={alerts} />

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
});

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

/** Reserves the space that this alert will need, so that no step moves what is below. The style sheet draws its
 *  words, so that a search of the page or a screen reader cannot find an alert that is not shown. */
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

function Age({ alert }: { alert: Alert }) {
  return useClock((now) => alertAge(alert, now, shortAge));
}
