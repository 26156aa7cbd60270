import type { Page } from '@playwright/test';
import type { FaultProxy } from './faultProxy.ts';

/** From now on the server has a later build: another page, and the worker that belongs to it. */
export function deploy(proxy: FaultProxy, build: string) {
  proxy.replace('/index.html', (html) => html.replace('<html', `<html data-build="${build}"`));
  proxy.replace('/sw.js', (worker) => {
    const revised = worker.replace(
      /("?url"?:\s*"index\.html",\s*"?revision"?:\s*"|"?revision"?:\s*")[0-9a-f]{32}("(?:,\s*"?url"?:\s*"index\.html")?)/g,
      (entry) =>
        entry.includes('index.html') ? entry.replace(/[0-9a-f]{32}/, build.padEnd(32, '0')) : entry,
    );
    if (revised === worker) throw new Error('The worker names no revision of index.html');
    return revised;
  });
}

/** The build that this page belongs to; null for the first. */
export const buildOf = (page: Page) => page.locator('html').getAttribute('data-build');
