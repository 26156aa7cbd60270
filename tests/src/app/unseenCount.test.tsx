import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../src/api/tokens.ts';
import { NavBar } from '../../../src/app/NavBar.tsx';
import UnseenCount from '../../../src/app/UnseenCount.tsx';
import { useSession } from '../../../src/session/session.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/routes');
  server = startFakeServer();
  saveTokens(server.signedIn());
});
afterEach(() => vi.unstubAllGlobals());

const isHere = (id: string) =>
  act(() => useSession.setState({ status: 'signedIn', user: { id } as never, offline: false }));

it('belongs to the person who is signed in, even when another comes without a reload', async () => {
  let unseen = 3;
  server.answers.set('messages/', () => json(200, { messages: [], unseen, next_cursor: null }));
  isHere('rosa');
  render(<UnseenCount />);
  expect((await screen.findByText('3')).textContent).toBe('3 unseen');
  unseen = 1;
  isHere('sam');
  expect(screen.queryByText('3')).toBeNull();
  expect((await screen.findByText('1')).textContent).toBe('1 unseen');
});

it.each(['/events', '/event-setup', '/events/e1/venue', '/notifications'])(
  'is not asked for on the sample page %s, and is on the next one',
  async (sample) => {
    history.replaceState(null, '', sample);
    server.answers.set('messages/', () => json(200, { messages: [], unseen: 2, next_cursor: null }));
    isHere('rosa');
    render(<NavBar />);
    // The number loads apart from the bar, and would have asked by now.
    await act(async () => {
      await import('../../../src/app/UnseenCount.tsx');
    });
    expect(server.calls).toEqual([]);
    act(() => {
      history.pushState(null, '', '/account');
    });
    expect((await screen.findByText('2')).textContent).toBe('2 unseen');
    expect(server.callsTo('messages/')).toHaveLength(1);
  },
);
