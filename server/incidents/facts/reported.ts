import type { Facts } from '#contract/incidents/facts.ts';
import { sentencesOf } from './publisherWords.ts';

/** The part of a collector's record from which facts are read. Times are ISO 8601, UTC. */
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

/** The result of a source's reader; `lanes` and `delay_minutes` if the source has fields for them. */
export interface Read {
  place: string | null;
  effect: string | null;
  cause: string | null;
  lanes?: Facts['lanes'];
  delay_minutes?: number | null;
}

/** How one source states where, what and why. */
export interface Reader {
  /** Null when the form is unknown. */
  read?(record: Reported): Read | null;
  /** The texts beside the title, if these are not the summary line. `said` is read for times and figures, and
   *  `advice` for what to do (by default the same texts). */
  texts?(record: Reported): { said?: string[]; advice?: string[] };
}

/** For a source whose first sentence is its statement: advice comes after it. */
export const afterTheFirst = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => sentencesOf(text).slice(1));
