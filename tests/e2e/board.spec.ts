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

const secondsOf = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

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

test('shows what the server says of each feed and source, at London time, one opened feed at a time', async ({
  page,
  service,
}) => {
  await openBoard(page);
  const london = new Date().toLocaleTimeString('en-GB', { timeZone: 'Europe/London' });
  const apart = (secondsOf(london) - secondsOf(await lastRefresh(page)) + 86_400) % 86_400;
  expect(apart).toBeLessThan(60);
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

  for (const { title, alerts } of rows.filter((row) => row.alerts.length > 0)) {
    const active = alerts.filter((alert) => !/Planned from|\. See /.test(alert)); // an alert that another feed counts is never named as the worst
    const ranks = active.map((alert) =>
      ['Critical:', 'High:', 'Medium:', 'Low:', 'Unrated:'].findIndex((word) => alert.startsWith(word)),
    );
    expect(ranks, title).not.toContain(-1);
    expect(ranks, title).toEqual(ranks.toSorted((a, b) => a - b));
  }

  const [rail, roads] = [rowOf(page, 'Rail Network'), rowOf(page, 'UK Roads')];
  await rail.getByRole('button', { name: 'View sources' }).click();
  const sheet = rail.getByRole('region', { name: 'Sources for Rail Network' });
  for (const [source, name] of Object.entries(NAMES)) {
    const entry = sheet.locator('> div').filter({ has: page.getByRole('heading', { name }) });
    await expect(entry, source).toContainText(statusLine(source, await answerOf(service, source)));
  }
  const operators = (await answerOf(service, 'nsi-service')).events.map(
    ({ metadata }) => metadata.nsi!.toc_name,
  );
  for (const operator of operators) await expect(sheet.getByText(operator, { exact: true })).toBeVisible();

  await roads.getByRole('button', { name: 'View sources' }).click();
  await expect(roads.getByRole('region', { name: /Sources/ })).toContainText('National Highways');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: /Sources/ })).toHaveCount(0);
  await expect(roads.getByRole('button', { name: 'View sources' })).toBeFocused();
});

test('each minute the board asks once and marks what changed, the dashboard asks for its routes, and other pages nothing', async ({
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
  const answers = callsOf(page, 'requestfinished');
  await page.clock.runFor(60_000);
  await expect(page.locator('[data-new]')).toHaveCount(0);
  await expect.poll(() => answers.length).toBe(ONE_REFRESH.length);
  expect(calls.toSorted()).toEqual(ONE_REFRESH.flatMap((call) => [call, call]));
  await page.clock.resume();

  const unseen = page.waitForRequest(/\/api\/v1\/messages\//); // the bar's own, once
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await unseen;
  const onBoard = 2 * ONE_REFRESH.length;
  const ofRoutes = () => calls.slice(onBoard).filter((call) => call === ROUTES).length;
  for (let minute = 1; minute <= 2; minute++) {
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
