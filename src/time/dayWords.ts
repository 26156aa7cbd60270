/** The day of a date field, said beside it: the browser writes it in its own language, which may put the month first. */
import { london } from '#contract/london.ts';

const WORDS = london({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** "Fri 3 Apr 2026" for "2026-04-03"; an empty string for what is no day. */
export function dayWords(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(noon.getTime()) ? '' : WORDS.format(noon).replace(',', '');
}
