import type { TeamResponse } from '#contract/shift/responses.ts';
import { noResponse } from '#contract/shift/responses.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AlertPage } from '../../../src/screens/alert/AlertPage.tsx';
import { ListPage } from '../../../src/screens/list/ListPage.tsx';
import { BOARD_SNAPSHOT } from '../../../src/feeds/refresh/useBoard.ts';
import { saveSnapshot } from '../../../src/offline/snapshot.ts';
import { useSession } from '../../../src/session/session.ts';
import { isAsleep, stateOf } from '../../../src/shift/inHand/inHandStates.ts';
import { NOTHING_IN_HAND, useInHand } from '../../../src/shift/inHand/inHandStore.ts';
import { useQueue } from '../../../src/shift/inHand/sendActions.ts';
import { json } from '../api/fakeServer.ts';
import { alert, row, START, startBoardServer } from '../screens/board/boardServer.ts';
import { forgetEverything } from '../offline/fakeStorage.ts';
import { open, pass } from './inHand/openPage.tsx';

const ID = 'tfl:1';
const PATH = `responses/${encodeURIComponent(ID)}`;
const ANNA = { id: '1', name: 'Anna' };

let server: ReturnType<typeof startBoardServer>['server'];
let state: TeamResponse;
let notes: object[];
/** Calls that wait for the end of a slow answer; null: answers come at once. */
let slow: (() => void)[] | null;

const placed = alert(ID, { latitude: 53.7, longitude: -1.6 });

const answer = (body: object) => json(200, body, { date: new Date().toUTCString() });
/** The present answer, which arrives when the test lets it. */
const slowly = async (body: object) => {
  const reply = answer(body);
  if (slow) await new Promise<void>((arrive) => slow!.push(arrive));
  return reply;
};

// The part loads after the rows; here it is loaded at once.
beforeAll(() =>
  Promise.all([import('../../../src/shift/InHand.tsx'), import('../../../src/shift/InHandFull.tsx')]),
);
beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  useInHand.setState(NOTHING_IN_HAND);
  useQueue.setState({ items: [], taken: [] });
  useSession.setState({ user: { ...ANNA, email: '', displayName: 'Anna', isAdmin: false } as never });
  vi.useFakeTimers();
  vi.setSystemTime(START);
  ({ server } = startBoardServer([row('rail-network', [placed])]));
  state = noResponse(ID);
  notes = [];
  slow = null;
  server.answers.set('disruptions/', () => answer({ events: [placed], total: 1, next_cursor: null }));
  server.answers.set(`disruptions/${encodeURIComponent(ID)}`, () => answer({ ...placed, history: [] }));
  server.answers.set('responses/', () =>
    slowly({ responses: state.rev > 0 ? [state] : [], total: 1, reports: [], latest: null }),
  );
  server.answers.set(PATH, ({ method, headers, body }) => {
    if (method === 'GET') return slowly({ response: state, log: [...notes] });
    if (Number(headers.get('if-match')) !== state.rev) return json(409, { detail: 'Ben was first.' });
    const done = { by: ANNA, at: String(body['at']) };
    const next = { ...state, rev: state.rev + 1 };
    if (method === 'DELETE') state = { ...noResponse(ID), rev: next.rev };
    else if (body['disposition']) state = { ...next, ...done, disposition: body['disposition'] as never };
    else {
      const asleep = { until: '2026-11-21T13:00:00.000Z', change: false, critical: false };
      state = { ...next, snooze: body['snooze'] ? { ...done, ...asleep } : null };
    }
    return answer(state);
  });
  server.answers.set(`${PATH}/notes`, ({ body }) => {
    const { id, at, text } = body;
    const note = { id, at, text, event_id: ID, received_at: at, by: ANNA, action: 'note', detail: {} };
    notes.push({ ...note, struck_at: null });
    return answer(notes[0]!);
  });
});
afterEach(async () => {
  if (slow) await arrive();
  await pass(1000); // the queue, which outlives a page, has come to rest
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const tap = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(200);
};
const press = async (key: string) => {
  fireEvent.keyDown(screen.getAllByRole('link', { name: /of tfl:1/ })[0]!, { key });
  await pass(200);
};
/** Lets all answers in progress arrive, in the order in which they were given. */
async function arrive() {
  const waiting = slow!;
  slow = null;
  for (const one of waiting) one();
  await pass(200);
}

it('shows from the tap on, even while the list that knows it is on its way', async () => {
  await open('/disruptions/list', ListPage);
  slow = [];
  await press('a');
  expect(state.disposition).toBe('dealing_with_it');
  expect(useQueue.getState().items).toEqual([]);
  expect(slow.length).toBeGreaterThan(0);
  expect(screen.getByText(/Anna · Dealing with it/)).toBeTruthy();
  await arrive();
  expect(screen.getByText(/Anna · Dealing with it/)).toBeTruthy();
});

it('is taken back before the list that knows it has come', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  slow = [];
  await tap('Acknowledge');
  await tap(/^Undo/);
  expect(screen.queryByText('Ben was first.')).toBeNull();
  expect(state).toMatchObject({ rev: 2, disposition: null });
  expect(screen.queryByText(/Anna · Dealing with it/)).toBeNull();
  await arrive();
  expect(screen.queryByText(/Anna · Dealing with it/)).toBeNull();
});

it('gives way to somebody else’s later action', async () => {
  await open('/disruptions/list', ListPage);
  await press('a');
  const ben = { id: '2', name: 'Ben' };
  state = { ...state, rev: 2, by: ben, disposition: 'diverted', at: new Date().toISOString() };
  await pass(61_000);
  expect(screen.getByText(/Ben · Diverted/)).toBeTruthy();
  expect(screen.queryByText(/Anna/)).toBeNull();
});

it('is not shown to the next person at this device', async () => {
  const { unmount } = await open('/disruptions/list', ListPage);
  slow = [];
  await press('a');
  expect(screen.getByText(/Anna · Dealing with it/)).toBeTruthy();
  unmount();
  localStorage.setItem('clearway_scope', 'scope-of-ben');
  await open('/disruptions/list', ListPage);
  expect(screen.queryByText(/Anna/)).toBeNull();
});

it('wakes a snoozed alert only if it has become critical since', () => {
  const asleep = (critical: boolean, severity: 'critical' | 'high') =>
    isAsleep(
      {
        ...noResponse(ID),
        snooze: { until: '2026-11-21T13:00:00.000Z', change: false, by: null, at: null, critical },
      },
      alert(ID, { severity }),
      START,
    );
  expect([asleep(false, 'high'), asleep(true, 'critical'), asleep(false, 'critical')]).toEqual([
    true,
    true,
    false,
  ]);
});

it('is in hand by any of its reports, first by its own', () => {
  const metadata = { also_reported_by: [{ event_id: 'tfl:2', source: 'tfl', title: '', severity: 'high' }] };
  const merged = alert(ID, { metadata: metadata as never });
  const [own, other] = [noResponse(ID), noResponse('tfl:2')];
  expect(stateOf(new Map([['tfl:2', other]]), merged)).toBe(other);
  expect(
    stateOf(
      new Map([
        ['tfl:2', other],
        [ID, own],
      ]),
      merged,
    ),
  ).toBe(own);
});

it('brings back the last that was snoozed, and the list of the snoozed stays closed at the next snooze', async () => {
  state = {
    ...state,
    rev: 1,
    snooze: { until: '2026-11-21T13:00:00.000Z', change: false, critical: false, by: ANNA, at: null },
  };
  await open('/disruptions/list', ListPage);
  slow = [];
  await tap('1 snoozed');
  await tap('Bring back');
  expect(state.snooze).toBeNull();
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
  await press('s');
  fireEvent.click(within(screen.getByRole('dialog', { hidden: true })).getByText('1 h'));
  await pass(200);
  expect(state.snooze).not.toBeNull();
  expect(screen.getByRole('button', { name: '1 snoozed' })).toBeTruthy();
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
  await arrive();
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
});

it('a note is shown once from its sending on, under its author’s name', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  slow = [];
  await tap('Add a note');
  fireEvent.change(screen.getByRole('textbox', { hidden: true }), { target: { value: 'Rang the driver.' } });
  fireEvent.click(screen.getByText('Add the note'));
  await pass(200);
  expect(notes).toHaveLength(1);
  const found = () => screen.getAllByText('Rang the driver.').map((one) => one.closest('li')?.textContent);
  expect(found()).toEqual([expect.stringContaining('Anna')]);
  await arrive();
  expect(found()).toEqual([expect.stringContaining('Anna')]);
});

it('a note is struck out from the tap on, and its button gone', async () => {
  const at = new Date().toISOString();
  notes = [
    {
      id: 'n1',
      event_id: ID,
      at,
      received_at: at,
      by: ANNA,
      action: 'note',
      text: 'Rang.',
      detail: {},
      struck_at: null,
    },
  ];
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  slow = [];
  server.answers.set(`${PATH}/notes/n1/strike`, () => slowly({}));
  await tap('Strike out');
  const step = screen.getByText('Rang.').closest('li')!;
  expect(step.textContent).toMatch(/Anna\. Struck out \d\d:\d\d$/);
  expect(within(step).queryByRole('button')).toBeNull();
});

it('leaves the focus at the answers when the pressed one goes', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  const button = screen.getByRole('button', { name: 'Acknowledge' });
  button.focus();
  fireEvent.click(button);
  await pass(200);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change' }));
});

it('its keys do nothing in a field, under a dialog, with a modifier, when off, or before it is loaded', async () => {
  const waiting = () => useQueue.getState().items.length + useQueue.getState().taken.length;
  slow = [];
  await open('/disruptions/list', ListPage);
  await press('a');
  expect(waiting()).toBe(0);
  await arrive();
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'a' });
  fireEvent.keyDown(screen.getAllByRole('link', { name: /of tfl:1/ })[0]!, { key: 'a', ctrlKey: true });
  for (const [name, attribute] of [
    ['dialog', 'open'],
    ['p', 'data-letters'],
  ] as const) {
    const other = document.body.appendChild(document.createElement(name));
    other.setAttribute(attribute, 'off');
    await press('a');
    other.remove();
  }
  expect(waiting()).toBe(0);
  await press('a');
  expect(waiting()).toBe(1);
});

it('a key is for the alert with the focus; without one, for the only one on the page', async () => {
  const other = { ...placed, event_id: 'tfl:2', title: 'Title of tfl:2' };
  server.answers.set('disruptions/', () => answer({ events: [placed, other], total: 2, next_cursor: null }));
  await open('/disruptions/list', ListPage);
  fireEvent.keyDown(document.body, { key: 'a' });
  await pass(200);
  expect(useQueue.getState().taken).toEqual([]);
});

it('asks before it drops words that wait to be sent, and closes its list with the last', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  server.lines.set(`${PATH}/notes`, 'cut');
  await tap('Add a note');
  fireEvent.change(screen.getByRole('textbox', { hidden: true }), { target: { value: 'Rang the driver.' } });
  fireEvent.click(screen.getByText('Add the note'));
  await pass(200);
  await pass(1000);
  fireEvent.click(screen.getByText('Not sent yet (1).'));
  await pass(200);
  fireEvent.click(screen.getByText('Delete'));
  await pass(200);
  expect(useQueue.getState().items).toHaveLength(1);
  fireEvent.click(screen.getByText('Delete it'));
  await pass(200);
  expect(useQueue.getState().items).toEqual([]);
  expect(screen.queryByText(/^Not sent yet/)).toBeNull();
  server.lines.set(PATH, 'cut');
  await tap('Acknowledge');
  await pass(200);
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
});

it('an alert that the server no longer has is not shown from the kept board', async () => {
  server.answers.set(`disruptions/${encodeURIComponent(ID)}`, () => json(404, { detail: 'Not found' }));
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  expect(screen.getByText(/^This alert is not here\./)).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});

it('an alert is shown, without a network, in the newest words that this device keeps', async () => {
  server.lines.set(`disruptions/${encodeURIComponent(ID)}`, 'cut');
  const copy = (answered: object, at: Date) => () =>
    json(200, answered, { date: at.toUTCString(), 'x-sw-source': 'cache' });
  const feeds = { feeds: [row('rail-network', [alert(ID, { title: 'Old words' })])], total: 1 };
  const list = { events: [alert(ID, { title: 'New words' })], total: 1, next_cursor: null };
  server.answers.set('feeds/', copy(feeds, new Date(START.getTime() - 600_000)));
  server.answers.set('disruptions/', copy(list, START));
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  await pass(5000);
  expect(screen.getByRole('article').textContent).toContain('New words');
});

it('an alert is shown from the stored board if neither a worker nor a network answers', async () => {
  const rows = [row('rail-network', [alert(ID, { title: 'Words of the board' })])];
  await saveSnapshot(BOARD_SNAPSHOT, { rows, outlook: { nextUp: null } }, START);
  for (const path of [`disruptions/${encodeURIComponent(ID)}`, 'feeds/', 'disruptions/'])
    server.lines.set(path, 'cut');
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  await pass(5000);
  expect(screen.getByRole('article').textContent).toContain('Words of the board');
});
