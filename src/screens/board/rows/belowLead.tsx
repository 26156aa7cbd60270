/** The lines below the alert that leads a row. */
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../../api/alerts/feeds.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { sayingForms, shortPlaces } from '../../../feeds/alerts/titles.ts';
import { silentWords } from '../../../feeds/alerts/sourceStatus.ts';
import { useClock, useThen } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { type GoneLine, useChanges } from '../../../shift/changes/changeStore.ts';
import { type Below, When } from '../Lead.tsx';
import styles from '../Lead.module.css';

/** The next alert. Screen readers have it in the list of all alerts. */
export const alertBelow = (alert: Alert): Below => ({
  key: alert.event_id,
  of: alert,
  symbol: isPlanned(alert) ? 'Planned' : <Severity grade={gradeOf(alert)} />,
  text: sayingForms(alert),
  place: alert.facts?.place ? shortPlaces(alert.facts.place) : [],
  time: <When alert={alert} />,
  hidden: true,
  isGrave: isPlanned(alert) ? false : alert.severity === 'critical' || alert.severity === 'high',
});

/** The first `places` of these lines. An alert that is over replaces the last one, unless that is critical, high, a
 *  silent source, or has changed itself. */
export function withGone(
  lines: readonly Below[],
  places: number,
  gone: GoneLine | undefined,
): readonly Below[] {
  const shown = lines.slice(0, places);
  const last = shown[places - 1];
  if (!gone || last?.isGrave || (last?.of && useChanges.getState().marks[last.of.event_id])) return shown;
  const over: Below = {
    key: 'gone',
    of: { event_id: gone.id },
    symbol: gone.word,
    text: [gone.title],
    isGone: true,
  };
  return [...shown.slice(0, places - 1), over];
}

/** The sources without recent information, so that alerts may be missing; empty when there are none. */
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
          <span className={styles.dash} data-forced="ink" aria-hidden="true" />
          {silent.label}
        </>
      ),
      text: silent.forms,
      isGrave: true,
    },
  ];
}
