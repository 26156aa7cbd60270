/** Facts that hold for all routes of one look of the notifier. */
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Condition } from '../../feeds/freshness.ts';
import type { Demoted } from '../../watches/matching/demotedMatch.ts';

export interface Look {
  at: Date;
  now: number;
  /** In ms since 1970: since when this notifier is at work. */
  upSince: number;
  /** Became critical, or began while critical, since the last look. */
  urgent: ReadonlySet<string>;
  conditionOf: (source: string) => Condition;
  demoted: Demoted;
  byTeam: ReadonlyMap<string, RowOf<'channels'>[]>;
  /** Incidents in force that no area can be compared with. */
  unplaced: (trx: Db) => Promise<number>;
  /** When to look again at the latest. */
  dueAt: number;
  /** Messages held back from everybody that are noted already. */
  noted: Set<string>;
}

/** Notes when something changes by itself. */
export const lookAgainAt = (look: Look, dueAt: number | null): void => {
  if (dueAt !== null) look.dueAt = Math.min(look.dueAt, dueAt);
};
