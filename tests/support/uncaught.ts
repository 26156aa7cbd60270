/** Uncaught errors of pages and of their worker. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Service } from './browser.ts';

const CHANNEL = 'uncaught';

/** Reports the worker's uncaught errors to every page of the origin, from its first line on. */
export const REPORTING = `for (const type of ['error', 'unhandledrejection'])
  self.addEventListener(type, (event) =>
    new BroadcastChannel('${CHANNEL}').postMessage('worker: ' + (event.reason?.stack ?? event.reason ?? event.message)));\n`;

/** Collects uncaught errors from now on, in any page or worker. Must be called before the first page is opened. */
export async function listen(context: BrowserContext, service: Service): Promise<string[]> {
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

/** Asks the worker for one resource of each kind that it answers, before any of them is in its cache. */
export function askForAll(page: Page): Promise<string[]> {
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
