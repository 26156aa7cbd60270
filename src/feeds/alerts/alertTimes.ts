/** When an alert began and when it is expected to end, in the words that all screens share. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { isPlanned, stateSince } from '#contract/incidents/disruptions.ts';
import { london, londonDay } from '#contract/london.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { formatClock, formatDay } from '../../time/london.ts';
import { alertTime, dateOf, isAhead, startText } from './alerts.ts';

/** "05:42"; "21:04 yesterday", "02:00 tomorrow"; "16 Nov" when that is more than 24 hours away: never "6 days". */
export function shortTime(at: Date, now: Date): string {
  if (Math.abs(at.getTime() - now.getTime()) > DAY_MS) return formatDay(at, now);
  const [day, today] = [londonDay(at), londonDay(now)];
  return `${formatClock(at)}${day < today ? ' yesterday' : day > today ? ' tomorrow' : ''}`;
}

/** Since when an active alert is as it is: the time of its present grade and effect. Null where its publisher does not say, or
 *  says a time that has not come. */
export function begunAt(alert: Alert, now: Date): Date | null {
  const start = dateOf(stateSince(alert));
  return start && !isAhead(start, now) ? start : null;
}

/** "New 07:51" of one that we first had then; "New to us 07:51" where it had begun before, for "New" beside an earlier "since"
 *  would be false. '' where it is as it is since later: "since" is the newer. */
export function newWords(at: Date, alert: Alert, now: Date, clock = shortTime): string {
  const begun = begunAt(alert, now);
  const minutes = begun ? minuteOf(begun) - minuteOf(at) : 0;
  if (minutes > 0) return '';
  return `${minutes < 0 ? 'New to us' : 'New'} ${clock(at, now)}`;
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);

/** When it is expected to be over; null where nobody says. */
export const clearAt = ({ facts, end_time }: Alert): Date | null =>
  dateOf(facts ? facts.expected_clear : end_time);

/** Past its expected end, and its publisher still lists it. */
export const isOverdue = (end: Date, now: Date) => now.getTime() - end.getTime() >= MINUTE_MS;

/** "since 05:42"; '' where its publisher does not say. */
export function sinceWords(alert: Alert, now: Date): string {
  const start = begunAt(alert, now);
  return start ? `since ${shortTime(start, now)}` : '';
}

/** "until 11:00"; "expected clear at 11:00, still listed" after that; '' where nobody says. */
export function untilWords(alert: Alert, now: Date): string {
  const end = clearAt(alert);
  if (!end) return '';
  return isOverdue(end, now)
    ? `expected clear ${atTime(end, now)}, still listed`
    : `until ${shortTime(end, now)}`;
}

const atTime = (at: Date, now: Date) =>
  Math.abs(at.getTime() - now.getTime()) > DAY_MS ? `on ${formatDay(at, now)}` : `at ${formatClock(at)}`;

/** When the team is asked again about its own report, which is no end; null of all else. */
const askAgainAt = ({ metadata }: Alert): Date | null => dateOf(metadata?.ask_again_at);

/** "Our report, we ask again at 17:08"; "Our report, not confirmed since 17:08" after that; '' of all else. */
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

/** All that is known: "05:31 to about 11:00", else "since 05:31", else "until 11:00", else "reported 05:33". */
export function spanWords(alert: Alert, now: Date): string {
  if (isPlanned(alert)) return fromToday(alert, now);
  const start = begunAt(alert, now);
  const end = clearAt(alert);
  if (end && isOverdue(end, now)) return untilWords(alert, now);
  if (start && end) return `${shortTime(start, now)} to about ${shortTime(end, now)}`;
  return sinceWords(alert, now) || untilWords(alert, now) || reportedWords(alert, now);
}

/** The one time that matters most, for a narrow place: when it ends, else since when. */
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

/** The bare time beside a line of a list: "05:44", "16 Nov"; of a planned one "from 21:00". */
export function briefTime(alert: Alert, now: Date): string {
  if (isPlanned(alert)) return fromWords(alert, now);
  const at = begunAt(alert, now) ?? alertTime(alert);
  return at && !isAhead(at, now) ? shortTime(at, now) : '';
}

export const WEEKDAY = london({ weekday: 'short' });

/** When something planned begins: "from 21:00" today, "from Mon 10:00" within six days, else "from 28 Nov". */
export function fromWords(alert: Alert, now: Date): string {
  const start = startText(alert) ? dateOf(alert.start_time) : null;
  if (!start) return '';
  if (londonDay(start) === londonDay(now)) return `from ${formatClock(start)}`;
  const ahead = start.getTime() - now.getTime();
  return ahead > 0 && ahead < 6 * DAY_MS
    ? `from ${WEEKDAY.format(start)} ${formatClock(start)}`
    : `from ${formatDay(start, now)}`;
}

/** The same, to stand alone: "From 09:00 today", "From Mon 10:00", "From 28 Nov"; "Planned" without a start. */
export function fromToday(alert: Alert, now: Date): string {
  const words = fromWords(alert, now);
  if (!words) return 'Planned';
  const start = dateOf(alert.start_time);
  const today = start && londonDay(start) === londonDay(now) ? ' today' : '';
  return `F${words.slice(1)}${today}`;
}
