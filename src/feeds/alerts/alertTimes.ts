/** When an alert began and when it is expected to end, in the words that all screens share. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { isPlanned, plannedStart, stateSince } from '#contract/incidents/disruptions.ts';
import { london, londonDay } from '#contract/london.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { formatClock, formatDay } from '../../time/london.ts';
import { alertTime, dateOf, isAhead, startText } from './alerts.ts';

/** "05:42"; "21:04 yesterday", "02:00 tomorrow"; "16 Nov" when that is more than 24 hours away. Never "6 days". */
export function shortTime(at: Date, now: Date): string {
  if (Math.abs(at.getTime() - now.getTime()) > DAY_MS) return formatDay(at, now);
  const [day, today] = [londonDay(at), londonDay(now)];
  return `${formatClock(at)}${day < today ? ' yesterday' : day > today ? ' tomorrow' : ''}`;
}

/** Since when an active alert has had its present grade and effect. Null when its publisher gives no time, or a time
 *  in the future. */
export function begunAt(alert: Alert, now: Date): Date | null {
  const start = dateOf(stateSince(alert));
  return start && !isAhead(start, now) ? start : null;
}

/** "New 07:51" for an alert that we first had then. "New to us 07:51" if it had begun before, because "New" would
 *  contradict an earlier "since" beside it. '' if its present state is newer than that, because "since" then says
 *  more. */
export function newWords(at: Date, alert: Alert, now: Date, clock = shortTime): string {
  const begun = begunAt(alert, now);
  const minutes = begun ? minuteOf(begun) - minuteOf(at) : 0;
  if (minutes > 0) return '';
  return `${minutes < 0 ? 'New to us' : 'New'} ${clock(at, now)}`;
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);

/** When the alert is expected to be over; null when nobody gives a time. */
export const clearAt = ({ facts, end_time }: Alert): Date | null =>
  dateOf(facts ? facts.expected_clear : end_time);

/** Whether the expected end is past. The publisher still lists the alert. */
export const isOverdue = (end: Date, now: Date) => now.getTime() - end.getTime() >= MINUTE_MS;

/** "since 05:42"; '' when the publisher gives no time. */
export function sinceWords(alert: Alert, now: Date): string {
  const start = begunAt(alert, now);
  return start ? `since ${shortTime(start, now)}` : '';
}

/** "until 11:00"; after that "expected clear at 11:00, still listed"; '' when nobody gives a time. */
export function untilWords(alert: Alert, now: Date): string {
  const end = clearAt(alert);
  if (!end) return '';
  return isOverdue(end, now)
    ? `expected clear ${atTime(end, now)}, still listed`
    : `until ${shortTime(end, now)}`;
}

const atTime = (at: Date, now: Date) =>
  Math.abs(at.getTime() - now.getTime()) > DAY_MS ? `on ${formatDay(at, now)}` : `at ${formatClock(at)}`;

/** When the team is asked again whether its own report still holds, which is not its end; null for other alerts. */
const askAgainAt = ({ metadata }: Alert): Date | null => dateOf(metadata?.ask_again_at);

/** "Our report, we ask again at 17:08"; after that "Our report, not confirmed since 17:08"; '' for other alerts. */
export function askWords(alert: Alert, now: Date): string {
  const words = shortAskWords(alert, now);
  return words && `Our report, ${words.startsWith('ask') ? `we ${words}` : words}`;
}

/** "ask again at 17:08" */
function shortAskWords(alert: Alert, now: Date): string {
  const at = askAgainAt(alert);
  if (!at) return '';
  return at > now ? `ask again at ${shortTime(at, now)}` : `not confirmed since ${shortTime(at, now)}`;
}

/** All known times: "05:31 to about 11:00", otherwise "since 05:31", "until 11:00" or "reported 05:33". */
export function spanWords(alert: Alert, now: Date): string {
  if (isPlanned(alert)) return fromToday(alert, now);
  const start = begunAt(alert, now);
  const end = clearAt(alert);
  if (end && isOverdue(end, now)) return untilWords(alert, now);
  if (start && end) return `${shortTime(start, now)} to about ${shortTime(end, now)}`;
  return sinceWords(alert, now) || untilWords(alert, now) || reportedWords(alert, now);
}

/** The one time that matters most, for a narrow place: the end, otherwise the start. */
export function endOrStartWords(alert: Alert, now: Date): string {
  if (isPlanned(alert)) return fromToday(alert, now);
  if (askAgainAt(alert)) return shortAskWords(alert, now);
  const end = clearAt(alert);
  return (end && !isOverdue(end, now) && untilWords(alert, now)) || startedWords(alert, now);
}

const startedWords = (alert: Alert, now: Date) => sinceWords(alert, now) || reportedWords(alert, now);

function reportedWords(alert: Alert, now: Date): string {
  const at = alertTime(alert);
  return at && !isAhead(at, now) ? `reported ${shortTime(at, now)}` : '';
}

/** The bare time beside a line of a list: "05:44", "16 Nov"; for a planned alert "from 21:00". */
export function briefTime(alert: Alert, now: Date): string {
  if (isPlanned(alert)) return fromWords(alert, now);
  const at = begunAt(alert, now) ?? alertTime(alert);
  return at && !isAhead(at, now) ? shortTime(at, now) : '';
}

export const WEEKDAY = london({ weekday: 'short' });

/** When a planned alert begins: "from 21:00" today, "from Mon 10:00" within six days, otherwise "from 28 Nov". */
export function fromWords(alert: Alert, now: Date): string {
  const start = startText(alert) ? dateOf(plannedStart(alert)) : null;
  if (!start) return '';
  if (londonDay(start) === londonDay(now)) return `from ${formatClock(start)}`;
  const ahead = start.getTime() - now.getTime();
  return ahead > 0 && ahead < 6 * DAY_MS
    ? `from ${WEEKDAY.format(start)} ${formatClock(start)}`
    : `from ${formatDay(start, now)}`;
}

/** The same words on their own: "From 09:00 today", "From Mon 10:00", "From 28 Nov"; "Planned" without a start. */
export function fromToday(alert: Alert, now: Date): string {
  const words = fromWords(alert, now);
  if (!words) return 'Planned';
  const start = dateOf(plannedStart(alert));
  const today = start && londonDay(start) === londonDay(now) ? ' today' : '';
  return `F${words.slice(1)}${today}`;
}
