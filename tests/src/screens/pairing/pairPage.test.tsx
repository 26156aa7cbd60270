import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PairPage } from '../../../../src/screens/pairing/PairPage.tsx';
import { addressAfterSignIn, signInAddress } from '../../../../src/session/wayBack.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const ASKING = {
  user_code: 'BCDF-GHJK',
  user_agent: '<b>A television</b>',
  address: '192.0.2.7',
  asked_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-21T09:10:00.000Z',
};
const LOOK = 'displays/pairing';
const APPROVE = 'displays/pairing/approve';
const DENY = 'displays/pairing/deny';

let server: ReturnType<typeof startFakeServer>;

function open(path = '/pair') {
  history.replaceState(null, '', path);
  render(<PairPage />);
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const typeCode = (text: string) => userEvent.type(screen.getByLabelText('Code on the screen'), text);

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  const { access_token, refresh_token } = server.signedIn();
  localStorage.setItem('access_token', access_token);
  localStorage.setItem('refresh_token', refresh_token);
  server.answers.set(LOOK, () => json(200, ASKING));
  server.answers.set(APPROVE, () => json(201, { id: '1', name: 'Depot' }));
  server.answers.set(DENY, () => new Response(null, { status: 204 }));
});
afterEach(() => vi.unstubAllGlobals());

describe('pairing a display', () => {
  it('asks about the display of the scanned code, as text, and approves it under a name', async () => {
    open('/pair?user_code=bcdf-ghjk');
    expect(await screen.findByText('<b>A television</b>')).toBeTruthy();
    expect(screen.getByText('192.0.2.7')).toBeTruthy();
    expect(screen.getByText('21 Nov 2026, 09:00')).toBeTruthy();
    expect(server.callsTo(LOOK)[0]!.query.get('user_code')).toBe('BCDF-GHJK');

    await userEvent.type(screen.getByLabelText('Name'), 'Depot');
    await press('Approve');
    const done = await screen.findByText(/will show the board/);
    expect(done.innerHTML).toBe('“<bdi>Depot</bdi>” will show the board in a few seconds.');
    expect(server.callsTo(APPROVE)[0]!.body).toEqual({
      id: expect.any(String), // sent again under the same id where the answer was lost
      user_code: 'BCDF-GHJK',
      name: 'Depot',
    });
    await press('Pair another display');
    expect(screen.getByLabelText<HTMLInputElement>('Code on the screen').value).toBe('');
  });

  it('denies it without a name', async () => {
    open();
    await typeCode('bcdf ghjk');
    await press('Continue');
    await screen.findByText('192.0.2.7');
    await press('Deny');
    expect(await screen.findByText(/was denied/)).toBeTruthy();
    expect(server.callsTo(DENY)[0]!.body).toEqual({ user_code: 'BCDF-GHJK' });
    expect(server.callsTo(APPROVE)).toEqual([]);
  });

  it.each([
    [404, 'No display shows this code.'],
    [410, 'This code has expired.'],
    [409, 'This code has already been used.'],
    [429, 'Too many wrong codes. Try again in 60 seconds.'],
    [422, 'A code has 8 letters.'],
  ])('says why a code is refused: %i', async (status, detail) => {
    server.answers.set(LOOK, () => json(status, { detail }));
    open('/pair?user_code=BCDF-GHJK');
    expect((await screen.findByRole('alert')).textContent).toBe(detail);
    server.line = 'cut';
    await press('Continue');
    expect((await screen.findByRole('alert')).textContent).toBe('The server cannot be reached. Try again.');
  });

  it.each([
    ['BCDF-GHJ', 'A code has 8 letters, such as BCDF-GHJK. Look at the screen again.'],
    ['bcdf-ghj0', 'No code has 0 in it, only letters of BCDFGHJKLNPQRSTVXZ. Look at the screen again.'],
    ['wcdm ghjw', 'No code has W or M in it, only letters of BCDFGHJKLNPQRSTVXZ. Look at the screen again.'],
    [
      '<b>ghjkl',
      'No code has such a character in it, only letters of BCDFGHJKLNPQRSTVXZ. Look at the screen again.',
    ],
  ])('says what is wrong with %s without asking the server', async (typed, words) => {
    open();
    await typeCode(typed);
    await press('Continue');
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(server.callsTo(LOOK)).toEqual([]);
  });

  it('keeps the name and says what is wrong with it', async () => {
    server.answers.set(APPROVE, () => json(422, { detail: 'Give the display a name.' }));
    open('/pair?user_code=BCDF-GHJK');
    await userEvent.type(await screen.findByLabelText('Name'), '  x');
    await press('Approve');
    expect((await screen.findByRole('alert')).textContent).toBe('Give the display a name.');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('  x');
  });
});

describe('going to the sign-in and back', () => {
  const at = (address: string) => signInAddress(new URL(address, 'https://clearway.example'));

  it.each([
    ['/pair?user_code=bcdf-ghjk', '/pair?user_code=BCDF-GHJK'],
    ['/pair', '/pair'],
    ['/pair?user_code=https://evil.example', '/pair'],
    ['/admin/users?user_code=BCDF-GHJK', '/dashboard'],
    ['/disruptions', '/dashboard'],
  ])('from %s leads to %s', (from, to) => {
    expect(addressAfterSignIn(new URL(at(from), 'https://clearway.example').search)).toBe(to);
  });

  it('ignores a return address that somebody put into a link', () => {
    expect(addressAfterSignIn('?pair=//evil.example')).toBe('/pair');
    expect(addressAfterSignIn('?next=//evil.example')).toBe('/dashboard');
  });
});
