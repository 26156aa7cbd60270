/** Records dated ahead of our clock: the publisher's clock, its time zone or our own clock is wrong. */
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';
import { CLOCK_SKEW_MS } from '../../db/instant.ts';

/** Flags such records, so that they are not shown as new, and adds one line to the problems. No record is left out,
 *  and times stay as published. */
export function flagAhead(collected: Collected, now: Date): Collected {
  const latest = now.getTime() + CLOCK_SKEW_MS;
  let count = 0;
  let first: string | undefined;
  const records = collected.records.map((record) => {
    const ahead = timeAhead(record, latest);
    if (!ahead) return record;
    count += 1;
    first ??= `${record.event_id}: ${ahead}`;
    return { ...record, metadata: { ...record.metadata, clock_skew: true } };
  });
  if (count === 0) return collected;

  const problem = `${count} of ${records.length} records are dated ahead of our clock, among them ${first}`;
  return { ...collected, records, problems: [problem, ...collected.problems] };
}

/** A change or a start that has already happened cannot be later than now. */
function timeAhead({ updated_at, start_time, phase }: DisruptionRecord, latest: number): string | null {
  const isAhead = (time: string | null) => time !== null && Date.parse(time) > latest;
  if (isAhead(updated_at)) return `updated_at ${updated_at}`;
  return phase === 'active' && isAhead(start_time) ? `active, start_time ${start_time}` : null;
}
