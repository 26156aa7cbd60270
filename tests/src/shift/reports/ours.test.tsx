import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { OwnReport } from '#contract/shift/responses.ts';
import { AlertPage } from '../../../../src/screens/alert/AlertPage.tsx';
import { BoardPage } from '../../../../src/screens/board/BoardPage.tsx';
import { setDemo } from '../../../../src/screens/board/demoMode.ts';
import { ListPage } from '../../../../src/screens/list/ListPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { WallPage } from '../../../../src/screens/wall/WallPage.tsx';
import { NOTHING_IN_HAND, useInHand } from '../../../../src/shift/inHand/inHandStore.ts';
import { json } from '../../api/fakeServer.ts';
import { alert, row, START, startBoardServer } from '../../screens/board/boardServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';
import { open, pass } from '../inHand/openPage.tsx';

const MINUTE = 60_000;
const ID = 'own:leeds:1';
const ANNA = { id: '1', name: 'Anna' };

const report = (over: Partial<OwnReport> = {}): OwnReport => ({
  disruption: {
    event_id: ID,
    source: 'own:leeds',
    severity: 'critical',
    event_type: 'own.report',
    title: 'M62 J27 to J28: Car on fire',
    summary_line: 'Both lanes.',
    collected_at: '2026-11-21T11:00:00.000Z',
    updated_at: '2026-11-21T11:00:00.000Z',
    start_time: '2026-11-21T11:00:00.000Z',
    end_time: null,
    latitude: 53.7,
    longitude: -1.6,
    metadata: { phase: 'active', roads: ['M62'], ask_again_at: '2026-11-21T13:00:00.000Z' },
    facts: {
      place: 'M62 J27 to J28',
      effect: 'Car on fire',
      cause: null,
      advice: [],
      expected_clear: null,
      expected_clear_from: null,
      lanes: null,
      delay_minutes: null,
      roads: ['M62'],
      aside: [],
      stretch: [{ road: 'M62', from: 'J27', to: 'J28' }],
      direction: 'E',
      slip: null,
      closed: 'full' as const,
    },
  },
  by: ANNA,
  note: 'Both lanes.',
  rev: 3,
  ended_at: null,
  ...over,
});

const askedAt = (ask_again_at: string, over: Partial<OwnReport> = {}) =>
  report({
    ...over,
    disruption: { ...report().disruption, metadata: { phase: 'active', roads: ['M62'], ask_again_at } },
  });

let server: ReturnType<typeof startBoardServer>;
let reports: OwnReport[];
let changes: unknown[];

// The part loads after the rows; here it is loaded at once.
beforeAll(() =>
  Promise.all([import('../../../../src/shift/InHand.tsx'), import('../../../../src/shift/InHandFull.tsx')]),
);
beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  setDemo(false);
  useInHand.setState(NOTHING_IN_HAND);
  useSession.setState({ user: { ...ANNA, email: '', displayName: 'Anna', isAdmin: false } as never });
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer([row('rail-network', [alert('a')])]);
  reports = [report()];
  changes = [];
  server.server.answers.set('responses/', () =>
    json(200, { responses: [], total: 0, reports, latest: null }, { date: new Date().toUTCString() }),
  );
  server.server.answers.set('disruptions/', () =>
    json(200, { events: [alert('a')], total: 1, next_cursor: null }, { date: new Date().toUTCString() }),
  );
  server.server.answers.set(`reports/${encodeURIComponent(ID)}`, ({ method, body }) => {
    if (method === 'PATCH') {
      changes.push(body);
      reports = [report({ rev: 4, ...(body['ended'] ? { ended_at: new Date().toISOString() } : {}) })];
    }
    return json(200, reports[0], { date: new Date().toUTCString() });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('has a row of its own on the board, counted in the strip and in no feed', async () => {
  await open('/disruptions', BoardPage);
  const ours = screen.getByRole('region', { name: 'Ours' });
  expect(within(ours).getByRole('listitem').textContent).toBe(
    'CriticalM62 J27 to J28: Car on fireAnnaOur report, we ask again at 13:00',
  );
  expect(within(ours).getByRole('link').getAttribute('href')).toBe(`/disruptions/${encodeURIComponent(ID)}`);
  expect(screen.getByRole('link', { name: /1 ours/ }).getAttribute('href')).toBe(`#${ours.id}`);
  expect(screen.getByRole('article', { name: 'Rail Network' }).textContent).not.toContain('Car on fire');
});

it('leads "Worst now" and counts in the totals as any other alert, on the board', async () => {
  server.rows = [
    row('rail-network', [alert('a', { severity: 'critical' }), alert('b', { severity: 'high' })]),
  ];
  await open('/disruptions', BoardPage);
  const band = screen.getByRole('region', { name: 'Worst now' });
  expect(band.textContent).toContain('Critical, 1 of 2');
  fireEvent.click(within(band).getByRole('button', { name: 'Next, 2 of 2' }));
  expect(band.textContent).toContain('Car on fire');
  expect(band.textContent).toContain('Ours');
  const totals = screen.getByRole('list', { name: 'Active alerts of all feeds' });
  expect(within(totals).getAllByRole('listitem')[0]!.textContent).toBe('2 Critical');
  const cells = within(screen.getByRole('list', { name: 'Feeds' })).getAllByRole('listitem');
  expect(cells.at(-1)!.textContent).toBe('Ours 1 active, worst Critical');
});

it('is no part of sample data', async () => {
  setDemo(true);
  await open('/disruptions', BoardPage);
  expect(screen.getByRole('region', { name: 'Worst now' }).textContent).not.toContain('Car on fire');
});

it('leads on a wall, and is counted in its totals; a new one at once', async () => {
  useSession.setState({ status: 'signedIn' });
  const many = ['a', 'b', 'c', 'd'].map((id) => alert(id, { severity: 'critical' }));
  server.rows = [row('rail-network', many)];
  reports = [report({ disruption: { ...report().disruption, start_time: START.toISOString() } })];
  await open('/disruptions?display=wall', WallPage);
  expect(screen.getByRole('region', { name: 'Worst now' }).textContent).toContain('Car on fire');
  const totals = screen.getByRole('list', { name: 'Active alerts of all feeds by severity' });
  expect(totals.textContent).toContain('5 Critical');
});

it('is on a wall beside the feeds, without its author and note, until it is given up', async () => {
  useSession.setState({ status: 'signedIn' });
  reports = [askedAt('2026-11-21T11:32:00.000Z')];
  await open('/disruptions?display=wall', WallPage);
  const ours = screen.getByRole('region', { name: 'Ours' });
  expect(within(ours).getByRole('listitem').textContent).toBe(' CriticalM62 J27 to J28Car on fire');
  expect(document.body.textContent).not.toMatch(/Anna|Both lanes/);
  await pass(3 * MINUTE);
  expect(screen.queryByRole('region', { name: 'Ours' })).toBeNull();
});

it('leaves the worst two on a wall and counts the others, and none that is snoozed', async () => {
  useSession.setState({ status: 'signedIn' });
  const named = (id: string, severity: 'critical' | 'low') =>
    report({
      disruption: {
        ...report().disruption,
        event_id: `own:leeds:${id}`,
        facts: { ...report().disruption.facts!, effect: `Fire ${id}` },
        severity,
      },
    });
  reports = [named('1', 'low'), named('2', 'critical'), named('3', 'critical'), named('4', 'critical')];
  const snooze = { until: '2026-11-21T13:00:00.000Z', change: false, by: null, at: null };
  const asleep = { event_id: 'own:leeds:2', rev: 1, disposition: null, by: null, at: null, lapsed: null };
  server.server.answers.set('responses/', () =>
    json(
      200,
      { responses: [{ ...asleep, lapsed_at: null, snooze }], total: 1, reports, latest: null },
      { date: new Date().toUTCString() },
    ),
  );
  await open('/disruptions?display=wall', WallPage);
  const ours = screen.getByRole('region', { name: 'Ours, and 1 more' });
  expect(
    within(ours)
      .getAllByRole('listitem')
      .map(({ textContent }) => /Fire \d/.exec(textContent)?.[0]),
  ).toEqual(['Fire 3', 'Fire 4']);
});

it('is gone from the board half an hour after its author was asked, even without a network', async () => {
  reports = [askedAt('2026-11-21T11:31:00.000Z')];
  await open('/disruptions', BoardPage);
  expect(screen.getByRole('region', { name: 'Ours' })).toBeTruthy();
  server.cut();
  await pass(2 * MINUTE);
  expect(screen.queryByRole('region', { name: 'Ours' })).toBeNull();
});

it('asks its author at the announced time, who goes on or ends it', async () => {
  reports = [askedAt('2026-11-21T12:01:00.000Z')];
  await open('/disruptions', BoardPage);
  expect(screen.queryByText('Still happening?')).toBeNull();
  await pass(2 * MINUTE);
  expect(screen.getByText('Still happening?')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Yes, 2 h more' }));
  await pass(500);
  expect(changes).toEqual([{ ask_again_at: expect.stringMatching(/^2026-11-21T14:01/) }]);
});

it('asks once, however slow the answer and the list are, and again after a failure', async () => {
  reports = [askedAt('2026-11-21T12:00:00.000Z')];
  await open('/disruptions', BoardPage);
  await pass(MINUTE);
  let give = (_: Response) => {};
  let asked = 0;
  server.server.answers.set(`reports/${encodeURIComponent(ID)}`, () => {
    asked += 1;
    return new Promise<Response>((resolve) => (give = resolve));
  });
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'It is over' }));
  press();
  await pass(100);
  press();
  await pass(100);
  expect(asked).toBe(1);
  give(json(503, { detail: 'Busy.' }));
  await pass(100);
  expect(screen.getByText(/Busy\./)).toBeTruthy();
  press();
  await pass(100);
  expect(asked).toBe(2);
  server.server.answers.set('responses/', () => new Promise(() => {}));
  give(json(200, report({ rev: 4, ended_at: new Date().toISOString() })));
  await pass(100);
  expect(screen.queryByText('Still happening?')).toBeNull();
});

it('asks no more once it was given up, even without a network', async () => {
  reports = [askedAt('2026-11-21T11:32:00.000Z')];
  await open('/disruptions', BoardPage);
  await pass(MINUTE);
  expect(screen.getByText('Still happening?')).toBeTruthy();
  server.cut();
  await pass(3 * MINUTE);
  expect(screen.queryByText('Still happening?')).toBeNull();
});

it('asks nobody but its author', async () => {
  reports = [askedAt('2026-11-21T12:00:00.000Z', { by: { id: '2', name: 'Ben' } })];
  await open('/disruptions', BoardPage);
  await pass(2 * MINUTE);
  expect(screen.getByRole('region', { name: 'Ours' })).toBeTruthy();
  expect(screen.queryByText('Still happening?')).toBeNull();
});

it('is in the list among all, marked, found by its filters, and not among ended ones', async () => {
  const { unmount } = await open('/disruptions/list', ListPage);
  const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows()[0]).toMatch(/Car on fire.*Ours/);
  expect(screen.getByText('2 of 2 shown')).toBeTruthy();
  unmount();
  await open('/disruptions/list?road=M62', ListPage);
  expect(rows().join()).toContain('Car on fire');
  expect(rows()).toHaveLength(1);
  fireEvent.click(screen.getByRole('radio', { name: 'Ended today' }));
  await pass(500);
  expect(rows().join()).not.toContain('Car on fire');
});

it('has a page of its own, which says that it is ours and can end it', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('M62 J27 to J28');
  const page = document.body.textContent;
  expect(page).toContain('Ours');
  expect(page).toContain('Reported byAnna');
  expect(page).toContain('Car on fire');
  expect(page).toContain('Our report, we ask again at 13:00');
  expect(page).not.toMatch(/until 13:00|clear at/i);
  fireEvent.click(screen.getByRole('button', { name: 'Still happening, ask in 2 h' }));
  await pass(500);
  expect(changes.splice(0)).toEqual([{ ask_again_at: expect.stringMatching(/^2026-11-21T13:59/) }]);
  expect(page).not.toMatch(/publisher|Published|own:leeds/i);
  fireEvent.click(screen.getByRole('button', { name: 'It is over' }));
  await pass(500);
  expect(changes).toEqual([{ ended: true }]);
  expect(document.body.textContent).toContain('ended 11:59');
});

it('is ended once on its page, however slow the answers are', async () => {
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  const { answers } = server.server;
  const path = `reports/${encodeURIComponent(ID)}`;
  const before = answers.get(path)!;
  let give = () => {};
  answers.set(path, async (call) => {
    if (call.method === 'GET') await new Promise<void>((resolve) => (give = resolve));
    return before(call);
  });
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'It is over' }));
  press();
  await pass(500);
  press();
  await pass(500);
  expect(changes).toEqual([{ ended: true }]);
  give();
  await pass(500);
  expect(screen.queryByRole('button', { name: 'It is over' })).toBeNull();
});

it('is on its page without a network too, from the list of alerts in hand', async () => {
  server.server.lines.set(`reports/${encodeURIComponent(ID)}`, 'cut');
  await open(`/disruptions/${encodeURIComponent(ID)}`, AlertPage);
  await pass(5000);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('M62 J27 to J28');
});
