/** A day sheet from a file, as text that could have been pasted. Throws Unusable. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import { counted } from '#contract/numbers.ts';
import type { AskedJob } from '#contract/watches/jobs.ts';
import { Unusable } from '../../api/http.ts';
import { formatClock } from '../../time/london.ts';
import { readSheet, type Sheet } from './daySheet.ts';
import { dayIn, daysWithin } from './sheetCells.ts';
import { decoded, rowsOfText } from './sheetText.ts';

const MOST_BYTES = 5 * 1024 * 1024;

/** `day`: from a calendar only entries of that day are taken. */
export async function sheetText(file: File, day: string): Promise<string> {
  if (file.size === 0) throw new Unusable('This file is empty.');
  if (file.size > MOST_BYTES) throw new Unusable('This file is larger than 5 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Spreadsheet files are ZIP archives; the older kind begins with other bytes.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return workbookText(bytes, day);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new Unusable('This is an old .xls file. Save it as .xlsx or CSV, or copy its rows and paste them.');
  const text = decoded(bytes);
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return calendarText(text, day);
  return text;
}

/** The largest unpacked part of a workbook: a larger part is not a day sheet. This limits how much memory a file can
 *  take. It also keeps fflate from starting a worker from a blob, which our content security policy refuses. */
const MOST_UNPACKED_BYTES = 512 * 1024;

/** The cells of the sheets with the day's jobs, in columns. The names of the other sheets are listed below them. */
async function workbookText(bytes: Uint8Array<ArrayBuffer>, day: string): Promise<string> {
  const [{ strFromU8, unzipSync }, { default: readWorkbook }] = await Promise.all([
    import('fflate'),
    import('read-excel-file/universal'),
  ]);
  let isTooLarge = false;
  let sheets: Awaited<ReturnType<typeof readWorkbook>>;
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        isTooLarge ||= /\.(?:xml|rels)$/.test(name) && originalSize >= MOST_UNPACKED_BYTES;
        return false;
      },
    });
    sheets = isTooLarge ? [] : await readWorkbook(bytes.buffer);
  } catch {
    throw new Unusable(
      'This spreadsheet cannot be read. Save it again as .xlsx, or copy its rows and paste them.',
    );
  }
  if (isTooLarge)
    throw new Unusable(
      'This spreadsheet holds far more than a day. Copy the rows of the day and paste them.',
    );
  const parts = unzipSync(bytes, { filter: ({ name }) => /^xl\/.*\.(?:xml|rels)$/.test(name) });
  const looks = looksOf((name) => (parts[name] ? strFromU8(parts[name]) : ''));
  let hiddenRows = 0;
  const all = sheets.map(({ sheet, data }, index) => {
    const { merges, isHidden, hidden } = looks[index] ?? { merges: [], isHidden: false, hidden: new Set() };
    const rows = withMergesFilled(
      data.map((cells) => cells.map(cellText)),
      merges,
    );
    const isLeft = (cells: string[], at: number) => !isHidden && hidden.has(at) && cells.some(Boolean);
    hiddenRows += rows.filter(isLeft).length;
    const shown = rows.filter((_, at) => !hidden.has(at));
    return { name: sheet, isHidden, text: shown.map((cells) => cells.join('\t')).join('\n') };
  });
  const filled = all.filter(({ text }) => text.trim() !== '');
  const seen = named(
    filled.filter(({ isHidden }) => !isHidden),
    day,
  );
  if (seen.length === 0) throw new Unusable('This spreadsheet has no rows.');
  const left = [
    hiddenRows > 0 && counted(hiddenRows, 'hidden row'),
    ...filled.map(({ name, isHidden }) => isHidden && `the hidden sheet “${name}”`),
  ].filter(Boolean);
  const leftLine = left.length > 0 ? `\nNot read: ${left.join(', ')}` : '';
  if (seen.length === 1) {
    const [{ day: said, text }] = seen as [WorkSheet];
    return `${said === null || said === day ? text : textOf(seen)}${leftLine}`;
  }
  const [first] = seen.toSorted((one, other) => jobsIn(other, day) - jobsIn(one, day));
  const { text, unread } = sheetsTogether(seen, first!, {
    asked: day,
    day: readOf(textOf([first!]), day)?.saysDay ?? day,
  });
  return `${text}${leftLine}${unread}`;
}

interface WorkSheet {
  name: string;
  text: string;
  /** The day that its name says. */
  day: string | null;
  /** Its name, or the day that is meant by it. */
  title: string;
  /** Its name is a number that may count coaches instead of days. */
  isUnsure: boolean;
}

/** The sheets with the days of their names: "27 Nov", "27.11", and where most sheets have a number, "27" too. */
function named(sheets: readonly Pick<WorkSheet, 'name' | 'text'>[], day: string): WorkSheet[] {
  const NUMBER = /^(?:day ?)?(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/i;
  const isNumber = ({ name }: { name: string }) => NUMBER.test(name.trim());
  const filled = sheets.filter(({ text }) =>
    (readOf(text, day)?.rows ?? []).some(({ jobs }) => jobs.length > 0),
  );
  const numbers = sheets.filter(isNumber).map(({ name }) => Number(NUMBER.exec(name.trim())![1]));
  const isOfDays = numbers.length > 1 && filled.filter(isNumber).length > filled.length / 2;
  // Coaches have numbers from 1 on as well.
  const isUnsure = !numbers.includes(Number(day.slice(8))) || (numbers.includes(1) && numbers.length < 28);
  const month = Number(day.slice(5, 7));
  return sheets.map((sheet) => {
    const name = sheet.name.trim();
    const said =
      isOfDays && isNumber(sheet)
        ? name.replace(NUMBER, `$1/${month}`)
        : name
            .replace(
              /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* )?(\d\d?)(?:[._ -](\d\d?)$|\.(\d\d?)(?= ))/i,
              '$1/$2$3',
            )
            .replace(/^(\d\d)(\d\d)((?:20)?\d\d)$/, '$1/$2/$3')
            .replace(/^([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?$/i, '$2 $1');
    const own = dayIn(said, day) ?? daysWithin(said, day)[0] ?? null;
    return {
      ...sheet,
      day: own,
      title: said === name ? name : (own ?? name),
      isUnsure: isUnsure && isNumber(sheet),
    };
  });
}

const textOf = (sheets: readonly WorkSheet[]) =>
  sheets.map(({ title, text }) => `${title}\n${text}`).join('\n');

/** Null: the text has too many rows. */
function readOf(text: string, day: string): Sheet | null {
  try {
    return readSheet(rowsOfText(text), { day });
  } catch {
    return null;
  }
}

/** The name of a week, or of one version of a sheet, whose jobs another version may have with other times. */
const VERSION =
  /\b(?:old|new|copy|draft|final|amended|revised|updated|(?:v|version|w|wk|week) ?\d+)\b|\(\d+\)/i;

/** Whether both can be jobs of one day: not if they may be one job of which a sheet does not say who drives. */
const areTwo = (one: AskedJob, other: AskedJob) =>
  one.leaves_local !== other.leaves_local ||
  one.trip !== other.trip ||
  (['vehicle', 'driver'] as const).some(
    (field) => one[field] !== null && other[field] !== null && one[field] !== other[field],
  );

/** The sheet with most jobs, and below it the others of that day, as far as each job is the same as if its sheet were
 *  alone. `unread`: the sheets that are left out. The page asks about those with jobs of their own. */
function sheetsTogether(
  sheets: readonly WorkSheet[],
  first: WorkSheet,
  { asked, day }: { asked: string; day: string },
): { text: string; unread: string } {
  const jobsOf = (sheet: Sheet | null) => (sheet?.rows ?? []).flatMap(({ jobs }) => jobs);
  const wordsOf = (jobs: readonly AskedJob[]) => jobs.map((job) => JSON.stringify(job)).toSorted();
  const questionsOf = (sheet: Sheet | null) => (sheet?.asked ?? []).map((one) => one.replaceAll(/\d+/g, ''));
  const read = new Map(sheets.map((sheet) => [sheet, readOf(textOf([sheet]), asked)]));
  const isSame = (taken: readonly WorkSheet[]) => {
    const together = readOf(textOf(taken), asked);
    const alone = taken.map((one) => read.get(one)!);
    const questions = questionsOf(together);
    return (
      wordsOf(jobsOf(together)).join('\n') === wordsOf(alone.flatMap(jobsOf)).join('\n') &&
      alone.flatMap(questionsOf).every((one) => questions.includes(one))
    );
  };
  let taken = [first];
  const known = jobsOf(read.get(first)!);
  const unread: string[] = [];
  for (const sheet of sheets.filter((one) => one !== first)) {
    const isOfDay = (sheet.day ?? read.get(sheet)?.saysDay ?? day) === day;
    const jobs = isOfDay || sheet.isUnsure ? jobsOf(read.get(sheet)!) : [];
    const words = new Set(wordsOf(known));
    const others = jobs.filter((job) => !words.has(JSON.stringify(job))).length;
    const more = sheets.filter((one) => one === sheet || taken.includes(one));
    const isCertain = isOfDay && !more.some(({ name }) => VERSION.test(name));
    if (
      others > 0 &&
      isCertain &&
      jobs.every((job) => known.every((one) => areTwo(one, job))) &&
      isSame(more)
    ) {
      taken = more;
      known.push(...jobs);
    } else {
      const which =
        others > 0 ? ` with ${counted(others, 'job')}` : jobs.length > 0 ? ' with the same jobs' : '';
      unread.push(`“${sheet.name}”${which}`);
    }
  }
  const isAsked = unread.some((one) => / \d+ jobs?$/.test(one));
  const names = isAsked ? `; read: ${taken.map(({ name }) => `“${name}”`).join(', ')}` : '';
  const left =
    unread.length > 0 ? `\nNot read: the other sheets of this file, ${unread.join(', ')}${names}` : '';
  return { text: textOf(taken), unread: left };
}

/** How many rows of a sheet are jobs. A sheet named after the day has priority; one that is too long comes before
 *  those without jobs, so that the page can say why it is refused. */
function jobsIn({ day: own, text }: WorkSheet, day: string): number {
  const sheet = readOf(text, day);
  const understood =
    sheet === null ? 0.5 : sheet.rows.filter(({ left }) => left === null || left === 'other day').length;
  return understood === 0 ? 0 : understood + (own === day ? 10_000 : 0);
}

/** A merged cell: its first and last row and column, from 0. */
interface Merge {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

const MERGES_MAX = 2000;

interface Look {
  isHidden: boolean;
  /** Hidden rows, from 0: a filter leaves them out. */
  hidden: ReadonlySet<number>;
  merges: Merge[];
}

/** The look of each sheet, in the workbook's order. The package that reads the cells does not know it. */
function looksOf(part: (name: string) => string): Look[] {
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const targets = new Map(
    (part('xl/_rels/workbook.xml.rels').match(/<Relationship\b[^>]*>/g) ?? []).map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  return (part('xl/workbook.xml').match(/<sheet\b[^>]*>/g) ?? []).map((tag) => {
    const target = targets.get(attribute(tag, 'r:id')) ?? '';
    const sheet = part(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    const rows = (sheet.match(/<row\b[^>]*>/g) ?? []).filter((row) => isTrue(attribute(row, 'hidden')));
    const merges = (sheet.match(/<mergeCell\b[^>]*>/g) ?? []).slice(0, MERGES_MAX).flatMap((merge) => {
      const [, left, top, right, bottom] =
        /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(attribute(merge, 'ref')) ?? [];
      if (left === undefined) return [];
      return {
        top: Number(top) - 1,
        left: columnAt(left),
        bottom: Number(bottom) - 1,
        right: columnAt(right!),
      };
    });
    return {
      isHidden: /hidden/i.test(attribute(tag, 'state')),
      hidden: new Set(rows.map((row) => Number(attribute(row, 'r')) - 1)),
      merges,
    };
  });
}

const isTrue = (value: string) => value === '1' || value === 'true';

/** "A" is 0, "AA" is 26. */
const columnAt = (letters: string): number =>
  [...letters].reduce((all, letter) => all * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** A merged cell has the same content in all its rows, and a heading over two or three columns in all of these. A
 *  line across the whole sheet is a title. */
function withMergesFilled(rows: readonly string[][], merges: readonly Merge[]): string[][] {
  const full = rows.map((cells) => [...cells]);
  for (const { top, left, bottom, right } of merges) {
    const value = rows[top]?.[left] ?? '';
    const beside = (rows[top] ?? []).filter((cell, at) => cell !== '' && (at < left || at > right)).length;
    const last = beside > 0 && right - left < 3 ? right : left;
    for (let row = top; row <= Math.min(bottom, full.length - 1); row++)
      for (let at = left; at <= last; at++) full[row]![at] ||= value;
  }
  return full;
}

/** The text of a cell. A spreadsheet stores a time of day as a moment on its first day, and all moments without a
 *  zone. */
function cellText(cell: unknown): string {
  if (!(cell instanceof Date))
    return String(cell ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const [day, time] = new Date(Math.round(cell.getTime() / MINUTE_MS) * MINUTE_MS).toISOString().split('T');
  const clock = time!.slice(0, 5);
  if (day! < '1901') return clock;
  return clock === '00:00' ? day! : `${day!} ${clock}`;
}

/** Entries within this many days of the day get rows of their own; others are counted. */
const NEAR_DAYS = 7;

/** The entries of a calendar, in columns: entries that begin on this day, also repeated ones, and entries of the
 *  days around it, so that the page can say what it leaves out. */
async function calendarText(text: string, day: string): Promise<string> {
  const { default: ICAL } = await import('ical.js');
  let events: Event[];
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0]);
    events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  } catch {
    throw new Unusable('This calendar cannot be read.');
  }
  const changed = new Set(
    events.flatMap(({ uid, recurrenceId }) => (recurrenceId ? `${uid} ${recurrenceId.toString()}` : [])),
  );
  let away = 0;
  const rows = events.flatMap((event) => {
    if (!event.startDate) return [];
    const found = startsOn(event, day).filter(
      (start) => event.recurrenceId || !changed.has(`${event.uid} ${start.toString()}`),
    );
    const isNear =
      found.length > 0 || (!event.isRecurring() && daysFrom(dayOf(event.startDate), day) <= NEAR_DAYS);
    if (!isNear && !event.isRecurring()) away++;
    const starts = found.length > 0 ? found : isNear ? [event.startDate] : [];
    const lasts = event.component.hasProperty('dtend') || event.component.hasProperty('duration');
    return starts.map((start) => {
      return [
        dayOf(start),
        clockOf(start),
        event.summary,
        lasts && !start.isDate ? clockAfter(start, event.duration) : '',
        event.location,
        event.component.getFirstPropertyValue('status')?.toString(),
        event.description,
      ];
    });
  });
  if (rows.length === 0)
    throw new Unusable(`This calendar has nothing around this day, of ${events.length} entries in all.`);
  const lines = [['Date', 'Time', 'Trip', 'Arrives', 'Place', 'Status', 'Notes'], ...rows]
    .map((cells) => cells.map((cell) => (cell ?? '').replaceAll(/\s+/g, ' ').trim()).join('\t'))
    .join('\n');
  return away > 0 ? `${lines}\nNot read: ${away} ${away === 1 ? 'entry' : 'entries'} of other weeks` : lines;
}

type Event = InstanceType<(typeof import('ical.js'))['default']['Event']>;
type Time = Event['startDate'];

/** The end, counted from the moment of the start, because a copy of a time does not know its zone. */
function clockAfter(start: Time, duration: Event['duration']): string {
  const moment = momentOf(start);
  if (moment) return formatClock(moment.getTime() + duration.toSeconds() * 1000);
  const end = start.clone();
  end.addDuration(duration);
  return clockOf(end);
}

const daysFrom = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS;

/** The most dates of a series that are checked. */
const DATES_MAX = 5000;

function startsOn(event: Event, day: string): Time[] {
  if (!event.isRecurring() || event.recurrenceId)
    return dayOf(event.startDate) === day ? [event.startDate] : [];
  const dates = event.iterator();
  const found: Time[] = [];
  for (let tried = 0; tried < DATES_MAX; tried++) {
    const next = dates.next() as Time | null;
    // A series begins in a zone. Its later dates have that zone only if the file describes it: here all get it.
    if (next) Object.assign(next, { timezone: namedZone(event.startDate) });
    if (!next || dayOf(next) > day) break;
    // In another zone, a series of every 24 hours can occur twice on the longest day of the year.
    if (dayOf(next) === day) found.push(next);
  }
  return found;
}

const two = (part: number) => String(part).padStart(2, '0');
/** Zones with London time; a time without a zone is London time too. */
const LONDON = /^(?:floating|Europe\/(?:London|Belfast|Guernsey|Jersey|Isle_of_Man)|GB|GMT Standard Time)$/i;

/** The moment of a time in another zone; null: it is London time, or its zone is not known. */
function momentOf(time: Time): Date | null {
  const zone = zoneOf(time);
  if (time.isDate || LONDON.test(zone)) return null;
  if (zone === 'UTC' || time.zone.component) return time.toJSDate();
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute);
  try {
    const offset = (at: number) => wallOf(at, zone) - at;
    return new Date(wall - offset(wall - offset(wall)));
  } catch {
    return null; // this browser does not know the zone
  }
}

/** The time in a zone at a moment, as if it were UTC. Throws a RangeError for an unknown zone. */
function wallOf(at: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`);
}

const namedZone = (time: Time): unknown => (time as { timezone?: unknown }).timezone;

const zoneOf = (time: Time): string => {
  const named = namedZone(time);
  const known = time.zone?.tzid ?? 'floating';
  return known === 'floating' && typeof named === 'string' && named !== '' && named !== 'Z' ? named : known;
};

const dayOf = (time: Time): string => {
  const moment = momentOf(time);
  return moment ? londonDay(moment) : `${time.year}-${two(time.month)}-${two(time.day)}`;
};

/** The time in London; '' for an entry of a whole day, and for one in an unknown zone. */
function clockOf(time: Time): string {
  if (time.isDate) return 'all day';
  const moment = momentOf(time);
  if (moment) return formatClock(moment);
  const clock = `${two(time.hour)}:${two(time.minute)}`;
  return LONDON.test(zoneOf(time)) ? clock : `${clock} in ${zoneOf(time)}`;
}
