/** Actions made without a network: in order, once, and none dropped without a word. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { json, startFakeServer } from '../api/fakeServer.ts';
import { everythingKept, forgetEverything } from '../offline/fakeStorage.ts';

let server: ReturnType<typeof startFakeServer>;

/** A page that has just been loaded, with whatever the browser keeps. */
async function openTab() {
  vi.resetModules();
  const queue = await import('../../../src/shift/queue.ts');
  const { signIn, signOut } = await import('../../../src/session/session.ts');
  return { ...queue, signIn, signOut };
}

/** The log of a server as strict as ours about revisions and ids. */
let log: { id: string; path: string; at: string }[] = [];
let revs: Map<string, number>;

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  log = [];
  revs = new Map();
  server = startFakeServer();
  for (let number = 0; number < 20; number++) {
    server.answers.set(`responses/tfl%3A${number}`, ({ headers, body, path }) => {
      const id = String(body['id']);
      if (!log.some((entry) => entry.id === id)) {
        if (Number(headers.get('if-match')) !== (revs.get(path) ?? 0))
          return json(409, { detail: 'Sam Lee acknowledged this at 08:12.' });
        revs.set(path, (revs.get(path) ?? 0) + 1);
        log.push({ id, path, at: String(body['at']) });
      }
      return json(200, {});
    });
  }
});
afterEach(() => vi.unstubAllGlobals());

const action = (number: number, rev = 0) => ({
  event_id: `tfl:${number}`,
  title: `Alert ${number}`,
  severity: 'high',
  doing: { kind: 'acknowledge' as const, disposition: 'diverted' as const },
  rev,
});

it('sends 20 actions of 8 hours without a network in their order, once, and shows those that are stale', async () => {
  let tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  for (let number = 0; number < 20; number++) await tab.doAction(action(number));
  await tab.sendQueue();
  expect(tab.useQueue.getState().items).toHaveLength(20);
  expect(tab.useQueue.getState().items.every(({ isLate }) => isLate)).toBe(true);

  // The page was closed; the access token has run out; somebody else was first about three of them.
  tab = await openTab();
  server.line = 'good';
  server.expire();
  for (const number of [3, 7, 11]) revs.set(`responses/tfl%3A${number}`, 1);
  await tab.resumeQueue();

  expect(log.map(({ path }) => Number(path.split('%3A')[1]))).toEqual(
    Array.from({ length: 20 }, (_, number) => number).filter((number) => ![3, 7, 11].includes(number)),
  );
  expect(server.callsTo('auth/refresh')).toHaveLength(1);
  const left = tab.useQueue.getState().items;
  expect(left.map(({ event_id, refused }) => [event_id, refused])).toEqual(
    [3, 7, 11].map((number) => [`tfl:${number}`, 'Sam Lee acknowledged this at 08:12.']),
  );
  // They are not sent again by themselves.
  const calls = server.calls.length;
  await tab.sendQueue();
  expect(server.calls).toHaveLength(calls);
});

it('counts once an action whose answer was lost', async () => {
  let tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'half'; // the server has it; its answer is torn
  const path = 'responses/tfl%3A1';
  await tab.doAction(action(1));
  await tab.sendQueue();
  const [first] = server.callsTo(path);
  await server.answers.get(path)!(first!);
  tab = await openTab();
  server.line = 'good';
  await tab.resumeQueue();
  expect(log).toHaveLength(1);
  expect(tab.useQueue.getState().items).toEqual([]);
});

it('knows what several actions on one alert make of it, and their revisions', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(1));
  const [state] = [...tab.withWaiting([], tab.useQueue.getState().items).values()];
  expect(state).toMatchObject({ rev: 1, disposition: 'diverted', by: { name: 'Anna' } });
  await tab.doAction({ ...action(1, 1), doing: { kind: 'snooze', snooze: '1_h' } });
  server.line = 'good';
  await tab.sendQueue();
  expect(log).toHaveLength(2);
  expect(tab.useQueue.getState().items).toEqual([]);
});

it('keeps nothing of it after signing out, and gives it to nobody else', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction({ ...action(1), doing: { kind: 'note', text: 'a secret note' } });
  expect(everythingKept()).toContain('a secret note');
  await tab.signOut();
  expect(everythingKept()).not.toContain('a secret note');
});

it('makes ids that sort by time', async () => {
  const { uuid7 } = await import('../../../src/shift/uuid7.ts');
  const ids = [1, 2, 1000, 2 ** 32, 2 ** 40].map((ms) => uuid7(new Date(ms)));
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
