import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert, SourceEvents } from '../../../../src/api/alerts/disruptions.ts';
import { BoardPage } from '../../../../src/screens/board/BoardPage.tsx';
import { setDemo } from '../../../../src/screens/board/demoMode.ts';
import { type SourceDetail, statusOf } from '../../../../src/feeds/alerts/sourceLine.ts';
import { sourcesOf } from '../../../../src/feeds/alerts/sourceStatus.ts';
import { json } from '../../api/fakeServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';
import { alert, minutesBefore, row, source, START, startBoardServer } from './boardServer.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function operator(
  code: string,
  status: string,
  over: Partial<NonNullable<Alert['metadata']>['nsi']> = {},
): Alert {
  const nsi = { toc_code: code, toc_name: `Operator ${code}`, status, service_groups: [], ...over };
  return alert(`nsi-service:${code}`, { event_type: 'rail.operator_status', metadata: { nsi } });
}
const operators = (disrupted: number, good = 1) => [
  ...Array.from({ length: disrupted }, (_, index) => operator(`D${index}`, 'Minor delays on some routes')),
  ...Array.from({ length: good }, (_, index) => operator(`G${index}`, 'Good service')),
];

describe('a status line', () => {
  const detail = (
    name: string,
    answer: Partial<SourceEvents>,
    over: Partial<SourceDetail> = {},
  ): SourceDetail => ({
    source: name,
    outcome: 'answered',
    answer: { events: [], ...answer },
    entry: null,
    directoryDeclares: false,
    ...over,
  });
  const line = (given: SourceDetail, more: Partial<Parameters<typeof statusOf>[1]> = {}) => {
    const { status, text } = statusOf(given, { boardStale: false, now: START, ...more });
    return `${status}: ${text}`;
  };
  const ok = { state: 'ok', freshness: 'fresh', last_collected: minutesBefore(1) } as const;

  it.each([
    [0, 'good: No active alerts'],
    [1, 'minor: Monitoring, 1 alert'],
    [4, 'minor: Monitoring, 4 alerts'],
    [5, 'moderate: Attention required, 5 alerts'],
    [140, 'moderate: Attention required, 140 alerts'],
  ])('of a source with %i alerts', (count, expected) => {
    expect(line(detail('tfl', { ...ok, event_count: count }))).toBe(expected);
  });

  it('counts the alerts themselves if a server does not, without the planned ones', () => {
    const events = [alert('a'), alert('b', { metadata: { phase: 'planned' } })];
    expect(line(detail('tfl', { events }))).toBe('minor: Monitoring, 1 alert');
    expect(line(detail('tfl', { events: events.slice(1) }))).toBe('good: No active alerts');
  });

  it.each([
    [0, 'good: All operators good service'],
    [1, 'minor: 1 operator reporting issues'],
    [2, 'minor: 2 operators reporting issues'],
    [3, 'minor: 3 operators reporting issues'],
    [4, 'severe: 4 operators disrupted'],
    [5, 'severe: 5 operators disrupted'],
  ])('of rail with %i operators in trouble', (count, expected) => {
    expect(line(detail('nsi-service', { ...ok, events: operators(count) }))).toBe(expected);
    // The server's own count is shown, because the list has twelve at most.
    expect(line(detail('nsi-service', { ...ok, operators_total: 28, operators_disrupted: count }))).toBe(
      expected,
    );
  });

  it('trusts the server’s count of operators beyond the twelve that are listed', () => {
    const answer = { ...ok, events: operators(2, 10), operators_total: 28, operators_disrupted: 15 };
    expect(line(detail('nsi-service', answer))).toBe('severe: 15 operators disrupted');
  });

  it.each([
    ['is not configured', { state: 'not_configured', freshness: null, last_collected: null }],
    ['was never collected', { state: 'idle', freshness: null, last_collected: null }],
    ['never succeeded', { state: 'failing', freshness: null, last_collected: null }],
  ] as const)('of a source that %s', (_, declared) => {
    expect(line(detail('kb-incidents', declared))).toBe('none: Not connected');
    expect(line(detail('nsi-service', declared))).toBe('none: Not connected');
  });

  it('says for a stale source only that it is stale', () => {
    const stale = { state: 'failing', freshness: 'stale', last_collected: minutesBefore(71) } as const;
    expect(line(detail('tfl', { ...stale, event_count: 0 }))).toBe('none: No recent information since 10:48');
    expect(line(detail('tfl', { ...stale, event_count: 9 }))).toBe('none: No recent information since 10:48');
    expect(line(detail('nsi-service', { ...stale, operators_disrupted: 0, operators_total: 28 }))).toBe(
      'none: No recent information since 10:48',
    );
  });

  it('gives the date of information that is not from today', () => {
    const stale = { state: 'failing', freshness: 'stale', last_collected: minutesBefore(14 * 60) } as const;
    expect(line(detail('tfl', stale))).toBe('none: No recent information since 20 Nov 2026, 21:59');
  });

  it('stays for a late source', () => {
    expect(line(detail('tfl', { ...ok, freshness: 'late', event_count: 2 }))).toBe(
      'minor: Monitoring, 2 alerts',
    );
  });

  it('follows what the board has learned since the source was loaded', () => {
    const loaded = detail('tfl', { ...ok, event_count: 0 });
    const stale = source('tfl', { freshness: 'stale', last_collected: minutesBefore(30) });
    expect(line(loaded, { newest: stale })).toBe('none: No recent information since 11:29');
    const off = source('tfl', { state: 'not_configured', freshness: null, last_collected: null });
    expect(line(loaded, { newest: off })).toBe('none: Not connected');
  });

  it('says nothing about freshness if the server does not', () => {
    expect(line(detail('tfl', { last_collected: minutesBefore(5000), event_count: 0 }))).toBe(
      'good: No active alerts',
    );
    expect(line(detail('tfl', { event_count: 0 }))).toBe('good: No active alerts');
  });

  it('names a source that the server does not know', () => {
    const empty = detail('twitter.metpoliceuk', {}, { outcome: 'empty', answer: null });
    expect(line(empty)).toBe('good: No active alerts');
    expect(line({ ...empty, directoryDeclares: true })).toBe('none: Not connected');
  });

  it('is not calm while the whole board is old', () => {
    expect(line(detail('tfl', { ...ok, event_count: 0 }), { boardStale: true })).toBe(
      'none: No recent information since 11:58',
    );
    expect(line(detail('nsi-service', { ...ok, events: operators(0) }), { boardStale: true })).toMatch(
      /^none/,
    );
    expect(line(detail('tfl', { ...ok, event_count: 7 }), { boardStale: true })).toBe(
      'moderate: Attention required, 7 alerts',
    );
  });
});

describe('the sources of a feed', () => {
  it('are those that the server names, by priority', () => {
    const feed = row('rail-network', [], {
      sources: [source('tfl'), source('brand-new'), source('nsi-service')],
    }).feed;
    expect(sourcesOf(feed)).toEqual(['nsi-service', 'tfl', 'brand-new']);
  });

  it('are the specified ones if the server names none', () => {
    expect(sourcesOf(row('rail-network').feed)).toEqual(['nsi-service', 'kb-incidents', 'tfl']);
    expect(sourcesOf(row('night-ferries').feed)).toEqual([]);
  });
});

describe('opening a feed', () => {
  let server: ReturnType<typeof startBoardServer>;

  beforeEach(() => {
    localStorage.clear();
    forgetEverything();
    setDemo(false);
    history.replaceState(null, '', '/disruptions');
    vi.useFakeTimers();
    vi.setSystemTime(START);
    server = startBoardServer([row('rail-network', [alert('a')]), row('roads-uk')]);
    server.sources.set('nsi-service', {
      ...source('nsi-service', { event_count: 5, last_collected: minutesBefore(1) }),
      events: [
        ...operators(0),
        operator('SE', 'Reduced service', { status_description: 'via Greenwich' }),
        operator('GW', 'No service'),
        operator('SR', 'Custom'),
      ],
      total: 28,
      operators_total: 28,
      operators_disrupted: 5,
    });
    server.sources.set('kb-incidents', {
      ...source('kb-incidents', { event_count: 5 }),
      events: [alert('k1'), alert('k2')],
      total: 5,
    });
    server.sources.set('tfl', { ...source('tfl', { event_count: 1 }), events: [alert('t1')], total: 1 });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const feed = (name: string) => within(screen.getByRole('article', { name }));
  const toggle = (name: string) => feed(name).getByRole('button', { name: /^(View|Hide) sources$/ });
  const sheet = (name: string) => screen.getByRole('region', { name: `Sources for ${name}` });
  const asked = () =>
    server.server.calls.filter(({ path }) => path.startsWith('disruptions')).map(({ path }) => path);

  async function openBoard() {
    const view = render(<BoardPage />);
    await pass(50);
    return view;
  }
  async function open(name: string) {
    fireEvent.click(toggle(name));
    await import('../../../../src/screens/board/SourceList.tsx'); // its chunk takes real time to load
    await pass(50);
  }

  it('shows each source with its status line, count and age', async () => {
    await openBoard();
    expect(toggle('Rail Network').textContent).toBe('View sources');
    expect(toggle('Rail Network').getAttribute('aria-expanded')).toBe('false');
    await open('Rail Network');

    expect(toggle('Rail Network').textContent).toBe('Hide sources');
    expect(toggle('Rail Network').getAttribute('aria-expanded')).toBe('true');
    const rail = within(sheet('Rail Network'));
    expect(rail.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual([
      'National Rail service indicators',
      'Knowledgebase incidents',
      'Transport for London',
    ]);
    expect(rail.getByText('5 operators disrupted')).toBeTruthy();
    expect(rail.getByText('Attention required, 5 alerts')).toBeTruthy();
    expect(rail.getByText('Monitoring, 1 alert')).toBeTruthy();
    expect(sheet('Rail Network').textContent).toContain('Attention required, 5 alertscollected 1 minute ago');
    expect(sheet('Rail Network').textContent).toContain('Monitoring, 1 alertcollected 1 minute ago');
    expect(rail.getByText('as of 11:59:32')).toBeTruthy();
  });

  it('never calls a stale source calm', async () => {
    server.sources.set('nsi-service', {
      ...source('nsi-service', { freshness: 'stale', last_collected: minutesBefore(71) }),
      events: operators(0, 3),
      total: 3,
      operators_total: 3,
      operators_disrupted: 0,
    });
    await openBoard();
    await open('Rail Network');
    const { textContent } = sheet('Rail Network');
    expect(textContent).toContain('No recent information since 10:48');
    expect(textContent).toContain('collected 1 hour ago');
    expect(textContent).not.toMatch(/good service|0 alerts/i);
  });

  it('asks for the directory and at most 12 alerts of each source', async () => {
    await openBoard();
    await open('Rail Network');
    expect(asked().sort()).toEqual([
      'disruptions/sources',
      'disruptions/sources/kb-incidents',
      'disruptions/sources/nsi-service',
      'disruptions/sources/tfl',
    ]);
    expect(server.callsTo('disruptions/sources/tfl')[0]!.query.get('limit')).toBe('12');
  });

  it('lists the rail operators, worst first', async () => {
    await openBoard();
    await open('Rail Network');
    const list = within(sheet('Rail Network')).getByRole('list', { name: 'Operators' });
    const items = within(list).getAllByRole('listitem');
    expect(items.map((item) => item.querySelector('[data-status]')!.getAttribute('data-status'))).toEqual([
      'severe',
      'moderate',
      'moderate',
      'good',
    ]);
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Operator GWNo service',
      'Operator SEReduced service: via Greenwich',
      'Operator SRDisruption',
      'Operator G0Good service',
    ]);
    expect(sheet('Rail Network').textContent).toContain('24 more operators not listed');
  });

  it('links only to web pages, and passes nothing on to them', async () => {
    server.sources.set('tfl', {
      ...source('tfl', { event_count: 1 }),
      events: [
        alert('t1', {
          metadata: {
            links: [
              { url: 'https://tfl.gov.uk/status', label: 'Status' },
              { url: 'javascript:alert(1)', label: 'Bad' },
              { url: 'data:text/html,hello', label: 'Worse' },
              { url: 'not an address', label: null },
            ],
          },
        }),
      ],
      total: 1,
    });
    await openBoard();
    await open('Rail Network');
    fireEvent.click(within(sheet('Rail Network')).getAllByRole('button', { name: 'Latest alerts' }).at(-1)!);

    const links = within(sheet('Rail Network')).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://tfl.gov.uk/status']);
    expect(links[0]!.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('lists a source’s latest alerts on request', async () => {
    await openBoard();
    await open('Rail Network');
    expect(screen.queryByText('Title of k1')).toBeNull();
    fireEvent.click(screen.getAllByRole('button', { name: 'Latest alerts' })[0]!);
    expect(screen.getByText('Title of k1')).toBeTruthy();
    expect(screen.getByText('3 more not listed')).toBeTruthy();
  });

  it('lists the worst 12 of a source, whatever the server sends', async () => {
    const some = (name: string, count: number, severity: Alert['severity']) =>
      Array.from({ length: count }, (_, index) => alert(`${name}${index}`, { severity }));
    server.sources.set('kb-incidents', {
      ...source('kb-incidents', { event_count: 900 }),
      events: [...some('low', 480, 'low'), ...some('high', 11, 'high'), ...some('critical', 9, 'critical')],
      total: 900,
    });
    server.sources.set('tfl', {
      ...source('tfl', { event_count: undefined }),
      events: some('t', 40, 'medium'),
    });
    await openBoard();
    await open('Rail Network');
    for (const button of screen.getAllByRole('button', { name: 'Latest alerts' })) fireEvent.click(button);

    const grades = (name: string) =>
      within(screen.getByRole('list', { name: `Latest alerts of ${name}` }))
        .getAllByRole('listitem')
        .map((item) => item.textContent!.match(/^[A-Z][a-z]+/)![0]);
    expect(grades('Knowledgebase incidents')).toEqual([
      ...Array(9).fill('Critical'),
      ...Array(3).fill('High'),
    ]);
    expect(screen.getByText('888 more not listed')).toBeTruthy();
    expect(grades('Transport for London')).toHaveLength(12);
    expect(screen.getByText('28 more not listed')).toBeTruthy();
    expect(sheet('Rail Network').textContent).toContain('Attention required, 40 alertscollected');
  });

  it('lists the worst 12 rail operators, whatever the server sends', async () => {
    server.sources.set('nsi-service', {
      ...source('nsi-service', { event_count: undefined }),
      events: [...operators(7, 20), operator('GW', 'No service')],
    });
    await openBoard();
    await open('Rail Network');
    const list = within(sheet('Rail Network')).getByRole('list', { name: 'Operators' });
    const statuses = [...list.querySelectorAll('[data-status]')].map((line) =>
      line.getAttribute('data-status'),
    );
    expect(statuses).toEqual(['severe', ...Array(7).fill('minor'), ...Array(4).fill('good')]);
    expect(sheet('Rail Network').textContent).toContain('16 more operators not listed');
    expect(sheet('Rail Network').textContent).toContain('8 operators disrupted');
  });

  it('closes the feed that was open', async () => {
    await openBoard();
    await open('Rail Network');
    await open('UK Roads');
    expect(screen.queryByRole('region', { name: 'Sources for Rail Network' })).toBeNull();
    expect(sheet('UK Roads')).toBeTruthy();
    await open('UK Roads');
    expect(screen.queryByRole('region', { name: /^Sources for/ })).toBeNull();
  });

  it('closes on Escape and gives the focus back', async () => {
    await openBoard();
    await open('Rail Network');
    fireEvent.keyDown(sheet('Rail Network'), { key: 'Escape' });
    expect(screen.queryByRole('region', { name: /^Sources for/ })).toBeNull();
    expect(document.activeElement).toBe(toggle('Rail Network'));
  });

  it('scrolls its row into sight', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (
      this: Element,
    ) {
      this.setAttribute('data-scrolled', '');
    });
    await openBoard();
    await open('UK Roads');
    expect(document.querySelector('[data-scrolled]')?.id).toBe('roads-uk');
    scrolled.mockRestore();
  });

  it('keeps what it loaded: opening it again asks nothing while the board has no newer answer', async () => {
    await openBoard();
    await open('Rail Network');
    const before = asked().length;
    await open('Rail Network');
    await open('Rail Network');
    expect(asked().length).toBe(before);
    expect(within(sheet('Rail Network')).getByText('5 operators disrupted')).toBeTruthy();
  });

  it('is loaded again with every answer of the board, and never contradicts its row', async () => {
    server.sources.set('tfl', { ...source('tfl'), events: [], total: 0 });
    await openBoard();
    await open('Rail Network');
    expect(within(sheet('Rail Network')).getByText('No active alerts')).toBeTruthy();

    server.sources.set('tfl', { ...source('tfl', { event_count: 9 }), events: [], total: 9 });
    await pass(MINUTE);
    expect(within(sheet('Rail Network')).queryByText('No active alerts')).toBeNull();
    expect(within(sheet('Rail Network')).getAllByText(/^Attention required, \d+ alerts$/)).toHaveLength(2);
  });

  it('calls nothing calm after minutes without an answer, whatever the board has', async () => {
    server.sources.set('tfl', { ...source('tfl'), events: [], total: 0 });
    await openBoard();
    await open('Rail Network');
    for (const path of asked()) server.server.lines.set(path, 'cut');
    await pass(2 * MINUTE);
    expect(within(sheet('Rail Network')).getByText('No active alerts')).toBeTruthy();
    await pass(MINUTE + SECOND);
    expect(within(sheet('Rail Network')).queryByText('No active alerts')).toBeNull();
  });

  it('is loaded again on Refresh, and shows what was there until then', async () => {
    await openBoard();
    await open('Rail Network');
    server.sources.set('tfl', { ...source('tfl', { event_count: 9 }), events: [], total: 9 });
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(within(sheet('Rail Network')).getByText('5 operators disrupted')).toBeTruthy();
    await pass(50);

    expect(within(sheet('Rail Network')).getAllByText(/^Attention required, \d+ alerts$/)).toHaveLength(2);
    expect(server.callsTo('disruptions/sources')).toHaveLength(2);
    expect(server.callsTo('disruptions/sources/tfl')).toHaveLength(2);
  });

  it('shows nothing of a load that a Refresh has aborted', async () => {
    await openBoard();
    const held = server.server.hold('disruptions/sources/tfl', 'GET');
    await open('Rail Network');
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await pass(50);
    expect(sheet('Rail Network').textContent).toContain('Loading sources...');
    // The feed is closed and opened again, and waits for the load that is on its way.
    for (let time = 0; time < 2; time++) await open('Rail Network');
    expect(held).toHaveLength(2);
    await act(async () => held.at(-1)!());
    await pass(50);
    expect(sheet('Rail Network').textContent).not.toContain('Unable to load');
  });

  it('is loaded again after Refresh even if it was closed meanwhile', async () => {
    await openBoard();
    await open('Rail Network');
    await open('Rail Network');
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await pass(50);
    expect(server.callsTo('disruptions/sources/tfl')).toHaveLength(1);
    await open('Rail Network');
    expect(server.callsTo('disruptions/sources/tfl')).toHaveLength(2);
  });

  it('says that it is loading', async () => {
    await openBoard();
    server.server.line = 'hanging';
    await open('Rail Network');
    expect(within(sheet('Rail Network')).getByText('Loading sources...')).toBeTruthy();
  });

  it('dims what was loaded minutes ago', async () => {
    await openBoard();
    await open('Rail Network');
    expect(sheet('Rail Network').getAttribute('data-fresh')).toBeNull();
    server.cut();
    await pass(3 * MINUTE + SECOND);
    expect(sheet('Rail Network').getAttribute('data-fresh')).toBe('stale');
  });

  describe('that cannot be loaded whole', () => {
    const text = async () => {
      await openBoard();
      await open('Rail Network');
      return sheet('Rail Network').textContent;
    };
    const failures = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

    it('says so about the directory, and still shows the sources', async () => {
      server.server.lines.set('disruptions/sources', 'status 503');
      expect(await text()).toContain('5 operators disrupted');
      expect(failures()).toEqual(['Unable to load source directory']);
      server.server.lines.clear();
      for (let time = 0; time < 2; time++) await open('Rail Network');
      expect(failures()).toEqual([]);
    });

    it('says so about one source, and still shows the others', async () => {
      server.server.lines.set('disruptions/sources/tfl', 'status 503');
      const shown = await text();
      expect(shown).toContain('Transport for LondonUnable to load latest events');
      expect(shown).toContain('5 operators disrupted');
    });

    it.each(['portal page', 'proxy 404', 'half'] as const)('does not take a %s for calm', async (line) => {
      server.server.lines.set('disruptions/sources/tfl', line);
      expect(await text()).toContain('Transport for LondonUnable to load latest events');
    });

    it('says so about everything', async () => {
      for (const path of ['', '/tfl', '/kb-incidents', '/nsi-service'])
        server.server.lines.set(`disruptions/sources${path}`, 'cut');
      expect(await text()).toBe('Unable to load source details');
      expect(failures()).toEqual(['Unable to load source details']);
    });

    it('asks again when it is next opened', async () => {
      server.server.lines.set('disruptions/sources/tfl', 'status 503');
      await text();
      await open('Rail Network');
      server.server.lines.clear();
      await open('Rail Network');
      expect(sheet('Rail Network').textContent).toContain('Monitoring');
    });

    it('keeps what it had when a forced load fails completely', async () => {
      await text();
      for (const path of ['', '/tfl', '/kb-incidents', '/nsi-service'])
        server.server.lines.set(`disruptions/sources${path}`, 'cut');
      fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
      await pass(50);
      expect(failures()).toEqual(['Unable to load source details']);
      expect(sheet('Rail Network').textContent).toContain('5 operators disrupted');
    });

    it('treats 404 and "not found or has no events" as empty', async () => {
      server.sources.set('tfl', json(404, { detail: 'No such source' }));
      server.sources.set('kb-incidents', json(400, { detail: 'Source not found or has no events' }));
      const shown = await text();
      expect(shown).toContain('Knowledgebase incidentsNo active alerts');
      expect(shown).toContain('Transport for LondonNo active alerts');
    });

    it('says when no source has anything', async () => {
      server.sources.clear();
      expect(await text()).toContain('No contributing feeds returned results for this summary.');
    });

    it('says when a feed has no sources', async () => {
      server.rows = [row('night-ferries', [], { title: 'Night Ferries' })];
      await openBoard();
      await open('Night Ferries');
      expect(sheet('Night Ferries').textContent).toBe('No contributing sources configured for this feed.');
      expect(asked()).toEqual([]);
    });
  });
});
