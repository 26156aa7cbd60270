import type { Page } from '@playwright/test';
import {
  boardShown,
  expect,
  openBoard,
  rowsOf,
  storedTokens,
  test,
  workerReady,
} from '../support/browser.ts';
import { buildOf, deploy } from '../support/deploy.ts';

test.use({ serviceWorkers: 'allow' });

const offer = (page: Page) => page.getByText('A new version is ready');

test('can be installed with name, icons and shortcuts, and serves again a page that a forced reload took past it', async ({
  page,
}) => {
  await openBoard(page);
  await workerReady(page);
  const browser = await page.context().newCDPSession(page);
  const { data, errors } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  const manifest = JSON.parse(data!) as {
    icons: { src: string; sizes: string; purpose: string }[];
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest).toMatchObject({
    name: 'Clearway',
    id: '/disruptions',
    start_url: '/disruptions?start',
    launch_handler: { client_mode: ['focus-existing', 'navigate-existing', 'auto'] },
    protocol_handlers: [{ protocol: 'web+clearway', url: '/open?link=%s' }],
    scope: '/',
    display: 'standalone',
    theme_color: '#0a0b0c',
    background_color: '#0a0b0c',
  });
  expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
    ['Disruptions Board', '/disruptions'],
    ['Critical alerts', '/disruptions/list?severity=critical'],
    ['Wall display', '/disruptions?display=wall'],
    ['Map', '/map'],
  ]);
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '192x192 maskable',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const size = await page.evaluate(async (address) => {
      const picture = await createImageBitmap(await (await fetch(address)).blob());
      return `${picture.width}x${picture.height}`;
    }, src);
    expect(size, src).toBe(sizes);
  }

  // The browser loads this page without the worker, as after a forced reload.
  const loaded = page.waitForEvent('load');
  await browser.send('Page.reload', { ignoreCache: true });
  await loaded;
  await boardShown(page);
  await workerReady(page);
});

test('a new version is found within the hour, offered in every tab, and installed only when somebody agrees', async ({
  page,
  context,
  service,
}) => {
  await page.clock.install();
  await openBoard(page);
  await workerReady(page);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(await buildOf(page)).toBeNull();
  await expect(offer(page)).toHaveCount(0);
  const tokens = await storedTokens(page);

  deploy(service.proxy, 'b2');
  await page.clock.fastForward('01:00:01');
  await expect(offer(page)).toBeVisible();
  await page.reload();
  await boardShown(page);
  await expect(offer(page)).toBeVisible();
  expect(await buildOf(page)).toBeNull();

  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(page).catch(() => 'loading')).toBe('b2');
  await boardShown(page);
  await expect(offer(page)).toHaveCount(0);
  expect(await storedTokens(page)).toEqual(tokens);

  await expect(offer(other)).toBeVisible();
  await other.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(other).catch(() => 'loading')).toBe('b2');
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  // The version is complete, even without the server.
  const rows = await rowsOf(page);
  await service.server.kill();
  await page.reload();
  await boardShown(page);
  expect(await buildOf(page)).toBe('b2');
  expect(await rowsOf(page)).toEqual(rows);
});

test('an app that could not be loaded whole at first is installed as soon as possible', async ({
  page,
  service,
}) => {
  await page.clock.install();
  let failing = true;
  let asked = 0;
  service.proxy.replace('/manifest.webmanifest', (text) => {
    asked += 1;
    if (failing) throw new Error('Lost on the way');
    return text;
  });
  await openBoard(page);
  await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(0); // it is one of 150 files
  await service.proxy.settled();
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();

  failing = false;
  await expect
    .poll(
      async () => {
        await page.clock.fastForward('00:05');
        return page.evaluate(() => navigator.serviceWorker.controller?.state);
      },
      { timeout: 30_000 },
    )
    .toBe('activated');
});
