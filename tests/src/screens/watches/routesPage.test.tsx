import { UNKNOWN_ROADS } from '#contract/feeds/knownSources.ts';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { noResponse } from '#contract/shift/responses.ts';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { RoutesPage } from '../../../../src/screens/watches/RoutesPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { useQueue } from '../../../../src/shift/inHand/sendActions.ts';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';

const describedBy = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;

const source = (slug: string, fields = {}) => ({
  source: slug,
  event_count: 1,
  state: 'ok',
  freshness: 'fresh',
  last_collected: new Date().toISOString(),
  ...fields,
});
const LORRY = {
  event_id: 'national-highways:1',
  source: 'national-highways',
  severity: 'critical',
  event_type: 'road.closure',
  title: 'M62 eastbound closed',
  summary_line: 'A lorry has overturned.',
  collected_at: '2026-11-22T06:10:00.000Z',
  updated_at: '2026-11-22T06:08:00.000Z',
  start_time: '2026-11-22T05:31:00.000Z',
  end_time: null,
  latitude: 53.7412,
  longitude: -1.7,
  metadata: { phase: 'active' },
  facts: { roads: ['M62'], stretch: [{ road: 'M62', from: 'J26', to: 'J27' }], direction: 'E' },
};
const watch = (id: string, name: string, fields: Record<string, unknown> = {}) => ({
  id,
  kind: 'route',
  name,
  made_name: 'Leeds to Hull',
  named_by_hand: false,
  made_by: 'junctions',
  length_km: 100,
  reach_m: null,
  sources: ['national-highways'],
  created_by: { id: ANNA.id, display_name: ANNA.display_name },
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  rev: 3,
  departures: [],
  matches: [],
  ...fields,
});
const LEEDS = watch('w1', 'Leeds to Hull', {
  matches: [
    {
      subject: 'disruption',
      subject_id: LORRY.event_id,
      level: 'certain',
      why: 'names the M62, J26 to J27, eastbound',
      from_km: 14,
      to_km: 19,
    },
  ],
});
const YORK = watch('w2', 'York to Bristol', { named_by_hand: true });
const place = (km: number, name: string | null, ...junctions: string[]) => ({
  km,
  latitude: 53,
  longitude: -1,
  name,
  junctions: junctions.map((one) => ({ road: one.split(' ')[0], junction: one.split(' ')[1] })),
  minor: false,
});
const WAY = {
  geometry: {
    type: 'LineString',
    coordinates: [
      [-1.5, 53.8],
      [-0.3, 53.7],
    ],
  },
  places: [place(0, 'Leeds'), place(10, 'Chain Bar', 'M62 J26'), place(100, 'Hull')],
  course: [{ from_km: 10, to_km: 60, road: 'M62', from: 'J26', to: 'J38', direction: 'E', line: 'chain' }],
  coverage: [],
};

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let sent: { method: string; body: Record<string, unknown>; ifMatch: string | null }[];
let list: { watches: object[]; sources: object[]; incidents?: object[] };
/** Alerts that the team has said are not on any of its routes. */
let kept: object[];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/routes');
  server = startFakeServer();
  saveTokens(server.signedIn());
  useSession.setState({ user: null }); // nobody's typing is left
  useSession.setState({ status: 'signedIn', user: { ...ANNA, is_active: true } as never, offline: false });
  user = userEvent.setup();
  sent = [];
  kept = [];
  list = { watches: [YORK, LEEDS], sources: [source('national-highways')] };
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  server.answers.set('watches/', ({ method, body }) => {
    if (method === 'GET')
      return json(200, { incidents: [LORRY], ...list, total: 2, events: [], behind_since: null });
    sent.push({ method, body, ifMatch: null });
    return json(201, watch('w9', String(body['name'])));
  });
  for (const one of [LEEDS, YORK]) {
    server.answers.set(`watches/${one.id}`, ({ method, body, headers }) => {
      if (method !== 'GET') {
        sent.push({ method, body, ifMatch: headers.get('if-match') });
        return json(409, { detail: 'Changed by Sam Lee at 08:12. Load it again.' });
      }
      const { matches: _, ...rest } = one;
      return json(200, {
        watch: { ...rest, legs: [{ type: 'road', road: 'M62', from: 'J26', to: 'J38', sense: 1 }], ...WAY },
        matches: [],
        sources: list.sources,
        not_ours: kept,
        behind_since: null,
      });
    });
  }
  server.answers.set('watches/w1/feedback', ({ body }) => {
    sent.push({ method: 'feedback', body, ifMatch: null });
    return new Response(null, { status: 204 });
  });
  server.answers.set('watches/suggest', () =>
    json(200, {
      results: [
        { text: 'M1 J43', detail: 'Stourton', kind: 'junction', latitude: 53.7, longitude: -1.5 },
        { text: 'M1 J44', detail: null, kind: 'junction', latitude: 53.7, longitude: -1.4 },
      ],
    }),
  );
  server.answers.set('watches/resolve', ({ body }) => {
    const wrong = /J3\b/.test(String(body['text']));
    return json(200, {
      ...WAY,
      length_km: 100,
      legs: [
        {
          type: 'link',
          points: [
            [-1.5, 53.8],
            [-1.7, 53.7],
          ],
        },
        { type: 'road', road: 'M62', from: 'J26', to: 'J38', sense: 1 },
      ],
      name: 'Leeds to Hull',
      problems: wrong
        ? [
            {
              level: 'stop',
              text: 'The M1 has no J3. Nearest: J2, J4.',
              at: null,
              repairs: [{ label: 'Use J2', text: 'Leeds, M1 J2' }],
            },
          ]
        : [
            {
              level: 'done',
              text: 'From Leeds to M62 J26 we draw a straight line (4 km).',
              at: null,
              repairs: [],
            },
          ],
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const LIST = 'Routes, areas and whole feeds, worst first';
const rows = async () =>
  within(await screen.findByRole('navigation', { name: LIST })).getAllByRole('listitem');
const show = async (which: string) =>
  user.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), which);
const chooseWindow = async (which: string) =>
  user.selectOptions(await screen.findByRole('combobox', { name: 'Window' }), which);
const chosenWindow = () =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: 'Window' }).selectedOptions[0]!.textContent;

describe('the list', () => {
  it('has the worst first, with the words of each state', async () => {
    render(<RoutesPage />);

    const [first, second] = await rows();
    expect(first!.textContent).toContain('Leeds to HullnowCritical: M62 eastbound closed');
    expect(first!.textContent).toContain('1 certain');
    expect(second!.textContent).toContain('Clear now, as far as we know');
  });

  it('says what to do while there are none', async () => {
    list.watches = [];
    render(<RoutesPage />);

    expect(
      await screen.findByText('Nothing is watched yet. Begin with the place you answer for.'),
    ).toBeDefined();
  });

  it('is not clear when its source is silent', async () => {
    list.sources = [
      source('national-highways', { freshness: 'stale', last_collected: '2026-11-22T05:41:00.000Z' }),
    ];
    render(<RoutesPage />);
    await rows();

    expect(screen.queryByText(/as far as we know/)).toBeNull();
    expect(
      screen.getAllByText(/Do not rely on this: no information from National Highways/),
    ).not.toHaveLength(0);
  });

  it('shows the affected ones, and those with a name', async () => {
    render(<RoutesPage />);
    await rows();

    await show('Affected now');
    expect(await rows()).toHaveLength(1);
    await show('All');
    await user.type(screen.getByRole('searchbox'), 'york');
    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringContaining('York to Bristol'),
    ]);
  });

  it('shows as mine only those that I have made', async () => {
    const by = { id: 'sam', display_name: 'Sam Lee' };
    list.watches = [LEEDS, watch('w3', 'Hull to Goole', { created_by: by }), { ...YORK, created_by: null }];
    render(<RoutesPage />);
    expect(await rows()).toHaveLength(3);
    await show('Mine');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Leeds to Hull'),
    ]);
  });

  it('shows as affected now the routes that are touched now, whatever window is chosen', async () => {
    list.incidents = [{ ...LORRY, end_time: new Date(Date.now() + 3_600_000).toISOString() }];
    render(<RoutesPage />);
    await rows();

    await chooseWindow('Date');
    fireEvent.change(screen.getByLabelText('Date', { selector: 'input[type=date]' }), {
      target: { value: '2099-11-24' },
    });
    expect((await rows())[0]!.textContent).toContain('Clear on Tue 24 Nov 2099, as far as we know');
    await show('Affected now');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Leeds to Hull'),
    ]);
  });

  it('says "now" in that list for a route whose departures do not meet it', async () => {
    const later = new Date(Date.now() + 6 * 3_600_000).toISOString();
    const at_local = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Europe/London',
    }).format(new Date(later));
    const departure = {
      id: 'd',
      name: null,
      at_local,
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
    };
    list.watches = [YORK, { ...LEEDS, departures: [{ ...departure, duration_min: 60 }] }];
    list.incidents = [{ ...LORRY, end_time: new Date(Date.now() + 3_600_000).toISOString() }];
    render(<RoutesPage />);
    expect((await rows()).map(({ textContent }) => textContent).join()).toContain('Leeds to Hull');
    expect(screen.queryByText('Critical: M62 eastbound closed')).toBeNull();
    await show('Affected now');
    const [row] = await rows();
    expect(row!.textContent).toContain('Leeds to Hullnow');
    expect(row!.textContent).toContain('Critical: M62 eastbound');
  });

  describe('with coaches of which one is under way', () => {
    const coach = (at_local: string, duration_min = 60) => ({
      id: `d${at_local}`,
      name: null,
      at_local,
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
      duration_min,
    });
    const [match] = LEEDS.matches as object[];
    /** A lorry at km 14 to 19 of 100: the 18:00 is there at 18:08 to 18:11. */
    const LEFT = { ...LEEDS, departures: [coach('18:00'), coach('06:28')] };
    const OTHER = watch('w2', 'York to Bristol', { departures: [coach('18:20')], matches: [match] });
    const on = (clock: string) =>
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-11-22T${clock}:00Z`) });
    const heard = () => [source('national-highways', { last_collected: new Date().toISOString() })];
    const heading = () => screen.getByText(/\d affected/).lastChild!.textContent;
    const named = async () => (await rows()).map(({ textContent }) => textContent);

    it('never calls a route clear that is listed as affected now, in any window or departure', async () => {
      on('18:40');
      list = {
        watches: [{ ...LEFT, departures: [coach('06:28')] }, YORK],
        sources: heard(),
        incidents: [{ ...LORRY, end_time: '2026-11-22T19:30:00.000Z' }],
      };
      sessionStorage.setItem('clearway_routes_window', '{"kind":"departure","id":"d06:28"}');
      render(<RoutesPage />);
      await show('Affected now');
      for (const name of ['Now', 'Next 12 hours', 'Date', 'A departure']) {
        await chooseWindow(name);
        expect(await named(), name).toEqual([
          expect.stringMatching(/^ CriticalLeeds to HullnowCritical: .*, no departure meets it1 certain/),
        ]);
      }
      const pane = screen.getByRole('region', { name: 'Leeds to Hull' });
      expect(pane.textContent).toContain('km 14–19 · no departure meets it');
    });

    it('names the incidents of now beside a departure that is clear', async () => {
      on('18:40');
      list = { watches: [{ ...LEFT, departures: [coach('06:28')] }], sources: heard() };
      list.incidents = [{ ...LORRY, end_time: '2026-11-22T19:30:00.000Z' }];
      render(<RoutesPage />);
      expect((await named())[0]).toContain(
        'Clear for 06:28 tomorrow, as far as we know checked 18:40Now: Critical: M62 eastbound closed',
      );
      expect(heading()).toBe('1 affected now');
    });

    it('says in "Now" and "A departure" what lies ahead of the coach, and counts what it lists', async () => {
      on('18:40');
      // The end of the lorry is not known: it counts for a departure on a far day, but not now.
      const behind = { ...LEFT, id: 'w3', name: 'Leeds to Goole', departures: [coach('18:00')] };
      const far = { ...YORK, departures: [{ ...coach('23:50'), from_date: '2026-12-04' }] };
      const planned = { ...LORRY, event_id: 'national-highways:2', metadata: { phase: 'planned' } };
      list = {
        watches: [
          { ...LEFT, departures: [coach('18:32')] },
          behind,
          { ...far, matches: [{ ...match, subject_id: planned.event_id }] },
        ],
        sources: heard(),
        incidents: [
          LORRY,
          { ...planned, start_time: '2026-12-04T20:00:00.000Z', end_time: '2026-12-05T02:00:00.000Z' },
        ],
      };
      render(<RoutesPage />);
      const all = await named();
      expect(all[0]).toContain('Leeds to Hullleft 18:32Critical');
      expect(all[1]).toContain('York to Bristol4 Dec 23:50Critical');
      expect(all[2]).toContain('Clear on the way, left 18:00');
      expect(all.join()).not.toContain('Now: ');
      expect(heading()).toBe('1 affected now');
      await chooseWindow('Now');
      expect((await named()).filter((text) => /Leeds to (Hull|Goole)/.test(text))).toEqual([all[0], all[2]]);
      expect(heading()).toBe('1 affected now');
      await show('Affected now');
      expect(await named()).toEqual([all[0]]);
    });

    it('says once when an incident begins that the vehicle meets as it begins', async () => {
      on('18:02');
      const planned = { ...LORRY, metadata: { phase: 'planned' }, start_time: '2026-11-22T18:10:00.000Z' };
      list = { watches: [LEFT], sources: heard(), incidents: [planned] };
      history.replaceState(null, '', '/routes/w1');
      render(<RoutesPage />);
      const pane = await screen.findByRole('region', { name: 'Leeds to Hull' });
      expect(pane.textContent).toContain('from 18:10 (18:00 departure)');
      expect(pane.textContent).not.toMatch(/From 18:10|departure\) · from/);
    });

    it('names in its row the worst incident of its vehicles, whichever departure the pane shows', async () => {
      on('18:02');
      list = { watches: [LEFT, YORK], sources: heard(), incidents: [LORRY] };
      render(<RoutesPage />);
      const before = await named();
      expect(before[0]).toContain('Leeds to Hullleft 18:00Critical');
      await user.selectOptions(screen.getByLabelText('Departure'), 'd06:28');
      const pane = screen.getByRole('region', { name: 'Leeds to Hull' });
      expect(pane.textContent).toContain('leaves 06:28 tomorrow');
      expect(await named()).toEqual(before);
    });

    it('keeps the route and the departure of its pane when the list is sorted again', async () => {
      on('18:02');
      list = { watches: [LEFT, YORK], sources: heard(), incidents: [LORRY] };
      render(<RoutesPage />);
      expect((await named())[0]).toContain('Leeds to Hull');
      await user.selectOptions(screen.getByLabelText('Departure'), 'd06:28');

      // The 18:00 is past the lorry, and the 18:20 of the other route is not yet there.
      on('18:28');
      list = { watches: [LEFT, OTHER], sources: heard(), incidents: [LORRY] };
      act(() => void dispatchEvent(new Event('online')));
      await waitFor(async () => expect((await named())[0]).toContain('York to Bristol'));
      const pane = screen.getByRole('region', { name: 'Leeds to Hull' });
      expect(pane.textContent).toContain('leaves 06:28 tomorrow');
      expect(within(pane).getByRole<HTMLSelectElement>('combobox').value).toBe('d06:28');

      // A route that somebody opened by hand is shown.
      await user.type(screen.getByRole('searchbox'), 'york');
      expect(screen.getByRole('region', { name: 'York to Bristol' })).toBeDefined();
    });
  });

  it('says for a chosen day in the past that it is over, in the list and along the route', async () => {
    history.replaceState(null, '', '/routes/w1');
    render(<RoutesPage />);
    await rows();
    await chooseWindow('Date');
    fireEvent.change(screen.getByLabelText('Date', { selector: 'input[type=date]' }), {
      target: { value: '2020-11-24' },
    });
    for (const row of await rows()) expect(row.textContent).toContain('Tue 24 Nov 2020This time is over');
    const strip = await screen.findByRole('list', { name: /^The route from start/ });
    await waitFor(() => expect(strip.textContent).toContain('This time is over'));
    expect(strip.textContent).not.toContain('nothing known');
  });

  it('says only what touches a way that is still loading', async () => {
    history.replaceState(null, '', '/routes/w1');
    const told = server.answers.get('watches/w1')!;
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    server.answers.set('watches/w1', async (call) => {
      await arrived;
      return told(call);
    });
    list.watches = [YORK, { ...LEEDS, sources: ['national-highways', UNKNOWN_ROADS] }];
    render(<RoutesPage />);
    const strip = await screen.findByRole('list', { name: /^The route from start/ });
    const pane = screen.getByRole('region', { name: 'Leeds to Hull' });
    expect(within(strip).getAllByRole('listitem')).toHaveLength(1);
    expect(strip.textContent).toContain('M62 eastbound closed');
    expect(pane.textContent).toContain('Loading...');
    expect(strip.textContent).not.toMatch(/Start|End|No known road/);
    act(arrive);
    await within(strip).findByText('Chain Bar');
    expect(strip.textContent).toContain('No known road');
    expect(pane.textContent).not.toContain('Loading...');
  });

  it('keeps the chosen window over Back and a reload, with its day and time', async () => {
    const first = render(<RoutesPage />);
    await rows();
    await chooseWindow('Date');
    fireEvent.change(screen.getByLabelText('Date', { selector: 'input[type=date]' }), {
      target: { value: '2099-11-24' },
    });
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '06:00' } });
    first.unmount();

    const second = render(<RoutesPage />);
    await rows();
    expect(chosenWindow()).toBe('Date');
    expect((await rows())[1]!.textContent).toContain('Clear on Tue 24 Nov 2099, 06:00 to 08:00');
    second.unmount();

    // A link in a message is about the departure for which it was sent.
    history.replaceState(null, '', `/routes/w1#${encodeURIComponent(LORRY.event_id)}`);
    render(<RoutesPage />);
    await rows();
    expect(chosenWindow()).toBe('A departure');
  });

  it('forgets a chosen day that is over, and choices of another version of the app', async () => {
    for (const kept of ['{"kind":"date","day":"2020-11-24","clock":null}', '{"kind":"week"}', 'x']) {
      sessionStorage.setItem('clearway_routes_window', kept);
      const page = render(<RoutesPage />);
      await rows();
      expect(chosenWindow()).toBe('A departure');
      page.unmount();
    }
  });

  it('names the day of a departure that is not today, and says that an incident’s end is not known', async () => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) });
    // This coach has just arrived.
    const left = clock.format(new Date(Date.now() - 30 * 60_000));
    const departure = {
      id: 'd1',
      name: null,
      at_local: left,
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
      duration_min: 20,
    };
    list.watches = [{ ...LEEDS, departures: [departure] }];
    history.replaceState(null, '', '/routes/w1');
    render(<RoutesPage />);
    await rows();

    const pane = await screen.findByRole('region', { name: 'Leeds to Hull' });
    expect(pane.textContent).toMatch(/leaves \d\d:\d\d tomorrow, arrives about \d\d:\d\d tomorrow/);
    expect(pane.textContent).toMatch(/reached about \d\d:\d\d tomorrow .*its end is not known/);
    expect((await rows())[0]!.textContent).toContain('M62 eastbound closed, its end is not known');
    expect((await rows())[0]!.textContent).toContain(`${left} tomorrow`);
  });

  it('says that it cannot be loaded', async () => {
    server.line = 'status 503';
    render(<RoutesPage />);

    expect(await screen.findByText('Unable to load routes')).toBeDefined();
  });

  it('lists the changes on the routes; a count leaves only its own routes and changes', async () => {
    const since: (string | null)[] = [];
    const screens: (string | null)[] = [];
    server.answers.set('changes/summary', ({ query }) => {
      since.push(query.get('since'));
      screens.push(query.get('screen'));
      return json(200, {
        since: '2026-11-22T06:00:00.000Z',
        batch: 4,
        complete: true,
        shift_start: '2026-11-22T06:00:00.000Z',
        looked: null,
        counts: { new: 0, worse: 1, cleared: 0, lost: 1 },
        changes: [
          {
            event_id: LORRY.event_id,
            source: LORRY.source,
            kind: 'worse',
            at: '2026-11-22T06:05:00.000Z',
            title: LORRY.title,
            severity: 'critical',
            severity_from: 'medium',
            phase: 'active',
            ended_reason: null,
            fields: [],
            end_time_from: null,
            end_time: null,
            watch_ids: ['w1'],
          },
        ],
        total: 2,
        unseen: 1,
      });
    });
    render(<RoutesPage />);
    const strip = await screen.findByRole('region', { name: 'What changed' });
    await user.click(await within(strip).findByRole('button', { name: '1 worse' }));
    const worse = screen.getByRole('region', { name: 'Only what is worse' });
    expect(within(worse).getByRole('listitem').textContent).toContain('Worse: was Medium');
    expect(within(worse).getByRole('link').getAttribute('href')).toContain('national-highways');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Leeds to Hull'),
    ]);
    // A lost incident does not count as cleared: it has a count of its own.
    expect(within(strip).getByRole('button', { name: '0 cleared' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await user.click(within(strip).getByRole('radio', { name: '24 hours' }));
    expect(screen.queryByRole('region', { name: 'Only what is worse' })).toBeNull();
    expect(await rows()).toHaveLength(2);
    expect(new Set(screens)).toEqual(new Set(['routes']));
    expect(since[0]).toBe('shift');
    await vi.waitFor(() => expect(since.at(-1)).toBe('day'));
  });

  it('refuses changes without a network, in words', async () => {
    render(<RoutesPage />);
    await rows();

    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));

    expect(
      screen.getByText('You are offline. Routes can be changed when the connection is back.'),
    ).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'New route' }).disabled).toBe(true);
    expect(screen.getByText(/Offline: showing routes and areas from \d\d:\d\d/)).toBeDefined();
    vi.restoreAllMocks();
  });
});

describe('a snoozed alert on a route', () => {
  const snoozed = (critical = true) =>
    server.answers.set('responses/', () => {
      const until = new Date(Date.now() + 60 * 60_000).toISOString();
      const snooze = { until, change: false, by: null, at: null, critical };
      const by = { id: 'r', name: 'Rosa Jones' };
      const answer = { disposition: 'diverted' as const, by, at: new Date().toISOString() };
      const state = { ...noResponse(LORRY.event_id), ...answer, snooze };
      return json(200, { responses: [state], reports: [] }, { date: new Date().toUTCString() });
    });

  it('is neither in the list nor on the strip, and the route is not called clear because of that', async () => {
    snoozed();
    render(<RoutesPage />);
    expect(await screen.findByRole('button', { name: '1 snoozed' })).toBeDefined();
    const strip = await screen.findByRole('list', { name: /^The route from start to end/ });
    await within(strip).findByText('Chain Bar');
    expect(screen.queryByText(/M62 eastbound closed/)).toBeNull();
    const [first] = within(screen.getByRole('navigation', { name: LIST })).getAllByRole('listitem');
    expect(first!.textContent).toContain('Leeds to Hullnow1 snoozed');
    expect(first!.textContent).not.toContain('certain');
    // Between Chain Bar and Hull, the place of the incident.
    expect(strip.textContent).not.toContain('nothing known');
  });

  it('is back once it is critical, even before the answer that says so', async () => {
    snoozed(false);
    render(<RoutesPage />);
    expect((await screen.findAllByText(/M62 eastbound closed/)).length).toBeGreaterThan(0);
    // This comes after the page has read the incidents in hand.
    await screen.findByText(/Rosa Jones · Diverted/);
    expect(screen.getAllByText(/M62 eastbound closed/).length).toBeGreaterThan(0);
    expect(screen.queryByText(/snoozed/)).toBeNull();
  });

  it('is on the strip if a message led to it', async () => {
    snoozed();
    history.replaceState(null, '', `/routes/w1#${encodeURIComponent(LORRY.event_id)}`);
    render(<RoutesPage />);
    expect(await screen.findByRole('button', { name: '1 snoozed' })).toBeDefined();
    expect((await screen.findAllByText(/M62 eastbound closed/)).length).toBeGreaterThan(0);
  });
});

describe('the chosen route', () => {
  it('explains a match in place, one at a time, and returns the focus at Escape', async () => {
    render(<RoutesPage />);
    await screen.findByText('Chain Bar');

    const why = screen.getByRole('button', { name: 'Why?' });
    await user.click(why);
    expect(
      screen.getByText(
        'Certain: National Highways names the M62, J26 to J27, eastbound. This route uses the M62 from J26 to J38 eastbound.',
      ),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: "The publisher's words" }));
    expect(screen.getByText('A lorry has overturned.')).toBeDefined();
    expect(screen.getByText(/Position 53.7412, -1.7000, fetched 22 Nov 2026, 06:10/)).toBeDefined();

    await user.keyboard('{Escape}');
    expect(screen.queryByText(/Certain: National Highways/)).toBeNull();
    expect(document.activeElement).toBe(why);
  });

  it('offers no answer before it is known who has it', async () => {
    let arrive = () => {};
    const known = new Promise<void>((resolve) => (arrive = resolve));
    server.answers.set('responses/', async () => {
      await known;
      return json(200, { responses: [], reports: [] }, { date: new Date().toUTCString() });
    });
    render(<RoutesPage />);
    await screen.findByText('Chain Bar');
    expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
    arrive();
    expect(await screen.findByRole('button', { name: 'Acknowledge' })).toBeDefined();
  });

  it('reports a match that is not on the route', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Why?' }));
    await user.click(screen.getByRole('button', { name: 'Not on our route' }));

    expect(await screen.findByText('Marked: not on our route')).toBeDefined();
    expect(sent).toEqual([
      {
        method: 'feedback',
        body: { id: expect.any(String), subject_id: LORRY.event_id, verdict: 'not_ours', text: null },
        ifMatch: null,
      },
    ]);
  });

  it('takes back the team’s "Not on our route"', async () => {
    kept = [{ subject_id: LORRY.event_id, title: LORRY.title, at: '2026-11-22T06:12:00.000Z', by: 'Sam' }];
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Put back: M62 eastbound closed' }));

    await waitFor(() =>
      expect(sent).toEqual([
        {
          method: 'feedback',
          body: { id: expect.any(String), subject_id: LORRY.event_id, verdict: 'ours', text: null },
          ifMatch: null,
        },
      ]),
    );
  });

  it('keeps a name that was typed when something else is edited; a made name follows', async () => {
    for (const [id, name] of [
      ['w2', 'York to Bristol'],
      ['w1', null],
    ]) {
      history.replaceState(null, '', `/routes/${id}`);
      const page = render(<RoutesPage />);
      await screen.findByText('Chain Bar');
      await user.click(screen.getByRole('button', { name: 'Edit' }));
      await screen.findByRole('textbox', { name: 'Name' });
      await user.click(screen.getByRole('button', { name: 'Save route' }));
      await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: { name } }));
      page.unmount();
    }
  });

  it('says whose change came first, and offers to load it again', async () => {
    render(<RoutesPage />);
    await screen.findByText('Chain Bar');
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Leeds to the docks');
    await user.click(screen.getByRole('button', { name: 'Save route' }));

    expect(await screen.findByText('Changed by Sam Lee at 08:12. Load it again.')).toBeDefined();
    expect(sent).toEqual([
      {
        method: 'PATCH',
        body: { name: 'Leeds to the docks', reach_m: null, departures: [], which: EVERYTHING, when: null },
        ifMatch: '3',
      },
    ]);
    server.lines.set('watches/w1', 'cut');
    await user.click(screen.getByRole('button', { name: 'Load it again' }));
    expect(await screen.findByText('Unable to load routes')).toBeDefined();
    expect(screen.getByDisplayValue('Leeds to the docks')).toBeDefined();
    server.lines.clear();
    await user.click(screen.getByRole('button', { name: 'Load it again' }));
    expect(await screen.findByDisplayValue('Leeds to Hull')).toBeDefined();
  });
});

const EVERYTHING = {
  min_severity: 'low',
  unrated: true,
  phase: null,
  words: '',
  level: 'possible',
  feeds: [],
  sources: [],
};
const HIGH = { ...EVERYTHING, min_severity: 'high' };
const AREA = watch('a1', 'Within 30 km of Leeds', {
  kind: 'area',
  place: 'Leeds',
  reach_m: 30_000,
  length_km: 0,
  which: HIGH,
  left_out: { grade: 9, others: 0 },
  addresses: 2,
  matches: [{ ...(LEEDS.matches as object[])[0], why: 'lies in the area', from_km: null, to_km: null }],
});
const RAIL = watch('f1', 'Rail, high and worse', {
  kind: 'feeds',
  which: { ...HIGH, feeds: ['rail-network'] },
  matches: [],
  beyond: { high: 7 },
});

describe('routes, areas and whole feeds', () => {
  const groups = () =>
    within(screen.getByRole('navigation', { name: LIST }))
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent);

  it('stand in groups, each with how many there are', async () => {
    list.watches = [RAIL, AREA, YORK, LEEDS];
    render(<RoutesPage />);
    await rows();
    expect(groups()).toEqual(['Routes 2', 'Areas 1', 'Whole feeds 1']);
    const said = (await rows()).map(({ textContent }) => textContent);
    expect(said[2]).toMatch(/Within 30 km of Leeds1 nowCritical: .*High and worse, always/);
    expect(said[3]).toContain('Rail, high and worse7 now');
    await user.click(screen.getByRole('radio', { name: 'Feeds 1' }));
    expect(groups()).toEqual(['Whole feeds 1']);
    expect(location.search).toBe('?kind=feeds');
  });

  it('count whole feeds as affected only if they alone are listed', async () => {
    list.watches = [{ ...RAIL, matches: AREA.matches }, AREA, YORK];
    render(<RoutesPage />);
    await rows();
    await user.selectOptions(screen.getByLabelText('Show'), 'Affected now');
    expect(groups()).toEqual(['Areas 1']);
    await user.click(screen.getByRole('radio', { name: 'Feeds 1' }));
    expect(groups()).toEqual(['Whole feeds 1']);
  });

  it('are of the kind that the address names', async () => {
    history.replaceState(null, '', '/routes?kind=areas');
    list.watches = [RAIL, AREA, YORK];
    render(<RoutesPage />);
    await rows();
    expect(groups()).toEqual(['Areas 1']);
  });

  it('folds three or more clear routes, and unfolds them', async () => {
    list.watches = [LEEDS, YORK, watch('w3', 'Hull to Goole'), watch('w4', 'Luton to York')];
    render(<RoutesPage />);
    expect(await rows()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Clear 3 as far as we know' }));
    expect(await rows()).toHaveLength(4);
  });

  it('never folds areas, and names the grade that none has', async () => {
    list.watches = ['Leeds', 'York', 'Hull'].map((place, at) => ({
      ...AREA,
      id: `a${at}`,
      name: `Within 30 km of ${place}`,
      matches: [],
    }));
    render(<RoutesPage />);
    expect(await rows()).toHaveLength(3);
    expect((await rows())[0]!.textContent).toContain('0 nowNothing high or worse');
  });

  it('counts nothing of a watch outside its hours', async () => {
    const clock = (hours: number) =>
      new Intl.DateTimeFormat('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: 'Europe/London',
      }).format(new Date(Date.now() + hours * 3_600_000));
    list.watches = [{ ...AREA, when: { days: 127, from: clock(2), to: clock(3) } }];
    render(<RoutesPage />);
    const [row] = await rows();
    expect(row!.textContent).toContain(`from ${clock(2)}Not watching now`);
    expect(row!.textContent).not.toContain('1 now');
  });

  it('stand side by side in columns: in the order of the team, with what is left out', async () => {
    list.watches = [
      { ...AREA, id: 'a2', name: 'Our York', named_by_hand: true, matches: [] },
      AREA,
      RAIL,
      YORK,
    ];
    const orders: unknown[] = [];
    server.answers.set('watches/order', ({ body }) => {
      orders.push(body['ids']);
      return new Response(null, { status: 204 });
    });
    render(<RoutesPage />);
    await rows();
    await user.keyboard('c');
    const columns = within(screen.getByRole('region', { name: 'Areas side by side' }));
    const heads = () => columns.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(heads()).toEqual(['Our York', 'Leeds']);
    const leeds = within(columns.getByRole('region', { name: 'Leeds' }));
    expect(leeds.getByText('within 30 km · always')).toBeDefined();
    expect(leeds.getByText('9 below high, left out')).toBeDefined();
    expect(leeds.getByRole('link', { name: /Critical: M62 eastbound closed/ })).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'Both 3' }));
    expect(heads()).toEqual(['Our York', 'Leeds', 'Rail, high and worse']);
    await user.click(columns.getByRole('button', { name: 'Place of Leeds' }));
    await user.click(columns.getByRole('button', { name: 'Move left' }));
    await waitFor(() => expect(orders).toEqual([['a1', 'a2', 'f1', 'w2']]));

    // Left and right go from column to column, up and down within one.
    leeds.getByRole('link', { name: 'Leeds' }).focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toContain('Critical: M62');
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement?.textContent).toBe('Our York');
  });
});

describe('the people who get the alerts of an area', () => {
  const channel = (id: string, more: object) => ({
    id,
    kind: 'slack',
    name: id,
    is_team: true,
    state: 'working',
    since: '2026-11-27T06:01:00.000Z',
    why: null,
    what: { alerts: true, changes: false, digest: true, brief: false },
    watch_ids: null,
    ...more,
  });
  let channels: object[];
  beforeEach(() => {
    history.replaceState(null, '', '/routes/a1/tell');
    list.watches = [AREA, YORK];
    channels = [
      channel('own', { kind: 'email', name: 'rosa@example.co.uk', is_team: false }),
      channel('#ops', {}),
      channel('Travel desk', {
        kind: 'teams',
        state: 'failing',
        why: 'Teams refuses it.',
        watch_ids: ['a1'],
      }),
    ];
    const record = {
      ...AREA,
      rev: 3,
      notify: { threshold: 'high', possible: 'digest', around_departures: null },
    };
    server.answers.set('watches/a1', ({ method, body, headers }) => {
      if (method === 'GET')
        return json(200, { watch: { ...record, legs: [], ...WAY }, matches: [], sources: [] });
      sent.push({ method, body, ifMatch: headers.get('if-match') });
      return json(200, record);
    });
    server.answers.set('watches/a1/trial', () => json(200, { since: '', at_once: 6, in_digest: 3 }));
    server.answers.set('channels/', () =>
      json(200, {
        channels,
        settings: { quiet: null, digest: '06:00', hide_details: false },
        paused_until: null,
        has_email: true,
      }),
    );
    server.answers.set('channels/told', () =>
      json(200, {
        members: [
          { user_id: '1', display_name: 'Rosa Jones', is_you: true, kinds: ['email'], threshold: null },
          { user_id: '2', display_name: 'Sam Lee', is_you: false, kinds: ['email'], threshold: 'critical' },
          { user_id: '3', display_name: 'Priya Shah', is_you: false, kinds: [], threshold: null },
        ],
      }),
    );
    for (const id of ['own', '#ops'])
      server.answers.set(`channels/${encodeURIComponent(id)}`, ({ method, body }) => {
        sent.push({ method: `${method} ${id}`, body, ifMatch: null });
        return json(200, {});
      });
  });

  it('are named in one sentence, which follows the form, with channels that do not work', async () => {
    render(<RoutesPage />);
    expect(
      await screen.findByText(
        'Rosa, #ops and Travel desk are told at once of certain high and critical, Sam of critical; the rest at 06:00.',
      ),
    ).toBeDefined();
    expect(screen.getByText(/Travel desk cannot be told since/)).toBeDefined();
    expect(await screen.findByText('6 alerts told at once, 3 in the digest.')).toBeDefined();
    expect(screen.getByRole('tab', { name: 'Tell 4' })).toBeDefined();
    // Grades below the area's own are missing.
    const atOnce = within(screen.getByRole('radiogroup', { name: 'At once' }));
    expect(atOnce.getAllByRole('radio')).toHaveLength(3);
    await user.click(atOnce.getByRole('radio', { name: 'Critical' }));
    await user.click(screen.getByRole('radio', { name: 'Days and hours' }));
    await user.click(screen.getByRole('checkbox', { name: /^#ops/ }));
    expect(
      screen.getByText(
        'Rosa, Sam and Travel desk are told at once of certain critical, Mon to Fri 06:00–20:00; the rest at 06:00.',
      ),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      { method: 'PATCH #ops', body: { watch_ids: ['w2'] }, ifMatch: null },
      {
        method: 'PATCH',
        body: {
          notify: { threshold: 'critical', possible: 'digest', around_departures: null },
          when: { days: 31, from: '06:00', to: '20:00' },
        },
        ifMatch: '3',
      },
    ]);
  });

  it('cannot be changed without a network', async () => {
    render(<RoutesPage />);
    await screen.findByText(/are told at once/);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    expect(screen.getByRole('radiogroup', { name: 'At once' }).closest('fieldset')!.disabled).toBe(true);
    vi.restoreAllMocks();
  });
});

describe('the ways out', () => {
  const address = (id: string, more: object) => ({
    id,
    watch_id: 'a1',
    event_id: null,
    form: 'ics',
    made_by: { id: '1', display_name: 'Rosa Jones' },
    made_at: '2026-11-03T08:00:00.000Z',
    last_used_at: null,
    expires_at: null,
    dies_at: null,
    ...more,
  });
  let addresses: object[];
  beforeEach(() => {
    history.replaceState(null, '', '/routes/a1/share');
    list.watches = [AREA];
    addresses = [];
    server.answers.set('watches/a1', () =>
      json(200, { watch: { ...AREA, legs: [], ...WAY }, matches: [], sources: [] }),
    );
    server.answers.set('addresses/', ({ method, body }) => {
      if (method === 'GET') return json(200, { addresses, total: addresses.length, frame_hosts: [] });
      sent.push({ method, body, ifMatch: null });
      addresses = [address('s1', { form: body['form'], expires_at: body['expires_at'] })];
      return json(201, { ...addresses[0], path: body['form'] === 'page' ? '/p/secret' : '/f/secret.ics' });
    });
    server.answers.set('addresses/s1', ({ method }) => {
      sent.push({ method, body: {}, ifMatch: null });
      addresses = [];
      return new Response(null, { status: 204 });
    });
  });

  it('shows a secret address this once, and ends it', async () => {
    render(<RoutesPage />);
    expect(await screen.findByText('Nobody outside can see this area.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'New address' }));
    await user.click(screen.getByRole('button', { name: /^iCalendar/ }));
    expect(await screen.findByText(`${location.origin}/f/secret.ics`)).toBeDefined();
    expect(sent[0]!.body).toMatchObject({ watch_id: 'a1', form: 'ics', expires_at: null });
    expect(await screen.findByText(/Rosa Jones, 3 Nov .* · not used yet · no end/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'End this address: iCalendar' }));
    await user.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End this address' }),
    );
    await waitFor(() => expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']));
    await waitFor(() => expect(screen.queryByText(`${location.origin}/f/secret.ics`)).toBeNull());
  });

  it('makes a public page that ends by itself', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T06:05:00Z') });
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Make a public page' }));
    expect(await screen.findByText(`${location.origin}/p/secret`)).toBeDefined();
    const ends = new Date(String(sent[0]!.body['expires_at'])).getTime();
    expect(Math.round((ends - Date.now()) / 86_400_000)).toBe(7);
    expect(await screen.findByText(/^On, ends 4 Dec/)).toBeDefined();
  });

  it('keeps the sites that were typed when Back or Escape closes the dialog, until they are saved', async () => {
    let hosts: string[] = [];
    addresses = [address('s1', { form: 'page' })];
    server.answers.set('addresses/', () =>
      json(200, { addresses, total: addresses.length, frame_hosts: hosts }),
    );
    server.answers.set('addresses/frame-hosts', ({ body }) => {
      hosts = body['frame_hosts'] as string[];
      return json(200, { frame_hosts: hosts });
    });
    render(<RoutesPage />);
    const framed = () => screen.getByLabelText<HTMLInputElement>('May be framed on');
    const end = () => screen.getByLabelText<HTMLSelectElement>('It ends');
    const change = () => user.click(screen.getByRole('button', { name: 'Change: Public page' }));
    await screen.findByRole('button', { name: 'Change: Public page' });
    await change();
    await user.selectOptions(end(), 'week');
    await user.type(framed(), 'intranet.example.com');
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await change();
    expect([end().value, framed().value]).toEqual(['week', 'intranet.example.com']);
    await user.selectOptions(end(), '');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/may be framed on intranet\.example\.com$/);
    await change();
    expect([end().value, framed().value]).toEqual(['', 'intranet.example.com']);
  });

  it('is not made by members', async () => {
    useSession.setState({ user: { ...ANNA, role: 'user', is_admin: false } as never });
    server.answers.set('team/', () => json(200, { id: 't', name: 'Ours', role: 'member', shift_starts: [] }));
    render(<RoutesPage />);
    expect(await screen.findByText('Leads of the team can make these.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /New address|Make a public page/ })).toBeNull();
  });
});

describe('a new area', () => {
  it('begins with 30 km, takes grade and hours, gets a name by itself, and opens on Tell', async () => {
    server.answers.set('geocode/search', () =>
      json(200, {
        results: [{ label: 'Leeds, West Yorkshire', latitude: 53.8, longitude: -1.55, type: 'city' }],
        attribution: null,
      }),
    );
    server.answers.set('events/', () => json(200, { events: [], total: 0 }));
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New area' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Place, station, venue or postcode'), 'Leeds{Enter}');
    await user.click(await dialog.findByRole('button', { name: /^Leeds, West Yorkshire/ }));
    await user.click(dialog.getByRole('radio', { name: 'High and worse' }));
    await user.click(dialog.getByRole('radio', { name: 'Days and hours' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Within 30 km of Leeds');
    await user.click(dialog.getByRole('button', { name: 'Save area' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9/tell'));
    expect(sent.at(-1)!.body).toMatchObject({
      kind: 'area',
      name: null,
      place: 'Leeds',
      reach_m: 30_000,
      which: HIGH,
      when: { days: 31, from: '06:00', to: '20:00' },
      notify: { threshold: 'high' },
    });
  });

  it('is a filter without a place, with the conditions of All alerts', async () => {
    history.replaceState(
      null,
      '',
      '/routes?new=feeds&conditions=feed%3Drail-network%26severity%3Dcritical%252Chigh',
    );
    render(<RoutesPage />);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Rail, high and worse');
    await user.click(dialog.getByRole('button', { name: 'Save filter' }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body).toMatchObject({
      kind: 'feeds',
      made_by: 'feeds',
      which: { ...HIGH, feeds: ['rail-network'] },
    });
  });
});

describe('a driver’s report', () => {
  const reported = () =>
    server.answers.set('reports/', ({ method, body }) => {
      sent.push({ method, body, ifMatch: null });
      return json(201, {});
    });

  it('is at kilometres of a route, and says which places are around them', async () => {
    reported();
    list.watches.push(watch('a1', 'Around Leeds', { kind: 'area' }));
    render(<RoutesPage />);
    await rows();
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.selectOptions(dialog.getByLabelText('Where it is'), 'On one of our routes');
    const route = dialog.getByLabelText('Route');
    expect(
      within(route)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Leeds to Hull', 'York to Bristol']);
    await user.type(dialog.getByLabelText('From km'), '12.5');
    await user.type(dialog.getByLabelText('To km'), '14');
    expect(await dialog.findByText('Between M62 J26 and Hull')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Save' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      {
        method: 'POST',
        body: expect.objectContaining({ watch_id: 'w1', from_km: 12.5, to_km: 14, title: 'Car on fire' }),
        ifMatch: null,
      },
    ]);
    expect(sent[0]!.body).not.toHaveProperty('road');
  });

  it('keeps typed text when it is closed by Escape or Back, and forgets it when it is given up', async () => {
    const warned = vi.spyOn(console, 'error');
    render(<RoutesPage />);
    await rows();
    const open = async () => {
      await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
      return within(screen.getByRole('dialog'));
    };
    await user.type((await open()).getByLabelText('What it is'), 'Car on fire');
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    const dialog = await open();
    expect(dialog.getByLabelText<HTMLInputElement>('What it is').value).toBe('Car on fire');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect((await open()).getByLabelText<HTMLInputElement>('What it is').value).toBe('');
    // A dialog may not be inside a paragraph: a browser would end the paragraph before it.
    expect(warned.mock.calls.filter(([words]) => String(words).includes('descendant'))).toEqual([]);
  });

  it('stays open while it is sent, and is not kept where the server refuses it', async () => {
    server.answers.set('reports/', () => json(422, { detail: 'We know no road M99.' }));
    const posts = server.hold('reports/', 'POST');
    render(<RoutesPage />);
    await rows();
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.type(dialog.getByLabelText('Road'), 'M99');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(posts).toHaveLength(1));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await act(async () => posts[0]!());
    expect(await dialog.findByText('We know no road M99.')).toBeTruthy();
    expect(useQueue.getState().items).toEqual([]);
  });

  it('is kept if there is no network, shown as not sent yet, and sent once when there is', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    render(<RoutesPage />);
    await rows();
    server.lines.set('reports/', 'cut');
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.selectOptions(dialog.getByLabelText('Where it is'), 'At a place');
    await user.type(dialog.getByLabelText(/^Place/), 'A64 at Tadcaster bar');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await screen.findByRole('button', { name: /^Not sent yet \(1\)/ }));
    const waiting = screen.getByRole('dialog');
    expect(waiting.textContent).toMatch(/Car on fire.*A64 at Tadcaster bar/);
    await user.click(within(waiting).getByRole('button', { name: 'Close' }));

    server.lines.delete('reports/');
    reported();
    online.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body).toMatchObject({
      id: expect.any(String),
      at: expect.any(String),
      title: 'Car on fire',
      place: 'A64 at Tadcaster bar',
      ask_again_at: expect.any(String),
    });
    await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
    window.dispatchEvent(new Event('online'));
    await rows();
    expect(sent).toHaveLength(1);
  });

  describe('that the server refuses', () => {
    /** A report that was typed without a network and then refused; the list of waiting actions is open. */
    const refuse = async (type: (dialog: ReturnType<typeof within>) => Promise<void>) => {
      server.answers.set('reports/', () => json(422, { detail: 'No such place.' }));
      const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
      render(<RoutesPage />);
      await rows();
      await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
      const dialog = within(screen.getByRole('dialog'));
      await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
      await type(dialog);
      await user.selectOptions(dialog.getByLabelText('Severity'), 'Critical');
      await user.type(dialog.getByLabelText('Note'), 'Both lanes');
      await user.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      online.mockReturnValue(true);
      window.dispatchEvent(new Event('online'));
      await user.click(await screen.findByRole('button', { name: /did not take it/ }));
      expect(screen.getByRole('dialog').textContent).toContain('No such place.');
    };
    const atPlace = async (dialog: ReturnType<typeof within>) => {
      await user.selectOptions(dialog.getByLabelText('Where it is'), 'At a place');
      await user.type(dialog.getByLabelText(/^Place/), 'Xyzzyville');
    };
    const onRoute = async (dialog: ReturnType<typeof within>) => {
      await user.selectOptions(dialog.getByLabelText('Where it is'), 'On one of our routes');
      await user.selectOptions(dialog.getByLabelText('Route'), 'York to Bristol');
      await user.type(dialog.getByLabelText('From km'), '12.5');
      await user.type(dialog.getByLabelText('To km'), '14');
    };
    const corrected = async (labels: readonly (RegExp | string)[]) => {
      await user.click(screen.getByRole('button', { name: 'Correct' }));
      const form = within(await screen.findByRole('dialog', { name: 'A driver tells us' }));
      const values = labels.map((label) => form.getByLabelText<HTMLInputElement>(label).value);
      return { form, values };
    };

    it('is corrected with everything that was typed', async () => {
      await refuse(atPlace);
      const { form, values } = await corrected(['What it is', /^Place/, 'Severity', 'Note']);
      expect(values).toEqual(['Car on fire', 'Xyzzyville', 'critical', 'Both lanes']);
      reported();
      await user.clear(form.getByLabelText(/^Place/));
      await user.type(form.getByLabelText(/^Place/), 'Leeds');
      await user.click(form.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
      expect(sent).toMatchObject([{ body: { title: 'Car on fire', place: 'Leeds', severity: 'critical' } }]);
    });

    it('is corrected along a route with the route and its kilometres', async () => {
      await refuse(onRoute);
      const { form, values } = await corrected(['What it is', 'Where it is', 'Route', 'From km', 'To km']);
      expect(values).toEqual(['Car on fire', 'route', 'w2', '12.5', '14']);
      reported();
      await user.clear(form.getByLabelText('To km'));
      await user.click(form.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
      expect(sent).toMatchObject([{ body: { watch_id: 'w2', from_km: 12.5, severity: 'critical' } }]);
    });

    it('is corrected, if its route was deleted, only along another route', async () => {
      await refuse(onRoute);
      list.watches = [LEEDS];
      const { form, values } = await corrected(['Route', 'From km']);
      expect(values).toEqual(['', '12.5']);
      reported();
      await user.click(form.getByRole('button', { name: 'Save' }));
      expect(sent).toEqual([]);
      await user.selectOptions(form.getByLabelText('Route'), 'Leeds to Hull');
      await user.click(form.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
      expect(sent).toMatchObject([{ body: { watch_id: 'w1', from_km: 12.5 } }]);
    });

    it('is dismissed only after a question', async () => {
      await refuse(atPlace);
      const dismiss = async (answer: string) => {
        await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
        const question = within(screen.getByRole('alertdialog'));
        expect(question.getByText(/Car on fire.*cannot be undone/)).toBeDefined();
        await user.click(question.getByRole('button', { name: answer }));
      };
      await dismiss('Cancel');
      await dismiss('Dismiss it');
      await waitFor(() => expect(screen.queryByText(/^Not sent yet/)).toBeNull());
    });
  });

  it('has one id however often it is sent: an answer can be lost', async () => {
    let tries = 0;
    server.answers.set('reports/', ({ method, body }) => {
      sent.push({ method, body, ifMatch: null });
      return ++tries === 1 ? json(503, { detail: 'Busy.' }) : json(201, {});
    });
    render(<RoutesPage />);
    await rows();
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.type(dialog.getByLabelText('Road'), 'M62');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    // The report is kept, and sent again by itself.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(sent).toHaveLength(2));
    const ids = sent.map(({ body }) => body['id']);
    expect(ids).toEqual([expect.any(String), ids[0]]);

    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const next = within(screen.getByRole('dialog'));
    await user.type(next.getByLabelText('What it is'), 'Tree down');
    await user.type(next.getByLabelText('Road'), 'M62');
    await user.click(next.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[2]!.body['id']).not.toBe(ids[0]);
  });

  it('is at one place only: text that was typed for another place is not sent', async () => {
    reported();
    render(<RoutesPage />);
    await rows();
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.type(dialog.getByLabelText('Road'), 'M62');
    await user.selectOptions(dialog.getByLabelText('Where it is'), 'At a place');
    await user.type(dialog.getByLabelText(/^Place/), 'Wakefield');
    await user.click(dialog.getByRole('button', { name: 'Save' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[0]!.body).toMatchObject({ place: 'Wakefield' });
    expect(sent[0]!.body).not.toHaveProperty('road');
  });
});

it('opens the match that a message leads to, and stays closed once it is closed', async () => {
  const seen = vi.fn<(this: Element) => void>();
  vi.stubGlobal('CSS', { escape: (text: string) => text.replaceAll(':', '\\:') });
  Element.prototype.scrollIntoView = function (this: Element) {
    seen.call(this);
  };
  history.replaceState(null, '', `/routes/w1#${encodeURIComponent(LORRY.event_id)}`);
  render(<RoutesPage />);
  const why = await screen.findByRole('button', { name: 'Why?', expanded: true });
  expect(seen.mock.contexts.map((one) => one.getAttribute('data-match'))).toEqual([LORRY.event_id]);
  await user.click(why);
  expect(screen.getByRole('button', { name: 'Why?', expanded: false })).toBeDefined();
});

it('says the chosen date in words beside its field', async () => {
  render(<RoutesPage />);
  await chooseWindow('Date');
  const field = screen.getByLabelText('Date', { selector: '[type="date"]' });
  const year = new Date().getFullYear() + 1;
  fireEvent.change(field, { target: { value: `${year}-04-03` } });
  expect(describedBy(field)).toMatch(new RegExp(`^[A-Z][a-z]{2} 3 Apr ${year}$`));
});

describe('a new route', () => {
  it('is made by keyboard alone', async () => {
    render(<RoutesPage />);
    await rows();

    await user.keyboard('n');
    const field = await screen.findByLabelText('Places and junctions, in order');
    await vi.waitFor(() => expect(document.activeElement).toBe(field)); // the dialog may still be loading
    await user.keyboard('Leeds, M1 J4');
    await screen.findByRole('option', { name: /M1 J43/ });
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Places and junctions, in order').value).toBe(
      'Leeds, M1 J43, ',
    );
    await screen.findByText('From Leeds to M62 J26 we draw a straight line (4 km).');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    await user.keyboard('{Enter}');

    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9'));
    expect(sent[0]!.body).toMatchObject({ kind: 'route', name: null, made_by: 'junctions' });
  });

  it('cannot go on while something is not understood, and takes a repair', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.type(await screen.findByLabelText('Places and junctions, in order'), 'Leeds, M1 J3');
    expect(await screen.findByText('The M1 has no J3. Nearest: J2, J4.')).toBeDefined();
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    expect(next.disabled).toBe(true);

    await user.click(screen.getByRole('button', { name: 'Use J2' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Places and junctions, in order').value).toBe(
      'Leeds, M1 J2',
    );
    await vi.waitFor(() => expect(next.disabled).toBe(false));
  });

  it('is saved with a departure and the way back', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.type(
      await screen.findByLabelText('Places and junctions, in order'),
      'Leeds, M62 J26, M62 J38',
    );
    await screen.findByText(/straight line/);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Add a departure' }));
    await user.type(screen.getByLabelText('Leaves at'), '06:40');
    await user.click(screen.getByLabelText('Sun'));
    const firstDay = screen.getByLabelText('First day');
    fireEvent.change(firstDay, { target: { value: '2026-04-03' } });
    // The browser may write 4/3: the words make clear that it is the 3rd of April and not the 4th of March.
    expect(describedBy(firstDay)).toBe('Fri 3 Apr 2026');
    fireEvent.change(firstDay, { target: { value: '' } });
    await user.click(screen.getByRole('button', { name: 'Keep' }));
    expect(screen.getByText(/Leaves at 06:40 · Mon–Sat/).parentElement!.textContent).toContain(
      'takes 1 h 15 (we guessed from 100 km at 80 km/h)',
    );
    await user.click(screen.getByRole('button', { name: 'Add the way back' }));
    await user.click(screen.getByRole('button', { name: 'Save route' }));

    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]!.body['departures']).toMatchObject([
      { at_local: '06:40', days: 0b0111111, duration_min: null },
    ]);
    expect(sent[0]!.body['notify']).toEqual({
      threshold: 'critical',
      possible: 'digest',
      around_departures: null,
    });
    expect(sent[1]!.body).toMatchObject({
      name: null,
      departures: [],
      legs: [
        { type: 'road', road: 'M62', from: 'J38', to: 'J26', sense: -1 },
        {
          type: 'link',
          points: [
            [-1.7, 53.7],
            [-1.5, 53.8],
          ],
        },
      ],
    });
  });
});

describe('nothing that was typed is lost', () => {
  const field = () => screen.findByLabelText<HTMLTextAreaElement>('Places and junctions, in order');
  const begin = async (text = 'Leeds, M62 J26, M62 J38') => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.type(await field(), text);
    await screen.findByText(/straight line/);
  };
  const toReview = async () => {
    await begin();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Add a departure' }));
  };
  const save = () => user.click(screen.getByRole('button', { name: 'Save route' }));

  it('a departure is saved even if “Keep” was not pressed', async () => {
    await toReview();
    await user.type(screen.getByLabelText('Leaves at'), '06:40');
    await save();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body['departures']).toMatchObject([{ at_local: '06:40', days: 0b1111111 }]);
  });

  it('an incomplete departure stops the saving, in words, and an empty form does not', async () => {
    await toReview();
    await user.type(screen.getByLabelText('Takes (hours:minutes)'), '2:30');
    await save();
    expect(await screen.findByText(/^A departure is not complete/)).toBeDefined();
    expect(sent).toEqual([]);
    // Another departure does not open over it either.
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep' }).disabled).toBe(true);
    await user.clear(screen.getByLabelText('Takes (hours:minutes)'));
    await save();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body['departures']).toEqual([]);
  });

  it('a departure that is open survives a step back', async () => {
    await toReview();
    await user.type(screen.getByLabelText('Leaves at'), '06:40');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(screen.getByLabelText<HTMLInputElement>('Leaves at').value).toBe('06:40');
  });

  it('Escape and the browser’s Back close the dialog, and it opens as it was', async () => {
    await begin();
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'New route' }));
    expect((await field()).value).toBe('Leeds, M62 J26, M62 J38');
    expect(screen.getByText('This is what you had typed.')).toBeDefined();

    act(() => history.back());
    fireEvent(window, new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(location.pathname).toBe('/routes');
    await user.click(screen.getByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('button', { name: 'Begin again' }));
    expect((await field()).value).toBe('');
    expect(screen.queryByText('This is what you had typed.')).toBeNull();

    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'New route' }));
    expect((await field()).value).toBe('');
  });

  it('a name typed for a saved route is still there when its dialog opens again, until it is saved', async () => {
    const read = server.answers.get('watches/w1')!;
    server.answers.set('watches/w1', (asked) => {
      if (asked.method === 'GET') return read(asked);
      sent.push({ method: asked.method, body: asked.body, ifMatch: null });
      return json(200, LEEDS);
    });
    render(<RoutesPage />);
    await screen.findByText('Chain Bar');
    const edit = () => user.click(screen.getByRole('button', { name: 'Edit' }));
    await edit();
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' docks');
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await edit();
    expect(await screen.findByDisplayValue('Leeds to Hull docks')).toBeDefined();
    await save();
    await vi.waitFor(() => expect(sent[0]?.body).toMatchObject({ name: 'Leeds to Hull docks' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await edit();
    expect(await screen.findByDisplayValue('Leeds to Hull')).toBeDefined();
  });

  it('another way of a saved route is saved with it', async () => {
    render(<RoutesPage />);
    await screen.findByText('Chain Bar');
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await screen.findByRole('textbox', { name: 'Name' });
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.clear(await field());
    await user.type(await field(), 'Leeds, M62 J26, M62 J38');
    await screen.findByText(/straight line/);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await save();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      method: 'PATCH',
      body: { made_by: 'junctions', legs: [{ type: 'link' }, { type: 'road', road: 'M62' }] },
    });
  });

  it('another person who signs in does not see it', async () => {
    await begin('Leeds, M62 J38');
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    act(() => useSession.setState({ user: { ...ANNA, id: 'somebody-else', is_active: true } as never }));
    await user.click(screen.getByRole('button', { name: 'New route' }));
    expect((await field()).value).toBe('');
  });

  it('a route is deleted only after a question, and comes back by Undo', async () => {
    list.watches = [LEEDS];
    let isDeleted = false;
    const read = server.answers.get('watches/w1')!;
    server.answers.set('watches/w1', (asked) => {
      if (asked.method !== 'DELETE') return read(asked);
      isDeleted = true;
      list.watches = [YORK];
      return new Response(null, { status: 204 });
    });
    server.answers.set('watches/w1/restore', () => {
      isDeleted = false;
      list.watches = [LEEDS, YORK];
      return json(200, LEEDS);
    });
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' docks');
    await user.click(await screen.findByRole('button', { name: 'Delete this route' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText(/for the whole team/)).toBeDefined();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(isDeleted).toBe(false);

    await user.click(screen.getByRole('button', { name: 'Delete this route' }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete this route' }),
    );
    expect(await screen.findByText(/“Leeds to Hull” is deleted for the whole team/)).toBeDefined();
    expect(isDeleted).toBe(true);
    // The text is still there after a look at another page.
    cleanup();
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w1'));
    expect(isDeleted).toBe(false);
    expect(screen.queryByText(/is deleted for the whole team/)).toBeNull();
    // The new form has nothing that was typed before it was deleted.
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    expect(await screen.findByDisplayValue('Leeds to Hull')).toBeDefined();
    expect(screen.queryByText('This is what you had typed.')).toBeNull();
  });

  it('a deleted route can be brought back for some minutes, and leads nobody away from another page', async () => {
    const read = server.answers.get('watches/w1')!;
    server.answers.set('watches/w1', (asked) => {
      if (asked.method !== 'DELETE') return read(asked);
      list.watches = [YORK];
      return new Response(null, { status: 204 });
    });
    const deletes = server.hold('watches/w1', 'DELETE');
    const { unmount } = render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    await user.click(await screen.findByRole('button', { name: 'Delete this route' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Delete this route' }));
    await vi.waitFor(() => expect(deletes).toHaveLength(1));
    unmount();
    history.replaceState(null, '', '/disruptions');
    await act(async () => deletes[0]!());
    render(<RoutesPage />);
    await screen.findByRole('button', { name: 'Undo' });
    expect(location.pathname).toBe('/disruptions');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WATCH_LIMITS.undoMinutes * 60_000 });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    vi.useRealTimers();
  });

  it.each([
    ['another person', { user: 'somebody-else', kept: { route: { text: 'Leeds, M62 J38' } } }, ''],
    ['a torn note', '{"user":"1","kept":{"rou', ''],
    ['an earlier build', { user: ANNA.id, kept: { route: { text: 'Leeds, M62 J38' } } }, 'Leeds, M62 J38'],
  ])('what is left in the tab of %s', async (_, note, text) => {
    sessionStorage.setItem('clearway_making', typeof note === 'string' ? note : JSON.stringify(note));
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    expect((await field()).value).toBe(text);
  });
});

describe('several routes at once', () => {
  const TABLE =
    'Name,Via,Departure\nLeeds to Hull,M62,06:10\nYork to Hull,M1 J3,07:15\nHull to Leeds,M62,TBC';
  const added = () => sent.map(({ body }) => body['name']);

  it('pasted lines are asked about, never joined in silence', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    const field = await screen.findByLabelText('Places and junctions, in order');
    fireEvent.change(field, { target: { value: 'Leeds, M62, Hull\nYork, A64, Leeds\nHull, A63, Leeds' } });
    await screen.findByText(/straight line/);
    const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    expect(next().disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'One route' }));
    expect(next().disabled).toBe(false);

    fireEvent.change(field, { target: { value: 'Leeds, M62, Hull\nYork, A64, Leeds' } });
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('button', { name: 'Begin again' }));
    fireEvent.change(await screen.findByLabelText('Places and junctions, in order'), {
      target: { value: 'Leeds, M62, Hull\nYork, A64, Leeds' },
    });
    await user.click(await screen.findByRole('button', { name: 'Several routes' }));
    await user.click(await screen.findByRole('button', { name: 'Add 2 routes' }));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
  });

  it('a table is checked row by row, mended in place, and added', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('tab', { name: 'Table' }));
    fireEvent.change(screen.getByLabelText(/Paste a table/), { target: { value: TABLE } });
    expect(await screen.findByText('1 of 3 rows can be added.')).toBeDefined();
    expect(screen.getByText('The M1 has no J3. Nearest: J2, J4.')).toBeDefined();
    expect(screen.getByText('Row 4: “TBC” is no time of day.')).toBeDefined();
    // Another way would not mend the wrong time; and a table is one step.
    expect(screen.queryByLabelText('Way of row 4')).toBeNull();
    expect(screen.queryByText(/^Step/)).toBeNull();

    fireEvent.change(screen.getByLabelText('Way of row 3'), { target: { value: 'York, M1 J2, Hull' } });
    await user.click(await screen.findByRole('button', { name: 'Add 2 routes' }));
    // The row that cannot be added stays, to be mended.
    expect(await screen.findByText(/^These rows were not saved/)).toBeDefined();
    expect(added()).toEqual(['Leeds to Hull', 'York to Hull']);
    expect(sent[0]!.body).toMatchObject({ departures: [{ at_local: '06:10', days: 0b1111111 }] });
    const table = screen.getByLabelText<HTMLTextAreaElement>(/Paste a table/);
    expect(table.value).toBe('Name,Via,Departure\nHull to Leeds,M62,TBC');
    fireEvent.change(table, { target: { value: table.value.replace('TBC', '07:15') } });
    await user.click(await screen.findByRole('button', { name: 'Add 1 route' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9'));
    expect(added()).toHaveLength(3);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    expect(screen.queryByText('This is what you had typed.')).toBeNull();
  });

  it('a table says what is wrong with itself, not with the file before it', async () => {
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('tab', { name: 'Table' }));
    const file = new File(['x'.repeat(257 * 1024)], 'routes.csv');
    fireEvent.change(screen.getByLabelText('Or a CSV file'), { target: { files: [file] } });
    await screen.findByText('This table is larger than 256 KB.');
    const type = (value: string) =>
      fireEvent.change(screen.getByLabelText(/Paste a table/), { target: { value } });
    type(TABLE);
    expect(await screen.findByText('1 of 3 rows can be added.')).toBeDefined();
    expect(screen.queryByText('This table is larger than 256 KB.')).toBeNull();
    type('Leeds, M62, Hull\n'.repeat(101));
    expect(await screen.findByText('A table may have 100 rows. This has 101.')).toBeDefined();
  });

  it('a row keeps its newer answer even if an older question about it fails afterwards', async () => {
    const resolve = server.answers.get('watches/resolve')!;
    let fail = () => {};
    let asked = 0;
    server.answers.set('watches/resolve', async (call) => {
      if (call.body['text'] !== 'York, M1 J2, Hull' || ++asked > 1) return resolve(call);
      await new Promise<void>((done) => (fail = done));
      return json(503, { detail: 'Busy' });
    });
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('tab', { name: 'Table' }));
    fireEvent.change(screen.getByLabelText(/Paste a table/), {
      target: { value: 'Name,Via\nYork to Leeds,M1 J3\nYork to Hull,"York, M1 J2, Hull"' },
    });
    await vi.waitFor(() => expect(asked).toBe(1));
    fireEvent.change(await screen.findByLabelText('Way of row 2'), { target: { value: 'York, M62, Leeds' } });
    expect(await screen.findByText('2 of 2 rows can be added.')).toBeDefined();
    await act(async () => fail());
    expect(screen.getByText('2 of 2 rows can be added.')).toBeDefined();
  });

  it('a refused row says why, and the others are made once', async () => {
    const make = server.answers.get('watches/')!;
    let refuses = true;
    server.answers.set('watches/', (asked) =>
      asked.method === 'POST' && asked.body['name'] === 'York to Hull' && refuses
        ? json(409, { detail: 'A team may have 200 routes and areas. Delete one first.' })
        : make(asked),
    );
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.click(await screen.findByRole('tab', { name: 'Table' }));
    fireEvent.change(screen.getByLabelText(/Paste a table/), {
      target: { value: 'Name,Via\nLeeds to Hull,M62\nYork to Hull,M62' },
    });
    await user.click(await screen.findByRole('button', { name: 'Add 2 routes' }));
    expect(await screen.findByText('A team may have 200 routes and areas. Delete one first.')).toBeDefined();
    expect(added()).toEqual(['Leeds to Hull']);

    refuses = false;
    fireEvent.change(screen.getByLabelText('Way of row 2'), { target: { value: 'York, M62 J38, Hull' } });
    await user.click(await screen.findByRole('button', { name: 'Add 1 route' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9'));
    expect(added()).toEqual(['Leeds to Hull', 'York to Hull']);
  });
});

describe('a new area', () => {
  it('is within some kilometres of a venue, and its name says so', async () => {
    server.answers.set('geocode/search', () =>
      json(200, {
        results: [{ label: 'Cardiff', latitude: 51.48, longitude: -3.18, type: 'city' }],
        attribution: '',
      }),
    );
    const concert = {
      is_sample: false,
      venue_name: 'Principality Stadium',
      venue_town: 'Cardiff',
      latitude: 51.478,
      longitude: -3.183,
    };
    server.answers.set('events/', ({ query }) => {
      expect(query.get('q')).toBe('Cardiff');
      return json(200, {
        events: [
          { ...concert, event_id: 'e1' },
          { ...concert, event_id: 'e2' },
          { ...concert, event_id: 'e3', venue_name: 'The Cardiff Singers’ tent', latitude: null },
        ],
      });
    });
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New area' }));
    expect((await screen.findByText('Find a place and choose it.')).closest('footer')).toBeTruthy();
    await user.type(await screen.findByLabelText('Place, station, venue or postcode'), 'Cardiff{Enter}');
    const found = await screen.findByRole('list', { name: 'Places' });
    expect(
      within(found)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Cardiff city', 'Principality Stadium, Cardiff venue']);
    await user.click(within(found).getByRole('button', { name: /Principality/ }));
    expect(screen.queryByText('Find a place and choose it.')).toBeNull();
    expect(screen.getByDisplayValue('Within 30 km of Principality Stadium')).toBeDefined();
    fireEvent.change(screen.getByLabelText('Within'), { target: { value: '3' } });
    expect(screen.getByDisplayValue('Within 3 km of Principality Stadium')).toBeDefined();

    // A place that is typed and not chosen is never dropped without a word.
    const field = () => screen.getByLabelText<HTMLInputElement>('Place, station, venue or postcode');
    const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save area' });
    fireEvent.change(field(), { target: { value: 'Swansea' } });
    expect(save().disabled).toBe(true);
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await user.click(await screen.findByRole('button', { name: 'New area' }));
    expect(field().value).toBe('Swansea');
    expect(save().disabled).toBe(true);
    fireEvent.change(field(), { target: { value: 'Principality Stadium' } });
    expect(save().disabled).toBe(false);
    await user.click(save());

    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9/tell'));
    expect(sent[0]!.body).toMatchObject({
      kind: 'area',
      name: null,
      place: 'Principality Stadium',
      made_by: 'circle',
      geometry: { type: 'Point', coordinates: [-3.183, 51.478] },
      reach_m: 3000,
    });
  });
});

describe('on a slow network', () => {
  const give = async (held: (() => void)[]) => {
    await vi.waitFor(() => expect(held).not.toHaveLength(0));
    await act(async () => held.shift()!());
  };
  const makeRoute = async () => {
    await user.click(await screen.findByRole('button', { name: 'New route' }));
    await user.type(await screen.findByLabelText('Places and junctions, in order'), 'Leeds, M62 J38');
    await screen.findByText(/straight line/);
    await user.click(screen.getByRole('button', { name: 'Next' }));
  };

  it('keeps a new route in its dialog until the list has it', async () => {
    render(<RoutesPage />);
    await rows();
    const lists = server.hold('watches/', 'GET');
    await makeRoute();
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    await vi.waitFor(() => expect(lists).toHaveLength(1));
    expect(screen.queryByText(/This route is not here/)).toBeNull();
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.getByRole('dialog')).toBeTruthy();
    list.watches.push(watch('w9', 'Leeds to Hull, again'));
    await give(lists);
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('heading', { level: 2, name: 'Leeds to Hull, again' })).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it('stays on the next page when a route is saved after its page was left', async () => {
    const { unmount } = render(<RoutesPage />);
    await rows();
    const saves = server.hold('watches/', 'POST');
    await makeRoute();
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    await vi.waitFor(() => expect(saves).toHaveLength(1));
    unmount();
    history.replaceState(null, '', '/disruptions');
    await give(saves);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await act(async () => {});
    expect(location.pathname).toBe('/disruptions');
  });

  const isBack = ({ legs }: Record<string, unknown>) =>
    (legs as { sense?: number }[]).some(({ sense }) => sense === -1);

  it('makes a route once even if its way back was refused at first', async () => {
    let isDown = true;
    const before = server.answers.get('watches/')!;
    server.answers.set('watches/', (call) => {
      if (call.method === 'POST' && isBack(call.body) && isDown) {
        return json(503, { detail: 'Busy.' });
      }
      return before(call);
    });
    render(<RoutesPage />);
    await rows();
    await makeRoute();
    await user.click(screen.getByRole('button', { name: 'Add the way back' }));
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    expect(await screen.findByText('Busy.')).toBeTruthy();
    // The stored route has the edits that were made meanwhile.
    await user.type(screen.getByLabelText('Name'), ', nights');
    await user.click(screen.getByRole('button', { name: 'Add a departure' }));
    await user.type(screen.getByLabelText('Leaves at'), '22:30');
    server.answers.set('watches/w9', ({ method, body, headers }) => {
      if (method === 'PATCH') sent.push({ method, body, ifMatch: headers.get('if-match') });
      return json(200, { watch: watch('w9', 'Leeds to M62 J38', { rev: 5 }), matches: [], sources: [] });
    });
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ method, body }) => [method, 'legs' in body && isBack(body)])).toEqual([
      ['POST', false],
      ['PATCH', false],
      ['POST', true],
    ]);
    expect(sent[1]).toMatchObject({ ifMatch: '5', body: { departures: [{ at_local: '22:30' }] } });
    expect(sent[1]!.body['name']).toMatch(/, nights$/);
  });

  it('changes a route whose answer was lost, and makes no other when it was edited meanwhile', async () => {
    render(<RoutesPage />);
    await rows();
    await makeRoute();
    server.line = 'half';
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    expect(await screen.findByText('Unable to save this route')).toBeTruthy();
    server.line = 'good';
    await user.type(screen.getByLabelText('Name'), ', nights');
    server.answers.set('watches/w9', ({ method, body, headers }) => {
      if (method === 'PATCH') sent.push({ method, body, ifMatch: headers.get('if-match') });
      return json(200, { watch: watch('w9', 'Leeds to M62 J38', { rev: 5 }), matches: [], sources: [] });
    });
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [first, again, ...more] = server.callsTo('watches/').filter(({ method }) => method === 'POST');
    expect(again!.body).toEqual(first!.body);
    expect(more).toEqual([]);
    expect(sent.at(-1)).toMatchObject({
      method: 'PATCH',
      body: { name: expect.stringMatching(/, nights$/) },
    });
  });

  it('says that a route is on its way, not that it is missing, while the list is read', async () => {
    render(<RoutesPage />);
    await rows();
    const lists = server.hold('watches/', 'GET');
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.type(dialog.getByLabelText('Road'), 'M62');
    server.answers.set('reports/', () => json(201, {}));
    const inHand = server.callsTo('responses/').length;
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    // The list of incidents in hand has the report.
    await vi.waitFor(() => expect(server.callsTo('responses/').length).toBe(inHand + 1));
    act(() => history.pushState(null, '', '/routes/w9'));
    expect(screen.queryByText(/This route is not here/)).toBeNull();
    await give(lists);
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('This route is not here, or is not your team’s.')).toBeTruthy();
  });

  it('shows no places from an earlier request', async () => {
    const answers = new Map<string, () => void>();
    server.answers.set('geocode/search', async ({ query }) => {
      const asked = query.get('query')!;
      await new Promise<void>((resolve) => answers.set(asked, resolve));
      return json(200, {
        results: [{ label: asked, latitude: 53, longitude: -1, type: 'city' }],
        attribution: '',
      });
    });
    server.answers.set('events/', () => json(200, { events: [] }));
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'New area' }));
    const field = await screen.findByLabelText('Place, station, venue or postcode');
    await user.type(field, 'Leeds{Enter}');
    await vi.waitFor(() => expect(answers.has('Leeds')).toBe(true));
    expect(screen.getByText('Looking...')).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'York{Enter}');
    await vi.waitFor(() => expect(answers.has('York')).toBe(true));
    await act(async () => answers.get('York')!());
    expect(await screen.findByRole('button', { name: 'York city' })).toBeTruthy();
    await act(async () => answers.get('Leeds')!());
    expect(screen.queryByRole('button', { name: 'Leeds city' })).toBeNull();
  });
});
