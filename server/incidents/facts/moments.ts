/**
 * One stretch of time as words tell its two ends: "closes at 21:00 on Thursday and reopens at 05:00 on Friday", "since
 * 14:30", "for the next two hours". Each end is a clock, a day, or both beside each other, in the role that the words
 * before it give.
 */
import { londonDay } from '#contract/london.ts';
import { at as instantAt, plus, weekdayOf, type Token } from './timeTokens.ts';

type Role = 'from' | 'since' | 'to' | 'reopened' | 'between' | 'and' | null;

interface Moment {
  day: string | null;
  /** Minutes of the day. */
  clock: number | null;
  /** UTC, in a field's form. */
  instant: string | null;
  role: Role;
  /** The day's words are the later ones, and may be those of both ends: "from 20:00 to 06:00 on Friday". */
  isDayLast: boolean;
  isTomorrow: boolean;
  at: number;
  end: number;
}

const HOUR_MS = 60 * 60_000;
const NOON = 12 * 60;
/** A publisher's end may be this long before what it wrote. */
const PAST_MS = 3 * HOUR_MS;

const ABOUT = String.raw`(?: (?:about|around|approximately|approx\.?|roughly|at least|just (?:before|after)|on))*[ ,(]*$`;
const led = (source: string) => new RegExp(`(?:${source})${ABOUT}`, 'i');
const ROLES: readonly [NonNullable<Role>, RegExp][] = [
  ['since', led(String.raw`\bsince`)],
  [
    'reopened',
    led(
      String.raw`\b(?:re-?opened|(?:was|were|been|fully|now) (?:cleared|lifted|resolved))(?: (?:at|by|as of))?`,
    ),
  ],
  [
    'to',
    led(
      String.raw`\b(?:until|till|to|by|before|through to|end(?:s|ed|ing)?(?: date| time)?:?(?: at| by)?|(?:re-?open|clear|finish|resum|complet|resolv|reopen)\w*(?: again| time)?:?(?: at| by| from)?|normal(?:ly)?(?: by| at| from)?|fixed by|last(?:s|ing)? until)|[-–—>]`,
    ),
  ],
  ['between', led(String.raw`\bbetween`)],
  [
    'from',
    led(
      String.raw`\b(?:from|after|start(?:s|ed|ing)?(?: date| time)?:?(?: at| from)?|beg[aiu]n\w*(?: at| from)?|commenc\w*(?: at)?|clos(?:e|es|ed|ing)(?: at| from)?|shut(?: at)?|happened(?: at)?|occurred(?: at)?)`,
    ),
  ],
  ['and', led(String.raw`\band|&`)],
];
/** Words of an event before its time. */
const HAPPENED =
  /\b(?:crash|collision|accident|fire|incident|landslip|fell|came down|overturned|blocked|closed|shut)\b[^.;]{0,30}\bat(?: about| around| approximately| just (?:before|after))? $/i;
/** "Expected to clear between 11:00 and 11:15": two guesses of one end. */
const ENDS_BETWEEN =
  /\b(?:expect|clear|end|re-?open|normal|resum|resolv|estimated|ease)\w*[^.;]{0,40}\bbetween $/i;
const IS_PAST =
  /\b(?:has|have|had|was|were|been) (?:[\w ]{0,12} )?(?:closed|shut|blocked|running|affected|disrupted|suspended)\b|\bbegan\b|\bstarted\b/i;

/** "One lane is open since 09:10" is no closure's time. */
const CLOSES_WHOLE =
  /\b(?:all lanes|carriageway|road|motorway|both (?:directions|ways)|fully|line)\b[^.]{0,30}\b(?:closed|shut|blocked|stopped|suspended)\b/i;
/** "Last updated: 26/11/2026 8:05": the time of the text, and of nothing in it. */
const OF_WRITING = /\b(?:(?:last )?updated|published|posted)(?: at| on)?:? (?:\d{1,2}\/\d{1,2}\/\d{2,4} )?$/i;
/** "was closed at 08:55" */
const IS_STATE = /\b(?:was|were|been|fully) (?:\w+ )?(?:closed|shut|blocked) at\b/i;

interface Told {
  start: string | null;
  end: string | null;
  since?: string;
}

const IS_AHEAD = /\b(?:will|closes|shuts|starts|begins|planned|due to|to be)\b/i;

/** Null where the words do not tell one stretch by its ends. */
export function periodOfMoments(tokens: readonly Token[], said: string, written: string): Told | null {
  const today = londonDay(new Date(written));
  const moments = momentsOf(tokens, said, today);
  const isLasting = tokens.find((token) => token.kind === 'for');
  const hours =
    isLasting?.kind === 'for' &&
    isLasting.unit === 'hour' &&
    !/\b(?:delay|queue)\w*(?: of)? (?:for )?up to/i.test(said)
      ? isLasting.count
      : null;
  if (moments.length === 0) {
    const isNext =
      isLasting &&
      /\bnext|another|further|within|duration|more\b/i.test(said.slice(isLasting.at, isLasting.end));
    if (hours === null || !isNext) return null;
    return { start: null, end: new Date(Date.parse(written) + hours * HOUR_MS).toISOString() };
  }
  // "Lane two closed since 09:20, all lanes closed since 09:45": the state of now began with the later.
  const sinces = moments.filter(
    ({ role, clock }) => clock !== null && (role === 'since' || (role === 'from' && IS_STATE.test(said))),
  );
  if (sinces.length > 1 && sinces.length === moments.length) {
    const [first, last] = [sinces[0]!, sinces.at(-1)!]; // there are two
    const isClosedSince = CLOSES_WHOLE.test(said.slice(first.end, last.at));
    const [began, now] = [first, isClosedSince ? last : first].map((one) =>
      resolved(one, undefined, undefined, { said, written, today }),
    );
    return { start: began?.start ?? null, end: null, ...(now?.start && { since: now.start }) };
  }
  const from = moments.find(({ role }) => role === 'from' || role === 'since' || role === 'between');
  const to = moments.find((one) => isEnd(one, from));
  const reopened = moments.find(({ role }) => role === 'reopened');
  const first = moments[0]!;
  // "Friday 27 November 22:00 to Monday 05:00", "20:00 - 06:00": the first needs no word.
  const start = from ?? (to && first !== to && first.role === null && first.at < to.at ? first : undefined);
  const others = moments.filter((one) => one !== start && one !== to && one !== reopened);
  if (others.some(({ role, clock }) => role !== null || clock !== null)) return null;
  if (!start && !to && !reopened) return null;
  // Days without hours are read as whole days, by the list of them.
  if ([start, to, reopened].every((one) => !one || (one.clock === null && one.instant === null))) return null;

  const isGuess =
    start?.role === 'between' && ENDS_BETWEEN.test(said.slice(Math.max(0, start.at - 70), start.at));
  const ends = resolved(isGuess ? undefined : start, to ?? reopened, isGuess ? start : undefined, {
    said,
    written,
    today,
  });
  if (!ends) return null;
  if (hours !== null && ends.start && !ends.end)
    ends.end = new Date(Date.parse(ends.start) + hours * HOUR_MS).toISOString();
  const since = reopened ? ends.end : start?.role === 'since' ? ends.start : null;
  return { ...ends, ...(since && { since }) };
}

function isEnd(one: Moment, from: Moment | undefined): boolean {
  if (one === from) return false;
  if (one.role === 'to') return true;
  return one.role === 'and' && from?.role === 'between' && one.at > from.at;
}

function momentsOf(tokens: readonly Token[], said: string, today: string): Moment[] {
  const moments: Moment[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'instant')
      moments.push({
        ...EMPTY,
        instant: token.time,
        role: roleBefore(said, token.at, 0),
        at: token.at,
        end: token.end,
      });
    if (OF_WRITING.test(said.slice(Math.max(0, token.at - 40), token.at))) continue;
    const isTonight = token.kind === 'tonight';
    if (token.kind !== 'clock' && token.kind !== 'day' && !isTonight) continue;
    const last = moments.at(-1);
    const gap = last ? said.slice(last.end, token.at) : '';
    const day = isTonight
      ? today
      : token.kind === 'day'
        ? dayOf(token, tokens.slice(index + 1), said, today, last, isSince(last, token, said))
        : null;
    if (token.kind === 'day' && day === null) continue;
    // "Start Date: Tuesday, 01 December 2026 - 19:30"
    const isDated =
      token.kind === 'clock' &&
      last?.day !== null &&
      last?.clock === null &&
      last.role !== null &&
      gap === ' - ';
    const isBeside = last && (isDated || isLink(gap));
    if (isBeside && token.kind === 'clock' && last.clock === null && last.day !== null) {
      last.clock = token.minutes;
      last.end = token.end;
      last.isDayLast = false;
      const role = roleBefore(said, token.at, last.at);
      if (!isDated && (last.role === null || (role !== null && role !== 'and')))
        last.role = role ?? last.role;
      continue;
    }
    if (
      isBeside &&
      token.kind !== 'clock' &&
      last.day === null &&
      last.clock !== null &&
      !/\b(?:from|between)\b/i.test(gap)
    ) {
      last.day = day;
      last.end = token.end;
      last.isDayLast = true;
      last.isTomorrow = /tomorrow/i.test(said.slice(token.at, token.end));
      continue;
    }
    // "27 November 2026 (Friday)", "today, Tuesday 24 November": one day told twice.
    if (isBeside && token.kind === 'day' && last.day === day && last.clock === null) {
      last.end = token.end;
      continue;
    }
    moments.push({
      ...EMPTY,
      day,
      clock: token.kind === 'clock' ? token.minutes : null,
      role: roleBefore(said, token.at, last?.end ?? 0),
      at: token.at,
      end: token.end,
    });
  }
  return moments;
}

/** "Since about 4pm on Monday": that Monday is past. */
const isSince = (last: Moment | undefined, { at }: Token, said: string) =>
  last?.role === 'since' && last.day === null && isLink(said.slice(last.end, at));

/** "Friday 27 November, from 20:00": the two belong together. */
const isLink = (gap: string) => {
  const between = gap
    .toLowerCase()
    .split(/[\s,(]/)
    .filter((word) => word !== '');
  return between.length < 2 && between.every((word) => /^(?:on|this|at|from|between|the)$/.test(word));
};

const EMPTY = { day: null, clock: null, instant: null, isDayLast: false, isTomorrow: false } as const;

function roleBefore(said: string, at: number, after: number): Role {
  const lead = said.slice(Math.max(after, at - 45), at);
  // It is open no earlier, and nobody says when.
  if (/\bnot\b[^.;]{0,40}\bbefore(?: \w+)? $/i.test(said.slice(Math.max(after, at - 70), at))) return null;
  const role = ROLES.find(([, words]) => words.test(lead))?.[0];
  if (role) return role;
  return HAPPENED.test(said.slice(Math.max(after, at - 80), at)) ? 'since' : null;
}

function dayOf(
  token: Extract<Token, { kind: 'day' }>,
  later: readonly Token[],
  said: string,
  today: string,
  last: Moment | undefined,
  isSince: boolean,
): string | null {
  if (token.day) return token.day;
  if (token.plural) return null;
  if (token.ofMonth !== null) {
    const next = later.find((one) => one.kind === 'day' && one.day !== null);
    const month = next?.kind === 'day' && next.day ? next.day : null;
    return dayOfMonth(token.ofMonth, month ?? today);
  }
  if (token.weekday === null) return null;
  const lead = said.slice(Math.max(0, token.at - 12), token.at);
  const isLast = /\blast $/i.test(lead) || (/\bsince (?:\S+ on )?$/i.test(lead) && !last);
  const isPast =
    isSince || isLast || (!last && /\bfrom\b/i.test(lead) && IS_PAST.test(said.slice(0, token.at)));
  const from = last?.day ?? today;
  if (isPast) return plus(today, -((weekdayOf(today) - token.weekday + 7) % 7));
  const ahead = (token.weekday - weekdayOf(from) + 7) % 7;
  return plus(from, ahead === 0 && /\bnext $/i.test(lead) ? 7 : ahead);
}

/** Day of this month, or of the next where it is long past. */
function dayOfMonth(of: number, month: string): string | null {
  const day = `${month.slice(0, 8)}${String(of).padStart(2, '0')}`;
  return Number.isNaN(Date.parse(day)) ? null : day;
}

function resolved(
  start: Moment | undefined,
  end: Moment | undefined,
  guess: Moment | undefined,
  { said, written, today }: { said: string; written: string; today: string },
): { start: string | null; end: string | null } | null {
  const now = Date.parse(written);
  if (start?.instant || end?.instant) return { start: start?.instant ?? null, end: end?.instant ?? null };
  const from = start?.clock ?? null;
  const to = end?.clock ?? null;
  let first = start?.day ?? null;
  let last = end?.day ?? guess?.day ?? null;
  if (start && end) {
    const isNight = from !== null && to !== null && to <= from;
    if (!first && last)
      first = isNight && (end.isTomorrow || !end.isDayLast || isOwnDay(end, said)) ? plus(last, -1) : last;
    if (!first) first = today;
    if (!start.day && !end.day) first = nightsDay(from, to, now, today);
    const begins = Date.parse(instantAt(first, from ?? 0) ?? '');
    if (start.role === 'since' && !start.day && begins > now) {
      first = plus(first, -1);
      last ??= today;
    }
    if (!end.day || last === null) last = isNight ? plus(first, 1) : first;
    else if (isNight && last === first) last = plus(first, 1);
    if (last < first) return null;
    return { start: instantAt(first, from ?? 0), end: instantAt(last, to ?? 1440) };
  }
  if (start) {
    let begins = instantAt(first ?? today, from ?? 0);
    if (!first && begins) {
      const isPast = start.role === 'since' || IS_PAST.test(said.slice(0, start.at));
      const away = Date.parse(begins) - now;
      if (isPast && away > 0) begins = instantAt(plus(today, -1), from ?? 0);
      else if (away < -2 * PAST_MS && IS_AHEAD.test(said)) begins = instantAt(plus(today, 1), from ?? 0);
    }
    return { start: begins, end: null };
  }
  let ends = instantAt(last ?? today, to ?? 1440);
  if (!last && ends && end?.role !== 'reopened' && Date.parse(ends) < now - PAST_MS)
    ends = instantAt(plus(today, 1), to ?? 1440);
  if (end?.role === 'reopened' && ends && Date.parse(ends) > now)
    ends = instantAt(plus(last ?? today, -1), to ?? 1440);
  return { start: null, end: ends };
}

/** "Until 05:00 on Friday": the day is the end's own, not that of both. */
const isOwnDay = ({ at }: Moment, said: string) =>
  /\b(?:until|till|by|re-?opens?|reopening)(?: at| about| around)* $/i.test(
    said.slice(Math.max(0, at - 30), at),
  );

/** The night that is nearest: written at 01:00, "22:00 to 05:00" began yesterday. */
function nightsDay(from: number | null, to: number | null, now: number, today: string): string {
  if (from === null || to === null) return today;
  const isNight = to <= from;
  const yesterdays = instantAt(today, to);
  if (isNight && to <= NOON && yesterdays && Date.parse(yesterdays) > now) return plus(today, -1);
  const ends = instantAt(isNight ? plus(today, 1) : today, to);
  return ends && Date.parse(ends) < now - 2 * PAST_MS ? plus(today, 1) : today;
}
