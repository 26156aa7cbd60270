import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsersPage } from '../../../../src/screens/admin/UsersPage.tsx';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { useSession } from '../../../../src/session/session.ts';
import { BEN, json, startFakeServer } from '../../api/fakeServer.ts';

type Row = Record<string, unknown> & { id: string };

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let users: Row[];

const person = (id: string, over: Partial<Row> = {}): Row => ({
  id,
  email: `${id}@example.co.uk`,
  display_name: id,
  role: 'user',
  is_active: true,
  is_verified: true,
  last_login: null,
  ...over,
});

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/admin/users');
  server = startFakeServer();
  user = userEvent.setup();
  saveTokens(server.signedIn(BEN));
  useSession.setState({
    status: 'signedIn',
    offline: false,
    user: { id: BEN.id, email: BEN.email, displayName: 'Ben', role: 'admin' },
  });
  users = [
    person(BEN.id, { email: BEN.email, role: 'admin', last_login: '2026-11-21T11:52:00Z' }),
    person('tom', { is_verified: false }),
    person('siobhan', { is_active: false }),
  ];
  server.answers.set('admin/users', ({ method, body }) => {
    if (method === 'GET') return json(200, { users, total: users.length });
    if (body['password'] === 'password') return json(422, { detail: 'Password is too common' });
    users.push(person('new', { ...body, id: 'new' }));
    return json(201, users.at(-1));
  });
  for (const { id } of users) {
    server.answers.set(`admin/users/${id}`, ({ method, body }) => {
      if (method === 'DELETE') {
        users = users.filter((one) => one.id !== id);
        return new Response(null, { status: 204 });
      }
      users = users.map((one) => (one.id === id ? { ...one, ...body } : one));
      return json(
        200,
        users.find((one) => one.id === id),
      );
    });
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
  act(() => useSession.setState(useSession.getInitialState(), true));
});

const open = async () => {
  render(<UsersPage />);
  await screen.findByText('3 users');
};
const row = (email: string) => within(screen.getByText(email).closest('li')!);
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const stored = (id: string) => users.find((one) => one.id === id);

it('lists all users with role, state and last login', async () => {
  await open();
  expect(row(BEN.email).getByText('Administrator')).toBeTruthy();
  expect(row(BEN.email).getByText('(you)')).toBeTruthy();
  expect(row(BEN.email).getByText('Last login 21 Nov 2026, 11:52')).toBeTruthy();
  expect(row('tom@example.co.uk').getByText('Standard User')).toBeTruthy();
  expect(row('tom@example.co.uk').getByText('Active')).toBeTruthy();
  expect(row('tom@example.co.uk').getByText('Not verified')).toBeTruthy();
  expect(row('tom@example.co.uk').getByText('Last login Never')).toBeTruthy();
  expect(row('siobhan@example.co.uk').getByText('Disabled')).toBeTruthy();
  expect(row('siobhan@example.co.uk').getByText('Verified')).toBeTruthy();
});

it('promotes and demotes, disables and enables', async () => {
  await open();
  await press('Promote to Admin, tom@example.co.uk');
  await waitFor(() => expect(stored('tom')).toMatchObject({ role: 'admin' }));
  await press('Demote to User, tom@example.co.uk');
  await waitFor(() => expect(stored('tom')).toMatchObject({ role: 'user' }));
  await press('Disable, tom@example.co.uk');
  await waitFor(() => expect(stored('tom')).toMatchObject({ is_active: false }));
  await press('Enable, siobhan@example.co.uk');
  await waitFor(() => expect(stored('siobhan')).toMatchObject({ is_active: true }));
});

it.each([
  ['Promote to Admin, tom@example.co.uk', 'Unable to update user role'],
  ['Disable, tom@example.co.uk', 'Unable to update user status'],
])('says beside the user when it failed to %s', async (name, words) => {
  await open();
  server.lines.set('admin/users/tom', 'cut');
  await press(name);
  expect((await row('tom@example.co.uk').findByRole('alert')).textContent).toBe(words);
});

it('says why the server refused', async () => {
  await open();
  server.answers.set('admin/users/2', () => json(409, { detail: 'This is the last active administrator.' }));
  await press(`Demote to User, ${BEN.email}`);
  expect((await row(BEN.email).findByRole('alert')).textContent).toBe(
    'This is the last active administrator.',
  );
});

describe('deleting', () => {
  it('asks first', async () => {
    await open();
    await press('Delete, tom@example.co.uk');
    const dialog = within(screen.getByRole('alertdialog'));
    expect(dialog.getByText('Delete tom@example.co.uk? This cannot be undone.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(users).toHaveLength(3);

    await press('Delete, tom@example.co.uk');
    await press('Delete');
    await screen.findByText('2 users');
    expect(screen.queryByText('tom@example.co.uk')).toBeNull();
  });

  it('says when it failed, and leaves the question open', async () => {
    await open();
    server.lines.set('admin/users/tom', 'cut');
    await press('Delete, tom@example.co.uk');
    await press('Delete');
    expect((await screen.findByRole('alert')).textContent).toBe('Unable to delete user');
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    await press('Cancel');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('one’s own account signs out and goes to the landing page', async () => {
    await open();
    await press(`Delete, ${BEN.email}`);
    await press('Delete');
    await waitFor(() => expect(location.pathname).toBe('/'));
    expect(localStorage.getItem('access_token')).toBeNull();
  });
});

describe('the form', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const fill = async (password = 'four-lorries') => {
    await user.type(field('Email'), 'new@example.co.uk');
    await user.type(field('Display name'), 'New');
    await user.type(field('Password'), password);
  };

  it('creates a user, who appears in the list at once', async () => {
    await open();
    expect([field('Email').type, field('Email').required, field('Display name').required]).toEqual([
      'email',
      true,
      true,
    ]);
    expect(field('Password').placeholder).toBe('Minimum 8 characters');
    expect([field('Active').checked, field('Verified').checked]).toEqual([true, false]);
    await fill();
    await user.selectOptions(field('Role'), 'Administrator');
    await user.click(field('Verified'));
    await press('Create user');
    await screen.findByText('4 users');
    expect(stored('new')).toMatchObject({
      email: 'new@example.co.uk',
      display_name: 'New',
      role: 'admin',
      is_active: true,
      is_verified: true,
      must_change_password: true,
    });
    expect(await screen.findByText('new@example.co.uk can sign in now.')).toBeTruthy();
    expect(field('Email').value).toBe('');
  });

  it('keeps the next user, typed while the one before is being created', async () => {
    await open();
    await fill();
    const posts = server.hold('admin/users', 'POST');
    await press('Create user');
    await waitFor(() => expect(posts).toHaveLength(1));
    await user.clear(field('Email'));
    await user.type(field('Email'), 'next@example.co.uk');
    posts[0]!();
    expect(await screen.findByText('new@example.co.uk can sign in now.')).toBeTruthy();
    expect(field('Email').value).toBe('next@example.co.uk');
  });

  it('does not say that a disabled user can sign in', async () => {
    await open();
    await fill();
    await user.click(field('Active'));
    await press('Create user');
    expect(await screen.findByText('new@example.co.uk can sign in once enabled.')).toBeTruthy();
  });

  it('keeps what was typed when the server refuses, and says why', async () => {
    await open();
    await fill('password');
    await press('Create user');
    expect((await screen.findByRole('alert')).textContent).toBe('Password is too common');
    expect(field('Email').value).toBe('new@example.co.uk');

    server.lines.set('admin/users', 'cut');
    await press('Create user');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Unable to create user'));
  });
});

it('shows on request what administrators did', async () => {
  server.answers.set('admin/audit', () =>
    json(200, {
      entries: [
        {
          id: 'a-1',
          at: '2026-11-21T11:52:00.000Z',
          actor_id: null,
          actor: 'The operator',
          action: 'key.tier_changed',
          subject_id: 'tom',
          subject: 'tom@example.co.uk',
          detail: 'cw_live_7Kq2 from free to pro',
        },
        { id: 'a-2', action: 'pigeon.fed' },
      ],
      next_cursor: null,
    }),
  );
  await open();
  expect(server.callsTo('admin/audit')).toHaveLength(0);
  await press('Show');
  const table = await screen.findByRole('table', { name: 'Audit trail' });
  expect(
    [...table.querySelectorAll('tbody tr')].map((tr) => [...tr.children].map((td) => td.textContent)),
  ).toEqual([
    [
      '21 Nov 2026, 11:52',
      'The operator',
      'Key tier changed',
      'tom@example.co.uk',
      'cw_live_7Kq2 from free to pro',
    ],
    ['', '', 'pigeon.fed', '', ''],
  ]);
});

it('says when the list cannot be loaded, and tries again', async () => {
  server.lines.set('admin/users', 'cut');
  render(<UsersPage />);
  expect((await screen.findByRole('alert')).textContent).toBe('Unable to load users');
  server.lines.clear();
  await press('Try again');
  await screen.findByText('3 users');
});

describe('the actions of an administrator for one account', () => {
  it('makes a password that is shown once, resets a second factor, and sets the tier of a key', async () => {
    users = users.map((one) => (one.id === 'tom' ? { ...one, second_factor: true } : one));
    const expires_at = '2026-11-28T09:00:00.000Z';
    server.answers.set('admin/users/tom/password', () => json(200, { password: 'k7wq2-m9xrd', expires_at }));
    server.answers.set('admin/users/tom/second-factor', () => new Response(null, { status: 204 }));
    let tier = 'free';
    const keys = () => json(200, { keys: [{ id: 'k1', name: 'Till', rate_limit_tier: tier }], total: 1 });
    server.answers.set('admin/users/tom/keys', keys);
    server.answers.set('admin/users/tom/keys/k1', ({ body }) => {
      tier = String(body['rate_limit_tier']);
      return keys();
    });
    render(<UsersPage />);
    await user.click(await screen.findByRole('button', { name: 'Manage, tom@example.co.uk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Manage tom@example.co.uk' });

    await user.click(within(dialog).getByRole('button', { name: 'Make a new password' }));
    expect(await within(dialog).findByText('k7wq2-m9xrd')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Reset the second factor' }));
    expect(await within(dialog).findByText('Off.')).toBeTruthy();
    await user.selectOptions(await within(dialog).findByLabelText(/^Till/), 'pro');
    await waitFor(() => expect(tier).toBe('pro'));
  });

  it('cannot be closed while a password is made, which is shown only there', async () => {
    const expires_at = '2026-11-28T09:00:00.000Z';
    server.answers.set('admin/users/tom/password', () => json(200, { password: 'k7wq2-m9xrd', expires_at }));
    server.answers.set('admin/users/tom/keys', () => json(200, { keys: [], total: 0 }));
    const saves = server.hold('admin/users/tom/password', 'POST');
    render(<UsersPage />);
    await user.click(await screen.findByRole('button', { name: 'Manage, tom@example.co.uk' }));
    await user.click(screen.getByRole('button', { name: 'Make a new password' }));
    await waitFor(() => expect(saves).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await act(async () => saves[0]!());
    expect(await screen.findByText('k7wq2-m9xrd')).toBeTruthy();
  });

  it('shows the chosen tier of a key until the list has it', async () => {
    const keys = () => json(200, { keys: [{ id: 'k1', name: 'Till', rate_limit_tier: 'free' }], total: 1 });
    server.answers.set('admin/users/tom/keys', keys);
    server.answers.set('admin/users/tom/keys/k1', keys);
    const saves = server.hold('admin/users/tom/keys/k1', 'PATCH');
    render(<UsersPage />);
    await user.click(await screen.findByRole('button', { name: 'Manage, tom@example.co.uk' }));
    const tier = await screen.findByLabelText<HTMLSelectElement>(/^Till/);
    await user.selectOptions(tier, 'pro');
    await waitFor(() => expect(saves).toHaveLength(1));
    expect(tier.value).toBe('pro');
    // The server kept the old tier after all.
    await act(async () => saves[0]!());
    await waitFor(() => expect(tier.value).toBe('free'));
  });
});
