/** Paired displays. Each holds a session of its owner that can only read the board. */
import { randomUUID } from 'node:crypto';
import type { Display, DisplayState, Heartbeat } from '#contract/displays/displays.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows, inTransaction, rowsWith } from '../../db/statements.ts';
import { pairings } from './pairings.ts';
import { raiseRevision, RESPONSES_REVISION } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';
import { endOf, startSession } from '../sessions.ts';

const REVOKED = 'display revoked';

export const displays = (db: Db) => ({
  /** Pairs the display that waits with this code, under this id. Its device code becomes the first refresh token of
   *  a new session and must be exchanged before `pickUpBefore`. False when the code is no longer waiting. */
  async approve({
    id,
    userCodeHash,
    name,
    ownerId,
    pickUpBefore,
    now,
  }: {
    id: string;
    userCodeHash: string;
    name: string;
    ownerId: string;
    pickUpBefore: Instant;
    now: Instant;
  }): Promise<boolean> {
    const at = iso(now);
    return inTransaction(db, async (trx) => {
      const pairing = await pairings(trx).decide(userCodeHash, 'approved', at);
      if (!pairing) return false;

      await addRows(trx, 'displays', {
        id,
        name,
        owner_id: ownerId,
        user_agent: pairing.user_agent,
        address: pairing.address,
        paired_at: at,
      });
      await startSession(trx, {
        session: {
          id: randomUUID(),
          user_id: ownerId,
          created_at: at,
          last_used_at: at,
          expires_at: iso(pickUpBefore),
          revoked_at: null,
          revoked_reason: null,
          display_id: id,
        },
        tokenHash: pairing.device_code_hash,
        tokenExpiresAt: pickUpBefore,
      });
      return true;
    });
  },

  /** Sorted by name. */
  async all(now: Instant): Promise<Display[]> {
    const rows = await withOwner(db)
      .orderBy((eb) => eb.fn<string>('lower', ['displays.name']))
      .orderBy('displays.id')
      .execute();
    return rows.map((row) => toDisplay(row, iso(now)));
  },

  async byId(id: string, now: Instant): Promise<Display | undefined> {
    const row = await withOwner(db).where('displays.id', '=', id).executeTakeFirst();
    return row && toDisplay(row, iso(now));
  },

  async noteSeen(id: string, now: Instant): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ last_seen_at: iso(now) });
  },

  /** Stores a report. `taken_at` is the first report of the revision that the display shows. If a newer revision was
   *  asked for meanwhile, `asked_at` is now: the display owes that one from now on. */
  async noteHeartbeat(id: string, { screen, showing, ...report }: Heartbeat, now: Instant): Promise<void> {
    const at = iso(now);
    await rowsWith(db, 'displays', { id }).set((eb) => ({
      ...report,
      ...(showing && {
        taken_rev: showing.rev,
        taken_at: eb.case().when('taken_rev', '=', showing.rev).then(eb.ref('taken_at')).else(at).end(),
        asked_at: eb
          .case()
          .when(
            eb.and([
              eb(eb.fn.coalesce('taken_rev', eb.lit(0)), '<', showing.rev),
              eb('rev', '>', showing.rev),
            ]),
          )
          .then(at)
          .else(eb.ref('asked_at'))
          .end(),
        page: showing.page,
        page_since: showing.since,
        problem: showing.problem,
      }),
      screen_width: screen.width,
      screen_height: screen.height,
      pixel_ratio: screen.pixel_ratio,
      last_seen_at: at,
    }));
  },

  /** Starts the display's absolute life again. `aliveUntil`: how long the display can stay without power. */
  async renew(id: string, aliveUntil: Instant, now: Instant): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ approved_at: iso(now) });
    const expires_at = iso(aliveUntil);
    const session = db.updateTable('sessions').set({ expires_at }).where('display_id', '=', id);
    await session.where('revoked_at', 'is', null).execute();
    await db
      .updateTable('refresh_tokens')
      .set({ expires_at })
      .where('spent_at', 'is', null)
      .where('session_id', 'in', (eb) =>
        eb.selectFrom('sessions').select('sessions.id').where('sessions.display_id', '=', id),
      )
      .execute();
  },

  async rename(id: string, name: string): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ name });
  },

  async showsNames(id: string): Promise<boolean> {
    const row = await db.selectFrom('displays').select('show_names').where('id', '=', id).executeTakeFirst();
    return row?.show_names === 1;
  },

  async setShowsNames(id: string, shows: boolean): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ show_names: shows ? 1 : 0 });
    await raiseRevision(db, RESPONSES_REVISION);
  },

  /** The ids of the routes that the display was given, whether or not its team still has them. */
  async routesOf(id: string): Promise<string[]> {
    const rows = await rowsWith(db, 'display_routes', { display_id: id }, ['watch_id']).all('watch_id');
    return rows.map(({ watch_id }) => watch_id);
  },

  /** Call in a transaction. */
  async giveRoutes(id: string, watchIds: readonly string[]): Promise<void> {
    await db.deleteFrom('display_routes').where('display_id', '=', id).execute();
    await addRows(
      db,
      'display_routes',
      watchIds.map((watch_id) => ({ display_id: id, watch_id })),
    );
  },

  /** Moves the display to that account, in the caller's transaction. */
  async giveTo(id: string, ownerId: string): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ owner_id: ownerId });
    await rowsWith(db, 'sessions', { display_id: id }).set({ user_id: ownerId });
  },

  /** Ends the display's session, if it still has one. With `blank`, the display must clear its board when it next
   *  asks. */
  async revoke(id: string, { blank }: { blank: boolean }, now: Instant): Promise<void> {
    const at = iso(now);
    await rowsWith(db, 'sessions', { display_id: id, revoked_at: null }).set({
      revoked_at: at,
      revoked_reason: REVOKED,
    });
    if (!blank) return;
    await rowsWith(db, 'displays', { id, blank_asked_at: null }).set({ blank_asked_at: at });
  },

  /**
   * Ends the displays of an account that is about to be deleted. Their revoked sessions are moved to an administrator
   * and not deleted: otherwise a display with an unknown token could never be told to clear its board.
   */
  async endThoseOf(ownerId: string, now: Instant): Promise<void> {
    const at = iso(now);
    const ended = db
      .updateTable('sessions')
      .where('user_id', '=', ownerId)
      .where('display_id', 'is not', null);
    await ended
      .set({ revoked_at: at, revoked_reason: 'owner deleted' })
      .where('revoked_at', 'is', null)
      .execute();
    await ended
      .set((eb) => ({
        user_id: eb.fn.coalesce(
          eb
            .selectFrom('users')
            .select('users.id')
            .where('users.role', '=', 'admin')
            .where('users.is_active', '=', 1)
            .where('users.id', '<>', ownerId)
            .orderBy('users.id')
            .limit(1),
          'user_id',
        ),
      }))
      .execute();
  },

  /** Whether the display with this refresh token, used or not, must clear its board. Records that it was told to. */
  async mustBlank(tokenHash: string, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('displays')
      .set((eb) => ({ blank_told_at: eb.fn.coalesce('blank_told_at', eb.val(iso(now))) }))
      .where('blank_asked_at', 'is not', null)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('refresh_tokens')
          .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
          .select((eb) => eb.fn.coalesce('sessions.display_id', eb.val('')).as('display_id'))
          .where('refresh_tokens.token_hash', '=', tokenHash),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Deletes displays that ended before the first time, and displays that were paired before the second and never
   *  fetched their session. Their sessions are deleted too. */
  async prune({
    endedBefore,
    neverSeenBefore,
  }: {
    endedBefore: Instant;
    neverSeenBefore: Instant;
  }): Promise<void> {
    const at = iso(endedBefore);
    await db
      .deleteFrom('displays')
      .where((eb) =>
        eb.or([
          eb.and([eb('last_seen_at', 'is', null), eb('paired_at', '<', iso(neverSeenBefore))]),
          eb.and([
            eb('last_seen_at', '<', at),
            eb.not(
              eb.exists(
                eb
                  .selectFrom('sessions')
                  .select('sessions.id')
                  .whereRef('sessions.display_id', '=', 'displays.id')
                  .where('sessions.expires_at', '>=', at)
                  .where((eb) =>
                    eb.or([eb('sessions.revoked_at', 'is', null), eb('sessions.revoked_at', '>=', at)]),
                  ),
              ),
            ),
          ]),
        ]),
      )
      .execute();
  },
});

const withOwner = (db: Db) =>
  db
    .selectFrom('displays')
    .leftJoin('sessions', 'sessions.display_id', 'displays.id')
    .leftJoin('users', 'users.id', 'displays.owner_id')
    .selectAll('displays')
    .select([
      'users.display_name as owner_name',
      'users.is_active as owner_is_active',
      'sessions.expires_at',
      'sessions.revoked_at',
      'sessions.revoked_reason',
    ]);

interface Row extends RowOf<'displays'> {
  owner_name: string | null;
  owner_is_active: number | null;
  expires_at: string | null;
  revoked_at: string | null;
  revoked_reason: string | null;
}

function toDisplay(row: Row, at: string): Display {
  const { id, name, user_agent, address, paired_at, last_seen_at, owner_id, owner_name } = row;
  return {
    id,
    name,
    state: stateOf(row, at),
    owner: owner_id === null ? null : { id: owner_id, display_name: owner_name ?? '' },
    user_agent,
    address,
    paired_at,
    ends_at: endOf({ created_at: paired_at, display_id: id }, row.approved_at),
    last_seen_at,
    show_names: row.show_names === 1,
    report: reportOf(row),
  };
}

function stateOf(row: Row, at: string): DisplayState {
  if (row.blank_told_at !== null) return 'blanked';
  if (row.blank_asked_at !== null) return 'blanking';
  if (row.revoked_reason === REVOKED) return 'revoked';
  const isLive = row.revoked_at === null && row.expires_at !== null && row.expires_at > at;
  return isLive && row.owner_is_active === 1 ? 'paired' : 'signed_out';
}

function reportOf(row: Row): Heartbeat | null {
  const { build, data_age_seconds, screen_width, screen_height, pixel_ratio, wake_lock, visibility } = row;
  if (build === null || wake_lock === null || visibility === null) return null;
  return {
    build,
    data_age_seconds,
    screen: { width: screen_width ?? 0, height: screen_height ?? 0, pixel_ratio: pixel_ratio ?? 1 },
    wake_lock,
    visibility,
    heap_bytes: row.heap_bytes,
  };
}
