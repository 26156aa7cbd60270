/** Uncaught errors of pages and of their worker. */
import type { BrowserContext } from '@playwright/test';
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
