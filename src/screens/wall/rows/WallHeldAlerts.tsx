import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, numberAddress, shownOf } from '../../../feeds/alerts/alerts.ts';
import { spanWords } from '../../../feeds/alerts/alertTimes.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { counted, grouped } from '#contract/numbers.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { pageAt } from './feedPages.ts';
import { HELD_ALERT, HELD_HEADING, useSheet } from '../words/wallMeasures.ts';
import { HOLD_MS, useHeldFeed } from '../kiosk/remoteControl.ts';
import { shownTitle } from '../words/shownTitle.ts';
import styles from './WallHeldAlerts.module.css';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { FeedEntry } from '../../../api/alerts/feeds.ts';
import { briefStatusOf } from '../../../feeds/alerts/sourceLine.ts';
import { serverNow } from '../../../time/freshness.ts';
import { StatusLine } from '../../../ui/signs/StatusLine.tsx';
import sourceStyles from './WallSources.module.css';

const COLUMNS = 2;
/** The room for a title: two lines of a column, less what is lost at the end of the first. In units. */
const TITLE_ROOM = 2 * 420 - 90;
const TALL_TITLE_ROOM = 2 * 315 - 90;

/** The alerts of a held feed: as many as fit at a time, and all of them within the minute for which it is held. */
export function WallHeldAlerts({
  events,
  unlisted,
  feedTitle,
  room,
}: {
  events: readonly Alert[];
  /** How many active alerts there are that are not shown here. */
  unlisted: number;
  feedTitle: string;
  /** The available height, in units. */
  room: number;
}) {
  const alerts = shownOf(events);
  const perPage = Math.max(1, Math.floor((room - HELD_HEADING) / HELD_ALERT)) * COLUMNS;
  const pages = Math.ceil(alerts.length / perPage);
  const since = useHeldFeed(({ hold }) => hold?.at ?? 0);
  const page = useClock((now) => pageAt(Math.max(0, now.getTime() - since), pages, HOLD_MS / pages));
  const shown = alerts.slice(page * perPage, (page + 1) * perPage);
  const first = page * perPage + 1;

  return (
    <section className={styles.held} aria-label={`Live feed, ${feedTitle}`}>
      <p className={styles.heading} data-tone="2" data-justify="between" data-line>
        <span>
          {pages > 1 ? `Alerts ${first} to ${first + shown.length - 1} of ${alerts.length}` : 'All alerts'}
          {unlisted > 0 && `, ${grouped(unlisted)} more not listed`}
        </span>
        <span>Read one at {location.host} and its number</span>
      </p>
      <ol className={styles.alerts}>
        {shown.map((alert) => (
          <HeldAlert key={alert.event_id} alert={alert} />
        ))}
      </ol>
    </section>
  );
}

function HeldAlert({ alert }: { alert: Alert }) {
  const room = useSheet() === 'tall' ? TALL_TITLE_ROOM : TITLE_ROOM;
  const time = useClock((now) => spanWords(alert, now));
  return (
    <li>
      <Severity grade={gradeOf(alert)} stacked />
      <div>
        <p className={styles.title}>{shownTitle(alert, room, 'held')}</p>
        <p className={styles.time} data-tone="2" data-justify="between" data-line>
          {time} <span>{numberAddress(alert)}</span>
        </p>
      </div>
    </li>
  );
}

const SOURCE = 58;
const GAPS = 16;
/** Upright they stand in columns above the alerts. In units. */
export const sourcesHeight = (sources: number): number =>
  sources === 0 ? 0 : Math.ceil(sources / COLUMNS) * SOURCE + GAPS;

/** The last report of each source of a held feed, as far as the board's answer gives it. */
export function WallSources({ feed, boardStale }: { feed: FeedEntry; boardStale: boolean }) {
  const sources = (feed.sources ?? []).toSorted(
    (a, b) => knownSource(a.source).priority - knownSource(b.source).priority,
  );

  return (
    <ul className={sourceStyles.sources} aria-label="Sources">
      {sources.map((source) => {
        const { status, text } = briefStatusOf(source, { boardStale, now: serverNow() });
        return (
          <li key={source.source}>
            <b className={sourceStyles.name}>{knownSource(source.source).displayName}</b>
            <StatusLine status={status}>
              {text}
              {status !== 'none' &&
                !text.includes('alert') &&
                !!source.event_count &&
                `: ${counted(source.event_count, 'alert')}`}
            </StatusLine>
          </li>
        );
      })}
    </ul>
  );
}
