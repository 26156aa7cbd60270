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
