import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditTrail } from '#contract/accounts/admin.ts';
import type { OwnTeam, Team } from '#contract/accounts/teams.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const TEAMS = '/api/v1/admin/teams';

let test: TestApp;
let rosa: RowOf<'users'>;
let admin: string;
let member: string;

const call = (method: 'PATCH' | 'PUT' | 'DELETE', url: string, payload: object | undefined, token = admin) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const list = async () =>
  (await test.get(TEAMS, admin)).json<{ mode: string; teams: Team[]; total: number }>();
const own = async (token: string) => (await test.get('/api/v1/team', token)).json<OwnTeam>();

async function start(teams: 'one' | 'many') {
  test = await openTestApp({ config: { teams } });
  rosa = await test.addUser();
  member = (await test.signIn(rosa)).access_token;
  const boss = await test.addUser({ email: 'ada@clearway.example', role: 'admin', display_name: 'Ada' });
  admin = (await test.signIn(boss)).access_token;
}
afterEach(() => test.close());

describe('with one team', () => {
  beforeEach(() => start('one'));

  it('everybody is in it, and no second one can be made', async () => {
    expect(await own(member)).toEqual({
      id: 'everyone',
      name: 'Everyone',
      role: 'member',
      shift_starts: ['06:00', '14:00', '22:00'],
    });
    expect(await list()).toMatchObject({ mode: 'one', total: 1, teams: [{ id: 'everyone' }] });
    const refused = await test.post(TEAMS, { name: 'Leeds' }, admin);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { detail: 'Everybody on this server is one team. The operator can allow more with TEAMS=many.' },
    ]);
    expect((await call('DELETE', `${TEAMS}/everyone`, undefined)).statusCode).toBe(409);
  });

  it('an administrator makes a lead, who sets the times of shifts', async () => {
    const shifts = { shift_starts: ['05:30', '17:30'] };
    expect((await call('PATCH', '/api/v1/team', shifts, member)).json()).toMatchObject({
      detail: 'This is for the leads of your team.',
    });
    expect((await call('PUT', `${TEAMS}/everyone/members/${rosa.id}`, { role: 'lead' })).statusCode).toBe(
      204,
    );
    expect((await call('PATCH', '/api/v1/team', shifts, member)).json()).toMatchObject({
      role: 'lead',
      ...shifts,
    });
    expect(await own(admin)).toMatchObject(shifts);
  });

  it('refuses shifts that are none in words', async () => {
    const cases = [
      [[], 'Give at least one time.'],
      [['6:00'], 'shift_starts.0 must be a time such as 06:00'],
      [['14:00', '06:00'], 'Give the times in order, each once.'],
      [['06:00', '06:00'], 'Give the times in order, each once.'],
    ] as const;
    for (const [shift_starts, detail] of cases) {
      const reply = await call('PATCH', '/api/v1/team', { shift_starts });
      expect([reply.statusCode, reply.json<{ detail: string }>().detail], detail).toEqual([422, detail]);
    }
  });
});

describe('with many teams', () => {
  beforeEach(() => start('many'));
  const create = async (name: string) => (await test.post(TEAMS, { name }, admin)).json<Team>();

  it('a user is of a team of their own until an administrator moves them', async () => {
    expect(await own(member)).toMatchObject({ id: rosa.id, name: 'Team of one', role: 'lead' });

    const { id } = await create(' Leeds ');
    expect((await call('PUT', `${TEAMS}/${id}/members/${rosa.id}`, {})).statusCode).toBe(204);
    expect(await own(member)).toMatchObject({ id, name: 'Leeds', role: 'member' });
    const { teams } = await list();
    expect(teams.find((team) => team.id === id)).toMatchObject({
      members: [{ user_id: rosa.id, email: rosa.email, role: 'member' }],
    });
  });

  it('the actions of administrators are in the audit trail', async () => {
    const { id } = await create('Leeds');
    await call('PATCH', `${TEAMS}/${id}`, { name: 'Leeds coaches' });
    await call('PUT', `${TEAMS}/${id}/members/${rosa.id}`, { role: 'lead' });
    test.pass(1000);
    await call('PATCH', '/api/v1/team', { shift_starts: ['05:00'] }, member);
    await call('DELETE', `${TEAMS}/${id}`, undefined);

    const { entries } = (await test.get('/api/v1/admin/audit', admin)).json<AuditTrail>();
    expect(
      entries.map(({ action, subject, detail }) => [action, subject, detail].join(' | ')).sort(),
    ).toEqual([
      'team.created | Leeds | ',
      'team.deleted | Leeds coaches | ',
      `team.member_put | ${rosa.email} | lead of Leeds coaches`,
      'team.renamed | Leeds | to Leeds coaches',
      'team.shifts_changed | Leeds coaches | 05:00',
    ]);
  });

  it('a deleted person takes their team of one with them', async () => {
    await own(member);
    await call('DELETE', `/api/v1/admin/users/${rosa.id}`, undefined);
    expect((await list()).teams.map(({ id }) => id)).not.toContain(rosa.id);
  });

  it('refuses unknown teams and people, and names without letters', async () => {
    const { id } = await create('Leeds');
    expect((await call('PATCH', `${TEAMS}/x`, { name: 'York' })).statusCode).toBe(404);
    expect((await call('DELETE', `${TEAMS}/x`, undefined)).statusCode).toBe(404);
    expect((await call('PUT', `${TEAMS}/x/members/${rosa.id}`, {})).statusCode).toBe(404);
    expect((await call('PUT', `${TEAMS}/${id}/members/x`, {})).statusCode).toBe(404);
    const reply = await test.post(TEAMS, { name: ' ' }, admin);
    expect([reply.statusCode, reply.json()]).toMatchObject([422, { detail: 'Give the team a name.' }]);
  });
});
