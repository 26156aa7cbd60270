/** Faults of the network, the device and a deployment: none of them causes an uncaught error in page or worker. */
import type { BrowserContext, Page } from '@playwright/test';
import { boardShown, expect, openBoard, type Service, test, workerReady } from '../support/browser.ts';
import { buildOf, deploy } from '../support/deploy.ts';
import type { Fault } from '../support/faultProxy.ts';

test.use({ serviceWorkers: 'allow' });

const CHANNEL = 'uncaught';

/** Reports the worker's uncaught errors to every page of the origin, from its first line on. */
const REPORTING = `for (const type of ['error', 'unhandledrejection'])
  self.addEventListener(type, (event) =>
    new BroadcastChannel('${CHANNEL}').postMessage('worker: ' + (event.reason?.stack ?? event.reason ?? event.message)));\n`;

/** Collects uncaught errors from now on, in any page or worker. Must be called before the first page is opened. */
async function listen(context: BrowserContext, service: Service): Promise<string[]> {
  const uncaught: string[] = [];
  context.on('weberror', (error) => uncaught.push(`page: ${String(error.error())}`));
  await context.exposeBinding('noteUncaught', (_, text: string) => void uncaught.push(text));
  await context.addInitScript((channel) => {
    new BroadcastChannel(channel).addEventListener('message', ({ data }) =>
      (window as unknown as { noteUncaught(text: string): void }).noteUncaught(String(data)),
    );
  }, CHANNEL);
  service.proxy.replace('/sw.js', (worker) => REPORTING + worker);
  return uncaught;
}

/** A board that its worker has cached, with its uncaught errors collected. */
async function openHeard(page: Page, service: Service): Promise<string[]> {
  const uncaught = await listen(page.context(), service);
  await openBoard(page);
  await workerReady(page);
  await refresh(page);

  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(() => void Promise.reject(new Error('a probe')));
  await expect.poll(() => uncaught).toEqual([expect.stringContaining('worker: Error: a probe')]);
  uncaught.length = 0;
  return uncaught;
}

async function refresh(page: Page) {
  const answered = page.waitForEvent('requestfinished', (request) => request.url().includes('/feeds/'));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await answered;
  await expect(page.locator('[data-refreshing]')).toHaveCount(0, { timeout: 20_000 });
}

/** Asks the worker for one resource of each kind that it answers, none of which it has cached. */
function askForAll(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await caches.delete('clearway-settings');
    const scope = { 'x-clearway-scope': 'nobody' };
    const calls: [path: string, headers: Record<string, string>][] = [
      ['/config.json', {}],
      ['/tiles/6/31/20.png', {}],
      ['/api/v1/feeds/', scope],
      ['/api/v1/disruptions/sources', scope],
      ['/api/v1/disruptions/sources/tfl?limit=12', scope],
      ['/api/v1/events/categories', scope],
      ['/api/v1/geocode/search?query=leeds', scope],
      ['/api/v1/auth/me', scope],
    ];
    return Promise.all(
      calls.map(([path, headers]) =>
        fetch(path, { headers }).then(
          ({ status }) => `${path} ${status}`,
          () => `${path} failed`,
        ),
      ),
    );
  });
}

/** In two tests, so that they can run side by side. */
const FAULTS: Fault[][] = [
  ['refused', 'hang', 'cutJson'],
  ['cutReset', 'status503', 'html200'],
];

for (const faults of FAULTS) {
  test(`a line that fails: ${faults.join(', ')}`, async ({ page, service }) => {
    const uncaught = await openHeard(page, service);
    for (const fault of faults) {
      service.proxy.set(fault);
      await page.reload();
      await boardShown(page);
      await expect(page.getByText('Unable to load AI feed summaries')).toBeVisible({ timeout: 25_000 });

      const asked = page.waitForRequest('**/geocode/**');
      const answers = askForAll(page);
      await asked;
      if (fault === 'hang') service.proxy.set('refused'); // this ends the requests that hang
      // Tiles, and calls that are never cached, are passed on unchanged.
      const kept = (await answers).filter((answer) => !/tiles|auth/.test(answer));
      expect(kept.filter((answer) => !answer.endsWith('failed'))).toEqual([]);
      service.proxy.set('pass');
      await page.reload(); // waits for a refresh that hangs
      await boardShown(page);
      await expect(page.locator('main header b').first()).toHaveText('Live');
      await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0);
      expect(uncaught).toEqual([]);
    }
  });
}

test('a device without storage space', async ({ page, service, baseURL }) => {
  const uncaught = await openHeard(page, service);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 1 });
  const put = await page.evaluate(async () => {
    const cache = await caches.open('probe');
    return cache.put('/probe', new Response('x'.repeat(1e6))).then(
      () => 'kept',
      (error: Error) => error.name,
    );
  });
  expect(put).toBe('QuotaExceededError');

  await refresh(page);
  await page.reload();
  await boardShown(page);
  await refresh(page);
  await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0);
  expect((await askForAll(page)).filter((answer) => answer.endsWith('failed'))).toEqual([]);

  service.proxy.set('refused');
  await page.reload();
  await boardShown(page);
  expect(uncaught).toEqual([]);
});

test('a deployment that arrives half, then whole', async ({ page, service }) => {
  const uncaught = await openHeard(page, service);
  const reporting = {
    ...service.proxy,
    replace: (path: string, change: (text: string) => string) =>
      service.proxy.replace(path, path === '/sw.js' ? (worker) => REPORTING + change(worker) : change),
  };
  deploy(reporting, 'c2');
  service.proxy.replace('/index.html', () => {
    throw new Error('The deployment is incomplete');
  });
  await page.reload();
  await boardShown(page);
  await service.proxy.settled();
  await refresh(page);

  deploy(reporting, 'c3');
  await page.reload();
  await boardShown(page);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(page).catch(() => 'loading')).toBe('c3');
  await boardShown(page);
  await refresh(page);
  expect(uncaught).toEqual([]);
});
