/** Displays that ask to be paired. Their codes are stored only as hashes. */
import { iso, type Instant } from '../../db/instant.ts';
import { rowCount } from '../../db/batches.ts';
import type { Db } from '../../db/open.ts';
import { insertNew, rowsWith } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

/** How long a code is valid: enough to fetch a phone and sign in, too short to find the code by guessing. */
export const CODE_MINUTES = 10;
/** RFC 8628, 3.5: a poll that comes too early adds this to the interval for good. */
const SLOW_DOWN_SECONDS = 5;
/** A display that waits polls every few seconds; after this time without a poll its code counts as abandoned. */
const ASKS_WITHIN_MS = 60_000;
/** Two polls can arrive this much closer together than they were sent. */
const JITTER_MS = 1000;

export type Poll = 'pending' | 'slow_down' | 'approved' | 'denied' | 'expired' | 'unknown';

export const pairings = (db: Db) => ({
  /** The number of displays in this network that wait and still poll. Abandoned codes do not count: they must not
   *  keep others from pairing. */
  openFrom: (network: string, now: Instant): Promise<number> =>
    rowCount(
      db
        .selectFrom('pairings')
        .where('network', '=', network)
        .where('state', '=', 'waiting')
        .where('expires_at', '>', iso(now))
        .where((eb) =>
          eb(eb.fn.coalesce('polled_at', 'asked_at'), '>', iso(new Date(+new Date(now) - ASKS_WITHIN_MS))),
        ),
    ),

  /** False when another display has the same code. */
  async ask(pairing: Omit<RowOf<'pairings'>, 'state' | 'polled_at'>): Promise<boolean> {
    return insertNew(db, 'pairings', { ...pairing, state: 'waiting', polled_at: null }, ['user_code_hash']);
  },

  async byUserCode(userCodeHash: string): Promise<RowOf<'pairings'> | undefined> {
    return rowsWith(db, 'pairings', { user_code_hash: userCodeHash }).first();
  },

  /** Decides a pairing, once, and returns it. Undefined when it is no longer waiting, or never was. */
  async decide(
    userCodeHash: string,
    state: 'approved' | 'denied',
    now: Instant,
  ): Promise<RowOf<'pairings'> | undefined> {
    return db
      .updateTable('pairings')
      .set({ state })
      .where('user_code_hash', '=', userCodeHash)
      .where('state', '=', 'waiting')
      .where('expires_at', '>', iso(now))
      .returningAll()
      .executeTakeFirst();
  },

  /** The state of a display's request. Records the poll. An approved display can poll without limit. */
  async poll(deviceCodeHash: string, now: Instant): Promise<{ state: Poll; intervalSeconds: number }> {
    const at = iso(now);
    const pairing = await rowsWith(db, 'pairings', { device_code_hash: deviceCodeHash }).first();
    if (!pairing) return { state: 'unknown', intervalSeconds: 0 };
    const { state, polled_at, interval_seconds } = pairing;
    if (state !== 'waiting') return { state, intervalSeconds: interval_seconds };
    if (pairing.expires_at <= at) return { state: 'expired', intervalSeconds: interval_seconds };

    const waited = polled_at === null ? Infinity : Date.parse(at) - Date.parse(polled_at);
    const isTooSoon = waited < interval_seconds * 1000 - JITTER_MS;
    const intervalSeconds = interval_seconds + (isTooSoon ? SLOW_DOWN_SECONDS : 0);
    await rowsWith(db, 'pairings', { device_code_hash: deviceCodeHash }).set({
      polled_at: at,
      interval_seconds: intervalSeconds,
    });
    return { state: isTooSoon ? 'slow_down' : 'pending', intervalSeconds };
  },
});
