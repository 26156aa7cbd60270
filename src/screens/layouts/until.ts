/** Until when a message can stand: a few spans, then full hours of the clock. */
import { formatClock } from '../../time/london.ts';

const MINUTE_MS = 60_000;
const SPANS = [15, 30, 60];

export function untilChoices(now: Date, mostHours: number): { value: string; label: string }[] {
  const last = now.getTime() + mostHours * 60 * MINUTE_MS;
  const spans = SPANS.map((minutes) => now.getTime() + minutes * MINUTE_MS);
  const firstHour = Math.ceil(now.getTime() / (60 * MINUTE_MS)) * 60 * MINUTE_MS;
  const hours = Array.from({ length: mostHours + 1 }, (_, hour) => firstHour + hour * 60 * MINUTE_MS);
  return [...spans, ...hours.filter((at) => at > spans.at(-1)! && at < last)].map((at) => ({
    value: new Date(at).toISOString(),
    label: `${formatClock(at)} (in ${spanWords(at - now.getTime())})`,
  }));
}

/** "15 min", "2 h 55" */
function spanWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60}` : ''}`;
}
