import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoginPage } from '../../../../src/screens/login/LoginPage.tsx';
import { json, startFakeServer } from '../../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/login');
  server = startFakeServer();
  user = userEvent.setup();
  render(<LoginPage />);
});
afterEach(() => vi.unstubAllGlobals());

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = async (word = 'right') => {
  await user.type(email(), 'anna@example.co.uk');
  await user.type(password(), word);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
};

it('says that access is by invitation, and offers no registration', () => {
  expect(screen.getByText(/Access is by invitation only\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ask the team for one' }).getAttribute('href')).toMatch(/^mailto:/);
  expect(screen.queryByText(/register|sign up/i)).toBeNull();
});

it('asks for an email address and a password, and lets a password manager help', () => {
  expect([email().type, email().required, email().autocomplete]).toEqual(['email', true, 'username']);
  expect([password().type, password().required, password().autocomplete]).toEqual([
    'password',
    true,
    'current-password',
  ]);
});

it('goes to the dashboard', async () => {
  await submit();
  await waitFor(() => expect(location.pathname).toBe('/dashboard'));
  expect(localStorage.getItem('access_token')).toBe('access-1');
});

it('leads nowhere once its page was left', async () => {
  const answers = server.hold('auth/login', 'POST');
  await submit();
  await waitFor(() => expect(answers).toHaveLength(1));
  cleanup();
  history.replaceState(null, '', '/');
  answers[0]!();
  await waitFor(() => expect(localStorage.getItem('access_token')).not.toBeNull());
  await Promise.resolve();
  expect(location.pathname).toBe('/');
});

it('says "Signing in..." meanwhile, and ignores a second click', async () => {
  let answer = () => {};
  const login = server.answers.get('auth/login')!;
  server.answers.set('auth/login', async (call) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return login(call);
  });
  await submit();
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Signing in...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(server.callsTo('auth/login')).toHaveLength(1));
  button.click();
  await Promise.resolve();
  expect(server.callsTo('auth/login')).toHaveLength(1);
  answer();
  await waitFor(() => expect(location.pathname).toBe('/dashboard'));
});

describe('a failure', () => {
  it('is shown in the server’s words, and keeps what was typed', async () => {
    await submit('wrong');
    expect((await screen.findByRole('alert')).textContent).toBe('Email or password is wrong.');
    expect([email().value, password().value]).toEqual(['anna@example.co.uk', 'wrong']);
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(location.pathname).toBe('/login');
    expect(server.callsTo('auth/refresh')).toHaveLength(0);
  });

  it.each([
    ['the server gave no words', () => server.answers.set('auth/login', () => json(401, {}))],
    ['it cannot be reached', () => (server.line = 'cut')],
    ['a portal answers for it', () => (server.line = 'portal page')],
  ])('is shown in our words when %s', async (_, fail) => {
    fail();
    await submit();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Login failed. Please check your credentials.',
    );
  });

  it('disappears with the next try', async () => {
    await submit('wrong');
    await screen.findByRole('alert');
    await user.clear(password());
    await user.type(password(), 'right');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a second factor', () => {
  it('is asked for after the password, and what was typed stays', async () => {
    const login = server.answers.get('auth/login')!;
    server.answers.set('auth/login', (call) => {
      if (call.body['code'] === '123456') return login(call);
      const reason = call.body['code'] === undefined ? 'second_factor_required' : 'second_factor_wrong';
      return json(401, { detail: 'This code is not right.', reason });
    });
    await submit();
    const code = await screen.findByLabelText<HTMLInputElement>('Code');
    expect(code.autocomplete).toBe('one-time-code');
    expect(document.activeElement).toBe(code);
    expect(screen.queryByRole('alert')).toBeNull();

    // Another person's code is another one: the field goes until the server asks for it.
    const email = screen.getByLabelText<HTMLInputElement>('Email');
    await user.type(email, '.uk{Backspace}{Backspace}{Backspace}');
    expect(screen.queryByLabelText('Code')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await user.type(await screen.findByLabelText('Code'), '000000');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This code is not right.');
    expect(password().value).toBe('right');
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
  });
});
