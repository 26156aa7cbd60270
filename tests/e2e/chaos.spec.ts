import type { Page } from '@playwright/test';
import { boardShown, expect, openBoard, type Service, test, workerReady } from '../support/browser.ts';
import { buildOf, deploy } from '../support/deploy.ts';
import type { Fault } from '../support/faultProxy.ts';
import { amount, isLong } from '../support/long.ts';
import { askForAll, listen, REPORTING } from '../support/uncaught.ts';

test.use({ serviceWorkers: 'allow' });

/** A board that its worker has cached, and a record of its uncaught errors. */
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

/** Waits half a minute; tests/sw/keptAnswers.test.ts proves for each request that the worker ends it by then. */
if (isLong)
  test('every request ends once a line that was open and silent is well again', async ({ page, service }) => {
    const uncaught = await openHeard(page, service);
    service.proxy.set('silent');
    // These requests take all six connections that a browser opens to an origin. The worker has long had copies.
    const sources = await page.evaluate(async () => {
      const headers = {
        'x-clearway-scope': localStorage.getItem('clearway_scope')!,
        authorization: `Bearer ${localStorage.getItem('access_token')}`,
      };
      const all = Array.from({ length: 6 }, () => fetch('/api/v1/feeds/?include_events=true', { headers }));
      return (await Promise.all(all)).map((copy) => copy.headers.get('x-sw-source'));
    });
    expect(sources).toEqual(Array(6).fill('cache'));
    const others = askForAll(page).catch(() => []); // these wait for a connection until their page closes

    service.proxy.heard.length = 0;
    service.proxy.set('pass');
    await page.reload();
    await boardShown(page);
    await expect
      .poll(() => service.proxy.heard.some((path) => path.startsWith('/api/v1/feeds/')), {
        message: 'a request for the board leaves',
        timeout: 40_000,
      })
      .toBe(true);
    await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0, { timeout: 60_000 });
    await others;
    await service.proxy.settled(); // the browser has closed the forgotten connections
    expect(uncaught).toEqual([]);
  });

test('a device without storage space causes no uncaught error', async ({ page, service, baseURL }) => {
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

test('a deployment that arrives half leaves the working version, then whole is offered, without an uncaught error', async ({
  page,
  service,
}) => {
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
  await expect(page.getByText('A new version is ready')).toHaveCount(0);
  expect(await buildOf(page)).toBeNull();

  deploy(reporting, 'c3');
  await page.reload();
  await boardShown(page);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => buildOf(page).catch(() => 'loading')).toBe('c3');
  await boardShown(page);
  await refresh(page);
  expect(uncaught).toEqual([]);
});

/** `CHAOS_SEQUENCES=200 npx playwright test chaos --global-timeout=0` runs more sequences; `CHAOS_FIRST=101` begins
 *  there. */
const SEQUENCES = amount('CHAOS_SEQUENCES', { whole: 200, part: 2 });
const FIRST = Number(process.env.CHAOS_FIRST ?? 1);
const STEPS = 6;
const ALL_FAULTS: Fault[] = [
  'pass',
  'hang',
  'silent',
  'status503',
  'html200',
  'cutJson',
  'cutReset',
  'refused',
  'slow',
];

/** Mulberry32: the same seed gives the same sequence. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

test(`${SEQUENCES} sequences of faults cause no uncaught error`, async ({ page, service, baseURL }) => {
  test.setTimeout(60_000 + SEQUENCES * 30_000);
  const uncaught = await openHeard(page, service);
  const browser = await page.context().newCDPSession(page);
  /** The storage space; undefined: as much as the device has. */
  const room = (quotaSize?: number) =>
    browser.send('Storage.overrideQuotaForOrigin', {
      origin: baseURL!,
      ...(quotaSize !== undefined && { quotaSize }),
    });
  /** Begins an action, and does not wait for answers. */
  const begin = async (act: () => Promise<unknown>) => {
    const asked = page.waitForRequest('**/api/**', { timeout: 3000 }).catch(() => null);
    await act();
    await asked;
  };
  const steps: Record<string, (roll: (sides: number) => number) => Promise<unknown>> = {
    fault: async (roll) => service.proxy.set(ALL_FAULTS[roll(ALL_FAULTS.length)]!),
    refresh: () => begin(() => page.getByRole('button', { name: 'Refresh' }).click()),
    reload: async () => {
      await page.reload();
      await boardShown(page);
    },
    'all kinds': () => begin(async () => void askForAll(page).catch(() => [])),
    full: () => room(1),
    room: () => room(),
    'a silent line': async () => {
      service.proxy.set('silent');
      await begin(async () => void askForAll(page).catch(() => []));
    },
    'full storage, a reload and a refused connection': async () => {
      await room(1);
      service.proxy.set('refused');
      await page.reload();
      await boardShown(page);
    },
  };
  const names = Object.keys(steps);

  for (let seed = FIRST; seed < FIRST + SEQUENCES; seed += 1) {
    const roll = dice(seed);
    const sequence = Array.from({ length: STEPS }, () => names[roll(names.length)]!);
    for (const name of sequence) await steps[name]!(roll);
    expect(uncaught, `seed ${seed}: ${sequence.join(', ')}`).toEqual([]);
    if (process.env.CHAOS_SEQUENCES) console.log(`seed ${seed}: nothing uncaught`);
  }

  await room();
  service.proxy.set('pass');
  await page.reload();
  await boardShown(page);
  await expect(async () => {
    service.proxy.heard.length = 0;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => service.proxy.heard.some((path) => path.startsWith('/api/v1/feeds/'))).toBe(true);
  }).toPass({ timeout: 60_000 });
  await service.proxy.settled();
  expect(uncaught).toEqual([]);
});
