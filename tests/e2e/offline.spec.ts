import type { Page } from '@playwright/test';
import type { FeedBundle } from '../../contract/feeds/feeds.ts';
import type { Fault } from '../support/faultProxy.ts';
import { isLong } from '../support/long.ts';
import { askForAll, listen } from '../support/uncaught.ts';
import {
  boardShown,
  expect,
  lastRefresh,
  openBoard,
  rowOf,
  rowsOf,
  type Service,
  type ShownRow,
  storedTokens,
  summaryShown,
  test,
  workerReady,
} from '../support/browser.ts';

test.use({ serviceWorkers: 'allow' });

const MINUTE_MS = 60_000;

interface Kept {
  rows: ShownRow[];
  last: string;
  tokens: Record<string, string | null>;
}

/** A board with a worker that has cached its last answer, and a clock that the test controls. */
async function keptBoard(page: Page): Promise<Kept> {
  await page.clock.install();
  await openBoard(page);
  await workerReady(page);
  return refreshed(page);
}

/** The same board after one more refresh, whose answer the worker has kept. */
async function refreshed(page: Page): Promise<Kept> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/feeds/') && response.fromServiceWorker(),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await (await answered).finished();
  await expect(page.locator('[data-refreshing]')).toHaveCount(0);
  return { rows: await rowsOf(page), last: await lastRefresh(page), tokens: await storedTokens(page) };
}

const sign = (page: Page) => page.locator('main').getByRole('status').filter({ hasText: /\S/ }).first();

/** Waits before the line is back, because the shown time has whole seconds: a refresh within the same second would look
 *  like none. */
const secondAfter = (last: string) =>
  expect.poll(() => new Date().toLocaleTimeString('en-GB', { timeZone: 'Europe/London' })).not.toBe(last);

/** The board looks as it was, says that it could not be refreshed, and keeps the user signed in. */
async function expectKept(page: Page, { rows, last, tokens }: Kept) {
  await secondAfter(last);
  await boardShown(page);
  await expect(sign(page)).toContainText('Unable to load AI feed summaries', { timeout: 25_000 });
  expect(await rowsOf(page)).toEqual(rows);
  expect(await lastRefresh(page)).toBe(last);
  await expect(page).toHaveURL('/disruptions');
  await expect(page.getByText('No feeds available')).toHaveCount(0);
  expect(await storedTokens(page)).toEqual(tokens);
}

/** Ten minutes later everything on the board says how old it is, and nothing claims to be new. */
async function expectTenMinutesOld(page: Page, kept: Kept) {
  await page.clock.fastForward(10 * MINUTE_MS);
  await expect(sign(page)).toContainText(`Not updating since ${kept.last.slice(0, 5)}.`);
  await expect(sign(page)).toContainText('Showing the board as it was.');
  await expect(page.getByText(/just now/i)).toHaveCount(0);
  // The data was collected a little before it was fetched.
  await expect(page.getByText(/^Updated 1\d minutes ago$/).first()).toBeVisible();
  await expect(page.locator('[data-fresh="stale"]').first()).toBeAttached();
  await expect(page.getByText('No active alerts')).toHaveCount(0);
  expect(await lastRefresh(page)).toBe(kept.last);
}

/** The worker's copies are still the server's answers. Only these are looked at, because the page's own copy could
 *  hide their loss. */
async function expectWholeCopies(page: Page, { rows }: Kept) {
  const copies = await page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('private'));
    const stores = await Promise.all(names.map((name) => caches.open(name)));
    const found = await Promise.all(stores.map(async (store) => store.matchAll()));
    const isJson = (copy: Response) => copy.headers.get('content-type')?.includes('json'); // others are tiles
    return Promise.all(
      found
        .flat()
        .filter(isJson)
        .map((copy) => copy.text()),
    );
  });
  const boards = copies.map((copy) => (JSON.parse(copy) as { feeds?: FeedBundle[] }).feeds);
  const board = boards.find((feeds) => feeds !== undefined);
  expect(board?.map(({ summary }) => summaryShown(summary!))).toEqual(rows.map(({ summary }) => summary));
}

const connection = (page: Page) => page.locator('main header').first().locator('b').first();

/** The board is fresh within one interval of the page's clock, without a click. */
async function expectBack(page: Page, kept: Kept) {
  const stepMs = 5000;
  for (let waited = 0; waited < MINUTE_MS; waited += stepMs) {
    // A request takes real time, so a jump of the clock would make it time out.
    await expect(page.locator('[data-refreshing]')).toHaveCount(0, { timeout: 20_000 });
    if ((await connection(page).textContent()) === 'Live') break;
    await page.clock.fastForward(stepMs);
  }
  await expect(connection(page)).toHaveText('Live');
  await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0);
  expect(await lastRefresh(page)).not.toBe(kept.last);
  await expect(page.locator('[data-fresh="stale"]')).toHaveCount(0);
  expect((await rowsOf(page)).map(({ title }) => title)).toEqual(kept.rows.map(({ title }) => title));
}

test.describe('the server process is stopped', () => {
  // There is no proxy: the browser finds a closed port.
  test.use({ baseURL: async ({ service }, use) => use(service.server.origin) });

  test('stopped: the board says so at the next refresh and over a reload, other pages too, and all come back', async ({
    page,
    service,
  }) => {
    test.slow();
    let kept = await keptBoard(page);
    const sheet = rowOf(page, 'Weather & Flood').getByRole('region', { name: /Sources/ });
    for (const end of isLong ? (['kill', 'stop'] as const) : (['kill'] as const)) {
      await test.step(end, async () => {
        await expect(connection(page)).toHaveText('Live');
        await rowOf(page, 'Weather & Flood').getByRole('button', { name: 'View sources' }).click();
        await expect(sheet).toContainText('Environment Agency floods');
        await service.server[end]();

        // A jump of the clock during a request would turn a refusal into a time-out.
        await expect(page.locator('[data-refreshing]')).toHaveCount(0, { timeout: 20_000 });
        await page.clock.fastForward(95_000);
        await expect(connection(page)).toHaveText('Late');
        await expectKept(page, kept);
        await expect(page.locator('[data-fresh="late"]')).toBeAttached();
        await expect(sheet).toContainText('Environment Agency floods');

        await page.reload();
        await expectKept(page, kept);
        await expect(sign(page)).toContainText(`Not updating since ${kept.last.slice(0, 5)}`);
        await expectTenMinutesOld(page, kept);
        for (const name of ['Dashboard', 'Map View', 'API Keys']) {
          await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
          await expect(page.getByText(/^Offline\./)).toBeVisible();
        }
        await page.goto('/notifications');
        await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
        await expect(page.getByText(/^Offline\./)).toBeVisible();

        await page.goto('/disruptions');
        await expectKept(page, kept);
        await service.server.start();
        await expectBack(page, kept);
        kept = await refreshed(page);
      });
    }
  });
});

/** In the command: answers that are missing, wrong, and broken off. tests/sw/keptAnswers.test.ts has every kind. */
const FAULTS: Fault[] = isLong
  ? ['hang', 'cutJson', 'refused', 'status503', 'html200', 'cutReset']
  : ['hang', 'html200', 'cutReset'];

/** The worker answers nothing else: it has no copies for nobody. */
async function expectNoOther(page: Page, service: Service, fault: Fault) {
  const asked = page.waitForRequest('**/geocode/**');
  const answers = askForAll(page);
  await asked;
  if (fault === 'hang') service.proxy.set('refused'); // this ends the requests that hang
  // Tiles, and calls that are never cached, are passed on unchanged.
  const others = (await answers).filter((answer) => !/tiles|auth/.test(answer));
  expect(others.filter((answer) => !answer.endsWith('failed'))).toEqual([]);
}

test(`${FAULTS.join(', ')}: the same board, its true age, nobody signed out, back by itself, and no uncaught error`, async ({
  page,
  service,
}) => {
  test.setTimeout(60_000 + FAULTS.length * 60_000); // up to a minute each on a busy machine
  const uncaught = await listen(page.context(), service);
  let kept = await keptBoard(page);
  const { session_id } = kept.tokens;
  for (const fault of FAULTS) {
    for (const reach of isLong ? (['everything', 'api'] as const) : (['everything'] as const)) {
      await test.step(`${fault} of ${reach}`, async () => {
        service.proxy.set(fault, reach);

        await page.reload();
        await expectKept(page, kept);
        await expect(sign(page)).toContainText(/Offline|No answer/);
        await expectTenMinutesOld(page, kept);
        await expectWholeCopies(page, kept);

        if (reach === 'everything') await expectNoOther(page, service, fault);

        service.proxy.set('pass');
        await expectBack(page, kept);
        expect((await storedTokens(page)).session_id).toBe(session_id);
        expect(uncaught).toEqual([]);
        kept = await refreshed(page);
      });
    }
  }

  // On a very slow network the kept board shows first, then the late answer.
  service.proxy.set('slow', 'api');
  await page.reload();
  await boardShown(page);
  expect(await rowsOf(page)).toEqual(kept.rows);
  expect(await lastRefresh(page)).toBe(kept.last);
  await expect.poll(() => lastRefresh(page)).not.toBe(kept.last);
  await expect(connection(page)).toHaveText('Live');
  await expect(page.getByText('Unable to load AI feed summaries')).toHaveCount(0);
  expect(uncaught).toEqual([]);
});

test.describe('a device without any network', () => {
  test.use({ hearsWorker: true });

  test('has the same board and the whole app: scripts, fonts and icons; it comes back by itself', async ({
    page,
    context,
  }) => {
    const kept = await keptBoard(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await context.setOffline(true);
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
    await page.reload();
    await expectKept(page, kept);
    await expect(sign(page)).toContainText('Offline');
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(failed.filter((path) => !path.startsWith('/api/') && path !== '/sw.js')).toEqual([]);
    const fonts = await page.evaluate(() =>
      [...document.fonts].map(({ status, family }) => ({ status, family })),
    );
    const loaded = fonts.filter(({ status }) => status === 'loaded').map(({ family }) => family);
    expect(loaded.join(' ')).toContain('Sofia Sans');
    expect(fonts.filter(({ status }) => status === 'error')).toEqual([]);
    await expectTenMinutesOld(page, kept);

    await context.setOffline(false);
    await expectBack(page, kept);
  });
});

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('the board keeps its rows and says "No answer"', async ({ page, service }) => {
    await page.clock.install();
    await openBoard(page);
    const kept = {
      rows: await rowsOf(page),
      last: await lastRefresh(page),
      tokens: await storedTokens(page),
    };
    service.proxy.set('html200', 'api');
    await page.reload();
    await expectKept(page, kept);
    await expect(sign(page)).toContainText('No answer');
    await expectTenMinutesOld(page, kept);
    await expect(connection(page)).toHaveText(/^No answer, 10 minutes$/);
    service.proxy.set('pass');
    await expectBack(page, kept);
  });
});

test('messages reach the person who is signed in here, after a tap, and end with the sign-out', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    const asked = { count: 0 };
    Object.assign(globalThis, { asked });
    // A headless page says that notifications are denied, although its worker may show them.
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      asked.count++;
      permission = 'granted';
      return permission;
    };
    // A headless browser has no push service.
    PushManager.prototype.subscribe = async () =>
      ({
        options: {},
        toJSON: () => ({
          endpoint: 'https://push.example/1',
          keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
        }),
      }) as unknown as PushSubscription;
  });
  await openBoard(page);
  await workerReady(page);
  await context.grantPermissions(['notifications'], { origin: new URL(page.url()).origin });
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await page.goto('/messages');
  await expect(page.getByRole('heading', { name: 'Messages', level: 1 })).toBeVisible();
  const device = page.getByRole('listitem').filter({ hasText: 'This device' });
  await expect(device).toContainText('Off');
  const asked = () =>
    page.evaluate(() => (globalThis as unknown as { asked: { count: number } }).asked.count);
  expect(await asked()).toBe(0);
  await device.getByRole('button', { name: 'Tell me on this device' }).click();
  await expect(device).toContainText('On');
  expect(await asked()).toBe(1);

  const tokens = await storedTokens(page);
  const { channels } = (await page.evaluate(
    async (token) => {
      const reply = await fetch('/api/v1/channels/', { headers: { authorization: `Bearer ${token}` } });
      return (await reply.json()) as { channels: { id: string }[] };
    },
    Object.values(tokens).find((value) => value?.startsWith('ey')) ?? '',
  )) as { channels: { id: string }[] };
  const push = async (changes: object) => {
    const data = JSON.stringify({
      id: 'msg_1',
      receiver: channels[0]!.id,
      kind: 'alert',
      title: 'Critical: M62 closed',
      text: 'Leeds–Heathrow. National Highways, 07:58.',
      tag: 'route:leeds',
      renotify: true,
      silent: false,
      valid_until: new Date(Date.now() + MINUTE_MS).toISOString(),
      address: '/routes',
      event_id: null,
      unseen: 2,
      ...changes,
    });
    const origin = new URL(page.url()).origin;
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
  const link = page.getByRole('link', { name: /^Messages/ });
  // The page of messages counts for itself.
  const counted = page.waitForResponse((response) => response.url().includes('/api/v1/messages'));
  await page.getByRole('link', { name: 'API Keys' }).click();
  await counted;
  await push({});
  await expect(link).toContainText('2 unseen');
  // A message for somebody else, and old news, have no effect here.
  await push({ receiver: 'somebody-elses', title: 'Secret', unseen: 7 });
  await push({ valid_until: new Date(Date.now() - MINUTE_MS).toISOString(), unseen: 8 });
  await push({ title: 'High: A1 closed', tag: 'route:york', unseen: 3 });
  await expect(link).toContainText('3 unseen');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  // The page waits two seconds for its worker at the most.
  const kept = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('keyval-store');
          opening.onsuccess = () => {
            const count = opening.result.transaction('keyval').objectStore('keyval').count('push-receiver');
            count.onsuccess = () => resolve(count.result);
          };
        }),
    );
  await expect.poll(kept).toBe(0);
});
