import type { Page } from '@playwright/test';
import type { SourceEvents } from '../../contract/incidents/disruptions.ts';
import type { FeedBundle } from '../../contract/feeds/feeds.ts';
import {
  boardShown,
  expect,
  lastRefresh,
  openBoard,
  openedWhole,
  pauseClock,
  rowOf,
  signIn,
  rowsOf,
  type Service,
  test,
  withSession,
  partsShown,
} from '../support/browser.ts';

// Animations run.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const TITLES = ['Rail Network', 'UK Roads', 'Aviation', 'Weather & Flood', 'Public Safety'];
const NAMES: Record<string, string> = {
  'kb-incidents': 'Knowledgebase incidents',
  tfl: 'Transport for London',
  'nsi-service': 'National Rail service indicators',
};

const ROUTES = 'GET /api/v1/watches/?summary=true';

/** The calls of one refresh: the board, the incidents that the team has in hand, and its routes. */
const ONE_REFRESH = [
  'GET /api/v1/changes/summary?since=shift&screen=board',
  'GET /api/v1/feeds/?include_events=true',
  'GET /api/v1/responses/',
  ROUTES,
];

/** The API addresses that the page requests from now on, or whose answers arrive, without their origin. */
function callsOf(page: Page, moment: 'request' | 'requestfinished' = 'request'): string[] {
  const calls: string[] = [];
  page.on(moment as 'request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/v1/changes/looks/board') return; // this call only reports a look
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`);
  });
  return calls;
}

/** Answers the board's call with the server's answer, changed by `change`. */
async function withFeeds(page: Page, change: (feeds: FeedBundle[]) => FeedBundle[]) {
  await page.route('**/api/v1/feeds/*', async (route) => {
    const answer = await route.fetch();
    const { feeds } = (await answer.json()) as { feeds: FeedBundle[] };
    await route.fulfill({ response: answer, json: { feeds: change(feeds), total: feeds.length } });
  });
}

const secondsOf = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

const activeOf = ({ events }: FeedBundle) => events.filter(({ metadata }) => metadata.phase === 'active');

/** The built-in summary has its three parts, if they are known. */
function summaryShown({ summary }: FeedBundle): string {
  const parts = summary!.metadata.parts;
  if (!parts) return summary!.text;
  return partsShown(parts);
}

/** The status line that the specification gives for the server's own answer. */
function statusLine(source: string, answer: SourceEvents): string {
  if (answer.state === 'not_configured') return 'Not connected';
  if (source === 'nsi-service') {
    const disrupted = answer.operators_disrupted!;
    if (disrupted === 0) return 'All operators good service';
    if (disrupted > 3) return `${disrupted} operators disrupted`;
    return disrupted === 1 ? '1 operator reporting issues' : `${disrupted} operators reporting issues`;
  }
  if (answer.event_count === 0) return 'No active alerts';
  const alerts = `${answer.event_count} ${answer.event_count === 1 ? 'alert' : 'alerts'}`;
  return answer.event_count > 4 ? `Attention required, ${alerts}` : `Monitoring, ${alerts}`;
}

const answerOf = (service: Service, source: string) =>
  service.read<SourceEvents>(`disruptions/sources/${source}?limit=12`);

const demoChoice = (page: Page) =>
  page.getByRole('radiogroup', { name: 'Data' }).getByText('Demo data', { exact: true });
const liveChoice = (page: Page) =>
  page.getByRole('radiogroup', { name: 'Data' }).getByText('Live data', { exact: true });

test('shows one row for each feed, with what the server says of it', async ({ page, service }) => {
  await openBoard(page);
  const feeds = await service.feeds();
  const rows = await rowsOf(page);

  expect(rows.map(({ title }) => title)).toEqual(TITLES);
  expect(feeds.map(({ feed }) => feed.title)).toEqual(TITLES);
  for (const [place, bundle] of feeds.entries()) {
    const { feed, summary, events } = bundle;
    const row = rowOf(page, feed.title);
    const connected = feed.last_updated !== null;
    expect(rows[place]!.count, feed.title).toBe(connected ? String(feed.alert_count) : 'Unknown number of');
    expect(rows[place]!.alerts, feed.title).toHaveLength(events.length);
    expect(rows[place]!.summary, feed.title).toBe(summaryShown(bundle));
    await expect(row.locator('header p').filter({ hasText: feed.category }), feed.title).toBeVisible();
    await expect(
      row.getByRole('region', { name: `Summary, ${feed.title}`, exact: true }),
      feed.title,
    ).toContainText(summary!.model);
    await expect(row.getByText(`${summary!.event_count} events analysed`), feed.title).toBeVisible();
    await expect(row.getByText('0 completion tokens'), feed.title).toBeVisible();
    await expect(row.getByRole('button', { name: 'View sources' }), feed.title).toBeVisible();
    if (connected) await expect(row.getByText(/^Updated (just now|\d+ minutes? ago)$/)).toBeVisible();
    else await expect(row.getByRole('region', { name: 'Live feed' })).toContainText('Not connected');
  }
  const played = Object.keys(service.replay.scenes());
  expect(feeds.map(({ feed }) => feed.last_updated !== null)).toEqual(
    feeds.map(({ feed }) => feed.sources.some(({ source }) => played.includes(source))),
  );
  expect(feeds.some(({ feed }) => feed.alert_count > 0)).toBe(true);
});

test('lists alerts worst first, each with its severity in words', async ({ page }) => {
  await openBoard(page);
  for (const { title, alerts } of (await rowsOf(page)).filter((row) => row.alerts.length > 0)) {
    const active = alerts.filter((alert) => !/Planned from|\. See /.test(alert)); // an alert that another feed counts is never named as the worst
    const ranks = active.map((alert) =>
      ['Critical:', 'High:', 'Medium:', 'Low:', 'Unrated:'].findIndex((word) => alert.startsWith(word)),
    );
    expect(ranks, title).not.toContain(-1);
    expect(ranks, title).toEqual(ranks.toSorted((a, b) => a - b));
  }
});

test('the live feed’s loop takes seven seconds an alert, thirty at least', async ({ page, service }) => {
  await withFeeds(page, (feeds) => {
    const rail = feeds[0]!;
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...rail.events[0]!,
      event_id: `tfl:copy-${index}`,
    }));
    return [
      { ...rail, feed: { ...rail.feed, alert_count: 20 }, events: many },
      { ...feeds[1]!, feed: { ...feeds[1]!.feed, alert_count: 1 }, events: activeOf(feeds[1]!).slice(0, 1) },
      ...feeds.slice(2),
    ];
  });
  await openBoard(page);

  const loops: [string, number][] = [
    ['Rail Network', 20],
    ['UK Roads', 1],
    ['Weather & Flood', (await service.feeds())[3]!.events.length],
  ];
  for (const [title, count] of loops) {
    const live = rowOf(page, title).getByRole('region', { name: 'Live feed' });
    await expect(live, title).toHaveAttribute(
      'style',
      new RegExp(`--loop:\\s*${Math.max(7 * count, 30)}s(;|$)`),
    );
  }
});

test('the live feed steps through its alerts, and stands still when paused', async ({ page }) => {
  await page.clock.install();
  await openBoard(page);
  const live = rowOf(page, 'Rail Network').getByRole('region', { name: 'Live feed' });
  const place = live.getByText(/^Alert \d+ of \d+$/);
  await expect(place).toHaveText(/^Alert 1 of/);

  await page.clock.runFor(15_000);
  await expect(place).not.toHaveText(/^Alert 1 of/);

  await live.getByRole('button', { name: 'Pause' }).click();
  await page.mouse.move(0, 0);
  const paused = (await place.textContent())!;
  await page.clock.runFor(60_000);
  await expect(place).toHaveText(paused);
});

test('times are London times, whatever the device’s time zone', async ({ page }) => {
  await openBoard(page);
  const shown = await lastRefresh(page);
  const london = new Date().toLocaleTimeString('en-GB', { timeZone: 'Europe/London' });
  const apart = (secondsOf(london) - secondsOf(shown) + 86_400) % 86_400;
  expect(apart).toBeLessThan(60);
});

test('refreshes every 60 seconds by itself, shows what has changed and marks it', async ({
  page,
  service,
}) => {
  await page.clock.install();
  await openedWhole(page);
  const calls = callsOf(page);
  const before = await rowsOf(page);
  const first = await lastRefresh(page);
  await pauseClock(page); // the clock stands still however long the server takes

  await service.step();
  const feeds = await service.feeds();
  expect(await rowsOf(page)).toEqual(before);
  expect(calls).toEqual([]);

  await page.clock.fastForward(60_000);

  await expect.poll(async () => (await rowsOf(page))[0]!.summary).toBe(summaryShown(feeds[0]!));
  const after = await rowsOf(page);
  expect(after).not.toEqual(before);
  expect(after.map(({ alerts }) => alerts.length)).toEqual(feeds.map(({ events }) => events.length));
  expect(await lastRefresh(page)).not.toBe(first);
  await expect.poll(() => calls.toSorted()).toEqual(ONE_REFRESH);
  const changed = after.filter((row, place) => JSON.stringify(row) !== JSON.stringify(before[place]));
  for (const { title } of changed) {
    await expect(rowOf(page, title), title).toHaveAttribute('data-new', 'true');
  }
  for (const { title } of after.filter((row) => !changed.includes(row))) {
    await expect(rowOf(page, title), title).not.toHaveAttribute('data-new');
  }

  // The mark goes at the next refresh that brings nothing new.
  await page.clock.fastForward(60_000);
  await expect(page.locator('[data-new]')).toHaveCount(0);
});

test('polls exactly once a minute, the dashboard its routes, and other pages nothing', async ({ page }) => {
  await page.clock.install();
  await openedWhole(page);
  await pauseClock(page);
  const calls = callsOf(page);
  const answers = callsOf(page, 'requestfinished');
  // The clock goes second by second until the first call: in a leap the page would run out of patience before the
  // answer.
  while (calls.length < ONE_REFRESH.length) await page.clock.runFor(1000);
  await expect.poll(() => answers.length).toBe(ONE_REFRESH.length);
  for (let minute = 2; minute <= 3; minute++) {
    await page.clock.runFor(60_000);
    await expect.poll(() => answers.length).toBe(minute * ONE_REFRESH.length);
  }
  expect(calls.toSorted()).toEqual(ONE_REFRESH.flatMap((call) => [call, call, call]));
  await page.clock.resume();

  const unseen = page.waitForRequest(/\/api\/v1\/messages\//); // the bar's own, once
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await unseen;
  const onBoard = 3 * ONE_REFRESH.length;
  const ofRoutes = () => calls.slice(onBoard).filter((call) => call === ROUTES).length;
  for (let minute = 1; minute <= 3; minute++) {
    const before = ofRoutes();
    const answered = page.waitForResponse((reply) => reply.url().includes('/api/v1/watches/?'));
    // The clock goes second by second: in a leap the page would run out of patience before the answer.
    while (ofRoutes() === before) await page.clock.runFor(1000);
    await answered;
  }
  expect(calls.slice(onBoard).filter((call) => ONE_REFRESH.includes(call) && call !== ROUTES)).toEqual([]);

  await page.getByRole('link', { name: 'API Keys', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API Keys' })).toBeVisible();
  await expect(page.getByText('Loading', { exact: false })).toHaveCount(0);
  const sofar = calls.length;
  await page.clock.runFor(180_000);
  expect(calls).toHaveLength(sofar);
});

test('Refresh asks at once', async ({ page }) => {
  await page.clock.install();
  await openedWhole(page);
  const first = await lastRefresh(page);
  const calls = callsOf(page);
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return lastRefresh(page);
    })
    .not.toBe(first);
  await expect.poll(() => [...new Set(calls)].toSorted()).toEqual(ONE_REFRESH);
});

test('says that a summary is being refreshed', async ({ page }) => {
  await withFeeds(page, (feeds) =>
    feeds.map((bundle, place) =>
      place === 1 ? { ...bundle, summary: { ...bundle.summary!, stale: true } } : bundle,
    ),
  );
  await openBoard(page);
  await expect(rowOf(page, 'UK Roads').getByText('Refreshing')).toBeVisible();
  await expect(page.getByText('Refreshing', { exact: true })).toHaveCount(1);
});

test.describe('an opened feed', () => {
  test('shows each source with its status line', async ({ page, service }) => {
    await openBoard(page);
    const row = rowOf(page, 'Rail Network');
    await row.getByRole('button', { name: 'View sources' }).click();

    const sheet = row.getByRole('region', { name: 'Sources for Rail Network' });
    for (const [source, name] of Object.entries(NAMES)) {
      const entry = sheet.locator('> div').filter({ has: page.getByRole('heading', { name }) });
      await expect(entry, source).toContainText(statusLine(source, await answerOf(service, source)));
    }
    const operators = (await answerOf(service, 'nsi-service')).events.map(
      ({ metadata }) => metadata.nsi!.toc_name,
    );
    for (const operator of operators) await expect(sheet.getByText(operator, { exact: true })).toBeVisible();
  });

  test('is the only one: it closes any other, and Escape closes it', async ({ page }) => {
    await openBoard(page);
    const rail = rowOf(page, 'Rail Network');
    const roads = rowOf(page, 'UK Roads');
    await rail.getByRole('button', { name: 'View sources' }).click();
    await expect(rail.getByRole('region', { name: /Sources/ })).toContainText('Transport for London');
    await expect(rail.getByRole('button', { name: 'Hide sources' })).toHaveAttribute('aria-expanded', 'true');

    await roads.getByRole('button', { name: 'View sources' }).click();
    await expect(roads.getByRole('region', { name: /Sources/ })).toContainText('National Highways');
    await expect(rail.getByRole('region', { name: /Sources/ })).toHaveCount(0);

    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /Sources/ })).toHaveCount(0);
    await expect(roads.getByRole('button', { name: 'View sources' })).toBeFocused();
  });

  test('is loaded once, and again on a forced refresh', async ({ page }) => {
    await openBoard(page);
    const calls = callsOf(page);
    const asked = () => calls.filter((call) => /sources\/tfl/.test(call)).length;
    const row = rowOf(page, 'Rail Network');
    const sheet = row.getByRole('region', { name: /Sources/ });
    await row.getByRole('button', { name: 'View sources' }).click();
    await expect(sheet).toContainText('Transport for London');
    await row.getByRole('button', { name: 'Hide sources' }).click();
    await expect(sheet).toHaveCount(0);
    await row.getByRole('button', { name: 'View sources' }).click();
    await expect(sheet).toContainText('Transport for London');
    expect(asked()).toBe(1);

    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(asked).toBe(2);
    expect(calls).toContain('GET /api/v1/disruptions/sources/tfl?limit=12');
  });

  test('says which part could not be loaded', async ({ page, service }) => {
    await page.route('**/disruptions/sources/tfl?*', (route) => route.fulfill({ status: 503 }));
    await page.route('**/disruptions/sources', (route) => route.fulfill({ status: 503 }));
    await openBoard(page);
    const row = rowOf(page, 'Rail Network');
    await row.getByRole('button', { name: 'View sources' }).click();
    const sheet = row.getByRole('region', { name: /Sources/ });
    await expect(sheet.getByText('Unable to load source directory')).toBeVisible();
    await expect(sheet.getByText('Unable to load latest events')).toHaveCount(1);
    const { events } = await answerOf(service, 'nsi-service');
    await expect(sheet.getByText(events[0]!.metadata.nsi!.toc_name, { exact: true })).toBeVisible();
  });

  test('says that nothing could be loaded', async ({ page }) => {
    await page.route('**/disruptions/sources**', (route) => route.fulfill({ status: 503 }));
    await openBoard(page);
    await rowOf(page, 'Rail Network').getByRole('button', { name: 'View sources' }).click();
    await expect(page.getByText('Unable to load source details')).toBeVisible();
  });
});

test('a source that has stopped answering has no recent information, and is never calm', async ({ page }) => {
  const since = new Date(Date.now() - 3 * 60 * 60_000).toISOString();
  await withFeeds(page, (feeds) =>
    feeds.map((bundle, place) =>
      place === 3
        ? {
            ...bundle,
            events: [],
            feed: {
              ...bundle.feed,
              alert_count: 0,
              freshness: 'stale',
              last_updated: since,
              oldest_collected: since,
              sources: bundle.feed.sources.map((source) =>
                source.state === 'ok'
                  ? { ...source, event_count: 0, state: 'failing', freshness: 'stale', last_collected: since }
                  : source,
              ),
            },
          }
        : bundle,
    ),
  );
  await openBoard(page);
  const row = rowOf(page, 'Weather & Flood');
  await expect(row.getByText(/No recent information since \d\d:\d\d/)).toBeVisible();
  await expect(row.getByText('No active alerts')).toHaveCount(0);
});

test('without feeds the board says so, and keeps trying', async ({ page }) => {
  await page.clock.install();
  await withSession(page);
  await page.route('**/api/v1/feeds/*', (route) => route.fulfill({ json: { feeds: [], total: 0 } }));
  await page.goto('/disruptions');
  await expect(page.getByText('No feeds available')).toBeVisible();
  await expect(page.getByText('Unable to load disruption data. Please try refreshing.')).toBeVisible();

  await page.unroute('**/api/v1/feeds/*');
  await page.clock.fastForward(60_000);
  await boardShown(page);
  await expect(page.getByText('No feeds available')).toHaveCount(0);
});

test('a first visit that cannot load the feeds says so, and recovers by itself', async ({
  page,
  service,
}) => {
  await page.clock.install();
  await signIn(page); // this browser remembers its last user
  service.proxy.set('cutJson', 'api');
  await page.goto('/disruptions');
  await expect(page.getByText('Unable to load AI feed summaries')).toBeVisible();
  await expect(page.getByText('No feeds available')).toBeVisible();
  await expect(page.getByText('No active alerts')).toHaveCount(0);

  service.proxy.set('pass');
  await page.clock.fastForward(60_000);
  await boardShown(page);
  await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0);
});

test.describe('Demo', () => {
  test('shows samples under a permanent sign, asks the server for nothing, and stays after a reload', async ({
    page,
  }) => {
    await page.clock.install();
    await openBoard(page);
    const real = await rowsOf(page);
    await demoChoice(page).click();
    await expect(page.getByText('Demo data. Not live.')).toBeVisible();
    expect(await rowsOf(page)).not.toEqual(real);
    expect((await rowsOf(page)).map(({ title }) => title)).toEqual(TITLES);

    await page.reload();
    await expect(page.getByText('Demo data. Not live.')).toBeVisible();
    const calls = callsOf(page);
    await page.clock.runFor(180_000);
    expect(calls.filter((call) => call.includes('feeds'))).toEqual([]);
    await expect(page.getByText('Demo data. Not live.')).toBeVisible();

    await liveChoice(page).click();
    await expect(page.getByText('Demo data. Not live.')).toHaveCount(0);
    await expect.poll(() => rowsOf(page)).toEqual(real);
  });

  test('has no sources to show', async ({ page }) => {
    await openBoard(page);
    await demoChoice(page).click();
    await page.getByRole('button', { name: 'View sources' }).first().click();
    await expect(page.getByText('Source breakdown is available when connected to live data.')).toBeVisible();
  });

  test('is set by the address', async ({ page }) => {
    await withSession(page);
    await page.goto('/disruptions?demo=true');
    await expect(page.getByText('Demo data. Not live.')).toBeVisible();
  });
});

test('a visit is reported once', async ({ page }) => {
  await withSession(page);
  const calls: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/analytics/events')) calls.push(request.postDataJSON());
  });
  await page.goto('/disruptions');
  await boardShown(page);
  await expect.poll(() => calls.length).toBe(1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await boardShown(page);
  expect(calls).toEqual([
    expect.objectContaining({ event_type: 'disruptions_board_viewed', event_category: 'navigation' }),
  ]);
});

test('loads at most 150 KB of JavaScript before the board shows', async ({ page, service }) => {
  await withSession(page, await service.newPerson()); // whose team has nothing in hand
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  await page.goto('/disruptions');
  await boardShown(page);
  await page.waitForLoadState('networkidle');

  let bytes = 0;
  let after = 0;
  for (const script of scripts) {
    const { headers } = await fetch(script, { headers: { 'accept-encoding': 'gzip' } });
    const size = Number(headers.get('content-length'));
    if (/\/(ChangesStrip|MyRoutes|after)-/.test(script)) after += size;
    else bytes += size;
  }
  expect(scripts.size).toBeGreaterThan(1);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(150_000);
  expect(after).toBeLessThanOrEqual(20_000);
});
