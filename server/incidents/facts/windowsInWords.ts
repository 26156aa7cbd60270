/** Hours on some days within the whole span: of each night, of days of every week, of several days or weekends. */
import { HOUR_MS } from '#contract/durations.ts';
import { type TimeWindow, Weekday } from '#contract/incidents/windows.ts';
import { DAY_MINUTES, endsOf, isEnd, isStart, type Hours, type Phrase } from './timePhrase.ts';
import { clockText, instantOf, plus, weekdayOf, type Token } from './timeTokens.ts';

export interface Times {
  /** UTC; null: the words do not give it. */
  start: string | null;
  end: string | null;
  windows: TimeWindow[];
  /** Since when the present state exists: "closed since 14:30", "reopened at 09:10". */
  since?: string;
  /** "Overnight" without hours: the usual hours are used. */
  isGuessed?: true;
  /** True: the end has a time, and not only a day. */
  isEndByClock?: true;
  /** Days without a time, or times without a day: two sentences may give one time together. */
  lacks?: 'clock' | 'day';
}

/** The hours of a night, as road authorities mean it when they give none. */
export const NIGHT: Hours = { from: 20 * 60, to: 6 * 60 };
const WEEK = Weekday.options;

/** The first and last day in the words. A last day after "until" may be the morning on which a night ends. */
export function boundsOf({ runs, list, moments, length, today, said }: Phrase): {
  first: string | null;
  last: string | null;
  isUntil: boolean;
  isMonth: boolean;
} {
  const days = moments.filter(({ day }) => day !== null);
  const until = days.find(isEnd);
  const from = days.find((one) => isStart(one)) ?? days.find((one) => !isEnd(one));
  const run = runs[0];
  const sorted = list.toSorted();
  let first = run?.first ?? sorted[0] ?? from?.day ?? null;
  let last = runs.at(-1)?.last ?? sorted.at(-1) ?? until?.day ?? null;
  const isUntil = !run && sorted.length === 0 && until !== undefined && from === undefined;
  if (length && /^(?:week|month)$/.test(length.unit) && runs.length === 1 && run?.isWeek)
    last = lastOfLength(run.first, length);
  if (length && length.unit !== 'hour' && !last) {
    if (!first && (/\btonight\b/i.test(said) || (length.unit === 'night' && length.isNext))) first = today;
    if (first) last = lastOfLength(first, length);
  }
  return { first, last, isUntil, isMonth: Boolean(run?.isMonth) };
}

export function lastOfLength(first: string, { count, unit }: Extract<Token, { kind: 'length' }>): string {
  if (unit === 'month') {
    const date = new Date(`${first}T12:00:00Z`);
    date.setUTCMonth(date.getUTCMonth() + count);
    return plus(date.toISOString().slice(0, 10), -1);
  }
  if (unit === 'weekday') return plus(first, (count - 1) * 7);
  if (unit === 'weekend') return plus(first, (count - 1) * 7 + Math.max(6 - weekdayOf(first), 0));
  return plus(first, (unit === 'week' ? count * 7 : count) - 1);
}

/** Hours on some days of every week, on each day of a run, or in each night. */
export function recurring(phrase: Phrase): Times | null {
  const { week, list, length, moments, said, today, hasNotice } = phrase;
  const weekends = stretchesOfWeekends(phrase);
  if (weekends) return weekends;
  const { first, last, isUntil, isMonth } = boundsOf(phrase);
  const isRepeated = phrase.isDaily || phrase.isNightly || week !== null;
  const clocks = moments.filter(({ clock }) => clock !== null);
  const [opens, closes] = clocks;
  const stretch =
    clocks.length === 2 && isEnd(closes!) && !isEnd(opens!) ? endsOf(opens, closes, phrase) : null;
  const isLong = first !== null && last !== null && last > plus(first, isUntil ? 1 : 0);
  const isLasting =
    length !== null && length.unit !== 'hour' && (length.count > 1 || /^(?:week|month)/.test(length.unit));
  const hasHours = phrase.hours.length > 0;
  // "On three Sundays: 29 November, 6 and 13 December"
  const areDates = !hasHours && list.every((day) => week?.includes(WEEK[weekdayOf(day)]!));
  if (list.length > 1 && (!week || areDates) && !(phrase.isDaily && areNeighbours(list.toSorted())))
    return null;
  const isNights = phrase.isNight || (length?.unit === 'night' && length.count > 1);
  const hasLonger = isLong || (hasHours && isLasting && first !== null);
  const isSpan = hasLonger && (hasHours || isNights || (stretch !== null && isLasting));
  const apart = hasHours ? moments.filter(({ day, clock }) => day !== null && clock === null) : [];
  const isUntilDay = isUntil && last !== today && apart.some(isEnd);
  const isFromDay = !phrase.hours[0]?.day && apart.some(({ role }) => role === 'from');
  const isOvernight = phrase.isNight && !hasHours && !first && clocks.length === 0;
  if (!isRepeated && !isSpan && !isUntilDay && !isFromDay && !isOvernight) return null;
  const isOneNight = phrase.isNight && !week && !phrase.isDaily && !RECURS.test(said);
  if (
    isOneNight &&
    stretch?.start &&
    stretch.end &&
    Date.parse(stretch.end) - Date.parse(stretch.start) <= 24 * HOUR_MS
  )
    return null;
  if (isOneNight && first !== null && (last === null || last === first) && !isUntil && !isLasting)
    return null;

  const own: readonly Hours[] =
    phrase.hours.length > 0
      ? phrase.hours
      : stretch
        ? [{ from: opens!.clock! % DAY_MINUTES, to: closes!.clock! % DAY_MINUTES }]
        : hoursOfDay(phrase);
  const isGuess = own.length === 0 && isNights && clocks.length === 0 && SHUTS.test(said);
  const hours = isGuess ? [NIGHT] : own;
  if (hours.length === 0) {
    if (!isRepeated) return null;
    // "After 22:15 each night from Monday 7 December"
    const from = clocks.length === 1 && opens!.day === null && isStart(opens!) ? opens!.clock! : 0;
    return {
      start: first && instantOf(first, from),
      end: last && !hasNotice ? instantOf(last, DAY_MINUTES) : null,
      windows: [],
    };
  }
  const isOn = (day: string) => !week || week.includes(WEEK[weekdayOf(day)]!);
  // "Every Saturday in December" begins on the first of them.
  const within =
    isMonth && first ? Array.from({ length: 31 }, (_, days) => plus(first, days)).filter(isOn) : [];
  const begins =
    within[0] ?? (first && Array.from({ length: 7 }, (_, days) => plus(first, days)).find(isOn)) ?? first;
  // "Monday to Friday for two weeks": the last of them.
  const lastOn =
    (length || !isUntil) && last && week
      ? Array.from({ length: 7 }, (_, days) => plus(last, -days)).find(isOn)
      : last;
  const ends = within.findLast((day) => last !== null && day <= last) ?? lastOn ?? last;
  const isNight = hours.some(({ from, to }) => to <= from);
  // "Four nights between 7 and 11 December"
  const isCounted = length?.unit === 'night' && first !== null && last === plus(first, length.count);
  const isToMorning =
    phrase.isToMorning ||
    isCounted ||
    moments.some((one) => isEnd(one) && one.day === ends && one.isPart && !one.isNight);
  const isLastNight = isNight && !isToMorning && (!isUntil || Boolean(phrase.isNamed && ends && isOn(ends)));
  const isEachOwn = hours.length > 1 && hours.every((one) => one.week);
  /** "Monday to Friday 8am to 4pm, Saturday 8am to 1pm": each day has its own. */
  const hoursOn = (day: string | null) => {
    const its = isEachOwn && day ? hours.filter((one) => one.week!.includes(WEEK[weekdayOf(day)]!)) : [];
    return its.length > 0 ? its : hours;
  };
  const lastTo = isNight
    ? hours.find(({ from, to }) => to <= from)!.to
    : Math.max(...hoursOn(ends).map(({ to }) => to));
  const start = begins ? instantOf(begins, Math.min(...hoursOn(begins).map(({ from }) => from))) : null;
  const exact = clocks.find((one) => one.day === ends && isEnd(one));
  const end =
    !ends || hasNotice ? null : instantOf(ends, exact?.clock ?? lastTo + (isLastNight ? DAY_MINUTES : 0));
  const windows = hours.map(({ from, to, week: own }): TimeWindow => {
    const days = isEachOwn ? own : week;
    return { start, end, ...(days && { days }), from: clockText(from), to: clockText(to) };
  });
  return { start, end, windows, ...(isGuess && { isGuessed: true }) };
}

/** "On Sundays until 12:00 each day": from the day's beginning. "On the 7th, 8th and 9th from 8pm until 6am" */
function hoursOfDay({ moments, week, list, isDaily, said }: Phrase): Hours[] {
  const [one, other, ...more] = moments.filter(({ clock }) => clock !== null);
  if (!one || more.length > 0 || one.day !== null || other?.day) return [];
  if (other)
    return list.length > 1 && isStart(one) && isEnd(other) ? [{ from: one.clock!, to: other.clock! }] : [];
  const isOfDays = (week !== null || isDaily) && !/\bnight/i.test(said);
  return one.role === 'to' && isOfDays ? [{ from: 0, to: one.clock! }] : [];
}

const RECURS =
  /\b(?:each|every|nightly|nights|overnights|daily|days? a week|for (?:\w+ )?(?:nights|days))\b/i;
const WEEKENDS_MAX = 30;

/** "From 9pm Friday until 5am Monday on two consecutive weekends": one window for each weekend. */
function stretchesOfWeekends(phrase: Phrase): Times | null {
  const { length, isWeekend, moments } = phrase;
  const [opens, closes] = moments.filter(({ clock }) => clock !== null);
  // "From 9pm on Fridays to 5am on Mondays on 8 and 15 January"
  const [friday] = phrase.list;
  const ends = phrase.week?.find((day) => friday && WEEK.indexOf(day) !== weekdayOf(friday));
  const isFridays =
    friday && ends && opens && closes && !opens.day && !closes.day && phrase.week?.length === 2;
  if (length?.unit !== 'weekend' && !isWeekend && !isFridays) return null;
  if (isFridays) {
    opens.day = friday;
    closes.day = plus(friday, (WEEK.indexOf(ends) - weekdayOf(friday) + 7) % 7);
  }
  // "Starting at 9pm on Friday 8 January, reopening at 5am each Monday"
  const [closing] = phrase.week?.length === 1 ? phrase.week : [];
  if (opens?.day && closes && !closes.day && closing)
    closes.day = plus(opens.day, (WEEK.indexOf(closing) - weekdayOf(opens.day) + 7) % 7);
  if (!opens?.day || !closes?.day) return null;
  // "12/13 and 19/20 December, from 8pm on Saturday to 8am on Sunday"
  const opening = weekdayOf(opens.day);
  const dates = phrase.list.filter((day) => weekdayOf(day) === opening);
  if (dates.length > 1) {
    const days = (weekdayOf(closes.day) - opening + 7) % 7;
    const each = dates.map((day) => ({
      start: instantOf(day, opens.clock!),
      end: instantOf(plus(day, days), closes.clock!),
    }));
    return { start: each[0]!.start, end: each.at(-1)!.end, windows: each, isEndByClock: true };
  }
  const one = opens && closes && isEnd(closes) ? endsOf(opens, closes, phrase) : null;
  if (!one?.start || !one.end || Date.parse(one.end) - Date.parse(one.start) < 24 * HOUR_MS) return null;
  const { last } = boundsOf({
    ...phrase,
    moments: moments.filter((moment) => moment !== closes),
    length: null,
  });
  const count = length?.unit === 'weekend' ? length.count : last ? WEEKENDS_MAX : 1;
  const [from, to] = [opens!, closes!];
  const windows: TimeWindow[] = [];
  for (let at = 0; at < count; at++) {
    const start = instantOf(plus(from.day!, at * 7), from.clock!);
    const end = instantOf(plus(to.day!, at * 7), to.clock!);
    if (last && length?.unit !== 'weekend' && plus(from.day!, at * 7) > last) break;
    windows.push({ start, end });
  }
  const [first] = windows;
  // "Weekends (Friday 8pm to Monday 6am) until 14 December", when that day is over: no weekend is left.
  if (!first) return { start: null, end: null, windows: [] };
  const isOpen = isWeekend && !last && length?.unit !== 'weekend';
  return {
    start: first.start,
    end: isOpen ? null : windows.at(-1)!.end,
    windows: windows.length > 1 ? windows : [],
    isEndByClock: true,
  };
}

/** Single days, runs of days or spans beside each other, each whole or with the same hours. */
export function singleDays(phrase: Phrase): Times | null {
  const { list, runs, hours, moments } = phrase;
  let windows: TimeWindow[] = [];
  if (list.length > 1) {
    const days = list.toSorted();
    const own = hours.length > 0 ? hours : hoursOfDay(phrase);
    if (own.length === 0 && moments.every(({ clock }) => clock === null) && areNeighbours(days))
      return { start: instantOf(days[0]!, 0), end: instantOf(days.at(-1)!, DAY_MINUTES), windows: [] };
    windows = days.flatMap((day) => onDay(day, own.length > 0 ? own : [{ from: 0, to: DAY_MINUTES }]));
    // "Two weekends: 28/29 November and 5/6 December"
    if (own.length === 0 && /\bweekends?\b/i.test(phrase.said)) windows = joinedUp(windows);
    const [opens] = moments.filter(({ clock }) => clock !== null);
    if (own.length === 0 && opens) {
      const isTo = isEnd(opens);
      windows[0]!.start = isTo ? windows[0]!.start : instantOf(days[0]!, opens.clock!);
      windows.at(-1)!.end = isTo
        ? instantOf(opens.day ?? days.at(-1)!, opens.clock!)
        : /\ball day\b/i.test(phrase.said)
          ? windows.at(-1)!.end
          : null;
      if (areNeighbours(days)) return { start: windows[0]!.start, end: windows.at(-1)!.end, windows: [] };
    }
  } else if (runs.length > 1 && hours.length === 0)
    windows = runs.map(({ first, last }) => ({
      start: instantOf(first, 0),
      end: instantOf(last, DAY_MINUTES),
    }));
  else if (runs.length === 0 && hours.length === 0) {
    const clocked = moments.filter(({ clock }) => clock !== null);
    const isPairs =
      clocked.length > 2 &&
      clocked.length % 2 === 0 &&
      clocked.every(
        (one, at) =>
          isEnd(one) === (at % 2 === 1) ||
          (at % 2 === 1 && one.role === 'and' && clocked[at - 1]!.role === 'between'),
      );
    if (!isPairs) return null;
    for (let at = 0; at < clocked.length; at += 2) {
      const ends = endsOf(clocked[at], clocked[at + 1], phrase);
      if (ends) windows.push(ends);
    }
  } else if (hours.length > 1 && runs.length === 0) {
    const told =
      moments.find((one) => one.day !== null)?.day ?? hours.find(({ day }) => day)?.day ?? phrase.today;
    const isEachOwn = hours.every(({ day }) => day);
    windows = hours.flatMap((one) => onDay((isEachOwn && one.day) || told, [one]));
  }
  if (windows.length < 2) return null;
  const sorted = windows.toSorted((one, other) => ((one.start ?? '') < (other.start ?? '') ? -1 : 1));
  return { start: sorted[0]!.start, end: sorted.at(-1)!.end, windows: sorted };
}

export const onDay = (day: string, hours: readonly Hours[]): TimeWindow[] =>
  hours.map(({ from, to }) => ({
    start: instantOf(day, from),
    end: instantOf(day, to + (to <= from ? DAY_MINUTES : 0)),
  }));

/** Days that follow each other as one span. */
const joinedUp = (days: readonly TimeWindow[]): TimeWindow[] =>
  days.reduce<TimeWindow[]>((stretches, { start, end }) => {
    const last = stretches.at(-1);
    if (last?.end && last.end === start) last.end = end;
    else stretches.push({ start, end });
    return stretches;
  }, []);

const areNeighbours = (days: readonly string[]) =>
  days.every((day, at) => at === 0 || plus(days[at - 1]!, 1) === day);

export const SHUTS =
  /\b(?:clos|shut|closure|works?\b|repairs? will be|maintenance|no trains|resurfac|block)/i;
