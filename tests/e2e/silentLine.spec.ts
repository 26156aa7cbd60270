/** A connection that is open and silent, in real time: every screen has new data again within its next refresh, on a
 *  device of its own and with all screens in one browser. `npm run bench -- silent-line` sets the length; `npm test`
 *  tests the worker's part (`chaos.spec.ts`). */
import type { BrowserContext, Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { ADMIN, expect, type Service, test, withSession, workerReady } from '../support/browser.ts';
import { listen } from '../support/uncaught.ts';

const SILENT_SECONDS = Number(process.env.SILENT_SECONDS ?? 0);

test.use({
  serviceWorkers: 'allow',
  hearsWorker: true,
  server: 'behind a silent line',
  environment: { OUTGOING_ALLOW: '127.0.0.1' },
  viewport: { width: 1000, height: 600 },
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    }),
});

/** A refresh comes a minute after the last one, and its answer may take 3 s; a failed one is repeated within the
 *  same time. */
const NEXT_REFRESH_MS = 90_000;
/** Time that a request may last, and a machine be late. */
const LATE_MS = 2000;
const PAGE_MS = 15_000 + LATE_MS;
const WORKER_MS = 30_000 + LATE_MS;

const SCREENS = {
  board: '/disruptions',
  wall: '/disruptions?display=wall',
  map: '/map?lat=53.75&lng=-1.7&zoom=9',
  routes: '/routes',
  messages: '/messages',
} as const;
type Screen = keyof typeof SCREENS;

const WORKER = '/sw.js';
const BEFORE = 'Lorry over';
const AFTER = 'Tree down';

/** The place where each screen shows a report of the team. */
const shows = (page: Page, screen: Screen, title: string) =>
  ({
    board: page.getByRole('region', { name: 'Ours', exact: true }).getByText(title).first(),
    wall: page.getByRole('region', { name: 'Ours', exact: true }).getByText(title).first(),
    map: page.getByRole('list', { name: 'Disruptions' }).getByText(title).first(),
    routes: page.getByRole('list', { name: 'Routes, worst first' }).getByText(title).first(),
    messages: page.getByRole('listitem').getByText(title).first(),
  })[screen];

/** Asks as the administrator, not over the silent connection. */
async function asAdmin(service: Service) {
  const ask = async (path: string, body: unknown, token?: string, method = 'POST') => {
    const answer = await fetch(`${service.server.origin}/api/v1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: status ${answer.status}: ${text}`).toBe(true);
    return (text === '' ? null : JSON.parse(text)) as never;
  };
  const { access_token } = await ask('auth/login', ADMIN);
  return (path: string, body: unknown, method?: string) => ask(path, body, access_token, method);
}

const report = (title: string, watch_id: string) => ({
  id: randomUUID(),
  title,
  severity: 'critical',
  watch_id,
  from_km: 8,
  to_km: 9,
});

interface Lasted {
  path: string;
  at: number;
  endedAt: number | null;
}
interface Asked extends Lasted {
  by: 'page' | 'worker';
}

/** All requests of pages and worker with their ends. */
function timed(context: BrowserContext): Asked[] {
  const asked: Asked[] = [];
  context.on('request', (request) => {
    const one: Asked = {
      by: request.serviceWorker() ? 'worker' : 'page',
      path: new URL(request.url()).pathname,
      at: Date.now(),
      endedAt: null,
    };
    asked.push(one);
    const end = (other: unknown) => {
      if (other === request) one.endedAt = Date.now();
    };
    context.on('requestfinished', end);
    context.on('requestfailed', end);
  });
  return asked;
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;
const lasted = ({ at, endedAt }: Lasted) => (endedAt ?? Date.now()) - at;

if (SILENT_SECONDS > 0)
  test(`a line that is open and silent for ${SILENT_SECONDS} s, and then well`, async ({
    browser,
    service,
    baseURL,
  }) => {
    test.setTimeout((SILENT_SECONDS + 600) * 1000);
    const admin = await asAdmin(service);
    const route = (name: string, leg: object) =>
      admin('watches', {
        kind: 'route',
        name,
        made_by: 'junctions',
        legs: [{ type: 'road', sense: 1, ...leg }],
      });
    const { id: before } = await route('Manchester to Leeds', { road: 'M62', from: 'J18', to: 'J29' });
    // A second message about one route would wait for five minutes.
    const { id: after } = await route('Wakefield to Leeds', { road: 'M1', from: 'J39', to: 'J46' });
    await admin('channels', { kind: 'webhook', name: 'Nobody', address: 'https://127.0.0.1:9/' });
    await admin('reports', report(BEFORE, before));

    const uncaught: string[][] = [];
    const asked: Asked[][] = [];
    const device = async () => {
      const context = await browser.newContext({
        ...(baseURL !== undefined && { baseURL }),
        serviceWorkers: 'allow',
      });
      uncaught.push(await listen(context, service));
      asked.push(timed(context));
      return context;
    };
    const open = async (context: BrowserContext, screen: Screen) => {
      const page = await context.newPage();
      await page.goto(SCREENS[screen]);
      await workerReady(page);
      // After this the worker has copies of all its requests. A new person's message comes half a minute later.
      await expect(async () => {
        await page.reload();
        await expect(shows(page, screen, BEFORE)).toBeVisible({ timeout: 10_000 });
      }).toPass({ timeout: 90_000 });
      return page;
    };
    const names = Object.keys(SCREENS) as Screen[];
    const pages: { name: string; screen: Screen; page: Page }[] = [];
    for (const screen of names) {
      const context = await device();
      await withSession(await context.newPage(), await service.newPerson());
      pages.push({ name: screen, screen, page: await open(context, screen) });
    }
    const shared = await device();
    await withSession(await shared.newPage(), await service.newPerson());
    for (const screen of names)
      pages.push({ name: `${screen}, beside the others`, screen, page: await open(shared, screen) });
    const ended = await device();
    const person = await service.newPerson();
    await withSession(await ended.newPage(), person);
    const refused = await open(ended, 'board');

    service.proxy.set('silent');
    const since = Date.now();
    const wait = (until: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.max(0, since + until * 1000 - Date.now())));

    await wait(SILENT_SECONDS / 3);
    await admin('reports', report(AFTER, after));
    const { users } = (await admin('admin/users', undefined, 'GET')) as {
      users: { id: string; email: string }[];
    };
    const { id } = users.find(({ email }) => email === person.email)!;
    await admin(`admin/users/${id}`, { is_active: false }, 'PATCH');

    // A person reloads a page that shows nothing new: the app appears with its last data.
    await wait((SILENT_SECONDS * 2) / 3);
    for (const { page } of pages) await page.reload();
    for (const { page, screen } of pages)
      if (screen !== 'messages') await expect(shows(page, screen, BEFORE)).toBeVisible();
    await wait(SILENT_SECONDS);

    const wellAt = Date.now();
    service.proxy.set('pass');
    const told: Record<string, number> = {};
    await Promise.all([
      ...pages.map(async ({ name, screen, page }) => {
        await expect(shows(page, screen, AFTER), name).toBeVisible({ timeout: NEXT_REFRESH_MS });
        told[name] = seconds(Date.now() - wellAt);
      }),
      expect(refused, 'a refused session')
        .toHaveURL(/\/login/, { timeout: NEXT_REFRESH_MS })
        .then(() => (told['a refused session'] = seconds(Date.now() - wellAt))),
    ]).finally(() => console.log('seconds until new data:', told));

    for (const { name, page, screen } of pages) {
      await page.reload();
      await expect(shows(page, screen, AFTER), `${name}, reloaded`).toBeVisible();
    }

    const all = asked.flat().filter(({ at }) => at >= since);
    const longest = (requests: readonly Lasted[]) =>
      requests.toSorted((one, other) => lasted(other) - lasted(one));
    const by = {
      page: longest(all.filter((one) => one.by === 'page')),
      worker: longest(all.filter((one) => one.by === 'worker')),
      line: longest(service.proxy.forgotten.filter(({ path }) => path !== WORKER)),
    };
    for (const [who, [first, ...rest]] of Object.entries(by))
      console.log(
        `${who}: ${rest.length + 1} requests, the longest ${seconds(lasted(first!))} s, ${first!.path}`,
      );
    const tooLong = by.page.filter((one) => lasted(one) >= PAGE_MS);
    for (const one of tooLong)
      console.log(`${one.path} was asked ${seconds(one.at - since)} s after the line fell silent`);
    expect(lasted(by.page[0]!)).toBeLessThan(PAGE_MS);
    expect(lasted(by.worker[0]!)).toBeLessThan(WORKER_MS);
    expect(lasted(by.line[0]!)).toBeLessThan(WORKER_MS);
    // The browser's own look for a worker, after a reload, has no time limit that an app could set. It makes one at a
    // time.
    const looks = service.proxy.forgotten.filter(({ path, endedAt }) => path === WORKER && endedAt === null);
    expect(looks.length).toBeLessThanOrEqual(asked.length);
    expect(uncaught.flat()).toEqual([]);
  });
