/** Teams and their members. Each user is in exactly one team. */
import { randomUUID } from 'node:crypto';
import {
  type OwnTeam,
  SHIFT_STARTS,
  type Team,
  type TeamMode,
  type TeamRole,
} from '#contract/accounts/teams.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { insertNew, rowsWith, putRow } from '../db/statements.ts';

/** The team of a server with only one team. The first migration of teams makes it. */
export const EVERYONE = 'everyone';
/** The name of a team of one person. It does not hold the person's name, because that must go when they are deleted. */
const OWN_NAME = 'Team of one';

/** `mode` is a setting of the server. With `one`, memberships in other teams no longer count, but are kept. */
export const teams = (db: Db, mode: TeamMode) => ({
  /** The team of a user, or of the owner of an API key or a display. A user without a team joins the team of
   *  everybody; with the mode `many` they get a team of their own. */
  async of(userId: string, now: Instant): Promise<OwnTeam> {
    const found = await teams(db, mode).ofMember(userId);
    if (found) return found;
    await teams(db, mode).place(userId, now);
    return (await teams(db, mode).ofMember(userId))!;
  },

  /** Everybody in it. */
  async memberIds(teamId: string): Promise<string[]> {
    const query = db.selectFrom('team_members').select('user_id');
    const rows = await (mode === 'one' ? query : query.where('team_id', '=', teamId)).execute();
    return rows.map(({ user_id }) => user_id);
  },

  async ofMember(userId: string): Promise<OwnTeam | undefined> {
    const row = await db
      .selectFrom('team_members')
      .innerJoin('teams', (join) =>
        mode === 'one'
          ? join.on('teams.id', '=', EVERYONE)
          : join.onRef('teams.id', '=', 'team_members.team_id'),
      )
      .select(['teams.id', 'teams.name', 'team_members.role', 'teams.shift_starts'])
      .where('team_members.user_id', '=', userId)
      .executeTakeFirst();
    return row && { ...row, shift_starts: JSON.parse(row.shift_starts) as string[] };
  },

  /** Puts a user without a team into the team that the mode gives them. */
  async place(userId: string, now: Instant): Promise<void> {
    const at = iso(now);
    const team_id = mode === 'one' ? EVERYONE : userId;
    if (mode === 'many') await insertTeam(db, { id: userId, name: OWN_NAME, at });
    await insertNew(
      db,
      'team_members',
      { user_id: userId, team_id, role: mode === 'one' ? 'member' : 'lead', joined_at: at },
      ['user_id'],
    );
  },

  /** All teams by name, each with its members by address. With the mode `one`, everybody is in the only team. */
  async all(now: Instant): Promise<Team[]> {
    const homeless = await db
      .selectFrom('users')
      .select('id')
      .where('id', 'not in', (eb) => eb.selectFrom('team_members').select('user_id'))
      .execute();
    for (const { id } of homeless) await teams(db, mode).place(id, now);

    const rows = await db
      .selectFrom('teams')
      .select(['id', 'name', 'created_at'])
      .$if(mode === 'one', (query) => query.where('id', '=', EVERYONE))
      .orderBy((eb) => eb.fn<string>('lower', ['name']))
      .orderBy('id')
      .execute();
    const people = await db
      .selectFrom('team_members')
      .innerJoin('users', 'users.id', 'team_members.user_id')
      .select([
        'team_members.user_id',
        'team_members.team_id',
        'team_members.role',
        'users.display_name',
        'users.email',
      ])
      .orderBy('users.email')
      .execute();
    return rows.map((team) => ({
      ...team,
      members: people
        .filter(({ team_id }) => mode === 'one' || team_id === team.id)
        .map(({ team_id: _, ...person }) => person),
    }));
  },

  async byId(id: string): Promise<Pick<Team, 'id' | 'name' | 'created_at'> | undefined> {
    if (mode === 'one' && id !== EVERYONE) return undefined;
    return rowsWith(db, 'teams', { id }).first('id', 'name', 'created_at');
  },

  async create(name: string, now: Instant, id: string = randomUUID()): Promise<Team> {
    const at = iso(now);
    await insertTeam(db, { id, name, at });
    return { id, name, created_at: at, members: [] };
  },

  async rename(id: string, name: string): Promise<void> {
    await rowsWith(db, 'teams', { id }).set({ name });
  },

  /** The hosts that may frame the team's public pages. */
  async frameHosts(id: string): Promise<string[]> {
    const row = await db.selectFrom('teams').select('frame_hosts').where('id', '=', id).executeTakeFirst();
    return row ? (JSON.parse(row.frame_hosts) as string[]) : [];
  },

  async setFrameHosts(id: string, hosts: readonly string[]): Promise<void> {
    await rowsWith(db, 'teams', { id }).set({ frame_hosts: JSON.stringify([...new Set(hosts)]) });
  },

  async setShifts(id: string, shift_starts: readonly string[]): Promise<void> {
    await rowsWith(db, 'teams', { id }).set({ shift_starts: JSON.stringify(shift_starts) });
  },

  /** Moves the user to this team, or changes their role in it. With the mode `one` nobody moves. Returns whether the
   *  user moved. */
  async put(userId: string, teamId: string, role: TeamRole, now: Instant): Promise<boolean> {
    const before = await teams(db, mode).ofMember(userId);
    const place = { team_id: teamId, role, joined_at: iso(now) };
    const changed = mode === 'one' ? ['role'] : undefined;
    await putRow(db, 'team_members', { user_id: userId, ...place }, ['user_id'], changed);
    return mode === 'many' && before?.id !== teamId;
  },

  /** Removes a team with everything that belongs to it. Returns its members, each of whom has a team of their own
   *  from then on. */
  async remove(id: string): Promise<string[]> {
    const members = await teams(db, mode).memberIds(id);
    await db.deleteFrom('teams').where('id', '=', id).execute();
    return members;
  },
});

/** Removes a team of one person together with its only member. Call it after that user was deleted. */
export async function removeOwnTeam(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('teams')
    .where('id', '=', userId)
    .where('id', 'not in', (eb) => eb.selectFrom('team_members').select('team_id'))
    .execute();
}

const insertTeam = (db: Db, { id, name, at }: { id: string; name: string; at: string }) =>
  insertNew(db, 'teams', { id, name, shift_starts: JSON.stringify(SHIFT_STARTS), created_at: at }, ['id']);
