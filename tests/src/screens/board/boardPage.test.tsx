import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import { BoardPage, setCompact } from '../../../../src/screens/board/BoardPage.tsx';
import { purgeOfflineCopies } from '../../../../src/offline/serviceWorker.ts';
import { setDemo } from '../../../../src/screens/board/demoMode.ts';
import { LINES_THAT_FAIL, type Line } from '../../api/fakeServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';
import { alert, minutesBefore, planned, row, source, START, startBoardServer } from './boardServer.ts';

let server: ReturnType<typeof startBoardServer>;

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  setDemo(false);
  history.replaceState(null, '', '/disruptions');
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Lets this much time pass, and all that happens in it. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function openBoard() {
  const view = render(<BoardPage />);
  await pass(50);
  return view;
}

const titles = () =>
  screen.getAllByRole('article').map((row) => within(row).getByRole('heading', { level: 2 }).textContent);
const feed = (name: string) => screen.getByRole('article', { name });
const connection = () =>
  screen.getByText(/^(Live|Late|Offline|No answer|Demo|Loading\.\.\.)(, .+)?$/, { selector: 'b' })
    .textContent;
const sign = () =>
  screen
    .getAllByRole('status')
    .map((place) => place.textContent?.trim())
    .filter(Boolean)
    .join('|');
const lastRefresh = () => screen.getByText(/^(Live|Late|Offline|No answer)?(, .+)?Last refresh/).textContent;
const fresh = () => document.querySelector('[data-fresh][aria-busy]')!.getAttribute('data-fresh');
const listed = (name: string) =>
  within(within(feed(name)).getByRole('list', { name: 'All alerts' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent!.split(':')[0]);
const tally = (name: string) =>
  within(within(feed(name)).getByRole('list', { name: 'Active alerts by severity' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const refresh = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
const online = (is: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is);

describe('the number on the app’s icon', () => {
  let badge: number | null;

  beforeEach(() => {
    badge = null;
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void (badge = count),
      clearAppBadge: async () => void (badge = 0),
    });
  });
  afterEach(() => {
    delete (navigator as Partial<Navigator>).setAppBadge;
    delete (navigator as Partial<Navigator>).clearAppBadge;
  });

  it('counts the critical alerts that the board last loaded, and disappears with the session', async () => {
    const critical = { severity: 'critical' } as const;
    server.rows = [
      row('rail-network', [alert('a', critical), alert('b')]),
      row('roads-uk', [alert('c', critical), planned('d', critical)]),
    ];
    await openBoard();
    expect(badge).toBe(2);

    server.server.line = 'cut';
    await pass(2 * MINUTE);
    expect(badge).toBe(2);

    server.server.line = 'good';
    server.rows = [row('rail-network', [alert('b')])];
    await pass(2 * MINUTE);
    expect(badge).toBe(0);

    badge = 7;
    void purgeOfflineCopies(null);
    await pass(0);
    expect(badge).toBe(0);
  });
});

describe('the board', () => {
  it('shows five empty rows with titles while nothing is known', async () => {
    server.server.line = 'hanging';
    await openBoard();

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Live Disruptions Board');
    expect(connection()).toBe('Loading...');
    expect(titles()).toEqual(['Rail Network', 'UK Roads', 'Aviation', 'Weather & Flood', 'Public Safety']);
    expect(within(feed('Aviation')).getByText('–')).toBeTruthy();
  });

  it('shows a row for each feed, in the fixed order', async () => {
    server.rows = [
      row('ferries', [], { title: 'Ferries' }),
      row('roads-uk'),
      row('rail-network', [alert('a')]),
    ];
    await openBoard();

    expect(titles()).toEqual(['Rail Network', 'UK Roads', 'Ferries']);
    const rail = within(feed('Rail Network'));
    expect(rail.getByText('active alert')).toBeTruthy();
    expect(rail.getByText('Rail')).toBeTruthy();
    expect(rail.getByText('Updated 2 minutes ago')).toBeTruthy();
    expect(rail.getByText('1 Medium')).toBeTruthy();
    expect(rail.getByText('Summary of rail-network')).toBeTruthy();
    expect(rail.getByText('extractive-1 · 1 event analysed · 214 completion tokens')).toBeTruthy();
    expect(rail.getByText('Updated 11:58')).toBeTruthy();
  });

  it('says how many alerts it has, how many it does not list, and how many are planned', async () => {
    const events = [
      alert('c', { severity: 'critical' }),
      alert('h', { severity: 'high' }),
      alert('u', { severity: 'medium', metadata: { phase: 'active', severity_unrated: true } }),
      alert('x', { severity: undefined }),
      planned('p'),
    ];
    server.rows = [row('rail-network', events, { alert_count: 31 })];
    await openBoard();

    expect(tally('Rail Network')).toEqual(['1 Critical', '1 High', '2 Unrated', 'and 27 more']);
  });

  it('shows at most 20 alerts of a feed, the worst of them, and still says how many there are', async () => {
    const some = (name: string, count: number, over: Partial<Alert>) =>
      Array.from({ length: count }, (_, index) => alert(`${name}${index}`, over));
    server.rows = [
      row(
        'rail-network',
        [
          ...some('low', 470, { severity: 'low' }),
          ...some('planned', 25, { severity: 'critical', metadata: { phase: 'planned' } }),
          ...some('high', 27, { severity: 'high' }),
          ...some('critical', 3, { severity: 'critical' }),
        ],
        { alert_count: 1245 },
      ),
      row('roads-uk', some('medium', 500, {}), { alert_count: null }),
    ];
    await openBoard();

    expect(listed('Rail Network')).toEqual([...Array(3).fill('Critical'), ...Array(17).fill('High')]);
    expect(feed('Rail Network').textContent).toContain('Alert 1 of 20, 1,225 more not listed');
    expect(tally('Rail Network')).toEqual(['3 Critical', '27 High', '470 Low', 'and 745 more']);
    expect(within(feed('Rail Network')).getByText('1245')).toBeTruthy();
    expect(within(feed('UK Roads')).getByText('500')).toBeTruthy();
    expect(listed('UK Roads')).toHaveLength(20);
    expect(feed('UK Roads').textContent).toContain('Alert 1 of 20, 480 more not listed');
    expect(tally('UK Roads')).toEqual(['500 Medium']);
  });

  it('shows what it can of a feed with nothing but a slug', async () => {
    server.rows = [{ feed: { slug: 'night-ferries', sources: undefined }, events: [], summary: null }];
    await openBoard();

    const ferries = within(feed('Night Ferries'));
    expect(ferries.getByText('No summary yet')).toBeTruthy();
    expect(ferries.getByText('No active alerts')).toBeTruthy();
  });

  it('marks sentences of a summary that rest only on alerts that have ended since', async () => {
    const rail = row('rail-network', [alert('a')]);
    const sentences = [
      { text: 'M6 closed.', event_ids: ['a'] },
      { text: 'M5 closed.', event_ids: ['b'] },
      { text: 'Delays on the M1 and M2.', event_ids: ['a', 'b'] },
      { text: 'Traffic Wales is not connected.', event_ids: [] },
    ];
    const text = sentences.map((sentence) => sentence.text).join(' ');
    const summary = { ...rail.summary, text, metadata: { sentences, ended_event_ids: ['b'] } };
    server.rows = [{ ...rail, summary }, row('roads-uk')];
    await openBoard();

    const panel = screen.getByRole('region', { name: 'AI Summary, Rail Network' });
    expect(panel.querySelector('p')!.textContent).toBe(
      'M6 closed. Ended: M5 closed. Delays on the M1 and M2. Traffic Wales is not connected.',
    );
    expect(within(panel).getAllByText(/^Ended/)).toHaveLength(1);
  });

  it('shows a summary whole when its sentences do not match its text', async () => {
    const rail = row('rail-network', [alert('a')]);
    const metadata = { sentences: [{ text: 'M5 closed.', event_ids: ['b'] }], ended_event_ids: ['b'] };
    server.rows = [{ ...rail, summary: { ...rail.summary, text: 'M6 closed.', metadata } }];
    await openBoard();
    expect(screen.getByText('M6 closed.')).toBeTruthy();
    expect(screen.queryByText(/^Ended/)).toBeNull();
  });

  it('shows the Refreshing badge while the server says that a summary is stale', async () => {
    const rail = row('rail-network', [alert('a')]);
    server.rows = [{ ...rail, summary: { ...rail.summary, stale: true } }, row('roads-uk')];
    await openBoard();

    expect(within(feed('Rail Network')).getByText('Refreshing')).toBeTruthy();
    expect(within(feed('UK Roads')).queryByText('Refreshing')).toBeNull();
  });

  it('reports one view for each visit', async () => {
    await openBoard();
    await pass(5 * MINUTE);

    expect(server.callsTo('analytics/events').map(({ body }) => body['event_type'])).toEqual([
      'disruptions_board_viewed',
    ]);
  });

  it('shows the empty board when the server lists no feeds', async () => {
    server.rows = [];
    await openBoard();

    expect(screen.getByRole('heading', { name: 'No feeds available' })).toBeTruthy();
    expect(screen.getByText('Unable to load disruption data. Please try refreshing.')).toBeTruthy();
    expect(connection()).toBe('No answer');

    server.rows = [row('aviation')];
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(50);
    expect(feed('Aviation')).toBeTruthy();
  });

  it('shows markup in a feed as text', async () => {
    server.rows = [row('rail-network', [alert('a', { title: '<img src=x onerror=alert(1)>' })])];
    await openBoard();

    expect(document.querySelector('img')).toBeNull();
    expect(screen.getAllByText('<img src=x onerror=alert(1)>', { exact: false }).length).toBeGreaterThan(0);
  });

  it('writes "just now" within a line', async () => {
    const fresh = { updated_at: minutesBefore(0) };
    server.rows = [row('rail-network', [alert('a', fresh)], { last_updated: minutesBefore(0) })];
    await openBoard();

    expect(screen.getByText('Updated just now')).toBeTruthy();
  });

  it('shows a publisher’s time that lies ahead as a time, never as "Just now"', async () => {
    server.rows = [
      row('rail-network', [alert('a', { updated_at: minutesBefore(-4), start_time: minutesBefore(-4) })], {
        last_updated: minutesBefore(-3),
      }),
    ];
    await openBoard();

    expect(screen.queryByText(/just now/i)).toBeNull();
    expect(screen.getByText('Updated at 12:02')).toBeTruthy();
    expect(feed('Rail Network').textContent).not.toContain('since 12:03');
  });
});

describe('refreshing', () => {
  it('asks exactly every 60 seconds while all goes well', async () => {
    await openBoard();
    expect(server.loads()).toBe(1);
    await pass(59.9 * SECOND);
    expect(server.loads()).toBe(1);
    await pass(0.1 * SECOND);
    expect(server.loads()).toBe(2);
    await pass(10 * MINUTE);
    expect(server.loads()).toBe(12);
  });

  it('sets "Last refresh" to the server’s time of the data', async () => {
    vi.setSystemTime('2031-01-01T03:00:00Z'); // a wall display whose battery died
    server.server.answers.set('feeds/', () => {
      const body = JSON.stringify({ feeds: [row('rail-network', [alert('a')])] });
      return new Response(body, {
        headers: { 'content-type': 'application/json', date: START.toUTCString() },
      });
    });
    await openBoard();

    expect(lastRefresh()).toContain('Last refresh 11:59:32');
    expect(screen.getByText('Updated 2 minutes ago')).toBeTruthy();
    expect(connection()).toBe('Live');
  });

  it('asks on Refresh, and then 60 seconds later', async () => {
    await openBoard();
    await pass(30 * SECOND);
    refresh();
    await pass(50);
    expect(server.loads()).toBe(2);
    await pass(59 * SECOND);
    expect(server.loads()).toBe(2);
    await pass(SECOND);
    expect(server.loads()).toBe(3);
  });

  it('never asks twice at once', async () => {
    await openBoard();
    server.server.line = 'hanging';
    refresh();
    refresh();
    await pass(10 * SECOND);
    refresh();
    expect(server.loads()).toBe(2);
  });

  it('asks as soon as a laptop wakes', async () => {
    await openBoard();
    vi.setSystemTime(START.getTime() + 45 * MINUTE); // timers stood still meanwhile
    await pass(SECOND);
    expect(server.loads()).toBe(2);
  });

  it('asks the server’s time as soon as the device’s clock is set back, and goes on from there', async () => {
    await openBoard();
    vi.setSystemTime(START.getTime() - 5 * 60 * MINUTE);
    await pass(SECOND);
    expect(server.loads()).toBe(2);
    await pass(60 * SECOND);
    expect(server.loads()).toBe(3);
  });

  it('asks when the tab becomes visible, if a refresh is due', async () => {
    await openBoard();
    const visibility = vi.spyOn(document, 'visibilityState', 'get');
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(server.loads()).toBe(1);

    vi.setSystemTime(START.getTime() + 61 * SECOND);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(50);
    expect(server.loads()).toBe(2);
  });

  it('asks at once when the device is online again', async () => {
    await openBoard();
    server.cut();
    online(false);
    await pass(MINUTE);
    expect(connection()).toBe('Offline, 1 minute');

    server.server.line = 'good';
    online(true);
    act(() => void window.dispatchEvent(new Event('online')));
    await pass(50);
    expect(connection()).toBe('Live');
  });

  it('tries again after 15 to 20, 30 to 40, then 45 to 60 seconds while nothing answers', async () => {
    await openBoard();
    server.cut();
    const at: number[] = [];
    let seen = 1;
    for (let second = 1; second <= 260; second += 1) {
      await pass(SECOND);
      if (server.loads() > seen) at.push(second);
      seen = server.loads();
    }
    const gaps = at.slice(1).map((second, index) => second - at[index]!);
    expect(at[0]).toBe(60);
    const limits = [
      [15, 21],
      [30, 41],
      [45, 61],
      [45, 61],
    ];
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    gaps.slice(0, 4).forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(limits[index]![0]!);
      expect(gap).toBeLessThanOrEqual(limits[index]![1]!);
    });
  });

  it('goes back to 60 seconds as soon as one refresh is good', async () => {
    await openBoard();
    server.cut();
    await pass(MINUTE);
    server.server.line = 'good';
    await pass(21 * SECOND);
    const loads = server.loads();
    expect(connection()).toBe('Live');
    await pass(MINUTE);
    expect(server.loads()).toBe(loads + 1);
  });

  it('asks again as soon as a request that was lost with the connection has failed', async () => {
    await openBoard();
    server.server.line = 'hanging';
    refresh();
    await pass(5 * SECOND);
    act(() => void window.dispatchEvent(new Event('online')));
    server.server.line = 'good';
    await pass(10 * SECOND + 50); // its time-out
    expect(server.loads()).toBe(3);
    expect(connection()).toBe('Live');
  });

  it('aborts its request and asks no more when the board is left', async () => {
    const signals: AbortSignal[] = [];
    const fetchThen = globalThis.fetch;
    vi.stubGlobal('fetch', (input: Request) => {
      if (input.url.includes('/feeds/')) signals.push(input.signal);
      return fetchThen(input);
    });
    server.server.line = 'hanging';
    const { unmount } = await openBoard();
    unmount();
    await pass(50);
    expect(signals.at(-1)!.aborted).toBe(true);
    const loads = server.loads();
    await pass(5 * MINUTE);
    expect(server.loads()).toBe(loads);
  });
});

describe('when a refresh fails', () => {
  it.each(LINES_THAT_FAIL)('keeps its rows and says so at once: %s', async (line: Line) => {
    await openBoard();
    server.server.line = line;
    await pass(MINUTE + 50);

    expect(feed('Rail Network')).toBeTruthy();
    expect(sign()).toMatch(
      /^Not updating since 11:59\. Unable to load AI feed summaries\. (Offline|No answer): showing the board as it was\. Next try in \d+ seconds\./,
    );
    expect(lastRefresh()).toContain('Last refresh 11:59:32');
    expect(connection()).toBe('Late');
  });

  it('keeps its rows when the server never answers', async () => {
    await openBoard();
    server.server.line = 'hanging';
    await pass(MINUTE + 15.1 * SECOND);
    expect(sign()).toMatch(
      /^Not updating since 11:59\. Unable to load AI feed summaries\. No answer: showing the board as it was\./,
    );
    expect(feed('Rail Network')).toBeTruthy();
  });

  it('does not accept an empty list as an answer once it has rows', async () => {
    await openBoard();
    server.rows = [];
    await pass(MINUTE + 50);

    expect(feed('Rail Network')).toBeTruthy();
    expect(sign()).toMatch(/^Not updating since 11:59\. Unable to load AI feed summaries/);
  });

  it('shows the empty board and the reason when there is nothing to keep', async () => {
    server.cut();
    await openBoard();

    expect(screen.getByRole('heading', { name: 'No feeds available' })).toBeTruthy();
    expect(sign()).toMatch(/^Unable to load AI feed summaries\. Offline\. Next try in \d+ seconds\./);
    expect(connection()).toBe('Offline');
  });

  it('counts a reply from the worker’s cache as failed, and shows its rows if they are newer', async () => {
    await openBoard();
    server.rows = [row('rail-network', [alert('b')])];
    server.cachedAt = new Date(START.getTime() + 30 * SECOND);
    await pass(MINUTE + 50);

    expect(screen.getAllByText('Title of b').length).toBeGreaterThan(0);
    expect(lastRefresh()).toContain('Last refresh 12:00:02');
    expect(sign()).toMatch(
      /^Not updating since 12:00\. Unable to load AI feed summaries\. Offline: showing the board as it was\./,
    );
    expect(screen.queryByText(/\d new/)).toBeNull();
    await pass(21 * SECOND);
    expect(server.loads()).toBeGreaterThan(2);
  });

  it('ignores an older copy from the worker', async () => {
    await openBoard();
    server.rows = [row('rail-network', [alert('older')])];
    server.cachedAt = new Date(START.getTime() - 5 * MINUTE);
    await pass(MINUTE + 50);

    expect(screen.queryByText('Title of older')).toBeNull();
    expect(lastRefresh()).toContain('Last refresh 11:59:32');
  });

  it.each([
    ['offline', undefined, 'Offline'],
    ['slow', 'slow', 'No answer'],
    ['answered by something else', 'unusable', 'No answer'],
  ])('says that the network is %s when the worker says so', async (_, reason, words) => {
    await openBoard();
    server.cachedAt = START;
    server.copyReason = reason;
    await pass(80 * SECOND);
    expect(sign()).toContain(`Not updating since 11:59. Unable to load AI feed summaries. ${words}: showing`);
  });

  it('says at once that the network is slow, and no longer when the answer comes', async () => {
    const worker = Object.assign(new EventTarget(), { controller: {} });
    Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
    const url = 'http://localhost:3000/api/v1/feeds/?include_events=true';
    const feeds = [row('rail-network', [alert('late')])];
    server.server.answers.set('feeds/', () => {
      const headers = { 'x-sw-source': 'cache', 'x-sw-copy-reason': 'slow', date: START.toUTCString() };
      return Object.defineProperty(Response.json({ feeds }, { headers }), 'url', { value: url });
    });
    await openBoard();
    expect(sign()).toContain(
      'Not updating since 11:59. Unable to load AI feed summaries. No answer: showing the board as it was. Trying now.',
    );
    expect(connection()).toBe('Late');

    await pass(5 * SECOND);
    const headers = [['date', new Date().toUTCString()]];
    const data = { type: 'LATE_ANSWER', url, headers, body: JSON.stringify({ feeds }) };
    worker.dispatchEvent(new MessageEvent('message', { data }));
    await pass(50);
    expect(sign()).not.toContain('Unable to load');
    expect(connection()).toBe('Live');
    expect(server.loads()).toBe(1);
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
  });

  it('works if storage takes nothing', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await openBoard();
    expect(connection()).toBe('Live');
    expect(feed('Rail Network')).toBeTruthy();
  });

  it('shows the worker’s copy with its age if it has nothing else', async () => {
    server.cachedAt = new Date(START.getTime() - 10 * MINUTE);
    await openBoard();

    expect(feed('Rail Network')).toBeTruthy();
    expect(lastRefresh()).toContain('Last refresh 11:49:32');
    expect(sign()).toMatch(
      /^Not updating since 11:49\. Unable to load AI feed summaries\. Showing the board as it was\./,
    );
  });
});

describe('the age of the data', () => {
  const AGES: [age: string, ms: number, state: string, connection: string, sign: RegExp][] = [
    [
      '89 seconds',
      89 * SECOND,
      'fresh',
      'Late',
      /^Not updating since 11:59\. Unable to load AI feed summaries\. Offline: showing the board as it was\./,
    ],
    [
      '91 seconds',
      91 * SECOND,
      'late',
      'Late',
      /^Not updating since 11:59\. Unable to load AI feed summaries\. Offline: showing the board as it was\./,
    ],
    [
      '3 minutes',
      3 * MINUTE + SECOND,
      'stale',
      'Offline, 3 minutes',
      /^Not updating since 11:59\. Unable to load AI feed summaries\. Showing the board as it was\. (Next try in \d+ seconds?|Trying now)\.$/,
    ],
    ['10 minutes', 10 * MINUTE + SECOND, 'stale', 'Offline, 10 minutes', /Not updating since 11:59\./],
    [
      '2 hours',
      125 * MINUTE,
      'stale',
      'Offline, 2 hours',
      /^Not updating for 2 hours\. Unable to load AI feed summaries\. Do not plan from this board\. (Next try in \d+ seconds?|Trying now)\.$/,
    ],
  ];

  it.each(AGES)('after %s without an answer', async (_, ms, state, word, text) => {
    await openBoard();
    server.cut();
    await pass(ms - 50);

    expect(fresh()).toBe(state);
    expect(connection()).toBe(word);
    expect(sign()).toMatch(text);
  });

  it('says "No answer" about a server that answers with something else', async () => {
    await openBoard();
    server.server.line = 'status 503';
    await pass(4 * MINUTE);
    expect(connection()).toBe('No answer, 4 minutes');
  });

  it('shows no age of an alert and calls nothing calm once its data is stale', async () => {
    await openBoard();
    const live = () => screen.getByRole('region', { name: 'Live feed, Rail Network' }).textContent;
    expect(live()).toContain('since 11:29');
    server.cut();
    await pass(10 * MINUTE);

    const rail = within(feed('Rail Network'));
    expect(live()).toContain('since 11:29'); // an age would be a lie by now
    expect(live()).not.toMatch(/ago/);
    expect(rail.getByText('Updated 12 minutes ago')).toBeTruthy();
    const roads = within(feed('UK Roads'));
    expect(roads.queryByText('No active alerts')).toBeNull();
    expect(roads.getByText('No recent information since 11:57')).toBeTruthy();
  });

  it('is announced once for each band of minutes, not every minute or second', async () => {
    await openBoard();
    server.cut();
    await pass(5 * MINUTE + 30 * SECOND);
    const readOut = screen.getByText(/Showing the board/);
    await pass(4 * MINUTE);
    expect(screen.getByText(/Showing the board/)).toBe(readOut);
    expect(screen.getByText(/Not updating since/).getAttribute('aria-live')).toBe('off');
    await pass(MINUTE);
    expect(screen.getByText(/Showing the board/)).not.toBe(readOut);
  });

  it('removes the sign with the first good answer', async () => {
    await openBoard();
    server.cut();
    await pass(10 * MINUTE);
    server.server.line = 'good';
    await pass(61 * SECOND);

    expect(fresh()).toBe('fresh');
    expect(connection()).toBe('Live');
    expect(sign()).not.toMatch(/Unable|Not updating/);
  });
});

describe('after a reload without a network', () => {
  it('shows the last good rows of this session with their time', async () => {
    const { unmount } = await openBoard();
    unmount();
    server.cut();
    vi.setSystemTime(START.getTime() + 12 * MINUTE);
    await openBoard();

    expect(feed('Rail Network')).toBeTruthy();
    expect(lastRefresh()).toContain('Last refresh 11:59:32');
    expect(sign()).toMatch(/^Not updating since 11:59/);
  });

  it('shows nothing of another session', async () => {
    const { unmount } = await openBoard();
    unmount();
    server.cut();
    localStorage.setItem('clearway_scope', 'scope-of-ben');
    await openBoard();

    expect(screen.queryByText('Title of a')).toBeNull();
    expect(screen.getByText('No feeds available')).toBeTruthy();
  });

  it('shows the snapshot at once while the server hangs', async () => {
    const { unmount } = await openBoard();
    unmount();
    server.server.line = 'hanging';
    await openBoard();
    expect(feed('Rail Network')).toBeTruthy();
  });
});

describe('new items', () => {
  const more = () => [row('rail-network', [alert('a'), alert('b'), alert('c')]), row('roads-uk')];

  it('marks nothing on the first load', async () => {
    await openBoard();
    expect(screen.queryByText(/new$/)).toBeNull();
  });

  it('marks a changed feed until the next refresh', async () => {
    await openBoard();
    server.rows = more();
    await pass(MINUTE + 50);
    expect(within(feed('Rail Network')).getByText('2 new')).toBeTruthy();
    expect(within(feed('UK Roads')).queryByText(/new|^Updated$/)).toBeNull();

    await pass(MINUTE);
    expect(screen.queryByText('2 new')).toBeNull();
    expect(within(feed('Rail Network')).getByText('active alerts')).toBeTruthy();
  });

  it('marks nothing in a feed whose sources are silent', async () => {
    await openBoard();
    server.rows = [
      row('rail-network', [alert('a'), alert('b'), alert('c')], { freshness: 'stale' }),
      row('roads-uk'),
    ];
    await pass(MINUTE + 50);
    expect(within(feed('Rail Network')).getByText('active alerts')).toBeTruthy();
    expect(screen.queryByText('2 new')).toBeNull();
  });

  it('marks it for 60 seconds at most, when the next refresh fails', async () => {
    await openBoard();
    server.rows = more();
    await pass(30 * SECOND);
    refresh();
    await pass(50);
    server.cut();
    await pass(58 * SECOND);
    expect(screen.getByText('2 new')).toBeTruthy();
    await pass(3 * SECOND);
    expect(screen.queryByText('2 new')).toBeNull();
  });

  it('marks a feed whose summary alone was rewritten', async () => {
    await openBoard();
    server.rows = [
      { ...row('rail-network', [alert('a')]), summary: { text: 'Another text' } },
      row('roads-uk'),
    ];
    await pass(MINUTE + 50);
    expect(within(feed('Rail Network')).getByText('Updated')).toBeTruthy();
  });

  it('marks changes from the time while the connection was down', async () => {
    await openBoard();
    server.cut();
    await pass(10 * MINUTE);
    server.server.line = 'good';
    server.rows = more();
    const loads = server.loads();
    // This stops at the first answer, whenever its retry is due: the next, a minute later, takes the mark away.
    while (server.loads() === loads) await pass(SECOND);
    await pass(50);
    expect(screen.getByText('2 new')).toBeTruthy();
  });

  it.each([
    ['marks what has changed since a snapshot of the last hour', 20, 1],
    ['marks nothing after a snapshot of yesterday: all of it would be new', 20 * 60, 0],
  ])('%s', async (_, minutes, marks) => {
    const { unmount } = await openBoard();
    unmount();
    vi.setSystemTime(START.getTime() + minutes * MINUTE);
    server.rows = more();
    await openBoard();
    expect(screen.queryAllByText('2 new')).toHaveLength(marks);
  });

  it('announces a new critical alert once, politely', async () => {
    await openBoard();
    const news = screen.getByRole('status', { name: 'New critical alerts' });
    expect(news.textContent).toBe('');

    server.rows = [
      row('rail-network', [alert('a'), alert('k', { severity: 'critical', title: 'Euston closed' })]),
    ];
    await pass(MINUTE + 50);
    expect(news.textContent?.trim()).toBe('New critical alert, Rail Network: Euston closed.');
    await pass(MINUTE);
    expect(news.textContent).toBe('');
  });
});

describe('a feed without alerts', () => {
  const quiet = async (over: Parameters<typeof row>[2], slug = 'weather-flood') => {
    server.rows = [row(slug, [], over)];
    await openBoard();
    const live = screen.getByRole('region', { name: /^Live feed/ });
    const symbol = live.querySelector('[data-status]')?.getAttribute('data-status');
    return { text: live.textContent?.replaceAll(/\s+/g, ' ').trim(), symbol };
  };

  it('has a tick when its sources were asked', async () => {
    expect(await quiet({ sources: [source('met-office'), source('ea-flood')] })).toEqual({
      text: 'No active alerts',
      symbol: 'good',
    });
  });

  it('has a tick when the server says nothing about freshness', async () => {
    expect(await quiet({ freshness: undefined, last_updated: minutesBefore(600) })).toEqual({
      text: 'No active alerts',
      symbol: 'good',
    });
  });

  it('says how many of its sources are connected', async () => {
    const off = source('sepa-flood', { state: 'not_configured', last_collected: null, freshness: null });
    expect(await quiet({ sources: [source('met-office'), off] })).toEqual({
      text: 'No active alerts 1 of 2 sources connected',
      symbol: 'good',
    });
  });

  it('has a dash when all its sources are stale', async () => {
    const { text, symbol } = await quiet({ freshness: 'stale', last_updated: minutesBefore(71) });
    expect(text).toBe('No recent information since 10:48');
    expect(symbol).toBe('none');
    expect(screen.getByText('Unknown number of')).toBeTruthy(); // in place of the count
  });

  it('has a dash when one of its sources is stale, and names it', async () => {
    const late = source('ea-flood', { freshness: 'stale', last_collected: minutesBefore(71) });
    expect(await quiet({ freshness: 'late', sources: [source('met-office'), late] })).toEqual({
      text: 'No recent information since 10:48 Environment Agency floods',
      symbol: 'none',
    });
  });

  it('names a stale source beside the alerts of the others as well', async () => {
    const late = source('ea-flood', { freshness: 'stale', last_collected: minutesBefore(71) });
    server.rows = [row('weather-flood', [alert('a')], { sources: [source('met-office'), late] })];
    await openBoard();
    const said = screen.getByText(/no recent information/).textContent;
    expect(said).toBe('Environment Agency floods: no recent information since 10:48');
  });

  it('is "Not connected" when none of its sources ever was', async () => {
    const off = [
      source('met-office', { state: 'not_configured', last_collected: null, freshness: null }),
      source('ea-flood', { state: 'idle', last_collected: null, freshness: null }),
    ];
    expect(await quiet({ freshness: null, last_updated: null, sources: off })).toEqual({
      text: 'Not connected',
      symbol: 'none',
    });
    expect(screen.queryByText('No active alerts')).toBeNull();
  });

  it('is not called calm when some of its alerts could not be read', async () => {
    expect(await quiet({ alert_count: 3 })).toEqual({ text: 'Unable to load latest events', symbol: 'none' });
  });
});

describe('demo mode', () => {
  const radio = (name: string) => screen.getByRole('radio', { name }) as HTMLInputElement;

  it('shows samples under a permanent sign, asks the server nothing, and never refreshes by itself', async () => {
    await openBoard();
    fireEvent.click(radio('Demo data'));
    const loads = server.loads();
    await pass(10 * MINUTE);

    expect(sign()).toBe('Demo data. Not live.');
    expect(connection()).toBe('Demo');
    expect(screen.getAllByRole('article')).toHaveLength(5);
    expect(screen.queryByText('Title of a')).toBeNull();
    expect(server.loads()).toBe(loads);
    refresh();
    await pass(MINUTE);
    expect(server.loads()).toBe(loads);
    expect(sign()).toBe('Demo data. Not live.');
  });

  it('says that there are no sources to show', async () => {
    history.replaceState(null, '', '/disruptions?demo=true');
    await openBoard();
    // The samples are a chunk of their own, which takes real time to load.
    await vi.waitFor(() => fireEvent.click(screen.getAllByRole('button', { name: 'View sources' })[0]!));

    await vi.waitFor(() =>
      expect(screen.getByText('Source breakdown is available when connected to live data.')).toBeTruthy(),
    );
    expect(server.server.calls.filter(({ path }) => path.startsWith('disruptions'))).toEqual([]);
  });

  it('is set by ?demo=true and kept in this browser until Live is chosen', async () => {
    history.replaceState(null, '', '/disruptions?demo=true');
    const first = await openBoard();
    expect(radio('Demo data').checked).toBe(true);
    expect(server.loads()).toBe(0);
    first.unmount();

    history.replaceState(null, '', '/disruptions');
    await openBoard();
    expect(radio('Demo data').checked).toBe(true);
    expect(localStorage.getItem('demo_mode')).toBe('true');

    fireEvent.click(radio('Live data'));
    await pass(50);
    expect(feed('Rail Network')).toBeTruthy();
    expect(sign()).not.toContain('Demo');
    expect(localStorage.getItem('demo_mode')).toBeNull();
  });

  it('removes ?demo=true, which a reload would follow', async () => {
    history.replaceState(null, '', '/disruptions?demo=true');
    await openBoard();
    fireEvent.click(radio('Live data'));
    await pass(50);
    expect(location.pathname + location.search).toBe('/disruptions');
    expect(radio('Live data').checked).toBe(true);
  });

  it('shows the live rows again at once, and asks for newer ones', async () => {
    await openBoard();
    fireEvent.click(radio('Demo data'));
    await pass(2 * MINUTE);
    server.rows = [row('rail-network', [alert('a'), alert('b')])];
    fireEvent.click(radio('Live data'));
    expect(screen.getAllByText('Title of a').length).toBeGreaterThan(0);
    await pass(50);
    expect(server.loads()).toBe(2);
  });
});

describe('the header', () => {
  it('counts the alerts of all feeds by grade, and those of each feed, and leads to their rows', async () => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'high' })]),
      row(
        'roads-uk',
        [alert('b', { severity: 'critical' }), alert('c', { severity: 'high' }), planned('p')],
        {
          category: 'Roads',
        },
      ),
      row('aviation', [], { category: 'Aviation', freshness: 'stale', last_updated: minutesBefore(90) }),
    ];
    await openBoard();
    const jump = within(screen.getByRole('navigation', { name: 'All feeds' }));
    const cells = (name: string) =>
      within(jump.getByRole('list', { name }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(cells('Active alerts of all feeds')).toEqual(['1 Critical', '2 High']);
    expect(cells('Feeds')).toEqual([
      'Rail 1 active, worst High',
      'Roads 2 active, worst Critical',
      'Aviation – unknown',
    ]);

    fireEvent.click(jump.getByRole('link', { name: '1 Critical' }));
    expect(document.activeElement).toBe(feed('UK Roads'));
    fireEvent.click(jump.getByRole('link', { name: /^Aviation/ }));
    expect(document.activeElement).toBe(feed('Aviation'));
  });

  it('says how many sources are silent, and is never Live over a board that could not load', async () => {
    const late = source('ea-flood', { freshness: 'stale', last_collected: minutesBefore(71) });
    server.rows = [row('weather-flood', [alert('a')], { sources: [source('met-office'), late] })];
    await openBoard();
    expect(connection()).toBe('Live, 1 source silent');
  });
});

describe('the worst alert', () => {
  const worst = () => screen.getByRole('region', { name: /^Worst/ });

  it('is above the rows, with its time and its trend, and is stepped by hand alone', async () => {
    const facts = { place: 'M62 eastbound, J26 to J27', effect: 'closed', cause: 'overturned lorry' };
    server.rows = [
      row('roads-uk', [
        alert('m62', {
          severity: 'critical',
          facts: { ...facts, expected_clear: minutesBefore(-60) },
          trend: { direction: 'worse', since: minutesBefore(5), change: 'Medium to Critical' },
        }),
        alert('m6', { severity: 'critical', title: 'M6 closed' }),
      ]),
    ];
    await openBoard();
    expect(within(worst()).getByRole('heading').textContent).toBe(
      'M62 eastbound, J26 to J27 Closed, overturned lorry',
    );
    expect(worst().textContent).toContain('Critical, 1 of 2');
    expect(worst().textContent).toContain('11:29 to about 12:59');
    expect(worst().textContent).toContain('worse since 11:54');
    expect(within(worst()).getByRole('link').getAttribute('href')).toBe('/disruptions/m62');

    await pass(50 * SECOND);
    expect(worst().textContent).toContain('1 of 2');
    fireEvent.click(within(worst()).getByRole('button', { name: 'Next, 2 of 2' }));
    expect(worst().textContent).toContain('M6 closed');
    expect(worst().textContent).toContain('Critical, 2 of 2');
  });

  it('is from the last answer once that is old', async () => {
    server.rows = [row('roads-uk', [alert('m6', { severity: 'critical' })])];
    await openBoard();
    server.cut();
    await pass(10 * MINUTE);
    expect(worst().textContent).toContain('as of 11:59');
    expect(worst().getAttribute('data-fresh')).toBe('stale');
  });

  it('says that nothing is critical or high, and is calm only while every source answers', async () => {
    server.rows = [row('rail-network', [alert('a')])];
    await openBoard();
    expect(worst().textContent).toContain('Nothing critical or high.1 medium and low alerts below.');

    server.rows = [row('rail-network', [], { sources: [source('tfl')] })];
    refresh();
    await pass(50);
    expect(worst().textContent).toBe('No active alerts in any feed');

    server.rows = [row('rail-network', [], { sources: [source('tfl', { freshness: 'stale' })] })];
    refresh();
    await pass(50);
    expect(worst().textContent).toBe('No active alerts reported1 source silent');
  });
});

describe('Compact', () => {
  const opener = (name: string) => within(feed(name)).getByRole('button', { name: new RegExp(`^${name}, `) });

  beforeEach(() => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'high' }), alert('b'), planned('p')]),
      row(
        'public-safety',
        [alert('c'), alert('see', { severity: 'critical', see: { event_id: 'road:1', feed: 'roads-uk' } })],
        { alert_count: 1 },
      ),
    ];
  });
  afterEach(() => act(() => setCompact(false)));

  async function openCompact() {
    const view = await openBoard();
    fireEvent.click(screen.getByRole('button', { name: 'Compact' }));
    return view;
  }

  it('shows the worst alert of each feed, standing still, and is remembered on this device', async () => {
    const { unmount } = await openCompact();
    expect(opener('Rail Network').textContent).toBe('Rail Network, 2 active, 1 planned, High: Title of a');
    await pass(3 * MINUTE);
    expect(within(feed('Rail Network')).getByRole('heading', { level: 3, name: 'Title of a' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
    expect(localStorage.getItem('board_density')).toBe('compact');

    unmount();
    await openBoard();
    expect(screen.getByRole('button', { name: 'Compact' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Compact' }));
    expect(localStorage.getItem('board_density')).toBeNull();
  });

  it('never shows first an alert that another feed counts, and says where it is counted', async () => {
    await openCompact();
    const safety = within(feed('Public Safety'));
    expect(safety.getByRole('heading', { level: 3, name: 'Title of c' })).toBeTruthy();
    expect(safety.getByText('Title of see: see UK Roads')).toBeTruthy();
    expect(opener('Public Safety').textContent).toContain('1 active, ');
  });

  it('opens one row at a time, with every alert, planned ones, the summary and its sources', async () => {
    await openCompact();
    fireEvent.click(opener('Rail Network'));
    await import('../../../../src/screens/board/rows/OpenedRow.tsx'); // its chunk takes real time to load
    await pass(50);
    const rail = within(feed('Rail Network'));
    const all = within(rail.getByRole('list', { name: 'Alerts' }));
    expect(all.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/disruptions/a',
      '/disruptions/b',
    ]);
    expect(rail.getByText('1 planned, not counted as active')).toBeTruthy();
    expect(rail.getByText('From Sun 23:00')).toBeTruthy();
    expect(rail.getByText('Summary of rail-network')).toBeTruthy();
    expect(
      rail.getByText('extractive-1 · 3 events analysed (2 active, 1 planned) · 214 completion tokens'),
    ).toBeTruthy();
    fireEvent.click(rail.getByRole('button', { name: 'View sources' }));
    expect(rail.getByRole('region', { name: 'Sources for Rail Network' })).toBeTruthy();
    expect(rail.getByRole('button', { name: 'Hide sources' })).toBeTruthy();

    fireEvent.click(opener('Public Safety'));
    expect(rail.queryByRole('list', { name: 'Alerts' })).toBeNull();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(screen.queryByRole('list', { name: 'Alerts' })).toBeNull();
    expect(document.activeElement).toBe(opener('Public Safety'));
  });
});

describe('the summary', () => {
  const withSummary = async (metadata: object) => {
    const rail = row('rail-network', [alert('a')]);
    server.rows = [{ ...rail, summary: { ...rail.summary, metadata } }];
    await openBoard();
  };

  it('is called AI Summary only if a model wrote it', async () => {
    await withSummary({ fallback: 'not_configured' });
    expect(screen.getByRole('region', { name: 'Summary, Rail Network' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: /^AI Summary/ })).toBeNull();
  });

  it('is one text if it is beside another alert than its parts are about', async () => {
    await withSummary({
      fallback: 'not_configured',
      parts: { event_id: 'other', affected: 'Northern', advice: 'Use the buses.', until: null },
    });
    const panel = within(screen.getByRole('region', { name: 'Summary, Rail Network' }));
    expect(panel.queryByRole('term')).toBeNull();
    expect(panel.getByText('Summary of rail-network')).toBeTruthy();
  });

  it('names in one line the parts that are not given', async () => {
    await withSummary({
      fallback: 'not_configured',
      parts: { event_id: 'a', affected: null, advice: 'Use the buses.', until: null },
    });
    const panel = within(screen.getByRole('region', { name: 'Summary, Rail Network' }));
    const texts = (role: string) => panel.getAllByRole(role).map(({ textContent }) => textContent);
    expect(texts('term')).toEqual(['Advice', 'Affected, Until']);
    expect(texts('definition')).toEqual(['Use the buses.', 'Not given']);
  });

  it('has three parts if the server gives them', async () => {
    await withSummary({
      fallback: 'not_configured',
      parts: { event_id: 'a', affected: 'Northern', advice: 'Use the buses.', until: null },
    });
    const panel = within(screen.getByRole('region', { name: 'Summary, Rail Network' }));
    expect(panel.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Affected',
      'Advice',
      'Until',
    ]);
    expect(panel.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      'Northern',
      'Use the buses.',
      'Not given',
    ]);
  });
});
