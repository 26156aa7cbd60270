/** Recent changes on the board, so that updates and screen care can avoid important moments. */
import { create } from 'zustand';
import { serverNow } from '../../time/freshness.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { alertTime, dateOf, gradeOf, isCounted, isCritical } from '../alerts/alerts.ts';

/** Times are in milliseconds, by the server's clock. */
export interface BoardNews {
  /** When a refresh last changed a row; null when none has. */
  changedAt: number | null;
  /** By `event_id`, when each active critical alert became critical, as far as this page knows. */
  criticals: ReadonlyMap<string, number>;
  /** When each active critical or high alert came, or last became worse. */
  alarms: ReadonlyMap<string, number>;
  /** When each active alert came. */
  came: ReadonlyMap<string, number>;
}

export const useBoardNews = create<BoardNews>(() => ({
  changedAt: null,
  criticals: new Map(),
  alarms: new Map(),
  came: new Map(),
}));

/** `changed`: whether a reader would see a difference from the previous rows of the same board. */
export function noteRows(rows: readonly Row[], changed: boolean, now = serverNow().getTime()): void {
  const before = useBoardNews.getState();
  const criticals = new Map<string, number>();
  const alarms = new Map<string, number>();
  const came = new Map<string, number>();
  for (const alert of rows.flatMap(({ events }) => events).filter(isCounted)) {
    const begun = dateOf(alert.start_time) ?? alertTime(alert);
    const at = changed ? now : Math.min(now, begun?.getTime() ?? now);
    came.set(alert.event_id, before.came.get(alert.event_id) ?? at);
  }
  for (const alert of rows.flatMap(({ events }) => events).filter(isSevere)) {
    const { event_id, trend } = alert;
    // Each alert is noted once: some publishers change their times at every poll, which is not news.
    const came = changed ? now : Math.min(now, alertTime(alert)?.getTime() ?? now);
    if (isCritical(alert)) criticals.set(event_id, before.criticals.get(event_id) ?? came);
    const worse = trend?.direction === 'worse' ? (dateOf(trend.since)?.getTime() ?? 0) : 0;
    alarms.set(event_id, Math.max(before.alarms.get(event_id) ?? came, worse));
  }
  useBoardNews.setState({ changedAt: changed ? now : before.changedAt, criticals, alarms, came });
}

const isSevere = (alert: Alert) => isCritical(alert) || (isCounted(alert) && gradeOf(alert) === 'high');

const NEW_CRITICAL_MS = 10 * 60_000;
const STIR_MS = 60_000;

/** Whether a critical alert arrived less than 10 minutes ago. */
export const criticalIsNew = ({ criticals }: BoardNews, now: number) =>
  [...criticals.values()].some((came) => within(NEW_CRITICAL_MS, came, now));

/** Whether a critical or high alert came or became worse within the last 10 minutes. */
export const alarmIsNew = ({ alarms, criticals }: BoardNews, now: number) =>
  [...alarms.values(), ...criticals.values()].some((came) => within(NEW_CRITICAL_MS, came, now));

/** Whether there is no critical alert newer than 10 minutes, and no change for 60 s. */
export const isQuiet = (news: BoardNews, now: number) =>
  !criticalIsNew(news, now) && !(news.changedAt !== null && within(STIR_MS, news.changedAt, now));

/** A time further ahead than this was noted before the clock was set back, so it does not count. */
const within = (ms: number, at: number, now: number) => Math.abs(now - at) < ms;
