import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { NetChange } from '#contract/incidents/changes.ts';
import { BoardPage, setCompact } from '../../../../src/screens/board/BoardPage.tsx';
import { setDemo } from '../../../../src/screens/board/demoMode.ts';
import { Ours } from '../../../../src/shift/reports/Ours.tsx';
import { useInHand } from '../../../../src/shift/inHand/inHandStore.ts';
import { changeWords } from '../../../../src/shift/changes/ChangesStrip.tsx';
import { useUnseen } from '../../../../src/shift/changes/changeStore.ts';
import { json } from '../../api/fakeServer.ts';
import { alert, row, START, startBoardServer } from '../../screens/board/boardServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

const SECOND = 1000;

const change = (event_id: string, over: Partial<NetChange> = {}): NetChange => ({
  event_id,
  source: 'tfl',
  kind: 'new',
  at: '2026-11-21T07:51:00.000Z',
  title: `Title of ${event_id}`,
  severity: 'high',
  severity_from: null,
  worse_at: null,
  phase: 'active',
  ended_reason: null,
  fields: [],
  end_time_from: null,
  end_time: null,
  ...over,
});

let server: ReturnType<typeof startBoardServer>;
let asked: string[];
let looks: unknown[];
let badge: number;
let answer: Record<string, unknown>;

// The strip loads after the rows; here it is loaded at once.
beforeAll(() => import('../../../../src/shift/changes/ChangesStrip.tsx'));
beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  setDemo(false);
  setCompact(true);
  history.replaceState(null, '', '/disruptions');
  vi.useFakeTimers();
  vi.setSystemTime(START);
  badge = -1;
  Object.assign(navigator, {
    setAppBadge: async (count: number) => (badge = count),
    clearAppBadge: async () => (badge = 0),
  });
  server = startBoardServer([row('rail-network', [alert('a', { severity: 'critical' }), alert('b')])]);
  asked = [];
  looks = [];
  answer = {
    since: '2026-11-21T06:00:00.000Z',
    batch: 40,
    complete: true,
    shift_start: '2026-11-21T06:00:00.000Z',
    looked: { batch: 31, at: '2026-11-21T07:42:00.000Z' },
    counts: { new: 1, worse: 1, cleared: 1, lost: 1 },
    changes: [
      change('a', { kind: 'worse', severity: 'critical', severity_from: 'medium' }),
      change('b'),
      change('c', { kind: 'cleared', at: '2026-11-21T07:58:00.000Z', ended_reason: 'publisher' }),
      change('d', { kind: 'lost', at: '2026-11-21T07:40:00.000Z', ended_reason: 'expired' }),
    ],
    total: 4,
    unseen: 2,
    unseen_messages: 3,
  };
  server.server.answers.set('changes/summary', ({ query }) => {
    asked.push([query.get('since'), query.get('seen_at')].filter(Boolean).join(' '));
    return json(200, answer, { date: new Date().toUTCString() });
  });
  server.server.answers.set('changes/looks/board', ({ body }) => {
    looks.push(body);
    return new Response(null, { status: 204 });
  });
});
// Files share the module that knows it.
afterEach(() => setCompact(false));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
async function openBoard() {
  render(<BoardPage />);
  await pass(500);
  await act(() => vi.dynamicImportSettled());
  await pass(500);
  return screen.getByRole('region', { name: 'What changed' });
}

it('says what changed since the shift began, each a button', async () => {
  const strip = await openBoard();
  expect(strip.textContent).toContain('Since 06:00:1 new·1 worse·1 cleared·1 no longer known');
  expect(within(strip).getAllByRole('button')).toHaveLength(4);
  expect(
    within(strip)
      .getAllByRole('radio')
      .map(({ parentElement }) => parentElement!.textContent),
  ).toEqual(['Since shift start', 'Since I looked (07:42)', '24 hours']);
});

it('counts new alerts that have got worse since under both', async () => {
  answer['counts'] = { new: 1, worse: 1, cleared: 0, lost: 0 };
  answer['changes'] = [change('b', { worse_at: '2026-11-21T07:56:00.000Z' })];
  const strip = await openBoard();
  for (const count of [/new/, /worse/]) {
    fireEvent.click(within(strip).getByRole('button', { name: count }));
    await pass(100);
    const feed = screen.getByRole('article', { name: 'Rail Network' });
    expect(within(feed).getAllByText(/Title of b/).length).toBeGreaterThan(0);
    expect(within(feed).queryByText(/Title of a/)).toBeNull();
  }
});

it('says only the later of when it was new and since when it is, and no "worse" beside "easing"', async () => {
  const began = alert('a', { severity: 'critical', start_time: '2026-11-21T07:55:00.000Z' });
  const eased = alert('b', {
    severity: 'high',
    trend: { direction: 'easing', since: '2026-11-21T07:57:00.000Z', change: 'Critical to High' },
  });
  server.rows = [row('rail-network', [began]), row('roads-uk', [eased])];
  answer['changes'] = [
    change('a', { severity: 'critical' }),
    change('b', { kind: 'worse', severity_from: 'medium' }),
  ];
  await openBoard();
  const rail = screen.getByRole('article', { name: 'Rail Network' });
  expect(rail.textContent).toContain('since 07:55');
  expect(rail.textContent).not.toContain('New 07:51');
  const roads = screen.getByRole('article', { name: 'UK Roads' });
  expect(roads.textContent).toContain('easing');
  expect(roads.textContent).not.toContain('Worse');
});

it('says "new to us" for an incident that began before Clearway knew it', async () => {
  server.rows = [
    row('rail-network', [
      alert('a', { severity: 'critical', start_time: '2026-11-21T07:49:00.000Z' }),
      alert('b', { severity: 'high', start_time: '2026-11-21T07:51:10.000Z' }),
    ]),
  ];
  answer['changes'] = [
    change('a', { severity: 'critical' }),
    change('b', { at: '2026-11-21T07:51:40.000Z' }), // in the same minute
  ];
  await openBoard();
  const rail = screen.getByRole('article', { name: 'Rail Network' });
  expect(rail.textContent).toContain('since 07:49');
  expect(rail.textContent!.match(/New( to us)? 07:51/g)).toEqual(['New to us 07:51', 'New 07:51']);
});

it('gives rows their small words, even if they lead or follow others', async () => {
  server.rows = [
    row('rail-network', [
      alert('a', { severity: 'critical' }),
      alert('b', { severity: 'high', start_time: '2026-11-21T07:40:00.000Z' }),
    ]),
  ];
  await openBoard();
  const rail = screen.getByRole('article', { name: 'Rail Network' });
  expect(rail.textContent).toContain('Worse: was Medium');
  expect(rail.textContent).toContain('New to us 07:51');
});

it('says how far back changes are kept, if that is too short', async () => {
  const kept_from = new Date(START.getTime() - 30 * 24 * 60 * 60 * SECOND).toISOString();
  Object.assign(answer, { complete: false, kept_from });
  expect((await openBoard()).textContent).toContain('Too long ago to compare. Showing the last 30 days.');
});

it('names the grade before only if the row shows a grade', async () => {
  answer['changes'] = [change('a', { kind: 'better', severity: 'medium', severity_from: 'high' })];
  await openBoard();
  expect(screen.getByRole('article', { name: 'Rail Network' }).textContent).not.toContain('Better');
});

const railRow = () => screen.getByRole('article', { name: 'Rail Network' });
const allAlerts = () =>
  within(within(railRow()).getByRole('list', { name: 'All alerts' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it.each([true, false])(
  'a count leaves in each row what it counts, until it is pressed again or the switch moves; compact: %s',
  async (compact) => {
    setCompact(compact);
    server.rows.push(row('roads-uk', [alert('m62', { source: 'national-highways', title: 'M62 closed' })]));
    const strip = await openBoard();
    const fresh = within(strip).getByRole('button', { name: '1 new' });
    fireEvent.click(fresh);
    expect(fresh.getAttribute('aria-pressed')).toBe('true');
    expect(allAlerts()).toEqual([expect.stringContaining('Title of b')]);
    const roads = screen.getByRole('article', { name: 'UK Roads' });
    expect(roads.textContent).toContain('Nothing is new');
    expect(roads.textContent).not.toContain('M62 closed');
    // The count of its feed stays the same.
    expect(roads.textContent).toContain('1 active');
    fireEvent.click(fresh);
    expect(allAlerts()).toHaveLength(2);
    expect(roads.textContent).toContain('M62 closed');

    fireEvent.click(within(strip).getByRole('button', { name: '1 cleared' }));
    expect(allAlerts()).toEqual([expect.stringContaining('Title of c. Cleared 07:58 (publisher)')]);
    const over = within(railRow()).getByRole('heading', { level: 3, name: 'Title of c' });
    expect(over.closest('[data-gone]')!.getAttribute('data-fresh')).toBe('stale');
    fireEvent.click(within(strip).getByRole('button', { name: '1 no longer known' }));
    expect(railRow().textContent).toContain('Not reported since 07:40');
    fireEvent.click(within(strip).getByRole('radio', { name: '24 hours' }));
    await pass(SECOND);
    expect(allAlerts()).toHaveLength(2);
    expect(asked.at(-1)).toBe('day');
  },
);

it('lists the own reports that it counts, which are in no row', async () => {
  const own = { source: 'own:leeds' };
  answer = {
    ...answer,
    counts: { new: 2, worse: 0, cleared: 1, lost: 1 },
    changes: [
      change('b'),
      change('own:leeds:1', own),
      change('own:leeds:2', { ...own, kind: 'cleared', ended_reason: 'publisher' }),
      change('d', { kind: 'lost' }),
    ],
  };
  const strip = await openBoard();
  const listed = (name: string) => {
    fireEvent.click(within(strip).getByRole('button', { name }));
    return screen.queryByRole('region', { name: /^Only what is/ })?.textContent;
  };
  expect(listed('2 new')).toBe('HighTitle of own:leeds:1OursNew 07:51');
  expect(listed('1 cleared')).toBe('HighTitle of own:leeds:2OursCleared 07:51 (publisher)');
  expect(listed('1 no longer known')).toBeUndefined();
  act(() => useInHand.setState({ snoozed: new Set(['own:leeds:1']) }));
  expect(listed('1 new')).toBeUndefined();
});

it('marks changes in the list of our own reports too', async () => {
  const own = { event_id: 'own:leeds:1', source: 'own:leeds', severity: 'critical' as const };
  answer['changes'] = [change(own.event_id, { ...own, kind: 'worse', severity_from: 'high' })];
  await openBoard();
  act(() => useInHand.setState({ listed: <Ours />, ours: [alert(own.event_id, own)] }));
  const ours = screen.getByRole('region', { name: 'Ours' });
  expect(within(ours).getByRole('listitem').textContent).toContain('Worse: was High');
});

it('counts alerts beyond the worst 20 of a feed, and never snoozed ones', async () => {
  answer = {
    ...answer,
    counts: { new: 2, worse: 0, cleared: 0, lost: 0 },
    changes: [change('b'), change('z')],
  };
  const strip = await openBoard();
  act(() => useInHand.setState({ snoozed: new Set(['b']) }));
  fireEvent.click(within(strip).getByRole('button', { name: '1 new' }));
  expect(allAlerts()).toEqual([expect.stringContaining('Title of z')]);
});

it.each([true, false])(
  'cleared alerts stay in the last line of their row, after the grave ones; compact: %s',
  async (compact) => {
    setCompact(compact);
    server.rows.splice(0, 1, row('rail-network', [alert('a', { severity: 'critical' })]));
    await openBoard();
    // The newest of the two.
    expect(railRow().textContent).toContain('ClearedTitle of cCleared 07:58 (publisher)');
    cleanup();
    const high = alert('h', { severity: 'high' });
    server.rows.splice(
      0,
      1,
      row('rail-network', [alert('a', { severity: 'critical' }), high, { ...high, event_id: 'i' }]),
    );
    await openBoard();
    expect(railRow().textContent).not.toContain('Title of cCleared');
    cleanup();
    server.rows.splice(0, 1, row('rail-network', [], { freshness: 'fresh' }));
    await openBoard();
    expect(railRow().textContent).toContain('Cleared 07:58 (publisher): Title of c');
  },
);

it('lists cleared alerts last in an opened row, apart from those in force', async () => {
  await openBoard();
  fireEvent.click(screen.getByRole('button', { name: /^Rail Network/ }));
  await import('../../../../src/screens/board/rows/OpenedRow.tsx'); // its chunk takes real time to load
  await pass(50);
  const gone = screen.getByRole('region', { name: 'Cleared or no longer known' });
  expect(within(gone).getAllByRole('listitem')).toHaveLength(2);
});

it('has looked after 5 s of fresh rows, once for each batch, and keeps the comparison', async () => {
  const strip = await openBoard();
  const readAt = new Date(Date.now() - SECOND).toISOString();
  expect(looks).toEqual([]);
  await pass(6 * SECOND);
  expect(looks).toEqual([{ batch: 40, at: readAt }]);
  answer = { ...answer, looked: { batch: 40, at: '2026-11-21T11:59:38.000Z' } };
  await pass(120 * SECOND);
  expect(looks).toHaveLength(1);
  fireEvent.click(within(strip).getByRole('radio', { name: 'Since I looked (07:42)' }));
  await pass(SECOND);
  expect(asked.at(-1)).toBe('31 2026-11-21T07:42:00.000Z');
  expect(strip.textContent).toContain('Since 07:42:');
});

it('has looked again at a new report of our own, which is in no batch', async () => {
  await openBoard();
  await pass(6 * SECOND);
  const own = { source: 'own:leeds', at: new Date().toISOString() };
  answer = { ...answer, changes: [change('own:leeds:1', own)] };
  await pass(66 * SECOND);
  expect(looks).toHaveLength(2);
  await pass(120 * SECOND);
  expect(looks).toHaveLength(2);
});

it('compares with the same look after a short look elsewhere, and with the newer after a long one', async () => {
  let visibility: DocumentVisibilityState = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  const away = async (ms: number) => {
    visibility = 'hidden';
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(ms);
    visibility = 'visible';
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(SECOND);
  };
  const strip = await openBoard();
  await pass(6 * SECOND);
  expect(looks).toEqual([{ batch: 40, at: expect.any(String) }]);
  await away(30 * SECOND);
  expect(within(strip).getByRole('radio', { name: 'Since I looked (07:42)' })).toBeTruthy();
  await away(5 * 60 * SECOND);
  expect(within(strip).queryByRole('radio', { name: 'Since I looked (07:42)' })).toBeNull();
});

it('has not looked while the rows are old, and repeats a look that the server did not hear', async () => {
  let isBusy = true;
  server.server.answers.set('changes/looks/board', ({ body }) => {
    looks.push(body);
    return isBusy ? json(503, { detail: 'Busy.' }) : new Response(null, { status: 204 });
  });
  await openBoard();
  await pass(6 * SECOND);
  expect(looks).toHaveLength(1);
  expect(badge).toBe(2);
  isBusy = false;
  answer = { ...answer, batch: 41 };
  await pass(66 * SECOND);
  expect(looks.at(-1)).toMatchObject({ batch: 41 });
});

it('has not looked at old rows, even if it knows what changed', async () => {
  await openBoard();
  await pass(6 * SECOND);
  server.server.lines.set('feeds/', 'cut');
  await pass(90 * SECOND);
  answer = { ...answer, batch: 41 };
  await pass(90 * SECOND);
  expect(asked.length).toBeGreaterThan(2);
  expect(looks).toEqual([{ batch: 40, at: expect.any(String) }]);
});

it('never shows a kept summary for another span', async () => {
  await openBoard();
  cleanup();
  server.cut();
  await pass(20 * 60 * SECOND);
  const strip = await openBoard();
  await pass(SECOND);
  expect(strip.textContent).toContain('1 new');
  fireEvent.click(within(strip).getByRole('radio', { name: '24 hours' }));
  await pass(SECOND);
  expect(strip.textContent).not.toContain('1 new');
});

it('ignores a kept summary that it does not know', async () => {
  await openBoard();
  cleanup();
  const snapshots = globalThis.keptStores!.get('clearway-snapshots/snapshots')!;
  for (const [name, kept] of snapshots)
    if (name.startsWith('changes ')) snapshots.set(name, { ...(kept as object), data: { batch: 'torn' } });
  server.cut();
  await pass(20 * 60 * SECOND);
  const strip = await openBoard();
  await pass(SECOND);
  expect(strip.textContent).not.toMatch(/new|worse/);
});

it('has not looked while the page is hidden', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  render(<BoardPage />);
  await pass(30 * SECOND);
  expect(looks).toEqual([]);
});

it('gives the number on the app’s icon: unseen alerts on the own routes, or critical ones without routes', async () => {
  await openBoard();
  expect(badge).toBe(2);
  await pass(6 * SECOND);
  expect(badge).toBe(0);
  answer = { ...answer, batch: 41, unseen: 3 };
  server.server.answers.set('changes/looks/board', () => json(503, { detail: 'Busy' }));
  await pass(61 * SECOND);
  expect(badge).toBe(3);
  answer = { ...answer, unseen: null };
  await pass(61 * SECOND);
  expect(badge).toBe(1);
});

it('the board’s refresh brings the number of unseen messages, and no other call asks for it there', async () => {
  await openBoard();
  expect(useUnseen.getState().count).toBe(3);
  answer = { ...answer, unseen_messages: 4 };
  await pass(61 * SECOND);
  expect(useUnseen.getState().count).toBe(4);
  // This server does not send the number.
  answer = { ...answer, unseen_messages: undefined };
  await pass(61 * SECOND);
  expect(useUnseen.getState().count).toBe(4);
});

it('without a network it says what it knew, and up to when', async () => {
  await openBoard();
  cleanup();
  server.cut();
  await pass(20 * 60 * SECOND);
  const strip = await openBoard();
  await pass(SECOND);
  expect(strip.textContent).toMatch(/^Known up to 11:59\. Since 06:00:1 new/);
});

it('keeps its counts even if a later answer is a refusal', async () => {
  const strip = await openBoard();
  server.server.answers.set('changes/summary', () => json(422, { detail: 'Another build.' }));
  await pass(65 * SECOND);
  expect(strip.isConnected).toBe(true);
  expect(strip.textContent).toContain('1 new');
});

it('is not there if the server does not know the call', async () => {
  server.server.answers.delete('changes/summary');
  render(<BoardPage />);
  await pass(SECOND);
  expect(screen.queryByRole('region', { name: 'What changed' })).toBeNull();
});

const NOW = new Date('2026-11-21T08:14:00.000Z');
it.each([
  [change('x'), 'New 07:51'],
  [change('x', { kind: 'worse', severity_from: 'medium' }), 'Worse: was Medium'],
  [
    change('x', {
      kind: 'changed',
      fields: ['end_time'],
      end_time_from: '2026-11-21T09:00:00.000Z',
      end_time: '2026-11-21T14:00:00.000Z',
    }),
    'Changed: end time 09:00 → 14:00',
  ],
  [change('x', { kind: 'changed', fields: ['title'] }), 'Changed 07:51'],
  [change('x', { kind: 'cleared', ended_reason: 'publisher' }), 'Cleared 07:51 (publisher)'],
  [change('x', { kind: 'cleared', ended_reason: 'absent' }), 'Cleared 07:51 (no longer listed)'],
  [change('x', { kind: 'lost' }), 'Not reported since 07:51'],
])('%o reads %s', (net, words) => {
  expect(changeWords(net, NOW)).toBe(words);
});
