/** `npm run bench -- refresh`: what a refresh without news costs a board. Needs a build (`vite build`). */
import { chromium, expect, type Page } from '@playwright/test';
import { startReplay } from '../server/operate/replay.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../tests/support/chromium.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';

/** How many refreshes are measured, after a few to warm up. */
const RUNS = 40;
const WARM_UP = 10;
/** Long enough for everything that a refresh triggers. */
const SETTLE_MS = 250;

const SCREENS = { board: '/disruptions', wall: '/disruptions?display=wall' } as const;

/** The board's button, or the wall's key; without Playwright's own script, which would count. */
const PRESS = `(document.querySelector('main header > div > button') ?? { click() {
  dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }));
} }).click()`;

const replay = await startReplay({ stepSeconds: 0 });
const server = await startServer({ settings: replay.settings });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
const tokens = await signIn();
await collected();

console.log('| screen | worker | bytes | script, ms: median (least) | all tasks, ms: median (least) |');
console.log('| ------ | ------ | ----- | -------------------------- | ----------------------------- |');
for (const [screen, path] of Object.entries(SCREENS)) {
  for (const serviceWorkers of ['block', 'allow'] as const) {
    const context = await browser.newContext({ serviceWorkers, baseURL: server.origin });
    const page = await context.newPage();
    await page.goto('/favicon.svg');
    await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(tokens)})`);
    await page.goto(path);
    await page.getByRole('article', { name: 'Rail Network' }).waitFor();
    if (serviceWorkers === 'allow') {
      await expect.poll(() => page.evaluate('!!navigator.serviceWorker.controller')).toBe(true);
    }
    const { bytes, script, tasks } = await measure(page);
    const figures = [bytes, `${median(script)} (${least(script)})`, `${median(tasks)} (${least(tasks)})`];
    console.log(`| ${screen} | ${serviceWorkers === 'allow' ? 'yes' : 'no'} | ${figures.join(' | ')} |`);
    await context.close();
  }
}
await browser.close();
await server.dispose();
await replay.close();

async function measure(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  // By the processor time of the page's thread, so that other load on the machine has no effect.
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await devtools.send('Performance.enable');
  const spent = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const ms = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value * 1000;
    return { script: ms('ScriptDuration'), tasks: ms('TaskDuration') };
  };
  let bytes = 0;
  page.context().on('response', async (response) => {
    if (!response.url().includes('/feeds/') || response.fromServiceWorker()) return;
    const request = response.request();
    const { responseHeadersSize, responseBodySize } = await request.sizes();
    bytes = responseHeadersSize + responseBodySize;
  });

  const script: number[] = [];
  const tasks: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const before = await spent();
    await page.evaluate(PRESS);
    await page.waitForTimeout(SETTLE_MS);
    const after = await spent();
    if (run < 0) continue;
    script.push(after.script - before.script);
    tasks.push(after.tasks - before.tasks);
  }
  return { bytes, script, tasks };
}

async function signIn(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { access_token, refresh_token, session_id } = (await answer.json()) as Record<string, string>;
  return { access_token: access_token!, refresh_token: refresh_token!, session_id: session_id! };
}

/** Waits until the board's answer stays the same for a while: all sources are collected, and all summaries made. */
async function collected() {
  for (let same = 0, last = ''; same < 5;) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const answer = await fetch(`${server.origin}/api/v1/feeds/?include_events=true`, {
      headers: { authorization: `Bearer ${tokens['access_token']}` },
    });
    const etag = answer.headers.get('etag') ?? String((await answer.text()).length);
    same = etag === last ? same + 1 : 0;
    last = etag;
  }
}

function least(values: readonly number[]): string {
  return Math.min(...values).toFixed(1);
}

function median(values: readonly number[]): string {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(1);
}
