/** Calendars in iCalendar (RFC 5545). Repeating entries become performances. Times without a zone are London time. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { setImmediate } from 'node:timers/promises';
import { tzOffset } from '@date-fns/tz/tzOffset';
import ICAL from 'ical.js';
import { CATEGORIES } from '#contract/places/events.ts';
import { toUtc, daysAfter } from '../../../http/documents/londonTime.ts';
import { plainText, webAddress } from '../../../http/documents/plainText.ts';
import { LONDON, londonDay } from '#contract/london.ts';
import { createContext, Script } from 'node:vm';

/** For a series without an end: how many days ahead it is followed, and how many of its dates. */
const AHEAD_DAYS = 400;
const DATES_MAX = 400;
/** After this many entries other work gets a turn, such as the operator's stop signal. */
const ENTRIES_AT_ONCE = 50;

interface Entry {
  line: number;
  text: string;
}

/** The texts of the entries, each with the line where it begins; undefined when the calendar is cut off. */
export function entriesOf(calendar: string): Entry[] | undefined {
  const entries: Entry[] = [];
  let begun: { line: number; lines: string[] } | undefined;
  let isEnded = false;
  const lines = calendar.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) begun = { line: at + 1, lines: [] };
    begun?.lines.push(line);
    if (begun && /^END:VEVENT\s*$/i.test(line)) {
      entries.push({ line: begun.line, text: begun.lines.join('\r\n') });
      begun = undefined;
    }
    if (/^END:VCALENDAR\s*$/i.test(line)) isEnded = true;
  }
  return isEnded && !begun ? entries : undefined;
}

interface Row {
  line: number;
  value: Readonly<Record<string, unknown>> | { problem: string };
}

/** The entries of one UID, or the problem of an entry. */
type Series = { line: number; events: ICAL.Event[] } | { line: number; problem: string };

/** One series for each UID, after the entries that cannot be read. Fewer when `signal` aborts. */
export async function seriesOf(entries: readonly Entry[], signal?: AbortSignal): Promise<Series[]> {
  const problems: Series[] = [];
  const series = new Map<string, { line: number; events: ICAL.Event[] }>();
  for (const [at, { line, text }] of entries.entries()) {
    if (at % ENTRIES_AT_ONCE === 0) await setImmediate();
    if (signal?.aborted) break;
    let event: ICAL.Event;
    try {
      event = new ICAL.Event(
        new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0]),
      );
      if (!event.uid) throw new Error('has no UID');
      if (!event.component.hasProperty('dtstart')) throw new Error('has no DTSTART');
    } catch (error) {
      problems.push({ line, problem: `cannot be read: ${(error as Error).message}` });
      continue;
    }
    const known = series.get(event.uid);
    if (known) known.events.push(event);
    else series.set(event.uid, { line, events: [event] });
  }
  return [...problems, ...series.values()];
}

/** Rows in our format, before they are checked: the dates of a series, with changes to single dates. Ends early when
 *  `signal` aborts. */
export async function* rowsOf(
  all: readonly Series[],
  source: string,
  now: Date,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  for (const series of all) {
    await setImmediate();
    if (signal?.aborted) return;
    const { line } = series;
    yield { line, value: 'problem' in series ? series : readRow(series.events, source, now) };
  }
}

function readRow(events: readonly ICAL.Event[], source: string, now: Date): Row['value'] {
  const isSeries = events.some((event) => event.isRecurring());
  try {
    return isSeries ? withinTime(() => rowOf(events, source, now)) : rowOf(events, source, now);
  } catch (error) {
    return { problem: `cannot be read: ${(error as Error).message}` };
  }
}

function rowOf(events: readonly ICAL.Event[], source: string, now: Date) {
  const master = events.find((event) => !event.isRecurrenceException()) ?? events[0]!; // a series has at least one entry
  const event_id = `${source}:${master.uid}`.slice(0, 200);
  const changed = new Map(
    events
      .filter((event) => event.isRecurrenceException())
      .map((event) => [utcOf(event.recurrenceId, event.component.getFirstProperty('recurrence-id')), event]),
  );
  const performances = datesOf(master, now).flatMap(({ start, end, isOnly }) => {
    const exception = changed.get(start);
    const one = exception ? datesOf(exception, now)[0]! : { start, end }; // an exception has a single date
    if (isCancelled(exception ?? master)) return [];
    return [
      {
        performance_id: isOnly ? event_id : `${event_id}@${start}`.slice(-200),
        start_datetime: one.start,
        end_datetime: one.end,
        booking_url: null,
      },
    ];
  });
  if (performances.length === 0) {
    return { problem: isCancelled(master) ? 'is cancelled' : `has no date in the next ${AHEAD_DAYS} days` };
  }

  const words = (name: string) => {
    const value = master.component.getFirstPropertyValue(name);
    return typeof value === 'string' && value.trim() ? plainText(value) : undefined;
  };
  const tags = master.component
    .getAllProperties('categories')
    .flatMap((property) => property.getValues().map((value: unknown) => plainText(String(value))));
  const known = CATEGORIES.find((category) =>
    tags.some((tag) => tag.toLowerCase() === category.toLowerCase()),
  );
  const [latitude, longitude] = positionOf(master);
  return {
    event_id,
    name: words('summary'),
    category: known ?? tags[0] ?? 'Community',
    tags: tags.filter((tag) => tag.toLowerCase() !== known?.toLowerCase()),
    description: words('description'),
    link_url: webAddress(words('url')),
    ...venueOf(words('location')),
    latitude,
    longitude,
    performances,
  };
}

const isCancelled = (event: ICAL.Event) =>
  String(event.component.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED';

/** The dates of a series from yesterday on, or the only date of an entry that does not repeat. */
function datesOf(event: ICAL.Event, now: Date): { start: string; end: string | null; isOnly: boolean }[] {
  const property = event.component.getFirstProperty('dtstart');
  const lengthMs = event.duration.toSeconds() * 1000;
  const ending = (start: string) => {
    if (!event.startDate.isDate) {
      return lengthMs > 0 ? new Date(Date.parse(start) + lengthMs).toISOString() : null;
    }
    // DTEND is the day after the last day. Without it, the entry lasts one day.
    const days = Math.max(1, Math.round(lengthMs / DAY_MS));
    return toUtc(`${daysAfter(londonDay(new Date(start)), days - 1)}T23:59`);
  };
  if (!event.isRecurring()) {
    const start = utcOf(event.startDate, property);
    return [{ start, end: ending(start), isOnly: true }];
  }

  const dates: ReturnType<typeof datesOf> = [];
  const from = new Date(now.getTime() - DAY_MS).toISOString();
  const until = new Date(now.getTime() + AHEAD_DAYS * DAY_MS).toISOString();
  // The library compares local times in different zones, so it misses an EXDATE in UTC.
  const done = new Set(
    event.component
      .getAllProperties('exdate')
      .flatMap((excluded) => excluded.getValues().map((time) => utcOf(time as ICAL.Time, excluded))),
  );
  const take = (time: ICAL.Time): string => {
    const start = utcOf(time, property);
    if (start >= from && start <= until && !done.has(start)) {
      dates.push({ start, end: ending(start), isOnly: false });
    }
    done.add(start);
    return start;
  };
  // DTSTART is the first date of every series (RFC 5545, 3.8.5.2); the library includes it only if the rule does.
  take(event.startDate);
  const iterator = iteratorOf(event);
  while (dates.length < DATES_MAX) {
    const next = iterator.next() as ICAL.Time | undefined;
    if (!next || take(next) > until) break;
  }
  return dates;
}

/** Throws on an unknown zone. A time without a zone is London time. */
function utcOf(time: ICAL.Time, property: ICAL.Property | null): string {
  const clock = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  if (time.zone?.tzid === 'UTC') return new Date(clock).toISOString();
  const zone = zoneOf(String(property?.getParameter('tzid') ?? LONDON));
  const offset = (at: number) => tzOffset(zone, new Date(at)) * MINUTE_MS;
  // This is done twice, because the first result can be on the other side of a clock change.
  return new Date(clock - offset(clock - offset(clock))).toISOString();
}

/** Outlook's names for the zones of Britain, Ireland and neighbouring countries (CLDR, windowsZones.xml). */
const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'GMT Standard Time': LONDON,
    'Greenwich Standard Time': 'Atlantic/Reykjavik',
    'Romance Standard Time': 'Europe/Paris',
    'W. Europe Standard Time': 'Europe/Berlin',
    'Central Europe Standard Time': 'Europe/Budapest',
    'Central European Standard Time': 'Europe/Warsaw',
  }),
);

/** The zone's IANA name. Some programs put their own name in front: `/mozilla.org/20050126_1/Europe/London`. */
function zoneOf(tzid: string): string {
  const zone = WINDOWS_ZONES.get(tzid) ?? tzid.replace(/^\/.*\/(?=\w+\/\w+$)/, '');
  if (Number.isNaN(tzOffset(zone, new Date(0)))) {
    throw new Error(`its time zone ${JSON.stringify(tzid.slice(0, 80))} is not known`);
  }
  return zone;
}

function positionOf(event: ICAL.Event): [latitude: unknown, longitude: unknown] {
  const value: unknown = event.component.getFirstPropertyValue('geo');
  if (Array.isArray(value)) return [value[0], value[1]];
  const [latitude, longitude] = typeof value === 'string' ? value.split(';') : [];
  return [latitude, longitude];
}

const POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}\b/i;

/** `Town Hall, Blagrave Street, Reading RG1 1QH`: the venue comes first, the town last. */
function venueOf(location: string | undefined): Readonly<Record<string, unknown>> {
  if (!location) return {};
  const postcode = POSTCODE.exec(location)?.[0];
  const parts = location
    .replace(POSTCODE, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part && !/^(?:UK|United Kingdom|England|Scotland|Wales)$/i.test(part));
  return {
    venue_name: parts[0] ?? location,
    venue_town: parts.length > 1 ? parts.at(-1) : undefined,
    address: parts.length > 2 ? parts.slice(1, -1).join(', ') : undefined,
    postcode,
  };
}

// The dates of a repeating calendar entry, within a limited time, because a file can hold any rule.

/** The most dates, days, months and years that are tried for one rule, with or without a result. To reach the
 *  present, a daily rule since 1990 needs 26,000, a weekly one since 1970 23,000. */
const TRIES_MAX = 30_000;

/** The longest time for one entry with all its dates. Every rule that we know reaches TRIES_MAX in a fifth of it. */
const TIME_MAX_MS = 10_000;

/** The library searches until it finds a next date, and some rules have none. All its long loops call one of these
 *  methods, which count. */
class BoundedIterator extends ICAL.RecurIterator {
  // It has no initial value, because the parent constructor already counts.
  declare private tries: number | undefined;

  private countTries(more: number): void {
    this.tries = (this.tries ?? 0) + more;
    if (this.tries > TRIES_MAX) {
      throw new Error(`its rule ${inQuotes(this.rule)} is too long or has no dates: ${TRIES_MAX} were tried`);
    }
  }

  override check_contracting_rules(): boolean {
    this.countTries(1);
    return super.check_contracting_rules();
  }

  override increment_monthday(days: number): void {
    this.countTries(days);
    super.increment_monthday(days);
  }

  override increment_month(): void {
    this.countTries(1);
    super.increment_month();
  }

  override expand_year_days(year: number): number {
    this.countTries(1);
    return super.expand_year_days(year);
  }
}

/** The dates in order, by `next()`. This function and `next` throw when a rule takes too many tries. */
function iteratorOf(event: ICAL.Event): ICAL.RecurExpansion {
  for (const property of event.component.getAllProperties('rrule')) {
    const rule = property.getFirstValue() as ICAL.Recur;
    // With unsorted months the library's search for a week of a month never ends.
    rule.parts['BYMONTH']?.sort((a, b) => Number(a) - Number(b));
    rule.iterator = (dtstart) => new BoundedIterator({ rule, dtstart });
  }
  return event.iterator();
}

/** Stops even an endless loop, by throwing. */
function withinTime<T>(work: () => T): T {
  let done: { value: T } | undefined;
  LIMITED.work = () => {
    done = { value: work() };
  };
  try {
    WORK.runInContext(LIMITED, { timeout: TIME_MAX_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`its dates took longer than ${TIME_MAX_MS / 1000} s to work out`, { cause: error });
  }
  return done!.value; // it ended without throwing
}

const WORK = new Script('work()');
const LIMITED = createContext({}) as { work?: () => void };

const inQuotes = (rule: ICAL.Recur) => JSON.stringify(rule.toString().slice(0, 80));
