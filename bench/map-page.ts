/** `npm run bench -- map-page`: the whole page of the map, signed in, with its list, its requests and its tiles, and
 *  a page with Leaflet, a list and the same events, in one browser whose graphics are drawn by software. It prints
 *  the time of the main thread of both, and the ratios. Only the ratios can be compared between machines. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { signIn, workerReady } from '../tests/support/browser.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../tests/support/chromium.ts';
import { anEvent, startEventsApi, startTiles } from '../tests/support/mapWorld.ts';
import { freePort, startServer } from '../tests/support/server.ts';
import { FIRST_ZOOM, LONDON, points } from './map/points.ts';

const EVENTS = 500;
/** How often each figure of each page is measured, in turn. */
const RUNS = 3;
const STEPS = 20;
const FRAME_MS = 16;

/** Milliseconds of processor time of the main thread. */
interface Figures {
  'first idle': number;
  'five zooms': number;
  'five drags': number;
}

const folder = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
await build({ logLevel: 'warn' }); // the product, as it is served
await build({
  root: join(import.meta.dirname, 'map'),
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: folder,
    target: 'es2023',
    emptyOutDir: true,
    rolldownOptions: { input: join(import.meta.dirname, 'map', 'leaflet-page.html') },
  },
});
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const tiles = await startTiles();
const server = await startServer({ env: { TILE_URL: `${tiles.origin}/{z}/{x}/{y}.png` } });
const api = await startEventsApi(server.origin);
api.events = points(EVENTS).map(({ performance_id, name, latitude, longitude }) =>
  anEvent({ performance_id, name, latitude, longitude }),
);
const port = await freePort();
const pages = createServer((request, response) => {
  const { pathname, search } = new URL(request.url!, 'http://127.0.0.1');
  if (pathname === '/events') {
    fetch(`${api.origin}/api/v1/events/viewport${search}`)
      .then((answer) => answer.text())
      .then(
        (text) => response.setHeader('content-type', 'application/json').end(text),
        () => response.writeHead(502).end(),
      );
    return;
  }
  readFile(join(folder, pathname)).then(
    (file) => response.setHeader('content-type', TYPES[extname(pathname)] ?? 'image/png').end(file),
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => {
  pages.listen(port, '127.0.0.1', resolve);
});

const ADDRESSES = {
  clearway: `${api.origin}/map?lat=${LONDON.latitude}&lng=${LONDON.longitude}&zoom=${FIRST_ZOOM}`,
  leaflet: `http://127.0.0.1:${port}/leaflet-page.html?${new URLSearchParams({
    tiles: `${tiles.origin}/{z}/{x}/{y}.png`,
    events: '/events',
  })}`,
};
const MARKS = { clearway: '[data-order]', leaflet: '.leaflet-marker-icon' };
const ZOOM_IN = { clearway: 'button[aria-label="Zoom in"]', leaflet: '.leaflet-control-zoom-in' };
const MAP = { clearway: 'canvas', leaflet: '#map' };
type Name = keyof typeof ADDRESSES;

/** Waits until the page is at rest: no request for half a second, no animation, and an idle main thread. */
async function settle(page: Page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => requestIdleCallback(resolve), 700);
      }),
  );
}

async function measure(context: BrowserContext, name: Name): Promise<Figures> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' }); // other programs do not count
  const spent = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')!.value * 1000;
  };
  const costOf = async (act: () => Promise<void>) => {
    const before = await spent();
    await act();
    await settle(page);
    return (await spent()) - before;
  };

  const firstIdle = await costOf(async () => {
    await page.goto(ADDRESSES[name]);
    await page.locator(MARKS[name]).first().waitFor({ timeout: 60_000 });
  });
  const box = (await page.locator(MAP[name]).first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drags = await costOf(async () => {
    for (let drag = 0; drag < 5; drag += 1) {
      const [right, down] = drag % 2 ? [-200, -60] : [200, 60];
      await page.mouse.move(x - right / 2, y - down / 2);
      await page.mouse.down();
      for (let step = 1; step <= STEPS; step += 1) {
        await page.mouse.move(x + right * (step / STEPS - 0.5), y + down * (step / STEPS - 0.5));
        await page.waitForTimeout(FRAME_MS);
      }
      await page.mouse.up();
      await page.waitForTimeout(500);
    }
  });
  const zooms = await costOf(async () => {
    for (let zoom = 0; zoom < 5; zoom += 1) {
      await page.locator(ZOOM_IN[name]).click();
      await page.waitForTimeout(900);
    }
  });
  await page.close();
  return { 'first idle': firstIdle, 'five zooms': zooms, 'five drags': drags };
}

async function compare(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, baseURL: api.origin });
  const first = await context.newPage();
  await signIn(first);
  await workerReady(first);
  await first.close();
  const runs: Record<Name, Figures[]> = { clearway: [], leaflet: [] };
  for (let run = 0; run <= RUNS; run += 1) {
    for (const name of ['clearway', 'leaflet'] as const) {
      const figures = await measure(context, name);
      if (run > 0) runs[name].push(figures); // the first fills the caches
    }
  }
  const table = (['first idle', 'five zooms', 'five drags'] as const).map((figure) => {
    const ratios = runs.clearway.map((one, run) => one[figure] / runs.leaflet[run]![figure]).sort(ascending);
    const median = (name: Name) => runs[name].map((one) => one[figure]).sort(ascending)[RUNS >> 1]!;
    return {
      'main thread in': figure,
      'clearway, ms': Math.round(median('clearway')),
      'leaflet, ms': Math.round(median('leaflet')),
      ratio: (median('clearway') / median('leaflet')).toFixed(1),
      'least to most': `${ratios[0]!.toFixed(1)} to ${ratios.at(-1)!.toFixed(1)}`,
    };
  });
  console.table(table);
}

const ascending = (a: number, b: number) => a - b;

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [...CHROMIUM_FLAGS, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  await compare(browser);
} finally {
  await browser.close();
  await Promise.all([api.close(), tiles.close()]);
  await server.dispose();
  pages.close();
  await rm(folder, { recursive: true });
}
