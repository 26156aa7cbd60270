import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountPage } from '../../../../src/screens/account/AccountPage.tsx';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { useSession } from '../../../../src/session/session.ts';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let sessions: { id: string; kind: string; current: boolean; browser: string; name: string | null }[];
let factor: { state: string; since: string | null; recovery_codes_left: number; required: boolean };

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  user = userEvent.setup();
  saveTokens(server.signedIn());
  useSession.setState({
    status: 'signedIn',
    offline: false,
    user: { id: ANNA.id, email: ANNA.email, displayName: 'Anna', role: 'user' },
  });
  const at = '2026-11-21T09:00:00.000Z';
  const seen = {
    last_used_at: at,
    created_at: at,
    ends_at: '2027-02-19T09:00:00.000Z',
    network: '192.0.2.7',
  };
  sessions = [
    { id: 's1', kind: 'browser', current: true, browser: 'Firefox on Windows', name: null, ...seen },
    { id: 's2', kind: 'browser', current: false, browser: 'Chrome on Android', name: null, ...seen },
    { id: 's3', kind: 'display', current: false, browser: 'Chrome on Linux', name: 'Dispatch room', ...seen },
  ];
  factor = { state: 'off', since: null, recovery_codes_left: 0, required: false };
  server.answers.set('auth/me', () => json(200, ANNA));
  server.answers.set('auth/sessions', () => json(200, { sessions, total: sessions.length }));
  server.answers.set('auth/second-factor', ({ method }) =>
    method === 'GET'
      ? json(200, factor)
      : json(200, {
          secret: 'JBSWY3DPEHPK3PXP',
          uri: 'otpauth://totp/Clearway:anna?secret=JBSWY3DPEHPK3PXP',
        }),
  );
  render(<AccountPage />);
});
afterEach(() => vi.unstubAllGlobals());

const type = (label: string, words: string) => user.type(screen.getByLabelText(label), words);
const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));

describe('the password', () => {
  const fill = async (current: string, next: string, again = next) => {
    await type('Current password', current);
    await type('New password', next);
    await type('New password again', again);
    await press('Change password');
  };

  it('is changed, and the typed text goes', async () => {
    server.answers.set('auth/password', () => new Response(null, { status: 204 }));
    await fill('old one', 'two-coaches');

    expect(await screen.findByText(/Your password was changed/)).toBeTruthy();
    expect(server.callsTo('auth/password')[0]!.body).toEqual({
      current_password: 'old one',
      new_password: 'two-coaches',
    });
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
  });

  it('that is refused shows the server’s words, and the typed text stays', async () => {
    server.answers.set('auth/password', () => json(403, { detail: 'This is not your current password.' }));
    await fill('wrong', 'two-coaches');

    expect((await screen.findByRole('alert')).textContent).toBe('This is not your current password.');
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('two-coaches');
  });

  it('typed differently the second time is not sent', async () => {
    await fill('old one', 'two-coaches', 'two-coachse');

    expect((await screen.findByRole('alert')).textContent).toBe('The two new passwords differ.');
    expect(server.callsTo('auth/password')).toHaveLength(0);
  });
});

describe('the places of sign-in', () => {
  it('shows each browser and display, and ends one', async () => {
    server.answers.set('auth/sessions/s3', () => {
      sessions = sessions.filter(({ id }) => id !== 's3');
      return new Response(null, { status: 204 });
    });
    const table = await screen.findByRole('table', { name: 'Where you are signed in' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual([
      'Firefox on WindowsThis browser',
      'Chrome on Android',
      'Dispatch roomDisplay, Chrome on Linux',
    ]);
    expect(within(rows[0]!).queryByRole('button')).toBeNull();

    await press(/^Unpair/);
    expect(await screen.findByText('Dispatch room was signed out.')).toBeTruthy();
    expect(screen.queryByText('Display, Chrome on Linux')).toBeNull();
  });

  it('ends all others', async () => {
    server.answers.set('auth/sessions/end-others', () => {
      sessions = sessions.filter(({ id }) => id !== 's2');
      return json(200, { ended: 1 });
    });
    await screen.findByRole('table', { name: 'Where you are signed in' });
    await press('Sign out everywhere else');

    expect(await screen.findByText('1 other browser signed out.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
  });
});

it('takes no focus from a person who went on elsewhere while a session was ended', async () => {
  server.answers.set('auth/sessions/s2', () => new Response(null, { status: 204 }));
  await screen.findByRole('button', { name: 'Sign out Chrome on Android' });
  const lists = server.hold('auth/sessions', 'GET');
  await press('Sign out Chrome on Android');
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  await type('Current password', 'old one');
  await act(async () => lists[0]!());
  expect(await screen.findByText('Chrome on Android was signed out.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Current password'));
});

it('asks for the code of the second factor when the server does, and sends it', async () => {
  const reason = { detail: 'Enter the code as well.', reason: 'second_factor_required' };
  server.answers.set('auth/password', () => json(403, reason));
  await type('Current password', 'old one');
  await type('New password', 'two-coaches');
  await type('New password again', 'two-coaches');
  expect(screen.queryByLabelText('Code')).toBeNull();
  await press('Change password');
  await type('Code', '492039');
  await press('Change password');
  await vi.waitFor(() => expect(server.callsTo('auth/password')).toHaveLength(2));
  expect(server.callsTo('auth/password')[1]!.body).toMatchObject({ code: '492039' });
});

it('keeps typed text while an earlier password is being changed', async () => {
  server.answers.set('auth/password', () => new Response(null, { status: 204 }));
  const saves = server.hold('auth/password', 'POST');
  await type('Current password', 'old one');
  await type('New password', 'two-coaches');
  await type('New password again', 'two-coaches');
  await press('Change password');
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  await type('Current password', '!');
  await act(async () => saves[0]!());
  expect(await screen.findByText(/Your password was changed/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('old one!');
});

describe('the second factor', () => {
  it('is set up: password, code, and recovery codes that are shown once', async () => {
    server.answers.set('auth/second-factor/confirm', ({ body }) => {
      if (body['code'] !== '123456') return json(403, { detail: 'This code is not right.' });
      factor = { state: 'on', since: '2026-11-21T09:00:00.000Z', recovery_codes_left: 10, required: false };
      return json(200, { recovery_codes: ['bq7dk-2mw9x', 'ccccc-ddddd'] });
    });
    await user.click(await screen.findByRole('button', { name: 'Set up a second factor' }));
    await type('Your password', 'mine');
    await press('Continue');
    expect(await screen.findByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    expect(await screen.findByRole('img', { name: 'QR code for an authenticator app' })).toBeTruthy();

    await type('Code', '000000');
    await press('Turn on');
    expect((await screen.findByRole('alert')).textContent).toBe('This code is not right.');
    await user.clear(screen.getByLabelText('Code'));
    await type('Code', '123456');
    await press('Turn on');
    expect(await screen.findByText(/bq7dk-2mw9x/)).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Your recovery codes');

    await press('I have kept them');
    expect(await screen.findByText(/10 recovery codes left/)).toBeTruthy();
    expect(screen.queryByText(/bq7dk-2mw9x/)).toBeNull();
  });

  it('is not offered again while its new state is on its way, and is read after a lost answer', async () => {
    await user.click(await screen.findByRole('button', { name: 'Set up a second factor' }));
    factor = { state: 'on', since: null, recovery_codes_left: 3, required: false };
    await press('Cancel');
    expect(await screen.findByText(/3 recovery codes left/)).toBeTruthy();

    server.answers.set('auth/second-factor/remove', () => new Response(null, { status: 204 }));
    const reads = server.hold('auth/second-factor', 'GET');
    await press('Turn off');
    await type('Your password', 'mine');
    await type('Code', '123456');
    await press('Turn off');
    await vi.waitFor(() => expect(reads).toHaveLength(1));
    expect(screen.queryByText(/3 recovery codes left/)).toBeNull();
    factor = { ...factor, state: 'off' };
    await act(async () => reads[0]!());
    expect(await screen.findByRole('button', { name: 'Set up a second factor' })).toBeTruthy();
  });
});
