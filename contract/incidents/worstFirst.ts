/** The order of incidents on screens and in summaries. */
import { Severity } from './severity.ts';

/** The fields of an alert that decide its place in order. The app reads answers leniently, so any of them can be
 *  missing. */
interface Ranked {
  event_id: string;
  severity?: Severity | null;
  trend?: { direction?: string | null } | null;
  start_time?: string | null;
  updated_at?: string | null;
  collected_at?: string | null;
}

/** By grade, then those that get worse, then the newest. An
 *  incident that its publisher did not rate is placed by its source's default severity. */
export const worstFirst = (a: Ranked, b: Ranked): number =>
  rankOf(a) - rankOf(b) ||
  Number(isWorsening(b)) - Number(isWorsening(a)) ||
  beganAt(b) - beganAt(a) ||
  (a.event_id < b.event_id ? -1 : 1);

export const isWorsening = ({ trend }: Pick<Ranked, 'trend'>): boolean => trend?.direction === 'worse';

const rankOf = ({ severity }: Ranked) =>
  severity ? Severity.options.indexOf(severity) : Severity.options.length;
const beganAt = ({ start_time, updated_at, collected_at }: Ranked) =>
  [start_time, updated_at, collected_at].map((time) => Date.parse(time ?? '')).find(Number.isFinite) ?? 0;
