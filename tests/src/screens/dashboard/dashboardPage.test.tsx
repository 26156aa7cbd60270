import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DashboardPage } from '../../../../src/screens/dashboard/DashboardPage.tsx';
import { keepReport } from '../../../../src/shift/inHand/sendActions.ts';
import { saveTokens, startScope } from '../../../../src/api/tokens.ts';
import { useWayBack } from '../../../../src/session/wayBack.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const REPORT = { title: 'Car on fire', place: 'Leeds', severity: 'high' as const, note: '' };

let server: ReturnType<typeof startFakeServer>;
beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
});
afterEach(() => vi.unstubAllGlobals());

it('the dashboard shows its fixed figures, the quick-start list and the example request', () => {
  saveTokens(server.signedIn());
  render(<DashboardPage />);
  const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!.textContent;
  expect(figure('Events')).toMatch(/^Events3,183/);
  expect(figure('Cities')).toMatch(/^Cities158/);
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Create an API key',
    'View API docs',
    'Make a first request',
  ]);
  // It can be pasted into any shell, even on Windows: one line, with address and header each in double quotes.
  expect(screen.getByLabelText('Example request').textContent).toBe(
    `curl "${location.origin}/api/v1/events?venue_town=Cardiff&limit=10" -H "Authorization: Bearer YOUR_API_KEY"`,
  );
  expect(screen.getByText(/put your API key in place of YOUR_API_KEY/)).toBeTruthy();
});

it('the dashboard names what waits to be sent, and sends it when the server takes it', async () => {
  saveTokens(server.signedIn());
  server.lines.set('reports/', 'cut');
  await keepReport({ ...REPORT, id: 'r1', at: new Date().toISOString() }, false);
  render(<DashboardPage />);
  await userEvent.click(await screen.findByRole('button', { name: /^Not sent yet \(1\)/ }));
  expect(screen.getByRole('dialog').textContent).toContain('Car on fire');
  server.lines.delete('reports/');
  server.answers.set('reports/', () => json(201, {}));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
});

describe('affected now', () => {
  const AT = new Date('2026-11-22T15:52:00Z');
  const CLOSED = {
    event_id: 'national-highways:1',
    source: 'national-highways',
    severity: 'critical',
    title: 'M62 closed',
    start_time: '2026-11-22T15:49:00.000Z',
    end_time: null,
    metadata: { phase: 'active' },
  };
  const departure = (at_local: string) => ({
    id: at_local,
    name: null,
    at_local,
    days: 127,
    from_date: null,
    to_date: null,
    except: [],
    duration_min: 60,
  });
  const match = (level: 'certain' | 'possible') => ({
    subject: 'disruption',
    subject_id: CLOSED.event_id,
    level,
    why: 'names the M62',
    from_km: 14,
    to_km: 17,
  });
  const route = (id: string, name: string, departures: string[], matches: object[], more = {}) => ({
    id,
    kind: 'route',
    name,
    length_km: 60,
    sources: ['national-highways'],
    departures: departures.map(departure),
    matches,
    ...more,
  });
  const answer = (watches: object[]) =>
    server.answers.set('watches/', () =>
      json(
        200,
        {
          watches,
          incidents: [CLOSED],
          events: [],
          sources: [
            {
              source: 'national-highways',
              event_count: 1,
              state: 'ok',
              freshness: 'fresh',
              last_collected: AT.toISOString(),
            },
          ],
          total: watches.length,
          behind_since: null,
        },
        { date: AT.toUTCString() },
      ),
    );

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: AT });
    saveTokens(server.signedIn());
  });
  afterEach(() => vi.useRealTimers());

  it('is first on the page, names the departure, and links to the route', async () => {
    answer([
      route('w1', 'York to Leeds', ['15:30', '06:10'], [match('certain')]),
      route('w2', 'Leeds to Hull', ['16:40'], [match('possible')]),
      route('w3', 'Hull to Goole', ['17:00'], []),
      route('w4', 'Luton', [], [], { checking: true }),
    ]);
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    const rows = within(panel).getAllByRole('link', { name: /York|Leeds|Hull|Luton/ });
    expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/routes/w1', '/routes/w4', '/routes/w2']);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      ' CriticalYork to Leedsleft 15:30Critical: M62 closed, may be behind it: reached about 15:44 by plan1 certainchecked 15:52',
      'LutonnowChecking…',
      'Leeds to Hull16:40, in 48 minPossible trouble for 16:401 possiblechecked 15:52',
    ]);
    expect(panel.textContent).toContain('Hull to Goole clear for 17:00.');
    expect(within(panel).getByRole('link', { name: 'All 4 routes' }).getAttribute('href')).toBe('/routes');
    expect(panel.textContent).toMatch(/Last refresh \d/);
    expect(
      panel.compareDocumentPosition(screen.getByText('3,183')) & Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();
  });

  it('lists the worst five, and counts the others', async () => {
    answer([
      ...Array.from({ length: 6 }, (_, at) =>
        route(`p${at}`, `Possible ${at}`, ['16:40'], [match('possible')]),
      ),
      route('w1', 'York to Leeds', ['16:40'], [match('certain')]),
    ]);
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    const rows = within(panel).getAllByRole('listitem');
    expect(rows).toHaveLength(5);
    expect(rows[0]!.textContent).toContain('York to Leeds');
    expect(within(panel).getByRole('link', { name: 'and 2 more' }).getAttribute('href')).toBe('/routes');
  });

  it('does not repeat the words of an alert that touches the next route as well', async () => {
    answer([
      route('w1', 'York to Leeds', ['16:40'], [match('certain')]),
      route('w2', 'Hull to Leeds', ['16:45'], [match('certain'), { ...match('possible'), subject_id: 'x' }]),
      route('w3', 'Leeds to Hull', ['16:40'], [match('possible')]),
    ]);
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      ' CriticalYork to Leeds16:40, in 48 minCritical: M62 closed1 certainchecked 15:52',
      ' CriticalHull to Leeds16:45, in 53 minThe same, 1 certain, 1 possiblechecked 15:52',
      'Leeds to Hull16:40, in 48 minPossible trouble for 16:401 possiblechecked 15:52',
    ]);
  });

  it('shows its last data, and since when, without a server and without a worker', async () => {
    startScope();
    answer([route('w1', 'York to Leeds', ['16:40'], [match('certain')])]);
    const { unmount } = render(<DashboardPage />);
    await screen.findByRole('region', { name: 'Affected now' });
    unmount();
    server.lines.set('watches/', 'cut');
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    expect(panel.textContent).toContain('York to Leeds');
    expect(panel.textContent).toMatch(/Last refresh 15:52/);
    expect(screen.queryByText('Unable to load routes')).toBeNull();
  });

  it('leaves out whole feeds, in which something is always in force', async () => {
    const feeds = { kind: 'feeds', departures: [], length_km: 0 };
    answer([
      route('w1', 'York to Leeds', [], [match('certain')]),
      route('a1', 'Within 30 km of Leeds', [], [match('possible')], { kind: 'area' }),
      route('f1', 'Everything', [], [match('certain')], feeds),
      route('f2', 'Rail', [], [], feeds),
    ]);
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    const rows = within(panel).getAllByRole('listitem');
    expect(rows.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
      '/routes/w1',
      '/routes/a1',
    ]);
    expect(panel.textContent).not.toContain('Rail');
    expect(within(panel).getByRole('link', { name: 'All 2 routes' })).toBeTruthy();
  });

  it('says "now" about an incident that meets no departure but the present one', async () => {
    const ending = { ...CLOSED, end_time: '2026-11-22T16:00:00.000Z' };
    answer([route('w1', 'York to Leeds', ['06:10'], [match('certain')])]);
    const told = server.answers.get('watches/')!;
    server.answers.set('watches/', async (call) => {
      const body = (await (await told(call)).json()) as object;
      return json(200, { ...body, incidents: [ending] }, { date: AT.toUTCString() });
    });
    render(<DashboardPage />);
    const panel = await screen.findByRole('region', { name: 'Affected now' });
    expect(within(panel).getByRole('listitem').textContent).toBe(
      ' CriticalYork to LeedsnowCritical: M62 closed, no departure meets it1 certainchecked 15:52',
    );
  });

  it('is left out if the team has no routes, and says what could not be loaded', async () => {
    answer([]);
    const { unmount } = render(<DashboardPage />);
    await vi.waitFor(() => expect(server.callsTo('watches/')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Affected now' })).toBeNull();
    unmount();
    server.lines.set('watches/', 'status 503');
    render(<DashboardPage />);
    expect(await screen.findByText('Unable to load routes')).toBeTruthy();
  });
});

it('offers the way back after a session that ended, until it is taken', async () => {
  saveTokens(server.signedIn());
  useWayBack.setState({ place: { page: 'route', path: '/routes/w1' } });
  render(<DashboardPage />);
  const link = screen.getByRole('link', { name: 'Back to Routes and areas' });
  expect(link.getAttribute('href')).toBe('/routes/w1');
  await userEvent.setup().click(link);
  expect(location.pathname).toBe('/routes/w1');
  expect(screen.queryByRole('link', { name: 'Back to Routes and areas' })).toBeNull();
});

describe('the documentation', () => {
  const press = () => {
    const opened = vi.spyOn(window, 'open').mockClear().mockReturnValue(null);
    render(<DashboardPage />);
    const button = screen.getByRole('button', { name: 'View API docs' });
    for (const _ of [1, 2]) fireEvent.click(button); // a double click opens it once
    return opened;
  };
  const addressWith = (token: string) => `${location.origin}/docs?${new URLSearchParams({ token })}`;
  /** A token that a page can read without checking its signature. */
  const tokenUntil = (ms: number) => `e30.${btoa(JSON.stringify({ exp: Math.floor(ms / 1000) }))}.signature`;

  it('opens with a ticket that is good once', async () => {
    localStorage.setItem('access_token', server.signedIn().access_token);
    server.answers.set('auth/docs-ticket', () => json(200, { ticket: 'once', expires_in: 60 }));
    const opened = press();
    await vi.waitFor(() => expect(opened).toHaveBeenCalled());
    expect(opened.mock.calls.map((call) => call.slice(0, 2))).toEqual([[addressWith('once'), '_blank']]);
  });

  it.each(['a token', 'status 503'] as const)(
    'opens with the stored token where there are none',
    async (how) => {
      localStorage.setItem('access_token', server.signedIn().access_token);
      const token = localStorage.getItem('access_token')!;
      if (how === 'status 503') server.line = how;
      const opened = press();
      await vi.waitFor(() => expect(opened).toHaveBeenCalled());
      expect(opened.mock.calls.map((call) => call.slice(0, 2))).toEqual([[addressWith(token), '_blank']]);
    },
  );

  it('opens with a new token if the stored one has expired', async () => {
    const { refresh_token } = server.signedIn();
    localStorage.setItem('refresh_token', refresh_token);
    localStorage.setItem('access_token', tokenUntil(Date.now() - 600_000));
    const opened = press();
    await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
    expect(opened.mock.calls[0]![0]).toBe(addressWith(localStorage.getItem('access_token')!));
    expect(localStorage.getItem('access_token')).toMatch(/^access-/);
  });

  it('leads to the sign-in without one', async () => {
    const opened = press();
    expect(opened).not.toHaveBeenCalled();
    expect(location.pathname).toBe('/login');
  });
});
