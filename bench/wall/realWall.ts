/** A paired display in Chromium with its worker and a profile on disk, its server with replayed sources, and the
 *  connection between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import type { TeamDisplay } from '#contract/displays/displays.ts';
import { startReplay } from '../../server/operate/replay.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../tests/support/chromium.ts';
import { startFaultProxy } from '../../tests/support/faultProxy.ts';
import { ADMIN, startServer } from '../../tests/support/server.ts';

const FIRST_LOAD_MS = 120_000;
const LOOK_MS = 200;

export async function startRealWall({ stepSeconds }: { stepSeconds: number }) {
  const replay = await startReplay({ stepSeconds });
  replay.step(); // the second scene has a critical alert
  const server = await startServer({ settings: replay.settings });
  const proxy = await startFaultProxy(server.origin, server.running);
  const profile = await mkdtemp(join(tmpdir(), 'clearway-wall-'));
  const errors: string[] = [];
  let token = '';

  /** Calls the server as an administrator, and not over the display's connection. */
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const send = () =>
      fetch(`${server.origin}/api/v1/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    let answer = await send();
    if (answer.status === 401) {
      token = '';
      ({ access_token: token } = await call<{ access_token: string }>('POST', 'auth/login', ADMIN));
      answer = await send();
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? null : await answer.json()) as T;
  }

  const powerOn = async (): Promise<[BrowserContext, Page]> => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath(),
      args: CHROMIUM_FLAGS,
      viewport: { width: 1920, height: 1080 },
      locale: 'en-GB',
      serviceWorkers: 'allow',
    });
    const page = context.pages()[0] ?? (await context.newPage());
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${proxy.origin}/disruptions?display=wall`, { timeout: FIRST_LOAD_MS });
    return [context, page];
  };

  let [context, page] = await powerOn();
  const user_code = await page.getByText(/^[B-Z]{4}-[B-Z]{4}$/).textContent({ timeout: FIRST_LOAD_MS });
  const { id } = await call<{ id: string }>('POST', 'displays/pairing/approve', {
    user_code,
    name: 'Control room',
  });
  await page.getByText('Rail Network').first().waitFor({ timeout: FIRST_LOAD_MS });
  while ((await page.evaluate<unknown>('navigator.serviceWorker.controller?.state')) !== 'activated')
    await pause(LOOK_MS);

  return {
    server,
    proxy,
    id,
    errors,
    call,
    page: () => page,
    context: () => context,
    own: async () =>
      (await call<{ displays: TeamDisplay[] }>('GET', 'displays')).displays.find((one) => one.id === id)!,
    give: (layout_id: string) => call('POST', 'displays/assignments', { to: { displays: [id] }, layout_id }),

    /** kill -9 for the browser, which also ends its other processes. */
    async cutPower(): Promise<void> {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
          const isMain = !words.some((word) => word.startsWith('--type='));
          if (isMain && words.includes(`--user-data-dir=${profile}`)) process.kill(Number(pid), 'SIGKILL');
        } catch {
          /* it has ended meanwhile */
        }
      }
      await context.close().catch(() => {});
    },
    async powerOn(): Promise<void> {
      [context, page] = await powerOn();
    },
    async close(): Promise<void> {
      await context.close();
      await proxy.close();
      await server.dispose();
      await replay.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
