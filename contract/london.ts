/** London's clock, whatever time zone the device or the server has. */
import { HOUR_MS } from './durations.ts';

export const LONDON = 'Europe/London';

/** A format for times in London, in British English. */
export const london = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: LONDON });

/** `15:10`. */
export const LONDON_CLOCK = london({ timeStyle: 'short' });

/** The names of the months, as a part of a pattern. */
export const MONTH_NAMES =
  'January|February|March|April|May|June|July|August|September|October|November|December';

/** The months by their first three letters, which is the usual abbreviation. */
export const MONTHS = MONTH_NAMES.split('|').map((name) => name.slice(0, 3).toLowerCase());

/** The number of a month, 1 to 12, by its name or a short form of it; 0 if it is not a month. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const HOUR = london({ hour: '2-digit', hourCycle: 'h23' });

/** By hours since 1970: London changes its clocks on the hour, and asking takes 2 µs. */
const summerHours = new Map<number, boolean>();
const HOURS_KEPT = 50_000;

function isSummerTime(utc: number): boolean {
  const hour = Math.floor(utc / HOUR_MS);
  let isSummer = summerHours.get(hour);
  if (isSummer === undefined) {
    const at = new Date(utc);
    isSummer = Number(HOUR.format(at)) !== at.getUTCHours();
    if (summerHours.size >= HOURS_KEPT) summerHours.clear();
    summerHours.set(hour, isSummer);
  }
  return isSummer;
}

/** The day in London, `YYYY-MM-DD`. */
export const londonDay = (at: Date): string =>
  new Date(at.getTime() + (isSummerTime(at.getTime()) ? HOUR_MS : 0)).toISOString().slice(0, 10);

/** The instant at which London's clocks show this reading, which is counted as if it were UTC. For the hour that
 *  occurs twice in October it is the first instant. A reading that does not occur in March counts as if the clocks
 *  had not yet changed: 01:30 is 02:30 summer time. `Temporal` does both in the same way by default. */
export const fromLondonClock = (reading: number): number =>
  isSummerTime(reading - HOUR_MS) ? reading - HOUR_MS : reading;
