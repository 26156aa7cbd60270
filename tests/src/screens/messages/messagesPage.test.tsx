import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { MessagesPage } from '../../../../src/screens/messages/MessagesPage.tsx';
import { setUnseen, useUnseen } from '../../../../src/shift/changes/changeStore.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

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
let channels: object[];

const channel = (id: string, more: object) => ({
  id,
  kind: 'webhook',
  name: id,
  is_team: true,
  address: null,
  host: 'example.org',
  state: 'working',
  since: '2026-11-21T06:01:00.000Z',
  why: null,
  last_ok: '2026-11-21T06:03:00.000Z',
  what: { alerts: true, changes: false, digest: true, brief: false },
  watch_ids: null,
  has_secret: true,
  both_sign_until: null,
  waiting: 0,
  next_at: null,
  failed: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  ...more,
});

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
  seen = [];
  chosen = [];
  setUnseen(0);
  server.answers.set('messages/', () => {
    const known = seen.flat();
    const messages = [message('b', known.includes('b')), message('a', true)];
    return json(200, { messages, unseen: 7 - known.length, next_cursor: 'more' });
  });
  server.answers.set('messages/seen', ({ body }) => {
    seen.push(body.ids);
    return new Response(null, { status: 204 });
  });
  server.answers.set('channels/settings', ({ body }) => {
    chosen.push(body);
    return new Response(null, { status: 204 });
  });
  channels = [];
  server.answers.set('channels/', ({ method, body }) => {
    if (method !== 'GET') {
      chosen.push(body);
      return json(201, { channel: channel('new', {}), secret: 'whsec_1' });
    }
    return json(200, {
      channels,
      total: channels.length,
      settings: {
        quiet: { from: '22:00', to: '06:00', critical: false },
        digest: 'off',
        hide_details: false,
      },
      paused_until: null,
      has_email: true,
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('lists the unseen first, and counts those that it has not loaded too', async () => {
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

it('counts nothing as seen while nobody looks', async () => {
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
  const from = within(await screen.findByRole('region', { name: 'My quiet hours' })).getByLabelText('From');
  await user.clear(from);
  await user.type(from, '23:30');
  await waitFor(() => expect(chosen).toHaveLength(1));
  expect(chosen[0]).toMatchObject({ quiet: { from: '23:30', to: '06:00', critical: false } });
});

it('stores one choice after the other, so that none overtakes a later one, and undoes a refused one', async () => {
  const user = userEvent.setup();
  render(<MessagesPage />);
  const panel = within(await screen.findByRole('region', { name: 'My digest' }));
  const held: ((answer?: Response) => void)[] = [];
  server.answers.set('channels/settings', async (call) => {
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
  server.lines.set('channels/', 'cut');
  render(<MessagesPage />);
  expect(await screen.findByText('Unable to load the channels')).toBeTruthy();
  server.lines.clear();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'My quiet hours' })).toBeTruthy();
});

it('adds a channel once, however slow the answer is, and shows its secret this once', async () => {
  const user = userEvent.setup();
  render(<MessagesPage />);
  await user.click(await screen.findByRole('button', { name: 'Add a channel' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Webhook' }));
  await user.type(dialog.getByLabelText('Name'), 'Depot');
  await user.type(dialog.getByLabelText('Address'), 'https://example.org/x');
  const saves = server.hold('channels/', 'POST');
  const add = dialog.getByRole('button', { name: 'Add and send a test' });
  await user.click(add);
  await user.click(add);
  expect(saves).toHaveLength(1);
  // It cannot be closed before its secret was shown.
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  await act(async () => saves[0]!());
  expect(await dialog.findByText('whsec_1')).toBeTruthy();
  expect(chosen).toEqual([
    {
      id: expect.any(String),
      kind: 'webhook',
      name: 'Depot',
      address: 'https://example.org/x',
      is_team: true,
      what: { alerts: false, changes: true, digest: false, brief: false },
      watch_ids: null,
    },
  ]);
});

it('keeps what was typed beside the words of a refusal', async () => {
  const user = userEvent.setup();
  server.answers.set('channels/', ({ method }) =>
    method === 'GET'
      ? json(200, {
          channels,
          settings: { quiet: null, digest: 'off', hide_details: false },
          has_email: false,
        })
      : json(422, { detail: 'This address leads into our own network.' }),
  );
  render(<MessagesPage />);
  await user.click(await screen.findByRole('button', { name: 'Add a channel' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByRole('radio', { name: 'E-mail' })).toBeNull();
  await user.type(dialog.getByLabelText('Address'), 'https://10.0.0.1/');
  await user.click(dialog.getByRole('button', { name: 'Add and send a test' }));
  expect(await dialog.findByText('This address leads into our own network.')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('Address').value).toBe('https://10.0.0.1/');
});

it('lists what fails first, with its reason and the way to repair it', async () => {
  channels = [
    channel('#ops', { kind: 'slack' }),
    channel('Yard', { kind: 'email', state: 'unconfirmed' }),
    channel('Travel desk', { kind: 'teams', state: 'failing', why: 'Teams refuses it', failed: 1 }),
    channel('Mine', { is_team: false, kind: 'email' }),
  ];
  const asked: string[] = [];
  server.answers.set('channels/Yard/test', ({ path }) => {
    asked.push(path);
    return new Response(null, { status: 202 });
  });
  render(<MessagesPage />);
  const list = within(await screen.findByRole('list', { name: 'The team’s channels' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Travel desk TeamsFailing since .*: Teams refuses it1 not deliveredRepair$/),
    expect.stringMatching(/^Yard Not confirmed, asked .*Gets nothing until confirmedAsk again$/),
    expect.stringMatching(/^#ops SlackSent .*Alerts, digestChange$/),
  ]);
  await userEvent.click(list.getByRole('button', { name: 'Ask Yard again' }));
  expect(await screen.findByText('It was asked again.')).toBeTruthy();
  expect(asked).toHaveLength(1);
  expect(screen.getAllByText(/^Travel desk cannot be told since/)).toHaveLength(1);
});

it('reports again messages that were seen while the server could not be reached', async () => {
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

it('shows what arrives while it stays open, unless nobody looks or older pages are open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const list = [message('b', true)];
  server.answers.set('messages/', ({ query }) =>
    json(200, {
      messages: query.get('cursor') === null ? list : [message('a', true)],
      unseen: 0,
      next_cursor: 'more',
    }),
  );
  render(<MessagesPage />);
  await screen.findByText('Message b');
  const loads = () => server.callsTo('messages/').length;
  const looking = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  list.unshift(message('c', true));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(loads()).toBe(1);
  looking.mockReturnValue('visible');
  await vi.advanceTimersByTimeAsync(60_000);
  await screen.findByText('Message c');

  fireEvent.click(screen.getByRole('button', { name: 'Older messages' }));
  await screen.findByText('Message a');
  const before = loads();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(loads()).toBe(before);
  screen.getByText('Message a');
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

it('counts as seen only what stood for 3 s and the server has heard of', async () => {
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
