import type { Page } from '@playwright/test';
import { boardShown, expect, openBoard, test, withSession, workerReady } from '../support/browser.ts';
import { buildOf, deploy } from '../support/deploy.ts';
import { amount } from '../support/long.ts';

test.use({ serviceWorkers: 'allow' });

/** Versions of the app. The wall installs each of them whole, and the reader's browser some of them. */
const VERSIONS = amount('VERSIONS', { whole: 10, part: 1 });
const buildName = (version: number) => `v${String(version).padStart(2, '0')}`;
const NEWEST = buildName(VERSIONS);

/** Steps of the clock. It leaps until a version is installed, and then goes in small steps: the minute that a wall
 *  waits for its new worker may begin between a look and the step after it. A step takes some of that minute, and
 *  the worker needs real time. Half a minute was too long on a busy machine: the older worker loaded the page again,
 *  and the test, which then stops the clock, saw the older version. */
const LEAP = '00:30';
const STEP = '00:05';

/** How many versions the wall has begun to take, and whether its browser is installing one or has one waiting. From
 *  the first on, and while the browser installs, the clock runs by itself. */
const progressOf = (wall: Page) =>
  wall
    .evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return {
        taken: (JSON.parse(sessionStorage.getItem('clearway_taken_versions') ?? '[]') as unknown[]).length,
        isInstalling: Boolean(registration?.installing),
        isWaiting: Boolean(registration?.waiting),
      };
    })
    .catch(() => ({ taken: Number.POSITIVE_INFINITY, isInstalling: false, isWaiting: false })); // the page is loading

test(`the wall installs each new version (${VERSIONS}) by itself; a board with a reader asks first`, async ({
  browser,
  page,
  context,
  service,
}) => {
  test.setTimeout(180_000);
  // A quiet day's board by the server's own clock: no critical alert delays an update.
  service.proxy.replace('/api/v1/feeds/', (text) => text.replaceAll('"critical"', '"high"'));

  const wall = await (await browser.newContext({ baseURL: service.proxy.origin })).newPage();
  await wall.clock.install();
  await withSession(wall);
  await wall.goto('/disruptions?display=wall');
  await workerReady(wall);

  await openBoard(page);
  await workerReady(page);
  const form = await context.newPage();
  await form.goto('/api-keys');
  await form.getByRole('button', { name: 'Create New Key' }).click();
  await form.getByLabel('Name').fill('Half a na');

  const loads = { wall: 0, page: 0, form: 0 };
  wall.on('load', () => (loads.wall += 1));
  page.on('load', () => (loads.page += 1));
  form.on('load', () => (loads.form += 1));
  const errors: Error[] = [];
  wall.on('pageerror', (error) => errors.push(error));

  for (let version = 1; version <= VERSIONS; version += 1) {
    const build = buildName(version);
    const { taken: before } = await progressOf(wall);
    deploy(service.proxy, build);
    await expect
      .poll(
        async () => {
          const { taken, isInstalling, isWaiting } = await progressOf(wall);
          if (taken <= before && !isInstalling) await wall.clock.fastForward(isWaiting ? STEP : LEAP);
          return buildOf(wall).catch(() => 'loading');
        },
        { intervals: [50], timeout: 60_000 },
      )
      .toBe(build);
    await expect.poll(() => loads.wall).toBe(version);
    await workerReady(wall);
    // The reader's browser checks for a new version once an hour, and the wall every five minutes.
    if (version % 3 !== 1) continue;
    await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration())!;
      await registration.update();
      const { installing } = registration;
      if (installing?.state !== 'installing') return;
      // Without this the earlier version would be the waiting one.
      await new Promise((changed) => installing.addEventListener('statechange', changed, { once: true }));
    });
  }
  expect(errors).toEqual([]);
  expect(await wall.evaluate(() => location.search)).toBe('?display=wall');
  // The wall reads from the files in its worker which version it has installed.
  const held = await wall.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', ({ data }) => resolve(String(data)));
        port1.start();
        navigator.serviceWorker.controller!.postMessage({ type: 'VERSION' }, [port2]);
      }),
  );
  expect(held).toContain(NEWEST.padEnd(32, '0'));

  await expect(page.getByText('A new version is ready')).toBeVisible();
  expect(loads).toEqual({ wall: VERSIONS, page: 0, form: 0 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(page).catch(() => 'loading')).toBe(NEWEST);
  await boardShown(page);
  expect(loads).toEqual({ wall: VERSIONS, page: 1, form: 0 });
  // The form is offered the new version as well, and keeps the old one until its own reader agrees.
  await expect(form.getByText('A new version is ready')).toBeVisible();
  await expect(form.getByLabel('Name')).toHaveValue('Half a na');
  await form.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(form).catch(() => 'loading')).toBe(NEWEST);
  await expect.poll(() => loads).toEqual({ wall: VERSIONS, page: 1, form: 1 }); // it knows its build before it is loaded

  // No new version follows, and the wall stays as it is.
  for (let look = 0; look < 5; look += 1) await wall.clock.fastForward('05:01');
  expect(loads.wall).toBe(VERSIONS);
  await wall.context().close();
});
