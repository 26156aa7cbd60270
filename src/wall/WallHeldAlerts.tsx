import { isPlanned } from '#contract/disruptions.ts';
import type { Alert } from '../api/disruptions.ts';
import { bareAge, gradeOf, lineOf, shownOf, titleOf } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { Badge } from '../ui/Badge.tsx';
import { grouped } from '../ui/numbers.ts';
import { Severity } from '../ui/Severity.tsx';
import { pageAt } from './feedPages.ts';
import { HOLD_MS, useHeldFeed } from '../kiosk/heldFeed.ts';
import { HELD_ALERT, HELD_HEADING } from './measures.ts';
import styles from './WallHeldAlerts.module.css';

/** The alerts of a held feed: as many as fit at a time, and all of them within the minute that it is held. */
export function WallHeldAlerts({
  events,
  unlisted,
  stale,
  feedTitle,
  room,
}: {
  events: readonly Alert[];
  /** How many active alerts there are beyond those shown here. */
  unlisted: number;
  stale: boolean;
  feedTitle: string;
  /** The available height, in units. */
  room: number;
}) {
  const alerts = shownOf(events);
  const perPage = Math.max(1, Math.floor((room - HELD_HEADING) / HELD_ALERT));
  const pages = Math.ceil(alerts.length / perPage);
  const since = useHeldFeed(({ hold }) => hold?.at ?? 0);
  const page = useClock((now) => pageAt(Math.max(0, now.getTime() - since), pages, HOLD_MS / pages));
  const shown = alerts.slice(page * perPage, (page + 1) * perPage);
  const first = page * perPage + 1;

  return (
    <section className={styles.held} aria-label={`Live feed, ${feedTitle}`}>
      <p className={styles.heading}>
        {pages > 1 ? `Alerts ${first} to ${first + shown.length - 1} of ${alerts.length}` : 'All alerts'}
        {unlisted > 0 && `, ${grouped(unlisted)} more not listed`}
      </p>
      <ol className={styles.alerts}>
        {shown.map((alert) => (
          <li key={alert.event_id}>
            <Severity grade={gradeOf(alert)} stacked />
            <div>
              <p className={styles.title}>{titleOf(alert)}</p>
              <p className={styles.detail}>
                <span>{lineOf(alert)}</span>
                {isPlanned(alert) ? <Badge>Planned</Badge> : !stale && <Age alert={alert} />}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Age({ alert }: { alert: Alert }) {
  return <b>{useClock((now) => bareAge(alert, now))}</b>;
}
