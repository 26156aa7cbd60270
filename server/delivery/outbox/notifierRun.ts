/** Facts that are the same for all routes in one run of the notifier. */
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Condition } from '../../feeds/sourceCondition.ts';
import type { Demoted } from '../../watches/matching/demotedMatch.ts';

export interface Look {
  at: Date;
  now: number;
  /** The time in ms since 1970 at which this notifier began to run. */
  upSince: number;
  /** Incidents that became critical, or began as critical, since the last run. */
  urgent: ReadonlySet<string>;
  conditionOf: (source: string) => Condition;
  demoted: Demoted;
  byTeam: ReadonlyMap<string, RowOf<'channels'>[]>;
  /** Incidents in force that no area can be compared with. */
  unplaced: (trx: Db) => Promise<number>;
  /** The latest time of the next run. */
  dueAt: number;
  /** Messages held back from everybody that are stored already. */
  noted: Set<string>;
}

/** Stores the time at which something changes without a new event. */
export const lookAgainAt = (look: Look, dueAt: number | null): void => {
  if (dueAt !== null) look.dueAt = Math.min(look.dueAt, dueAt);
};
