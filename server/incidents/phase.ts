/** Whether an incident is planned or has begun. */
import type { Phase } from '#contract/incidents/disruptions.ts';
import { nextOf } from '#contract/incidents/windows.ts';
import type { DisruptionRecord } from './collector.ts';

/** By its start alone. Without one it has begun. */
export const phaseAt = (start: string | null | undefined, now: Date): Phase =>
  start && Date.parse(start) > now.getTime() ? 'planned' : 'active';

/** Makes a record planned between two of its windows, in place. A publisher that says itself what is active knows
 *  better. */
export function phaseByWindows(record: DisruptionRecord, now: Date): void {
  const windows = record.windows ?? [];
  if (windows.length === 0 || record.phase !== 'active' || record.metadata['trust_status'] === true) return;
  const next = nextOf(windows, now);
  if (next && next.from > now.getTime()) record.phase = 'planned';
}
