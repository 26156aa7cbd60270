/** The clock of a day sheet, which may count past 24:00. */
import { dayAfter, londonInstant } from './departures.ts';

/** The instant of a time of a day's sheet: "25:15" is 01:15 of the next day. */
export function sheetInstant(day: string, local: string): Date {
  const [hours = 0, minutes = 0] = local.split(':').map(Number);
  const clock = [hours % 24, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return londonInstant(dayAfter(day, Math.floor(hours / 24)), clock);
}

/** The first time after it leaves at which London's clocks show the deadline, unless the sheet counts past 24:00. */
export function deadlineInstant(day: string, leavesLocal: string, deadlineLocal: string): Date {
  const leaves = sheetInstant(day, leavesLocal);
  const same = sheetInstant(day, deadlineLocal);
  return same >= leaves ? same : sheetInstant(dayAfter(day), deadlineLocal);
}
