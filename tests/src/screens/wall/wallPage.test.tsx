import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSession, type Session } from '../../../../src/session/session.ts';
import { adopt, useDisplay } from '../../../../src/screens/wall/pairing/displayCredential.ts';
import { loadPlaylist } from '../../../../src/screens/wall/playlist/playlistCode.ts';
import { WallPage } from '../../../../src/screens/wall/WallPage.tsx';
import { startDisplayServer } from './pairing/displayServer.ts';

const ANNA = { id: '1', email: 'anna@example.co.uk', displayName: 'Anna', role: 'user' as const };
const USER: Session = { status: 'signedIn', user: ANNA, offline: false };
const SIGNED_OUT: Session = { status: 'signedOut', user: null, offline: false };

let server: ReturnType<typeof startDisplayServer>;

const forget = () => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
};
const pairing = () => screen.queryByRole('heading', { name: 'Pair this display' });
const board = () => screen.queryByRole('heading', { name: /Live Disruptions Board/ });

beforeAll(async () => void (await loadPlaylist()));
beforeEach(() => {
  forget();
  server = startDisplayServer();
  useSession.setState(SIGNED_OUT);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a wall', () => {
  it('warns that a browser that keeps nothing will ask for a code again', async () => {
    const full = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: full, removeItem: () => {} });
    render(<WallPage />);
    expect(await screen.findByText('BCDF-GHJK')).toBeTruthy();
    expect(screen.getByText(/^This browser stores nothing: /)).toBeTruthy();
  });

  it('shows a code, where to enter it, and both as a QR code, until it is paired', async () => {
    render(<WallPage />);
    expect(await screen.findByText('BCDF-GHJK')).toBeTruthy();
    expect(pairing()).toBeTruthy();
    expect(screen.getByText('clearway.example/pair')).toBeTruthy();
    expect(screen.getByText('Waiting…')).toBeTruthy();
    expect(screen.queryByText(/stores nothing/)).toBeNull();
    const qr = await screen.findByRole('img', { name: /clearway.example\/pair\?user_code=BCDF-GHJK/ });
    expect(qr.querySelector('path')?.getAttribute('d')).toMatch(/^M4 4h7v1H4z/); // the finder pattern's edge
    expect(document.querySelector('input')).toBeNull();
  });

  it('shows nothing to enter while it has no code', async () => {
    server.line = 'cut';
    render(<WallPage />);
    expect(await screen.findByText('The server cannot be reached.')).toBeTruthy();
    expect(screen.getByText('The code will appear here.')).toBeTruthy();
    expect(screen.queryByText(/enter this code|–/)).toBeNull();
  });

  it('shows the board to a signed-in user and to a paired display', () => {
    useSession.setState(USER);
    const { unmount } = render(<WallPage />);
    expect(board()).toBeTruthy();
    unmount();

    useSession.setState(SIGNED_OUT);
    adopt({ access_token: 'a', refresh_token: 'b' });
    render(<WallPage />);
    expect([Boolean(board()), pairing()]).toEqual([true, null]);
  });

  it('keeps the board of a refused display, says since when, and shows a code beside it', async () => {
    adopt({ access_token: 'a', refresh_token: 'b' });
    server.refusal = { error: 'invalid_grant', detail: 'Gone.' };
    render(<WallPage />);
    expect(await screen.findByText(/Signed out \d\d:\d\d/)).toBeTruthy();
    expect(board()).toBeTruthy();
    expect(await screen.findByText('BCDF-GHJK')).toBeTruthy();
    expect(screen.getByText(/Enter this code at clearway.example\/pair/)).toBeTruthy();

    act(() => adopt({ access_token: 'c', refresh_token: 'd' }));
    expect(screen.queryByText(/Signed out/)).toBeNull();
  });

  it('shows no code to people who pass by, until somebody presses a key', async () => {
    const pages = [{ type: 'board', dwell_s: 30, large: true }];
    localStorage.setItem('clearway_taken', JSON.stringify({ self: { rev: 1, layout: { pages } } }));
    useDisplay.setState({ display: { state: 'signedOut', pairing: 'p', at: new Date() } });
    render(<WallPage />);
    expect(board()).toBeTruthy();
    expect(screen.queryByText(/Signed out/)).toBeNull(); // in its sign is the code

    act(() => void dispatchEvent(new KeyboardEvent('keydown', { key: 'c' })));
    expect(screen.getByText(/Signed out \d\d:\d\d/)).toBeTruthy();
  });
});
