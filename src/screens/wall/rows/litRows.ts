/** Which rows of the wall are lit: rows whose lead is new, or became worse, since anybody in the team looked. */
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import type { BoardNews } from '../../../feeds/refresh/boardNews.ts';
import { newWords } from '../../../feeds/alerts/alertTimes.ts';
import { orderOf, trendText } from '../../../feeds/alerts/leadAlerts.ts';
import { wallClock } from '../words/shownTime.ts';

const LIT_MS = 10 * 60_000;
/** The most lit rows: with more, none would stand out. */
const LIT_AT_MOST = 2;

/**
 * The alerts that light their rows, at most one of each row, the worst first. `seen`: alerts that somebody has seen.
 */
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

/** When the alert came or became worse, within the last ten minutes; otherwise null. */
function newsAt(alert: Alert, came: BoardNews['came'], now: Date): number | null {
  const at = Math.max(came.get(alert.event_id) ?? -Infinity, worseAt(alert) ?? -Infinity);
  const age = now.getTime() - at;
  // A clock that was set back makes no alert new.
  return age >= 0 && age < LIT_MS ? at : null;
}

const worseAt = ({ trend }: Alert): number | null =>
  trend?.direction === 'worse' ? (dateOf(trend.since)?.getTime() ?? null) : null;

/** "worse since 06:01", "New 06:02", "New to us 06:02"; '' for other alerts. */
export function litText(alert: Alert, { came }: Pick<BoardNews, 'came'>, now: Date): string {
  const at = came.get(alert.event_id);
  const worse = worseAt(alert);
  return worse !== null && worse >= (at ?? worse)
    ? trendText(alert, now)
    : newWords(new Date(at ?? now), alert, now, wallClock);
}
