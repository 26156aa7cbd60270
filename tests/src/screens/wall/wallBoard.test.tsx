import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noResponse } from '#contract/shift/responses.ts';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import { listResponses } from '../../../../src/api/shift/inHand.ts';
import { setDemo } from '../../../../src/screens/board/demoMode.ts';
import { numberAddress } from '../../../../src/feeds/alerts/alerts.ts';
import { holdFeed, releaseFeed } from '../../../../src/screens/wall/kiosk/remoteControl.ts';
import { useSeen, useSeenByTeam } from '../../../../src/screens/wall/words/seenByTeam.ts';
import { bandIsChanging } from '../../../../src/screens/wall/band/rowTurns.ts';
import { WallBoard } from '../../../../src/screens/wall/WallBoard.tsx';
import { clockWords } from '../../../../src/screens/wall/frame/WallSign.tsx';
import { json } from '../../api/fakeServer.ts';
import { alert, minutesBefore, planned, row, source, START, startBoardServer } from '../board/boardServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

let server: ReturnType<typeof startBoardServer>;

function TeamWall() {
  useSeenByTeam('team');
  return <WallBoard />;
}

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  setDemo(false);
  releaseFeed();
  vi.useFakeTimers();
  vi.setSystemTime(START);
  server = startBoardServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function openWall(props: ComponentProps<typeof WallBoard> = {}) {
  const view = render(<WallBoard {...props} />);
  await pass(50);
  return view;
}

const titles = () =>
  screen.getAllByRole('article').map((row) => within(row).getByRole('heading', { level: 2 }).textContent);
const feed = (name: string) => screen.getByRole('article', { name });
const state = () => screen.getByText(/^Last refresh/).textContent;
const sign = () =>
  screen
    .getAllByRole('status')
    .map((place) => place.textContent?.trim())
    .filter(Boolean)
    .join('|');
const totals = () =>
  within(screen.getByRole('list', { name: 'Active alerts of all feeds by severity' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const fresh = () => screen.getByRole('main').dataset['fresh'];
const clock = () => screen.getAllByRole('banner')[0]!.querySelector('time')!.textContent;
const lead = (name: string) => within(feed(name)).getByRole('heading', { level: 3 }).textContent;
/** The symbols and texts of the line of waiting alerts. */
const waiting = (name: string) =>
  feed(name).querySelector('[aria-hidden] [data-severity]')?.parentElement?.textContent;
const band = () => screen.getByRole('region', { name: 'Worst now' }).textContent;

describe('the wall', () => {
  it('shows five empty rows with titles while nothing is known', async () => {
    server.server.line = 'hanging';
    await openWall();

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Live Disruptions Board');
    expect(titles()).toEqual(['Rail Network', 'UK Roads', 'Aviation', 'Weather & Flood', 'Public Safety']);
    expect(state()).toBe('Loading...Last refresh –');
    expect(within(feed('Aviation')).getByText('–')).toBeTruthy();
    expect(sign()).toBe('');
  });

  it('shows its feeds, totals, connection and the time, and nothing to click', async () => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'critical' }), alert('b')]),
      row('roads-uk', [alert('c')], { alert_count: 3 }),
    ];
    await openWall();

    expect(titles()).toEqual(['Rail Network', 'UK Roads']);
    expect(totals()).toEqual(['1 Critical', '2 Medium', 'and 2 more']);
    expect(state()).toBe('LiveLast refresh 11:59:32');
    expect(clock()).toContain('11:59');
    expect(sign()).toBe('');
    const rail = within(feed('Rail Network'));
    expect(rail.getByText('2 active')).toBeTruthy();
    expect(rail.getByText('Transport for London, 11:53')).toBeTruthy();
    expect(screen.getByRole('main').textContent).not.toMatch(/Summary|analysed|tokens/);
    expect(rail.getByRole('list', { name: 'All alerts' }).children).toHaveLength(2);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
    await pass(30 * SECOND);
    expect(clock()).toContain('12:00');
  });

  it.each(['/disruptions?display=wall', '/disruptions?display=wall&demo=true'])(
    'never starts in demo mode: %s',
    async (address) => {
      setDemo(true);
      history.replaceState(null, '', address);
      await openWall();

      expect(state()).toMatch(/^Live/);
      expect(titles()).toEqual(['Rail Network', 'UK Roads']);
      expect(server.loads()).toBe(1);
    },
  );

  it('lights a row whose lead is new for ten minutes, or until somebody has looked', async () => {
    server.rows = [row('rail-network', [alert('a')]), row('roads-uk', [alert('r')])];
    await openWall();
    const lit = () => [...document.querySelectorAll('[data-lit] h3')].map(({ textContent }) => textContent);
    expect(lit()).toEqual([]);
    const low = alert('low', { severity: 'low' });
    server.rows = [
      row('rail-network', [alert('a'), alert('new', { severity: 'high' }), planned('p')]),
      row('roads-uk', [alert('r'), low]), // the new one is not its lead
    ];
    await pass(MINUTE);
    expect(lit()).toEqual(['Title of new']);
    expect(within(feed('Rail Network')).getByText('2 active, 1 planned')).toBeTruthy();
    expect(feed('Rail Network').textContent).toContain('New to us 12:00');
    await pass(8 * MINUTE);
    expect(lit()).toEqual(['Title of new']);
    act(() => useSeen.setState({ new: 'Seen by Rosa, 12:05' }));
    expect(lit()).toEqual([]);
    act(() => useSeen.setState({}, true));
    expect(lit()).toEqual(['Title of new']);
    await pass(3 * MINUTE);
    expect(lit()).toEqual([]);
  });

  it('says "New to us" for a lead that began before Clearway had it', async () => {
    await openWall();
    server.rows = [
      row('rail-network', [alert('late', { severity: 'high', start_time: minutesBefore(20) })]),
      row('roads-uk', [alert('prompt', { severity: 'high', start_time: minutesBefore(-1) })]),
    ];
    await pass(MINUTE);
    expect(feed('Rail Network').textContent).toMatch(/since 11:\d\d.*New to us 12:0\d/);
    expect(feed('UK Roads').textContent).toMatch(/since 12:00.*New 12:0\d/);
  });

  it('lights two rows at most, the worst, and says which got worse', async () => {
    const worse = { direction: 'worse' as const, since: minutesBefore(5), change: 'Medium to High' };
    server.rows = [
      row('rail-network', [alert('a', { severity: 'medium', trend: worse })]),
      row('roads-uk', [
        alert('b', { severity: 'critical', trend: worse }),
        alert('b2', { severity: 'critical', trend: worse }),
      ]),
      row('aviation', [alert('c', { severity: 'high', trend: worse })]),
    ];
    await openWall();
    const marks = [...document.querySelectorAll('span[data-lit]')];
    expect(marks.map((mark) => mark.textContent?.trim())).toEqual(['worse since 11:54', 'worse since 11:54']);
    // The second critical of the roads takes no other row's light.
    expect(feed('Aviation').querySelector('[data-lit]')).not.toBeNull();
    expect(feed('Rail Network').querySelector('[data-lit]')).toBeNull();
  });

  it('highlights nothing at its first answer, however recent it is, or when its clock is set back', async () => {
    server.rows = [row('rail-network', [alert('a', { updated_at: minutesBefore(1) })])];
    await openWall();
    expect(document.querySelector('[data-lit]')).toBeNull();
    server.rows = [row('rail-network', [alert('a'), alert('new', { severity: 'high' })])];
    await pass(MINUTE);
    expect(document.querySelector('[data-lit]')).not.toBeNull();
    vi.setSystemTime(START.getTime() - 60 * MINUTE);
    await pass(2 * SECOND);
    expect(document.querySelector('[data-lit]')).toBeNull();
  });

  it('pins the worst alert of a feed, shows the others in turn, and stands still while the data is stale', async () => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'critical' }), alert('b'), alert('c')]),
      row('roads-uk', [alert('d', { severity: 'critical' }), alert('e', { severity: 'critical' })]),
    ];
    await openWall();
    const leads = new Set<string | null>();
    const others = new Set<string | undefined>();
    const roads = new Set<string | null>();
    for (let second = 0; second < 50; second++) {
      leads.add(lead('Rail Network'));
      others.add(/Title of \w/.exec(waiting('Rail Network') ?? '')?.[0]);
      roads.add(lead('UK Roads'));
      await pass(SECOND);
    }
    expect([...leads]).toEqual(['Title of a']);
    expect([...others].toSorted()).toEqual(['Title of b', 'Title of c']);
    expect([...roads].toSorted()).toEqual(['Title of d', 'Title of e']);
    server.cut();
    await pass(4 * MINUTE);
    expect(waiting('Rail Network')).toContain('Title of b');
    expect(feed('Rail Network').dataset['fresh']).toBe('stale');
    const still = feed('UK Roads').textContent;
    await pass(20 * SECOND);
    expect(feed('UK Roads').textContent).toBe(still);
  });

  it('shows each of several critical alerts of a feed for twelve seconds, clear of the band’s change', async () => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'critical' }), alert('b')]),
      row('roads-uk', [alert('d', { severity: 'critical' }), alert('e', { severity: 'critical' })]),
    ];
    await openWall();
    const changes: number[] = [];
    let before = lead('UK Roads');
    for (let second = 0; second < 90; second++) {
      await pass(SECOND);
      if (lead('UK Roads') === before) continue;
      before = lead('UK Roads');
      changes.push(Date.now());
    }
    const gaps = changes.slice(2).map((at, place) => Math.round((at - changes[place + 1]!) / SECOND));
    expect(gaps.length).toBeGreaterThan(3);
    expect(new Set(gaps)).toEqual(new Set([12]));
    for (const at of changes) expect(bandIsChanging(at)).toBe(false);
  });

  it('reaches the advice beside a critical alert that got worse', async () => {
    const trend = { direction: 'worse' as const, since: minutesBefore(5), change: 'High to Critical' };
    const parts = {
      event_id: 'a',
      affected: 'Northern and LNER',
      advice: 'Trains start and end at Dewsbury; use buses.',
      until: 'About 17:29',
    };
    server.rows = [row('rail-network', [alert('a', { severity: 'critical', trend }), alert('b')])];
    Object.assign(server.rows[0]!.summary!, { model: 'clearway-extract-1', metadata: { parts } });
    await openWall();
    const said = new Set<string>();
    for (let second = 0; second < 40; second++) {
      said.add(feed('Rail Network').querySelector('h3')!.parentElement!.parentElement!.textContent!);
      await pass(SECOND);
    }
    const all = [...said].join('\n');
    expect(all).toContain('Affected Northern and LNER.');
    expect(all).toContain('Advice Trains start and end at Dewsbury; use buses.');
    expect(all).toContain('worse since 11:54');
    expect(all).not.toContain('17:29');
    expect(all).not.toContain('analysed');
  });

  it('has places for who has seen an alert and for our routes, which stay empty until needed', async () => {
    server.rows = [row('rail-network', [alert('a', { severity: 'critical' })])];
    const { rerender } = await openWall();
    expect(screen.getByRole('main').textContent).not.toMatch(/Seen|Our routes/);

    act(() => useSeen.setState({ a: 'Seen by Rosa, 11:50' }));
    expect(band()).toContain('CriticalSeen by Rosa, 11:50Title of a');
    expect(feed('Rail Network').textContent).toContain('Seen by Rosa, 11:50');
    act(() => useSeen.setState({}, true));
    expect(screen.getByRole('main').textContent).not.toContain('Seen');

    rerender(<WallBoard routes={<h2>Our routes</h2>} />);
    expect(screen.getByRole('heading', { name: 'Our routes' })).toBeTruthy();
  });

  it('leaves out snoozed alerts, says how many, and shows them again when the snooze is over', async () => {
    server.rows = [
      row('rail-network', [alert('a', { severity: 'critical' }), alert('b')]),
      row('roads-uk', [alert('c', { severity: 'high' })]),
    ];
    const until = new Date(Date.parse('2026-11-21T12:03:00Z')).toISOString();
    const state = (event_id: string) => ({
      ...noResponse(event_id),
      snooze: { until, change: false, by: null, at: null, critical: event_id === 'a' },
    });
    server.server.answers.set('responses/', () =>
      json(200, { responses: [state('a'), state('c')], reports: [] }, { date: new Date().toUTCString() }),
    );
    render(<TeamWall />);
    await pass(50);

    expect(screen.getByText(/, 2 snoozed$/)).toBeTruthy();
    expect(screen.getByRole('main').textContent).not.toMatch(/Title of [ac]/);
    expect(band()).toContain('Nothing else critical or high.');
    expect(lead('Rail Network')).toContain('Title of b');
    expect(feed('UK Roads').textContent).toContain('1 snoozed');
    expect(feed('UK Roads').textContent).not.toMatch(/Unable|No active/);
    await pass(4 * MINUTE);
    expect(band()).toContain('Title of a');
    expect(screen.getByRole('main').textContent).not.toContain('snoozed');
  });

  it('shows an alert that became critical since it was snoozed, even before the answer that says so', async () => {
    const until = new Date(Date.parse('2026-11-21T12:30:00Z')).toISOString();
    const snooze = { until, change: false, by: null, at: null, critical: false };
    server.server.answers.set('responses/', () =>
      json(
        200,
        { responses: [{ ...noResponse('risen'), snooze }], reports: [] },
        { date: new Date().toUTCString() },
      ),
    );
    server.rows = [row('rail-network', [alert('risen', { severity: 'high' }), alert('b')])];
    render(<TeamWall />);
    await pass(50);
    expect(screen.getByRole('main').textContent).not.toContain('Title of risen');

    server.rows = [row('rail-network', [alert('risen', { severity: 'critical' }), alert('b')])];
    await pass(MINUTE);
    expect(band()).toContain('Title of risen');
    expect(screen.getByRole('main').textContent).not.toContain('snoozed');
  });

  it('numbers a new critical alert among all of its grade, even if it is not among the first three', async () => {
    const some = ['a', 'b', 'c'].map((id) => alert(id, { severity: 'critical' }));
    server.rows = [row('rail-network', some)];
    await openWall();
    const late = alert('d', { severity: 'critical', start_time: minutesBefore(90) });
    server.rows = [row('rail-network', [...some, late])];
    await pass(MINUTE);
    expect(band()).toContain('Critical, 4 of 4also critical: Title of a; Title of b; Title of cTitle of d');
  });

  it.each([
    ['', 2],
    ['(prefers-reduced-motion: reduce)', 1],
  ])(
    'has one pulse around the alert that begins to be told, if motion is wanted: %s',
    async (only, circles) => {
      vi.spyOn(window, 'matchMedia').mockImplementation(
        (query) => ({ matches: query === only, addEventListener() {}, removeEventListener() {} }) as never,
      );
      const place = { latitude: 53.74, longitude: -1.7 };
      server.rows = [row('roads-uk', [alert('a', { severity: 'critical', ...place })])];
      await openWall();
      const rings = () => screen.getByRole('img', { name: /^Map: / }).querySelectorAll('circle');
      expect(rings()).toHaveLength(circles);
      fireEvent.animationEnd(rings()[0]!);
      expect(rings()).toHaveLength(1);
    },
  );

  it('never writes the names of two towns around an alert over each other', async () => {
    const dumfries = { latitude: 55.07, longitude: -3.61 };
    server.rows = [row('weather-flood', [alert('nith', { severity: 'critical', ...dumfries })])];
    server.outlook = { next_up: [] };
    const { container } = await openWall();
    const lines = [...container.querySelectorAll('svg[aria-hidden] g text')]
      .map((name) => Number(name.getAttribute('y')))
      .toSorted((a, b) => a - b);
    expect(lines.length).toBeGreaterThan(0);
    for (const [place, y] of lines.slice(1).entries()) expect(y - lines[place]!).toBeGreaterThan(16);
  });

  it('says which alert is worst, where, and since when, each of the worst in turn', async () => {
    const facts = {
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      cause: 'overturned lorry',
      roads: ['M62'],
    };
    const worse = { direction: 'worse' as const, since: minutesBefore(5), change: 'High to Critical' };
    server.rows = [
      row('rail-network', [alert('b', { severity: 'high', latitude: 53.75, longitude: -1.68 })]),
      row('roads-uk', [
        alert('a', {
          severity: 'critical',
          source: 'national-highways',
          facts: { ...facts, expected_clear: minutesBefore(-60) },
          trend: worse,
          metadata: { also_reported_by: [{ source: 'met-police', event_id: 'p', title: 'p' }] },
          latitude: 53.74,
          longitude: -1.7,
        }),
      ]),
      row('aviation', [], { freshness: 'stale' }),
    ];
    await openWall();
    expect(band()).toBe(
      ' CriticalCriticalAviation: no newsworse since 11:54also Public Safetysince 11:29' +
        'M62 eastbound, J26 to J27Closed, overturned lorry until about 12:59',
    );
    server.rows = server.rows.map(({ feed, ...rest }) => ({
      feed: { ...feed, freshness: 'stale' },
      ...rest,
    }));
    await pass(MINUTE);
    expect(band()).toContain('All feeds: no news');
    expect(
      screen.getByRole('img', { name: 'Map: M62 eastbound, J26 to J27 is the alert shown' }).textContent,
    ).toBe('1 of 2on the mapLeeds1 more nearby');

    server.rows = [row('rail-network', [alert('b', { severity: 'high' }), alert('c', { severity: 'high' })])];
    await pass(MINUTE);
    const shown = new Set([band()]);
    for (let turn = 0; turn < 3; turn++) {
      await pass(12 * SECOND);
      shown.add(band());
    }
    expect([...shown].toSorted()).toEqual([
      ' HighHigh, 1 of 2also high: Title of cTitle of bLine of b since 11:29',
      ' HighHigh, 2 of 2also high: Title of bTitle of cLine of c since 11:29',
    ]);
    server.cut();
    await pass(5 * MINUTE);
    expect(band()).toMatch(/^ HighHigh, 1 of 2as of 12:0\dalso high: Title of cTitle of b/);
  });

  it('names the others that are as bad in short, because no row may show them', async () => {
    const closed = (id: string, place: string) =>
      alert(id, { severity: 'critical', start_time: minutesBefore(90), facts: { place, effect: 'closed' } });
    const places = [
      'M62 eastbound, J26 to J27',
      'A9 at Dalnacardoch',
      'Tay Road Bridge',
      'A55, Conwy',
      'A1, Alnwick',
    ];
    server.rows = [
      row(
        'roads-uk',
        places.slice(0, 3).map((place, index) => closed(`${index}`, place)),
      ),
    ];
    await openWall();
    const turns = async () => {
      const shown = new Set<string>();
      for (let turn = 0; turn < 3; turn++) {
        shown.add(
          /Critical, \d of \d.*?(?=since|M62 eastbound, J26 to J27Closed)/.exec(band())?.[0] ?? band(),
        );
        await pass(12 * SECOND);
      }
      return [...shown].toSorted();
    };
    expect((await turns())[0]).toMatch(/^Critical, 1 of 3also critical: A9.*; Tay Road Bridge/);
    server.rows = [
      row(
        'roads-uk',
        places.map((place, index) => closed(`${index}`, place)),
      ),
    ];
    await pass(MINUTE);
    expect((await turns())[0]).toMatch(
      /^Critical, 1 of 5also critical: A9.*; Tay Road Bridge; A55.* and 1 more/,
    );
  });

  it('shows a new critical alert at once, and keeps it on the screen', async () => {
    server.rows = [row('rail-network', [alert('a', { severity: 'critical' })])];
    await openWall();
    server.rows = [
      row('rail-network', [
        alert('a', { severity: 'critical' }),
        alert('b', { severity: 'critical', start_time: minutesBefore(90) }),
      ]),
    ];
    await pass(MINUTE);
    for (let second = 0; second < 20; second++) {
      expect(band()).toContain('Title of b');
      await pass(SECOND);
    }
  });

  it('says that nothing is critical or high, and when the last critical alert cleared', async () => {
    server.rows = [row('rail-network', [alert('a'), alert('b', { severity: 'low' })])];
    server.outlook = { last_critical_cleared: minutesBefore(11 * 60) };
    await openWall();
    expect(band()).toBe(
      'NowLast critical alert cleared 00:59Nothing critical or high.2 medium and low alerts below. ',
    );
    server.cut();
    await pass(5 * MINUTE);
    expect(band()).toMatch(/^As of 11:59.*Nothing was critical or high\./);
  });

  it('is calm only if every source has answered', async () => {
    const sources = [source('tfl'), source('bods-bus')];
    server.rows = [
      row('rail-network', [], { sources }),
      row('roads-uk', [planned('p')], { sources: [source('met-police')] }),
    ];
    await openWall();
    expect(band()).toBe('No active alerts in any feedChecked 11:59. All 3 sources answered.');
    expect(feed('UK Roads').textContent).toContain('PlannedTitle of p, from Sun 23:00');

    server.rows = [row('rail-network', [], { sources: [source('tfl', { freshness: 'late' })] })];
    await pass(MINUTE);
    expect(band()).toBe('No active alerts in any feedChecked 12:00. 1 source late: TfL');

    server.rows = [
      row('rail-network', [], { sources: [source('tfl', { freshness: 'stale' })] }),
      row('roads-uk'),
    ];
    await pass(MINUTE);
    expect(band()).toBe('No active alerts reported1 source silent: TfL');

    // The next event is said before it.
    const at = minutesBefore(-90);
    const next = { kind: 'begins', severity: 'medium', event_id: 'w' } as const;
    server.outlook = { next_up: [{ ...next, at, place: 'Wales', what: 'amber wind warning begins' }] };
    await pass(MINUTE);
    expect(band()).toBe(
      'No active alerts reportedNext 13:29: Amber wind, Wales, warning begins1 source silent: TfL',
    );
    server.outlook = { next_up: [] };
    await pass(MINUTE);
    expect(band()).toMatch(/^No active alerts reportedNothing expected before 18:0\d\.1 source silent: TfL$/);
    server.cut();
    await pass(5 * MINUTE);
    expect(screen.queryByText('No active alerts in any feed')).toBeNull();
    expect(screen.queryByText('No active alerts')).toBeNull();
  });

  it('says what comes next, by the times that sources state', async () => {
    const at = minutesBefore(-60);
    server.rows = [row('rail-network', [alert('a')])];
    server.outlook = {
      next_up: [
        {
          at,
          kind: 'clears',
          place: 'M62, J26 to J27',
          what: 'expected clear',
          severity: 'high',
          event_id: 'a',
        },
      ],
    };
    await openWall();
    const next = () => screen.getByRole('region', { name: /^Next 6 hours/ }).textContent;
    expect(next()).toBe('Next 6 hours12:59M62, J26 to J27 expected clear');
    server.cut();
    await pass(10 * MINUTE);
    expect(next()).toBe('Next 6 hours, as of 11:5912:59M62, J26 to J27 expected clear');
    server.server.line = 'good';
    server.outlook = { next_up: [] };
    server.rows = [row('rail-network', [alert('b')])];
    await pass(MINUTE);
    expect(next()).toMatch(/^Next 6 hours12:59M62, J26 to J27 withdrawn \d\d:\d\d$/);
    await pass(11 * MINUTE);
    expect(next()).toMatch(/^Next 6 hoursNothing expected before 18:2\d$/);
    server.outlook = {};
    await pass(MINUTE);
    expect(screen.queryByRole('region', { name: /^Next 6 hours/ })).toBeNull(); // not known is not "nothing"
  });

  it('takes the plate from an alert whose feed is silent, and shows those of other feeds first', async () => {
    const critical = { severity: 'critical', start_time: minutesBefore(10) } as const;
    const old = row('roads-uk', [alert('old', critical)], {
      freshness: 'stale',
      last_updated: minutesBefore(60),
    });
    server.rows = [old, row('rail-network', [alert('new', { severity: 'critical' })])];
    await openWall();
    const section = () => screen.getByRole('region', { name: 'Worst now' });
    expect(section().dataset['plate']).toBeUndefined();
    expect(section().dataset['fresh']).toBe('stale');
    expect(band()).toContain(
      'Critical, 2 of 2as of 10:59UK Roads: no newsalso critical: Title of newTitle of old',
    );
    await pass(12 * SECOND);
    expect(section().dataset['plate']).toBe('filled');
    expect(band()).toContain('Critical, 1 of 2UK Roads: no newsalso critical: Title of oldTitle of new');
    expect(fresh()).toBe('fresh');
  });

  it('looks as old as its news when every feed is silent, even if the server answers', async () => {
    const silent = { freshness: 'stale', last_updated: minutesBefore(60) } as const;
    server.rows = [
      row('rail-network', [alert('a', { severity: 'critical' })], silent),
      row('roads-uk', [], silent),
    ];
    server.outlook = { next_up: [] };
    await openWall();
    expect(fresh()).toBe('stale');
    expect(band()).toContain('Criticalas of 10:59Rail Network, UK Roads: no news');
    expect(screen.getByRole('region', { name: 'Worst now' }).dataset['plate']).toBeUndefined();
    expect(screen.getByRole('region', { name: /^Next 6 hours, as of 10:59/ })).toBeTruthy();
  });

  it('leaves no row without a name, even if not one word of a title fits', async () => {
    server.rows = [row('rail-network', [alert('a', { title: 'L'.repeat(300), severity: 'high' })])];
    await openWall();
    expect(lead('Rail Network')).toBe('High alert');
    expect(band()).toContain('High alert');
  });

  it('says what happens in a waiting alert, and planned works make room for it', async () => {
    const waits = (id: string, place: string, effect: string) =>
      alert(id, { severity: 'low', facts: { place, effect, cause: null } });
    server.rows = [
      row('rail-network', [
        alert('lead'),
        waits('a', 'Reading to London Paddington', 'up to 20 minutes late'),
        waits('b', 'Circle line', 'minor delays'),
        planned('works', { facts: { place: 'Stockport to Crewe', effect: 'trains diverted', cause: null } }),
      ]),
    ];
    await openWall();
    const line = () =>
      feed('Rail Network').querySelector('[aria-hidden] [data-severity]')?.closest('div')?.textContent;
    const seen = new Set<string | undefined>();
    for (let step = 0; step < 20; step++) {
      await pass(4 * SECOND);
      seen.add(line());
    }
    expect([...seen].filter((text) => text?.includes('Reading'))).toEqual([
      'LowReading to London Paddington: up to 20 minutes late11:29',
    ]);
    expect(
      [...seen].some((text) => text?.includes('Circle line: minor delays') && text.includes('Planned')),
    ).toBe(true);
  });

  it('says since when for a lead, and shortens its title for it', async () => {
    const facts = { place: 'Hammersmith to Heathrow Terminals', effect: 'severe delays on it', cause: null };
    server.rows = [row('rail-network', [alert('a', { severity: 'high', facts })])];
    await openWall();
    const line = () =>
      within(feed('Rail Network')).getByRole('heading', { level: 3 }).parentElement!.textContent;
    expect(line()).toBe('Hammersmith: severe delayssince 11:29');
    server.rows = [row('rail-network', [alert('b', { title: 'Short', severity: 'high' })])];
    await pass(MINUTE);
    expect(line()).toBe('Shortsince 11:29');
  });

  it('never drops since when, or what happens: the cause goes, then the far end', async () => {
    const start_time = minutesBefore(13 * 60);
    const lines = [];
    await openWall();
    for (const effect of ['delays', 'severe delays', 'up to 60 minutes late']) {
      const facts = { place: 'Leeds to Hull', effect, cause: 'signal failure' };
      server.rows = [row('rail-network', [alert(effect, { severity: 'high', start_time, facts })])];
      await pass(MINUTE);
      const title = within(feed('Rail Network')).getByRole('heading', { level: 3 });
      lines.push(title.parentElement!.textContent);
    }
    expect(lines).toEqual([
      'Leeds to Hull: delayssince Fri 22:59',
      'Leeds to Hull: severe delayssince Fri 22:59',
      'Leeds: up to 60 minutes latesince Fri 22:59',
    ]);
  });

  it('lets what comes next go at its minute, and not before', async () => {
    const at = minutesBefore(-2).replace(/\d\d\.000Z$/, '30.000Z');
    server.rows = [row('rail-network', [alert('a')])];
    server.outlook = {
      next_up: [
        { at, kind: 'clears', place: 'M62', what: 'expected clear', severity: 'high', event_id: 'a' },
      ],
    };
    await openWall();
    const next = () => screen.getByRole('region', { name: /^Next 6 hours/ }).textContent;
    while (!clock()?.includes('12:01')) {
      expect(next()).toContain('12:01');
      await pass(SECOND);
    }
    await pass(SECOND);
    expect(next()).not.toContain('12:01');
  });

  it('gives the number of each alert of a held feed, by which it is found elsewhere', async () => {
    const events = [alert('a'), alert('b')];
    server.rows = [row('rail-network', events)];
    await openWall();
    act(() => holdFeed(1));
    await pass(50);
    for (const event of events) expect(feed('Rail Network').textContent).toContain(numberAddress(event));
  });

  it('names each silent source of a feed in its row', async () => {
    server.rows = [
      row('rail-network', [alert('a')], {
        sources: [
          source('tfl', { freshness: 'stale', last_collected: minutesBefore(60) }),
          source('nsi-service'),
        ],
      }),
    ];
    await openWall();
    expect(state()).toBe('Live, 1 source silentLast refresh 11:59:32');
    expect(feed('Rail Network').textContent).toMatch(/TfL: silent since 10:59/);
  });

  it('shows more than five feeds in turn, and always those with a critical alert', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => row(slug, [alert(slug)]));
    rows[1] = row('b', [alert('b', { severity: 'critical' })]);
    server.rows = rows;
    await openWall();
    const pages = [];
    for (let page = 0; page < 2; page++) {
      pages.push(titles().join(''));
      expect(screen.getByText(/^Feeds: page [12] of 2$/)).toBeTruthy();
      await pass(20 * SECOND);
    }
    expect(pages.toSorted()).toEqual(['abcde', 'bfg']);
  });

  it('holds a feed for a minute, with its sources and all its alerts', async () => {
    const events = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => alert(id));
    server.rows = [
      row('rail-network'),
      row('roads-uk', events, {
        sources: [
          source('tfl', { event_count: 3 }),
          source('nsi-service', { event_count: 0 }),
          source('kb-incidents', { state: 'not_configured', freshness: undefined }),
          source('bods-bus', { freshness: 'stale', last_collected: minutesBefore(60) }),
        ],
      }),
    ];
    await openWall();
    act(() => holdFeed(2));
    await pass(SECOND);

    const sources = within(feed('UK Roads')).getByRole('list', { name: 'Sources' });
    expect([...sources.children].map(({ textContent }) => textContent).toSorted()).toEqual([
      'Bus Open Data ServiceNo recent information since 10:59',
      'Knowledgebase incidentsNot connected',
      'National Rail service indicatorsAll operators good service',
      'Transport for LondonMonitoring, 3 alerts',
    ]);
    for (const { event_id } of events) expect(feed('UK Roads').textContent).toContain(`Title of ${event_id}`);
    expect(within(feed('Rail Network')).queryByRole('list', { name: 'Sources' })).toBeNull();

    await pass(58 * SECOND);
    expect(screen.getByRole('list', { name: 'Sources' })).toBeTruthy();
    await pass(2 * SECOND);
    expect(screen.queryByRole('list', { name: 'Sources' })).toBeNull();
  });

  it('shows at most 20 alerts of a feed, in turn and when held, and still says how many there are', async () => {
    const some = (name: string, count: number, over: Partial<Alert>) =>
      Array.from({ length: count }, (_, index) => alert(`${name}${index}`, over));
    const events = [
      ...some('low', 470, { severity: 'low' }),
      ...some('high', 27, { severity: 'high' }),
      ...some('critical', 3, { severity: 'critical' }),
    ];
    server.rows = [row('rail-network', events, { alert_count: 1245 })];
    await openWall();
    const rail = feed('Rail Network');
    const all = within(rail).getByRole('list', { name: 'All alerts' });
    expect([...all.children].map(({ textContent }) => textContent!.split(':')[0])).toEqual([
      ...Array(3).fill('Critical'),
      ...Array(17).fill('High'),
    ]);
    expect(within(rail).getByText('1245')).toBeTruthy();
    expect(within(rail).getByText('1,245 active')).toBeTruthy();
    expect(totals()).toEqual(['3 Critical', '27 High', '470 Low', 'and 745 more']);

    act(() => holdFeed(1));
    await pass(SECOND);
    expect(within(rail).getByText(/^Alerts 1 to \d+ of 20, 1,225 more not listed$/)).toBeTruthy();
  });

  it('ignores a key for a missing row', async () => {
    await openWall();
    act(() => holdFeed(5));
    await pass(SECOND);
    expect(screen.queryByRole('list', { name: 'Sources' })).toBeNull();
    expect(titles()).toHaveLength(2);
  });
});

describe('the data of a wall', () => {
  const seen = () => ({ state: state(), fresh: fresh(), sign: sign() });

  it('says at once that a refresh failed, what it still shows, and when it tries again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    server.rows = [row('rail-network', [alert('a')]), row('roads-uk')];
    await openWall();
    expect(screen.getByText('No active alerts')).toBeTruthy();
    server.server.answers.set('feeds/', () => new Response('{}', { status: 503 }));
    await pass(MINUTE);
    expect(screen.queryByText('No active alerts')).toBeNull();
    expect(seen()).toEqual({
      state: 'No answer, 1 minuteLast refresh 11:59:32',
      fresh: 'stale',
      sign: 'No connection. Board as of 11:59. Nothing below has changed since then. Next try in 5 seconds.',
    });
    await pass(3 * SECOND);
    expect(sign()).toContain('Next try in 2 seconds.');
  });

  it('gives its age from three minutes on, with hollow symbols and nothing called calm', async () => {
    server.rows = [row('rail-network', [alert('a')]), row('roads-uk')];
    await openWall();
    server.cut();
    await pass(10 * MINUTE + SECOND);

    expect(seen()).toMatchObject({ state: 'Offline, 10 minutesLast refresh 11:59:32', fresh: 'stale' });
    expect(sign()).toMatch(
      /^No connection\. Board as of 11:59\. Nothing below has changed since then\. (Next try in \d+ seconds?|Trying now)\.$/,
    );
    expect(clock()).toContain('12:09');
    expect(within(feed('UK Roads')).getByText('No recent information since 11:57')).toBeTruthy();
    expect(screen.queryByText('No active alerts')).toBeNull();
    expect(screen.queryByRole('list', { name: /all feeds/ })).toBeNull();
  });

  it('warns not to plan from it after an hour', async () => {
    await openWall();
    server.server.answers.set('feeds/', () => new Response('{}', { status: 503 }));
    await pass(125 * MINUTE);
    expect(seen()).toMatchObject({ state: 'No answer, 2 hoursLast refresh 11:59:32', fresh: 'stale' });
    expect(sign()).toMatch(/^No connection\. Board as of 11:59\. Do not plan from this board\. /);
    expect(feed('Rail Network').querySelector('[data-faint="true"]')).toBeTruthy();
  });

  it('gives the date with a time of the day before, even if nothing else has changed', async () => {
    server.rows = [row('rail-network', [alert('a')]), row('roads-uk')];
    await openWall();
    server.cut();
    vi.setSystemTime(START.getTime() + 2 * 60 * MINUTE);
    await pass(2 * SECOND);
    const quiet = () => feed('UK Roads').textContent;
    expect(quiet()).toContain('No recent information since 11:57');
    vi.setSystemTime(START.getTime() + 13 * 60 * MINUTE);
    await pass(2 * SECOND);
    expect(quiet()).toContain('No recent information since 21 Nov 2026, 11:57');
    expect(feed('Rail Network').textContent).toContain('Transport for London, Sat 11:53');
  });

  it('recovers with the first answer', async () => {
    await openWall();
    server.cut();
    await pass(5 * MINUTE);
    server.server.line = 'good';
    server.rows = [row('rail-network', [alert('a'), alert('b')]), row('roads-uk')];
    await pass(MINUTE);
    expect(state()).toMatch(/^LiveLast refresh 12:0/);
    expect(seen()).toMatchObject({ fresh: 'fresh', sign: '' });
    expect(within(feed('Rail Network')).getByText('2 active')).toBeTruthy();
  });

  it('recovers with the first answer to any call', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    server.server.answers.set('responses/', () => json(200, { responses: [], reports: [] }));
    await openWall();
    server.cut();
    await pass(5 * MINUTE);
    const before = server.loads();
    server.server.line = 'good';
    await act(() => listResponses());
    await pass(SECOND);
    expect(server.loads()).toBe(before + 1);
    expect(seen()).toMatchObject({ fresh: 'fresh', sign: '' });
  });

  it('says so when there are no feeds, and tries again by itself', async () => {
    server.rows = [];
    await openWall();
    expect(screen.getByRole('heading', { level: 2, name: 'No feeds available' })).toBeTruthy();
    expect(screen.getByText('Unable to load disruption data. Please try refreshing.')).toBeTruthy();
    server.cut();
    await pass(5 * MINUTE);
    expect(sign()).toMatch(
      /^No connection\. Unable to load AI feed summaries\. (Next try in \d+ seconds?|Trying now)\.$/,
    );
    server.server.line = 'good';
    server.rows = [row('rail-network')];
    await pass(MINUTE);
    expect(titles()).toEqual(['Rail Network']);
  });

  it('calls no source calm that was never collected', async () => {
    server.rows = [
      row('rail-network', [], { freshness: null, last_updated: null }),
      row('roads-uk', [], { freshness: 'stale', last_updated: minutesBefore(50) }),
      row('aviation', [alert('a')], {
        sources: [
          source('tfl'),
          source('bods-bus', { freshness: 'stale', last_collected: minutesBefore(60) }),
        ],
      }),
      row('weather-flood', [], { alert_count: 4 }),
      row('public-safety'),
    ];
    await openWall();
    expect(within(feed('Rail Network')).getByText('Not connected')).toBeTruthy();
    expect(feed('Rail Network').textContent).toContain('Unknown number of');
    expect(within(feed('UK Roads')).getByText('No recent information since 11:09')).toBeTruthy();
    expect(feed('Aviation').textContent).toMatch(/Buses, England: silent since/);
    expect(within(feed('Weather & Flood')).getByText('Unable to load latest events')).toBeTruthy();
    expect(within(feed('Public Safety')).getByText('No active alerts')).toBeTruthy();
  });

  it('says when the server refuses the display, keeps the board and shows a code', async () => {
    const signedOut = { at: START, code: 'WDJB-MJHT', address: 'clearway.example/pair' };
    const { rerender } = await openWall({ signedOut: { ...signedOut, code: null } });
    expect(sign()).toBe('Signed out 11:59 This display asks for a code to pair it again.');
    rerender(<WallBoard signedOut={signedOut} />);
    expect(sign()).toBe('Signed out 11:59 Enter this code at clearway.example/pair WDJB-MJHT');
    expect(state()).toBe('Signed outLast refresh 11:59:32');
    server.cut();
    await pass(10 * MINUTE);
    expect(sign()).toBe('Signed out 11:59 Enter this code at clearway.example/pair WDJB-MJHT');
    expect(fresh()).toBe('stale');
    await pass(115 * MINUTE);
    expect(sign()).toMatch(
      /^No connection\. Board as of 11:59\. Do not plan from this board\. Signed out 11:59\. Enter this code at clearway\.example\/pair\. .*WDJB-MJHT$/,
    );
    expect(titles()).toEqual(['Rail Network', 'UK Roads']);
  });

  it('says when the clock of the device is wrong, and shows the right time', async () => {
    vi.setSystemTime(START.getTime() - 11 * MINUTE);
    server.server.answers.set('feeds/', () => {
      const body = JSON.stringify({ feeds: [row('rail-network')] });
      return new Response(body, {
        headers: { 'content-type': 'application/json', date: START.toUTCString() },
      });
    });
    await openWall();
    await pass(SECOND);
    expect(sign()).toMatch(/^This display’s clock is 1[01] minutes slow /);
    expect(clock()).toContain('11:59');
  });
});

it.each([
  [0, null],
  [60_000, null],
  [-60_000, null],
  [61_000, 'This display’s clock is 1 minute slow'],
  [-150_000, 'This display’s clock is 3 minutes fast'],
  [-3_599_100, 'This display’s clock is 60 minutes fast'],
  [-5 * 3_600_000 + 900, 'This display’s clock is 5 hours fast'],
  [90 * 86_400_000 - 900, 'This display’s clock is 90 days slow'],
])('a difference of %d ms reads %s', (offset, words) => expect(clockWords(offset)).toBe(words));
