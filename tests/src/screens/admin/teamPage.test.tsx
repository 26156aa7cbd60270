import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TeamPage } from '../../../../src/screens/admin/TeamPage.tsx';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { useSession } from '../../../../src/session/session.ts';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let sent: { call: string; body: unknown }[];
let role: 'lead' | 'member';
let mode: 'one' | 'many';

const member = (user_id: string, own: 'lead' | 'member' = 'member') => ({
  user_id,
  display_name: user_id,
  email: `${user_id}@coaches.example`,
  role: own,
});
const team = (id: string, name: string, ...members: object[]) => ({
  id,
  name,
  created_at: '2026-11-01T00:00:00.000Z',
  members,
});

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
  user = userEvent.setup();
  sent = [];
  role = 'member';
  mode = 'many';
  const note = (call: string, status = 204) =>
    server.answers.set(call, ({ method, body }) => {
      sent.push({ call: `${method} ${call}`, body });
      return status === 204 ? new Response(null, { status }) : json(status, {});
    });
  const own = { id: 't1', name: 'Airport coaches', shift_starts: ['06:00', '14:00'] };
  server.answers.set('team/', ({ method, body }) => {
    if (method === 'GET') return json(200, { ...own, role });
    sent.push({ call: 'PATCH team/', body });
    return String(body['shift_starts']).includes('25:00')
      ? json(422, { detail: 'shift_starts.0 must be a time such as 06:00' })
      : json(200, { ...own, role });
  });
  server.answers.set('displays/', () =>
    json(200, { displays: [{ id: 'd1', name: 'Control room', state: 'paired' }], total: 1 }),
  );
  server.answers.set('admin/teams/', ({ method, body }) => {
    if (method !== 'GET') {
      sent.push({ call: `${method} admin/teams/`, body });
      return json(201, team('t3', String(body['name'])));
    }
    const teams = [team('t1', 'Airport coaches', member('rosa'), member('sam', 'lead')), team('t2', 'Night')];
    return json(200, { mode, teams: mode === 'many' ? teams : teams.slice(0, 1), total: teams.length });
  });
  note('admin/teams/t2/members/rosa');
  note('admin/teams/t1/members/rosa');
  note('admin/teams/t2');
});
afterEach(() => vi.unstubAllGlobals());

const open = (is_admin: boolean) => {
  useSession.setState({
    status: 'signedIn',
    user: { ...ANNA, role: is_admin ? 'admin' : 'user', is_admin, is_active: true } as never,
    offline: false,
  });
  render(<TeamPage />);
};

it('shows a member their team and its shifts, and nothing to change', async () => {
  open(false);
  expect(await screen.findByRole('heading', { name: 'Airport coaches' })).toBeDefined();
  expect(screen.getByText('Shifts begin at 06:00, 14:00.')).toBeDefined();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(server.callsTo('displays/')).toHaveLength(0);
  expect(server.callsTo('admin/teams/')).toHaveLength(0);
});

it('lets a lead set the shifts and the displays’ routes, with the server’s words for a wrong time', async () => {
  role = 'lead';
  open(false);
  const field = await screen.findByLabelText('Shifts begin at');
  await user.clear(field);
  await user.type(field, '25:00{Enter}');
  expect(await screen.findByText('shift_starts.0 must be a time such as 06:00')).toBeDefined();
  await user.clear(field);
  await user.type(field, '05:30 13:30, 21:30{Enter}');
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(sent.at(-1)!.body).toEqual({ shift_starts: ['05:30', '13:30', '21:30'] });

  await user.click(await screen.findByRole('button', { name: 'Choose routes' }));
  expect(await screen.findByRole('dialog', { name: /Control room/ })).toBeDefined();
});

it('lets an administrator move people, change roles, and make and delete teams', async () => {
  open(true);
  await user.selectOptions(await screen.findByLabelText('Team of rosa'), 'Night');
  await user.selectOptions(screen.getByLabelText('Role of rosa'), 'Lead');
  await user.type(screen.getByLabelText('New team'), 'Schools');
  await user.click(screen.getByRole('button', { name: 'Create team' }));
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  const night = screen.getByRole('group', { name: 'Team Night' });
  const remove = within(night).getByRole<HTMLButtonElement>('button', { name: 'Delete this team' });
  await vi.waitFor(() => expect(remove.disabled).toBe(false));
  await user.click(remove);
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

  expect(sent).toEqual([
    { call: 'PUT admin/teams/t2/members/rosa', body: { role: 'member' } },
    { call: 'PUT admin/teams/t1/members/rosa', body: { role: 'lead' } },
    { call: 'POST admin/teams/', body: { name: 'Schools', id: expect.any(String) } },
    { call: 'DELETE admin/teams/t2', body: expect.anything() },
  ]);
});

it('leaves the question open, with the reason, if a team cannot be deleted', async () => {
  server.answers.set('admin/teams/t2', () => json(409, { detail: 'Its displays are still paired.' }));
  open(true);
  const night = await screen.findByRole('group', { name: 'Team Night' });
  await user.type(within(night).getByLabelText('Name'), 's');
  await user.click(within(night).getByRole('button', { name: 'Rename' }));
  await screen.findByText('Its displays are still paired.');
  await user.click(within(night).getByRole('button', { name: 'Delete this team' }));
  // The reason of another action is none of this one.
  expect(screen.queryByText('Its displays are still paired.')).toBeNull();
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  expect(
    await within(screen.getByRole('alertdialog')).findByText('Its displays are still paired.'),
  ).toBeDefined();
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByText('Its displays are still paired.')).toBeNull();
});

it('says if there is only one team, and offers no other', async () => {
  mode = 'one';
  open(true);
  expect(await screen.findByText(/Everybody on this server is one team/)).toBeDefined();
  expect(screen.queryByLabelText('Team of rosa')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete this team' })).toBeNull();
});
