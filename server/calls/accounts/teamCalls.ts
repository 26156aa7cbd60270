/** /api/v1/team: the caller's own team. /api/v1/admin/teams: all teams and their members. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  Membership,
  NamedTeam,
  NewTeam,
  OwnTeam,
  Team,
  TeamChange,
  TeamList,
} from '#contract/accounts/teams.ts';
import { ACTS_FULL, auditTrail } from '../../accounts/auditTrail.ts';
import { layouts } from '../../accounts/displays/layouts.ts';
import type { Db } from '../../db/open.ts';
import { EVERYONE, teams as teamsIn } from '../../accounts/teams.ts';
import { users } from '../../accounts/users.ts';
import { channels } from '../../delivery/outbox/channelStore.ts';
import { channelSeal } from '../../delivery/outbox/channelSeal.ts';
import { example } from '../reference/examples.ts';
import { AGAIN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { conflict, orNotFound } from '../../refusals.ts';
import { idOf } from '../../http/calls/parameters.ts';

const UNKNOWN = 'There is no such team. The list may be out of date.';
const UNKNOWN_USER = 'There is no such user. The list may be out of date.';
const ONE_TEAM = 'Everybody on this server is one team. The operator can allow more with TEAMS=many.';
const EVERYONE_STAYS = 'This team cannot be deleted: with TEAMS=one it is everybody’s.';

export const teamCalls: Calls =
  ({ db, config, now }) =>
  async (app) => {
    const teams = teamsIn(db, config.teams);

    app.get('/', {
      who: 'user',
      costs: 'list',
      operationId: 'readTeam',
      summary: 'The caller’s team',
      description: 'A team has its own routes and areas, and its own marks and notes on incidents.',
      response: { 200: OwnTeam },
      handler: async ({ user }) => teams.of(user.id, now()),
    });

    app.patch('/', {
      who: 'lead',
      refusals: { 429: ACTS_FULL },
      operationId: 'changeTeam',
      summary: 'Set when the team’s shifts begin',
      description: 'On London’s clock, in order.',
      body: TeamChange,
      response: { 200: OwnTeam },
      handler: async ({ user, body: { shift_starts } }) => {
        const { id, name } = await teams.of(user.id, now());
        await db.transaction().execute(async (trx) => {
          await teamsIn(trx, config.teams).setShifts(id, shift_starts);
          const detail = shift_starts.join(', ');
          await auditTrail(trx).note(user, 'team.shifts_changed', { id, name }, now(), detail);
        });
        return teams.of(user.id, now());
      },
    });
  };

export const teamAdminCalls: Calls =
  ({ db, config, now, secrets }) =>
  async (app) => {
    const seal = channelSeal(secrets);
    const Id = z.object({
      id: idOf('team', example.team.id),
    });
    const Member = Id.extend({
      user_id: idOf('user', example.user.id),
    });
    const teams = (trx: Db) => teamsIn(trx, config.teams);
    const known = async (trx: Db, id: string) => {
      return orNotFound(await teams(trx).byId(id), UNKNOWN);
    };
    const onlyWithMany = () => {
      if (config.teams === 'one') throw conflict(ONE_TEAM);
    };

    app.get('/', {
      who: 'admin',
      costs: 'list',
      operationId: 'listTeams',
      summary: 'All teams, and who is in them',
      description: 'By name. With `mode: one` there is one team, and everybody is in it.',
      response: { 200: TeamList },
      handler: async () => {
        const all = await teams(db).all(now());
        return { mode: config.teams, teams: all, total: all.length };
      },
    });

    app.post('/', {
      who: 'admin',
      meanings: { 201: 'The team was created.' },
      refusals: { 409: ONE_TEAM },
      operationId: 'createTeam',
      summary: 'Create a team',
      description: `It has no members yet. ${AGAIN}`,
      body: NewTeam,
      response: { 201: Team },
      handler: async ({ body: { id: ownId, ...content }, user: admin }) => {
        onlyWithMany();
        const asked = { id: ownId, kind: 'teams' as const, owner: [admin.id], content };
        const { id } = await makeOnce(db, asked, now(), async (trx, newId) => {
          const team = await teams(trx).create(content.name, now(), newId);
          await auditTrail(trx).note(admin, 'team.created', team, now());
        });
        const team = orGone(await teams(db).byId(id));
        return { ...team, members: [] };
      },
    });

    app.patch('/:id', {
      who: 'admin',
      meanings: { 204: 'The team has this name.' },
      refusals: { 404: UNKNOWN },
      operationId: 'renameTeam',
      summary: 'Rename a team',
      description: 'The audit trail keeps both names.',
      params: Id,
      body: NamedTeam,
      handler: async ({ params: { id }, body: { name }, user: admin }) => {
        await db.transaction().execute(async (trx) => {
          const team = await known(trx, id);
          await teams(trx).rename(id, name);
          await auditTrail(trx).note(admin, 'team.renamed', team, now(), `to ${name}`);
        });
      },
    });

    app.delete('/:id', {
      who: 'admin',
      meanings: { 204: 'The team was deleted, with everything that it had.' },
      refusals: { 404: UNKNOWN, 409: EVERYONE_STAYS },
      operationId: 'deleteTeam',
      summary: 'Delete a team, with its routes and areas',
      description: 'Each of its members is a team of their own from then on, and keeps their own channels.',
      params: Id,
      handler: async ({ params: { id }, user: admin }) => {
        await db.transaction().execute(async (trx) => {
          const team = await known(trx, id);
          if (id === EVERYONE) throw conflict(EVERYONE_STAYS);
          for (const userId of await teams(trx).memberIds(id)) {
            await teams(trx).place(userId, now());
            await channels(trx).moveOwn(userId, userId, seal);
          }
          await layouts(trx).leaveTeam(await teams(trx).remove(id), now());
          await auditTrail(trx).note(admin, 'team.deleted', team, now());
        });
      },
    });

    app.put('/:id/members/:user_id', {
      who: 'admin',
      meanings: { 204: 'The user is in this team, with this role.' },
      refusals: { 404: UNKNOWN },
      operationId: 'putTeamMember',
      summary: 'Move a user to this team, or change the user’s role in it',
      description:
        'What the user made stays with the team that they leave; their API keys, displays and own channels go with them. A `lead` may also change what holds for the whole team.',
      params: Member,
      body: Membership,
      handler: async ({ params: { id, user_id }, body: { role }, user: admin }) => {
        await db.transaction().execute(async (trx) => {
          const { name } = await known(trx, id);
          const user = orNotFound(await users(trx).byId(user_id), UNKNOWN_USER);
          const moved = await teams(trx).put(user_id, id, role, now());
          if (moved) {
            await layouts(trx).leaveTeam([user_id], now());
            await channels(trx).moveOwn(user_id, id, seal);
          }
          await auditTrail(trx).note(admin, 'team.member_put', user, now(), `${role} of ${name}`);
        });
      },
    });
  };
