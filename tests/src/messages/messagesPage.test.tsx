import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../src/api/tokens.ts';
import { MessagesPage } from '../../../src/messages/MessagesPage.tsx';
import { setUnseen, useUnseen } from '../../../src/shift/unseenMessages.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';

const message = (id: string, is_seen: boolean) => ({
  id,
  created_at: '2026-11-21T08:12:00.000Z',
  kind: 'notice',
  severity: null,
  title: `Message ${id}`,
  text: '',
  watch_id: null,
  event_ids: [],
  state: 'sent',
  reason: 'Sent 08:12 in the app',
  is_seen,
  is_not_ours: false,
});

let server: ReturnType<typeof startFakeServer>;
let seen: unknown[];
let chosen: Record<string, unknown>[];

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
  seen = [];
  chosen = [];
  setUnseen(0);
  server.answers.set('messages/', () =>
    json(200, { messages: [message('b', false), message('a', true)], unseen: 7, next_cursor: 'more' }),
  );
  server.answers.set('messages/seen', ({ body }) => {
    seen.push(body.ids);
    return new Response(null, { status: 204 });
  });
  server.answers.set('receivers/', ({ method, body }) => {
    if (method !== 'GET') {
      chosen.push(body);
      return json(201, { receiver: null });
    }
    return json(200, {
      receivers: [],
      total: 0,
      settings: {
        quiet: { from: '22:00', to: '06:00', critical: false },
        digest: 'off',
        hide_details: false,
      },
      paused_until: null,
      has_email: false,
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('lists the unseen first, and counts on those that it has not loaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(<MessagesPage />);
  const rows = within(await screen.findByRole('region', { name: '7 unseen' })).getAllByRole('heading', {
    level: 3,
  });
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Unseen Message b', ' Message a']);
  await vi.advanceTimersByTimeAsync(3000);
  await waitFor(() => expect(seen).toEqual([['b']]));
  await waitFor(() => expect(useUnseen.getState().count).toBe(6));
});

it('takes nothing for seen while nobody looks', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  render(<MessagesPage />);
  await screen.findAllByRole('heading', { level: 3 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual([]);
});

it('stores quiet hours once they are whole times, not while they are typed', async () => {
  const user = userEvent.setup();
  render(<MessagesPage />);
  const from = within(await screen.findByRole('region', { name: 'Quiet hours' })).getByLabelText('From');
  await user.clear(from);
  await user.type(from, '23:30');
  await waitFor(() => expect(chosen).toHaveLength(1));
  expect(chosen[0]).toMatchObject({ quiet: { from: '23:30', to: '06:00', critical: false } });
});

it('stores one choice after the other, so that none overtakes a later one, and takes back what is refused', async () => {
  const user = userEvent.setup();
  render(<MessagesPage />);
  const panel = within(await screen.findByRole('region', { name: 'Digest' }));
  const before = server.answers.get('receivers/')!;
  const held: ((answer?: Response) => void)[] = [];
  server.answers.set('receivers/', async (call) => {
    if (call.method === 'GET') return before(call);
    const refusal = await new Promise<Response | undefined>((resolve) => held.push(resolve));
    chosen.push(call.body);
    return refusal ?? new Response(null, { status: 204 });
  });
  const digest = (name: string) => panel.getByRole<HTMLInputElement>('radio', { name });
  const hidden = screen.getByRole<HTMLInputElement>('checkbox', { name: /Hide details/ });
  await user.click(digest('06:00'));
  await user.click(hidden);
  await user.click(digest('06:00 and 14:00'));
  expect(held).toHaveLength(1);
  await act(async () => held[0]!());
  await waitFor(() => expect(held).toHaveLength(2));
  await act(async () => held[1]!(json(422, { detail: 'Not these.' })));
  expect(await screen.findByText('Not these.')).toBeTruthy();
  expect(chosen).toMatchObject([
    { digest: '06:00', hide_details: false },
    { digest: '06:00 and 14:00', hide_details: true },
  ]);
  await waitFor(() => expect([hidden.checked, digest('06:00 and 14:00').checked]).toEqual([false, false]));
});

it('loads the channels again on request', async () => {
  server.lines.set('receivers/', 'cut');
  render(<MessagesPage />);
  expect(await screen.findByText('Unable to load the channels')).toBeTruthy();
  server.lines.clear();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'Quiet hours' })).toBeTruthy();
});

it('adds an address of the team once, however slow the answer is', async () => {
  const user = userEvent.setup();
  render(<MessagesPage />);
  const team = within(await screen.findByRole('region', { name: 'Of the team' }));
  await user.click(team.getByRole('button', { name: 'Add an address' }));
  await user.type(team.getByLabelText('Name'), 'Depot');
  await user.type(team.getByLabelText(/Address/), 'https://example.org/x');
  const saves = server.hold('receivers/', 'POST');
  await user.click(team.getByRole('button', { name: 'Add' }));
  await user.click(team.getByRole('button', { name: 'Add' }));
  expect(saves).toHaveLength(1);
  await act(async () => saves[0]!());
  await team.findByRole('button', { name: 'Add an address' });
  expect(chosen).toHaveLength(1);
});

it('reports again what was seen while the server could not be reached', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.lines.set('messages/seen', 'cut');
  render(<MessagesPage />);
  await screen.findAllByRole('heading', { level: 3 });
  await vi.advanceTimersByTimeAsync(4000);
  await waitFor(() => expect(server.callsTo('messages/seen')).toHaveLength(1));
  server.lines.clear();
  await vi.advanceTimersByTimeAsync(31_000);
  await waitFor(() => expect(seen).toEqual([['b']]));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(seen).toHaveLength(1);
  expect(useUnseen.getState().count).toBe(6);
});

it('adds an older page once, however often it was asked for', async () => {
  let arrive = () => {};
  const older = new Promise<void>((resolve) => (arrive = resolve));
  server.answers.set('messages/', async ({ query }) => {
    if (query.get('cursor') === null)
      return json(200, {
        messages: [message('b', true), message('a', true)],
        unseen: 0,
        next_cursor: 'more',
      });
    await older;
    return json(200, { messages: [message('a', true), message('c', true)], unseen: 0, next_cursor: null });
  });
  render(<MessagesPage />);
  const button = await screen.findByRole('button', { name: 'Older messages' });
  await userEvent.click(button);
  await userEvent.click(button);
  arrive();
  await screen.findByText('Message c');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Older messages' })).toBeNull());
  const rows = within(screen.getByRole('region', { name: 'All seen' })).getAllByRole('heading', { level: 3 });
  expect(rows.map(({ textContent }) => textContent?.trim())).toEqual(['Message b', 'Message a', 'Message c']);
});

it('does not count as seen what was left before 3 s, nor what the server did not hear, nor below none', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const view = render(<MessagesPage />);
  await screen.findAllByRole('heading', { level: 3 });
  view.unmount();
  await vi.advanceTimersByTimeAsync(4000);
  expect(seen).toEqual([]);

  let tries = 0;
  server.answers.set('messages/seen', () => {
    tries++;
    return json(503, { detail: 'Busy.' });
  });
  const again = render(<MessagesPage />);
  await screen.findAllByRole('heading', { level: 3 });
  await vi.advanceTimersByTimeAsync(4000);
  await waitFor(() => expect(tries).toBe(1));
  expect(useUnseen.getState().count).toBe(7);
  again.unmount();

  server.answers.set('messages/seen', ({ body }) => {
    seen.push(body.ids);
    return new Response(null, { status: 204 });
  });
  render(<MessagesPage />);
  await screen.findAllByRole('heading', { level: 3 });
  setUnseen(0); // all were seen on another device
  await vi.advanceTimersByTimeAsync(4000);
  await waitFor(() => expect(seen).toEqual([['b']]));
  expect(useUnseen.getState().count).toBe(0);
});
