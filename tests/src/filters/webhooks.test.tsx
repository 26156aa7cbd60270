import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../src/api/tokens.ts';
import { Webhooks } from '../../../src/filters/Webhooks.tsx';
import { json, startFakeServer } from '../api/fakeServer.ts';

const SENT = {
  id: 'msg_1',
  type: 'disruption.worse',
  title: 'Worse. Critical: M62 closed',
  created_at: '2026-11-21T08:12:00.000Z',
  state: 'sent',
  reason: 'Sent',
  attempts: 1,
  next_at: null,
  last_status: 200,
  sent_at: '2026-11-21T08:12:01.000Z',
};
const FAILED = {
  ...SENT,
  id: 'msg_2',
  title: 'New. High: M1 closed',
  state: 'failed',
  reason: 'Not sent: the address answered 500',
  sent_at: null,
};
const HOOK = {
  id: 'w1',
  name: 'Control room',
  host: 'control.example',
  format: 'standard',
  state: 'ok',
  last_ok: null,
  last_error: null as string | null,
  off_at: null as string | null,
  both_sign_until: null as string | null,
  created_at: '2026-11-21T08:00:00.000Z',
  last_delivery: SENT as object | null,
};

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let kept: (typeof HOOK)[];
let asked: string[];

beforeEach(() => {
  server = startFakeServer();
  saveTokens(server.signedIn());
  user = userEvent.setup();
  kept = [{ ...HOOK }];
  asked = [];
  const none = () => new Response(null, { status: 202 });
  server.answers.set('filters/f1/webhooks', ({ method, body }) => {
    if (method === 'GET') return json(200, { webhooks: kept, total: kept.length });
    asked.push(`POST ${JSON.stringify(body)}`);
    if (body['url'] === 'https://taken.example/')
      return json(409, { detail: 'This filter has a webhook with this address already.' });
    const made = { ...HOOK, ...body, id: 'w2', last_delivery: null } as typeof HOOK;
    kept = [...kept, made];
    return json(201, { webhook: made, secret: 'whsec_abc' });
  });
  server.answers.set('filters/f1/webhooks/w1/deliveries', () =>
    json(200, { deliveries: [FAILED, SENT], total: 2 }),
  );
  server.answers.set('filters/f1/webhooks/w1/deliveries/msg_2/send', none);
  server.answers.set('filters/f1/webhooks/w1/test', none);
  server.answers.set('filters/f1/webhooks/w1/rotate', () => {
    kept = kept.map((one) => ({ ...one, both_sign_until: '2026-11-22T08:00:00.000Z' }));
    return json(200, { webhook: kept[0], secret: 'whsec_new' });
  });
  server.answers.set('filters/f1/webhooks/w1', ({ method }) => {
    asked.push(method);
    kept = [];
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function opened() {
  render(<Webhooks filter={{ id: 'f1', name: 'Roads', query: '', version: 1 }} />);
  await user.click(screen.getByText(/^Webhooks/));
}
const row = async () => within(await screen.findByRole('listitem', { name: 'Control room' }));

it('says how each webhook stands and what was last sent there', async () => {
  kept = [
    HOOK,
    {
      ...HOOK,
      id: 'w3',
      name: 'Hall',
      state: 'failing',
      last_error: 'The address answered 503',
      last_delivery: null,
    },
    {
      ...HOOK,
      id: 'w4',
      name: 'Old',
      state: 'off',
      last_error: 'The address answered 410',
      off_at: '2026-11-20T10:00:00.000Z',
    },
  ];
  await opened();
  const first = await row();
  expect(first.getByText('On')).toBeTruthy();
  expect(first.getByText(/Worse. Critical: M62 closed/).textContent).toContain('Sent');
  const failing = within(screen.getByRole('listitem', { name: 'Hall' }));
  expect(failing.getByText('Failing').parentElement?.textContent).toBe('Failing: it answered 503.');
  const off = within(screen.getByRole('listitem', { name: 'Old' }));
  expect(off.getByText(/^Turned off/).parentElement?.textContent).toBe(
    'Turned off on 20 Nov 2026: it answered 410.',
  );
  expect(off.queryByRole('button', { name: /test/ })).toBeNull();
});

it('turns one on again that is off', async () => {
  const off = { ...HOOK, name: 'Old', state: 'off', last_error: 'The address answered 410' };
  kept = [off];
  server.answers.set('filters/f1/webhooks/w1/turn_on', () => {
    kept = [{ ...off, state: 'ok', last_error: null }];
    return json(200, kept[0]);
  });
  await opened();
  await user.click(await screen.findByRole('button', { name: 'Turn on Old again' }));
  expect(await screen.findByText('Old is on again, with the changes from now on')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Send a test to Old' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Turn on/ })).toBeNull();
});

it('makes one by keyboard, and shows its secret once', async () => {
  await opened();
  await row();
  screen.getByRole('button', { name: 'Add a webhook to Roads' }).focus();
  await user.keyboard('{Enter}');
  await user.keyboard('Hall{Tab}https://taken.example/{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('already');
  const address = screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' });
  expect(address.value).toBe('https://taken.example/');
  await user.clear(address);
  await user.type(address, 'https://hall.example/hook{Enter}');
  const made = within(await screen.findByRole('region', { name: 'Signing secret of Hall' }));
  expect(made.getByText('whsec_abc')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Signing secret of Hall');
  expect(asked.at(-1)).toBe('POST {"name":"Hall","url":"https://hall.example/hook","format":"standard"}');
  await user.click(made.getByRole('button', { name: 'Dismiss' }));
  expect(document.body.textContent).not.toContain('whsec_abc');
  expect(await screen.findByRole('listitem', { name: 'Hall' })).toBeTruthy();
});

it('lists the deliveries, and sends a failed one again', async () => {
  await opened();
  await user.click((await row()).getByRole('button', { name: 'Deliveries of Control room' }));
  const list = within(await screen.findByRole('region', { name: 'Last deliveries of Control room' }));
  await list.findByText(/Not sent: the address answered 500/);
  expect(list.getAllByRole('button', { name: /^Send again/ })).toHaveLength(1);
  await user.click(list.getByRole('button', { name: 'Send again: New. High: M1 closed' }));
  expect(await screen.findByText('New. High: M1 closed is sent again')).toBeTruthy();
});

it('sends a test, gives a new secret and deletes, each after a question where it cannot be undone', async () => {
  await opened();
  await user.click((await row()).getByRole('button', { name: 'Send a test to Control room' }));
  expect(await screen.findByText('A test is on its way to Control room')).toBeTruthy();
  await user.click((await row()).getByRole('button', { name: 'New secret for Control room' }));
  await user.click(
    within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Make a new secret' }),
  );
  expect(await screen.findByText('whsec_new')).toBeTruthy();
  expect(await screen.findByText(/The old secret signs as well until 22 Nov 2026/)).toBeTruthy();
  await user.click((await row()).getByRole('button', { name: 'Delete the webhook Control room' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete webhook' }));
  expect(await screen.findByText('Control room was deleted')).toBeTruthy();
  expect(asked).toContain('DELETE');
});
