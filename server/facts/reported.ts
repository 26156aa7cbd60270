import type { Facts } from '#contract/facts.ts';

/** The part of a collector's record that facts are read from. Times are ISO 8601, UTC. */
export interface Reported {
  event_id: string;
  event_type: string;
  title: string;
  summary_line: string;
  updated_at: string | null;
  start_time: string | null;
  end_time: string | null;
  metadata: Readonly<Record<string, unknown>>;
}

/** What a source's reader finds; `lanes` and `delay_minutes` where its fields give them. */
export interface Read {
  place: string | null;
  effect: string | null;
  cause: string | null;
  lanes?: Facts['lanes'];
  delay_minutes?: number | null;
}
