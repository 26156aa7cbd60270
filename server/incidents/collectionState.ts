/** The state of each source's collection, and which node may run it. */
import { iso, isoOrNull, minutesBefore, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { rowsWith } from '../db/statements.ts';
import { notePoll, type PollFigures } from './pollLog.ts';
import { raiseRevision } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The most problems that are stored: a source with a hundred thousand broken records needs no more. */
const PROBLEMS_KEPT = 20;
const PROBLEM_LENGTH = 500;
/** A lease that is longer than others by this much came from a clock that was ahead, so other nodes may take it. */
const LEASE_TOO_LONG_MINUTES = 10;

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
    lease_owner: null,
    lease_until: null,
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
    return db.selectFrom('collections').selectAll().where('source', '=', source).executeTakeFirst();
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

  /** True when only `owner` may collect until that time. A node can renew its own lease, and take a lease that has
   *  expired or is so long that it came from a wrong clock. */
  async takeLease(source: string, owner: string, now: Instant, until: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('collections')
      .set({ lease_owner: owner, lease_until: iso(until) })
      .where('source', '=', source)
      .where((eb) =>
        eb.or([
          eb('lease_owner', 'is', null),
          eb('lease_owner', '=', owner),
          eb('lease_until', '<=', iso(now)),
          eb('lease_until', '>', minutesBefore(iso(until), -LEASE_TOO_LONG_MINUTES)),
        ]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  /** Gives the lease back. A lease of another owner stays. */
  async dropLease(source: string, owner: string): Promise<void> {
    await rowsWith(db, 'collections', { source, lease_owner: owner }).set({
      lease_owner: null,
      lease_until: null,
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
      await trx
        .updateTable('collections')
        .set((eb) => ({
          last_attempt: iso(failure.now),
          next_run: isoOrNull(failure.nextRun),
          consecutive_failures: eb('consecutive_failures', '+', 1),
          last_error: failure.error.slice(0, PROBLEM_LENGTH),
        }))
        .where('source', '=', source)
        .execute();
      if (failure.figures) await notePoll(trx, { source, at: iso(failure.now), ok: 0, ...failure.figures });
      await raiseRevision(trx, 'feeds');
    });
  },
});
