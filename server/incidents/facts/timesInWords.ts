/** When something is in force by its words: from, until, and its windows. Clock times are London's. */
import { HOUR_MS } from '#contract/durations.ts';
import { withoutOtherCarriageway } from '../../geography/roads/reopenedCarriageway.ts';
import { goingAhead, isCalledOff, stateOf } from './overInWords.ts';
import { plainTimes } from './plainTimes.ts';
import {
  DAY_MINUTES,
  endsOf,
  isEnd,
  isLink,
  isStart,
  nightsDay,
  phraseOf,
  type Moment,
  type Phrase,
} from './timePhrase.ts';
import { instantOf, plus } from './timeTokens.ts';
import {
  boundsOf,
  lastOfLength,
  NIGHT,
  onDay,
  recurring,
  SHUTS,
  singleDays,
  type Times,
} from './windowsInWords.ts';

const READ_MAX = 1000;
const NONE: Times = { start: null, end: null, windows: [] };

/** Without one of these words there is no time in a text: numbers alone are those of roads and junctions. */
const HINT =
  /\b\d{1,2}[:.]\d{2}|\b\d{3,4}(?: ?hrs|h?\b|[ap]m|z)|\d ?[ap]\.?m\b|\b\d{1,2}[/.-]\d{1,2}\b|\d(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|night|week|daily|\bhours?\b|\d min(?:ute)?s?\b|\bdays?\b|-day\b|today|tomorrow|yesterday|month|morning|evening|noon|midday|end of|christmas|boxing|new year|\b(?:mon|tue|wed|thu|fri|sat|sun)/i;

/** Results of the last sentences written at one time, because a sentence is read twice: for its end and for its hours. */
let kept = { written: '', times: new Map<string, Times>() };
const KEPT_MAX = 1000;

/** `written`: when the text was written, UTC. */
export function timesInWords(text: string, written: string): Times {
  const read = text.slice(0, READ_MAX);
  if (kept.written !== written || kept.times.size >= KEPT_MAX) kept = { written, times: new Map() };
  let times = kept.times.get(read);
  if (!times) {
    const said = plainTimes(goingAhead(read), written);
    times = HINT.test(said) && !isCalledOff(said) ? timesOfPhrase(phraseOf(said, written)) : NONE;
    kept.times.set(read, times);
  }
  return times;
}

/** Reads the times in the parts of a text. "The cordon was lifted at 08:30. The road is closed": if the whole goes on,
 *  an ending of a part gives no time. */
export function partsReader(whole: string, written: string): (part: string) => Times {
  if (last?.whole !== whole || last.written !== written)
    last = { whole, written, read: readerOf(whole, written) };
  return last.read;
}

/** The last reader, kept because a report is read twice: for its end and for its hours. */
let last: { whole: string; written: string; read: (part: string) => Times } | undefined;

function readerOf(whole: string, written: string): (part: string) => Times {
  let state: ReturnType<typeof stateOf> | undefined;
  const standing = withoutOtherCarriageway(whole);
  return (said) => {
    // The time at which the other carriageway reopened ends nothing.
    const at = standing === whole ? -1 : whole.indexOf(said);
    const part = at < 0 ? said : standing.slice(at, at + said.length);
    const times = whatStands(timesInWords(part, written), whole, written);
    if (times.end === null || times.end > written) return times;
    if (state === undefined) state = stateOf(whole);
    const isOfPart = state === 'on' && (times.end === times.since || stateOf(part) === 'over');
    return isOfPart ? { start: times.start, end: null, windows: times.windows } : times;
  };
}

const REMAINS = /\b(?:remains?|stays|is still|are still) (?:\w+ )?(?:closed|shut|blocked)\b/i;
/** "The road remains closed. Surveys start on 1 December": what is still to come did not close it. */
const whatStands = (times: Times, whole: string, written: string): Times =>
  times.start && times.start > written && !times.end && times.windows.length === 0 && REMAINS.test(whole)
    ? { ...times, start: null }
    : times;

const timesOfPhrase = (phrase: Phrase): Times =>
  statesSince(phrase) ?? recurring(phrase) ?? singleDays(phrase) ?? oneStretch(phrase) ?? NONE;

/** "Lane two closed since 09:20, all lanes closed since 09:45": the present state began at the later time. */
function statesSince(phrase: Phrase): Times | null {
  const { moments, said } = phrase;
  const sinces = moments.filter(
    ({ role, clock, at }) =>
      clock !== null &&
      (role === 'since' ||
        (role === 'from' && IS_STATE.test(said)) ||
        (role === 'called' && IS_ISSUED.test(said.slice(0, at)))),
  );
  if (sinces.length < 2 || sinces.length < moments.length || phrase.hours.length > 0) return null;
  const [first, last] = [sinces[0]!, sinces.at(-1)!]; // there are two
  const isClosedSince = IS_STATE_NEW.test(said.slice(first.end, last.at));
  const [began, now] = [first, isClosedSince ? last : first].map((one) => endsOf(one, undefined, phrase));
  return { start: began?.start ?? null, end: null, windows: [], ...(now?.start && { since: now.start }) };
}

/** "One lane is open since 09:10" does not give the time of a closure. */
const IS_STATE_NEW =
  /\b(?:all lanes|carriageway|road|motorway|both (?:directions|ways)|fully|line)\b[^.]{0,30}\b(?:closed|shut|blocked|stopped|suspended)\b|\b(?:an?(?:other)? (?:second|third|further)|another)(?: lane)?\b|\b(?:raised|upgraded|escalated) to\b/i;
/** "first issued at 09:10" */
const IS_ISSUED = /\bissued (?:at|on) $/i;
/** "was closed at 08:55" */
const IS_STATE = /\b(?:was|were|been|fully) (?:\w+ )?(?:closed|shut|blocked) at\b/i;

/** One span of time by its two ends, or by one of them. */
function oneStretch(phrase: Phrase): Times | null {
  const { hours, runs, moments, said, written, today, length, hasNotice } = phrase;
  const clocked = moments.filter(({ clock, instant }) => clock !== null || instant !== null);
  const lasting = length?.unit === 'hour' ? length.count : null;
  const isDelay = /\b(?:delay|queue)\w*(?: of)? (?:for )?up to/i.test(said);
  if (hours.length > 0) {
    const [own] = hours;
    const dayed = moments.find(({ day }) => day !== null);
    const isPast = WAS_FROM.test(said.slice(0, own!.at));
    const night = nightsDay(own!, Date.parse(written), today);
    const ends = instantOf(night, own!.to + (own!.to <= own!.from ? DAY_MINUTES : 0));
    const last = isPast && ends && ends > written ? plus(night, -1) : night;
    const day = runs[0]?.first ?? dayed?.day ?? last;
    const [one] = onDay(day, [own!]);
    // "Lorries banned from 07:30, full closure from 11:00 to 14:00"
    const began = clocked.find(
      (one) => isStart(one) && one.at < own!.at! && HOLDS_UP.test(said.slice(0, one.at)),
    );
    const first = began && endsOf(began, undefined, phrase)?.start;
    return {
      ...one!,
      ...(first && first < one!.start! && { start: first }),
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
  // "Reopened on Tuesday after three weeks"
  const opened = moments.find(({ role }) => role === 'reopened');
  if (opened?.day && runs.length === 0)
    return {
      start: null,
      end: opened.day < today ? instantOf(opened.day, DAY_MINUTES) : null,
      windows: [],
      lacks: 'clock',
    };
  const { first, last } = boundsOf(phrase);
  if (!first && !last) {
    const isNext = lasting !== null && length!.isNext && !isDelay;
    return isNext
      ? { start: null, end: new Date(Date.parse(written) + lasting * HOUR_MS).toISOString(), windows: [] }
      : null;
  }
  const one = moments.find(({ day }) => day !== null);
  const isNight = phrase.isNight || one?.isNight;
  // "This morning" has no time.
  if (one?.isPart && one.day === today && moments.length === 1 && !isNight && one.role === null) return null;
  if (isNight && first && !last && one && !isStart(one) && SHUTS.test(said)) {
    const [night] = onDay(first, [NIGHT]);
    return { ...night!, windows: [], isGuessed: true };
  }
  // "Until Wednesday morning" gives no time.
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

/** "Lorries banned from", and not "stewards on the road from" */
const HOLDS_UP = /\b(?:clos|shut|block|bann|ban\b|restrict|prohibit|suspen|no )[^.;,]{0,40}$/i;
/** "Was closed from 10pm to 5am" */
const WAS_FROM = /\b(?:was|were) (?:\w+ )?(?:closed|shut|blocked|suspended) (?:from|between) $/i;

function byMoments(phrase: Phrase, hours: number | null): Times | null {
  const { moments, runs, hasNotice, length } = phrase;
  const from = moments.find(isStart);
  const tos = moments.filter(
    (one) =>
      (isEnd(one) && !OPENS_IN_PART.test(phrase.said.slice(0, one.at))) ||
      (one.role === 'and' && from?.role === 'between' && one !== from),
  );
  // "One lane by 3pm and the road fully open by 6pm"
  const isInSteps = tos.length === 2 && OPENS_WHOLE.test(phrase.said.slice(tos[0]!.end, tos[1]!.at));
  // "Northbound by 11:30, southbound by 14:00"
  const endOf = (one: Moment) => endsOf(undefined, one, phrase)?.end ?? '';
  const lastOfTwo =
    tos.length === 2 && WAY.test(phrase.said.slice(tos[0]!.end, tos[1]!.at))
      ? tos.toSorted((one, other) => (endOf(one) < endOf(other) ? -1 : 1))[1]
      : undefined;
  // "Fixed at 12:31, but delays until 14:15"
  const isOver = (one: Moment) => (endOf(one) || phrase.written) < phrase.written;
  // "Due to finish at 05:00, now until 14:00"
  const isNow = (one: Moment) =>
    /\bnow (?:\w+ ){0,2}?(?:until|till?|by|to|at|for)(?: about| around)? $/i.test(
      phrase.said.slice(0, one.at),
    );
  // "Closed until Monday, reopening at 05:00": one end.
  const [dayed, clocked] = tos;
  const isOneEnd =
    tos.length === 2 &&
    !from &&
    dayed!.day &&
    dayed!.clock === null &&
    !clocked!.day &&
    /\b(?:re-?)?open/i.test(phrase.said.slice(dayed!.end, clocked!.at));
  if (isOneEnd) clocked!.day = dayed!.day;
  const to =
    lastOfTwo ??
    (isInSteps || isOneEnd ? clocked : (tos.find(isNow) ?? tos.find((one) => !isOver(one)) ?? tos[0]));
  const opened = moments.find(({ role }) => role === 'reopened');
  // "Northbound reopened at 6.20am but southbound is still closed", "one lane reopened at 9.30am"
  const isInPart = opened && OPENED_LANES.test(phrase.said.slice(0, opened.at));
  // "Reopened at 09:00, closed again at 09:40": it is closed. "Reopened at 09:15 after being closed since 04:30": it is
  // open.
  const isShutAgain =
    opened &&
    from &&
    from.at > opened.at &&
    (endsOf(from, undefined, phrase)?.start ?? '') > (endsOf(undefined, opened, phrase)?.end ?? '');
  const reopened = isInPart || isShutAgain ? undefined : opened;
  // "Friday 27 November 22:00 to Monday 05:00", "20:00 - 06:00": the first time needs no word before it.
  const last = to ?? reopened;
  const unnamed = moments.find((one) => one !== last && one.role === null && (!last || one.at < last.at));
  const start = from ?? unnamed;
  const end = last;
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
  // "All sailings after 2pm today": this lasts until the end of the day's timetable.
  const isOfTimetable = from?.day != null && OF_TIMETABLE.test(phrase.said.slice(0, from.at));
  if (!ends.end && isOfTimetable) ends.end = instantOf(from.day!, DAY_MINUTES);
  if (hasNotice) ends.end = null;
  const since = reopened && end === reopened ? ends.end : start?.role === 'since' ? ends.start : null;
  // "Raised to severe at 15:31": only this state began then.
  if (since && !end && IS_RAISED.test(phrase.said.slice(0, start!.at))) ends.start = null;
  return {
    ...ends,
    windows: [],
    ...(since && { since }),
    ...(ends.end && (end?.clock != null || end?.instant) && { isEndByClock: true }),
    ...(moments.every((one) => !one.day && !one.instant) && { lacks: 'day' }),
  };
}

const IS_RAISED = /\b(?:raised|upgraded|escalated|lowered|downgraded) to [^.;,\d]{2,30} (?:at|on) $/i;
const WAY = /\b(?:(?:north|south|east|west)bound|clockwise)\b/i;
/** "It is hoped to open one lane by 1pm" ends nothing. */
const OPENS_IN_PART =
  /\b(?:re-?)?open(?:ed|ing)? (?:(?:one|two|a single|some|a) lanes?|lanes? \d)\b[^.;,]{0,20}$/i;
const OPENS_WHOLE =
  /^[^.;]*\b(?:fully|completely|all lanes|normal|rest|whole|following|disruption|delays?)\b/i;
const OPENED_LANES =
  /\b(?:(?:one|two|a single|some) lanes?|lanes? (?:\d|one|two|three)\b)[^.;]{0,25}\bre-?opened[^.;]{0,20}$/i;
const OF_TIMETABLE =
  /\b(?:sailings?|crossings|departures|flights|trains|services|buses|ferries)(?: (?:this \w+|today|tonight|tomorrow))? after(?: about| around)? $/i;
