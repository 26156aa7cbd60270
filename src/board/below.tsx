/** What stands below the alert that leads a row. */
import type { Alert } from '../api/disruptions.ts';
import type { FeedEntry } from '../api/feeds.ts';
import { gradeOf } from '../feeds/alerts.ts';
import { sayingForms, shortPlaces } from '../feeds/shortTitles.ts';
import { silentWords } from '../feeds/sources.ts';
import { useClock, useThen } from '../time/clock.ts';
import { serverNow } from '../time/freshness.ts';
import { Severity } from '../ui/Severity.tsx';
import { isPlanned } from '#contract/disruptions.ts';
import { type Below, When } from './Lead.tsx';
import styles from './Lead.module.css';

/** The next alert. Screen readers have it in the list of all. */
export const alertBelow = (alert: Alert): Below => ({
  key: alert.event_id,
  id: alert.event_id,
  symbol: isPlanned(alert) ? 'Planned' : <Severity grade={gradeOf(alert)} />,
  text: sayingForms(alert),
  place: alert.facts?.place ? shortPlaces(alert.facts.place) : [],
  time: <When alert={alert} />,
  hidden: true,
});

/** The sources without recent information, so that alerts may be missing beside these; empty while there are none. */
export function useSilentBelow(feed: FeedEntry): Below[] {
  const then = useThen();
  const words = (now: Date) => silentWords(feed, now, then !== null);
  useClock((now) => words(now)?.forms[0] ?? null);
  const silent = words(then ?? serverNow());
  if (!silent) return [];
  return [
    {
      key: 'silent',
      symbol: (
        <>
          <span className={styles.dash} aria-hidden="true" />
          {silent.label}
        </>
      ),
      text: silent.forms,
    },
  ];
}
