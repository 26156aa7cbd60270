import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../../src/api/messages.ts';
import { MessageLog } from '../../../src/messages/MessageLog.tsx';
import { useSession } from '../../../src/session/session.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';

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
  is_seen: true,
  is_not_ours: false,
  ...changes,
});

let server: ReturnType<typeof startFakeServer>;
let marked: unknown[];
beforeEach(() => {
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  useSession.setState({
    status: 'signedIn',
    user: { id: '2', email: 'ben@example.co.uk', displayName: 'Ben', role: 'user' },
    offline: false,
  });
  marked = [];
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
    <MessageLog messages={messages} unseen={0} isLoaded failure={null} onRetry={() => {}} onOlder={null} />,
  );

it('marks what a message is about as not on the route, once, and says so', async () => {
  show(message({}));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Not on our route: Critical: M62 closed' }));
  expect((await screen.findByText('Marked: not on our route')).getAttribute('role')).toBe('status');
  expect(marked).toEqual(['national-highways:1']);
});

it('marks all of a group', async () => {
  show(message({ event_ids: ['a:1', 'a:2'] }));
  await userEvent.click(screen.getByRole('button', { name: /^None of the 2 on our route/ }));
  await screen.findByText('Marked: not on our route');
  expect(marked).toEqual(['a:1', 'a:2']);
});

it('says why it could not, and leaves the button', async () => {
  server.answers.set('watches/leeds/feedback', () => json(404, { detail: 'This route is not here.' }));
  show(message({}));
  await userEvent.click(screen.getByRole('button', { name: /Not on our route/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('This route is not here.');
  expect(screen.getByRole('button', { name: /Not on our route/ })).toBeTruthy();
});

it('asks nothing of what is marked already, and of messages about no incident', () => {
  show(
    message({ is_not_ours: true }),
    message({ id: 'msg_2', kind: 'blind', watch_id: null, event_ids: [], title: 'No information' }),
  );
  expect(screen.queryByRole('button', { name: /our route/ })).toBeNull();
  const [first] = screen.getAllByRole('listitem');
  expect(within(first!).getByText('Marked: not on our route')).toBeTruthy();
});

it('leads to the match itself', () => {
  show(message({}), message({ id: 'msg_2', event_ids: ['national-highways:a/b#c'] }));
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/routes/leeds#national-highways%3A1',
    '/routes/leeds#national-highways%3Aa%2Fb%23c',
  ]);
});

it('does not say that all is seen while nothing could be loaded', () => {
  render(
    <MessageLog
      messages={[]}
      unseen={0}
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
