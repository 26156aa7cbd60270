/** Events and categories whose names have characters with a meaning in an address, opened as a user opens them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { pageAddress, pageAddressOf } from '../../contract/addresses.ts';
import { expect, test as base, withSession, workerReady } from '../support/browser.ts';
import { COMPILED, prepareServer, type RunningServer } from '../support/server.ts';

/** Names as they come from Ticketmaster, web pages, a calendar, and a user's own file. */
const IDS = [
  'ticketmaster:1',
  'https://hall.example/events/7?x=1#top',
  'calendar:party@example.com',
  'x@example.com',
  '../assets/script.js',
  '100%',
  '%2F',
  'café+bar & grill',
];
const CATEGORIES = ['Rock & Pop', 'A%26B', 'Café/bar: 50% off'];

const START = '2030-06-01T19:30:00Z';
const nameOf = (id: string) => `Evening ${id}`;

const test = base.extend<object, { hall: RunningServer }>({
  hall: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
    async ({}, use) => {
      const server = await prepareServer();
      const rows = IDS.map((event_id, at) => ({
        event_id,
        name: nameOf(event_id),
        category: CATEGORIES[at % CATEGORIES.length],
        start_datetime: START,
        venue_name: 'Town Hall',
        latitude: 53.8,
        longitude: -1.55,
      }));
      const file = join(server.dataDir, 'events.ndjson');
      await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n') + '\n');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['server/operate/commands/import-events.ts', file],
        { env: { ...process.env, ...COMPILED, DATA_DIR: server.dataDir } },
      );
      expect(stdout).toContain(String(IDS.length));
      await server.start();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // These tests do not start the service that other files share.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
  clean: async ({}, use) => use(),
  baseURL: async ({ hall }, use) => use(hall.origin),
});

test.describe.configure({ mode: 'default' }); // one server for all

const heading = (page: Page, id: string) =>
  page.getByRole('heading', { level: 1, name: nameOf(id), exact: true });

test('without a worker an event opens by its address, and a category by the map’s or by a link', async ({
  page,
}) => {
  await withSession(page);
  for (const id of ['../assets/script.js', '100%', '%2F']) {
    const answer = await page.goto(pageAddressOf('event', id));
    expect([id, answer?.status(), answer?.fromServiceWorker()]).toEqual([id, 200, false]);
    await expect(heading(page, id)).toBeVisible();
  }
  expect((await page.goto(pageAddressOf('venue', '%2F')))?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Wales v Australia' })).toBeVisible();

  const at = CATEGORIES.length - 1;
  const category = CATEGORIES[at]!;
  await page.goto(pageAddress('open', { link: `web+clearway:${pageAddress('map', { category })}` }));
  await expect(page.getByLabel('Category')).toHaveValue(category);
  const rows = page.getByRole('list', { name: 'Events', exact: true }).getByRole('listitem');
  await expect(rows).toHaveCount(IDS.filter((_, of) => of % CATEGORIES.length === at).length);
  await page.reload();
  await expect(page.getByLabel('Category')).toHaveValue(category);
  await rows.getByRole('button', { name: nameOf(IDS[at]!) }).click();
  await page.getByRole('link', { name: 'View full details' }).click();
  await expect(heading(page, IDS[at]!)).toBeVisible();
});

test.describe('with a worker', () => {
  test.use({ serviceWorkers: 'allow', hearsWorker: true });

  test('an event opens by its address whatever its id holds, also without a network; the server keeps its own', async ({
    page,
    context,
  }) => {
    await withSession(page);
    await page.goto(pageAddress('dashboard'));
    await workerReady(page);
    for (const id of IDS) {
      const answer = await page.goto(pageAddressOf('event', id));
      expect([id, answer?.status(), answer?.fromServiceWorker()]).toEqual([id, 200, true]);
      await expect(heading(page, id)).toBeVisible();
    }

    // tests/sw/cachePolicy.test.ts has more addresses, and docs.spec.ts opens the documentation.
    for (const [address, status] of [
      ['/healthz', 200],
      ['/openapi.json', 200],
      ['/api/v1/nothing', 404],
      ['/assets/app-older.js', 404],
    ] as const) {
      const answer = await page.goto(address);
      expect([address, answer?.status()]).toEqual([address, status]);
      expect(await page.getByText('Unexpected Application Error!').count()).toBe(0);
    }

    await context.setOffline(true);
    for (const id of IDS) {
      await page.goto(pageAddressOf('event', id));
      await expect(heading(page, id)).toBeVisible();
      await expect(page.getByText(/^Showing this event as saved at \d\d:\d\d$/)).toBeVisible();
    }
  });
});
