import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noResponse } from '#contract/responses.ts';
import { saveTokens } from '../../../src/api/tokens.ts';
import { RoutesPage } from '../../../src/routes/RoutesPage.tsx';
import { useSession } from '../../../src/session/session.ts';
import { ANNA, json, startFakeServer } from '../api/fakeServer.ts';

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
const watch = (id: string, name: string, fields = {}) => ({
  id,
  kind: 'route',
  name,
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
const YORK = watch('w2', 'York to Bristol');
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
let list: { watches: object[]; sources: object[] };

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/routes');
  server = startFakeServer();
  saveTokens(server.signedIn());
  useSession.setState({ status: 'signedIn', user: { ...ANNA, is_active: true } as never, offline: false });
  user = userEvent.setup();
  sent = [];
  list = { watches: [YORK, LEEDS], sources: [source('national-highways')] };
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  server.answers.set('watches/', ({ method, body }) => {
    if (method === 'GET')
      return json(200, { ...list, total: 2, incidents: [LORRY], events: [], behind_since: null });
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
  vi.unstubAllGlobals();
});

const rows = async () =>
  within(await screen.findByRole('list', { name: /worst first/ })).getAllByRole('listitem');

describe('the list', () => {
  it('has the worst first, with the words of each state', async () => {
    render(<RoutesPage />);

    const [first, second] = await rows();
    expect(first!.textContent).toContain('Leeds to HullCritical: M62 eastbound closed');
    expect(first!.textContent).toContain('1 certain');
    expect(second!.textContent).toContain('Clear as far as we know');
  });

  it('says what to do while there are none', async () => {
    list.watches = [];
    render(<RoutesPage />);

    expect(await screen.findByText('No routes yet')).toBeDefined();
    expect(
      screen.getByText('Add the roads your coaches use, and Clearway tells you what touches them.'),
    ).toBeDefined();
  });

  it('is not clear when its source is silent', async () => {
    list.sources = [
      source('national-highways', { freshness: 'stale', last_collected: '2026-11-22T05:41:00.000Z' }),
    ];
    render(<RoutesPage />);
    await rows();

    expect(screen.queryByText(/Clear as far/)).toBeNull();
    expect(
      screen.getAllByText(/Do not rely on this: no information from National Highways/),
    ).not.toHaveLength(0);
  });

  it('shows those that are affected, and those of a name', async () => {
    render(<RoutesPage />);
    await rows();

    await user.click(screen.getByRole('radio', { name: 'Affected now' }));
    expect(await rows()).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    await user.type(screen.getByRole('searchbox'), 'york');
    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringContaining('York to Bristol'),
    ]);
  });

  it('says that it cannot be loaded', async () => {
    server.line = 'status 503';
    render(<RoutesPage />);

    expect(await screen.findByText('Unable to load routes')).toBeDefined();
  });

  it('says what changed on the routes; a count leaves the routes that it is about, and lists what it counts', async () => {
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
    // Nothing that is cleared passes for it: what is lost is a count of its own.
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
    expect(screen.getByText(/Offline: showing routes from \d\d:\d\d/)).toBeDefined();
    vi.restoreAllMocks();
  });
});

describe('what is snoozed', () => {
  const snoozed = (critical = true) =>
    server.answers.set('responses/', () => {
      const until = new Date(Date.now() + 60 * 60_000).toISOString();
      const snooze = { until, change: false, by: null, at: null, critical };
      const by = { id: 'r', name: 'Rosa Jones' };
      const answer = { disposition: 'diverted' as const, by, at: new Date().toISOString() };
      const state = { ...noResponse(LORRY.event_id), ...answer, snooze };
      return json(200, { responses: [state], reports: [] }, { date: new Date().toUTCString() });
    });

  it('is not in the list nor on the strip, which do not call the route clear by that', async () => {
    snoozed();
    render(<RoutesPage />);
    expect(await screen.findByRole('button', { name: '1 snoozed' })).toBeDefined();
    const strip = await screen.findByRole('list', { name: /^The route from start to end/ });
    await within(strip).findByText('Chain Bar');
    expect(screen.queryByText(/M62 eastbound closed/)).toBeNull();
    const [first] = within(screen.getByRole('list', { name: /worst first/ })).getAllByRole('listitem');
    expect(first!.textContent).toContain('Leeds to Hull1 snoozed');
    expect(first!.textContent).not.toContain('certain');
    // Between Chain Bar and Hull, where it is.
    expect(strip.textContent).not.toContain('nothing known');
  });

  it('is back once it is critical, though the answer that says so has not come', async () => {
    snoozed(false);
    render(<RoutesPage />);
    expect((await screen.findAllByText(/M62 eastbound closed/)).length).toBeGreaterThan(0);
    // Once the page knows what is in hand.
    await screen.findByText(/Rosa Jones · Diverted/);
    expect(screen.getAllByText(/M62 eastbound closed/).length).toBeGreaterThan(0);
    expect(screen.queryByText(/snoozed/)).toBeNull();
  });

  it('is on the strip where a message led to it', async () => {
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

    expect(await screen.findByText('Noted: not on our route.')).toBeDefined();
    expect(sent).toEqual([
      {
        method: 'feedback',
        body: { subject_id: LORRY.event_id, verdict: 'not_ours', text: null },
        ifMatch: null,
      },
    ]);
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
        body: { name: 'Leeds to the docks', reach_m: null, departures: [] },
        ifMatch: '3',
      },
    ]);
    await user.click(screen.getByRole('button', { name: 'Load it again' }));
    expect(await screen.findByDisplayValue('Leeds to Hull')).toBeDefined();
  });
});

describe('what is sent about a route', () => {
  const DEPARTURE = {
    id: 'd1',
    name: null,
    at_local: '06:40',
    days: 0b1111111,
    from_date: null,
    to_date: null,
    except: [],
    duration_min: null,
  };
  const around = 'Only around departures (2 h before until arrival)';
  const edit = async (fields: object) => {
    const known = watch('w1', 'Leeds to Hull', fields);
    list.watches = [known];
    server.answers.set('watches/w1', ({ method, body, headers }) => {
      if (method === 'GET')
        return json(200, { watch: { ...known, legs: [], ...WAY }, matches: [], sources: [] });
      sent.push({ method, body, ifMatch: headers.get('if-match') });
      return json(200, known);
    });
    render(<RoutesPage />);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    return screen.findByRole<HTMLSelectElement>('combobox', { name: 'Tell me' });
  };
  const chosen = (name: string) =>
    screen.getByRole<HTMLSelectElement>('combobox', { name }).selectedOptions[0]!.textContent;

  it('is chosen and saved for the version that was read', async () => {
    const tellMe = await edit({ kind: 'area', departures: [DEPARTURE] });
    expect([...tellMe.options].map(({ textContent }) => textContent)).toEqual([
      'Critical',
      'High and worse',
      'Medium and worse',
      'Nothing',
    ]);
    expect([chosen('Tell me'), chosen('Possible ones')]).toEqual(['Critical', 'in the digest']);
    expect(screen.getByLabelText<HTMLInputElement>(around).checked).toBe(true);

    await user.selectOptions(tellMe, 'High and worse');
    await user.selectOptions(screen.getByLabelText('Possible ones'), 'not at all');
    await user.click(screen.getByLabelText(around));
    await user.click(screen.getByRole('button', { name: 'Save area' }));

    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      ifMatch: '3',
      body: { notify: { threshold: 'high', possible: 'no', around_departures: false } },
    });
  });

  it('is read part by part, and without departures is not limited to them', async () => {
    await edit({ kind: 'area', notify: { threshold: 'low', possible: 'no', around_departures: 'odd' } });
    expect([chosen('Tell me'), chosen('Possible ones')]).toEqual(['Critical', 'not at all']);
    expect(screen.queryByLabelText(around)).toBeNull();
  });

  it('cannot be changed without a network', async () => {
    const tellMe = await edit({ kind: 'area' });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));

    expect(tellMe.closest('fieldset')!.disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save area' }).disabled).toBe(true);
    expect(
      within(screen.getByRole('dialog')).getByText(
        'You are offline. Routes can be changed when the connection is back.',
      ),
    ).toBeDefined();
    vi.restoreAllMocks();
  });
});

describe('what a driver tells us', () => {
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

  it('has one id however often it is sent: an answer can be lost, and a refusal come late', async () => {
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
    await dialog.findByRole('alert');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
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

  it('is at one place only: what was typed for another is not sent', async () => {
    reported();
    render(<RoutesPage />);
    await rows();
    await user.click(screen.getByRole('button', { name: 'A driver tells us' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('What it is'), 'Car on fire');
    await user.type(dialog.getByLabelText('Road'), 'M62');
    await user.selectOptions(dialog.getByLabelText('Where it is'), 'At a place');
    await user.type(dialog.getByLabelText('Place'), 'Wakefield');
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

it('is shared by a filter whose secret address says nothing of it', async () => {
  const asked: object[] = [];
  server.answers.set('filters/', ({ body }) => {
    asked.push(body);
    return json(201, { id: 'f1', name: body['name'], query: body['query'], version: 1 });
  });
  server.answers.set('filters/f1/address', () => json(201, { path: '/f/secret', created_at: '' }));
  history.replaceState(null, '', '/routes/w1');
  render(<RoutesPage />);
  await user.click(await screen.findByRole('button', { name: 'Share by filter' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Only what certainly touches it' }));
  await user.click(screen.getByRole('button', { name: 'Make a secret address' }));
  expect(await screen.findByText(`${location.origin}/f/secret.ics`)).toBeDefined();
  expect(asked).toEqual([{ name: 'Shared alerts', query: { watch: 'w1', level: 'certain' } }]);
});

it('says the chosen date in words beside its field', async () => {
  render(<RoutesPage />);
  await user.click(await screen.findByRole('radio', { name: 'Date' }));
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
    expect(document.activeElement).toBe(await screen.findByLabelText('Places and junctions, in order'));
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
    expect(sent[0]!.body).toMatchObject({ kind: 'route', name: 'Leeds to Hull', made_by: 'junctions' });
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
    // The browser may write 4/3: nobody takes the 3rd of April for the 4th of March.
    expect(describedBy(firstDay)).toBe('Fri 3 Apr 2026');
    fireEvent.change(firstDay, { target: { value: '' } });
    await user.click(screen.getByRole('button', { name: 'Keep' }));
    expect(screen.getByText(/Leaves at 06:40 · Mon–Sat/).parentElement!.textContent).toContain(
      'takes 1 h 15 (we guessed from 100 km at 80 km/h)',
    );
    await user.selectOptions(screen.getByLabelText('Tell me'), 'Medium and worse');
    await user.click(screen.getByRole('button', { name: 'Add the way back' }));
    await user.click(screen.getByRole('button', { name: 'Save route' }));

    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]!.body['departures']).toMatchObject([
      { at_local: '06:40', days: 0b0111111, duration_min: null },
    ]);
    expect(sent[0]!.body['notify']).toEqual({
      threshold: 'medium',
      possible: 'digest',
      around_departures: null,
    });
    expect(sent[1]!.body).toMatchObject({
      name: 'Hull to Leeds',
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
    await user.type(await screen.findByLabelText('Place, station, venue or postcode'), 'Cardiff{Enter}');
    const found = await screen.findByRole('list', { name: 'Places' });
    expect(
      within(found)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Cardiff city', 'Principality Stadium, Cardiff venue']);
    await user.click(within(found).getByRole('button', { name: /Principality/ }));
    expect(screen.getByDisplayValue('Within 10 km of Principality Stadium')).toBeDefined();
    fireEvent.change(screen.getByLabelText('Within'), { target: { value: '3' } });
    expect(screen.getByDisplayValue('Within 3 km of Principality Stadium')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save area' }));

    await vi.waitFor(() => expect(location.pathname).toBe('/routes/w9'));
    expect(sent[0]!.body).toMatchObject({
      kind: 'area',
      name: 'Within 3 km of Principality Stadium',
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
    await user.keyboard('{Escape}');
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

  it('makes a route once though its way back was refused at first', async () => {
    let isDown = true;
    const before = server.answers.get('watches/')!;
    server.answers.set('watches/', (call) => {
      if (call.method === 'POST' && call.body['name'] === 'Hull to Leeds' && isDown) {
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
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Save route' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ body }) => body['name'])).toEqual(['Leeds to Hull', 'Hull to Leeds']);
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
    // The list of what is in hand has the report.
    await vi.waitFor(() => expect(server.callsTo('responses/').length).toBe(inHand + 1));
    act(() => history.pushState(null, '', '/routes/w9'));
    expect(screen.queryByText(/This route is not here/)).toBeNull();
    await give(lists);
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('This route is not here, or is not your team’s.')).toBeTruthy();
  });

  it('shows no places that were asked for before others', async () => {
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
