/** The caller's own team and, for administrators, all teams. */
import { apiPath } from '#contract/addresses.ts';
import { TeamDisplay } from '#contract/displays/displays.ts';
import { OwnTeam as WireOwn, Team, TeamList, type TeamRole } from '#contract/accounts/teams.ts';
import { z } from 'zod/mini';
import { call, read, remove } from '../http.ts';
import { sendOnce } from '../makeOnce.ts';
import { items, list, tolerant } from '../tolerant.ts';

const Own = tolerant(WireOwn, 'id', { shift_starts: z.catch(z.array(z.string()), []) });
/** The caller's team, and their role in it. */
export type OwnTeam = z.output<typeof Own>;

export const ownTeam = async (signal?: AbortSignal): Promise<OwnTeam> =>
  (await read(Own, 'team/', { signal })).data;

export const setShiftStarts = (shift_starts: readonly string[]) =>
  call('team/', { method: 'patch', json: { shift_starts } });

const Displays = list(tolerant(TeamDisplay, 'id'), 'displays');

/** The displays that the team's members approved; for its leads. */
export const teamDisplays = async (signal?: AbortSignal) =>
  (await read(Displays, 'displays/', { signal })).data.items;

const Member = tolerant(Team.shape.members.def.element, 'user_id');
const OneTeam = tolerant(Team, 'id', { name: z.catch(z.string(), ''), members: z.catch(items(Member), []) });
/** A team as administrators see it. */
export type ListedTeam = z.output<typeof OneTeam>;
const Teams = tolerant(TeamList, null, { teams: items(OneTeam) });

export const listTeams = async (signal?: AbortSignal) => (await read(Teams, 'admin/teams/', { signal })).data;

export const createTeam = (name: string) => sendOnce('admin/teams/', { name });

export const renameTeam = (id: string, name: string) =>
  call(apiPath`admin/teams/${id}`, { method: 'patch', json: { name } });

export const deleteTeam = (id: string) => remove(apiPath`admin/teams/${id}`);

/** Moves a person to this team, or changes their role in it. */
export const putMember = (teamId: string, userId: string, role: TeamRole) =>
  call(apiPath`admin/teams/${teamId}/members/${userId}`, { method: 'put', json: { role } });
