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

/** A deadline or an arrival that is a clock time of the next day is at most this many minutes after leaving. */
const DEADLINE_MAX = 12 * 60;

/** A coach of the evening may arrive in the morning at most this many minutes after leaving. */
const NIGHT_MAX = 16 * 60;

/** Whether a deadline or an arrival can be that of a job that leaves then. "17:10" cannot if it leaves at 18:10, while
 *  "00:40" can if it leaves at 23:30. "41:10" says that 17:10 of the next day is meant. */
export function isDeadlineAfter(leavesLocal: string, deadlineLocal: string, most = DEADLINE_MAX): boolean {
  const [leaves, deadline] = [leavesLocal, deadlineLocal].map((local) => {
    const [hours = 0, minutes = 0] = local.split(':').map(Number);
    return hours * 60 + minutes;
  }) as [number, number];
  const day = 24 * 60;
  return deadline >= leaves || (((deadline - leaves) % day) + day) % day <= most;
}

/** Whether an arrival can be that of a job that leaves then, which may be a night coach: "09:00" if it leaves at 20:00. */
export const isArrivalAfter = (leavesLocal: string, arrivesLocal: string): boolean =>
  isDeadlineAfter(
    leavesLocal,
    arrivesLocal,
    leavesLocal >= '17:00' && arrivesLocal <= '12:00' ? NIGHT_MAX : DEADLINE_MAX,
  );

/** Why this deadline cannot be that of a job that leaves then; null: it can. */
export function deadlineProblem(leavesLocal: string, deadlineLocal: string | null): string | null {
  if (deadlineLocal === null || isDeadlineAfter(leavesLocal, deadlineLocal)) return null;
  const before = `The deadline ${deadlineLocal} is before it leaves at ${leavesLocal}.`;
  const hours = Number(deadlineLocal.slice(0, 2));
  return hours < 24 ? `${before} Write ${hours + 24}${deadlineLocal.slice(2)} for the next day.` : before;
}
