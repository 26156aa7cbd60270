import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { adopt } from '../../../../../src/screens/wall/pairing/displayCredential.ts';
import { useShowing } from '../../../../../src/screens/wall/kiosk/takenLayout.ts';
import { loadPlaylist } from '../../../../../src/screens/wall/playlist/playlistCode.ts';
import { DrawnAs } from '../../../../../src/screens/wall/words/wallMeasures.ts';
import { WallPage } from '../../../../../src/screens/wall/WallPage.tsx';
import { useSession } from '../../../../../src/session/session.ts';
import { londonDay } from '#contract/london.ts';
import { alert, row, source, START, startBoardServer } from '../../board/boardServer.ts';
import { json } from '../../../api/fakeServer.ts';
import { forgetEverything } from '../../../offline/fakeStorage.ts';

const MINUTE = 60_000;
const DAY = londonDay(new Date(START));
const inMinutes = (minutes: number) => new Date(Date.parse(`${START}`) + minutes * MINUTE).toISOString();
const touch = (subject_id: string, level = 'certain') => ({
  subject: 'disruption',
  subject_id,
  level,
  why: '',
  from_km: 10,
  to_km: 12,
});
const route = (id: string, matches: object[] = [], more: object = {}) => ({
  id,
  kind: 'route',
  name: id,
  length_km: 100,
  sources: ['national-highways'],
  departures: [],
  matches,
  ...more,
});
const job = (minutes: number, trip: string, watch_id: string | null, more: object = {}) => ({
  id: trip,
  day: DAY,
  leaves_at: inMinutes(minutes),
  duration_min: 100,
  watch_id,
  trip,
  deadline_at: null,
  left_at: null,
  arrived_at: null,
  cancelled_at: null,
  rev: 1,
  ...more,
});

let server: ReturnType<typeof startBoardServer>;
let jobs: object[];
let watches: object[];
let page: object;
let rev: number;
let incidents: ReturnType<typeof alert>[];

beforeAll(async () => void (await loadPlaylist()));
beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
  forgetEverything();
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer();
  server.rows = [row('roads-uk', [])];
  jobs = [];
  page = { type: 'jobs', dwell_s: 30 };
  rev = 1;
  watches = [
    route('clear'),
    route('closed', [touch('closed')]),
    route('slow', [touch('slow')]),
    route('perhaps', [touch('slow', 'possible')]),
    route('silent', [], { sources: ['traffic-wales'] }),
  ];
  incidents = [
    alert('closed', {
      severity: 'critical',
      event_type: 'road.incident',
      facts: {
        place: 'M62 eastbound, J26 to J27',
        effect: 'closed',
        closed: 'full',
        roads: ['M62'],
        advice: [],
      },
    } as never),
    alert('slow', {
      severity: 'medium',
      event_type: 'road.incident',
      facts: {
        place: 'M25, J10 to J9',
        effect: 'queues',
        roads: ['M25'],
        delay_minutes: 40,
        delay_least: 30,
      },
    } as never),
  ];
  const sources = [
    source('national-highways'),
    source('traffic-wales', { freshness: 'stale', last_collected: inMinutes(-60) }),
    source('tfl', { freshness: 'late' }),
  ];
  const date = () => ({ date: new Date().toUTCString(), 'x-clearway-display': `${rev}` });
  const answers = server.server.answers;
  answers.set('feeds/', () => json(200, { feeds: server.rows, total: 1, next_up: [] }, date()));
  answers.set('displays/me', () =>
    json(
      200,
      {
        rev,
        layout: { id: 'x', name: 'Gate', pin_criticals: true, rev: 1, pages: [page] },
        message: null,
        tags: [],
        name: 'Gate',
      },
      date(),
    ),
  );
  answers.set('displays/me/routes', () =>
    json(200, { watches, incidents, events: [], sources, total: 5, behind_since: null }, date()),
  );
  answers.set('displays/me/jobs', () => json(200, { day: DAY, jobs, total: jobs.length }, date()));
  const { access_token, refresh_token } = server.server.signedIn();
  useSession.setState({ status: 'signedOut', user: null, offline: false });
  adopt({ access_token, refresh_token });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
async function open() {
  render(<WallPage />);
  await pass(5000);
}
const wall = () => screen.getByRole('main').textContent.replaceAll(/\s+/g, ' ');
const lines = () =>
  [...screen.getByRole('main').querySelectorAll('[data-kind="jobs"] li')].map((line) =>
    [line.querySelector('h3'), line.children[3], line.children[5]]
      .flatMap((part) => part?.textContent ?? [])
      .join(' | '),
  );
const tally = () =>
  within(screen.getByRole('list', { name: 'Entries by state' }))
    .getAllByRole('listitem')
    .map((one) => `${one.textContent.match(/\d+/)} ${one.lastElementChild!.textContent.trim()}`);
const names = () => lines().map((line) => line.split(' | ')[0]);

it('lists the worst first, each with what touches it and when it arrives', async () => {
  server.rows = [row('roads-uk', [], { sources: [source('traffic-wales', { freshness: 'stale' })] })];
  jobs = [
    job(20, 'Norwich → Stansted', 'clear'),
    job(5, 'Sheffield → Derby', null),
    job(10, 'Cardiff → Bristol', 'silent'),
    job(30, 'Birmingham → Heathrow', 'perhaps'),
    job(15, 'Bristol → Gatwick', 'slow'),
    job(40, 'York → Leeds', 'slow', { deadline_at: inMinutes(145) }),
    job(25, 'Leeds → Heathrow', 'closed'),
    job(-60, 'Arrived', 'closed', { arrived_at: inMinutes(-1) }),
    job(12, 'Cancelled', 'closed', { cancelled_at: inMinutes(-1) }),
  ];
  await open();
  expect(lines()).toEqual([
    expect.stringMatching(/^Leeds to Heathrow \| M62.* \| No arrival can be said$/),
    expect.stringMatching(/^York to Leeds \| M25.* \| Will miss it, \d\d:\d\d/),
    expect.stringMatching(/^Bristol to Gatwick \| M25.* \| \d\d:\d\d to \d\d:\d\d$/),
    expect.stringMatching(/^Cardiff to Bristol \| Traffic Wales silent since .* \| Do not rely on this$/),
    'Birmingham to Heathrow | Possible: M25, J10 to J9: queues | Delay not told',
    'Sheffield to Derby | No route: we cannot say | –',
    expect.stringMatching(/^Norwich to Stansted \| Clear as far as we know \| \d\d:\d\d$/),
  ]);
  expect(wall()).toContain('7 jobs');
  expect(wall()).toContain('touches 1 of 7 jobs');
  // The rows are ordered by severity; the next to leave is marked, and the page names the silent sources.
  expect(screen.getByText('Next').closest('li')?.textContent).toContain('Sheffield to Derby');
  expect(wall()).toMatch(/Live, 1 source silentTraffic WalesLast refresh/);
  expect(tally()).toEqual(['1 Critical', '2 Medium', '1 Possible', '2 Cannot say', '1 Clear']);
});

it('says in words that nothing is wrong, that all are done, and that there are none', async () => {
  jobs = [job(20, 'Norwich → Stansted', 'clear'), job(30, 'Derby → Luton', 'clear')];
  await open();
  expect(wall()).toContain('All 2 on time, as far as we know.');
  jobs = jobs.map((one) => ({ ...one, arrived_at: inMinutes(0) }));
  await pass(MINUTE);
  expect(wall()).toContain('All jobs today are done: 2.');
  jobs = [];
  await pass(MINUTE);
  expect(wall()).toContain('No jobs today.');
});

it('shows a job of the day before that the server lists, because its route is long', async () => {
  const day = londonDay(new Date(START.getTime() - 24 * 60 * MINUTE));
  jobs = [job(-13 * 60, 'Leeds → Turin', 'clear', { day, duration_min: null })];
  await open();
  expect(names()).toEqual(['Leeds to Turin']);
});

it('calls no job clear or on time that will miss its deadline, even if its way is clear', async () => {
  jobs = [
    ...Array.from({ length: 16 }, (_, place) => job(20 + place, `Job ${place}`, 'clear')),
    job(-50, 'Late', 'clear', { left_at: inMinutes(-5), deadline_at: inMinutes(55) }),
  ];
  await open();
  expect(wall()).not.toContain('on time');
  expect(lines()[0]).toMatch(/^Late \| Left 45 min late \| Will miss it, \d\d:\d\d$/);
  expect(within(screen.getByRole('main')).getAllByText('clear')).toHaveLength(14); // one in the tally, one each
  expect(screen.getByText(/^\s*Late$/, { selector: '[aria-hidden]' })).toBeTruthy();
  expect(names().at(-1)).toBe('and 4 more');
});

it('never cuts from and to, because that would name another place', async () => {
  const long = 'Manchester Airport Terminal 2 to Leeds Bradford International Airport long stay';
  jobs = [job(20, long.replace(' to ', ' → '), 'clear'), job(30, 'York → Hull', 'clear')];
  await open();
  expect(names()).toEqual([long, 'York to Hull']);
  const [first, second] = screen.getAllByRole('heading', { level: 3 });
  expect([first!.dataset['long'], second!.dataset['long']]).toEqual(['true', undefined]);
});

it('shows more jobs than fit in turns, and says on each page when the next one leaves', async () => {
  jobs = Array.from({ length: 20 }, (_, place) => job(20 + place, `Job ${place}`, 'slow'));
  await open();
  const look = () => {
    const hasNext = names().includes('Job 0');
    expect(screen.queryAllByText('Next')).toHaveLength(hasNext ? 1 : 0);
    expect(wall()).toContain(hasNext ? '20 jobs, Saturday 21 November' : '20 jobs, next leaves 12:19');
    return names();
  };
  const first = look();
  await pass(30_000);
  const second = look();
  expect([first.length, second.length].toSorted((a, b) => a - b)).toEqual([14, 6].toSorted((a, b) => a - b));
  expect(new Set([...first, ...second]).size).toBe(20);
});

it('shows those on the routes that its page names, and no others', async () => {
  page = { type: 'jobs', dwell_s: 30, watch_ids: ['slow'] };
  jobs = [job(5, 'Bare', null), job(15, 'Bristol → Gatwick', 'slow'), job(20, 'Norwich', 'clear')];
  await open();
  expect(names()).toEqual(['Bristol to Gatwick']);
});

it('keeps its jobs without a server, and says how old they are', async () => {
  jobs = [job(60, 'Norwich → Stansted', 'clear')];
  await open();
  server.cut();
  await pass(MINUTE + 1000);
  expect(lines()[0]).toMatch(/^Norwich to Stansted \| Was clear/);
  expect(wall()).toContain('Jobs as of');
  expect(wall()).toContain('1 job');
  expect(wall()).not.toMatch(/in \d+ min(?!utes)|as far as we know/);
});

it.each(['displays/me/jobs', 'displays/me/routes'])('is as old as its older part: %s', async (call) => {
  jobs = [job(60, 'Norwich → Stansted', 'clear')];
  await open();
  server.server.answers.set(call, () => json(503, {}));
  await pass(5 * MINUTE);
  expect(lines()[0]).toMatch(/^Norwich to Stansted \| Was clear/);
  expect(wall()).toContain('Jobs as of');
});

it.each(['jobs', 'routes', 'route', 'changes'])(
  'never says on its page of type %s that all is well where the routes that it names are gone, and reports it',
  async (type) => {
    page = { type, dwell_s: 30, watch_ids: ['deleted'] };
    jobs = [job(15, 'Bristol → Gatwick', 'closed')];
    await open();
    expect(wall()).toContain('The routes of this page are no longer on this display.');
    expect(wall()).not.toMatch(/[Nn]othing|No jobs|clear/);
    expect(useShowing.getState().showing?.problem).toBe(
      'A page names only routes that this display was not given',
    );
  },
);

it.each(['jobs', 'routes', 'route', 'changes'])(
  'says on its page of type %s that its routes are not known while they are not, and reports nothing',
  async (type) => {
    const known = server.server.answers.get('displays/me/routes')!;
    const date = () => ({ date: new Date().toUTCString(), 'x-clearway-display': '1' });
    const changes = { complete: true, changes: [], total: 0 };
    server.server.answers.set('displays/me/changes', () => json(200, changes, date()));
    page = { type, dwell_s: 30, watch_ids: ['closed'] };
    server.server.answers.set('displays/me/routes', () => json(503, { detail: 'Busy.' }));
    const isUnknown = () => {
      expect(wall()).toMatch(/Our routes are not known yet|What changed is not known yet/);
      expect(wall()).not.toMatch(/was given no|no longer|[Nn]othing has|No jobs|[Cc]lear/);
      expect(useShowing.getState().showing).toMatchObject({ page: type, problem: null });
    };
    await open();
    isUnknown();

    // An answer from before the layout says nothing about routes that were given with it.
    cleanup();
    const [all, slow] = [watches, watches.slice(2, 3)];
    watches = slow;
    page = { type: 'board', dwell_s: 30 };
    server.server.answers.set('displays/me/routes', known);
    rev = 1;
    await open();
    page = { type, dwell_s: 30, watch_ids: ['closed'] };
    rev = 2;
    server.server.answers.set('displays/me/routes', () => json(503, { detail: 'Busy.' }));
    await pass(MINUTE + 5000);
    isUnknown();

    watches = all;
    server.server.answers.set('displays/me/routes', known);
    await pass(2 * MINUTE);
    expect(wall()).not.toMatch(/not known yet/);
    expect(useShowing.getState().showing).toMatchObject({ page: type, problem: null });
  },
);

it('has no jobs if it has no routes', async () => {
  watches = [];
  await open();
  expect(wall()).toContain('This display was given no routes.');
  expect(wall()).not.toContain('No jobs');
});

const markAt = (words: string) => screen.getByText(words).textContent.replace(words, '').trim();

it('has a tick on the page of a route only for a rest that is clear as far as is known', async () => {
  watches = [route('closed', [touch('closed')])];
  page = { type: 'route', dwell_s: 30 };
  await open();
  expect(screen.getByText(/^Clear after km 12/).parentElement?.textContent).toMatch(/^\s*clear/);
  // An alert whose place is not known may be there.
  watches = [route('closed', [touch('closed'), { ...touch('slow'), from_km: null, to_km: null }])];
  await pass(MINUTE);
  expect(wall()).toContain('and 1 more');
  expect(wall()).not.toContain('Clear after');
  // A source that is not connected, or is late, may not have said what lies beyond the closure.
  for (const unheard of ['traffic-scotland', 'tfl']) {
    const sources = ['national-highways', unheard];
    watches = [route('closed', [touch('closed')], { sources })];
    await pass(MINUTE);
    expect(wall()).not.toMatch(/Clear|and 1 more/);
  }
});

it('says on the page of a route, for a departure tomorrow, what is known of the end', async () => {
  const days = { days: 127, from_date: null, to_date: null, except: [] };
  const departure = { id: 'd', name: null, at_local: '12:30', duration_min: 100, ...days };
  watches = [route('closed', [touch('closed')], { departures: [departure] })];
  page = { type: 'route', dwell_s: 30 };
  await open();
  expect(screen.getByText(/^Reached 12:/)).toBeTruthy();
  expect(markAt('End not known')).toBe('cannot be said');
  incidents[0]!.facts!.expected_clear = inMinutes(60);
  await pass(MINUTE);
  expect(markAt('Expected clear by then')).toBe('cannot be said');
});

it('calls the times beyond an alert on the line of a route only planned', async () => {
  const days = { days: 127, from_date: null, to_date: null, except: [] };
  const departure = { id: 'd', name: null, at_local: '12:30', duration_min: 100, ...days };
  watches = [route('closed', [touch('closed')], { departures: [departure] })];
  page = { type: 'route', dwell_s: 30 };
  await open();
  const stops = [...document.querySelectorAll('p:has(> i)')].map((stop) => stop.textContent);
  expect(stops.map((stop) => stop.endsWith('by plan'))).toEqual([false, false, true, true]);
});

it('says below the place what happens if the line of a route is upright', async () => {
  watches = [route('closed', [touch('closed')])];
  page = { type: 'route', dwell_s: 30 };
  render(
    <DrawnAs value="upright">
      <WallPage />
    </DrawnAs>,
  );
  await pass(MINUTE + 5000);
  const place = screen.getByText(/^M62/, { selector: '[data-worst] b' });
  expect(place.nextElementSibling?.textContent).toMatch(/^Closed/);
});

it('says on the page of a route from when an incident is in force, if the vehicle is there earlier', async () => {
  const days = { days: 127, from_date: null, to_date: null, except: [] };
  const departure = { id: 'd', name: null, at_local: '12:30', duration_min: 100, ...days };
  watches = [route('closed', [touch('closed')], { departures: [departure] })];
  incidents[0]!.start_time = inMinutes(44);
  incidents[0]!.end_time = inMinutes(120);
  incidents[0]!.metadata = { phase: 'planned' };
  page = { type: 'route', dwell_s: 30 };
  await open();
  expect(screen.queryByText(/Reached/)).toBeNull();
  expect(screen.getByText('From 12:43')).toBeTruthy();
});

it('keeps on the page of a route a coach that left before midnight, and says what it may have passed', async () => {
  vi.setSystemTime('2026-11-22T00:20:00.000Z');
  const days = { days: 127, from_date: null, to_date: null, except: [], duration_min: 100 };
  const departures = ['23:50', '23:55', '06:10'].map((at_local) => ({
    id: at_local,
    name: null,
    at_local,
    ...days,
  }));
  // The incident is at km 10 to 12: the coach that left at 23:55 reaches it from 00:05 to 00:07, and must have passed
  // it two hours later.
  watches = [route('closed', [touch('closed')], { departures })];
  page = { type: 'route', dwell_s: 30 };
  await open();
  const leaving = [...screen.getByRole('main').querySelectorAll('ol li')].map((one) => one.textContent);
  expect(leaving[0]).toMatch(/^23:50 on the way.*Clear as far as we know$/);
  expect(leaving[1]).toMatch(/^23:55 on the way.*May be behind it$/);
  expect(leaving[2]).toMatch(/^06:10/);
});

it('says before midnight when a coach that leaves soon after reaches what is there now', async () => {
  vi.setSystemTime('2026-11-22T23:55:00.000Z');
  const days = { days: 127, from_date: null, to_date: null, except: [], duration_min: 100 };
  const departures = [{ id: 'd', name: null, at_local: '00:10', ...days }];
  watches = [route('closed', [touch('closed')], { departures })];
  page = { type: 'route', dwell_s: 30 };
  await open();
  expect(wall()).toMatch(/00:10.*Reached 00:2\d/);
  expect(wall()).not.toContain('End not known');
});

it('gives a route at midnight by the clock time at which its coach left', async () => {
  vi.setSystemTime('2026-11-22T00:20:00.000Z');
  const days = { days: 127, from_date: null, to_date: null, except: [], duration_min: 100 };
  const departures = [{ id: 'd', name: null, at_local: '23:50', ...days }];
  watches = [route('slow', [touch('slow')], { departures })];
  page = { type: 'routes', dwell_s: 30 };
  await open();
  expect(screen.getByText('23:50')).toBeTruthy();
  expect(wall()).toContain('on the way');
  expect(wall()).not.toContain('yesterday');
});

it('has one word beside the time of a job across midnight: how long ago, or how long until then', async () => {
  vi.setSystemTime('2026-11-22T00:20:00.000Z');
  jobs = [
    job(0, 'Hull → York', 'slow', { day: '2026-11-21', leaves_at: '2026-11-21T23:50:00.000Z' }),
    job(0, 'Hull → Selby', 'clear', { day: '2026-11-21', leaves_at: '2026-11-22T00:40:00.000Z' }),
  ];
  await open();
  expect(wall()).toContain('23:5030 min ago');
  expect(wall()).toContain('00:40Next in 20 min');
});

it('counts once how many jobs a new critical alert touches', async () => {
  incidents[0]!.start_time = inMinutes(-5);
  incidents[0]!.since = inMinutes(-5);
  jobs = [job(25, 'Leeds → Heathrow', 'closed'), job(30, 'Derby → Luton', 'clear')];
  await open();
  expect(wall()).toContain('Critical on 1 of our jobs');
  expect(wall()).not.toContain('touches 1');
});
