/** Channels: the addresses of messages, of a person or of a whole team. The caller encrypts their secret parts.
 *  Every query of a caller names the team: another team's channel is not found. */
import { CHANNEL_LIMITS, type What } from '#contract/messages/channels.ts';
import {
  type DigestTimes,
  type MessageSettings,
  QUIET_HOURS,
  type QuietHours,
} from '#contract/messages/messages.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { ChannelSeal } from './channelSeal.ts';
import { isPosted, stateAfterFailure, stateAfterSuccess } from './channelState.ts';
import { isTheirs, SEND_AGAIN_DAYS } from './outboxStore.ts';
import type { Db } from '../../db/open.ts';
import { rowCount } from '../../db/batches.ts';
import { insertNew, inTransaction, rowsWith } from '../../db/statements.ts';
import {
  CHANNELS_REVISION,
  MESSAGES_REVISION,
  raiseRevision,
  revision,
  takeTurn,
} from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';
import { EVERYONE, teams } from '../../accounts/teams.ts';

/** The settings of a person who has not chosen any. */
export const STANDARD: MessageSettings = {
  quiet: QUIET_HOURS,
  digest: 'off',
  hide_details: false,
  threshold: null,
};
/** Quiet hours are for people, and programs have none; a team's digest is made for the morning. */
export const OF_THE_TEAM: MessageSettings = {
  quiet: null,
  digest: '06:00',
  hide_details: false,
  threshold: null,
};
/** The list in the app, which is its own digest. */
const IN_APP: What = { alerts: true, changes: false, digest: false, brief: false };

export interface Digest {
  times: DigestTimes;
  /** The time at which the last one was made. */
  last: string | null;
}

export const quietOf = ({ quiet }: Pick<RowOf<'channels'>, 'quiet'>) =>
  JSON.parse(quiet) as QuietHours | null;
export const digestOf = ({ digest }: Pick<RowOf<'channels'>, 'digest'>) => JSON.parse(digest) as Digest;
export const whatOf = ({ what }: Pick<RowOf<'channels'>, 'what'>) => JSON.parse(what) as What;
export const watchIdsOf = ({ watch_ids }: Pick<RowOf<'channels'>, 'watch_ids'>) =>
  watch_ids === null ? null : (JSON.parse(watch_ids) as string[]);

/** Whether it gets messages about this route, area or feed of its team. */
export function isFrom(channel: Pick<RowOf<'channels'>, 'watch_ids'>, watchId: string): boolean {
  const ids = watchIdsOf(channel);
  return ids === null || ids.includes(watchId);
}

export type NewChannelRow = Pick<
  RowOf<'channels'>,
  'id' | 'team_id' | 'user_id' | 'kind' | 'name' | 'address' | 'address_hash' | 'state'
> &
  Partial<Pick<RowOf<'channels'>, 'session_id' | 'secret' | 'watch_ids'>> & { what: What };

/** Messages of a channel that wait or did not arrive. */
export interface Undelivered {
  waiting: number;
  next_at: string | null;
  failed: number;
}

const NONE: Undelivered = { waiting: 0, next_at: null, failed: 0 };

export const channels = (db: Db) => ({
  /** The person's own channels, without the list in the app, then the team's; the oldest first. */
  async of(userId: string, teamId: string): Promise<RowOf<'channels'>[]> {
    const rows = await ofBoth(db, userId, teamId)
      .where('kind', '<>', 'app')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return [...rows.filter((row) => row.user_id !== null), ...rows.filter((row) => row.user_id === null)];
  },

  /** A channel of the person or of the team. */
  one: (id: string, userId: string, teamId: string): Promise<RowOf<'channels'> | undefined> =>
    ofBoth(db, userId, teamId).where('kind', '<>', 'app').where('id', '=', id).executeTakeFirst(),

  byId: (id: string): Promise<RowOf<'channels'> | undefined> =>
    db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst(),

  byHash: (addressHash: string): Promise<RowOf<'channels'> | undefined> =>
    db.selectFrom('channels').selectAll().where('address_hash', '=', addressHash).executeTakeFirst(),

  /** The person's list in the app, with that person's choices. It is made when it is first needed. */
  async appOf(userId: string, teamId: string, now: Instant): Promise<RowOf<'channels'>> {
    const address_hash = `app:${userId}`;
    const found = await channels(db).byHash(address_hash);
    if (found) return found;
    await insert(
      db,
      {
        id: `app-${userId}`,
        team_id: teamId,
        user_id: userId,
        kind: 'app',
        name: 'In the app',
        address: '',
        address_hash,
        state: 'working',
        what: IN_APP,
      },
      STANDARD,
      now,
    );
    return (await channels(db).byHash(address_hash))!; // made above, or by another call at the same time
  },

  /** Gives a list in the app to everybody who has signed in, also to people who have never looked at it. */
  async addApps(mode: TeamMode, now: Instant): Promise<void> {
    const without = await db
      .selectFrom('users')
      .select('id')
      .where('is_active', '=', 1)
      .where('last_login', 'is not', null)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('channels')
          .select('user_id')
          .where('kind', '=', 'app')
          .where('user_id', 'is not', null),
      )
      .execute();
    for (const { id } of without) await channels(db).appOf(id, (await teams(db, mode).of(id, now)).id, now);
  },

  /** `full`: the team or the person has as many as they may; `taken`: there is already a channel with this address.
   *  A device or mailbox that belonged to somebody else is deleted there, with everything that was sent to it. */
  async add(row: NewChannelRow, settings: MessageSettings, now: Instant): Promise<'done' | 'full' | 'taken'> {
    return inTransaction(db, async (trx) => {
      // Two calls at once could otherwise each take the last place.
      await takeTurn(trx, CHANNELS_REVISION);
      const before = await channels(trx).byHash(row.address_hash);
      if (before && row.kind !== 'device') return 'taken';
      if (before) await trx.deleteFrom('channels').where('id', '=', before.id).execute();
      const theirs = trx
        .selectFrom('channels')
        .where('kind', '<>', 'app')
        .where((eb) =>
          row.user_id === null
            ? eb.and([eb('team_id', '=', row.team_id), eb('user_id', 'is', null)])
            : eb('user_id', '=', row.user_id),
        );
      const most = row.user_id === null ? CHANNEL_LIMITS.perTeam : CHANNEL_LIMITS.perPerson;
      if ((await rowCount(theirs)) >= most) return 'full';
      await insert(trx, row, settings, now);
      return 'done';
    });
  },

  /** With another address it counts as new: waiting messages go to the new address. */
  async change(
    id: string,
    change: Partial<
      Pick<
        RowOf<'channels'>,
        'name' | 'address' | 'address_hash' | 'what' | 'watch_ids' | 'state' | 'session_id' | 'team_id'
      >
    >,
    now: Instant,
  ): Promise<void> {
    await rowsWith(db, 'channels', { id }).set({
      ...change,
      ...(change.state && { since: iso(now), why: null, wait_until: null }),
    });
    await raiseRevision(db, CHANNELS_REVISION);
  },

  /** Turns it on for later messages. Messages that did not arrive before are not sent any more. */
  async turnOn(id: string, state: RowOf<'channels'>['state'], now: Instant): Promise<void> {
    await rowsWith(db, 'messages', { channel_id: id, state: ['waiting', 'failed'] }).set({
      state: 'dropped',
      reason: 'Not sent: this channel was off',
      next_at: null,
    });
    const changes_from = await revision(db, 'changes');
    await rowsWith(db, 'channels', { id }).set({
      state,
      since: iso(now),
      why: null,
      wait_until: null,
      changes_from,
    });
    await raiseRevision(db, CHANNELS_REVISION);
    await raiseRevision(db, MESSAGES_REVISION);
  },

  /** `secret`: the new one, encrypted. For a while messages are signed with the former secret as well. */
  async rotate(id: string, secret: string, until: Instant): Promise<void> {
    await rowsWith(db, 'channels', { id }).set((eb) => ({
      old_secret: eb.ref('secret'),
      old_secret_until: iso(until),
      secret,
    }));
  },

  /** Settings of all the person's channels. */
  async choose(userId: string, settings: MessageSettings, now: Instant): Promise<void> {
    const { digest: _, ...columns } = chosen(settings, now);
    await db.transaction().execute(async (trx) => {
      const own = await rowsWith(trx, 'channels', { user_id: userId }).all('id', 'digest');
      for (const row of own) {
        const before = digestOf(row);
        const last = before.times === 'off' ? iso(now) : before.last;
        await rowsWith(trx, 'channels', { id: row.id }).set({
          ...columns,
          digest: JSON.stringify({ times: settings.digest, last } satisfies Digest),
        });
      }
      await raiseRevision(trx, CHANNELS_REVISION);
    });
  },

  /** Null: go on. */
  async pause(userId: string, until: Instant | null): Promise<void> {
    await rowsWith(db, 'channels', { user_id: userId }).set({
      paused_until: until === null ? null : iso(until),
    });
    await raiseRevision(db, CHANNELS_REVISION);
  },

  /** Moves a person's own channels to the team that the person has moved to: they outlive the team before. */
  async moveOwn(userId: string, teamId: string, { open, seal }: ChannelSeal): Promise<void> {
    for (const row of await rowsWith(db, 'channels', { user_id: userId }).all()) {
      const { id, team_id, address, secret, old_secret } = row;
      const sealed = (text: string | null) => {
        const said = text && open(text, { id, teamId: team_id });
        return said ? seal(said, { id, teamId }) : text;
      };
      await rowsWith(db, 'channels', { id }).set({
        team_id: teamId,
        address: sealed(address)!, // it has one, perhaps an empty one
        secret: sealed(secret),
        old_secret: sealed(old_secret),
      });
    }
    await raiseRevision(db, CHANNELS_REVISION);
  },

  /** Deletes it with everything that was sent to it or waits. False: it was deleted before. */
  async remove(id: string): Promise<boolean> {
    const rows = await rowsWith(db, 'channels', { id }).remove();
    if (rows > 0) await raiseRevision(db, CHANNELS_REVISION);
    return rows > 0;
  },

  /** Confirms it, by the link in a message. False: it no longer exists. */
  async confirm(id: string, now: Instant): Promise<boolean> {
    const row = await channels(db).byId(id);
    if (row?.state === 'unconfirmed') await channels(db).change(id, { state: 'working' }, now);
    return row !== undefined;
  },

  /** Stores that a message arrived. */
  async noteOk({ id, kind, state }: RowOf<'channels'>, now: Instant): Promise<void> {
    const works = stateAfterSuccess({ kind, state }) !== state;
    await rowsWith(db, 'channels', { id, state }).set({
      last_ok: iso(now),
      wait_until: null,
      why: null,
      ...(works && { state: 'working', since: iso(now) }),
    });
    if (works) await raiseRevision(db, CHANNELS_REVISION);
  },

  /** True: it was turned off, because its address is gone for ever or nothing has arrived there for too long.
   *  `rest`: nothing is sent there before this time. */
  async noteFailure(
    channel: RowOf<'channels'>,
    why: string,
    { isGone = false, rest = null }: { isGone?: boolean; rest?: Instant | null },
    now: Instant,
  ): Promise<boolean> {
    const { id, state } = channel;
    if (state === 'off') return false;
    const at = iso(now);
    const next = stateAfterFailure(channel, isGone, at);
    const isOff = next.state === 'off';
    const { numUpdatedRows } = await db
      .updateTable('channels')
      .set({
        why: why.slice(0, 200),
        wait_until: rest === null ? null : iso(rest),
        ...next,
        // A device gets another address when it is turned on again.
        ...(isOff && !isPosted(channel) && { address: '' }),
      })
      .where('id', '=', id)
      .where('state', '<>', 'off')
      .executeTakeFirst();
    if (next.state !== state) await raiseRevision(db, CHANNELS_REVISION);
    return isOff && numUpdatedRows > 0n;
  },

  async noteDigest(id: string, digest: Digest): Promise<void> {
    await rowsWith(db, 'channels', { id }).set({ digest: JSON.stringify(digest) });
  },

  /** Routes, areas and feeds among these that the team has. */
  async watchesOf(teamId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await rowsWith(db, 'watches', { team_id: teamId, id: ids }).all('id');
    return new Set(rows.map(({ id }) => id));
  },

  /** The active people of the team, by name. */
  async members(mode: TeamMode, teamId: string): Promise<{ user_id: string; display_name: string }[]> {
    return db
      .selectFrom('users')
      .leftJoin('team_members', 'team_members.user_id', 'users.id')
      .select(['users.id as user_id', 'display_name'])
      .where('is_active', '=', 1)
      .$if(mode === 'many', (query) => query.where('team_members.team_id', '=', teamId))
      .orderBy('display_name')
      .orderBy('users.id')
      .execute();
  },

  /** All channels to which messages may be sent now, with the team whose routes the messages are about: channels of
   *  active people, on devices that are signed in, confirmed and not turned off. `teamId`: only this team's. */
  async inUse(mode: TeamMode, now: Instant, teamId?: string): Promise<RowOf<'channels'>[]> {
    const rows = await live(db, now)
      .leftJoin('team_members', 'team_members.user_id', 'channels.user_id')
      .selectAll('channels')
      .select('team_members.team_id as team_now')
      .where('channels.state', 'in', ['working', 'failing'])
      .$if(teamId !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb.and([eb('channels.user_id', 'is', null), eb('channels.team_id', '=', teamId!)]),
            mode === 'one'
              ? eb('channels.user_id', 'is not', null)
              : eb('team_members.team_id', '=', teamId!),
          ]),
        ),
      )
      .orderBy('channels.id')
      .execute();
    return rows.flatMap(({ team_now, ...row }) => {
      if (row.user_id === null) return [row];
      const team_id = mode === 'one' ? EVERYONE : team_now;
      return team_id === null ? [] : [{ ...row, team_id }];
    });
  },

  /** False: the device is signed out, or the person is disabled. */
  async isLive(id: string, now: Instant): Promise<boolean> {
    const found = await live(db, now).select('channels.id').where('channels.id', '=', id).executeTakeFirst();
    return found !== undefined;
  },

  /** Channels with more messages than this that have not arrived. */
  async overfull(most: number): Promise<RowOf<'channels'>[]> {
    const full = db
      .selectFrom('messages')
      .select('channel_id')
      .where('state', 'in', ['waiting', 'failed'])
      .groupBy('channel_id')
      .having((eb) => eb(eb.fn.countAll(), '>', most));
    return db
      .selectFrom('channels')
      .selectAll()
      .where('state', '<>', 'off')
      .where('id', 'in', full)
      .execute();
  },

  /** For each of these: the number of messages that wait, and of messages that did not arrive and can be sent again. */
  async undelivered(ids: readonly string[], now: Instant): Promise<(id: string) => Undelivered> {
    const since = iso(new Date(Date.parse(iso(now)) - SEND_AGAIN_DAYS * 24 * 60 * 60_000));
    const rows =
      ids.length === 0
        ? []
        : await db
            .selectFrom('messages')
            .select((eb) => [
              'channel_id',
              'state',
              eb.fn.countAll().as('count'),
              eb.fn.min('next_at').as('next_at'),
            ])
            .where('channel_id', 'in', ids)
            .where('state', 'in', ['waiting', 'failed'])
            .where('created_at', '>=', since)
            .groupBy(['channel_id', 'state'])
            .execute();
    const found = new Map<string, Undelivered>();
    for (const { channel_id, state, count, next_at } of rows) {
      const before = found.get(channel_id!) ?? NONE; // asked by it
      found.set(
        channel_id!,
        state === 'failed'
          ? { ...before, failed: Number(count) }
          : { ...before, waiting: Number(count), next_at },
      );
    }
    return (id) => found.get(id) ?? NONE;
  },

  /** Deletes channels of devices that are signed out, and of people who are disabled. */
  async prune(now: Instant): Promise<void> {
    await db
      .deleteFrom('channels')
      .where('kind', '=', 'device')
      .where('id', 'not in', live(db, now).select('channels.id'))
      .execute();
  },
});

async function insert(
  db: Db,
  { what, ...row }: NewChannelRow,
  settings: MessageSettings,
  now: Instant,
): Promise<void> {
  await insertNew(
    db,
    'channels',
    {
      session_id: null,
      secret: null,
      watch_ids: null,
      ...row,
      what: JSON.stringify(what),
      ...chosen(settings, now),
      old_secret: null,
      old_secret_until: null,
      changes_from: await revision(db, 'changes'),
      paused_until: null,
      since: iso(now),
      why: null,
      wait_until: null,
      last_ok: null,
      created_at: iso(now),
    },
    ['address_hash'],
  );
  await raiseRevision(db, CHANNELS_REVISION);
}

const ofBoth = (db: Db, userId: string, teamId: string) =>
  db.selectFrom('channels').selectAll().where(isTheirs(userId, teamId));

const live = (db: Db, now: Instant) =>
  db
    .selectFrom('channels')
    .leftJoin('users', 'users.id', 'channels.user_id')
    .leftJoin('sessions', 'sessions.id', 'channels.session_id')
    .where((eb) => eb.or([eb('channels.user_id', 'is', null), eb('users.is_active', '=', 1)]))
    .where((eb) =>
      eb.or([
        eb('channels.session_id', 'is', null),
        eb.and([eb('sessions.revoked_at', 'is', null), eb('sessions.expires_at', '>', iso(now))]),
      ]),
    );

/** Digests that were due before are left out. */
const chosen = ({ quiet, digest, hide_details, threshold }: MessageSettings, now: Instant) => ({
  threshold,
  quiet: JSON.stringify(quiet),
  digest: JSON.stringify({ times: digest, last: iso(now) } satisfies Digest),
  hide_details: Number(hide_details),
});

export const settingsOf = (
  row: Pick<RowOf<'channels'>, 'quiet' | 'digest' | 'hide_details' | 'threshold'>,
): MessageSettings => ({
  quiet: quietOf(row),
  digest: digestOf(row).times,
  hide_details: row.hide_details === 1,
  threshold: row.threshold,
});
