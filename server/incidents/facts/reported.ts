import type { Facts } from '#contract/incidents/facts.ts';
import { sentencesOf } from './publisherWords.ts';

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

/** Findings of a source's reader; `lanes` and `delay_minutes` where its fields give them. */
export interface Read {
  place: string | null;
  effect: string | null;
  cause: string | null;
  lanes?: Facts['lanes'];
  delay_minutes?: number | null;
}

/** How one source says where, what and why. */
export interface Reader {
  /** Null where its form is unknown. */
  read?(record: Reported): Read | null;
  /**
   * The texts beside the title, where they are not its summary line: `said` gives times and figures, and `advice` what to
   * do (by default the same).
   */
  texts?(record: Reported): { said?: string[]; advice?: string[] };
}

/** For a source whose first sentence is its statement: the advice comes after it. */
export const afterTheFirst = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => sentencesOf(text).slice(1));
