/** A day sheet out of a file, as the text that would have been pasted. Throws an Error with a sentence for the user. */
import { londonDay } from '#contract/london.ts';
import { formatClock } from '../../time/london.ts';
import { decoded } from './sheetCells.ts';

const MOST_BYTES = 5 * 1024 * 1024;

/** `day`: of a calendar only what leaves then. */
export async function sheetText(file: File, day: string): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error('This file is larger than 5 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Every file of a spreadsheet is a ZIP archive; the older kind begins with other bytes.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return workbookText(bytes);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new Error('This is an old .xls file. Save it as .xlsx or CSV, or copy its rows and paste them.');
  const text = decoded(bytes);
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return calendarText(text, day);
  return text;
}

/**
 * A part of a workbook that is larger than this unpacked is no day sheet. It bounds what a file can make of itself, and
 * keeps fflate from starting a worker out of a blob, which our content security policy refuses.
 */
const MOST_UNPACKED_BYTES = 512 * 1024;

/** The cells of the first sheet that has any, in columns. */
async function workbookText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const [{ unzipSync }, { default: readWorkbook }] = await Promise.all([
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
    throw new Error(
      'This spreadsheet cannot be read. Save it again as .xlsx, or copy its rows and paste them.',
    );
  }
  if (isTooLarge)
    throw new Error('This spreadsheet holds far more than a day. Copy the rows of the day and paste them.');
  const rows = sheets.map(({ data }) => data).find((data) => data.length > 0);
  if (!rows) throw new Error('This spreadsheet has no rows.');
  return rows.map((cells) => cells.map(cellText).join('\t')).join('\n');
}

const MINUTE_MS = 60_000;

/** A spreadsheet keeps a time of day as a moment of its first day, and every moment without a zone. */
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

/** The entries of a calendar that begin on this day, repeated ones as well, in columns. */
async function calendarText(text: string, day: string): Promise<string> {
  const { default: ICAL } = await import('ical.js');
  let events: Event[];
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0]);
    events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  } catch {
    throw new Error('This calendar cannot be read.');
  }
  const changed = new Set(
    events.flatMap(({ uid, recurrenceId }) => (recurrenceId ? `${uid} ${recurrenceId.toString()}` : [])),
  );
  const rows = events.flatMap((event) => {
    const lasts = event.duration;
    return startsOn(event, day)
      .filter((start) => event.recurrenceId || !changed.has(`${event.uid} ${start.toString()}`))
      .map((start) => {
        const end = start.clone();
        end.addDuration(lasts);
        return [clockOf(start), event.summary, clockOf(end), event.location, event.description];
      });
  });
  if (rows.length === 0)
    throw new Error(`This calendar has nothing on this day, of ${events.length} entries in all.`);
  return [['Time', 'Trip', 'Arrives', 'Place', 'Notes'], ...rows]
    .map((cells) => cells.map((cell) => (cell ?? '').replaceAll(/\s+/g, ' ').trim()).join('\t'))
    .join('\n');
}

type Event = InstanceType<(typeof import('ical.js'))['default']['Event']>;
type Time = Event['startDate'];

/** So many dates of a series are looked at. */
const DATES_MAX = 5000;

function startsOn(event: Event, day: string): Time[] {
  if (!event.startDate || event.startDate.isDate) return [];
  if (!event.isRecurring() || event.recurrenceId)
    return dayOf(event.startDate) === day ? [event.startDate] : [];
  const dates = event.iterator();
  for (let tried = 0; tried < DATES_MAX; tried++) {
    const next = dates.next() as Time | null;
    if (!next || dayOf(next) > day) return [];
    if (dayOf(next) === day) return [next];
  }
  return [];
}

const isUtc = (time: Time) => time.zone?.tzid === 'UTC';
const two = (part: number) => String(part).padStart(2, '0');

/** Times without a zone, and those of a zone, are as the clocks there show; in UTC they are London's. */
const dayOf = (time: Time): string =>
  isUtc(time) ? londonDay(time.toJSDate()) : `${time.year}-${two(time.month)}-${two(time.day)}`;
const clockOf = (time: Time): string =>
  isUtc(time) ? formatClock(time.toJSDate()) : `${two(time.hour)}:${two(time.minute)}`;
