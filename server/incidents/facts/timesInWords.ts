/**
 * When something is in force, as words say it: from and until, hours of each night or of some days, several days. Clock
 * times are London's. The words are read as a small grammar: tokens, then hours ("20:00 to 06:00"), runs and lists of days,
 * days of every week, and moments (a day, a clock, or both) with the role that the words before them give.
 */
import { HOUR_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import { type TimeWindow, Weekday } from '#contract/incidents/windows.ts';
import { plainTimes } from './plainTimes.ts';
import {
  clockText,
  EVENT_ON,
  instantOf,
  IS_PAST,
  isFiller,
  isTime,
  plus,
  SINCE_THEN,
  tokensOf,
  weekdayOf,
  type Role,
  type Token,
} from './timeTokens.ts';

export interface Times {
  /** UTC; null: the words do not say. */
  start: string | null;
  end: string | null;
  windows: TimeWindow[];
  /** Since when it is as it is: "closed since 14:30", "reopened at 09:10". */
  since?: string;
  /** "Overnight" without hours: those are what is usual. */
  isGuessed?: true;
  /** The end has a clock time, not only a day. */
  isEndByClock?: true;
  /** Days without a clock, or clocks without a day: two sentences may tell one time. */
  lacks?: 'clock' | 'day';
}

const READ_MAX = 1000;
const DAY_MINUTES = 24 * 60;
const NOON = 12 * 60;
/** A publisher's end may be this long before what it wrote. */
const PAST_MS = 3 * HOUR_MS;
/** Night as roads authorities mean it where they give no hours. */
const NIGHT: Hours = { from: 20 * 60, to: 6 * 60 };
const WEEK = Weekday.options;
const NONE: Times = { start: null, end: null, windows: [] };

/** Without one of these there is no time in it: numbers alone are those of roads and junctions. */
const HINT =
  /\b\d{1,2}[:.]\d{2}|\b\d{3,4}(?: ?hrs|h?\b|[ap]m|z)|\d ?[ap]\.?m\b|\b\d{1,2}[/.-]\d{1,2}\b|\d(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|night|week|daily|\bhours?\b|\d minutes\b|\bdays?\b|-day\b|today|tomorrow|yesterday|month|morning|evening|noon|midday|end of|christmas|boxing|new year|\b(?:mon|tue|wed|thu|fri|sat|sun)/i;

/** Sentences are read for their end and for their hours; what was read last is kept. */
const kept = new Map<string, Times>();
const KEPT_MAX = 200;

/** `written`: when the text was, UTC. */
export function timesInWords(text: string, written: string): Times {
  const read = text.slice(0, READ_MAX);
  const key = `${written} ${read}`;
  let times = kept.get(key);
  if (!times) {
    const said = plainTimes(read);
    if (!HINT.test(said)) return NONE;
    times = timesOfPhrase(phraseOf(said, written));
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, times);
  }
  return times;
}

const timesOfPhrase = (phrase: Phrase): Times =>
  statesSince(phrase) ?? recurring(phrase) ?? singleDays(phrase) ?? oneStretch(phrase) ?? NONE;

interface Hours {
  /** Minutes of the day. */
  from: number;
  to: number;
  /** Day to which the hours belong, when it stands beside them; else the weekdays before them. */
  day?: string | null;
  week?: Weekday[];
}

interface Run {
  first: string;
  last: string;
  /** Index at which its words end. */
  end: number;
  isMonth?: true;
  /** "W/c 30 November", which a length counts from. */
  isWeek?: true;
}

interface Moment {
  day: string | null;
  /** Minutes of the day. */
  clock: number | null;
  /** UTC, in a field's form. */
  instant: string | null;
  role: Role | 'and' | null;
  /** The day's words are the later ones, and may be those of both ends: "from 20:00 to 06:00 on Friday". */
  isDayLast: boolean;
  isNight: boolean;
  isPart: boolean;
  at: number;
  end: number;
}

interface Phrase {
  said: string;
  written: string;
  today: string;
  hours: Hours[];
  runs: Run[];
  /** Single days beside each other: "25, 26 and 27 November". */
  list: string[];
  /** Days of every week, in the order of the week; null: it does not recur, or the words give no days. */
  week: Weekday[] | null;
  /** The days are named, not given as all except some. */
  isNamed: boolean;
  isDaily: boolean;
  isNightly: boolean;
  /** "Overnight" */
  isNight: boolean;
  isWeekend: boolean;
  hasNotice: boolean;
  /** The last day given is the morning on which the last night ends. */
  isToMorning: boolean;
  length: Extract<Token, { kind: 'length' }> | null;
  moments: Moment[];
}

/** No honest sentence gives more hours. */
const HOURS_MAX = 6;
/** Characters between two times that belong together. */
const GAP_MAX = 45;

function phraseOf(said: string, written: string): Phrase {
  const today = londonDay(new Date(written));
  const tokens = tokensOf(said, written, today);
  const phrase: Phrase = {
    said,
    written,
    today,
    hours: [],
    runs: [],
    list: [],
    week: null,
    isNamed: false,
    isDaily: false,
    isNightly: false,
    isNight: false,
    isWeekend: false,
    hasNotice: tokens.some(({ kind }) => kind === 'notice'),
    isToMorning: false,
    length: tokens.find((token) => token.kind === 'length') ?? null,
    moments: [],
  };
  const gap = (one: number, other: number) => said.slice(tokens[one]!.end, tokens[other]!.at);
  const isNear = (one: number, other: number) =>
    gap(one, other).length <= GAP_MAX && !/[.;](?:\s|$)/.test(gap(one, other));
  const kindAt = (index: number) => tokens[index]?.kind;
  const isLinked = (one: number, other: number) =>
    tokens[one] !== undefined && tokens[other] !== undefined && isLink(gap(one, other));
  const roleAt = (index: number): Moment['role'] => roleOf(tokens, index, phrase);
  const isTo = (index: number, first: number) => {
    const token = tokens[index];
    // "Between 7 and 9am and 4 and 6pm"
    if (token?.kind === 'and')
      return (
        roleAt(first) === 'between' ||
        (kindAt(first) === 'clock' && roleAt(first) === 'and' && phrase.hours.length > 0)
      );
    if (token?.kind !== 'role') return token?.kind === 'join';
    // "Reopens at 1pm, with lane 3 following by 6pm": two ends.
    const isEndOfOwn = said.slice(token.at, token.end) === 'by' && !isFiller(gap(first, index));
    return !isEndOfOwn && (token.role === 'to' || token.role === 'before');
  };
  /** The second of two that "to" joins, after the first at `index`. */
  const joined = (index: number): number | null => {
    const other = index + 2;
    return isTo(index + 1, index) && kindAt(other) === kindAt(index) && isNear(index, other) ? other : null;
  };
  const hasHours = tokens.some(({ kind }, index) => kind === 'clock' && joined(index) !== null);
  const weekly = new Set<Weekday>();
  const except = new Set<Weekday>();
  const weekRuns: Run[] = [];
  /** Day names of a list that gives no dates: "Tuesday and Thursday". */
  let names: string[] = [];
  /** Days of the week since the last hours: "Monday to Friday 8am to 6pm, Saturday 8am to 1pm". */
  let ownWeek: Weekday[] = [];
  let isExcept = false;

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const before = tokens[index - 1];
    if (before?.kind === 'except') isExcept = isFiller(gap(index - 1, index));
    else if (before?.kind !== 'and') isExcept = false;
    if (token.kind === 'set') {
      const isWeekdays = token.days?.length === 5;
      // "Weekday evenings: Mondays and Thursdays"
      const isSome = !isExcept && !isWeekdays && before?.kind !== 'join';
      if (isSome && weekly.size === 5 && token.days?.every((day) => weekly.has(day))) weekly.clear();
      for (const day of token.days ?? []) (isExcept ? except : weekly).add(day);
      if (isExcept) continue;
      ownWeek = [...ownWeek, ...(token.days ?? [])];
      phrase.isDaily ||= !token.days && !token.isNight;
      phrase.isNight ||= Boolean(token.isNight);
      phrase.isNightly ||= Boolean(token.isNight && !token.isWeak);
      phrase.isWeekend ||= token.days?.join() === 'sat,sun';
      // "Every Tuesday and Thursday evening"
      if (token.days?.length === 1)
        for (let at = index + 1; kindAt(at) === 'and'; at += 2) {
          const next = tokens[at + 1];
          if (next?.kind !== 'day' || !next.isName) break;
          weekly.add(WEEK[weekdayOf(next.day)]!);
          index = at + 1;
        }
      // "Mondays to Fridays"
      const other = joined(index);
      const next = other === null ? undefined : tokens[other];
      if (next?.kind === 'set' && token.days?.length === 1 && next.days?.length === 1) {
        for (const day of daysBetween(token.days[0]!, next.days[0]!)) weekly.add(day);
        phrase.isNight ||= Boolean(next.isNight);
        index = other!;
      }
      // "Every Monday to Thursday night"
      const name = tokens[index + 2];
      if (token.days?.length === 1 && kindAt(index + 1) === 'join' && name?.kind === 'day' && name.isName) {
        for (const day of daysBetween(token.days[0]!, WEEK[weekdayOf(name.day)]!)) weekly.add(day);
        phrase.isNight ||= Boolean(name.isNight);
        index += 2;
      }
    } else if (token.kind === 'clock') {
      const other = joined(index);
      const isPeriod =
        other !== null &&
        kindAt(index - 1) === 'day' &&
        kindAt(other + 1) === 'day' &&
        kindAt(index - 2) !== 'join' &&
        !(isTo(other + 2, other + 1) && kindAt(other + 3) === 'day') &&
        isLinked(index - 1, index) &&
        isLinked(other, other + 1);
      const second = other === null || isPeriod ? undefined : tokens[other];
      if (second?.kind !== 'clock') {
        addClock(phrase, token, roleAt(index));
      } else {
        if (ENDS_BETWEEN.test(said.slice(Math.max(0, token.at - 70), token.at)))
          addClock(phrase, second, 'to');
        else if (phrase.hours.length < HOURS_MAX) {
          const day = [[index - 1, index] as const, [other!, other! + 1] as const]
            .filter(([one, next]) => isLinked(one, next))
            .map(([one, next]) => tokens[one === other ? next : one]!)
            .find((beside) => beside.kind === 'day');
          phrase.hours.push({
            from: token.minutes % DAY_MINUTES,
            to: second.minutes % DAY_MINUTES,
            day: day?.kind === 'day' ? day.day : null,
            ...(ownWeek.length > 0 && { week: ownWeek }),
          });
          ownWeek = [];
        }
        index = other!;
      }
    } else if (token.kind === 'day') {
      if (isExcept) {
        if (token.isName) except.add(WEEK[weekdayOf(token.day)]!);
        continue;
      }
      if (token.last) {
        phrase.runs.push({
          first: token.day,
          last: token.last,
          end: token.end,
          ...(token.isMonth && { isMonth: true }),
          ...(token.isWeek && { isWeek: true }),
        });
        continue;
      }
      // "Tuesday and Thursday evenings", "Monday to Friday nights"
      const plural = tokens[index + 2];
      if (token.isName && plural?.kind === 'set' && plural.days?.length === 1 && isNear(index, index + 2)) {
        const own = WEEK[weekdayOf(token.day)]!;
        const isRun = kindAt(index + 1) === 'join';
        if (isRun || kindAt(index + 1) === 'and') {
          for (const day of isRun ? daysBetween(own, plural.days[0]!) : [own]) weekly.add(day);
          continue;
        }
      }
      const other = joined(index);
      const isPeriod =
        !hasHours && kindAt(index - 1) === 'clock' && other !== null && kindAt(other + 1) === 'clock';
      const last = other === null || isPeriod ? undefined : tokens[other];
      if (last?.kind === 'day' && last.day >= token.day && !(last.isPart && !hasHours)) {
        const run = { first: token.day, last: last.day, end: last.end };
        const isWeek = token.isName && last.isName && !/\b(?:next|this|following) week\b/i.test(said);
        (isWeek ? weekRuns : phrase.runs).push(run);
        if (isWeek) ownWeek = daysBetween(WEEK[weekdayOf(run.first)]!, WEEK[weekdayOf(run.last)]!);
        phrase.isNight ||= hasHours && Boolean(last.isNight);
        phrase.isToMorning ||= Boolean(last.isPart && !last.isNight);
        index = other!;
        continue;
      }
      const days = [token.day];
      let end = index;
      for (let next = end + 1; next < tokens.length; next++) {
        const one = tokens[next]!;
        if (one.kind === 'and') continue;
        if (one.kind !== 'day' || one.last || !isNear(end, next) || next === end + 1) break;
        // "Saturday 28 and until 10:30 on Sunday": its own clock makes it a moment.
        if (joined(next) !== null || (!hasHours && kindAt(next + 1) === 'clock' && isLinked(next, next + 1)))
          break;
        if (!days.includes(one.day)) days.push(one.day);
        end = next;
      }
      const isOfWeek = token.isName && weekRuns.length + weekly.size > 0 && days.length === 1;
      if (isOfWeek && joined(index + 1) !== null && kindAt(index + 1) === 'clock') {
        // "Monday to Thursday 21:00 to 05:00, Friday 22:00 to 05:00"
        ownWeek = [WEEK[weekdayOf(token.day)]!];
        weekly.add(ownWeek[0]!);
      } else if (days.length > 1) {
        phrase.list.push(...days);
        if (tokens.slice(index, end + 1).every((one) => one.kind !== 'day' || one.isName)) names = days;
        index = end;
      } else addDay(phrase, token, roleAt(index));
    } else if (token.kind === 'instant')
      phrase.moments.push({
        ...EMPTY,
        instant: token.time,
        role: roleAt(index),
        at: token.at,
        end: token.end,
      });
  }
  // "Mon, Wed and Fri 8.15-9.15am until 18 December": days of every week, as it goes on after the last of them.
  const isLonger = phrase.moments.some(
    (one) => isEnd(one) && one.day !== null && one.day > names.toSorted().at(-1)!,
  );
  if (names.length > 0 && names.length === phrase.list.length && hasHours && isLonger) {
    for (const day of names) weekly.add(WEEK[weekdayOf(day)]!);
    phrase.list = [];
  }
  // "Mon–Thu" are days of every week where they have hours, and otherwise the next of these names.
  const isEveryWeek =
    hasHours ||
    phrase.moments.some(({ clock }) => clock !== null) ||
    weekly.size > 0 ||
    phrase.isDaily ||
    phrase.isNight;
  for (const { first, last, end } of weekRuns) {
    if (isEveryWeek)
      for (const day of daysBetween(WEEK[weekdayOf(first)]!, WEEK[weekdayOf(last)]!)) weekly.add(day);
    else phrase.runs.push({ first, last, end });
  }
  const all =
    weekly.size > 0 || except.size > 0 ? WEEK.filter((day) => weekly.size === 0 || weekly.has(day)) : null;
  phrase.week = all && all.filter((day) => !except.has(day));
  phrase.isNamed = weekly.size > 0;
  if (phrase.week?.length === WEEK.length) {
    phrase.week = null;
    phrase.isDaily = true;
  }
  return phrase;
}

function daysBetween(from: Weekday, to: Weekday): Weekday[] {
  const [first, last] = [WEEK.indexOf(from), WEEK.indexOf(to)];
  const count = ((last - first + 7) % 7) + 1;
  return WEEK.filter((_, at) => (at - first + 7) % 7 < count);
}

const EMPTY = {
  day: null,
  clock: null,
  instant: null,
  isDayLast: false,
  isNight: false,
  isPart: false,
} as const;

/** "Friday 27 November, from 20:00": the two belong together. */
const isLink = (gap: string) => {
  const between = gap
    .split(/[\s,(]/)
    .filter((word) => !/^(?:|about|around|approximately|approx\.?)$/i.test(word));
  return (
    between.length < 2 &&
    between.every((word) => /^(?:on|this|at|from|between|the|morning|evening|night|afternoon)$/i.test(word))
  );
};

/** A clock belongs to the day beside it. */
function addClock(
  { moments, said }: Phrase,
  { minutes, at, end }: Extract<Token, { kind: 'clock' }>,
  role: Moment['role'],
): void {
  const last = moments.at(-1);
  const gap = last ? said.slice(last.end, at) : '';
  // "Start Date: Tuesday, 01 December 2026 - 19:30"
  const isDated = gap === ' - ' && last?.role !== null;
  if (!last?.day || last.clock !== null || !(isDated || isLink(gap))) {
    moments.push({ ...EMPTY, clock: minutes, role, at, end });
    return;
  }
  last.clock = minutes;
  last.end = end;
  last.isDayLast = false;
  if (!isDated && (last.role === null || last.role === 'and' || (role !== null && role !== 'and')))
    last.role = role ?? last.role;
}

function addDay(
  { moments, said }: Phrase,
  token: Extract<Token, { kind: 'day' }>,
  role: Moment['role'],
): void {
  const last = moments.at(-1);
  const { day, at, end } = token;
  const gap = last ? said.slice(last.end, at) : '';
  const isBeside = last !== undefined && isLink(gap);
  const isNight = Boolean(token.isNight);
  if (isBeside && last.day === null && last.clock !== null && !/\b(?:from|between)\b/i.test(gap)) {
    Object.assign(last, { day, end, isDayLast: true, isNight });
    return;
  }
  // "27 November 2026 (Friday)", "today, Tuesday 24 November": one day told twice.
  if (isBeside && last.day === day) last.end = end;
  else moments.push({ ...EMPTY, day, role, isNight, isPart: Boolean(token.isPart), at, end });
}

/** Words of an event before its time; "signal failure, engineers due at 14:00" is another's. */
const HAPPENED =
  /\b(?:crash|collision|accident|fire|incident|failure|fault|landslip|fell|came down|overturned|caught|collided|hit|broke down|failed|blocked|closed|shut)\b(?:(?!\b(?:due|expected|should|will|calls?|next|updates?|arriv\w+)\b)[^.;]){0,30}\b(?:at(?: about| around| approximately| just (?:before|after))?|(?:shortly|soon|just) (?:before|after)) $/i;
/** "Expected to clear between 11:00 and 11:15": two guesses of one end. */
const ENDS_BETWEEN =
  /\b(?:(?:clear|end|re-?open|normal|resum|resolv|estimated|ease)\w*[^.;]{0,40}|expected )\bbetween (?:about |around )?$/i;

function roleOf(tokens: readonly Token[], index: number, { said, today }: Phrase): Moment['role'] {
  const time = tokens[index]!;
  const { at } = time;
  // "Reopening each morning at 6am"
  const isEach = tokens[index - 1]?.kind === 'set' && tokens[index - 2]?.kind === 'role';
  const token = tokens[index - (isEach ? 2 : 1)];
  const other = tokens[index - (isEach ? 3 : 2)];
  const last = tokens.slice(0, index).findLast((one) => isTime(one) || one.kind === 'set');
  const lead = said.slice(Math.max(last?.end ?? 0, at - 80), at);
  if (token && isFiller(said.slice(token.end, isEach ? tokens[index - 1]!.at : at))) {
    if (token.kind === 'role') {
      // "Normally from 15:00", "reopened as of 09:40"
      const isAfterRole =
        other?.kind === 'role' &&
        /^(?:to|reopened)$/.test(other.role) &&
        isFiller(said.slice(other.end, token.at));
      if (isAfterRole && /^(?:from|since)$/.test(token.role)) return other.role;
      // "Since before 6am"
      if (other?.kind === 'role' && other.role === 'since' && token.role === 'before') return 'since';
      // "Closed on Friday" is that day's, "closed on 3 November" since then.
      return token.isVerb && time.kind === 'day' && time.day >= today ? null : token.role;
    }
    const isAfterTime = last !== undefined && lead.length <= GAP_MAX;
    // "Delays through Thursday"
    const isThrough = time.kind === 'day' && /^thr/i.test(said.slice(token.at));
    if (token.kind === 'join' && (isAfterTime || isThrough)) return 'to';
    if (token.kind === 'and' && isAfterTime) return 'and';
  }
  const isSince =
    HAPPENED.test(lead) ||
    (time.kind === 'day' && EVENT_ON.test(lead)) ||
    SINCE_THEN.test(said.slice(time.end));
  return isSince ? 'since' : null;
}

/** "Lane two closed since 09:20, all lanes closed since 09:45": the state of now began with the later. */
function statesSince(phrase: Phrase): Times | null {
  const { moments, said } = phrase;
  const sinces = moments.filter(
    ({ role, clock }) => clock !== null && (role === 'since' || (role === 'from' && IS_STATE.test(said))),
  );
  if (sinces.length < 2 || sinces.length < moments.length || phrase.hours.length > 0) return null;
  const [first, last] = [sinces[0]!, sinces.at(-1)!]; // there are two
  const isClosedSince = CLOSES_WHOLE.test(said.slice(first.end, last.at));
  const [began, now] = [first, isClosedSince ? last : first].map((one) => endsOf(one, undefined, phrase));
  return { start: began?.start ?? null, end: null, windows: [], ...(now?.start && { since: now.start }) };
}

/** "One lane is open since 09:10" is no closure's time. */
const CLOSES_WHOLE =
  /\b(?:all lanes|carriageway|road|motorway|both (?:directions|ways)|fully|line)\b[^.]{0,30}\b(?:closed|shut|blocked|stopped|suspended)\b/i;
/** "was closed at 08:55" */
const IS_STATE = /\b(?:was|were|been|fully) (?:\w+ )?(?:closed|shut|blocked) at\b/i;

const isEnd = ({ role }: Moment) => role === 'to' || role === 'before';
const isStart = ({ role }: Moment) => role === 'from' || role === 'since' || role === 'between';

/** First and last day that the words give. A last day after "until" may be the morning on which a night ends. */
function boundsOf({ runs, list, moments, length, today, said }: Phrase): {
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

function lastOfLength(first: string, { count, unit }: Extract<Token, { kind: 'length' }>): string {
  if (unit === 'month') {
    const date = new Date(`${first}T12:00:00Z`);
    date.setUTCMonth(date.getUTCMonth() + count);
    return plus(date.toISOString().slice(0, 10), -1);
  }
  if (unit === 'weekday') return plus(first, (count - 1) * 7);
  if (unit === 'weekend') return plus(first, (count - 1) * 7 + Math.max(6 - weekdayOf(first), 0));
  return plus(first, (unit === 'week' ? count * 7 : count) - 1);
}

/** Hours of some days of every week, of each day of a run, or of each night. */
function recurring(phrase: Phrase): Times | null {
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
  if (list.length > 1 && (!week || areDates) && !phrase.isDaily) return null;
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
        : [];
  const isGuess = own.length === 0 && isNights && clocks.length === 0 && SHUTS.test(said);
  const hours = isGuess ? [NIGHT] : own;
  if (hours.length === 0) {
    if (!isRepeated) return null;
    return {
      start: first && instantOf(first, 0),
      end: last && !hasNotice ? instantOf(last, DAY_MINUTES) : null,
      windows: [],
    };
  }
  const isOn = (day: string) => !week || week.includes(WEEK[weekdayOf(day)]!);
  // "Every Saturday in December" begins on the first of them.
  const within =
    isMonth && first ? Array.from({ length: 31 }, (_, days) => plus(first, days)).filter(isOn) : [];
  const begins = within[0] ?? first;
  const ends = within.findLast((day) => last !== null && day <= last) ?? last;
  const isNight = hours.some(({ from, to }) => to <= from);
  const isToMorning =
    phrase.isToMorning || moments.some((one) => isEnd(one) && one.day === ends && one.isPart && !one.isNight);
  const isLastNight = isNight && !isToMorning && (!isUntil || Boolean(phrase.isNamed && ends && isOn(ends)));
  const lastTo = isNight
    ? hours.find(({ from, to }) => to <= from)!.to
    : Math.max(...hours.map(({ to }) => to));
  const start = begins ? instantOf(begins, Math.min(...hours.map(({ from }) => from))) : null;
  const exact = clocks.find((one) => one.day === ends && isEnd(one));
  const end =
    !ends || hasNotice ? null : instantOf(ends, exact?.clock ?? lastTo + (isLastNight ? DAY_MINUTES : 0));
  const isEachOwn = hours.length > 1 && hours.every((one) => one.week);
  const windows = hours.map(({ from, to, week: own }): TimeWindow => {
    const days = isEachOwn ? own : week;
    return { start, end, ...(days && { days }), from: clockText(from), to: clockText(to) };
  });
  return { start, end, windows, ...(isGuess && { isGuessed: true }) };
}

const RECURS =
  /\b(?:each|every|nightly|nights|overnights|daily|days? a week|for (?:\w+ )?(?:nights|days))\b/i;
const WEEKENDS_MAX = 30;

/** "From 9pm Friday until 5am Monday on two consecutive weekends": each of them. */
function stretchesOfWeekends(phrase: Phrase): Times | null {
  const { length, isWeekend, moments } = phrase;
  if (length?.unit !== 'weekend' && !isWeekend) return null;
  const [opens, closes] = moments.filter(({ clock }) => clock !== null);
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
  const isOpen = isWeekend && !last && length?.unit !== 'weekend';
  return {
    start: windows[0]!.start,
    end: isOpen ? null : windows.at(-1)!.end,
    windows: windows.length > 1 ? windows : [],
    isEndByClock: true,
  };
}

/** Single days, runs of days or stretches beside each other, each with the same hours or whole. */
function singleDays(phrase: Phrase): Times | null {
  const { list, runs, hours, moments } = phrase;
  let windows: TimeWindow[] = [];
  if (list.length > 1) {
    const days = list.toSorted();
    if (hours.length === 0 && moments.every(({ clock }) => clock === null) && areNeighbours(days))
      return { start: instantOf(days[0]!, 0), end: instantOf(days.at(-1)!, DAY_MINUTES), windows: [] };
    windows = days.flatMap((day) => onDay(day, hours.length > 0 ? hours : [{ from: 0, to: DAY_MINUTES }]));
    // "Two weekends: 28/29 November and 5/6 December"
    if (hours.length === 0 && /\bweekends?\b/i.test(phrase.said)) windows = joinedUp(windows);
    const [opens] = moments.filter(({ clock }) => clock !== null);
    if (hours.length === 0 && opens) {
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
    const told = moments.find((one) => one.day !== null)?.day ?? phrase.today;
    const isEachOwn = hours.every(({ day }) => day);
    windows = hours.flatMap((one) => onDay((isEachOwn && one.day) || told, [one]));
  }
  if (windows.length < 2) return null;
  const sorted = windows.toSorted((one, other) => ((one.start ?? '') < (other.start ?? '') ? -1 : 1));
  return { start: sorted[0]!.start, end: sorted.at(-1)!.end, windows: sorted };
}

const onDay = (day: string, hours: readonly Hours[]): TimeWindow[] =>
  hours.map(({ from, to }) => ({
    start: instantOf(day, from),
    end: instantOf(day, to + (to <= from ? DAY_MINUTES : 0)),
  }));

/** Days that follow each other as one stretch. */
const joinedUp = (days: readonly TimeWindow[]): TimeWindow[] =>
  days.reduce<TimeWindow[]>((stretches, { start, end }) => {
    const last = stretches.at(-1);
    if (last?.end && last.end === start) last.end = end;
    else stretches.push({ start, end });
    return stretches;
  }, []);

const areNeighbours = (days: readonly string[]) =>
  days.every((day, at) => at === 0 || plus(days[at - 1]!, 1) === day);

const SHUTS = /\b(?:clos|shut|closure|works?\b|repairs? will be|maintenance|no trains|resurfac|block)/i;

/** One stretch of time by its two ends, or by one of them. */
function oneStretch(phrase: Phrase): Times | null {
  const { hours, runs, moments, said, written, today, length, hasNotice } = phrase;
  const clocked = moments.filter(({ clock, instant }) => clock !== null || instant !== null);
  const lasting = length?.unit === 'hour' ? length.count : null;
  const isDelay = /\b(?:delay|queue)\w*(?: of)? (?:for )?up to/i.test(said);
  if (hours.length > 0) {
    const [own] = hours;
    const dayed = moments.find(({ day }) => day !== null);
    const day = runs[0]?.first ?? dayed?.day ?? nightsDay(own!, Date.parse(written), today);
    const [one] = onDay(day, [own!]);
    return {
      ...one!,
      end: hasNotice ? null : one!.end,
      windows: [],
      isEndByClock: true,
      ...(!dayed && runs.length === 0 && { lacks: 'day' }),
    };
  }
  const [clock] = clocked;
  const run = runs.at(-1);
  // "Monday 7 to Thursday 10 December: after 23:00"
  const isOfDays =
    run !== undefined &&
    clocked.length === 1 &&
    clock!.day === null &&
    !isLink(said.slice(run.end, clock!.at));
  if (clocked.length > 0 && !isOfDays) return byMoments(phrase, isDelay ? null : lasting);
  if (runs.length === 1 && length?.unit === 'weekend') return null;
  const { first, last } = boundsOf(phrase);
  if (!first && !last) {
    const isNext = lasting !== null && length!.isNext && !isDelay;
    return isNext
      ? { start: null, end: new Date(Date.parse(written) + lasting * HOUR_MS).toISOString(), windows: [] }
      : null;
  }
  const one = moments.find(({ day }) => day !== null);
  const isNight = phrase.isNight || one?.isNight;
  // "This morning" has no clock.
  if (one?.isPart && one.day === today && moments.length === 1 && !isNight && one.role === null) return null;
  if (isNight && first && !last && one && !isStart(one) && SHUTS.test(said)) {
    const [night] = onDay(first, [NIGHT]);
    return { ...night!, windows: [], isGuessed: true };
  }
  // "Until Wednesday morning": that is no time.
  const until = moments.find((moment) => isEnd(moment) && moment.day !== null);
  const isVague = runs.length === 0 && until?.isPart;
  const isFrom = one !== undefined && isStart(one) && !last;
  return {
    start: first && instantOf(first, 0),
    end: isVague || hasNotice || isFrom ? null : instantOf(last ?? first!, DAY_MINUTES),
    windows: [],
    lacks: 'clock',
    ...(one?.role === 'since' && first && { since: instantOf(first, 0)! }),
  };
}

function byMoments(phrase: Phrase, hours: number | null): Times | null {
  const { moments, runs, hasNotice, length } = phrase;
  const from = moments.find(isStart);
  const tos = moments.filter(
    (one) => isEnd(one) || (one.role === 'and' && from?.role === 'between' && one !== from),
  );
  // "One lane by 3pm and the road fully open by 6pm"
  const isInSteps = tos.length === 2 && OPENS_WHOLE.test(phrase.said.slice(tos[0]!.end, tos[1]!.at));
  const to = tos[isInSteps ? 1 : 0];
  const opened = moments.find(({ role }) => role === 'reopened');
  // "Northbound reopened at 6.20am but southbound is still closed", "one lane reopened at 9.30am"
  const isInPart =
    opened &&
    (STILL_CLOSED.test(phrase.said.slice(opened.end)) || OPENED_LANES.test(phrase.said.slice(0, opened.at)));
  const reopened = isInPart ? undefined : opened;
  // "Friday 27 November 22:00 to Monday 05:00", "20:00 - 06:00": the first needs no word.
  const unnamed = moments.find((one) => one !== to && one.role === null && (!to || one.at < to.at));
  const start = from ?? unnamed;
  const end = to ?? reopened;
  const day = runs[0]?.first;
  // "Sunday 6 December: closed from 8am and reopening at 12.30pm"
  const plain = moments.find((one) => one.day !== null && one.clock === null && one.role === null);
  if (start && !start.day) start.day = day ?? plain?.day ?? null;
  if (end && !end.day && runs[0]) end.day = runs[0].last;
  if (!from && !end && unnamed && !unnamed.instant && !(unnamed.day && unnamed.clock !== null)) {
    return unnamed.day && unnamed.clock === null
      ? { start: instantOf(unnamed.day, 0), end: instantOf(unnamed.day, DAY_MINUTES), windows: [] }
      : null;
  }
  const ends = endsOf(start, end, phrase);
  if (!ends) return null;
  if (ends.start && !ends.end && length) {
    const counted = length.isNext ? phrase.written : ends.start;
    if (hours !== null) ends.end = new Date(Date.parse(counted) + hours * HOUR_MS).toISOString();
    else if (start?.day && length.unit !== 'hour')
      ends.end = instantOf(plus(lastOfLength(start.day, length), 1), start.clock ?? 0);
  }
  if (!ends.end && runs[0] && start?.day === runs[0].first) ends.end = instantOf(runs[0].last, DAY_MINUTES);
  // "All sailings after 2pm today": no day's timetable goes beyond it.
  const isOfTimetable = from?.day != null && OF_TIMETABLE.test(phrase.said.slice(0, from.at));
  if (!ends.end && isOfTimetable) ends.end = instantOf(from.day!, DAY_MINUTES);
  if (hasNotice) ends.end = null;
  const since = reopened && end === reopened ? ends.end : start?.role === 'since' ? ends.start : null;
  return {
    ...ends,
    windows: [],
    ...(since && { since }),
    ...(ends.end && (end?.clock != null || end?.instant) && { isEndByClock: true }),
    ...(moments.every((one) => !one.day && !one.instant) && { lacks: 'day' }),
  };
}

const OPENS_WHOLE = /^[^.;]*\b(?:fully|completely|all lanes|normal|rest|whole|following)\b/i;
const OPENED_LANES =
  /\b(?:(?:one|two|a single|some) lanes?|lanes? (?:\d|one|two|three)\b)[^.;]{0,25}\bre-?opened[^.;]{0,20}$/i;
const STILL_CLOSED = /^[^.;]*\b(?:but|while|although|though)\b[^.;]*\b(?:closed|shut|blocked)\b/i;
const OF_TIMETABLE =
  /\b(?:sailings?|crossings|departures|flights|trains|services|buses|ferries) after(?: about| around)? $/i;

/** The day of the nearest of these hours: written at 01:00, "22:00 to 05:00" began yesterday. */
function nightsDay({ from, to }: Hours, now: number, today: string): string {
  const isNight = to <= from;
  const yesterdays = instantOf(today, to);
  if (isNight && to <= NOON && yesterdays && Date.parse(yesterdays) > now) return plus(today, -1);
  const ends = instantOf(isNight ? plus(today, 1) : today, to);
  return ends && Date.parse(ends) < now - 2 * PAST_MS ? plus(today, 1) : today;
}

/** "The road was closed until 4am" */
const WAS_UNTIL =
  /\b(?:was|were) (?:\w+ ){0,2}(?:closed|shut|blocked|suspended) (?:until|till?) (?:about |around )?$/i;
const IS_AHEAD =
  /\b(?:will|closes|shuts|starts|begins|planned|due to (?:be|re-?open|open|close|shut|start|begin|end|finish|take|run)|to be)\b/i;

/** The two ends in UTC, each on the day that is its own or the nearest to when it was written. */
function endsOf(
  start: Moment | undefined,
  end: Moment | undefined,
  phrase: Phrase,
): { start: string | null; end: string | null } | null {
  const { said, written, today } = phrase;
  const now = Date.parse(written);
  if (start?.instant || end?.instant) return { start: start?.instant ?? null, end: end?.instant ?? null };
  const from = start?.clock ?? null;
  const to = end?.clock ?? null;
  let first = start?.day ?? null;
  let last = end?.day ?? null;
  if (start && end) {
    const isNight = from !== null && to !== null && to <= from;
    if (!first && !last) first = from === null || to === null ? today : nightsDay({ from, to }, now, today);
    // "From 20:00 to 06:00 on Friday" begins then, "until 05:00 on Friday" ends then.
    if (!first && last) first = isNight && (last > today || !end.isDayLast) ? plus(last, -1) : last;
    first ??= today;
    const begins = Date.parse(instantOf(first, from ?? 0) ?? '');
    if (start.role === 'since' && !start.day && begins > now) {
      first = plus(first, -1);
      last ??= today;
    }
    // "Due to reopen at 6pm, after closing at 9am yesterday"
    if (!last && end.at < start.at) {
      const day = endsOf(undefined, end, phrase)?.end;
      last = day ? londonDay(new Date(day)) : null;
    }
    last ??= isNight ? plus(first, 1) : first;
    if (isNight && last === first) last = plus(first, 1);
    if (last < first) return null;
    return {
      start: instantOf(first, from ?? 0),
      end: end.isPart && to === null ? null : instantOf(last, to ?? DAY_MINUTES),
    };
  }
  if (start) {
    let begins = instantOf(first ?? today, from ?? 0);
    if (!first && begins) {
      const isPast = start.role === 'since' || IS_PAST.test(said.slice(0, start.at));
      const away = Date.parse(begins) - now;
      if (isPast && away > 0) begins = instantOf(plus(today, -1), from ?? 0);
      else if (away < -2 * PAST_MS && IS_AHEAD.test(said)) begins = instantOf(plus(today, 1), from ?? 0);
    }
    return { start: begins, end: null };
  }
  if (!end) return null;
  let ends = instantOf(last ?? today, to ?? DAY_MINUTES);
  if (!last && ends && end.role !== 'reopened' && Date.parse(ends) < now - PAST_MS)
    ends = instantOf(plus(today, 1), to ?? DAY_MINUTES);
  const isPast = end.role === 'reopened' || (!last && WAS_UNTIL.test(said.slice(0, end.at)));
  if (isPast && ends && Date.parse(ends) > now) ends = instantOf(plus(last ?? today, -1), to ?? DAY_MINUTES);
  const begins = end.role === 'before' && last ? instantOf(last, 0) : null;
  return { start: begins, end: ends };
}
