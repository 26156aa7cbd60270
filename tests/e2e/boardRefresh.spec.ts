/** The refreshes of a board, on a server whose data changes. */
import type { Page } from '@playwright/test';
import {
  expect,
  lastRefresh,
  openedWhole,
  pauseClock,
  rowOf,
  rowsOf,
  summaryShown,
  test,
} from '../support/browser.ts';

// Animations run.
test.use({ server: 'stepped', contextOptions: { reducedMotion: 'no-preference' } });

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

test('each minute the board asks once and marks what changed, the dashboard asks for its routes, and other pages ask for nothing', async ({
  page,
  service,
}) => {
  await page.clock.install();
  await openedWhole(page);
  const calls = callsOf(page);
  const answers = callsOf(page, 'requestfinished');
  const before = await rowsOf(page);
  const first = await lastRefresh(page);
  await pauseClock(page); // the clock stands still however long the server takes

  await service.step();
  const feeds = await service.feeds();
  expect(await rowsOf(page)).toEqual(before);
  expect(calls).toEqual([]);

  await page.clock.fastForward(60_000);

  await expect.poll(async () => (await rowsOf(page))[0]!.summary).toBe(summaryShown(feeds[0]!.summary!));
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
  await page.clock.runFor(60_000);
  await expect(page.locator('[data-new]')).toHaveCount(0);
  await expect.poll(() => answers.length).toBe(2 * ONE_REFRESH.length);
  expect(calls.toSorted()).toEqual(ONE_REFRESH.flatMap((call) => [call, call]));
  await page.clock.resume();

  const unseen = page.waitForRequest(/\/api\/v1\/messages\//); // the bar asks once
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await unseen;
  const onBoard = 2 * ONE_REFRESH.length;
  const ofRoutes = () => calls.slice(onBoard).filter((call) => call === ROUTES).length;
  for (let minute = 1; minute <= 2; minute++) {
    const before = ofRoutes();
    const answered = page.waitForResponse((reply) => reply.url().includes('/api/v1/watches/?'));
    // The clock goes second by second: in one leap the page would give up before the answer.
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
