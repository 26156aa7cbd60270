/** Parts that the browser tests share: a real server fed by a stepped replay, network faults, and readers of the
 *  board. */
import { test as base, expect, type Page } from '@playwright/test';
import type { CollectorStatus } from '../../contract/incidents/disruptions.ts';
import type { FeedBundle } from '../../contract/feeds/feeds.ts';
import { startReplay, type Replay } from '../../server/operate/replay.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import { ADMIN, type RunningServer, startServer } from './server.ts';

export { ADMIN, expect };

export interface Person {
  email: string;
  password: string;
}

/** One worker's service: upstreams in replay, the server that collects them, and the proxy before it. */
export interface Service {
  readonly replay: Replay;
  readonly server: RunningServer;
  readonly proxy: FaultProxy;
  /** Asks the API as this person, past the proxy, and returns the JSON. */
  read<T>(path: string, person?: Person): Promise<T>;
  /** The board's rows as the API returns them. */
  feeds(): Promise<FeedBundle[]>;
  /** Returns once every source has been asked (after `at`, if given), and every summary covers what they reported. */
  collected(at?: Date): Promise<void>;
  /** Advances the upstreams, and returns once the server has collected and summarised their new state. */
  step(): Promise<void>;
  /** An account of role user for this caller alone, in a team of its own. */
  newPerson(): Promise<Person>;
}

export const test = base.extend<
  { clean: void; drawsMap: boolean; hearsWorker: boolean; hearing: void },
  { server: string; environment: Record<string, string>; service: Service }
>({
  /** Tests with the same name share a server. A test that steps its server has one of its own. */
  server: ['shared', { option: true, scope: 'worker' }],

  /** More of the server's environment variables. */
  environment: [{}, { scope: 'worker' }],

  service: [
    async ({ server: _, environment }, use) => {
      const replay = await startReplay({ stepSeconds: 0 });
      replay.step(); // the second scene has a critical alert
      const server = await startServer({
        settings: replay.settings,
        env: { REGISTRATION: 'open', TEAMS: 'many', ...environment },
      });
      const proxy = await startFaultProxy(server.origin, server.running);
      const service = serviceOf(replay, server, proxy);
      await service.collected();
      await use(service);
      await proxy.close();
      await server.dispose();
      await replay.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  /** Repairs for the next test what a test has broken. */
  clean: [
    async ({ service }, use) => {
      await use();
      service.proxy.set('pass');
      service.proxy.replaceNothing();
      if (!service.server.running()) await service.server.start();
    },
    { auto: true },
  ],

  baseURL: async ({ service }, use) => use(service.proxy.origin),

  /** Whether the map's pictures are drawn. A runner has no graphics card, and drawing them takes more than half of the
   *  processor time of a map that is opened or gets another size. Without them all else about the map is the same. */
  drawsMap: [false, { option: true }],

  context: async ({ context, drawsMap }, use) => {
    if (!drawsMap) await context.addInitScript(drawNothing);
    await use(context);
  },

  /** Whether the context hears the requests of the app's worker, and can set it offline. Hearing the some 160
   *  requests with which the worker installs the app takes a good part of that time. */
  hearsWorker: [false, { option: true }],

  hearing: [
    async ({ hearsWorker }, use) => {
      process.env.PLAYWRIGHT_DISABLE_SERVICE_WORKER_NETWORK = hearsWorker ? '' : '1'; // read where a worker starts
      await use();
    },
    { auto: true },
  ],
});

/** Runs in the page. */
function drawNothing() {
  WebGL2RenderingContext.prototype.drawElements = () => {};
}

function serviceOf(replay: Replay, server: RunningServer, proxy: FaultProxy): Service {
  const tokens = new Map<Person, string>();
  let people = 0;

  const read = async <T>(path: string, person: Person = ADMIN): Promise<T> => {
    for (const attempt of ['first', 'second']) {
      const token =
        tokens.get(person) ??
        (await post<{ access_token: string }>(server, 'auth/login', person)).access_token;
      tokens.set(person, token);
      const answer = await fetch(`${server.origin}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.ok) return (await answer.json()) as T;
      if (answer.status !== 401 || attempt === 'second') throw new Error(`${path}: status ${answer.status}`);
      tokens.delete(person);
    }
    throw new Error('unreachable');
  };
  const feeds = async () => (await read<{ feeds: FeedBundle[] }>('feeds/?include_events=true')).feeds;

  return {
    replay,
    server,
    proxy,
    read,
    feeds,

    async collected(at) {
      const since = at?.toISOString() ?? '';
      await expect
        .poll(
          async () => {
            const { collectors } = await read<{ collectors: CollectorStatus[] }>(
              'disruptions/collectors/status',
            );
            return collectors.filter(
              ({ last_attempt, last_success, consecutive_failures }) =>
                last_attempt &&
                last_attempt > since &&
                // In some scenes an upstream is down.
                (consecutive_failures > 0 || (last_success ?? '') > since),
            ).length;
          },
          { message: 'every source is collected', timeout: 40_000 },
        )
        .toBe(Object.keys(replay.scenes()).length);
      await expect
        .poll(async () => (await feeds()).every(({ summary }) => summary && !summary.stale), {
          message: 'every summary is made',
          timeout: 40_000,
        })
        .toBe(true);
    },

    async step() {
      replay.step();
      const at = new Date();
      // Every source is asked within seconds of a start; the ordinary schedule would take minutes.
      await server.stop();
      await server.start();
      await this.collected(at);
    },

    async newPerson() {
      const email = `driver-${process.pid}-${people++}@clearway.example`;
      const person = { email, password: 'platform-four-Didcot' };
      await post(server, 'auth/register', { ...person, display_name: 'A driver' });
      return person;
    },
  };
}

async function post<T>({ origin }: RunningServer, path: string, body: object): Promise<T> {
  const answer = await fetch(`${origin}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Fills in the form of /login and waits for the dashboard. */
export async function signIn(page: Page, { email, password }: Person = ADMIN): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}

/** The page is signed in from its next load on, with tokens. tests/e2e/session.spec.ts tests the form itself. */
export async function withSession(page: Page, person: Person = ADMIN): Promise<void> {
  const answer = await page.request.post('/api/v1/auth/login', { data: person });
  expect(answer.ok(), `signing in: status ${answer.status()}`).toBe(true);
  const { access_token, refresh_token, session_id } = (await answer.json()) as Record<string, string>;
  await page.goto('/favicon.svg'); // a page of the app's origin without the app
  await page.evaluate(
    (tokens) => {
      for (const [name, value] of Object.entries(tokens)) localStorage.setItem(name, value!);
    },
    { access_token, refresh_token, session_id },
  );
}

/** Opens the board as a signed-in user, and returns when its rows are shown. */
export async function openBoard(page: Page, person: Person = ADMIN): Promise<void> {
  await withSession(page, person);
  await page.goto('/disruptions');
  await boardShown(page);
}

/** The board, after the last of its requests. */
export async function openedWhole(page: Page): Promise<void> {
  const last = ['/api/v1/watches/', '/api/v1/responses/', '/api/v1/changes/summary'].map((path) =>
    page.waitForResponse((response) => response.url().includes(path)),
  );
  await openBoard(page);
  for (const answer of last) await (await answer).finished();
}

export async function boardShown(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Live Disruptions Board' })).toBeVisible();
  await expect(rowOf(page, 'Rail Network').getByRole('list', { name: 'All alerts' })).toBeAttached();
}

/** Makes the page's clock jump five seconds ahead and stand still: it cannot go back, and a busy machine is slow. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(5000 + (await page.evaluate(() => Date.now())));
}

/** Returns when the page is laid out in this size. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction((width) => innerWidth === width, size.width);
  // Elements that observe their own size react before the second frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Waits until a worker controls this page and has cached the whole app. */
export async function workerReady(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
      message: 'a service worker controls the page',
      timeout: 30_000, // it loads some 220 files
    })
    .toBe('activated');
}

export const rowOf = (page: Page, title: string) => page.getByRole('article', { name: title });

export interface ShownRow {
  title: string;
  count: string;
  summary: string;
  alerts: string[];
}

/** Everything on the board that depends on the data and not on the time. */
export function rowsOf(page: Page): Promise<ShownRow[]> {
  return page.locator('main article').evaluateAll((articles) =>
    articles.map((article) => {
      const text = (selector: string) => article.querySelector(selector)?.textContent?.trim() ?? '';
      // The number is read as a screen reader gets it: while the flaps turn they show two digits.
      const paragraphs = [...article.querySelectorAll('header p')];
      const count = paragraphs
        .find((p) => p.textContent?.includes('active alert'))
        ?.cloneNode(true) as Element;
      count?.querySelectorAll('[aria-hidden]').forEach((flap) => flap.remove());
      return {
        title: text('h2'),
        count: /\d+|Unknown number of/.exec(count?.textContent ?? '')?.[0] ?? '',
        summary: text('[aria-label*="Summary, "] h3 + *'),
        alerts: [...article.querySelectorAll('[aria-label="All alerts"] > li')].map(
          (item) => item.textContent ?? '',
        ),
      };
    }),
  );
}

/** "14:02:31". */
export async function lastRefresh(page: Page): Promise<string> {
  const shown = page.getByText(/Last refresh \d\d:\d\d:\d\d/);
  await expect(shown).toBeVisible();
  return /\d\d:\d\d:\d\d/.exec((await shown.textContent()) ?? '')![0];
}

/** Tokens that the browser itself keeps of a session. */
export function storedTokens(page: Page): Promise<Record<string, string | null>> {
  return page.evaluate(() =>
    Object.fromEntries(
      ['access_token', 'refresh_token', 'session_id'].map((name) => [name, localStorage.getItem(name)]),
    ),
  );
}

/** The text of a summary's panel. A built-in summary has lines; parts that are not given share one, in the place of
 *  the last. */
export function summaryShown({ text, metadata: { parts } }: NonNullable<FeedBundle['summary']>): string {
  if (!parts) return text;
  const lines = [
    ['Affected', parts.affected],
    ['Advice', parts.advice],
    ['Until', parts.until],
  ] as const;
  const missing = lines.filter(([, text]) => !text?.trim()).map(([name]) => name);
  return lines
    .flatMap(([name, text]) =>
      text?.trim()
        ? `${name} ${text.trim()}`
        : name === missing.at(-1)
          ? `${missing.join(', ')} Not given`
          : [],
    )
    .join('');
}
