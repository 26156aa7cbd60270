/** When an incident is expected to be over: the publisher's own time, or its own words. Never our estimate. */
import { TZDate } from '@date-fns/tz';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { LONDON, monthOf } from '#contract/london.ts';
import { knownSource, type Subject } from '#contract/feeds/sources.ts';
import { toUtc } from '../../http/documents/londonTime.ts';
import type { Reported } from './reported.ts';

/** Where facts were read, `end_time` alone says nothing: it may be our own limit. */
export const statedEnd = ({ facts, end_time }: Pick<Disruption, 'facts' | 'end_time'>): string | null =>
  facts ? facts.expected_clear : end_time;

/** Their clock times are those of high water or of the weather. */
const FORECASTS: ReadonlySet<Subject | null> = new Set(['floods', 'weather', 'airports']);

/** A time this far before the text was written is past; further back, it is tomorrow's. */
const PAST_HOURS_MAX = 6;

const TIME = String.raw`(?:(\d{1,2})[:.](\d{2})(?: ?(am|pm)\b)?|(\d{2})(\d{2}) ?hrs|(\d{1,2}) ?(am|pm)|(noon|midday|midnight))`;
const DAY = String.raw`(?:,? (?:on )?(?:(tomorrow|today|tonight)|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(\d{1,2})(?:st|nd|rd|th)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: (\d{4}))?|(mon|tues|wednes|thurs|fri|satur|sun)day))?`;
const ABOUT = String.raw`(?:about |around |approximately |approx |roughly )?`;

/** "until 15:30", "expected to clear by 11:00"; of "between 11:00 and 11:15" the later. */
const UNTIL = new RegExp(
  String.raw`\b(?:until|till|(?:clear|end|reopen|resume|over|open|finish|complete[d]?|normal|last|continue)[a-z]*(?: again)? (?:by|at|before|around|to|until)|expected by) ${ABOUT}${TIME}(?!\d)${DAY}`,
  'i',
);
const BETWEEN = new RegExp(
  String.raw`\b(?:expected|clear|end|reopen|normal)[a-z ]{0,40}between \d{1,2}[:.]?\d{0,2} ?(?:am|pm)? and ${ABOUT}${TIME}(?!\d)${DAY}`,
  'i',
);
/** The end of each day's hours, not of all. */
const RECURS =
  /\b(?:each|every|daily|nightly|nights|weekdays|weekends|week ?nights|(?:mon|tues|wednes|thurs|fri|satur|sun)days|mon(?:day)? ?(?:to|-|–) ?\w+)\b/i;
/** Whose end it is: not that of a ticket or of a replacement. */
const ANOTHER =
  /\btickets?\b|\baccepted\b|\bopen until\b|\bopening hours\b|\bat least until\b|\buntil at least\b|\bnot (?:\w+ ){0,4}before\b/i;

export function expectedClear(
  source: string,
  record: Pick<Reported, 'end_time' | 'updated_at' | 'start_time'>,
  texts: readonly string[],
): { at: string; from: 'end_time' | 'words' } | null {
  const { subject, ownEnds } = knownSource(source);
  if (record.end_time && !ownEnds) return { at: record.end_time, from: 'end_time' };
  const written = record.updated_at ?? record.start_time;
  if (!written || FORECASTS.has(subject)) return null;
  for (const sentence of texts.flatMap((text) => text.split(/(?<=[.!?])\s/))) {
    if (ANOTHER.test(sentence) || RECURS.test(sentence)) continue;
    const found = BETWEEN.exec(sentence) ?? UNTIL.exec(sentence);
    const at = found && instant(found, written);
    if (at) return { at, from: 'words' };
  }
  return null;
}

/** On London's clock, on the day named or the nearest to when it was written. */
function instant(found: RegExpExecArray, written: string): string | null {
  const [, hour, minute, half, hour4, minute4, hour12, half12, word, near, dayOfMonth, month, year, weekday] =
    found;
  const clock = clockOf({
    hour: hour ?? hour4 ?? hour12,
    minute: minute ?? minute4,
    half: half ?? half12,
    word,
  });
  if (!clock) return null;
  const base = new TZDate(Date.parse(written), LONDON);
  const from = { year: base.getFullYear(), month: base.getMonth(), day: base.getDate() };
  const at = (later: number) => onDay(from.year, from.month, from.day + later, clock);

  if (near) return at(near.toLowerCase() === 'tomorrow' ? 1 : 0);
  if (weekday) {
    const wanted = ['sun', 'mon', 'tues', 'wednes', 'thurs', 'fri', 'satur'].indexOf(weekday.toLowerCase());
    return at((wanted - base.getDay() + 7) % 7);
  }
  if (dayOfMonth && month) {
    const index = monthOf(month) - 1;
    if (Number(dayOfMonth) > new Date(Date.UTC(Number(year ?? from.year), index + 1, 0)).getUTCDate())
      return null;
    const inYear = (of: number) => onDay(of, index, Number(dayOfMonth), clock);
    if (year) return inYear(Number(year));
    // The year that puts it nearest: "2 January", written in December.
    const away = (time: string) => Math.abs(Date.parse(time) - Date.parse(written));
    const times = [from.year - 1, from.year, from.year + 1].map(inYear).filter((time) => time !== null);
    return times.sort((a, b) => away(a) - away(b))[0] ?? null;
  }
  const today = at(0);
  if (!today) return null;
  return Date.parse(today) >= Date.parse(written) - PAST_HOURS_MAX * 3_600_000 ? today : at(1);
}

interface Clock {
  hour: number;
  minute: number;
}

function clockOf(given: { hour?: string; minute?: string; half?: string; word?: string }): Clock | null {
  if (given.word) return { hour: given.word.toLowerCase() === 'midnight' ? 24 : 12, minute: 0 };
  const minute = Number(given.minute ?? 0);
  let hour = Number(given.hour);
  if (given.half) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (given.half.toLowerCase() === 'pm' ? 12 : 0);
  }
  return hour <= 24 && minute <= 59 && (hour < 24 || minute === 0) ? { hour, minute } : null;
}

/** UTC. A day beyond the month's last is one of the next month; null for years that are no dates of ours. */
function onDay(year: number, month: number, day: number, { hour, minute }: Clock): string | null {
  const date = new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
  const digits = (number: number) => String(number).padStart(2, '0');
  return toUtc(`${date}T${digits(hour)}:${digits(minute)}`);
}
