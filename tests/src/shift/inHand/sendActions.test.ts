import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { json, startFakeServer } from '../../api/fakeServer.ts';
import { answerAfter, everythingKept, forgetEverything } from '../../offline/fakeStorage.ts';

let server: ReturnType<typeof startFakeServer>;

/** A freshly loaded page, with whatever the browser keeps. */
async function openTab() {
  vi.resetModules();
  const queue = await import('../../../../src/shift/inHand/sendActions.ts');
  const { signIn, signOut } = await import('../../../../src/session/session.ts');
  const states = await import('../../../../src/shift/inHand/inHandStates.ts');
  return { ...queue, ...states, signIn, signOut };
}

/** The log of a server as strict as ours about revisions and ids. */
let log: { id: string; path: string; at: string; method: string; disposition: unknown }[] = [];
let revs: Map<string, number>;

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  log = [];
  revs = new Map();
  server = startFakeServer();
  for (let number = 0; number < 20; number++) {
    server.answers.set(`responses/tfl%3A${number}`, ({ method, headers, body, path }) => {
      const id = String(body['id']);
      if (!log.some((entry) => entry.id === id)) {
        if (Number(headers.get('if-match')) !== (revs.get(path) ?? 0))
          return json(409, { detail: 'Sam Lee acknowledged this at 08:12.' });
        revs.set(path, (revs.get(path) ?? 0) + 1);
        log.push({ id, path, at: String(body['at']), method, disposition: body['disposition'] });
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

it('sends 20 actions of 8 hours without a network in their order, once, and shows stale ones', async () => {
  let tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  for (let number = 0; number < 20; number++) await tab.doAction(action(number));
  await tab.sendQueue();
  expect(tab.useQueue.getState().items).toHaveLength(20);
  expect(tab.useQueue.getState().items.every(({ isLate }) => isLate)).toBe(true);

  // The page was closed, the access token has expired, and for three of the incidents somebody else was first.
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

it('sends nothing that rests on a refused action: somebody else’s answer has its number', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(1));
  await tab.doAction({ ...action(1, 1), doing: { kind: 'acknowledge', disposition: 'watching' } });
  await tab.doAction(action(2));
  server.line = 'good';
  revs.set('responses/tfl%3A1', 1);
  await tab.sendQueue();
  expect(log.map(({ path }) => path)).toEqual(['responses/tfl%3A2']);
  expect(tab.useQueue.getState().items.map(({ refused }) => refused)).toEqual(
    Array(2).fill('Sam Lee acknowledged this at 08:12.'),
  );
});

it('a refused note refuses nothing else on its alert', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.answers.set('responses/tfl%3A1/notes', () => json(409, { detail: 'The log is full.' }));
  server.line = 'cut';
  await tab.doAction({ ...action(1), doing: { kind: 'note', text: 'Rang the depot' } });
  await tab.doAction(action(1));
  await tab.doAction({ ...action(1, 1), doing: { kind: 'acknowledge', disposition: 'watching' } });
  server.line = 'good';
  await tab.sendQueue();
  expect(log.map(({ disposition }) => disposition)).toEqual(['diverted', 'watching']);
  expect(tab.useQueue.getState().items.map(({ doing, refused }) => [doing.kind, refused])).toEqual([
    ['note', 'The log is full.'],
  ]);
});

it('also refuses taps on the same alert while the refused action was being sent, and nothing else', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  let refuse = () => {};
  const refusing = new Promise<void>((resolve) => (refuse = resolve));
  server.answers.set('responses/tfl%3A1', async () => {
    await refusing;
    return json(409, { detail: 'Sam Lee acknowledged this at 08:12.' });
  });
  await tab.doAction(action(1));
  await vi.waitFor(() => expect(server.callsTo('responses/tfl%3A1')).toHaveLength(1));
  await tab.doAction({ ...action(1, 1), doing: { kind: 'acknowledge', disposition: 'watching' } });
  await tab.doAction({ ...action(1, 1), doing: { kind: 'note', text: 'Rang the depot' } });
  // It is based on the same state as the first, so the server's answer decides.
  await tab.doAction({ ...action(1), doing: { kind: 'acknowledge', disposition: 'no_effect_on_us' } });
  revs.set('responses/tfl%3A2', 1);
  await tab.doAction(action(2, 1));
  server.answers.set('responses/tfl%3A1/notes', () => json(201, {}));
  refuse();
  await tab.sendQueue();
  expect(server.callsTo('responses/tfl%3A1').map(({ body }) => body['disposition'])).toEqual([
    'diverted',
    'no_effect_on_us',
  ]);
  expect(server.callsTo('responses/tfl%3A1/notes')).toHaveLength(1);
  expect(log.map(({ path }) => path)).toEqual(['responses/tfl%3A2']);
  expect(tab.useQueue.getState().items.map(({ doing, refused }) => [doing.kind, refused])).toEqual(
    Array.from({ length: 3 }, () => ['acknowledge', 'Sam Lee acknowledged this at 08:12.']),
  );
});

it('sends an action that comes in the last moment of a send', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(1));
  await tab.doAction(action(2));
  await tab.sendQueue();
  const store = globalThis.keptStores!.get('clearway-actions/actions')!;
  const kept = store.get('actions') as { scope: string; items: unknown[] };
  const [first, second] = kept.items;
  store.set('actions', { ...kept, items: [first] });
  server.line = 'good';
  // Nothing waits any more, and the lock is about to be given back.
  const request = async (_: string, work: () => Promise<void>) => {
    await work();
    if (log.length > 1) return;
    expect(store.get('actions')).toMatchObject({ items: [] });
    store.set('actions', { ...kept, items: [second] });
    void tab.sendQueue();
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  await tab.sendQueue();
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  expect(log.map(({ path }) => path)).toEqual([1, 2].map((one) => `responses/tfl%3A${one}`));
});

it('sends again later if the server has no time, and nothing waits behind a refused action', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  revs.set('responses/tfl%3A1', 1);
  await tab.doAction(action(1));
  await tab.sendQueue();
  const answer = server.answers.get('responses/tfl%3A2')!;
  server.answers.set('responses/tfl%3A2', () => json(429, { detail: 'Too many requests.' }));
  await tab.doAction(action(2));
  await tab.sendQueue();
  expect(tab.useQueue.getState().items.map(({ refused, isLate }) => [refused !== null, isLate])).toEqual([
    [true, false],
    [false, true],
  ]);
  server.answers.set('responses/tfl%3A2', answer);
  await tab.sendQueue();
  expect(log.map(({ path }) => path)).toEqual(['responses/tfl%3A2']);
  expect(tab.useQueue.getState().items).toHaveLength(1);
  // The refused action no longer counts, and neither does one that the server already has.
  expect([...tab.withWaiting([], tab.useQueue.getState().items)]).toEqual([]);
  const known = { ...(await import('#contract/shift/responses.ts')).noResponse('tfl:3'), rev: 4 };
  const [waiting] = tab.useQueue.getState().items;
  const stale = { ...waiting!, event_id: 'tfl:3', refused: null };
  expect(tab.withWaiting([known], [stale]).get('tfl:3')).toBe(known);
});

it.each([
  [401, true],
  [429, true],
  [403, false],
  [409, false],
])('keeps an action for later after the answer %i: %s', async (status, isLater) => {
  const { isForLater } = await openTab();
  const { Refused } = await import('../../../../src/api/http.ts');
  expect(isForLater(new Refused(status, 'No.'))).toBe(isLater);
  expect(isForLater(new TypeError('Failed to fetch'))).toBe(true);
});

it('drops what it cannot read, such as an older version’s actions, and sends what waits behind it', async () => {
  let tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(1));
  const actions = globalThis.keptStores!.get('clearway-actions/actions')!;
  const kept = actions.get('actions') as { scope: string; items: Record<string, unknown>[] };
  const [whole] = kept.items;
  const unreadable: unknown[] = [
    null,
    'torn',
    {},
    ...['id', 'event_id', 'title', 'doing', 'rev', 'at', 'refused'].map((field) => ({
      ...whole,
      [field]: undefined,
    })),
    { ...whole, doing: null },
    { ...whole, doing: { kind: 'constructor' } },
    { ...whole, doing: { kind: 'acknowledge' } },
    { ...whole, doing: { kind: 'note', text: 5 } },
    { ...whole, doing: { kind: 'strike' } },
    { ...whole, doing: { kind: 'report', report: null } },
    { ...whole, doing: { kind: 'job', mark: 'left' } },
    { ...whole, doing: { kind: 'job', undo: false } },
    { ...whole, at: 'yesterday' },
  ];
  actions.set('actions', { ...kept, items: [...unreadable, { ...whole, id: 'whole' }] });

  tab = await openTab();
  server.line = 'good';
  const before = server.calls.length;
  await tab.resumeQueue();
  expect(server.calls.slice(before).map(({ path }) => path)).toEqual(['responses/tfl%3A1']);
  expect(log.map(({ id }) => id)).toEqual(['whole']);
  expect(tab.useQueue.getState().items).toEqual([]);
  expect(actions.get('actions')).toMatchObject({ items: [] });
});

it('reads again every kind of action that it kept', async () => {
  let tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  const all: Parameters<typeof tab.doAction>[0]['doing'][] = [
    { kind: 'acknowledge', disposition: 'diverted' },
    { kind: 'snooze', snooze: null },
    { kind: 'reopen' },
    { kind: 'note', text: 'Rang the depot' },
    { kind: 'strike', note: 'n1' },
    { kind: 'report', report: { title: 'Tree down' } as never },
    { kind: 'job', mark: 'left', undo: false },
  ];
  for (const doing of all) await tab.doAction({ ...action(1), doing });
  tab = await openTab();
  await tab.resumeQueue();
  expect(tab.useQueue.getState().items.map(({ doing }) => doing)).toEqual(all);
});

it('sends each action once if two tabs send at once', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  for (let number = 0; number < 5; number++) await tab.doAction(action(number));
  await tab.sendQueue();
  const other = await openTab();
  server.line = 'good';
  const before = server.calls.length;
  await Promise.all([tab.sendQueue(), other.resumeQueue()]);
  expect(log).toHaveLength(5);
  expect(server.calls.slice(before).filter(({ path }) => path.startsWith('responses/'))).toHaveLength(5);
});

it('loses no action of a page that closes before its store has it, and sends it once', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  let answer = () => {};
  answerAfter(new Promise<void>((resolve) => (answer = resolve)));
  const done = tab.doAction(action(4));
  // The next page opens while the first one's store has not answered yet.
  answerAfter(undefined);
  const next = await openTab();
  await next.resumeQueue();
  expect(log.map(({ path }) => path)).toEqual(['responses/tfl%3A4']);
  expect(next.useQueue.getState().items).toEqual([]);

  answer();
  await done;
  await tab.sendQueue();
  expect(log).toHaveLength(1);
  expect(tab.useQueue.getState().items).toEqual([]);
  expect(localStorage.getItem('clearway:actions')).toBeNull();
});

it('stores each of two quick taps once, and none of them is ahead of the store any more', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await Promise.all([tab.doAction(action(1)), tab.doAction(action(2))]);
  const kept = globalThis.keptStores!.get('clearway-actions/actions')!.get('actions');
  expect(kept).toMatchObject({ items: [{ event_id: 'tfl:1' }, { event_id: 'tfl:2' }] });
  expect((kept as { items: unknown[] }).items).toHaveLength(2);
  expect(localStorage.getItem('clearway:actions')).toBeNull();
});

it('loses no tap while an earlier one is being stored, even if the page closes then', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  let store = () => {};
  answerAfter(new Promise<void>((resolve) => (store = resolve)));
  const first = tab.doAction(action(1));
  answerAfter(new Promise<void>(() => {}));
  void tab.doAction(action(2));
  store();
  await first;

  answerAfter(undefined);
  const next = await openTab();
  server.line = 'good';
  await next.resumeQueue();
  expect(log.map(({ path }) => path)).toEqual([1, 2].map((one) => `responses/tfl%3A${one}`));
});

describe('taking back', () => {
  const ALERT = { event_id: 'tfl:1', source: 'tfl', title: 'Alert 1', severity: 'high' as const };
  const knownAs = async (tab: Awaited<ReturnType<typeof openTab>>, over: object) => {
    const { noResponse } = await import('#contract/shift/responses.ts');
    const state = { ...noResponse('tfl:1'), ...over };
    revs.set('responses/tfl%3A1', state.rev);
    tab.useStates.setState({ states: new Map([['tfl:1', state]]), isLoaded: true });
  };
  /** Asks as the page does at each change of the queue. */
  const follow = (tab: Awaited<ReturnType<typeof openTab>>) => {
    const before = [...tab.useStates.getState().states.values()];
    tab.useStates.setState({ states: tab.withWaiting(before, tab.useQueue.getState().items) });
  };
  const acknowledge = { kind: 'acknowledge', disposition: 'dealing_with_it' } as const;

  it('leaves nothing of an action that was never sent', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    await knownAs(tab, {});
    server.line = 'cut';
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await tab.act(ALERT as never, acknowledge);
    await tab.sendQueue();
    await tab.undo(ALERT as never);
    expect(tab.useQueue.getState().items).toEqual([]);
    vi.restoreAllMocks();
  });

  it('leaves nothing of an action behind another one, whose answer was lost', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    await knownAs(tab, {});
    server.line = 'half';
    await tab.doAction(action(2));
    await tab.act(ALERT as never, acknowledge);
    await tab.sendQueue();
    await tab.undo(ALERT as never);
    expect(tab.useQueue.getState().items.map(({ event_id }) => event_id)).toEqual(['tfl:2']);
  });

  it('sends the opposite of an action that the server may have, even if its answer was lost', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    await knownAs(tab, {});
    server.line = 'half';
    await tab.act(ALERT as never, acknowledge);
    await tab.sendQueue();
    follow(tab);
    await tab.undo(ALERT as never);
    server.line = 'good';
    await tab.sendQueue();
    expect(log.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
  });

  it('sends the opposite of an action that was made without a network and is just being sent', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    await knownAs(tab, {});
    server.line = 'cut';
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await tab.act(ALERT as never, acknowledge);
    await tab.sendQueue();
    onLine.mockRestore();
    server.line = 'good';
    const path = 'responses/tfl%3A1';
    const taken = server.answers.get(path)!;
    let answer = () => {};
    const answering = new Promise<void>((resolve) => (answer = resolve));
    let noteCall = () => {};
    const isOnItsWay = new Promise<void>((resolve) => (noteCall = resolve));
    server.answers.set(path, async (call) => {
      noteCall();
      await answering;
      return taken(call);
    });
    const sent = tab.sendQueue();
    await isOnItsWay;
    follow(tab);
    await tab.undo(ALERT as never);
    answer();
    await sent;
    await tab.sendQueue();
    expect(log.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
  });

  it('leaves a lapsed acknowledgement alone, and restores one that counted', async () => {
    const rosas = { rev: 2, disposition: 'diverted', by: null, at: '2026-11-21T08:12:00.000Z' };
    for (const [lapsed, method, disposition] of [
      ['worse', 'DELETE', undefined],
      [null, 'PUT', 'diverted'],
    ] as const) {
      const tab = await openTab();
      await tab.signIn('anna@example.co.uk', 'right');
      log = [];
      await knownAs(tab, { ...rosas, lapsed });
      await tab.act(ALERT as never, acknowledge);
      follow(tab);
      await tab.sendQueue();
      await tab.undo(ALERT as never);
      await tab.sendQueue();
      expect(log.at(-1)).toMatchObject({ method, disposition });
    }
  });

  it('is not offered for the end of a snooze, because its length is no longer known', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    const snooze = { until: '2099-01-01T00:00:00.000Z', change: false, by: null, at: null };
    await knownAs(tab, { rev: 1, snooze });
    await tab.act(ALERT as never, { kind: 'snooze', snooze: null });
    expect(tab.useUndo.getState().action).toBeNull();
    // An action that has not been sent can simply be dropped.
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await tab.act(ALERT as never, { kind: 'snooze', snooze: null });
    expect(tab.useUndo.getState().action?.doing).toEqual({ kind: 'snooze', snooze: null });
    onLine.mockRestore();
  });
});

it('shows the action taken in the second of an answer that may not know it, and newer answers', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  await tab.doAction(action(1));
  await tab.sendQueue();
  const [{ takenAt, scope } = { takenAt: new Date(0), scope: '' }] = tab.useQueue.getState().taken;
  const takenAfter = (ms: number) => {
    const at = new Date(takenAt.getTime() - ms);
    return renderHook(() => tab.useUnknownAt(at)).result.current.taken.map(({ event_id }) => event_id);
  };
  expect(scope).toBeTruthy();
  expect([takenAfter(1000), takenAfter(0), takenAfter(-1)]).toEqual([['tfl:1'], ['tfl:1'], []]);
});

it('shows an action that is being taken once, and hides what another person did here', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(2));
  server.line = 'good';
  await tab.doAction(action(1));
  await tab.sendQueue();
  const unknown = () => {
    const { result, unmount } = renderHook(() => tab.useUnknownAt(null));
    const { waiting, taken } = result.current;
    unmount();
    return [waiting, taken].map((all) => all.map(({ event_id }) => event_id));
  };
  expect(unknown()).toEqual([[], ['tfl:2', 'tfl:1']]);
  const [being] = tab.useQueue.getState().taken;
  tab.useQueue.setState({ items: [being!, { ...being!, id: 'other', event_id: 'tfl:3' }] });
  expect(unknown()).toEqual([['tfl:3'], ['tfl:2', 'tfl:1']]);
  await tab.signOut();
  await tab.signIn('ben@example.co.uk', 'right');
  expect(unknown()[1]).toEqual([]);
});

it('counts an action once if its answer was lost and the server’s state already has it', async () => {
  const tab = await openTab();
  const { noResponse } = await import('#contract/shift/responses.ts');
  const waiting = [{ ...action(1, 2), id: 'a', at: '2026-11-21T08:12:00.000Z', isLate: true, refused: null }];
  const after = (rev: number) =>
    tab.withWaiting([{ ...noResponse('tfl:1'), rev }], waiting as never).get('tfl:1')!;
  expect([after(2).rev, after(2).disposition]).toEqual([3, 'diverted']);
  // Somebody reopened it since, or it is this action: the server's state counts.
  expect([after(3).rev, after(3).disposition]).toEqual([3, null]);
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
  // One more action is just being stored.
  answerAfter(new Promise<void>(() => {}));
  void tab.doAction({ ...action(1), doing: { kind: 'note', text: 'a secret of a moment ago' } });
  expect(localStorage.getItem('clearway:actions')).toContain('a secret of a moment ago');
  await tab.signOut();
  expect(everythingKept()).not.toContain('a secret note');
  expect(localStorage.getItem('clearway:actions')).toBeNull();
});

describe('in a browser that keeps nothing', () => {
  const kept = () => globalThis.keptStores!.get('clearway-actions/actions')!;
  const breakStorage = () => {
    const fail = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    for (const what of ['get', 'set'] as const) vi.spyOn(kept(), what).mockImplementation(fail);
  };
  afterEach(() => vi.restoreAllMocks());

  it('an action is kept in the page, sent when the connection is back, and gone after signing out', async () => {
    const tab = await openTab();
    await tab.signIn('anna@example.co.uk', 'right');
    await tab.doAction(action(0));
    await tab.sendQueue();
    breakStorage();
    server.line = 'cut';
    await tab.doAction(action(1));
    await tab.doAction(action(2));
    await tab.sendQueue();
    expect(tab.useQueue.getState().items).toHaveLength(2);
    server.line = 'good';
    await tab.sendQueue();
    expect(log.map(({ path }) => path)).toEqual([0, 1, 2].map((one) => `responses/tfl%3A${one}`));
    expect(tab.useQueue.getState().items).toEqual([]);

    server.line = 'cut';
    await tab.doAction(action(3));
    await tab.signOut();
    vi.restoreAllMocks();
    server.line = 'good';
    await tab.signIn('ben@example.co.uk', 'right');
    breakStorage();
    await tab.resumeQueue();
    expect([tab.useQueue.getState().items, log.length]).toEqual([[], 3]);
  });
});

it('is not held up by a document that it cannot read, or by another session’s', async () => {
  const tab = await openTab();
  await tab.signIn('anna@example.co.uk', 'right');
  server.line = 'cut';
  await tab.doAction(action(1));
  const store = globalThis.keptStores!.get('clearway-actions/actions')!;
  const { scope, items } = store.get('actions') as { scope: string; items: unknown[] };
  for (const torn of [
    { scope, items: 'torn' },
    { scope: 'another', items },
  ]) {
    store.set('actions', torn);
    await tab.resumeQueue();
    expect(tab.useQueue.getState().items).toEqual([]);
  }
  // The next action is stored again.
  store.set('actions', { scope, items: 'torn' });
  await tab.doAction(action(2));
  expect(store.get('actions')).toMatchObject({ items: [{ event_id: 'tfl:2' }] });
  server.line = 'good';
  await tab.sendQueue();
  expect(log.map(({ path }) => path)).toEqual(['responses/tfl%3A2']);
});

describe('the actions that wait in this browser', () => {
  const whole = {
    id: '1',
    event_id: 'tfl:1',
    title: 'Alert 1',
    rev: 0,
    at: '2026-11-28T08:00:00Z',
    refused: null,
    doing: { kind: 'acknowledge', disposition: 'diverted' },
  };
  const open = async () => {
    localStorage.setItem('clearway_scope', 'anna');
    vi.resetModules();
    const actions = await import('../../../../src/offline/actionStore.ts');
    await actions.waitingActions();
    return { ...actions, store: globalThis.keptStores!.get('clearway-actions/actions')! };
  };

  it('are readable and of this session: one that is torn does not block those behind it', async () => {
    const { waitingActions, store } = await open();
    const doing = (parts: object | null) => ({ ...whole, doing: parts });
    const job = { kind: 'job', mark: 'left', undo: false };
    const torn = [
      null,
      { ...whole, id: 7 },
      { ...whole, title: undefined },
      { ...whole, rev: 0.5 },
      { ...whole, at: 'soon' },
      { ...whole, refused: 7 },
      ...[null, { kind: 'dance' }, { kind: 'acknowledge' }, { kind: 'note', text: 7 }].map(doing),
      ...[{ kind: 'strike' }, { kind: 'report', report: null }].map(doing),
      ...[
        { ...job, mark: 7 },
        { ...job, undo: null },
      ].map(doing),
    ];
    const good = [whole, doing(job), { ...whole, refused: 'Somebody was first.' }];
    store.set('actions', { scope: 'anna', items: [...torn, ...good] });
    expect(await waitingActions()).toEqual(good);
    for (const kept of [{ scope: 'ben', items: [whole] }, { scope: 'anna', items: {} }, 'torn', null]) {
      store.set('actions', kept);
      expect(await waitingActions()).toEqual([]);
    }
  });

  it('are gone once they are cleared: what is stored, noted, and held by the page alone', async () => {
    const { changeActions, clearActions, noteAhead, storeAhead, waitingActions, store } = await open();
    const fail = () => {
      throw new DOMException('Broken', 'UnknownError');
    };
    const broken = () =>
      [vi.spyOn(store, 'get'), vi.spyOn(store, 'set')].map((one) => one.mockImplementation(fail));
    let spies = broken();
    await changeActions(() => [whole]);
    expect(await waitingActions()).toEqual([whole]);
    spies.forEach((spy) => spy.mockRestore());
    await changeActions(() => [{ ...whole, id: '2' }]);
    noteAhead({ ...whole, id: '3' } as { id: string });
    await clearActions();
    expect([await waitingActions(), await storeAhead()]).toEqual([[], []]);
    spies = broken();
    expect(await waitingActions()).toEqual([]);
    spies.forEach((spy) => spy.mockRestore());
  });
});
