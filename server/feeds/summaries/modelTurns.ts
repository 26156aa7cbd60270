/** Which node may call the hosted model for a feed, and today's token budget. All nodes share this, and it survives
 *  restarts. */
import { iso, type Instant, CLOCK_SKEW_MS } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { rowsWith, insertNew } from '../../db/statements.ts';

/** The row for the provider as a whole: until when it must not be called, and the tokens of the day. */
const ALL = '*';
/** The longest wait that is believed: a later time comes from a wrong clock. */
export const LONGEST_WAIT_MS = 60 * 60_000;

/** `too_soon`: a call for this feed was made within the last minute, perhaps by another node, or is still running. */
export type Turn = 'taken' | 'too_soon' | 'resting' | 'budget';

export const summaryCalls = (db: Db) => ({
  /** Answers `taken` to one caller only: until `nextAt` nobody else gets the turn. The turn is also the lease, since
   *  no call lasts that long. Reserves `tokens` from `dailyTokens`, the budget of the day (UTC). `failures`: the
   *  number of calls in a row without a reply. */
  async take({
    feed,
    now,
    nextAt,
    tokens,
    dailyTokens,
  }: {
    feed: string;
    now: Date;
    nextAt: Instant;
    tokens: number;
    dailyTokens: number;
  }): Promise<{ turn: Turn; failures: number }> {
    const time = iso(now);
    const day = time.slice(0, 10);
    const tooFar = iso(new Date(now.getTime() + LONGEST_WAIT_MS + CLOCK_SKEW_MS));
    try {
      return await db.transaction().execute(async (trx) => {
        await ensure(trx, feed);
        await ensure(trx, ALL);
        // Each update locks its row until the transaction ends. The feed's row always comes first, which avoids
        // deadlock.
        const own = await trx
          .updateTable('summary_calls')
          .set({ next_at: iso(nextAt) })
          .where('feed', '=', feed)
          .where((eb) => eb.or([eb('next_at', '<=', time), eb('next_at', '>', tooFar)]))
          .returning('failures')
          .executeTakeFirst();
        if (!own) throw new NoTurn('too_soon');

        const all = await trx
          .selectFrom('summary_calls')
          .selectAll()
          .where('feed', '=', ALL)
          .executeTakeFirstOrThrow();
        if (all.next_at > time && all.next_at <= tooFar) throw new NoTurn('resting');

        const { numUpdatedRows } = await trx
          .updateTable('summary_calls')
          .set((eb) => ({
            day,
            tokens: eb
              .case()
              .when('day', '=', day)
              .then(eb('tokens', '+', tokens))
              .else(tokens)
              .end(),
          }))
          .where('feed', '=', ALL)
          .where((eb) =>
            eb.or([
              eb.and([eb('day', '=', day), eb('tokens', '<=', dailyTokens - tokens)]),
              eb.and([eb('day', '<>', day), eb.lit(tokens <= dailyTokens)]),
            ]),
          )
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new NoTurn('budget');
        return { turn: 'taken' as const, failures: own.failures };
      });
    } catch (error) {
      // The error was thrown so that the unused turn is rolled back.
      if (error instanceof NoTurn) return { turn: error.turn, failures: 0 };
      throw error;
    }
  },

  /** Call it after the model was called. `takenAt`: when the turn was taken. `tokens`: the cost minus the reservation,
   *  mostly below 0. */
  async settle(
    feed: string,
    outcome: { takenAt: Instant; tokens: number; failures: number; nextAt?: Instant },
  ): Promise<void> {
    await rowsWith(db, 'summary_calls', { feed }).set({
      failures: outcome.failures,
      ...(outcome.nextAt && { next_at: iso(outcome.nextAt) }),
    });
    // Tokens that were reserved yesterday are not given back to today's budget.
    await db
      .updateTable('summary_calls')
      .set((eb) => ({ tokens: eb('tokens', '+', outcome.tokens) }))
      .where('feed', '=', ALL)
      .where('day', '=', iso(outcome.takenAt).slice(0, 10))
      .where('tokens', '>=', -outcome.tokens)
      .execute();
  },

  /** Gives no feed a turn before that time. */
  async rest(until: Instant): Promise<void> {
    await rowsWith(db, 'summary_calls', { feed: ALL }).set({ next_at: iso(until) });
  },

  /** The tokens that were used or reserved on the newest day that had any. */
  async spent(): Promise<{ day: string; tokens: number }> {
    const row = await rowsWith(db, 'summary_calls', { feed: ALL }).first('day', 'tokens');
    return row ?? { day: '', tokens: 0 };
  },
});

class NoTurn extends Error {
  readonly turn: Exclude<Turn, 'taken'>;

  constructor(turn: Exclude<Turn, 'taken'>) {
    super(turn);
    this.turn = turn;
  }
}

const ensure = (db: Db, feed: string) =>
  insertNew(db, 'summary_calls', { feed, next_at: '', failures: 0, day: '', tokens: 0 }, ['feed']);
