import type { SourceEvents } from '../../contract/incidents/disruptions.ts';
import {
  boardShown,
  expect,
  lastRefresh,
  openBoard,
  rowOf,
  rowsOf,
  type Service,
  test,
  withSession,
  summaryShown,
} from '../support/browser.ts';

// Animations run.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const TITLES = ['Rail Network', 'UK Roads', 'Aviation', 'Weather & Flood', 'Public Safety'];
const NAMES: Record<string, string> = {
  'kb-incidents': 'Knowledgebase incidents',
  tfl: 'Transport for London',
  'nsi-service': 'National Rail service indicators',
};

const secondsOf = (clock: string) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

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
    expect(rows[place]!.summary, feed.title).toBe(summaryShown(bundle.summary!));
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
