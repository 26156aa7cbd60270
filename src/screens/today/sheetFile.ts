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
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new Error(NOT_YET);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new Error('This is an old .xls file. Save it as .xlsx or CSV, or copy its rows and paste them.');
  const text = decoded(bytes);
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return calendarText(text, day);
  return text;
}

const NOT_YET = 'This spreadsheet cannot be read here. Copy its rows and paste them.';

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
