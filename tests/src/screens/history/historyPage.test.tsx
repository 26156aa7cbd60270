import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { HistoryPage } from '../../../../src/screens/history/HistoryPage.tsx';
import { NOTHING_IN_HAND, useInHand } from '../../../../src/shift/inHand/inHandStore.ts';
import { ANNA, type Call, json, startFakeServer } from '../../api/fakeServer.ts';
import { alert, row, source } from '../board/boardServer.ts';

const NOW = new Date('2026-11-21T14:18:30.000Z');
let server: ReturnType<typeof startFakeServer>;
let asked: string[];

const timeline = {
  from: '2026-11-21T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  recorded_from: '2026-08-23T06:00:00.000Z',
  recorded_to: '2026-11-21T14:18:00.000Z',
  changes: [
    { at: '2026-11-21T05:31:12.000Z', count: 3 },
    { at: '2026-11-21T09:40:30.000Z', count: 1 },
  ],
  silent: [{ source: 'tfl', from: '2026-11-21T05:06:00.000Z', to: null }],
};

const boardOf = ({ query }: Call) => {
  const at = query.get('at')!;
  asked.push(at.slice(11, 16));
  const lorry = alert(`tfl:${at}`, {
    title: `Closed at ${at.slice(11, 16)}`,
    severity: 'critical',
    start_time: '2026-11-21T05:31:00.000Z',
  });
  const silent = source('tfl', {
    freshness: 'stale',
    state: 'failing',
    last_collected: '2026-11-21T05:06:00.000Z',
  });
  const feeds = [
    row('roads-uk', [lorry]),
    row('rail-network', [alert('kb:1')], { sources: [silent, source('kb-incidents')] }),
    row('aviation', [], { freshness: 'stale', last_updated: '2026-11-21T07:31:00.000Z', sources: [] }),
  ];
  const reports = [
    alert('own:leeds:1', { source: 'own:leeds', severity: 'high', title: 'Tree down', start_time: at }),
  ];
  return json(200, { at, feeds, reports, total: feeds.length, last_critical_cleared: null });
};

beforeEach(() => {
  localStorage.clear();
  asked = [];
  vi.useFakeTimers();
  vi.setSystemTime(NOW);
  server = startFakeServer();
  saveTokens(server.signedIn(ANNA));
  server.answers.set('history/timeline', () => json(200, timeline));
  server.answers.set('history/board', boardOf);
});
afterEach(() => {
  useInHand.setState(NOTHING_IN_HAND);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function openAt(at: string) {
  history.replaceState(null, '', `/history?at=${at}`);
  render(<HistoryPage />);
  await pass(300);
}
const band = () => screen.getByRole('heading', { level: 1 }).textContent;
const slider = () => screen.getByRole('slider');
const press = async (key: string, shiftKey = false) => {
  fireEvent.keyDown(slider(), { key, shiftKey });
  await pass(300);
};

it('says first and always that it shows the past', async () => {
  await openAt('2026-11-21T08:10:00Z');
  expect(band()).toBe('HISTORY: Saturday 21 November, 08:10');
  expect(screen.getByText('What was known then, not what is known now')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to the live board' }).getAttribute('href')).toBe(
    '/disruptions',
  );
  expect(screen.getByRole('region', { name: 'Worst then' }).textContent).toContain('since 05:31');
  expect(screen.queryByText(/Worst now/)).toBeNull();
  expect(screen.getByText(/^Transport for London had not answered since 05:06$/)).toBeTruthy();
  expect(screen.getByText(/^Had not answered since 07:31/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Refresh|Demo|Acknowledge/ })).toBeNull();
  expect(slider().getAttribute('aria-valuetext')).toBe('08:10, 3 active');
  expect(screen.getByText('Recorded to 14:18')).toBeTruthy();
});

it('never shows who has an alert in hand now, and offers no action', async () => {
  useInHand.setState({
    marks: {
      'tfl:2026-11-21T08:10:00.000Z': { text: 'Rosa Jones · Diverted · 14:12', seen: 'Seen by Rosa, 14:12' },
    },
    Answers: () => <button type="button">Acknowledge</button>,
  });
  await openAt('2026-11-21T08:10:00Z');
  fireEvent.click(screen.getByRole('button', { name: /^UK Roads/ }));
  await pass(50);
  expect(screen.getAllByText(/Closed at 08:10/).length).toBeGreaterThan(1);
  expect(screen.queryByText(/Rosa/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
});

it('moves by the keys, and the clock of the page does not run', async () => {
  await openAt('2026-11-21T08:10:00Z');
  await pass(120_000);
  expect(band()).toContain('08:10');
  await press('ArrowRight');
  expect(band()).toContain('08:11');
  await press('ArrowLeft', true);
  expect(band()).toContain('08:01');
  await press('PageUp');
  expect(band()).toContain('09:01');
  await press('End');
  expect(band()).toContain('14:18');
  await press('ArrowRight');
  expect(band()).toContain('14:18');
  await press('Home');
  expect(band()).toContain('00:00');
});

it('jumps to the change before and after', async () => {
  await openAt('2026-11-21T08:10:00Z');
  fireEvent.click(screen.getByRole('button', { name: 'Earlier change' }));
  await pass(300);
  expect(band()).toContain('05:32');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Earlier change' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Later change' }));
  await pass(300);
  expect(band()).toContain('09:41');
});

it('goes to the time that somebody writes, and keeps what it cannot read', async () => {
  await openAt('2026-11-21T08:10:00Z');
  const field = () => screen.getByRole('textbox', { name: 'Board at' });
  fireEvent.change(field(), { target: { value: '20 Nov 2026, 22:05' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  await pass(300);
  expect(band()).toBe('HISTORY: Friday 20 November, 22:05');
  fireEvent.change(field(), { target: { value: 'yesterday' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect((field() as HTMLInputElement).value).toBe('yesterday');
  expect(screen.getByRole('alert').textContent).toContain('Write it as 21 Nov 2026, 08:10');
});

it('plays a minute a second, each step when the last is shown, and ends at the newest record', async () => {
  await openAt('2026-11-21T14:16:00Z');
  fireEvent.click(screen.getByRole('button', { name: 'Play ×60' }));
  await pass(1500);
  expect(band()).toContain('14:17');
  await pass(1500);
  expect(band()).toContain('14:18');
  await pass(5000);
  expect(band()).toContain('14:18');
  expect(screen.getByRole('button', { name: 'Play ×60' }).getAttribute('aria-pressed')).toBe('false');
  expect(asked).toEqual(['14:16', '14:17', '14:18']);
});

it('never puts a new time over old rows', async () => {
  await openAt('2026-11-21T08:10:00Z');
  server.answers.set('history/board', () => new Promise(() => {}));
  await press('ArrowRight');
  expect(slider().getAttribute('aria-valuetext')).toBe('08:11');
  expect(band()).toContain('08:10');
});

it('says nothing about a time that the slider has left while its board was loading', async () => {
  await openAt('2026-11-21T08:10:00Z');
  server.hold('history/board', 'GET');
  await press('ArrowRight');
  await press('ArrowRight');
  expect(screen.queryByText('Unable to load the board of that time')).toBeNull();
  expect(band()).toContain('08:10');
  expect(screen.getAllByText(/Closed at 08:10/).length).toBeGreaterThan(0);
});

it('has no marks of another day while those of its own day are loading', async () => {
  await openAt('2026-11-21T04:10:00Z');
  const later = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Later change' });
  expect(later().disabled).toBe(false);
  const held = server.hold('history/timeline', 'GET');
  const field = screen.getByRole('textbox', { name: 'Board at' });
  fireEvent.change(field, { target: { value: '20 Nov 2026, 04:10' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await pass(300);
  expect(held).toHaveLength(1);
  expect(later().disabled).toBe(true);
});

it.each([
  ['1 Aug 2026, 08:10', 'HISTORY: Saturday 1 August, 08:10', 'Nothing was recorded before 23 August.'],
  [
    '23 Aug 2026, 06:10',
    'HISTORY: Sunday 23 August, 06:10',
    'Nothing was recorded before 07:00 on 23 August.',
  ],
  [
    '21 Nov 2026, 17:00',
    'HISTORY: Saturday 21 November, 17:00',
    'This time is still to come: nothing is recorded.',
  ],
])('says for %s that nothing is recorded, and shows no other time', async (written, heading, words) => {
  await openAt('2026-11-21T08:10:00Z');
  const field = screen.getByRole('textbox', { name: 'Board at' });
  fireEvent.change(field, { target: { value: written } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await pass(300);
  expect(band()).toBe(heading);
  expect(screen.getByRole('alert').textContent).toBe(words);
  expect(screen.queryByRole('article')).toBeNull();
  expect(screen.queryByText(/Closed at/)).toBeNull();
});

it('is limited to a place, and says how many alerts have none', async () => {
  const places: (string | null)[] = [];
  server.answers.set('history/board', async (call) => {
    places.push(call.query.get('near') && `${call.query.get('near')} ${call.query.get('radius_km')}`);
    const answer = (await boardOf(call).json()) as object;
    const near = call.query.get('near') && {
      label: 'Leeds, West Yorkshire',
      radius_km: 25,
      without_position: 2,
    };
    return json(200, { ...answer, near });
  });
  await openAt('2026-11-21T08:10:00Z');
  const field = screen.getByRole('textbox', { name: 'Near' });
  fireEvent.change(field, { target: { value: 'Leeds' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await pass(300);
  expect(location.search).toBe('?at=2026-11-21T08%3A10Z&near=Leeds&radius=25');
  expect(screen.getByText(/^Within 25 km of Leeds, West Yorkshire only/).textContent).toContain(
    '2 alerts had no known place then',
  );
  await press('ArrowRight');
  expect(places).toEqual([null, 'Leeds 25', 'Leeds 25']);
  expect(location.search).toContain('near=Leeds');
});

it('ends where the record begins, and shows no rows before it', async () => {
  await openAt('2026-08-22T08:10:00Z');
  expect(screen.getAllByText('Nothing was recorded before 23 August.')[0]).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});

it('shows nothing from another time when the server cannot be reached', async () => {
  await openAt('2026-11-21T08:10:00Z');
  server.line = 'cut';
  await press('ArrowRight');
  expect(screen.getByText('Unable to load the board of that time')).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});

it('counts the team’s own reports of that time, and lists them', async () => {
  await openAt('2026-11-21T08:10:00Z');
  const totals = screen.getByRole('list', { name: 'Active alerts of all feeds' });
  expect(totals.textContent).toContain('1 High');
  const ours = screen.getByRole('region', { name: 'Ours' });
  expect(ours.textContent).toContain('Tree down');
});
