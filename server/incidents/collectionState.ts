/** The state of each source's collection. */
import { iso, isoOrNull, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { rowsWith } from '../db/statements.ts';
import { notePoll, type PollFigures } from './pollLog.ts';
import { raiseRevision } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The most problems that are stored: a source with a hundred thousand broken records needs no more. */
const PROBLEMS_KEPT = 20;
const PROBLEM_LENGTH = 500;

/** The row of a source that was never collected. */
export function freshCollection(source: string, enabled: boolean): RowOf<'collections'> {
  return {
    source,
    enabled: enabled ? 1 : 0,
    last_attempt: null,
    last_success: null,
    next_run: null,
    consecutive_failures: 0,
    last_error: null,
    skipped: 0,
    problems: '[]',
    complete: 1,
    suspect_polls: 0,
    off_at: null,
    off_by: null,
    asked_at: null,
  };
}

export const collections = (db: Db) => ({
  /** Sorted by source. `problems` is a JSON list of strings, at most 20. */
  async all(): Promise<RowOf<'collections'>[]> {
    return db.selectFrom('collections').selectAll().orderBy('source').execute();
  },

  async of(source: string): Promise<RowOf<'collections'> | undefined> {
    return rowsWith(db, 'collections', { source }).first();
  },

  /** Creates the source's row, which the calls below need; raises the revision `feeds` if anything changes. */
  async ensure(source: string, enabled: boolean): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('collections')
        .values(freshCollection(source, enabled))
        .onConflict((conflict) =>
          conflict
            .column('source')
            .doUpdateSet((eb) => ({ enabled: eb.ref('excluded.enabled') }))
            .whereRef('collections.enabled', '<>', 'excluded.enabled'),
        )
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows) await raiseRevision(trx, 'feeds');
    });
  },

  /** Turns the source off, by this user, or on (null). False when it is already so. Raises the revision `feeds`. */
  async turn(source: string, offBy: string | null, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('collections')
      .set({ off_at: offBy === null ? null : iso(now), off_by: offBy, asked_at: null })
      .where('source', '=', source)
      .where('off_at', offBy === null ? 'is not' : 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await raiseRevision(db, 'feeds');
    return true;
  },

  /** Asks for a poll out of turn, by whichever node has the source's lease. */
  async ask(source: string, now: Instant): Promise<void> {
    await rowsWith(db, 'collections', { source }).set({ asked_at: iso(now) });
  },

  async noteAttempt(source: string, now: Instant): Promise<void> {
    await rowsWith(db, 'collections', { source }).set({ last_attempt: iso(now), asked_at: null });
  },

  /** Call it after `disruptions.store`, which needs the time of the previous collection in `last_success`. */
  async noteSuccess(
    source: string,
    poll: {
      now: Instant;
      nextRun: Instant | null;
      skipped: number;
      problems: readonly string[];
      complete: boolean;
      figures?: PollFigures;
    },
  ): Promise<void> {
    const problems = poll.problems.slice(0, PROBLEMS_KEPT).map((problem) => problem.slice(0, PROBLEM_LENGTH));
    await db.transaction().execute(async (trx) => {
      await rowsWith(trx, 'collections', { source }).set({
        last_success: iso(poll.now),
        next_run: isoOrNull(poll.nextRun),
        consecutive_failures: 0,
        last_error: null,
        skipped: poll.skipped,
        problems: JSON.stringify(problems),
        complete: poll.complete ? 1 : 0,
      });
      if (poll.figures)
        await notePoll(trx, { source, at: iso(poll.now), ok: 1, ...poll.figures, error_kind: null });
      await raiseRevision(trx, 'feeds');
    });
  },

  /** Raises the revision too, because feeds show the state of their sources. */
  async noteFailure(
    source: string,
    failure: {
      now: Instant;
      nextRun: Instant | null;
      error: string;
      figures?: PollFigures & { error_kind: string };
    },
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await rowsWith(trx, 'collections', { source }).set((eb) => ({
        last_attempt: iso(failure.now),
        next_run: isoOrNull(failure.nextRun),
        consecutive_failures: eb('consecutive_failures', '+', 1),
        last_error: failure.error.slice(0, PROBLEM_LENGTH),
      }));
      if (failure.figures) await notePoll(trx, { source, at: iso(failure.now), ok: 0, ...failure.figures });
      await raiseRevision(trx, 'feeds');
    });
  },
});
