import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Handover } from '#contract/shift/handover.ts';
import { startScope, saveTokens } from '../../../../src/api/tokens.ts';
import { routeNames } from '../../../../src/screens/handover/sheetWords.ts';
import { HandoverPage } from '../../../../src/screens/handover/HandoverPage.tsx';
import { pageFoot } from '../../../../src/screens/handover/usePageFoot.ts';

const rosa = { id: 'rosa', name: 'Rosa Jones' };
const lorry = {
  event_id: 'national-highways:1',
  source: 'national-highways',
  severity: 'critical' as const,
  title: 'M62 closed',
  start_time: null,
};

const SHEET: Handover = {
  from: '2026-11-21T06:00:00.000Z',
  to: '2026-11-21T14:00:00.000Z',
  made_at: '2026-11-21T14:02:00.000Z',
  made_by: rosa,
  team: 'Operations room',
  data_to: '2026-11-21T14:01:00.000Z',
  taken: null,
  beside: [],
  checking: [],
  unplaced: 0,
  routes_total: 2,
  on_routes: [
    {
      route: { id: 'r', name: 'Leeds to Hull' },
      level: 'possible',
      incident: lorry,
      since: '2026-11-20T21:04:00.000Z',
      routes: [
        { id: 's', name: 'York to Bristol', level: 'possible', leaves: null },
        { id: 'r', name: 'Leeds to Hull', level: 'possible', leaves: null },
      ],
      by: rosa,
      disposition: 'diverted',
      lapsed: null,
      last_note: null,
    },
    {
      route: { id: 'r', name: 'Leeds to Hull' },
      routes: [
        { id: 'r', name: 'Leeds to Hull', level: 'certain', leaves: null },
        { id: 's', name: 'York to Bristol', level: 'possible', leaves: null },
      ],
      level: 'certain',
      incident: { ...lorry, event_id: 'national-highways:2', title: 'M62 queue' },
      since: '2026-11-21T06:04:00.000Z',
      by: null,
      disposition: null,
      lapsed: { by: rosa, at: '2026-11-21T08:12:00.000Z', kind: 'worse' },
      last_note: null,
    },
  ],
  snoozed: [{ incident: lorry, until: '2026-11-22T14:00:00.000Z', change: true, by: rosa }],
  notes: [],
  cleared: [{ incident: lorry, at: '2026-11-21T11:02:00.000Z', reason: 'expired' }],
  planned: [],
  unseen_sources: [{ source: 'national-highways', from: '2026-11-21T05:06:00.000Z', to: null }],
  unseen_displays: [
    { name: 'Canteen', last_seen_at: '2026-11-21T13:37:00.000Z', not_taken: false },
    { name: 'Gate', last_seen_at: '2026-11-21T14:01:00.000Z', not_taken: true },
  ],
  next_shift: [],
};

const calls: { path: string; body: unknown }[] = [];
let answer: (method: string) => Response;

beforeEach(() => {
  localStorage.clear();
  startScope();
  saveTokens({ access_token: 'a', refresh_token: 'r' } as Parameters<typeof saveTokens>[0]);
  calls.length = 0;
  answer = () => Response.json(SHEET, { headers: { date: 'Sat, 21 Nov 2026 14:02:00 GMT' } });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const request = input as Request;
    const body: unknown = request.method === 'GET' ? null : await request.clone().json();
    calls.push({ path: new URL(request.url).pathname, body });
    return answer(request.method);
  });
});
afterEach(() => vi.restoreAllMocks());

const section = (name: string) => within(screen.getByRole('heading', { level: 2, name }).parentElement!); // each is in its section

it('is one sheet with every section; an empty one says so', async () => {
  render(<HandoverPage />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Handover 06:00–14:00' })).toBeDefined();
  expect(screen.getByText('Saturday 21 November 2026 · Operations room')).toBeDefined();
  const now = section('1 On our routes now');
  expect(now.getByText('21:04 yesterday')).toBeDefined();
  expect(now.getByText('Rosa Jones · Diverted')).toBeDefined();
  expect(now.getByRole('rowheader', { name: 'Critical M62 closed possible: all 2 routes' })).toBeDefined();
  expect(
    now.getByRole('rowheader', { name: 'Critical M62 queue Leeds to Hull; possible: York to Bristol' }),
  ).toBeDefined();
  expect(now.getByText('Open again. Acknowledged by Rosa Jones at 08:12. Worse since.')).toBeDefined();
  expect(section('2 Snoozed, until when').getByText('it changes')).toBeDefined();
  expect(section('3 Notes of this shift').getByText('Nothing')).toBeDefined();
  expect(section('4 Cleared in this shift').getByText(/^no longer known, 11:02$/)).toBeDefined();
  expect(section('6 Sources we could not see').getByText('now')).toBeDefined();
  const displays = section('7 Displays not seen for 10 min, or without what they should show');
  expect(displays.getByText('13:37')).toBeDefined();
  expect(displays.getByText('14:01, does not show what it should')).toBeDefined();
  expect(screen.getByText('Made 14:02 GMT by Rosa Jones. Data up to 14:01.')).toBeDefined();
});

it('names the only route, which has left from the minute of its departure on', () => {
  const at = '2026-11-21T14:00:00.000Z';
  const route = { id: 'leeds', name: 'Leeds', level: 'certain', leaves: at, end_unknown: false };
  expect(routeNames({ routes: [route] } as never, { routes_total: 1, made_at: at })).toBe(
    'Leeds (left 14:00)',
  );
});

it('names the departure on each route, and the incidents that are ahead of no departure', async () => {
  const [first, second] = SHEET.on_routes as [Handover['on_routes'][number], Handover['on_routes'][number]];
  const leaves = (one: typeof first, ...at: (string | null)[]) =>
    one.routes.map((route, index) => ({ ...route, leaves: at[index] ?? null }));
  const sheet: Handover = {
    ...SHEET,
    routes_total: 3,
    on_routes: [
      {
        ...first,
        routes: leaves(first, '2026-11-21T13:30:00.000Z', '2026-11-22T06:10:00.000Z').map((one, index) => ({
          ...one,
          end_unknown: index === 1,
        })),
      },
      { ...second, since: '2026-11-21T15:00:00.000Z', routes: leaves(second, '2026-11-21T15:30:00.000Z') },
    ],
    beside: [{ ...lorry, event_id: 'national-highways:3', title: 'A64 closed' }],
  };
  answer = () => Response.json(sheet, { headers: { date: 'Sat, 21 Nov 2026 14:02:00 GMT' } });
  render(<HandoverPage />);
  const heads = await screen.findAllByRole('rowheader');
  expect(heads[0]!.textContent).toMatch(
    /possible: York to Bristol \(left 13:30\), Leeds to Hull \(06:10 tomorrow, its end is not known\)$/,
  );
  expect(heads[1]!.textContent).toMatch(/Leeds to Hull \(15:30\); possible: York to Bristol$/);
  expect(section('1 On our routes now').getByText('from 15:00')).toBeDefined();
  expect(screen.getByText('Also in force, ahead of none of our departures now: A64 closed.')).toBeDefined();
});

it('keeps the id of an action until it has arrived', async () => {
  render(<HandoverPage />);
  await screen.findByText('M62 queue');
  const before = answer;
  answer = (method) => (method === 'POST' ? new Response('busy', { status: 503 }) : before(method));
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Take over' }));
  await press();
  expect(await screen.findByText('This could not be sent. Try again.')).toBeDefined();
  answer = before;
  await vi.waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Take over' }).disabled).toBe(false),
  );
  await press();
  const taken = calls.filter(({ path }) => path.endsWith('/handover/taken')).map(({ body }) => body);
  expect(taken).toHaveLength(2);
  expect(taken[0]).toEqual(taken[1]);
});

it('does each action once, until the sheet shows it, and keeps text that is typed meanwhile', async () => {
  render(<HandoverPage />);
  await screen.findByText('M62 queue');
  const line = screen.getByLabelText<HTMLTextAreaElement>(/add a line/);
  const held: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => held.push(resolve));
  const before = vi.mocked(globalThis.fetch).getMockImplementation()!;
  vi.mocked(globalThis.fetch).mockImplementation(async (input, init) => {
    await wait();
    return before(input, init);
  });
  await userEvent.type(line, 'Fuel at Hull');
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add' });
  await userEvent.click(add);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  await userEvent.clear(line);
  await userEvent.type(line, 'Keys');
  held[0]!();
  // The sheet is read again; until then its old state must not invite anybody to do it again.
  await vi.waitFor(() => expect(held).toHaveLength(2));
  expect(add.getAttribute('aria-disabled')).toBe('true');
  expect(line.value).toBe('Keys');
  held[1]!();
  await vi.waitFor(() => expect(add.getAttribute('aria-disabled')).toBeNull());
  expect(calls.filter(({ body }) => body !== null)).toHaveLength(1);
});

it('writes a hostile name at the foot of a page as text alone', () => {
  const foot = pageFoot('Made by Ro"; } body { display: none } @page { content: "\n\\');
  expect(foot).not.toMatch(/Ro"/);
  expect(foot.match(/"/g)).toHaveLength(6);
  expect(foot).not.toContain('body {');
  const [, said = ''] = /content: "([^"]*)/.exec(pageFoot(String.raw`Ro\A Jones`))!;
  expect(said.replaceAll(/\\([\da-f]+) /gi, (_, code: string) => `U+${code}`)).toBe('RoU+5cA Jones Page ');
});
