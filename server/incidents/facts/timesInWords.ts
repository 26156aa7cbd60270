/**
 * When something is in force, as words say it: from and until, hours of each night or of some days, several days. Clock
 * times are London's. Nothing is guessed but the day: the one nearest to when it was written.
 */
import { londonDay } from '#contract/london.ts';
import { type TimeWindow, Weekday } from '#contract/incidents/windows.ts';
import { periodOfMoments } from './moments.ts';
import { fromWelsh } from './welshTimes.ts';
import { at, clockText, plus, tokensOf, WEEKDAY, weekdayOf, type Token } from './timeTokens.ts';

export interface Times {
  /** UTC; null: the words do not say. */
  start: string | null;
  end: string | null;
  windows: TimeWindow[];
  /** Since when it is as it is: "closed since 14:30", "reopened at 09:10". */
  since?: string;
  /** "Overnight" without hours: those are what is usual. */
  isGuessed?: true;
}

const READ_MAX = 1000;
const ONE_NIGHT_MS = 24 * 60 * 60_000;
const RECURS = new RegExp(
  String.raw`\b(?:each|every|nightly|nights|overnights|daily|days? a week|week(?:day|night|end)s?|${WEEKDAY}s|for (?:\w+ )?(?:nights|days))\b`,
  'i',
);
/** Without one of these words there is no time in it. */
const HINT =
  /\d|night|week|daily|\bhours?\b|\bday\b|today|tomorrow|yesterday|noon|midday|further notice|foreseeable|(?:mon|tues|wednes|thurs|fri|satur|sun)day/i;

/** `written`: when the text was, UTC. */
export function timesInWords(text: string, written: string): Times {
  const said = fromWelsh(text.slice(0, READ_MAX));
  const none: Times = { start: null, end: null, windows: [] };
  if (!HINT.test(said)) return none;
  const today = londonDay(new Date(written));
  const tokens = tokensOf(said, today);
  const clocks = clockRangesOf(tokens, said);
  const days = daysOf(tokens, said, today);
  const has = (kind: Token['kind']) => tokens.some((token) => token.kind === kind);
  const recurs = recurrenceOf(tokens, said) ?? hoursOfEachDay(tokens, said);
  const range = clocks[0] ?? null;

  const told = periodOfMoments(tokens, said, written);
  const isOneNight =
    told?.start &&
    told.end &&
    Date.parse(told.end) - Date.parse(told.start) < ONE_NIGHT_MS &&
    !RECURS.test(said);
  if (told && isOneNight) return { ...told, windows: [] };
  const isList = days.list.length > 1 && !days.isRange;
  if (recurs && !(isList && range && !recurs.days)) {
    const isNightly = has('nights') && !range;
    const hours = range ?? (isNightly ? NIGHT : null);
    if (!hours || hours.from === null || hours.to === null) {
      return days.first || days.last ? periodOf(days, null) : none;
    }
    const period = periodOf(days, hours as { from: number; to: number }, false, recurs.days);
    const start = period.start ?? (has('week') ? at(today, hours.from) : null);
    const end = has('notice') ? null : period.end;
    // "07:00 to 09:00 and 16:00 to 18:00"
    const all = clocks.filter(({ from, to }) => from !== null && to !== null);
    const windows = (all.length > 1 ? all : [hours]).map(({ from, to }): TimeWindow => ({
      start,
      end,
      ...(recurs.days && { days: recurs.days }),
      from: clockText(from!), // both are there
      to: clockText(to!),
    }));
    return {
      start,
      end,
      windows,
      ...(isNightly && { isGuessed: true }),
    };
  }
  if (told) return { ...told, windows: [] };
  if (isList) {
    // Single days, each with the same hours or whole.
    const windows = days.list.map((day) => onDay(day, range));
    const isOneRun = !range && areNeighbours(days.list);
    return {
      start: windows[0]!.start,
      end: windows.at(-1)!.end,
      windows: isOneRun ? [] : windows,
    };
  }
  if (days.isRange)
    return { ...periodOf(days, range && { from: range.from ?? 0, to: range.to ?? 0 }, true), windows: [] };
  if (!range && !days.first && !days.last) {
    const saturday = plus(
      today,
      Math.max(5 - weekdayOf(today), 0) + (/\bnext weekend\b/i.test(said) ? 7 : 0),
    );
    if (has('weekend')) return { start: at(saturday, 0), end: at(saturday, 2 * 1440), windows: [] };
    if (has('tonight') && SHUTS.test(said))
      return { start: at(today, NIGHT.from), end: at(today, NIGHT.to + 1440), windows: [], isGuessed: true };
  }
  if (range || days.first || days.last) {
    const day =
      days.first ?? days.last ?? (range?.isTonight || !range ? today : nearestDay(range, written, today));
    const one = onDay(day, range);
    const startsOnly = range && range.to === null;
    const endsOnly = range && range.from === null;
    // "Until Wednesday morning": that is no time.
    const isVague = !range && days.isUntil && VAGUE.test(said);
    return {
      start: endsOnly || (!range && days.isUntil) ? null : one.start,
      end: startsOnly || isVague || has('notice') || (!range && days.isFrom) ? null : one.end,
      windows: [],
    };
  }
  return none;
}

const VAGUE = /\b(?:until|till|by) (?:\w+ ){0,3}(?:morning|afternoon|evening|night)\b/i;
const SHUTS = /\b(?:clos|shut|closure|works?\b|no trains|resurfac|block)/i;
/** Night as roads authorities mean it where they give no hours. */
const NIGHT = { from: 20 * 60, to: 6 * 60, isTonight: false } satisfies ClockRange;

interface ClockRange {
  /** Minutes of the day. */
  from: number | null;
  to: number | null;
  isTonight: boolean;
}

/** "20:00 to 06:00", "between 9.30am and 3.30pm", "from 20:00", "until 15:00". */
function clockRangesOf(tokens: readonly Token[], said: string): ClockRange[] {
  const ranges: ClockRange[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind !== 'clock') continue;
    const next = nextClock(tokens, at, said);
    const before = said.slice(Math.max(0, token.at - 24), token.at).toLowerCase();
    const isTonight = tokens.some(({ kind }) => kind === 'tonight');
    if (next) {
      ranges.push({ from: token.minutes % 1440, to: next.minutes % 1440, isTonight });
      at = tokens.indexOf(next);
    } else if (
      /\b(?:until|till|to|by|before|end(?:s|ing)? at|reopen\w* at|clear\w* (?:by|at|around)|normal (?:by|at)|last until|finish\w*(?: at| by)?)(?: about| around| approximately| at least)? ?$/.test(
        before,
      )
    ) {
      ranges.push({ from: null, to: token.minutes % 1440, isTonight });
    } else if (/\b(?:from|after|start\w*(?: at)?|begin\w*(?: at)?|at|since) ?$/.test(before)) {
      ranges.push({ from: token.minutes, to: null, isTonight });
    }
  }
  return ranges;
}

/** The clock that a "to", "until" or "and" joins to this one, a day between them or not. */
function nextClock(tokens: readonly Token[], at: number, said: string) {
  let joined = false;
  for (const token of tokens.slice(at + 1, at + 6)) {
    if (token.kind === 'join' && (token.word === 'to' || token.word === 'until' || token.word === 'and'))
      joined = true;
    else if (token.kind === 'clock') {
      const gap = said.slice(tokens[at]!.end, token.at);
      return joined && gap.length <= 40 && !/[.;](?:\s|$)/.test(gap) ? token : null;
    } else if (token.kind !== 'day') return null;
  }
  return null;
}

interface Days {
  list: string[];
  first: string | null;
  last: string | null;
  /** From the first to the last. */
  isRange: boolean;
  isFrom: boolean;
  isUntil: boolean;
}

function daysOf(tokens: readonly Token[], said: string, today: string): Days {
  const isWeekRange = weekRangeOf(said) !== null;
  const named = tokens.filter(
    (token) => token.kind === 'day' && !token.plural && !(isWeekRange && token.weekday !== null),
  );
  const list: string[] = [];
  // "22:00 to 05:00 tonight and tomorrow night"
  if (
    tokens.some(({ kind }) => kind === 'tonight') &&
    /\b(?:tonight|this evening) and tomorrow\b/i.test(said)
  )
    list.push(today);
  let isRange = false;
  let isFrom = false;
  let isUntil = false;
  for (const [at, token] of named.entries()) {
    if (token.kind !== 'day') continue;
    const before = said.slice(Math.max(0, token.at - 20), token.at).toLowerCase();
    if (/\b(?:except|excluding|apart from|but not)(?: on)? $/.test(before)) continue;
    const next = token.day ?? whichDay(token, named.slice(at + 1), list.at(-1) ?? today, said);
    if (!next) continue;
    // "Since Sunday" was the last one.
    const isPast =
      token.weekday !== null && next > today && /\b(?:since|issued(?: at)?) (?:\S+ on )?$/.test(before);
    const day = isPast ? plus(next, -7) : next;
    // "Since Monday 23 November; due to reopen on Friday 4 December"
    if (
      isFrom &&
      list.length > 0 &&
      /\b(?:until|till|(?:re-?open|end|finish|clear|complet)\w*)(?: on| by)? $/.test(before)
    )
      isRange = true;
    const isLinked = at > 0 && /^[^.;]{0,45}$/.test(said.slice(named[at - 1]!.end, token.at));
    if (
      list.length > 0 &&
      isLinked &&
      joinsRange(said.slice(named[at - 1]!.end, token.at), said, named[at - 1]!)
    )
      isRange = true;
    if (list.length === 0 && /\b(?:until|till|to|by|ends?|ending)(?: on)?(?: \S+ on)? ?$/.test(before))
      isUntil = true;
    if (
      list.length === 0 &&
      /\b(?:from|starting|beginning|starts?|begins?|since)(?: on)?(?: \S+ on)? ?$/.test(before)
    )
      isFrom = true;
    if (!list.includes(day)) list.push(day);
  }
  list.sort();
  const span = tokens.find((token) => token.kind === 'for');
  const first = list[0] ?? (span && tokens.some(({ kind }) => kind === 'tonight') ? today : null);
  if (span?.kind === 'for' && first && list.length <= 1 && span.unit !== 'hour') {
    const days = span.unit === 'week' ? span.count * 7 : span.count;
    return { list: [first], first, last: plus(first, days - 1), isRange: true, isFrom: true, isUntil: false };
  }
  if (isUntil && list.length === 1)
    return { list, first: null, last: list[0]!, isRange: false, isFrom: false, isUntil };
  return { list, first, last: list.at(-1) ?? null, isRange, isFrom, isUntil };
}

const joinsRange = (gap: string, said: string, previous: Token) =>
  /\b(?:to|until|till|through|end(?:s|ing)?)\b|[-–—]/i.test(gap) ||
  (/\band\b/i.test(gap) &&
    /\bbetween (?:\S+ ){0,3}$/i.test(said.slice(Math.max(0, previous.at - 30), previous.at)));

/** "Saturday 28 and Sunday 29 November": the month is the later one's. "Friday" is the next, today's own included. */
function whichDay(
  token: Extract<Token, { kind: 'day' }>,
  later: readonly Token[],
  from: string,
  said: string,
): string | null {
  if (token.ofMonth !== null) {
    const next = later.find((one) => one.kind === 'day' && one.day !== null);
    if (next?.kind !== 'day' || !next.day) return null;
    return `${next.day.slice(0, 8)}${String(token.ofMonth).padStart(2, '0')}`;
  }
  if (token.weekday === null) return null;
  const isNext = /\bnext $/i.test(said.slice(Math.max(0, token.at - 5), token.at));
  const ahead = (token.weekday - weekdayOf(from) + 7) % 7;
  return plus(from, isNext && ahead === 0 ? 7 : ahead);
}

/** Which days of the week; null: it does not recur. */
function recurrenceOf(tokens: readonly Token[], said: string): { days: Weekday[] | null } | null {
  const has = (kind: Token['kind']) => tokens.some((token) => token.kind === kind);
  const all = Weekday.options;
  const isTonight = /\b(?:overnight)\b/i.test(said) && has('tonight');
  const week = weekRangeOf(said);
  if (week) return { days: week };
  const isWeekdays = has('weekdays');
  if (isWeekdays && has('weekends')) return { days: null };
  if (isWeekdays) return { days: all.slice(0, 5) };
  const plural = tokens.flatMap((token) =>
    token.kind === 'day' && token.plural && token.weekday !== null ? [all[token.weekday]!] : [],
  );
  const isExcept =
    /\b(?:except|excluding|not|but not|apart from)(?: on)? (?:\w+days?(?: and |, | or )){0,3}$/i.test(
      said.slice(0, tokens.find((token) => token.kind === 'day' && token.plural)?.at ?? 0),
    );
  if (plural.length > 0) return { days: all.filter((day) => plural.includes(day) !== isExcept) };
  if (has('weekends') && /\b(?:each|every|weekends)\b/i.test(said)) return { days: ['sat', 'sun'] };
  // "Daily … except Saturday 5 December": one of the days of a week.
  const except = /\b(?:except|excluding|apart from|but not)(?: on)? (\p{L}+)day\b/iu
    .exec(said)?.[1]
    ?.toLowerCase();
  if (has('daily') && except) return { days: all.filter((day) => !except.startsWith(day)) };
  if (has('daily')) return { days: null };
  const span = tokens.find((token) => token.kind === 'for');
  const isSpan = span?.kind === 'for' && span.unit === 'night';
  if (isSpan || (has('nights') && !isTonight)) {
    // "overnight on Friday 27 November" is one night.
    const days = tokens.filter((token) => token.kind === 'day');
    const isOne =
      /\bovernight\b/i.test(said) &&
      !/\b(?:each|every|nightly|nights|overnights)\b/i.test(said) &&
      days.length <= 1 &&
      !isSpan;
    return isOne && days.length === 1 ? null : { days: null };
  }
  return null;
}

/** "Monday 30 November - Friday 11 December, 9.30am - 3.30pm": two days, then two clocks, or the other way round. */
function hoursOfEachDay(tokens: readonly Token[], said: string): { days: null } | null {
  const marks = tokens.filter(({ kind }) => kind === 'clock' || kind === 'day');
  const kinds = marks.map(({ kind }) => kind).join(' ');
  if (kinds !== 'day day clock clock' && kinds !== 'clock clock day day') return null;
  const gap = (at: number) => said.slice(marks[at]!.end, marks[at + 1]!.at);
  const joins = (at: number) => /^ ?(?:to|until|-|–|—|and) ?(?:\p{L}+day )?$/iu.test(gap(at));
  const isApart = /^(?:,| from| between| each day| daily|:|;| \()? ?(?:from |between )?$/i.test(gap(1));
  return joins(0) && joins(2) && isApart && (kinds.startsWith('day') || gap(1) !== ' ')
    ? { days: null }
    : null;
}

const WEEK_RANGE = new RegExp(
  String.raw`\b(?:each |every )?(${WEEKDAY})s?(?: nights?)? ?(?:to|-|–|until|through) ?(${WEEKDAY})s?\b(?! (?:the )?\d{1,2}(?:st|nd|rd|th)?\b(?!:|\d|[ap]m))`,
  'i',
);

/** "Mon–Thu", "Monday to Friday": without a date these are days of every week. */
function weekRangeOf(said: string): Weekday[] | null {
  const [, one, other] = WEEK_RANGE.exec(said) ?? [];
  if (!one || !other) return null;
  const all = Weekday.options;
  const [from, to] = [one, other].map((day) =>
    all.findIndex((name) => day.toLowerCase().startsWith(name)),
  ) as [number, number];
  const count = ((to - from + 7) % 7) + 1;
  return all.filter((_, at) => (at - from + 7) % 7 < count);
}

/** `isWhole`: the days are one stretch of time, so that the hours are those of its ends. */
function periodOf(
  { first, last, isRange, isUntil }: Days,
  hours: { from: number; to: number } | null,
  isWhole = false,
  of: readonly Weekday[] | null = null,
): { start: string | null; end: string | null; windows: TimeWindow[] } {
  const to = isRange || isUntil ? last : isWhole ? last : null;
  const start = first && at(first, hours?.from ?? 0);
  // The last night ends on the day after it.
  const isNight = !isWhole && hours !== null && hours.to <= hours.from;
  // "Monday to Friday 20:00-06:00 until Friday 4 December": that night is one of them.
  const isLastNight = isNight && (!isUntil || Boolean(to && of?.includes(Weekday.options[weekdayOf(to)]!)));
  const end = to && at(to, hours ? hours.to + (isLastNight ? 1440 : 0) : 1440);
  return { start, end, windows: [] };
}

function onDay(day: string, range: ClockRange | null): TimeWindow {
  if (!range) return { start: at(day, 0), end: at(day, 1440) };
  const { from, to } = range;
  const isNextDay = from !== null && to !== null && to <= from;
  return {
    start: from === null ? null : at(day, from),
    end: to === null ? null : at(day, to === 0 && from === null ? 1440 : to + (isNextDay ? 1440 : 0)),
  };
}

const PAST_MS = 6 * 60 * 60_000;

/** Today, unless that was hours before it was written. */
function nearestDay({ from, to }: ClockRange, written: string, today: string): string {
  const last = to !== null && from !== null && to <= from ? to + 1440 : (to ?? from ?? 0);
  const ends = at(today, last === 0 ? 1440 : last);
  return ends && Date.parse(ends) < Date.parse(written) - PAST_MS ? plus(today, 1) : today;
}

const areNeighbours = (days: readonly string[]) =>
  days.every((day, at) => at === 0 || plus(days[at - 1]!, 1) === day);
