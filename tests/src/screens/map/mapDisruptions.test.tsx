import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { Bounds } from '../../../../src/api/alerts/geometry.ts';
import { START_VIEW } from '../../../../src/maps/basemap.ts';
import type { EventMap } from '../../../../src/screens/map/marks/EventMap.tsx';
import { EventPage } from '../../../../src/screens/map/events/EventPage.tsx';
import { resetMapFilters, setDisruptions } from '../../../../src/screens/map/mapFilters.ts';
import { useInHand } from '../../../../src/shift/inHand/inHandStore.ts';
import { MapPage } from '../../../../src/screens/map/MapPage.tsx';
import { json, startFakeServer, type Call } from '../../api/fakeServer.ts';
import { alert, minutesBefore, source, START } from '../board/boardServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

const LEEDS = { north: 54, south: 53.6, east: -1.2, west: -1.8 };
/** The same map with a banner above it. */
const LEEDS_LOWER = { ...LEEDS, north: 53.96, south: 53.64 };
const HEATHROW = { north: 51.6, south: 51.4, east: -0.3, west: -0.6 };
const UK = { north: 60, south: 50, east: 2, west: -8 };

// A real map needs a browser that draws: this one has the bounds and the contents that a test sets.
const map = vi.hoisted(() => ({ shows: {} as Bounds, moveTo: (_: Bounds) => {} }));
vi.mock('../../../../src/screens/map/marks/EventMap.tsx', async () => {
  const { useEffect } = await import('react');
  return {
    EventMap({ incidents, onMoved }: Parameters<typeof EventMap>[0]) {
      map.moveTo = (bounds) => onMoved({ view: START_VIEW, zoom: 6, bounds, height: 700 });
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as a map does that nobody moves
      useEffect(() => map.moveTo(map.shows), []);
      return (
        <ul aria-label="Marks">
          {incidents.map((one) => (
            <li key={one.alert.event_id} data-fresh={one.staleSince ? 'stale' : undefined}>
              {one.alert.title}
            </li>
          ))}
        </ul>
      );
    },
  };
});

const M62 = alert('national-highways:m62', {
  source: 'national-highways',
  severity: 'critical',
  title: 'M62 closed',
  latitude: 53.75,
  longitude: -1.5,
});
const FLOOD = alert('ea-flood:aire', {
  source: 'ea-flood',
  title: 'River Aire at Leeds',
  latitude: 53.79,
  longitude: -1.55,
});
const PICCADILLY = alert('tfl:piccadilly', { severity: 'high', title: 'Piccadilly line: severe delays' });
const AVANTI = alert('kb-incidents:avanti', { source: 'kb-incidents', title: 'Avanti West Coast: delays' });

let server: ReturnType<typeof startFakeServer>;
let inForce: ReturnType<typeof alert>[];
let sources: ReturnType<typeof source>[];
/** If set, the worker answers with its copy of that time. */
let keptSince: Date | null;
/** State of the network that it names then. */
let keptBecause: string;
let visible: DocumentVisibilityState;

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  resetMapFilters();
  history.replaceState(null, '', '/map');
  vi.useFakeTimers();
  vi.setSystemTime(START);
  visible = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  localStorage.setItem('clearway_scope', 'scope-of-anna');
  inForce = [M62, FLOOD, PICCADILLY, AVANTI];
  sources = ['national-highways', 'ea-flood', 'tfl', 'kb-incidents'].map((name) => source(name));
  keptSince = null;
  keptBecause = 'down';
  server.answers.set('analytics/events', () => json(200, {}));
  server.answers.set('events/categories', () => json(200, []));
  server.answers.set('events/viewport', () => json(200, { events: [], total: 0 }));
  server.answers.set('events/concert', () =>
    json(200, { event_id: 'concert', name: 'Concert', venue: { latitude: 53.8, longitude: -1.55 } }),
  );
  server.answers.set('disruptions/sources', () => json(200, { sources }));
  server.answers.set('disruptions/', answer);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A record in the form of our server's answers. */
function answer({ query }: Pick<Call, 'query'>): Response {
  const headers: Record<string, string> = {
    date: (keptSince ?? new Date()).toUTCString(),
    ...(keptSince && {
      'x-sw-source': 'cache',
      'x-sw-cached-at': keptSince.toISOString(),
      'x-sw-copy-reason': keptBecause,
    }),
  };
  const unplaced = inForce.filter(({ latitude }) => latitude == null);
  if (query.get('position') === 'none') {
    return json(200, { events: unplaced, total: unplaced.length, next_cursor: null }, headers);
  }
  const bound = (name: string) => Number(query.get(name));
  const events = inForce.filter(
    ({ latitude, longitude }) =>
      latitude != null &&
      latitude <= bound('north') &&
      latitude >= bound('south') &&
      longitude! <= bound('east') &&
      longitude! >= bound('west'),
  );
  const found = { events, total: events.length, next_cursor: null };
  return json(200, { ...found, total_without_position: unplaced.length, sources }, headers);
}

/** Lets this much time pass, and all that happens in it. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A map that comes to rest is asked for a little later. */
const SETTLED = 250;

async function openMap(bounds: Bounds = LEEDS) {
  map.shows = bounds;
  setDisruptions(true);
  const view = render(<MapPage />);
  await pass(SETTLED);
  await pass(SETTLED);
  return view;
}

async function openEvent() {
  const { hook } = memoryLocation({ path: '/events/concert' });
  const view = render(
    <Router hook={hook}>
      <Route path="/events/:id" component={EventPage} />
    </Router>,
  );
  await pass(SETTLED);
  await pass(SETTLED);
  return view;
}

async function move(bounds: Bounds) {
  act(() => map.moveTo(bounds));
  await pass(SETTLED);
}

async function show(state: DocumentVisibilityState) {
  visible = state;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(50);
}

const areasAsked = () => server.callsTo('disruptions/').filter(({ query }) => query.has('north')).length;
const listed = () =>
  screen.queryAllByRole('list', { name: 'Disruptions' }).flatMap((list) =>
    within(list)
      .queryAllByRole('listitem')
      .map((row) => row.querySelector('button, p + p')!.textContent),
  );
const marks = () =>
  within(screen.getByRole('list', { name: 'Marks' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const words = () => document.body.textContent!;
const summary = () => screen.getByText('Disruptions in view').nextElementSibling!.textContent;
const connection = () =>
  screen.getByText(/^(Live|Late|Offline|No answer|Loading\.\.\.)(, .+)?$/, { selector: 'b' }).textContent;
const sign = () =>
  screen
    .getAllByRole('status')
    .map((place) => place.textContent?.trim())
    .filter((text) => /Unable|old|Offline|No answer/.test(text ?? ''))
    .join('|');

describe.each([
  ['on the map', openMap],
  ['near an event', openEvent],
] as const)('the disruptions %s', (_, open) => {
  it('are requested every 60 s by the page’s clock', async () => {
    await open();
    expect(listed()).toEqual(['M62 closed', 'River Aire at Leeds']);
    expect(areasAsked()).toBe(1);
    inForce = [FLOOD, PICCADILLY];

    await pass(59 * SECOND);
    expect(areasAsked()).toBe(1);
    await pass(2 * SECOND);
    expect(areasAsked()).toBe(2);
    expect(listed()).toEqual(['River Aire at Leeds']);
    await pass(2 * MINUTE);
    expect(areasAsked()).toBe(4);
    expect(server.callsTo('disruptions/sources')).toHaveLength(0); // one call is enough
  });

  it('are requested only while visible, and at once if the last time is long ago', async () => {
    await open();
    await show('hidden');
    await pass(10 * MINUTE);
    act(() => void window.dispatchEvent(new Event('online')));
    await pass(SECOND);
    expect(areasAsked()).toBe(1);

    await show('visible');
    expect(areasAsked()).toBe(2);
    await show('hidden');
    await show('visible');
    expect(areasAsked()).toBe(2);
  });

  it('have the board’s words for their age and connection', async () => {
    await open();
    expect(connection()).toBe('Live');
    expect(words()).toContain('Last refresh 11:59:32');
    expect(sign()).toBe('');
    await pass(MINUTE);
    expect(words()).toContain('Last refresh 12:00:32');
    expect(connection()).toBe('Live');
  });

  it('stay through an outage with their age, and come back by themselves', async () => {
    await open();
    const before = listed();
    server.line = 'cut';
    await pass(MINUTE);
    expect(listed()).toEqual(before);
    expect(connection()).toBe('Late');
    expect(sign()).toMatch(
      /^Not updating since 11:59\. Unable to load disruptions for this area\. Offline: showing the list as it was\. Next try in \d+ seconds?\.$/,
    );

    await pass(9 * MINUTE + 2 * SECOND);
    expect(listed()).toEqual(before);
    expect(connection()).toBe('Offline, 10 minutes');
    expect(sign()).toContain(
      'Not updating since 11:59. Unable to load disruptions for this area. Showing the list as it was.',
    );
    expect(
      document.querySelectorAll('li [data-fresh="stale"], li[data-fresh="stale"]').length,
    ).toBeGreaterThan(0);
    expect(screen.queryByText(/minutes ago/)).toBeNull(); // it would be a lie by now

    await pass(51 * MINUTE);
    expect(sign()).toContain(
      'Not updating for 1 hour. Unable to load disruptions for this area. Do not plan from this list.',
    );

    server.line = 'good';
    await pass(61 * SECOND);
    expect(connection()).toBe('Live');
    expect(sign()).toBe('');
    expect(listed()).toEqual(before);
  });

  it('try again soon after a failure, later after several, each page at its own time', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await open();
    server.line = 'cut';
    await pass(MINUTE);
    expect(areasAsked()).toBe(2);
    await pass(17 * SECOND);
    expect(areasAsked()).toBe(2);
    await pass(SECOND); // 20 s less an eighth
    expect(areasAsked()).toBe(3);
    await pass(33 * SECOND);
    expect(areasAsked()).toBe(3);
    await pass(3 * SECOND); // 40 s less an eighth
    expect(areasAsked()).toBe(4);
  });

  it('are there after a reload without a network, with their age', async () => {
    const { unmount } = await open();
    const before = listed();
    unmount();
    server.lines.set('disruptions/', 'cut');
    await pass(4 * MINUTE);
    await open();
    expect(listed()).toEqual(before);
    expect(sign()).toContain(
      'Not updating since 11:59. Unable to load disruptions for this area. Showing the list as it was.',
    );
  });

  it('say when they cannot be loaded and there is no copy', async () => {
    server.lines.set('disruptions/', 'status 503');
    await open();
    expect(screen.getByText('Unable to load disruptions for this area')).toBeTruthy();
    expect(words()).not.toContain('No disruptions');
    expect(words()).toMatch(/Next try in \d+ seconds/);
  });

  it('give the number without a known place if an area is empty', async () => {
    inForce = [PICCADILLY, AVANTI];
    await open();
    expect(words()).toContain('No disruptions reported here, and 2 disruptions without a known place');
    inForce = [PICCADILLY];
    await pass(MINUTE);
    expect(words()).toContain('No disruptions reported here, and 1 disruption without a known place');
    inForce = [];
    await pass(MINUTE);
    expect(words()).toMatch(/No disruptions reported here(?!, )/);
  });

  it('give it beside those with a place, and through an outage', async () => {
    await open();
    expect(words()).toContain('and 2 disruptions without a known place');
    server.line = 'cut';
    await pass(10 * MINUTE);
    expect(words()).toContain('and 2 disruptions without a known place');
  });

  it('never turn an old "nothing" into "No disruptions"', async () => {
    inForce = [PICCADILLY];
    await open();
    expect(words()).toContain('No disruptions reported here');
    server.line = 'cut';
    await pass(4 * MINUTE);
    expect(words()).not.toContain('No disruptions');
    expect(words()).toContain('No recent information since 11:59');
    expect(words()).toContain('and 1 disruption without a known place');
  });

  it('say nothing about the area if the server does not count those without a place', async () => {
    server.answers.set('disruptions/', () => json(200, { events: [], total: 0 }));
    await open();
    expect(words()).toContain('No disruptions with a known place here');
    expect(words()).not.toContain('No disruptions reported here');
    expect(server.callsTo('disruptions/sources')).toHaveLength(1);
  });

  it('show the worker’s copy as old, then the late answer', async () => {
    const worker = Object.assign(new EventTarget(), { controller: {} });
    Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
    keptSince = new Date(minutesBefore(2));
    keptBecause = 'slow';
    let asked: Call | undefined;
    server.answers.set('disruptions/', (call) => {
      asked ??= call;
      return Object.defineProperty(answer(call), 'url', { value: `http://server/${call.query}` });
    });
    await open();
    expect(listed()).toEqual(['M62 closed', 'River Aire at Leeds']);
    expect(sign()).toContain(
      'Not updating since 11:57. Unable to load disruptions for this area. No answer: showing the list as it was.',
    );

    // The banner comes, or goes, while it is on its way.
    if (open === openMap) await move(LEEDS_LOWER);
    keptSince = null;
    inForce = [FLOOD];
    await pass(5 * SECOND);
    const late = answer(asked!);
    const data = {
      type: 'LATE_ANSWER',
      url: `http://server/${asked!.query}`,
      headers: [...late.headers],
      body: await late.text(),
    };
    worker.dispatchEvent(new MessageEvent('message', { data }));
    await pass(50);
    expect(listed()).toEqual(['River Aire at Leeds']);
    expect(connection()).toBe('Live');
    expect(areasAsked()).toBe(1);
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
  });
});

it('shows the team’s own reports that have a place, marked, and of no publisher', async () => {
  const ours = (id: string, over: object = {}) =>
    alert(`own:leeds:${id}`, { source: 'own:leeds', title: `Report ${id}`, ...over });
  await openMap();
  act(() =>
    useInHand.setState({
      ours: [
        ours('fire', { severity: 'critical', latitude: 53.7, longitude: -1.6 }),
        ours('nowhere'),
        ours('far', { latitude: 51.5, longitude: -0.45 }),
      ],
    }),
  );
  expect(marks()).toContain('Report fire');
  expect(document.body.textContent).toMatch(/Report fire.*Ours/);
  expect(document.body.textContent).not.toMatch(/Report (nowhere|far)/);
  act(() => useInHand.setState({ ours: [] }));
});

it('leaves out snoozed alerts, on the map and in the list, and does not call their places calm', async () => {
  const until = new Date(Date.now() + 2 * MINUTE).toISOString();
  server.answers.set('responses/', () =>
    json(200, {
      responses: [
        {
          event_id: 'national-highways:m62',
          rev: 1,
          disposition: null,
          by: null,
          at: null,
          lapsed: null,
          lapsed_at: null,
          snooze: { until, change: false, by: null, at: null, critical: true },
        },
      ],
      total: 1,
      reports: [],
      latest: null,
    }),
  );
  inForce = [M62];
  await openMap();
  await act(() => vi.dynamicImportSettled());
  await pass(SETTLED);
  await act(() => vi.dynamicImportSettled());
  await pass(SETTLED);
  expect(listed()).toEqual([]);
  expect(within(screen.getByRole('list', { name: 'Marks' })).queryAllByRole('listitem')).toEqual([]);
  expect(screen.getByRole('button', { name: '1 snoozed' })).toBeTruthy();
  expect(screen.getByText(/No other disruptions reported here/)).toBeTruthy();
  expect(screen.queryByText(/^No disruptions reported here/)).toBeNull();

  await pass(2 * MINUTE);
  expect(listed()).toEqual(['M62 closed']);
  expect(screen.queryByRole('button', { name: /snoozed/ })).toBeNull();
});

describe('another place on the map', () => {
  it('never shows the previous area’s "No disruptions" while it loads', async () => {
    inForce = [M62, PICCADILLY];
    await openMap(HEATHROW);
    expect(words()).toContain('No disruptions reported here');
    expect(summary()).toBe('0 active, worst first');

    server.lines.set('disruptions/', 'hanging');
    act(() => map.moveTo(LEEDS));
    expect(words()).not.toContain('No disruptions');
    expect(summary()).toBe('worst first');
    await pass(5 * SECOND);
    expect(words()).not.toContain('No disruptions');
    expect(words()).toContain('Loading disruptions…');

    await pass(15 * SECOND); // the page gives up
    expect(words()).not.toContain('No disruptions');
    server.lines.delete('disruptions/');
    await pass(20 * SECOND);
    expect(marks()).toEqual(['M62 closed']);
    expect(summary()).toBe('1 active, worst first');
  });

  it('shows known disruptions in it at once, and says that the rest is unknown', async () => {
    await openMap(LEEDS);
    server.line = 'cut';
    await move({ ...LEEDS, west: -2.4, east: -1.52 });
    expect(listed()).toEqual(['River Aire at Leeds']);
    expect(words()).toContain('Part of this area could not be loaded.');
    await move({ ...LEEDS, west: -2.4, east: -1.7 });
    expect(words()).not.toContain('No disruptions');
    expect(words()).toContain('Part of this area could not be loaded.');
  });

  it('keeps the known incidents if it is within the previous one, as under a banner', async () => {
    await openMap(LEEDS);
    server.line = 'cut';
    await pass(MINUTE);
    await move(LEEDS_LOWER);
    expect(listed()).toEqual(['M62 closed', 'River Aire at Leeds']);
    expect(summary()).toBe('2 active, worst first');
    await pass(5 * MINUTE);
    expect(sign()).toContain('Not updating since 11:59.');
    expect(words()).not.toContain('Part of this area');
    server.line = 'good';
    await pass(MINUTE);
    await move(LEEDS);
    expect(connection()).toBe('Live');
    expect(listed()).toEqual(['M62 closed', 'River Aire at Leeds']);
  });

  it('is requested again if the answer for the wider one was truncated', async () => {
    const most = Array.from({ length: 200 }, (_, n) =>
      alert(`news:${n}`, { source: 'news', latitude: 53.7, longitude: -1.5 }),
    );
    server.answers.set('disruptions/', (call) => {
      const whole = call.query.get('north') === '54';
      return whole
        ? json(200, { events: most, total: 350, total_without_position: 0, sources })
        : answer(call);
    });
    await openMap(LEEDS);
    expect(words()).toContain('200 disruptions of 350 shown');
    await move(LEEDS_LOWER);
    expect(areasAsked()).toBe(2);
    expect(listed()).toEqual(['M62 closed', 'River Aire at Leeds']);
  });

  it('is requested by itself when it is much smaller', async () => {
    await openMap(UK);
    await move(LEEDS);
    expect(areasAsked()).toBe(2);
    expect(server.callsTo('disruptions/').at(-1)!.query.get('north')).toBe('54');
  });
});

describe('the list of those without a known place', () => {
  const opener = () => screen.getByRole('button', { name: /without a known place$/ });
  const dialog = () => within(screen.getByRole('dialog'));

  it('opens with feed, severity, title and age of each, refreshes, and closes by its button', async () => {
    await openMap();
    fireEvent.click(opener());
    await pass(50);
    expect(dialog().getByRole('heading', { level: 2 }).textContent).toBe(
      '2 disruptions without a known place',
    );
    const rows = () =>
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    expect(rows()[0]).toMatch(
      /High.*Piccadilly line: severe delays.*Rail Network · Transport for London · 6 minutes ago/,
    );
    expect(rows()[1]).toMatch(/Medium.*Avanti West Coast: delays.*Rail Network/);
    expect(dialog().getByText('Live')).toBeTruthy();

    inForce = [M62, AVANTI];
    await pass(61 * SECOND);
    expect(rows()).toHaveLength(1);
    expect(dialog().getByRole('heading', { level: 2 }).textContent).toBe(
      '1 disruption without a known place',
    );

    fireEvent.click(dialog().getByRole('button', { name: 'Close' }));
    await pass(50);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(opener().textContent).toBe('and 1 disruption without a known place');
  });

  it('opens without a network, with its age, even if it was never opened before', async () => {
    await openMap();
    await pass(SECOND);
    server.line = 'cut';
    await pass(5 * MINUTE);
    fireEvent.click(opener());
    await pass(50);
    expect(dialog().getAllByRole('listitem')).toHaveLength(2);
    expect(dialog().getByRole('status').textContent).toMatch(
      /^Not updating since 11:59\. Unable to load this list\. Showing the list as it was\./,
    );
  });

  it('has no others, and counts none, from a server that answers with all', async () => {
    await openMap();
    server.answers.set('disruptions/', () => json(200, { events: inForce, total: inForce.length }));
    fireEvent.click(opener());
    await pass(61 * SECOND);
    expect(dialog().getAllByRole('listitem')).toHaveLength(2);
    expect(dialog().getByRole('heading', { level: 2 }).textContent).toBe(
      '2 disruptions without a known place',
    );
  });

  it('is not requested with every refresh: only while it is open, or when the number changes', async () => {
    const listsAsked = () =>
      server.callsTo('disruptions/').filter(({ query }) => query.get('position') === 'none').length;
    await openMap();
    await pass(5 * MINUTE);
    expect(listsAsked()).toBe(1);
    inForce = [...inForce, alert('tfl:central', { title: 'Central line' })];
    await pass(2 * MINUTE);
    expect(listsAsked()).toBe(2);
  });

  it('stays in reach if the layer is folded away', async () => {
    await openMap();
    const details = screen.getByText(/^Disruptions in view/).closest('details')!;
    act(() => {
      details.open = false;
      details.dispatchEvent(new Event('toggle'));
    });
    expect(details.contains(opener())).toBe(false);
  });
});
