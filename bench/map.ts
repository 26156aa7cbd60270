/** `npm run bench -- map`: this map and leaflet.markercluster, the usual choice, with the same events and tiles in
 *  one browser. The graphics are drawn by software, so only the ratios can be compared. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { outline } from '../build/outline.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../tests/support/chromium.ts';
import { startTiles } from '../tests/support/mapWorld.ts';
import { freePort } from '../tests/support/server.ts';
import { FIRST_ZOOM, ZOOMS } from './map/points.ts';

const MAPS = ['clearway', 'leaflet'] as const;
const COUNTS = [500, 5000, 50_000];
/** The figures are medians of this many runs. */
const RUNS = 3;

interface Figures {
  firstIdleMs: number;
  longTasksMs: number;
  longestTaskMs: number;
  heapMb: number;
}

/** Functions and measurements of the test pages. */
declare global {
  var prepare: (count: number) => void;
  var start: (tileUrl: string) => Promise<void>;
  var zoomTo: (zoom: number) => Promise<void>;
  var longTasks: number[];
}

const folder = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
await build({
  root: join(import.meta.dirname, 'map'),
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), outline()],
  build: {
    outDir: folder,
    target: 'es2023',
    emptyOutDir: true,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: join(import.meta.dirname, 'map', 'page.html') },
  },
});

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const port = await freePort();
const pages = createServer((request, response) => {
  const [path] = request.url!.split('?') as [string];
  readFile(join(folder, path)).then(
    (file) => response.setHeader('content-type', TYPES[extname(path)] ?? 'font/woff2').end(file),
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => {
  pages.listen(port, '127.0.0.1', resolve);
});
const tiles = await startTiles();

async function measure(browser: Browser, name: string, count: number): Promise<Figures> {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  await page.goto(`http://127.0.0.1:${port}/page.html?map=${name}`);
  await page.waitForFunction(() => 'zoomTo' in globalThis);
  await page.evaluate((events) => globalThis.prepare(events), count);
  const devtools = await page.context().newCDPSession(page);
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, ...rest } = await devtools.send('Runtime.getHeapUsage');
    // The index is in typed arrays, which the script heap does not include; older browsers do not report them.
    const { backingStorageSize = 0, embedderHeapUsedSize = 0 } = rest as Record<string, number>;
    return (usedSize + backingStorageSize + embedderHeapUsedSize) / 1e6;
  };

  const before = await heap();
  const firstIdleMs = await page.evaluate(async (tileUrl) => {
    const began = performance.now();
    await globalThis.start(tileUrl);
    await new Promise((resolve) => {
      requestIdleCallback(resolve);
    });
    return performance.now() - began;
  }, `${tiles.origin}/{z}/{x}/{y}.png`);
  const heapMb = (await heap()) - before;

  const longTasks = await page.evaluate(
    async ([first, zooms]) => {
      const tasks: number[] = [];
      const settle = () =>
        new Promise((resolve) => {
          setTimeout(() => requestIdleCallback(resolve), 500); // clusters go on moving after the map has stopped
        });
      await settle();
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      );
      observer.observe({ type: 'longtask' });
      for (let zoom = first! + 1; zoom <= first! + zooms!; zoom += 1) {
        await globalThis.zoomTo(zoom);
        await settle();
      }
      return tasks;
    },
    [FIRST_ZOOM, ZOOMS],
  );
  await page.close();
  return {
    firstIdleMs,
    longTasksMs: longTasks.reduce((sum, task) => sum + task, 0),
    longestTaskMs: Math.max(0, ...longTasks),
    heapMb,
  };
}

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [...CHROMIUM_FLAGS, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const table: Record<string, string | number>[] = [];
try {
  for (const count of COUNTS) {
    for (const name of MAPS) {
      const runs: Figures[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, name, count));
      const median = (figure: keyof Figures) =>
        runs.map((one) => one[figure]).sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
      table.push({
        events: count,
        map: name,
        'first idle, ms': Math.round(median('firstIdleMs')),
        'long tasks over 5 zooms, ms': Math.round(median('longTasksMs')),
        'longest task, ms': Math.round(median('longestTaskMs')),
        'heap, MB': Number(median('heapMb').toFixed(1)),
      });
    }
  }
} finally {
  await browser.close();
  await tiles.close();
  pages.close();
  await rm(folder, { recursive: true });
}
console.table(table);
