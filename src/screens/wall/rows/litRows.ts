/** Which rows of the wall are lit: those whose lead is new, or got worse, since anyone of the team looked. */
import { worstFirst } from '#contract/incidents/disruptions.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import type { BoardNews } from '../../../feeds/refresh/boardNews.ts';
import { newWords } from '../../../feeds/alerts/alertTimes.ts';
import { orderOf, trendText } from '../../../feeds/alerts/worst.ts';
import { wallClock } from '../words/shownTime.ts';

const LIT_MS = 10 * 60_000;
/** More would say nothing: the eye goes to what is lit. */
const LIT_AT_MOST = 2;

/** The alerts by which rows are lit, one of a row, the worst first. `seen`: what somebody has seen. */
export function litAlerts(
  rows: readonly Pick<Row, 'events'>[],
  { came }: Pick<BoardNews, 'came'>,
  seen: Readonly<Record<string, string>>,
  now: Date,
): Alert[] {
  const isNews = (alert: Alert) => !seen[alert.event_id] && newsAt(alert, came, now) !== null;
  return rows
    .flatMap(({ events }) => orderOf(events).leads.filter(isNews).slice(0, 1))
    .toSorted(worstFirst)
    .slice(0, LIT_AT_MOST);
}

/** When it came, or got worse since, within the last ten minutes; else null. */
function newsAt(alert: Alert, came: BoardNews['came'], now: Date): number | null {
  const at = Math.max(came.get(alert.event_id) ?? -Infinity, worseAt(alert) ?? -Infinity);
  const age = now.getTime() - at;
  // A clock that was set back makes nothing new.
  return age >= 0 && age < LIT_MS ? at : null;
}

const worseAt = ({ trend }: Alert): number | null =>
  trend?.direction === 'worse' ? (dateOf(trend.since)?.getTime() ?? null) : null;

/** "worse since 06:01", "New 06:02", "New to us 06:02"; '' where neither is so. */
export function litText(alert: Alert, { came }: Pick<BoardNews, 'came'>, now: Date): string {
  const at = came.get(alert.event_id);
  const worse = worseAt(alert);
  return worse !== null && worse >= (at ?? worse)
    ? trendText(alert, now)
    : newWords(new Date(at ?? now), alert, now, wallClock);
}
