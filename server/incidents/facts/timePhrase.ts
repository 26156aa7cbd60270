/** Words about time as a phrase, made of tokens: hours ("20:00 to 06:00"), runs and lists of days, days of every
 *  week, and moments (a day, a time, or both) with the role that the words before them give. */
import { HOUR_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import { Weekday } from '#contract/incidents/windows.ts';
import { endingBy } from './overInWords.ts';
import {
  AFTER_EVENT,
  CALLED,
  EVENT_ON,
  EVENTS,
  hasShut,
  instantOf,
  IS_PAST,
  isFiller,
  isTime,
  plus,
  SINCE_THEN,
  TO_TIME,
  tokensOf,
  weekdayOf,
  type Role,
  type Token,
} from './timeTokens.ts';

export const DAY_MINUTES = 24 * 60;
const NOON = 12 * 60;
/** How long a publisher's end may be before the time when it was written. */
const PAST_MS = 3 * HOUR_MS;
const WEEK = Weekday.options;

export interface Hours {
  /** Minutes of the day. */
  from: number;
  to: number;
  /** The day of the hours, if it stands beside them; otherwise the weekdays before them count. */
  day?: string | null;
  week?: Weekday[];
  /** The index at which its words begin. */
  at?: number;
}

interface Run {
  first: string;
  last: string;
  /** The index at which its words end. */
  end: number;
  isMonth?: true;
  /** "W/c 30 November", from which a length counts. */
  isWeek?: true;
}

export interface Moment {
  day: string | null;
  /** Minutes of the day. */
  clock: number | null;
  /** UTC, in a field's form. */
  instant: string | null;
  role: Role | 'and' | null;
  /** True: the day stands last and may belong to both ends: "from 20:00 to 06:00 on Friday". */
  isDayLast: boolean;
  isNight: boolean;
  isPart: boolean;
  at: number;
  end: number;
}

export interface Phrase {
  said: string;
  written: string;
  today: string;
  hours: Hours[];
  runs: Run[];
  /** Single days beside each other: "25, 26 and 27 November". */
  list: string[];
  /** Days of every week, in the order of the week; null: it does not repeat, or the words give no days. */
  week: Weekday[] | null;
  /** True: the days are named. False: they are given as all days except some. */
  isNamed: boolean;
  isDaily: boolean;
  isNightly: boolean;
  /** "Overnight" */
  isNight: boolean;
  isWeekend: boolean;
  hasNotice: boolean;
  /** True: the last day is the morning on which the last night ends. */
  isToMorning: boolean;
  length: Extract<Token, { kind: 'length' }> | null;
  moments: Moment[];
}

/** No genuine sentence gives more hours. */
const HOURS_MAX = 6;
/** The most characters between two times that belong together. */
const GAP_MAX = 45;

export function phraseOf(said: string, written: string): Phrase {
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
    // "Reopens at 1pm, with lane 3 following by 6pm", "fixed at 12:31, delays until 14:15": these are two ends.
    const isEndOfOwn = !isFiller(gap(first, index)) && /^(?:to|reopened)$/.test(roleAt(first) ?? '');
    return !isEndOfOwn && (token.role === 'to' || token.role === 'before');
  };
  /** The second of two things that "to" joins, after the first at `index`. */
  const joined = (index: number): number | null => {
    const other = index + 2;
    return isTo(index + 1, index) && kindAt(other) === kindAt(index) && isNear(index, other) ? other : null;
  };
  const hasHours = tokens.some(({ kind }, index) => kind === 'clock' && joined(index) !== null);
  const weekly = new Set<Weekday>();
  const except = new Set<Weekday>();
  const weekRuns: Run[] = [];
  /** The names of days in a list without dates: "Tuesday and Thursday". */
  let names: string[] = [];
  /** Days of the week since the last hours: "Monday to Friday 8am to 6pm, Saturday 8am to 1pm". */
  let ownWeek: Weekday[] = [];
  let isExcept = false;
  /** "30/11/26-04/12/26 2000-0600": dates and times of the first evening and of the last morning. */
  let isStamped = false;

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const before = tokens[index - 1];
    if (before?.kind === 'except') isExcept = isFiller(gap(index - 1, index));
    else if (token.kind !== 'and')
      isExcept &&= before?.kind === 'and' && isSameKind(token, tokens[index - 2]);
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
            .find((beside) => beside.kind === 'day' && !beside.last);
          phrase.hours.push({
            from: token.minutes % DAY_MINUTES,
            to: second.minutes % DAY_MINUTES,
            at: token.at,
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
      // "Until next week", "reopens in the week of 14 December": no day.
      if (token.last && roleAt(index) === 'to') continue;
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
        const isOfOne =
          /\b(?:next|this|following) week\b/i.test(said) ||
          /\b(?:next|this) $/i.test(said.slice(0, token.at));
        const isWeek = token.isName && last.isName && !isOfOne;
        (isWeek ? weekRuns : phrase.runs).push(run);
        if (isWeek) ownWeek = daysBetween(WEEK[weekdayOf(run.first)]!, WEEK[weekdayOf(run.last)]!);
        phrase.isNight ||= hasHours && Boolean(last.isNight);
        phrase.isToMorning ||= Boolean(last.isPart && !last.isNight);
        isStamped ||= STAMPS.test(said.slice(token.at, last.end));
        index = other!;
        continue;
      }
      const days = [token.day];
      let end = index;
      for (let next = end + 1; next < tokens.length; next++) {
        const one = tokens[next]!;
        if (one.kind === 'and') continue;
        if (one.kind !== 'day' || one.last || !isNear(end, next) || next === end + 1) break;
        // "Saturday 28 and until 10:30 on Sunday": a time of its own makes the day a moment.
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
  // "Mon, Wed and Fri 8.15-9.15am until 18 December": the days are of every week, because it goes on after the
  // last of them.
  const isLonger = phrase.moments.some(
    (one) => isEnd(one) && one.day !== null && one.day > names.toSorted().at(-1)!,
  );
  if (names.length > 0 && names.length === phrase.list.length && hasHours && isLonger) {
    for (const day of names) weekly.add(WEEK[weekdayOf(day)]!);
    phrase.list = [];
  }
  // "Mon–Thu" are days of every week if they have hours, otherwise the next days with these names.
  const isEveryWeek =
    hasHours ||
    phrase.moments.some(({ clock }) => clock !== null) ||
    weekly.size > 0 ||
    phrase.isDaily ||
    phrase.isNight ||
    phrase.runs.some(({ isMonth }) => !isMonth) ||
    weekRuns.some(({ last }) =>
      phrase.moments.some((one) => isEnd(one) && one.day !== null && one.day > last),
    );
  for (const { first, last, end } of weekRuns) {
    if (isEveryWeek)
      for (const day of daysBetween(WEEK[weekdayOf(first)]!, WEEK[weekdayOf(last)]!)) weekly.add(day);
    else phrase.runs.push({ first, last, end });
  }
  const all =
    weekly.size > 0 || except.size > 0 ? WEEK.filter((day) => weekly.size === 0 || weekly.has(day)) : null;
  phrase.week = all && all.filter((day) => !except.has(day));
  phrase.isNamed = weekly.size > 0;
  // "Next week the road is shut on Thursday night": the day counts, and not the week.
  const [ofWeek] = phrase.runs;
  const isInWeek = (day: string | null | undefined) =>
    day && ofWeek?.isWeek && ofWeek.first <= day && day <= ofWeek.last;
  const isOneDay =
    weekly.size + phrase.list.length === 0 &&
    (phrase.hours.some(({ day }) => isInWeek(day)) ||
      phrase.moments.some((one) => !isEnd(one) && isInWeek(one.day)));
  if (isOneDay && phrase.runs.length === 1) phrase.runs = [];
  phrase.isToMorning ||= isStamped && !phrase.isNamed;
  if (phrase.week?.length === WEEK.length) {
    phrase.week = null;
    phrase.isDaily = true;
  }
  return phrase;
}

/** "Fridays or Saturdays", "Friday and Saturday nights", and no date after them */
const isSameKind = (token: Token, last: Token | undefined) =>
  token.kind === last?.kind || (token.kind === 'set' && last?.kind === 'day' && Boolean(last.isName));

const STAMPS = /^\d{1,2}\/\d{1,2}\/\d{2,4} ?[-–] ?\d{1,2}\/\d{1,2}\/\d{2,4}$/;

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

/** Whether two times belong together: "Friday 27 November, from 20:00". */
export const isLink = (gap: string) => {
  const between = gap
    .replace(/\b(?:just|shortly|soon) (?:before|after)\b/i, '')
    .split(/[\s,()]/)
    .filter((word) => !/^(?:|at|about|around|approximately|approx\.?)$/i.test(word));
  return (
    between.length < 2 &&
    between.every((word) => /^(?:on|this|from|between|the|morning|evening|night|afternoon)$/i.test(word))
  );
};

/** Adds a time, which belongs to the day beside it. */
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
  // "27 November 2026 (Friday)", "today, Tuesday 24 November": the same day twice.
  if (isBeside && last.day === day) last.end = end;
  else moments.push({ ...EMPTY, day, role, isNight, isPart: Boolean(token.isPart), at, end });
}

/** Words for an event before its time. "Signal failure, engineers due at 14:00" gives the time of something else. */
const HAPPENED = new RegExp(
  String.raw`\b(?:${EVENTS}|blocked|closed|shut|evacuated|(?:put|set) (?:in place|up)|closures? (?:was |were )?(?:put (?:on|in)|implemented)|imposed)${TO_TIME}`,
  'i',
);
/** "From the start of service", "from first train" */
const OF_FIRST = /^(?:from (?:the )?first \w+|start\w* of \w+)[\s,]*$/i;
/** "At about 11.10am a van and a bus collided" */
const AT_FIRST =
  /^\W*(?:at(?: about| around| approximately| just (?:before|after))?|(?:shortly|just|soon) (?:before|after)) $/i;
const HAPPENED_THEN =
  /^[^.;]{0,60}\b(?:collided|crashed|overturned|caught fire|came down|fell|hit|struck|broke down|burst|collapsed|left the (?:road|carriageway))\b/i;
/** "7am crash, road still shut", "11:05 all lanes open" */
const EVENT_THEN =
  /^:? (?:crash|collision|accident|fire|breakdown|rt[cia])\b(?! (?:(?:is|has|was|been|now|fully) )*(?:clear|over|end|recover|remov|service|crew|engine|brigade|station))/i;
const OPENED_THEN =
  /^:? (?:all clear|cleared|(?:all lanes|road)(?: (?:is|are|now|fully))* (?:re-?opened|open|clear(?:ed)?))(?: now)?(?=[.,;]|$)/i;
/** "Hoped to have reopened by 17:00", "will be fully restored at 17:00": still to come. */
const IS_TO_COME = /\b(?:be|being|(?:to|will|should|may|might|could) have)(?: been)?(?: \w+)? $/i;
const CALLED_THEN =
  /^[^.;,]{0,50}\b(?:(?:were|was) (?:called|alerted)|received (?:a )?(?:calls?|reports?))\b/i;
/** "Expected to clear between 11:00 and 11:15": two estimates of one end. */
const ENDS_BETWEEN =
  /\b(?:(?:clear|end|re-?open|normal|resum|resolv|estimated|ease)\w*[^.;]{0,40}|(?:until|till?|by) )\bbetween (?:about |around )?$/i;

function roleOf(tokens: readonly Token[], index: number, { said, today }: Phrase): Moment['role'] {
  const time = tokens[index]!;
  const { at } = time;
  // "Reopening each morning at 6am"
  const isEach = tokens[index - 1]?.kind === 'set' && tokens[index - 2]?.kind === 'role';
  const token = tokens[index - (isEach ? 2 : 1)];
  const other = tokens[index - (isEach ? 3 : 2)];
  const last = tokens.slice(0, index).findLast((one) => isTime(one) || one.kind === 'set');
  const lead = said.slice(Math.max(last?.end ?? 0, at - 80), at);
  const tail = said.slice(time.end);
  const ending = time.kind === 'clock' ? endingBy(lead, tail) : null;
  // "Trams began running again from 5am"
  const isFrom = token?.kind === 'role' && /^(?:from|since)$/.test(token.role);
  if (isFrom && ending === 'reopened' && !/\b(?:is|are|be)\b/i.test(lead)) return ending;
  if (token && isFiller(said.slice(token.end, isEach ? tokens[index - 1]!.at : at))) {
    if (token.kind === 'role') {
      // "Normally from 15:00", "reopened as of 09:40"
      const isAfterRole =
        other?.kind === 'role' &&
        /^(?:to|reopened)$/.test(other.role) &&
        isFiller(said.slice(other.end, token.at));
      if (isAfterRole && /^(?:from|after|since|as of|.* ago)$/i.test(said.slice(token.at, token.end)))
        return other.role;
      const isOpened =
        other?.kind === 'role' && other.role === 'reopened' && /^by$/i.test(said.slice(token.at, token.end));
      if (isOpened && isFiller(said.slice(other.end, token.at)) && !IS_TO_COME.test(said.slice(0, other.at)))
        return 'reopened';
      if (token.role === 'reopened' && IS_TO_COME.test(said.slice(0, token.at))) return 'to';
      // "From the start of service until 10:30 on Sunday": the whole of that day before it.
      const isAllBefore = other?.kind === 'role' && OF_FIRST.test(said.slice(other.at, token.at));
      if (isAllBefore && token.role === 'to') return 'before';
      // "Since before 6am"
      if (other?.kind === 'role' && other.role === 'since' && token.role === 'before') return 'since';
      // "Closed on Friday" is about that day, "closed on 3 November" means since then.
      return token.isVerb && time.kind === 'day' && time.day >= today ? null : token.role;
    }
    const isAfterTime = last !== undefined && lead.length <= GAP_MAX;
    // "Delays through Thursday"
    const isThrough = time.kind === 'day' && /^thr/i.test(said.slice(token.at));
    const isInclusive = /^[\s,(]*incl?(?:usive)?\b/i.test(said.slice(time.end));
    if (token.kind === 'join' && (isAfterTime || isThrough || isInclusive)) return 'to';
    if (token.kind === 'and' && isAfterTime) return 'and';
  }
  if (time.kind === 'clock' && OPENED_THEN.test(tail)) return 'reopened';
  if (time.kind === 'clock' && EVENT_THEN.test(tail)) return 'since';
  if (ending) return ending;
  const isFirst = time.kind === 'clock' && AT_FIRST.test(lead);
  if (SINCE_THEN.test(tail)) return 'since';
  if (CALLED.test(lead) || (isFirst && CALLED_THEN.test(tail))) return 'called';
  const hasHappened =
    HAPPENED.test(lead) ||
    (time.kind === 'clock' && AFTER_EVENT.test(lead)) ||
    (isFirst && HAPPENED_THEN.test(tail)) ||
    (time.kind === 'day' && (EVENT_ON.test(lead) || (!time.isPart && hasShut(lead, tail))));
  return hasHappened ? 'since' : null;
}

export const isEnd = ({ role }: Moment) => role === 'to' || role === 'before';
export const isStart = ({ role }: Moment) =>
  role === 'from' || role === 'since' || role === 'called' || role === 'between';

/** The day of the nearest of these hours: for a text of 01:00, "22:00 to 05:00" began yesterday. */
export function nightsDay({ from, to }: Hours, now: number, today: string): string {
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

/** "It should", "it is due" and similar words about the present. */
const EXPECTS = /\b(?:will|should|is|are|expected|due|likely|hope[sd]?)\b/i;

/** The two ends in UTC. Each is on its own day, or on the day nearest to when the text was written. */
export function endsOf(
  start: Moment | undefined,
  end: Moment | undefined,
  phrase: Phrase,
): { start: string | null; end: string | null } | null {
  const { said, written, today } = phrase;
  const now = Date.parse(written);
  if (start?.instant || end?.instant)
    return {
      start: start?.instant ?? null,
      end: end ? (end.instant ?? endsOf(undefined, end, phrase)?.end ?? null) : null,
    };
  const from = start?.clock ?? null;
  const to = end?.clock ?? null;
  let first = start?.day ?? null;
  let last = end?.day ?? null;
  if (start && end) {
    const isNight = from !== null && to !== null && to <= from;
    if (!first && !last) first = from === null || to === null ? today : nightsDay({ from, to }, now, today);
    // "From 20:00 to 06:00 on Friday" begins on Friday, "until 05:00 on Friday" ends on Friday.
    if (!first && last) first = isNight && (last > today || !end.isDayLast) ? plus(last, -1) : last;
    first ??= today;
    const begins = Date.parse(instantOf(first, from ?? 0) ?? '');
    if ((start.role === 'since' || start.role === 'called') && !start.day && begins > now) {
      first = plus(first, -1);
      last ??= today;
    }
    // "Due to reopen at 6pm, after closing at 9am yesterday"
    if (!last && end.at < start.at) {
      const day = endsOf(undefined, end, phrase)?.end;
      last = day ? londonDay(new Date(day)) : null;
    }
    // "Closed since 6am yesterday and should reopen by 17:00"
    const isAhead = first < today && EXPECTS.test(said.slice(start.end, end.at));
    last ??= isAhead ? today : isNight ? plus(first, 1) : first;
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
      const isPast =
        start.role === 'since' || start.role === 'called' || IS_PAST.test(said.slice(0, start.at));
      const away = Date.parse(begins) - now;
      if (isPast && away > 0) begins = instantOf(plus(today, -1), from ?? 0);
      else if (!isPast && away < -2 * PAST_MS && IS_AHEAD.test(said))
        begins = instantOf(plus(today, 1), from ?? 0);
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
