/** Layouts and messages for displays, and which display shows which of them. */
import type { TeamDisplay } from '#contract/displays/displays.ts';
import { standingOfDisplay, wasSeen } from '#contract/displays/displayStanding.ts';
import {
  ALL_FEEDS,
  type DisplayMessage,
  type DisplaySelf,
  type Layout,
  type LayoutPage,
  type LayoutRequest,
  READY_LAYOUTS,
  type SentMessage,
  tagKey,
  type Target,
} from '#contract/displays/layouts.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows, inTransaction, rowsWith } from '../../db/statements.ts';
import { DISPLAYS_REVISION, raiseRevision, type Revisions, untilRaised } from '../../db/revisions.ts';
import { EVERYONE } from '../teams.ts';
import type { RowOf } from '../../db/schema.ts';

/** A display with the columns by which a layout or message selects it. */
type Chosen = Pick<RowOf<'displays'>, 'id' | 'tags' | 'layout_id'>;

const isReady = (id: string): boolean => READY_LAYOUTS.some((layout) => layout.id === id);

const isMeant = ({ id, tags }: Pick<Chosen, 'id' | 'tags'>, to: Target): boolean =>
  to.all === true ||
  to.displays?.includes(id) === true ||
  (JSON.parse(tags) as string[]).some((tag) => to.tags?.some((other) => tagKey(other) === tagKey(tag)));

export const layouts = (db: Db) => ({
  async ofTeam(teamId: string): Promise<Layout[]> {
    const rows = await rowsWith(db, 'layouts', { team_id: teamId }, ['name', 'id']).all();
    return rows.map(toLayout);
  },

  async byId(teamId: string, id: string): Promise<Layout | undefined> {
    const ready = READY_LAYOUTS.find((layout) => layout.id === id);
    if (ready) return ready;
    const row = await rowsWith(db, 'layouts', { team_id: teamId, id }).first();
    return row && toLayout(row);
  },

  async make(teamId: string, { name, pages, pin_criticals }: LayoutRequest, id: string): Promise<void> {
    await addRows(db, 'layouts', {
      id,
      team_id: teamId,
      name,
      pages: JSON.stringify(pages),
      pin_criticals: pin_criticals ? 1 : 0,
      rev: 1,
    });
  },

  /** Changes a layout and asks its displays to load it. Undefined when the team has no such layout. `rev`: the
   *  revision that the editor loaded; undefined overwrites any. "changed" when the stored revision is another. */
  async change(
    teamId: string,
    { id, rev }: { id: string; rev: number | undefined },
    { name, pages, pin_criticals }: LayoutRequest,
    now: Instant,
  ): Promise<Layout | 'changed' | undefined> {
    return inTransaction(db, async (trx) => {
      const row = await trx
        .updateTable('layouts')
        .set((eb) => ({
          name,
          pages: JSON.stringify(pages),
          pin_criticals: pin_criticals ? 1 : 0,
          rev: eb('rev', '+', 1),
        }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .$if(rev !== undefined, (query) => query.where('rev', '=', rev!))
        .returningAll()
        .executeTakeFirst();
      if (!row) return !isReady(id) && (await layouts(trx).byId(teamId, id)) ? 'changed' : undefined;
      await layouts(trx).ask(await thoseWith(trx, id), now);
      return toLayout(row);
    });
  },

  /** Removes a layout. Its displays go back to the default. False when the team has no such layout. */
  async remove(teamId: string, id: string, now: Instant): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      const rows = await rowsWith(trx, 'layouts', { team_id: teamId, id }).remove();
      if (rows === 0) return false;
      const shown = await thoseWith(trx, id);
      if (shown.length > 0)
        await trx.updateTable('displays').set({ layout_id: null }).where('id', 'in', shown).execute();
      await layouts(trx).ask(shown, now);
      return true;
    });
  },

  async give(ids: readonly string[], layoutId: string | null, now: Instant): Promise<void> {
    if (ids.length === 0) return;
    await db.updateTable('displays').set({ layout_id: layoutId }).where('id', 'in', ids).execute();
    await layouts(db).ask(ids, now);
  },

  /** Removes layouts and messages from the displays of people who have left their team. */
  async leaveTeam(ownerIds: readonly string[], now: Instant): Promise<void> {
    if (ownerIds.length === 0) return;
    const own = await db.selectFrom('displays').select('id').where('owner_id', 'in', ownerIds).execute();
    await layouts(db).give(
      own.map(({ id }) => id),
      null,
      now,
    );
  },

  /** Sets a display's tags. A message can be meant for a tag, so this can change what the display shows. */
  async tag(id: string, tags: readonly string[], now: Instant): Promise<void> {
    await rowsWith(db, 'displays', { id }).set({ tags: JSON.stringify(tags) });
    await layouts(db).ask([id], now);
  },

  /** Asks these displays to load their layout and messages again. A display that has not yet taken the last revision
   *  keeps the time at which that was asked. */
  async ask(ids: readonly string[], now: Instant): Promise<void> {
    if (ids.length > 0)
      await rowsWith(db, 'displays', { id: ids }).set((eb) => ({
        rev: eb('rev', '+', 1),
        asked_at: eb
          .case()
          .when(
            eb.and([
              eb('asked_at', 'is not', null),
              eb(eb.fn.coalesce('taken_rev', eb.lit(0)), '<', eb.ref('rev')),
            ]),
          )
          .then(eb.ref('asked_at'))
          .else(iso(now))
          .end(),
      }));
    await raiseRevision(db, DISPLAYS_REVISION);
  },

  /** The paired displays of these people, with the revision that was asked for and the one that they show. */
  async displaysOf(ownerIds: readonly string[], now: Instant): Promise<TeamDisplay[]> {
    if (ownerIds.length === 0) return [];
    const rows = await paired(db, now).selectAll('displays').where('owner_id', 'in', ownerIds).execute();
    return rows.map(toTeamDisplay);
  },

  /** The displays of these people that need attention, with their standing. A display that went dark because its
   *  account was disabled or its credential expired is among them until it is taken down. */
  async troubled(ownerIds: readonly string[], now: Date) {
    if (ownerIds.length === 0) return [];
    const rows = await notTakenDown(db)
      .select(['displays.name', ...JUDGED])
      .where('owner_id', 'in', ownerIds)
      .execute();
    return rows.flatMap((row) => {
      const is = standingOfDisplay(row, now);
      return is === 'unseen' || is === 'not_taken' || is === 'not_all' ? [{ ...row, is }] : [];
    });
  },

  /** Counts over all teams: displays that are paired, are seen, have not been seen lately, and do not show the
   *  revision that was asked for. */
  async condition(now: Date): Promise<{ paired: number; seen: number; unseen: number; notTaken: number }> {
    const all = await paired(db, now).select(JUDGED).execute();
    const stand = all.map((display) => standingOfDisplay(display, now));
    return {
      paired: all.length,
      seen: all.filter((display) => wasSeen(display, now)).length,
      unseen: stand.filter((is) => is === 'unseen').length,
      notTaken: stand.filter((is) => is === 'not_taken' || is === 'not_all').length,
    };
  },

  /** Messages that still stand, newest first. */
  async messages(teamId: string, now: Instant): Promise<Omit<SentMessage, 'displays'>[]> {
    const rows = await notEnded(db)
      .where('display_messages.team_id', '=', teamId)
      .where('until', '>', iso(now))
      .execute();
    return rows.map(toMessage);
  },

  async send(
    teamId: string,
    userId: string,
    { to, ...message }: Omit<DisplayMessage, 'id' | 'at' | 'from'> & { to: Target },
    now: Instant,
    id: string,
  ): Promise<void> {
    await addRows(db, 'display_messages', {
      ...message,
      id,
      team_id: teamId,
      target: JSON.stringify(to),
      by_user: userId,
      at: iso(now),
      ended_at: null,
    });
  },

  /**
   * Ends a message. Returns the displays that it was meant for; undefined when the team has no such message in force.
   */
  async withdraw(teamId: string, id: string, now: Instant): Promise<Target | undefined> {
    const row = await db
      .updateTable('display_messages')
      .set({ ended_at: iso(now) })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('until', '>', iso(now))
      .returning('target')
      .executeTakeFirst();
    return row && (JSON.parse(row.target) as Target);
  },
});

/** The columns by which `standingOfDisplay` and `wasSeen` judge a display. */
const JUDGED = [
  'displays.last_seen_at',
  'displays.asked_at',
  'displays.rev',
  'displays.taken_rev',
  'displays.problem',
] as const;

/** By name. */
const notTakenDown = (db: Db) =>
  db
    .selectFrom('displays')
    .innerJoin('sessions', 'sessions.display_id', 'displays.id')
    .where('displays.blank_asked_at', 'is', null)
    .where('sessions.revoked_at', 'is', null)
    .orderBy((eb) => eb.fn<string>('lower', ['displays.name']))
    .orderBy('displays.id');

const paired = (db: Db, now: Instant) =>
  notTakenDown(db)
    .innerJoin('users', 'users.id', 'displays.owner_id')
    .where('users.is_active', '=', 1)
    .where('sessions.expires_at', '>', iso(now));

export const meantBy = (displays: readonly TeamDisplay[], to: Target): string[] =>
  displays.filter(({ id, tags }) => isMeant({ id, tags: JSON.stringify(tags) }, to)).map(({ id }) => id);

/** Messages that nobody has withdrawn, newest first. */
const notEnded = (db: Db) =>
  db
    .selectFrom('display_messages')
    .leftJoin('users', 'users.id', 'display_messages.by_user')
    .selectAll('display_messages')
    .select('users.display_name')
    .where('ended_at', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('display_messages.id', 'desc');

function toMessage({
  id,
  text,
  look,
  cover,
  until,
  at,
  display_name,
  target,
}: RowOf<'display_messages'> & { display_name: string | null }): Omit<SentMessage, 'displays'> {
  return { id, text, look, cover, until, at, from: display_name, to: JSON.parse(target) as Target };
}

const STANDING_MAX = 21;

/** The messages that a display shows, in turn: messages over the whole screen first, then bands, newest first. A
 *  message is left out when one before it lasts as long. `standing`: newest first. */
function inTurn(standing: readonly Omit<SentMessage, 'displays'>[]): DisplayMessage[] {
  const covers = (is: boolean) => standing.filter(({ cover }) => (cover === 'screen') === is);
  let end = '';
  const shown = [...covers(true), ...covers(false)].filter(({ until }) => {
    if (until <= end) return false;
    end = until;
    return true;
  });
  return shown.slice(0, STANDING_MAX).map(withoutTarget);
}

const withoutTarget = ({ to: _, ...message }: Omit<SentMessage, 'displays'>): DisplayMessage => message;

const thoseWith = async (db: Db, layoutId: string): Promise<string[]> =>
  (await db.selectFrom('displays').select('id').where('layout_id', '=', layoutId).execute()).map(
    ({ id }) => id,
  );

const toLayout = ({ id, name, pages, pin_criticals, rev }: RowOf<'layouts'>): Layout => ({
  id,
  name,
  pages: JSON.parse(pages) as LayoutPage[],
  pin_criticals: pin_criticals === 1,
  rev,
});

function toTeamDisplay(row: RowOf<'displays'>): TeamDisplay {
  const { screen_width: width, screen_height: height } = row;
  return {
    id: row.id,
    name: row.name,
    state: 'paired',
    last_seen_at: row.last_seen_at,
    layout_id: row.layout_id ?? null,
    tags: JSON.parse(row.tags) as string[],
    rev: row.rev,
    asked_at: row.asked_at ?? null,
    taken_rev: row.taken_rev ?? null,
    taken_at: row.taken_at ?? null,
    page: row.page ?? null,
    page_since: row.page_since ?? null,
    problem: row.problem ?? null,
    build: row.build,
    screen: width !== null && height !== null ? { width, height } : null,
  };
}

/** The revision that each display is asked for, kept in memory until one changes, because every answer to a display
 *  names it. */
export function displayRevs(db: Db): (id: string, revisions?: Revisions) => Promise<number> {
  const known = untilRaised(db, DISPLAYS_REVISION, async () => {
    const rows = await db.selectFrom('displays').select(['id', 'rev']).where('rev', '>', 0).execute();
    return new Map(rows.map((row) => [row.id, row.rev]));
  });
  return async (id, revisions) => (await known(revisions)).get(id) ?? 0;
}

/** A display's layout and messages. Both are kept in memory until one of them changes, because hundreds of displays
 *  can ask within a minute. */
export function displaySelves(
  db: Db,
  mode: TeamMode,
): (id: string, now: Instant) => Promise<DisplaySelf | undefined> {
  const given = untilRaised(db, DISPLAYS_REVISION, async () => {
    const rows = await db.selectFrom('layouts').selectAll().execute();
    const messages = await notEnded(db).execute();
    return {
      layouts: new Map(rows.map((row) => [`${row.team_id} ${row.id}`, toLayout(row)])),
      messages: Map.groupBy(messages, ({ team_id }) => team_id),
    };
  });
  return async (id, now) => {
    // The display is read first: if it changes before the second read, the answer has the older revision, and the
    // display asks again.
    const row = await db
      .selectFrom('displays')
      .leftJoin('team_members', 'team_members.user_id', 'displays.owner_id')
      .select(['id', 'name', 'tags', 'layout_id', 'rev', 'team_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const teamId = mode === 'one' ? EVERYONE : (row.team_id ?? '');
    const known = await given();
    const layout =
      READY_LAYOUTS.find((ready) => ready.id === row.layout_id) ??
      known.layouts.get(`${teamId} ${row.layout_id}`);
    const standing = (known.messages.get(teamId) ?? [])
      .filter(({ until }) => until > iso(now))
      .map(toMessage)
      .filter(({ to }) => isMeant(row, to));
    const [message = null, ...next_messages] = inTurn(standing);
    return {
      rev: row.rev,
      layout: layout ?? ALL_FEEDS,
      message,
      next_messages,
      tags: JSON.parse(row.tags) as string[],
      name: row.name,
    };
  };
}
