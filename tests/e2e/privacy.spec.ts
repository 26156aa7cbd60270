import type { Page } from '@playwright/test';
import {
  ADMIN,
  boardShown,
  expect,
  openBoard,
  rowsOf,
  type Service,
  signIn,
  storedTokens,
  test,
  workerReady,
} from '../support/browser.ts';

test.use({ serviceWorkers: 'allow' });

/** Storage keys that may stay after a sign-out: none identifies the last user. */
const NOBODYS = ['clearway_clock_offset_ms', 'clearway_newest_answer_ms'];

interface Stored {
  /** Names and texts of everything in the caches except the app's own files. */
  caches: string[];
  indexedDb: string[];
  localStorage: string[];
  sessionStorage: string[];
}

/** Everything that this origin has stored in the browser, as text. */
function stored(page: Page): Promise<Stored> {
  return page.evaluate(async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) {
      if (name.includes('precache')) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true });
        kept.push(`${name} ${request.url} ${await response?.text()}`);
      }
    }

    const records: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name!);
        opening.addEventListener('success', () => resolve(opening.result));
        opening.addEventListener('error', () => reject(opening.error!));
      });
      for (const store of database.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.addEventListener('success', () => resolve(reading.result));
          reading.addEventListener('error', () => reject(reading.error!));
        });
        records.push(...values.map((value) => `${name} ${JSON.stringify(value)}`));
      }
      database.close();
    }

    const pairs = (storage: Storage) => Object.entries(storage).map(([name, value]) => `${name} ${value}`);
    return {
      caches: kept,
      indexedDb: records,
      localStorage: pairs(localStorage),
      sessionStorage: pairs(sessionStorage),
    };
  });
}

async function expectNothingKept(page: Page, secrets: readonly string[]) {
  await expect
    .poll(async () => {
      const { caches, indexedDb, localStorage, sessionStorage } = await stored(page);
      return {
        caches: caches.filter((text) => !text.includes('/config.json ')),
        indexedDb,
        localStorage: localStorage.filter((text) => !NOBODYS.includes(text.split(' ')[0]!)),
        sessionStorage,
      };
    })
    .toEqual({ caches: [], indexedDb: [], localStorage: [], sessionStorage: [] });
  const everything = JSON.stringify(await stored(page));
  for (const secret of secrets) expect(everything).not.toContain(secret);
}

/** Signs in and opens the board and the sources of one feed, so that both are cached. Returns the words that
 *  identify the user. */
async function useBoard(page: Page, service: Service, person: { email: string; password: string }) {
  await openBoard(page, person);
  await workerReady(page);
  await page.getByRole('button', { name: 'View sources' }).first().click();
  await expect(page.getByRole('region', { name: /Sources/ })).toContainText('Transport for London');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const event = (await service.feeds()).flatMap(({ events }) => events)[0]!.event_id;
  await expect.poll(async () => (await stored(page)).caches.some((text) => text.includes(event))).toBe(true);
  await expect
    .poll(async () => (await stored(page)).indexedDb.some((text) => text.includes(event)))
    .toBe(true);
  await expect
    .poll(async () => (await stored(page)).indexedDb.some((text) => text.includes(person.email)))
    .toBe(true);
  const scope = await page.evaluate(() => localStorage.getItem('clearway_scope'));
  const { refresh_token } = await storedTokens(page);
  return { event, secrets: [event, person.email, scope!, refresh_token!] };
}

test('signing out in one tab clears the others and deletes all copies; an answer that arrives later is not kept', async ({
  page,
  context,
  service,
}) => {
  const controls = new Map<string, string | undefined>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) controls.set(pathname, response.headers()['cache-control']);
  });
  const { secrets } = await useBoard(page, service, ADMIN);
  // The browser's own cache keeps no answer of the API.
  expect([...controls.keys()]).toContain('/api/v1/feeds/');
  for (const [path, control] of controls) expect(control, path).toContain('no-store');
  const other = await context.newPage();
  await other.goto('/disruptions');
  await boardShown(other);

  service.proxy.set('slow', 'api');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.locator('[data-refreshing]')).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL('/login');
  expect(await rowsOf(other)).toEqual([]);
  await service.proxy.settled();
  service.proxy.set('pass');
  // Asks the same worker, after its pending work.
  await page.evaluate(() => fetch('/config.json').then((answer) => answer.text()));
  await expectNothingKept(page, secrets);
});

test('signing out deletes all copies while the server is down too; the next person sees nothing and cannot sign in', async ({
  page,
  service,
}) => {
  const { secrets } = await useBoard(page, service, ADMIN);
  const titles = (await rowsOf(page)).flatMap(({ alerts }) => alerts);
  const second = await service.newPerson();
  await service.server.kill();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').fill(second.email);
  await page.getByLabel('Password').fill(second.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please check your credentials.');
  await expect(page).toHaveURL('/login');
  for (const title of titles) await expect(page.getByText(title)).toHaveCount(0);
  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
  await expectNothingKept(page, secrets);
});

test('when another user signs in nothing of the first is shown or kept, and nothing of the second once the server ended that session', async ({
  page,
  service,
}) => {
  const first = await useBoard(page, service, ADMIN);
  const second = await service.newPerson();

  // The user does not sign out: the form can still be opened by its address.
  await signIn(page, second);
  const everything = JSON.stringify(await stored(page));
  for (const secret of first.secrets) expect(everything).not.toContain(secret);

  service.proxy.set('refused');
  await page.goto('/disruptions');
  await expect(page.getByText('Unable to load AI feed summaries')).toBeVisible();
  await expect(page.getByText('No feeds available')).toBeVisible();
  expect(await rowsOf(page)).toEqual([]);

  service.proxy.set('pass');
  await page.reload();
  await boardShown(page);
  await page.goto('/admin/users');
  await expect(page).toHaveURL('/dashboard');

  const { secrets } = await useBoard(page, service, second);
  await service.proxy.settled(); // a call under way may close the board before the button is pressed
  const { access_token, session_id } = await storedTokens(page);
  await fetch(`${service.server.origin}/api/v1/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id }),
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page).toHaveURL('/login');
  // The path alone is kept, for the same person.
  const kept = await page.evaluate(() => localStorage.getItem('clearway_way_back'));
  expect(JSON.parse(kept!)).toEqual({ user: expect.any(String), path: '/disruptions' });
  await page.evaluate(() => localStorage.removeItem('clearway_way_back'));
  await expectNothingKept(page, secrets);
});
