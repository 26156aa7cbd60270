import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../src/api/watches/messages.ts';
import { byHeadline, MessageLog } from '../../../../src/screens/messages/MessageLog.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const message = (changes: Partial<Message>): Message => ({
  id: 'msg_1',
  created_at: '2026-11-21T08:12:00.000Z',
  kind: 'alert',
  severity: 'critical',
  title: 'Critical: M62 closed',
  text: 'Leeds–Heathrow. National Highways, 07:58.',
  watch_id: 'leeds',
  event_ids: ['national-highways:1'],
  state: 'sent',
  reason: 'Sent 08:12 to this device',
  outcomes: [],
  is_seen: true,
  is_not_ours: false,
  ...changes,
});

let server: ReturnType<typeof startFakeServer>;
let marked: unknown[];
let again: string[];
beforeEach(() => {
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  useSession.setState({
    status: 'signedIn',
    user: { id: '2', email: 'ben@example.co.uk', displayName: 'Ben', role: 'user' },
    offline: false,
  });
  marked = [];
  again = [];
  server.answers.set('watches/leeds/feedback', ({ body }) => {
    marked.push(body['subject_id']);
    return json(204, null);
  });
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

const show = (...messages: Message[]) =>
  render(
    <MessageLog
      messages={messages}
      unseen={0}
      possible={0}
      failed={0}
      here="here"
      onAgain={async (ids) => void again.push(...ids)}
      isLoaded
      failure={null}
      onRetry={() => {}}
      onOlder={null}
    />,
  );

it('marks the incidents of a message as not on the route, once, and says so', async () => {
  show(message({}));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Not ours: Critical: M62 closed' }));
  expect((await screen.findByText('Marked: not ours')).getAttribute('role')).toBe('status');
  expect(marked).toEqual(['national-highways:1']);
});

it('takes it back in the same place', async () => {
  show(message({ is_not_ours: true }));
  await userEvent.click(screen.getByRole('button', { name: 'Undo, it is ours: Critical: M62 closed' }));
  expect(await screen.findByRole('button', { name: /^Not ours/ })).toBeTruthy();
  expect(server.callsTo('watches/leeds/feedback').map(({ body }) => body['verdict'])).toEqual(['ours']);
});

it('marks all of a group', async () => {
  show(message({ event_ids: ['a:1', 'a:2'] }));
  await userEvent.click(screen.getByRole('button', { name: /^None of the 2 is ours/ }));
  await screen.findByText('Marked: not ours');
  expect(marked).toEqual(['a:1', 'a:2']);
});

it('says why it could not, and leaves the button', async () => {
  server.answers.set('watches/leeds/feedback', () => json(404, { detail: 'This route is not here.' }));
  show(message({}));
  await userEvent.click(screen.getByRole('button', { name: /Not ours/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('This route is not here.');
  expect(screen.getByRole('button', { name: /Not ours/ })).toBeTruthy();
});

it('does not ask about messages that are marked already, nor about messages without an incident', () => {
  show(
    message({ is_not_ours: true }),
    message({ id: 'msg_2', kind: 'blind', watch_id: null, event_ids: [], title: 'No information' }),
    message({ id: 'msg_3', kind: 'cleared', title: 'Cleared: M62 closed' }),
  );
  expect(screen.queryByRole('button', { name: /not ours/i })).toBeNull();
  const [first] = screen.getAllByRole('listitem');
  expect(within(first!).getByText('Marked: not ours')).toBeTruthy();
});

it('leads to the match itself', () => {
  show(message({}), message({ id: 'msg_2', event_ids: ['national-highways:a/b#c'] }));
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/routes/leeds#national-highways%3A1',
    '/routes/leeds#national-highways%3Aa%2Fb%23c',
  ]);
});

it('counts possible incidents beside held back messages, and not beside sent ones', async () => {
  render(
    <MessageLog
      messages={[message({})]}
      unseen={0}
      possible={2}
      failed={0}
      here={undefined}
      onAgain={async () => {}}
      isLoaded
      failure={null}
      onRetry={() => {}}
      onOlder={null}
    />,
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Sent' }));
  expect(screen.queryByText(/possible/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Held back' }));
  const words = /^2 possible alerts on your routes: alerts that are only possible send no message\.$/;
  expect(screen.getByText((_, element) => words.test(element?.textContent ?? ''))).toBeTruthy();
});

it('never says that all is seen if nothing could be loaded', () => {
  render(
    <MessageLog
      messages={[]}
      unseen={0}
      possible={2}
      failed={0}
      here={undefined}
      onAgain={async () => {}}
      isLoaded={false}
      failure="Unable to load the messages"
      onRetry={() => {}}
      onOlder={null}
    />,
  );
  expect(screen.queryByText('All seen')).toBeNull();
  expect(screen.queryByText('No messages yet')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Not loaded' })).toBeTruthy();
});

it('shows one headline once, and its routes on demand', async () => {
  const routes = ['leeds', 'york', 'hull'].map((watch_id) =>
    message({ id: watch_id, watch_id, text: `${watch_id}. National Highways, 07:58.` }),
  );
  show(...routes, message({ id: 'other', watch_id: 'york', title: 'High: A64 flooded' }));
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(2);
  const open = screen.getByRole('button', { name: '3 routes: Critical: M62 closed' });
  expect(open.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(open);
  expect(open.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('link', { name: /^hull\./ }).getAttribute('href')).toContain('hull');
  expect(screen.getAllByRole('button', { name: /^Not ours: Critical/ })).toHaveLength(3);
});

it('keeps apart messages that were sent again, or held back for another reason', () => {
  const again = [message({ id: '1' }), message({ id: '2' }), message({ id: '3', watch_id: 'york' })];
  expect(byHeadline(again).map((same) => same.map(({ id }) => id))).toEqual([['1'], ['2', '3']]);
  const held = (id: string, reason: string) => message({ id, watch_id: id, state: 'held', reason });
  expect(byHeadline([held('a', 'Held: quiet hours'), held('b', 'Held: below your threshold')])).toHaveLength(
    2,
  );
});

it('joins one incident with a long and a short title, and keeps apart another grade of it', () => {
  const all = [
    message({ id: '1', watch_id: 'leeds', title: 'Critical: M62 closed, lorry' }),
    message({ id: '2', watch_id: 'york', title: 'Critical: M62 closed' }),
    message({ id: '3', watch_id: 'hull', title: 'High: M62 closed', severity: 'high' }),
  ];
  expect(byHeadline(all).map((same) => same.map(({ id }) => id))).toEqual([['1', '2'], ['3']]);
});

it('joins two incidents on several routes, names them once, and each route with its own words', async () => {
  const on = (route: string, event_ids: string[], reached: string) =>
    message({
      id: route,
      watch_id: route,
      title: `2 new on ${route}: 2 critical`,
      text: `Critical: Tree down; Critical: Tanker, J26. Reached about ${reached}. Ours, 16:58.`,
      event_ids,
    });
  const [hull, york] = [on('Leeds to Hull', ['a', 'b'], '17:12'), on('Leeds to York', ['b', 'a'], '17:30')];
  const still = message({ ...york, id: 'still', watch_id: 'w3', title: '2 on Ely to Bath: 2 critical' });
  expect(byHeadline([hull, york, still]).map((same) => same.map(({ id }) => id))).toEqual([
    ['Leeds to Hull', 'Leeds to York'],
    ['still'],
  ]);
  show(hull, york);
  expect(screen.getByRole('heading', { name: '2 new: 2 critical' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '2 routes: 2 new: 2 critical' }));
  expect(screen.getByText('Critical: Tree down; Critical: Tanker, J26.')).toBeTruthy();
  expect(
    screen.getByText('2 new on Leeds to York: 2 critical. Reached about 17:30. Ours, 16:58.'),
  ).toBeTruthy();
});

it('begins with all, and shows what was sent alone', async () => {
  show(message({}), message({ id: 'held', state: 'held', reason: 'Held: quiet hours', title: 'Low: A1' }));
  expect(screen.getByText('Low: A1')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Sent' }));
  expect(screen.queryByText('Low: A1')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Held back' }));
  expect(screen.getByText('Low: A1')).toBeTruthy();
});

describe('how a message went', () => {
  const outcome = (state: 'sent' | 'held' | 'failed' | 'waiting', name: string | null, more = {}) => ({
    message_id: `${state}-${name}`,
    channel_id: null,
    name,
    kind: null,
    state,
    reason: '',
    at: '2026-11-21T08:12:00.000Z',
    can_send_again: false,
    ...more,
  });
  const failed = message({
    id: 'msg_2',
    title: 'High: M60 closed',
    outcomes: [
      outcome('sent', '#ops'),
      outcome('sent', 'Rosa’s phone', { channel_id: 'here' }),
      outcome('failed', 'Travel desk', { reason: 'The address answered 410', can_send_again: true }),
    ],
  });
  const held = message({
    id: 'msg_3',
    title: 'High: A1 closed',
    outcomes: [outcome('held', null, { reason: 'Held: quiet hours' }), outcome('waiting', 'Depot')],
  });

  it('offers to send a failed message again only while that is allowed', () => {
    show(message({ outcomes: [outcome('failed', 'Depot')] }));
    expect(screen.queryByRole('button', { name: /Send again/ })).toBeNull();
  });

  it('is said for every channel, failures first', () => {
    show(failed, held);
    const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Failed to Travel desk: it answered 410Send again',
        'Sent 08:12 to #ops, this device',
        'Held back: quiet hours',
        'Waits for Depot',
      ]),
    );
  });

  it('decides the filter of the switch, and a failed message is sent again', async () => {
    show(failed, held);
    await userEvent.click(screen.getByRole('radio', { name: /^Failed/ }));
    expect(screen.queryByText('High: A1 closed')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Send again: High: M60 closed' }));
    expect(again).toEqual(['failed-Travel desk']);
    await userEvent.click(screen.getByRole('radio', { name: 'Held back' }));
    expect(screen.queryByText('High: M60 closed')).toBeNull();
    expect(screen.getByText('High: A1 closed')).toBeTruthy();
  });
});
