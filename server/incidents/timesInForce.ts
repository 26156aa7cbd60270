/** When a record is in force beyond its start and end: its publisher's periods, otherwise the hours and days in its
 *  words. */
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import type { TimeWindow } from '#contract/incidents/windows.ts';
import { stateOf } from './facts/overInWords.ts';
import { timesInWords, partsReader } from './facts/timesInWords.ts';
import type { Times } from './facts/windowsInWords.ts';
import { daysAfter, toUtc } from '../http/documents/londonTime.ts';
import type { DisruptionRecord } from './collector.ts';

const PERIODS_MAX = 60;
const NONE: Times = { start: null, end: null, windows: [] };

/** Forecasts and operators give hours of the weather or of a day's trains, and not of a closure. */
const NO_WORKS = /^(?:flood|weather|aviation)\.|^rail\.(?:operator|line)_status/;

/** Sets, in place, the windows of a record without any and, if its words give it, since when its state exists. */
export function windows(record: DisruptionRecord): void {
  const periods = periodsIn(record.metadata.validity_periods);
  const written = record.updated_at ?? record.start_time;
  if (periods.length > 1) record.windows = periods;
  if (!written || NO_WORKS.test(record.event_type)) return;
  const said = timesOf(record, written);
  if (!record.since && said.since && said.since <= written) record.since = said.since;
  if (periods.length > 1 || isOneNight(record)) return;
  const found = said.isGuessed ? [] : said.windows.filter(({ from }) => from !== undefined);
  // The record's own start and end contain the hours of the words.
  if (found.length > 0)
    record.windows = found.map((window) => ({
      ...window,
      start: window.start ?? record.start_time,
      end: window.end ?? record.end_time,
    }));
}

const NIGHT_MS = 36 * 60 * 60_000;

/** Whether it lasts one night: then its own start and end say more than words. */
const isOneNight = ({ start_time, end_time }: DisruptionRecord) =>
  start_time !== null && end_time !== null && Date.parse(end_time) - Date.parse(start_time) <= NIGHT_MS;

/** The times in title and text. `written`: UTC. */
export function timesOf(record: Pick<DisruptionRecord, 'title' | 'summary_line'>, written: string): Times {
  const times = timesOfSentences(record, written);
  const said = `${record.title}. ${record.summary_line}`;
  const isAhead = times.start && times.start > written && times.windows.length === 0;
  if (!isAhead || !OPENED.test(said) || PLANS.test(said) || stateOf(said) !== 'over') return times;
  return inPast(times, WEEKDAY.test(said) ? 7 : 1, written);
}

/** "Reopened", without a date and without a word of today or of what is to come. */
const OPENED = /\b(?:re-?opened|(?:road|now|is|are|lanes) open|lifted|cleared)\b/i;
const PLANS =
  /\b(?:will|again|closes|shuts|starts|begins|next|due|plan\w*|to(?:day|night|morrow)|this)\b|\d{1,2}\/\d|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;

/** "Road open. Closed 22:30 Sunday to 09:45 Monday": the last such days before the text was written. */
function inPast(times: Times, days: number, written: string): Times {
  const [start, end, since] = [times.start, times.end, times.since].map((time) =>
    time && time > written
      ? toUtc(`${daysAfter(londonDay(new Date(time)), -days)}T${LONDON_CLOCK.format(new Date(time))}`)
      : (time ?? null),
  );
  return { start: start!, end: end!, windows: [], ...(since && { since }) };
}

/** The times of the sentence that says most, or of all of them as one. */
function timesOfSentences(
  { title, summary_line }: Pick<DisruptionRecord, 'title' | 'summary_line'>,
  written: string,
): Times {
  const said = sentencesOf(title, summary_line);
  const read = partsReader(`${title}. ${summary_line}`, written);
  const tellsDay = (text: string) => read(text).start !== null && read(text).lacks !== 'day';
  const sentences = said.filter((text, at) => !MOVED.test(text) || !said.slice(at + 1).some(tellsDay));
  const all = withDay(sentences.map(read), sentences, written);
  const clauses = clausesOf(sentences);
  const phases = phasesOf(all) ?? (clauses.length > sentences.length ? phasesOf(clauses.map(read)) : null);
  if (phases) return phases;
  const apart = combined(all);
  // Days in one sentence and hours in the next belong together. They are read as one if that gives more.
  const told = all.filter((times) => partsOf(times) > 0).length;
  if (partsOf(apart) === WHOLE || told < 2) return apart;
  const together = read(sentences.join(' '));
  const isOneTime =
    all.some(({ lacks }) => lacks === 'clock') &&
    all.some(({ lacks, start, end }) => lacks === 'day' && end && (start || told === 2));
  return partsOf(together) > partsOf(apart) || (isOneTime && together.isEndByClock) ? together : apart;
}

/** "The race is on Sunday at 09:00; roads closed 08:00-12:30": hours without a day are on the day that was named. */
function withDay(all: readonly Times[], sentences: readonly string[], written: string): readonly Times[] {
  const start = all.find((times) => times.start && !times.end && times.lacks === undefined)?.start;
  const day = start && londonDay(new Date(start));
  if (!day || day <= londonDay(new Date(written))) return all;
  return all.map((times, at) =>
    times.lacks === 'day' && times.start && times.end
      ? timesInWords(`${sentences[at]} on ${day}`, written)
      : times,
  );
}

function combined(all: readonly Times[]): Times {
  const known = all.filter(({ isGuessed }) => !isGuessed);
  const sure = known.some((times) => partsOf(times) > 0) ? known : all;
  const recurring = sure.find(({ windows }) => windows.length > 0);
  const told = recurring ?? sure.find(({ start }) => start) ?? NONE;
  // "On Tuesday … between 21:00 on Tuesday and 05:00": the hours say more than the day.
  const first =
    sure.find((times) => isWithin(times, told) || isWholeOf(times, told)) ??
    sure.find((times) => isClockOf(times, told)) ??
    told;
  // "All lines reopened at 12:34; delays are expected until 14:30"
  const ended = first.end || first.windows.length > 0 ? first : sure.find((times) => times.end);
  const own = ended && ended !== first ? onDayOf(first, ended) : ended?.end;
  const later = sure.find(({ end }) => end && ended?.end && ended.end === ended.since && end > ended.end);
  const end = (later ? later.end : own) ?? null;
  // Words with two states tell when the present one began, and the title may repeat the first.
  const states = sure.filter((times) => times.since);
  const state = states.find((times) => times.since !== times.start) ?? states[0] ?? NONE;
  const since = state.since === ended?.end && own ? own : state.since;
  return {
    start: first.start,
    end,
    windows: recurring?.windows ?? [],
    ...(since && { since }),
    ...(recurring?.isGuessed && { isGuessed: true }),
  };
}

/** The end in UTC. "The crash was at 14:20 on Sunday. The road reopened at 21:30": the first such time after the start. */
function onDayOf({ start, lacks }: Times, { end, since, lacks: ofEnd }: Times): string | null {
  const isOfStart = start && end && lacks === undefined && ofEnd === 'day' && end === since;
  if (!isOfStart || end < start) return end;
  const clock = LONDON_CLOCK.format(new Date(end));
  const day = londonDay(new Date(start));
  const first = toUtc(`${day}T${clock}`);
  return first && first > start ? first : toUtc(`${daysAfter(day, 1)}T${clock}`);
}

/** "8pm Friday to 5am Monday, then overnight on Monday from 8pm to 6am": phases in one sentence. */
const clausesOf = (sentences: readonly string[]): string[] =>
  sentences
    .flatMap((text) =>
      text.split(
        /,? (?:and |but )?(?:then|again|followed by|(?:with|plus) an? (?:further|final|second|additional)) /i,
      ),
    )
    .slice(0, SENTENCES_MAX + 2);

/** How many of start, end and hours the words give; hours count most. */
const partsOf = ({ start, end, windows, isGuessed }: Times) =>
  isGuessed ? 1 : Number(start !== null) + Number(end !== null) + (windows.length > 0 ? 2 : 0);
const WHOLE = 4;

/** "Phase 1: … Phase 2: …": sentences that each give a whole span, one after the other. */
function phasesOf(all: readonly Times[]): Times | null {
  const whole = all.filter(({ start, end, isGuessed }) => start && end && !isGuessed);
  const [first, last] = [whole[0], whole.at(-1)];
  const isInOrder = whole.every(({ start }, at) => at === 0 || whole[at - 1]!.end! <= start!);
  // "Hours of operation: 09:30 to 15:30. Dates: 7 to 11 December." is one phase.
  const isInParts =
    new Set(whole.map(({ lacks }) => lacks)).has('day') && whole.some(({ lacks }) => lacks === 'clock');
  // "From 5am to 9am and again from 5pm to 9pm on Monday": the day belongs to both.
  const isOfOneDay = first?.lacks === 'day' && last?.lacks === undefined;
  if (!first || !last || whole.length < 2 || !isInOrder || isInParts || isOfOneDay) return null;
  const windows = whole.flatMap((one) =>
    one.windows.length > 0 ? one.windows : [{ start: one.start, end: one.end }],
  );
  return { start: first.start, end: last.end, windows };
}

const isWithin = (one: Times, day: Times): boolean =>
  day.windows.length === 0 &&
  one.windows.length === 0 &&
  one.start !== null &&
  one.end !== null &&
  day.start !== null &&
  day.end !== null &&
  one.start > day.start &&
  one.start < day.end;

/** "All weekend: from 7pm on Friday to 6am on Monday": the clock says more than the days. */
const isClockOf = (one: Times, days: Times): boolean =>
  days.lacks === 'clock' &&
  days.windows.length + one.windows.length === 0 &&
  one.lacks === undefined &&
  one.isEndByClock === true &&
  Boolean(one.start && one.end && days.start && days.end) &&
  one.start! < days.end! && // all are given
  one.end! > days.start!;

/** Whether one gives the hours of the day on which the other starts. */
const isWholeOf = (one: Times, other: Times): boolean =>
  one !== other &&
  other.end === null &&
  other.windows.length === 0 &&
  one.windows.length === 0 &&
  one.lacks === undefined &&
  one.start !== null &&
  one.end !== null &&
  other.start !== null &&
  other.since === undefined &&
  londonDay(new Date(one.start)) === londonDay(new Date(other.start));

/** The most characters of title and of text. */
const READ_MAX = 2000;
/** "The closure advertised for this week has been moved.": the sentences after it give its new time. */
const MOVED =
  /^(?![^.;]*\b(?:closed?|closes|shuts?)\b)[^.;]*?\b(?:closures?|works|roadworks|resurfacing|strikes?|event|parade)\b[^.;]{0,80}\b(?:has|have|had|is|are) (?:now )?(?:been )?(?:postponed|rescheduled|moved|put back|pushed back|deferred|brought forward)(?=[.;]|$)/i;
const SENTENCES_MAX = 20;

/** The sentences. A text that begins with its title is read once. "8 p.m. on Friday" is in one sentence. */
const sentencesOf = (title: string, text: string) => [
  ...(text.startsWith(title) ? [] : [byTide(title.slice(0, READ_MAX))]),
  ...byTide(text.slice(0, READ_MAX)).split(
    /(?<=[^ .][.!?]|;)(?<!\b(?:est|approx)\.)(?<!\d ?[ap]\.m\.(?= (?:[a-z\d(]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun))))\s+/u,
    SENTENCES_MAX,
  ),
];

const COUNT = String.raw`(?:an|one|two|three|four|1|2|3|4)`;
const AT = String.raw`(?<hour>[01]?\d|2[0-3])[:.]?(?<minute>[0-5]\d)(?: ?(?<half>[ap]m)\b)?`;
const TIDE = new RegExp(
  String.raw`\bhigh (?:tide|water)\b[^.;]{0,40}?\b${AT}(?<day>[^.;]{0,30})[.;] (?<what>[^.;]{0,120}?)\b(?:(?:for )?(?<either>${COUNT}) hours? either side|(?:from )?(?<before>${COUNT}) hours? before (?:until|to|and|till) (?<after>${COUNT}) hours? after)`,
  'i',
);
/** "One hour either side of high water, which is at 11:20 today" */
const OF_TIDE = new RegExp(
  String.raw`\b(?:for )?(?:(?<either>${COUNT}) hours? either side of|(?:from )?(?<before>${COUNT}) hours? before (?:until|to|and|till) (?<after>${COUNT}) hours? after) high (?:tide|water)\b[^.;]{0,20}?\b${AT}(?<day>[^.;]{0,30})`,
  'i',
);
/** "And again at the same hours on Friday": the day counts, and the hours are known. */
const SAME_HOURS =
  /,? and (?:again )?(?:(?:at|for|between|during) )?the same(?: hours| times?)?(?: again)? (?=on\b)/gi;
const COUNTED = ['an', 'one', 'two', 'three', 'four'];

/** "High water is at 11:50 today. Shore Road is flooded for an hour either side": these are the hours of that road. */
function byTide(given: string): string {
  const text = given.replace(SAME_HOURS, ' and ');
  const { groups, 0: said = '' } = TIDE.exec(text) ?? OF_TIDE.exec(text) ?? {};
  if (!groups) return text;
  const count = (word = '') => Number(word) || Math.max(COUNTED.indexOf(word.toLowerCase()), 1);
  const clock = (hours: number) =>
    `${String(((/^p/i.test(groups.half ?? '') ? (Number(groups.hour) % 12) + 12 : Number(groups.hour)) + hours + 24) % 24).padStart(2, '0')}:${groups.minute}`;
  const [before, after] = [groups.before, groups.after].map((word) => count(word ?? groups.either));
  return text.replace(said, `${groups.what ?? ''}from ${clock(-before!)} to ${clock(after!)}${groups.day}`);
}

/** The periods in a field, each with a start and an end, in order. */
export function periodsIn(value: unknown): TimeWindow[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, PERIODS_MAX)
    .flatMap((period: unknown) => {
      const { start, end, from, to, startTime, endTime, fromDate, toDate } = (period ?? {}) as Record<
        string,
        unknown
      >;
      const [begins, ends] = [start ?? from ?? startTime ?? fromDate, end ?? to ?? endTime ?? toDate].map(
        (time) => (typeof time === 'string' ? toUtc(time) : null),
      );
      return begins || ends ? [{ start: begins ?? null, end: ends ?? null }] : [];
    })
    .sort((one, other) => ((one.start ?? '') < (other.start ?? '') ? -1 : 1));
}
