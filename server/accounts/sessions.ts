/** Sign-ins and their rotating refresh tokens, which are stored only as hashes. */
import { DAY_MS } from '#contract/durations.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { addRows, inTransaction, rowsWith } from '../db/statements.ts';
import type { NewRow, RowOf } from '../db/schema.ts';

/** The absolute life of a session. However often it is used, a sign-in ends after 90 days, and the pairing of a
 *  display a year after its approval. An unused one ends earlier, by the life of its refresh token (tokens.ts). */
const LIFE_MS = { user: 90 * DAY_MS, display: 365 * DAY_MS };

/** How long after a person gave their password we show them secrets, such as their keys. */
const CONFIRMED_FOR_MS = 15 * 60_000;

/** When a session ends for good. */
export const endOf = (
  session: Pick<RowOf<'sessions'>, 'created_at' | 'display_id'>,
  approvedAt: string | null | undefined,
): string =>
  session.display_id === null
    ? iso(new Date(Date.parse(session.created_at) + LIFE_MS.user))
    : iso(new Date(Date.parse(approvedAt ?? session.created_at) + LIFE_MS.display));

/** The address from which a session is used. */
export interface Place {
  address: string;
  user_agent: string;
}

/** A token that was exchanged within this time is answered again with the same successor, so that a lost reply, a
 *  second tab or a restarted server signs nobody out. The app waits 15 s for a reply before it asks again, so this
 *  is several times as long. */
export const REPEAT_SECONDS = 60;

/** `rotated`: exchanged now. `repeated`: exchanged a moment ago, with the same successor. `reused`: stolen or
 *  replayed, so the session is revoked. `refused`: unknown, expired or revoked. */
export type Exchange =
  | {
      outcome: 'rotated' | 'repeated' | 'reused';
      sessionId: string;
      userId: string;
      displayId: string | null;
    }
  | { outcome: 'refused'; sessionId?: undefined; userId?: undefined; displayId?: undefined };

export const sessions = (db: Db) => ({
  async start({
    session,
    tokenHash,
    tokenExpiresAt,
  }: {
    session: NewRow<'sessions'>;
    tokenHash: string;
    tokenExpiresAt: Instant;
  }): Promise<void> {
    await inTransaction(db, (trx) => startSession(trx, { session, tokenHash, tokenExpiresAt }));
  },

  /** Exchanges a token for its successor, whose hash the caller derives. The session then lives as long as the
   *  successor, but never beyond its absolute life. A display's token is not accepted for a user, nor a user's token
   *  for a display. */
  async exchange({
    tokenHash,
    successorHash,
    successorExpiresAt,
    now,
    holder = 'user',
    place,
  }: {
    tokenHash: string;
    successorHash: string;
    successorExpiresAt: Instant;
    now: Instant;
    holder?: 'user' | 'display';
    place?: Place;
  }): Promise<Exchange> {
    const at = iso(now);
    return db.transaction().execute(async (trx): Promise<Exchange> => {
      const token = await tokenOf(trx, tokenHash);
      if (!token || token.revoked_at !== null || token.is_active !== 1) return { outcome: 'refused' };
      if (token.session_expires_at <= at || token.expires_at <= at) return { outcome: 'refused' };
      if ((token.display_id !== null) !== (holder === 'display')) return { outcome: 'refused' };
      const { session_id: sessionId, user_id: userId, display_id: displayId } = token;
      const end = endOf(token, token.approved_at);
      if (end <= at) return { outcome: 'refused' };
      const expiresAt = earlier(iso(successorExpiresAt), end);

      // Only one of two simultaneous calls finds the token unused; on PostgreSQL the other waits here for the first
      // to commit.
      const rows = await rowsWith(trx, 'refresh_tokens', { token_hash: tokenHash, spent_at: null }).set({
        spent_at: at,
        successor_hash: successorHash,
      });
      if (rows > 0) {
        await insertToken(trx, successorHash, sessionId, at, expiresAt);
        await rowsWith(trx, 'sessions', { id: sessionId }).set((eb) => ({
          ...place,
          last_used_at: at,
          expires_at: eb
            .case()
            .when('expires_at', '<', expiresAt)
            .then(expiresAt)
            .else(eb.ref('expires_at'))
            .end(),
        }));
        return { outcome: 'rotated', sessionId, userId, displayId };
      }

      if (await mayRepeat(trx, tokenHash, at)) return { outcome: 'repeated', sessionId, userId, displayId };
      await revoke(trx, 'reuse', at).where('id', '=', sessionId).execute();
      return { outcome: 'reused', sessionId, userId, displayId };
    });
  },

  async noteConfirmed(sessionId: string, now: Instant): Promise<void> {
    await rowsWith(db, 'sessions', { id: sessionId }).set({ confirmed_at: iso(now) });
  },

  /** Whether the holder gave their password within the last minutes. A time in the future does not count: after a
   *  clock was set back it would hold for too long. */
  async isConfirmed(sessionId: string, now: Instant): Promise<boolean> {
    const session = await rowsWith(db, 'sessions', {
      id: sessionId,
      display_id: null,
      revoked_at: null,
    }).first('created_at', 'confirmed_at');
    if (!session) return false;
    const age = new Date(now).getTime() - Date.parse(session.confirmed_at ?? session.created_at);
    return age >= 0 && age < CONFIRMED_FOR_MS;
  },

  /** The user of a session, while the session is live and the user active. `displayId` is set when one of their
   *  displays holds the session. */
  async caller(
    sessionId: string,
    now: Instant,
  ): Promise<
    | {
        user: RowOf<'users'>;
        displayId: string | null;
        expiresAt: string;
        security: { password_until: string | null; factor_since: string | null };
      }
    | undefined
  > {
    const found = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('account_security', 'account_security.user_id', 'users.id')
      .selectAll('users')
      .select([
        'sessions.display_id',
        'sessions.expires_at',
        'account_security.password_until',
        'account_security.factor_since',
      ])
      .where('sessions.id', '=', sessionId)
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.expires_at', '>', iso(now))
      .where('users.is_active', '=', 1)
      .executeTakeFirst();
    if (!found) return undefined;
    const { display_id: displayId, expires_at: expiresAt, password_until, factor_since, ...user } = found;
    return { user, displayId, expiresAt, security: { password_until, factor_since } };
  },

  /** The live sessions of a user and of their displays; the one used last comes first. */
  async ofUser(userId: string, now: Instant) {
    return db
      .selectFrom('sessions')
      .leftJoin('displays', 'displays.id', 'sessions.display_id')
      .selectAll('sessions')
      .select(['displays.name', 'displays.approved_at', 'displays.last_seen_at'])
      .where('sessions.user_id', '=', userId)
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.expires_at', '>', iso(now))
      .orderBy('sessions.last_used_at', 'desc')
      .orderBy('sessions.id')
      .execute();
  },

  /** The addresses from which this account was lately signed in. Empty when there is no such account. */
  async addressesOf(email: string): Promise<string[]> {
    const rows = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.address')
      .distinct()
      .where('users.email', '=', email.toLowerCase())
      .where('sessions.display_id', 'is', null)
      .where('sessions.address', 'is not', null)
      .execute();
    return rows.flatMap(({ address }) => address ?? []);
  },

  /** Ends a session. False when this user has no such live session. */
  async revoke(sessionId: string, userId: string, reason: string, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await revoke(db, reason, iso(now))
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  /** Ends all sign-ins of the user except the session `but`, and returns their number. Displays stay paired, because
   *  they are no sign-ins, like API keys. */
  async revokeAllOf(userId: string, reason: string, now: Instant, but?: string): Promise<number> {
    const { numUpdatedRows } = await revoke(db, reason, iso(now))
      .where('user_id', '=', userId)
      .where('display_id', 'is', null)
      .$if(but !== undefined, (query) => query.where('id', '<>', but!))
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },

  /** Deletes sessions that expired or were revoked before that time, and tokens that expired before it. A display
   *  that was off must still learn that it must clear its board: its session stays until it expires. */
  async prune(before: Instant): Promise<void> {
    const at = iso(before);
    await db.deleteFrom('refresh_tokens').where('expires_at', '<', at).execute();
    await db
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([eb('expires_at', '<', at), eb.and([eb('revoked_at', '<', at), eb('display_id', 'is', null)])]),
      )
      .execute();
  },
});

/** Starts a session in the caller's transaction. */
export async function startSession(
  trx: Db,
  {
    session,
    tokenHash,
    tokenExpiresAt,
  }: { session: NewRow<'sessions'>; tokenHash: string; tokenExpiresAt: Instant },
): Promise<void> {
  await addRows(trx, 'sessions', {
    ...session,
    created_at: iso(session.created_at),
    last_used_at: iso(session.last_used_at),
    expires_at: iso(session.expires_at),
  });
  await insertToken(trx, tokenHash, session.id, iso(session.created_at), iso(tokenExpiresAt));
}

/** The token with its session and user. */
const tokenOf = (db: Db, tokenHash: string) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('displays', 'displays.id', 'sessions.display_id')
    .select([
      'refresh_tokens.session_id',
      'sessions.created_at',
      'displays.approved_at',
      'refresh_tokens.expires_at',
      'sessions.user_id',
      'sessions.display_id',
      'sessions.revoked_at',
      'sessions.expires_at as session_expires_at',
      'users.is_active',
    ])
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst();

const earlier = (one: string, other: string) => (one < other ? one : other);

/** True when the token was used a short time ago and its successor was not used yet. */
async function mayRepeat(db: Db, tokenHash: string, at: string): Promise<boolean> {
  const spent = await db
    .selectFrom('refresh_tokens')
    .innerJoin('refresh_tokens as successor', 'successor.token_hash', 'refresh_tokens.successor_hash')
    .select(['refresh_tokens.spent_at', 'successor.spent_at as successor_spent_at'])
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!spent?.spent_at || spent.successor_spent_at !== null) return false;
  return Date.parse(at) - Date.parse(spent.spent_at) <= REPEAT_SECONDS * 1000;
}

const insertToken = (
  db: Db,
  token_hash: string,
  session_id: string,
  created_at: string,
  expires_at: string,
) => addRows(db, 'refresh_tokens', { token_hash, session_id, created_at, expires_at });

/** Revokes a session once: the first reason is kept. */
const revoke = (db: Db, revoked_reason: string, revoked_at: string) =>
  db.updateTable('sessions').set({ revoked_at, revoked_reason }).where('revoked_at', 'is', null);

export const docsTickets = (db: Db) => ({
  async keep(ticket: { ticket_hash: string; session_id: string; expires_at: Instant }): Promise<void> {
    await addRows(db, 'docs_tickets', { ...ticket, expires_at: iso(ticket.expires_at) });
  },

  /** The session of a ticket. The ticket is used up by this. Undefined when the ticket is unknown, used or too old. */
  async redeem(ticketHash: string, now: Instant): Promise<string | undefined> {
    const found = await db
      .deleteFrom('docs_tickets')
      .where('ticket_hash', '=', ticketHash)
      .returning(['session_id', 'expires_at'])
      .executeTakeFirst();
    return found && found.expires_at > iso(now) ? found.session_id : undefined;
  },
});
