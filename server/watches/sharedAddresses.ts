/** Secret addresses and public pages. Every query names the team, except the one for an address that is opened. */
import { DAY_MS } from '#contract/durations.ts';
import { type SharedAddress, type SharedForm, SHARING_LIMITS } from '#contract/watches/sharing.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { addRows, rowsWith } from '../db/statements.ts';
import { takeTurn } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

const TURN = 'addresses';
const UNUSED_MS = SHARING_LIMITS.unusedDays * DAY_MS;
/** The use of an address is noted at most this often. */
const NOTED_AFTER_MS = 60 * 60_000;

/** The target of an address, without a name or a person. */
type Opened = Pick<RowOf<'addresses'>, 'id' | 'team_id' | 'watch_id' | 'event_id' | 'form' | 'expires_at'>;

interface NewAddress {
  id: string;
  hash: string;
  about: { watch_id: string } | { event_id: string };
  form: SharedForm;
  expires_at: string | null;
}

export const addresses = (db: Db) => ({
  /** Open addresses of a team or of one of its things, the last first. */
  async open(
    teamId: string,
    about: { watch_id?: string | undefined; event_id?: string | undefined },
    now: Instant,
  ): Promise<SharedAddress[]> {
    const rows = await alive(db, now)
      .leftJoin('users', 'users.id', 'addresses.made_by')
      .selectAll('addresses')
      .select('users.display_name')
      .where('team_id', '=', teamId)
      .$if(about.watch_id !== undefined, (query) => query.where('watch_id', '=', about.watch_id!))
      .$if(about.event_id !== undefined, (query) => query.where('event_id', '=', about.event_id!))
      .orderBy('made_at', 'desc')
      .orderBy('addresses.id')
      .execute();
    return rows.map(toAddress);
  },

  /** To be called within a transaction. False: the team has as many addresses as it may. */
  async add(
    { teamId, userId }: { teamId: string; userId: string },
    { id, hash, about, form, expires_at }: NewAddress,
    now: Instant,
  ): Promise<boolean> {
    // Otherwise two calls at the same time could both add the last one that is allowed.
    await takeTurn(db, TURN);
    if ((await addresses(db).open(teamId, {}, now)).length >= SHARING_LIMITS.perTeam) return false;
    const row = { id, hash, team_id: teamId, watch_id: null, event_id: null, ...about, form, expires_at };
    const since = { made_by: userId, made_at: iso(now), last_used_at: null, ended_at: null };
    await addRows(db, 'addresses', { ...row, ...since });
    return true;
  },

  /** Gives the address a new random part if the answer was lost, because nobody knows the first one. False: the
   *  address has ended or is in use. */
  async sayAgain(
    { id, hash, expires_at }: Pick<NewAddress, 'id' | 'hash' | 'expires_at'>,
    now: Instant,
  ): Promise<boolean> {
    const known = await alive(db, now).select('hash').where('id', '=', id).executeTakeFirst();
    if (!known) return false;
    return (
      (await rowsWith(db, 'addresses', { hash: known.hash, last_used_at: null }).set({ hash, expires_at })) >
      0
    );
  },

  /** False: the team has no such address that is open. */
  async change(
    { teamId, id }: { teamId: string; id: string },
    change: { expires_at: string | null },
    now: Instant,
  ): Promise<boolean> {
    const known = await alive(db, now)
      .select('form')
      .where('id', '=', id)
      .where('team_id', '=', teamId)
      .executeTakeFirst();
    if (!known) return false;
    await rowsWith(db, 'addresses', { id }).set(change);
    return true;
  },

  /** Ends at once, on every node. False: the team has no open address of this id. */
  async end({ teamId, id }: { teamId: string; id: string }, now: Instant): Promise<boolean> {
    return (
      (await rowsWith(db, 'addresses', { id, team_id: teamId, ended_at: null }).set({ ended_at: iso(now) })) >
      0
    );
  },

  /** The target of an address, if it has neither ended nor lapsed; the address ends with its route, area or feeds.
   *  Stores that it was used. */
  async opened(hash: string, now: Instant): Promise<Opened | undefined> {
    const row = await alive(db, now)
      .select(['id', 'team_id', 'watch_id', 'event_id', 'form', 'expires_at', 'last_used_at'])
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (!row) return undefined;
    const { last_used_at, ...opened } = row;
    const at = new Date(now).getTime();
    if (last_used_at === null || at - Date.parse(last_used_at) >= NOTED_AFTER_MS)
      await rowsWith(db, 'addresses', { hash }).set({ last_used_at: iso(now) });
    return opened;
  },

  /** Ends the addresses of a deleted route, area or feeds. A deletion that is taken back does not open them again. */
  async endOf(watchId: string, now: Instant): Promise<void> {
    await rowsWith(db, 'addresses', { watch_id: watchId, ended_at: null }).set({ ended_at: iso(now) });
  },

  /** Deletes addresses that ended or lapsed before then. */
  async prune(before: Instant): Promise<void> {
    const unused = iso(new Date(new Date(before).getTime() - UNUSED_MS));
    await db
      .deleteFrom('addresses')
      .where((eb) =>
        eb.or([
          eb('ended_at', '<', iso(before)),
          eb('expires_at', '<', iso(before)),
          eb.and([
            eb('form', '<>', 'page'),
            eb('made_at', '<=', unused),
            eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unused)]),
          ]),
        ]),
      )
      .execute();
  },
});

/** A page ends at its time only; a secret address also ends if nobody uses it. */
function alive(db: Db, now: Instant) {
  const unused = iso(new Date(new Date(now).getTime() - UNUSED_MS));
  return db
    .selectFrom('addresses')
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', iso(now))]))
    .where((eb) =>
      eb.or([eb('form', '=', 'page'), eb('made_at', '>', unused), eb('last_used_at', '>', unused)]),
    );
}

const toAddress = ({
  display_name,
  made_by,
  form,
  made_at,
  last_used_at,
  ...row
}: RowOf<'addresses'> & { display_name: string | null }): SharedAddress => ({
  id: row.id,
  watch_id: row.watch_id,
  event_id: row.event_id,
  form,
  made_by: made_by === null ? null : { id: made_by, display_name: display_name ?? '' },
  made_at,
  last_used_at,
  expires_at: row.expires_at,
  dies_at: form === 'page' ? null : iso(new Date(Date.parse(last_used_at ?? made_at) + UNUSED_MS)),
});
