import { set, get } from 'idb-keyval';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noResponse, type TeamResponse } from '#contract/shift/responses.ts';
import { signIn, useSession } from '../../../../src/session/session.ts';
import { takeTapped } from '../../../../src/shift/inHand/fromNotifications.ts';
import { sendQueue, useQueue } from '../../../../src/shift/inHand/sendActions.ts';
import { DEVICE_RECEIVER, TAPPED, type Tapped } from '../../../../sw/workerMessages.ts';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

let server: ReturnType<typeof startFakeServer>;
let sent: string[];
let states: TeamResponse[];

beforeEach(async () => {
  localStorage.clear();
  forgetEverything();
  useQueue.setState({ items: [] });
  sent = [];
  states = [];
  server = startFakeServer();
  server.answers.set('responses/', () => json(200, { responses: states, reports: [] }));
  for (const id of ['1', '2'])
    server.answers.set(`responses/tfl%3A${id}`, ({ headers, body }) => {
      const known = states.find(({ event_id }) => event_id === `tfl:${id}`);
      if (Number(headers.get('if-match')) !== (known?.rev ?? 0))
        return json(409, { detail: 'Sam Lee acknowledged this at 08:12.' });
      sent.push(`${id} ${String(body['disposition'] ?? body['snooze'])}`);
      return json(200, {});
    });
  await signIn(ANNA.email, 'right');
  await set(DEVICE_RECEIVER, 'annas-phone');
});
afterEach(() => vi.unstubAllGlobals());

const tapped = (changes: Partial<Tapped> = {}): Tapped => ({
  id: 'msg_1 acknowledge',
  receiver: 'annas-phone',
  action: 'acknowledge',
  title: 'Critical: M62 closed',
  severity: 'critical',
  event_ids: ['tfl:1'],
  at: Date.now(),
  ...changes,
});
const take = async (...all: Tapped[]) => {
  await set(TAPPED, all);
  await Promise.all([takeTapped(), takeTapped()]);
  await sendQueue();
};

it('acknowledges and snoozes what the message named, once, and nothing waits then', async () => {
  await take(
    tapped({ event_ids: ['tfl:1', 'tfl:2'] }),
    tapped({ id: 'msg_2 snooze', action: 'snooze', event_ids: ['tfl:2'] }),
  );
  expect(sent).toEqual(['1 dealing_with_it', '2 dealing_with_it', '2 1_h']);
  expect(await get(TAPPED)).toBeUndefined();
  expect(useQueue.getState().items).toEqual([]);
});

it('says who was first, and takes it from nobody', async () => {
  const by = { id: '2', name: 'Sam Lee' };
  states = [{ ...noResponse('tfl:1'), rev: 3, disposition: 'diverted', by, at: '2026-11-21T08:12:00.000Z' }];
  await take(tapped());
  expect(sent).toEqual([]);
  expect(useQueue.getState().items).toMatchObject([{ refused: 'Sam Lee acknowledged this at 08:12.' }]);
});

it('acknowledges again an acknowledgement that has lapsed', async () => {
  const by = { id: '2', name: 'Sam Lee' };
  const at = '2026-11-21T08:12:00.000Z';
  states = [
    { ...noResponse('tfl:1'), rev: 3, disposition: 'diverted', by, at, lapsed: 'worse', lapsed_at: at },
  ];
  await take(tapped());
  expect(sent).toEqual(['1 dealing_with_it']);
});

it('does nothing for a tap of somebody else on this device, or of long ago', async () => {
  await take(tapped({ receiver: 'bens-phone' }), tapped({ at: Date.now() - 2 * 60 * 60_000 }));
  expect(sent).toEqual([]);
  expect(await get(TAPPED)).toBeUndefined();
});

it('keeps it in the queue without a network', async () => {
  server.line = 'cut';
  await take(tapped());
  expect(useQueue.getState().items).toMatchObject([{ event_id: 'tfl:1', refused: null }]);
  server.line = 'good';
  await sendQueue();
  expect(sent).toEqual(['1 dealing_with_it']);
});

it('is not held up by entries that it cannot read', async () => {
  await set(TAPPED, 'torn');
  await takeTapped();
  expect(await get(TAPPED)).toBeUndefined();
  await take(
    tapped({ id: 'older', event_ids: undefined as never }),
    tapped({ action: 'shout' as never }),
    tapped(),
  );
  expect(sent).toEqual(['1 dealing_with_it']);
  expect(await get(TAPPED)).toBeUndefined();
});

it('leaves taps that come while it takes the others to the next page', async () => {
  server.answers.set('responses/', async () => {
    await set(TAPPED, [tapped(), tapped({ id: 'msg_2 acknowledge', event_ids: ['tfl:2'] })]);
    return json(200, { responses: [], reports: [] });
  });
  await set(TAPPED, [tapped()]);
  await takeTapped();
  await sendQueue();
  expect(sent).toEqual(['1 dealing_with_it']);
  expect(await get(TAPPED)).toMatchObject([{ id: 'msg_2 acknowledge' }]);
});

it('does not acknowledge twice for the same person', async () => {
  const by = { id: ANNA.id, name: ANNA.display_name };
  states = [{ ...noResponse('tfl:1'), rev: 3, disposition: 'diverted', by, at: '2026-11-21T08:12:00.000Z' }];
  await take(tapped());
  expect([sent, useQueue.getState().items]).toEqual([[], []]);
});

it('waits for the person while nobody is signed in', async () => {
  useSession.setState({ status: 'loading', user: null, offline: false });
  await take(tapped());
  expect([sent, useQueue.getState().items]).toEqual([[], []]);
  expect(await get(TAPPED)).toHaveLength(1);
});
