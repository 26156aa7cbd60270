/** Where messages go: of a person, or of a whole team. What is secret in them is sealed by the caller. */
import { type DigestTimes, type MessageSettings, QUIET_HOURS, type QuietHours } from '#contract/messages.ts';
import type { TeamMode } from '#contract/teams.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision } from './revisions.ts';
import type { ReceiversTable } from './schema.ts';
import { EVERYONE, teams } from './teams.ts';

/** Rises when the channels of a person or a team change. */
export const RECEIVERS_REVISION = 'receivers';

/** What a person has who has chosen nothing. */
export const STANDARD: MessageSettings = { quiet: QUIET_HOURS, digest: 'off', hide_details: false };

export interface Digest {
  times: DigestTimes;
  /** When the last one was made. */
  last: string | null;
}

export const quietOf = ({ quiet }: Pick<ReceiversTable, 'quiet'>) => JSON.parse(quiet) as QuietHours | null;
export const digestOf = ({ digest }: Pick<ReceiversTable, 'digest'>) => JSON.parse(digest) as Digest;

export type NewReceiverRow = Pick<
  ReceiversTable,
  | 'id'
  | 'team_id'
  | 'user_id'
  | 'session_id'
  | 'kind'
  | 'name'
  | 'target'
  | 'target_hash'
  | 'secret'
  | 'confirmed_at'
>;

export const receivers = (db: Db) => ({
  /** The person's own, and those of the team without those of its filters; oldest first. */
  async of(userId: string, teamId: string): Promise<ReceiversTable[]> {
    return db
      .selectFrom('receivers')
      .selectAll()
      .where('filter_id', 'is', null)
      .where((eb) =>
        eb.or([eb('user_id', '=', userId), eb.and([eb('user_id', 'is', null), eb('team_id', '=', teamId)])]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  },

  async byId(id: string): Promise<ReceiversTable | undefined> {
    return db.selectFrom('receivers').selectAll().where('id', '=', id).executeTakeFirst();
  },

  async byHash(targetHash: string): Promise<ReceiversTable | undefined> {
    return db.selectFrom('receivers').selectAll().where('target_hash', '=', targetHash).executeTakeFirst();
  },

  /** The person's list in the app, with what they chose. Made when it is first needed. */
  async appOf(userId: string, teamId: string, now: Instant): Promise<ReceiversTable> {
    const target_hash = `app:${userId}`;
    const found = await receivers(db).byHash(target_hash);
    if (found) return found;
    const row: NewReceiverRow = {
      id: `app-${userId}`,
      team_id: teamId,
      user_id: userId,
      session_id: null,
      kind: 'app',
      name: 'In the app',
      target: '',
      target_hash,
      secret: null,
      confirmed_at: iso(now),
    };
    await db
      .insertInto('receivers')
      .values({ ...row, ...chosen(STANDARD, now), ...fresh(now) })
      .onConflict((conflict) => conflict.column('target_hash').doNothing())
      .execute();
    await raiseRevision(db, RECEIVERS_REVISION);
    return (await receivers(db).byHash(target_hash))!; // made above, or by another call at once
  },

  /** Everybody who has signed in has their list in the app, whether or not they have looked at it. */
  async addApps(mode: TeamMode, now: Instant): Promise<void> {
    const without = await db
      .selectFrom('users')
      .select('id')
      .where('is_active', '=', 1)
      .where('last_login', 'is not', null)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('receivers')
          .select('user_id')
          .where('kind', '=', 'app')
          .where('user_id', 'is not', null),
      )
      .execute();
    for (const { id } of without) await receivers(db).appOf(id, (await teams(db, mode).of(id, now)).id, now);
  },

  /** The same target starts again with its id; but one of somebody else is forgotten with all that it was sent. */
  async add(row: NewReceiverRow, settings: MessageSettings, now: Instant): Promise<ReceiversTable> {
    return db.transaction().execute(async (trx) => {
      await raiseRevision(trx, RECEIVERS_REVISION);
      const before = await receivers(trx).byHash(row.target_hash);
      if (before && before.user_id === row.user_id && before.team_id === row.team_id) {
        const { id: _, secret: __, confirmed_at: ___, ...changed } = row;
        await trx
          .updateTable('receivers')
          .set({
            ...changed,
            // Sealed for its row: a target is never moved to another.
            target: before.target,
            state: 'ok',
            failures: 0,
            last_error: null,
          })
          .where('id', '=', before.id)
          .execute();
        return (await receivers(trx).byId(before.id))!;
      }
      if (before) await trx.deleteFrom('receivers').where('id', '=', before.id).execute();
      await trx
        .insertInto('receivers')
        .values({ ...row, ...chosen(settings, now), ...fresh(now) })
        .execute();
      return (await receivers(trx).byId(row.id))!;
    });
  },

  /** A subscription of the same address with other keys. */
  async setTarget(id: string, target: string): Promise<void> {
    await db.updateTable('receivers').set({ target }).where('id', '=', id).execute();
  },

  /** Of all the person's channels. */
  async choose(userId: string, settings: MessageSettings, now: Instant): Promise<void> {
    const { digest: _, ...columns } = chosen(settings, now);
    await db.transaction().execute(async (trx) => {
      const own = await trx
        .selectFrom('receivers')
        .select(['id', 'digest'])
        .where('user_id', '=', userId)
        .execute();
      for (const { id, digest } of own) {
        const before = JSON.parse(digest) as Digest;
        const last = before.times === 'off' ? iso(now) : before.last;
        await trx
          .updateTable('receivers')
          .set({ ...columns, digest: JSON.stringify({ times: settings.digest, last } satisfies Digest) })
          .where('id', '=', id)
          .execute();
      }
      await raiseRevision(trx, RECEIVERS_REVISION);
    });
  },

  /** Null: go on. */
  async pause(userId: string, until: Instant | null): Promise<void> {
    await db
      .updateTable('receivers')
      .set({ paused_until: until === null ? null : iso(until) })
      .where('user_id', '=', userId)
      .execute();
    await raiseRevision(db, RECEIVERS_REVISION);
  },

  /** False: no such receiver of the person or of the team. */
  async remove(id: string, userId: string, teamId: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('receivers')
      .where('id', '=', id)
      .where('kind', '<>', 'app')
      .where('filter_id', 'is', null)
      .where((eb) =>
        eb.or([eb('user_id', '=', userId), eb.and([eb('user_id', 'is', null), eb('team_id', '=', teamId)])]),
      )
      .executeTakeFirst();
    if (numDeletedRows > 0n) await raiseRevision(db, RECEIVERS_REVISION);
    return numDeletedRows > 0n;
  },

  /** By the link in a message. False: it is gone. */
  async removeById(id: string): Promise<boolean> {
    const { numDeletedRows } = await db.deleteFrom('receivers').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows > 0n) await raiseRevision(db, RECEIVERS_REVISION);
    return numDeletedRows > 0n;
  },

  async confirm(id: string, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('receivers')
      .set({ confirmed_at: iso(now) })
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await raiseRevision(db, RECEIVERS_REVISION);
    return numUpdatedRows > 0n;
  },

  async noteOk(id: string, now: Instant): Promise<void> {
    await db
      .updateTable('receivers')
      .set({ state: 'ok', failures: 0, last_ok: iso(now), last_error: null })
      .where('id', '=', id)
      .where('state', '<>', 'off')
      .execute();
  },

  /** `offAt`: its target is gone for good, as was found then. */
  async noteFailure(id: string, error: string, { offAt }: { offAt: Instant | null }): Promise<void> {
    const isOff = offAt !== null;
    await db
      .updateTable('receivers')
      .set((eb) => ({
        failures: eb('failures', '+', 1),
        last_error: error.slice(0, 200),
        state: isOff ? 'off' : 'failing',
        off_at: isOff ? iso(offAt) : null,
        // A webhook can be turned on again.
        ...(isOff && {
          target: eb.case().when('filter_id', 'is', null).then('').else(eb.ref('target')).end(),
        }),
      }))
      .where('id', '=', id)
      .where('state', '<>', 'off')
      .execute();
    if (isOff) await raiseRevision(db, RECEIVERS_REVISION);
  },

  async noteDigest(id: string, digest: Digest): Promise<void> {
    await db
      .updateTable('receivers')
      .set({ digest: JSON.stringify(digest) })
      .where('id', '=', id)
      .execute();
  },

  /** All to which a message about routes may be sent now, with the team whose routes they are: of active people, on
   *  devices that are signed in, at confirmed addresses. */
  async inUse(mode: TeamMode, now: Instant): Promise<ReceiversTable[]> {
    const rows = await live(db, now)
      .leftJoin('team_members', 'team_members.user_id', 'receivers.user_id')
      .selectAll('receivers')
      .select('team_members.team_id as team_now')
      .where('receivers.state', '<>', 'off')
      .where('receivers.filter_id', 'is', null)
      .where('receivers.confirmed_at', 'is not', null)
      .orderBy('receivers.id')
      .execute();
    return rows.flatMap(({ team_now, ...row }) => {
      if (row.user_id === null) return [row];
      const team_id = mode === 'one' ? EVERYONE : team_now;
      return team_id === null ? [] : [{ ...row, team_id }];
    });
  },

  /** False: signed out on that device, or the person is disabled. */
  async isLive(id: string, now: Instant): Promise<boolean> {
    const found = await live(db, now)
      .select('receivers.id')
      .where('receivers.id', '=', id)
      .executeTakeFirst();
    return found !== undefined;
  },

  /** Those of devices that are signed out, and of people who are disabled. */
  async prune(now: Instant): Promise<void> {
    await db
      .deleteFrom('receivers')
      .where('kind', '=', 'push')
      .where('id', 'not in', live(db, now).select('receivers.id'))
      .execute();
  },
});

const live = (db: Db, now: Instant) =>
  db
    .selectFrom('receivers')
    .leftJoin('users', 'users.id', 'receivers.user_id')
    .leftJoin('sessions', 'sessions.id', 'receivers.session_id')
    .where((eb) => eb.or([eb('receivers.user_id', 'is', null), eb('users.is_active', '=', 1)]))
    .where((eb) =>
      eb.or([
        eb('receivers.session_id', 'is', null),
        eb.and([eb('sessions.revoked_at', 'is', null), eb('sessions.expires_at', '>', iso(now))]),
      ]),
    );

/** What was due before is not made up for. */
export const chosen = ({ quiet, digest, hide_details }: MessageSettings, now: Instant) => ({
  quiet: JSON.stringify(quiet),
  digest: JSON.stringify({ times: digest, last: iso(now) } satisfies Digest),
  hide_details: Number(hide_details),
});

export const fresh = (now: Instant) =>
  ({
    filter_id: null,
    paused_until: null,
    state: 'ok',
    failures: 0,
    last_ok: null,
    last_error: null,
    off_at: null,
    created_at: iso(now),
  }) as const;

export const settingsOf = (
  row: Pick<ReceiversTable, 'quiet' | 'digest' | 'hide_details'>,
): MessageSettings => ({
  quiet: quietOf(row),
  digest: digestOf(row).times,
  hide_details: row.hide_details === 1,
});
