/** The times of an alert on the wall: its end, and since when it is in force. Band, rows and lists take them from
 *  here. */
import { DAY_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { alertTime, dateOf, isAhead } from '../../../feeds/alerts/alerts.ts';
import { begunAt, clearAt, isOverdue, WEEKDAY } from '../../../feeds/alerts/alertTimes.ts';
import { formatClock, formatDay } from '../../../time/london.ts';

/** "05:31", "Mon 21:40" on another day, "16 Nov" when that is more than 24 hours away. */
export function wallClock(at: Date, now: Date): string {
  if (Math.abs(at.getTime() - now.getTime()) > DAY_MS) return formatDay(at, now);
  const clock = formatClock(at);
  return londonDay(at) === londonDay(now) ? clock : `${WEEKDAY.format(at)} ${clock}`;
}

/** "about " for ends that the publisher can only estimate. The end of a warning or of works is set beforehand. */
const about = ({ event_type }: Alert): string =>
  /^(?:weather|flood)\.|works$/.test(event_type ?? '') ? '' : 'about ';

/** "until about 11:00"; '' when nobody gives an end, or when that time has passed. */
export function untilOnWall(alert: Alert, now: Date): string {
  const end = clearAt(alert);
  return end && !isOverdue(end, now) ? `until ${about(alert)}${wallClock(end, now)}` : '';
}

/** "since 05:31". If its publisher gives no time, the time since which it is known; '' when there is none either. */
export function sinceOnWall(alert: Alert, now: Date): string {
  const known = [begunAt(alert, now), dateOf(alert.start_time), alertTime(alert)];
  const at = known.find((time) => time && !isAhead(time, now));
  return at ? `since ${wallClock(at, now)}` : '';
}

/** The one time that matters most: the end, otherwise the start. */
export const timeOnWall = (alert: Alert, now: Date): string =>
  untilOnWall(alert, now) || sinceOnWall(alert, now);
