import { isPlanned } from '#contract/disruptions.ts';
import { type CSSProperties, memo, useMemo, useState } from 'react';
import type { Alert } from '../api/disruptions.ts';
import { bareAge, gradeOf, lineOf, shownOf, titleOf } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { AllAlerts } from '../feeds/AllAlerts.tsx';
import { loopSeconds, useLiveLoop } from '../feeds/liveLoop.ts';
import { serverNow } from '../time/freshness.ts';
import { Badge } from '../ui/Badge.tsx';
import { Severity } from '../ui/Severity.tsx';
import { pageAt } from './feedPages.ts';
import { lineHeight, linesOf, textWidth, useFacesLoaded } from './fit.ts';
import { ALERT_TEXT, DETAIL_GAP, DETAIL_LINE } from './measures.ts';
import { textPages } from './textPages.ts';
import styles from './WallLiveFeed.module.css';

/** In units. */
const LEAD_AT_LEAST = 118;
const LONGEST_QUEUE = 3;

/** The least time that each page of a detail is shown. */
const READING_MS = 3500;
/** How long each page is shown for an alert that stands still. */
const RESTING_MS = 6000;

/** A feed's alerts like the trains on a platform sign, each leading in its turn. Below the lead is its publisher's
 *  full text, page by page. A line in the queue can be cut, because that alert will lead later. */
export const WallLiveFeed = memo(function WallLiveFeed({
  events,
  row,
  running,
  stale,
  feedTitle,
  room,
}: {
  /** At least one. */
  events: readonly Alert[];
  /** The feed's place on the board, from 0. */
  row: number;
  /** Whether it is on screen, and current. */
  running: boolean;
  stale: boolean;
  feedTitle: string;
  /** The available height, in units. */
  room: number;
}) {
  const alerts = useMemo(() => shownOf(events), [events]);
  const { index, steps, moving } = useLiveLoop(alerts, { row, running, stale });
  const lead = alerts[index]!;
  const fitting = Math.max(0, Math.floor((room - LEAD_AT_LEAST) / DETAIL_LINE));
  const queue = Array.from(
    { length: Math.min(LONGEST_QUEUE, fitting, alerts.length - 1) },
    (_, ahead) => alerts[(index + 1 + ahead) % alerts.length]!,
  );
  const loop = loopSeconds(alerts.length);

  return (
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={{ '--loop': `${loop}s`, '--place': index, '--alerts': alerts.length } as CSSProperties}
      data-held={!moving || undefined}
    >
      <div className={styles.picture} aria-hidden="true" data-stepped={steps > 0 || undefined}>
        <Lead
          key={`${lead.event_id} ${steps}`}
          alert={lead}
          stale={stale}
          height={room - queue.length * DETAIL_LINE}
          ms={moving ? (loop * 1000) / alerts.length : null}
        />
        <ol className={styles.queue} key={`queue ${steps}`}>
          {queue.map((alert) => (
            <li key={alert.event_id}>
              <Severity grade={gradeOf(alert)} />
              <span className={styles.waiting}>{titleOf(alert)}</span>
              <Age alert={alert} stale={stale} />
            </li>
          ))}
        </ol>
      </div>

      <AllAlerts alerts={alerts} />
    </section>
  );
});

function Lead({
  alert,
  stale,
  height,
  ms,
}: {
  alert: Alert;
  stale: boolean;
  /** In units. */
  height: number;
  /** How long it leads; null when it stands still. */
  ms: number | null;
}) {
  useFacesLoaded();
  const title = titleOf(alert);
  const short = linesOf(title, ALERT_TEXT, 'title').length;
  const isLong = short > 2;
  const titleLine = lineHeight(isLong ? 'longTitle' : 'title');
  const titleLines = isLong
    ? Math.min(Math.floor(height / titleLine), linesOf(title, ALERT_TEXT, 'longTitle').length)
    : short;
  const lines = Math.floor((height - titleLines * titleLine - DETAIL_GAP) / DETAIL_LINE);

  return (
    <div className={styles.lead}>
      <Severity grade={gradeOf(alert)} stacked />
      <div>
        <p
          className={styles.title}
          data-long={isLong || undefined}
          style={{ '--lines': titleLines } as CSSProperties}
        >
          {title}
        </p>
        {lines > 0 && <Detail alert={alert} stale={stale} room={lines} ms={ms} />}
      </div>
    </div>
  );
}

/** The text below the title, `room` lines at a time. */
function Detail({
  alert,
  stale,
  room,
  ms,
}: {
  alert: Alert;
  stale: boolean;
  room: number;
  ms: number | null;
}) {
  const [since] = useState(serverNow);
  const age = useAge(alert, stale);
  const aside = isPlanned(alert) ? textWidth('Planned', 'meta') + 26 : age ? textWidth(age, 'meta') : 0;
  const width = ALERT_TEXT - (aside && aside + 14);
  const text = lineOf(alert);
  const most = ms === null ? Infinity : Math.max(1, Math.floor(ms / READING_MS));
  const loaded = useFacesLoaded();
  // `loaded`: measured again when the fonts have loaded.
  const pages = useMemo(() => pagesOf(text, width, room, most, loaded), [text, width, room, most, loaded]);
  const turn = useClock((now) =>
    pageAt(
      Math.max(0, now.getTime() - since.getTime()),
      pages.length,
      ms === null ? RESTING_MS : ms / pages.length,
    ),
  );

  return (
    <p className={styles.detail}>
      <span className={styles.words}>{pages[turn]}</span>
      <Age alert={alert} stale={stale} />
    </p>
  );
}

const pagesOf = (text: string, width: number, room: number, most: number, _loaded: boolean) =>
  textPages([{ text, hasEnded: false }], width, room, most).map((page) =>
    page.map((sentence) => sentence.text).join(' '),
  );

function Age({ alert, stale }: { alert: Alert; stale: boolean }) {
  const age = useAge(alert, stale);
  if (isPlanned(alert)) return <Badge>Planned</Badge>;
  return age && <span className={styles.age}>{age}</span>;
}

/** "6 min"; null while the data is stale, or the age is not known. */
function useAge(alert: Alert, stale: boolean): string | null {
  return useClock((now) => (stale ? null : bareAge(alert, now)));
}
