/** Three days of a board in a browser: 4,320 refreshes with changing data, on a clock that is moved forward. Run
 *  `npm run build` first. `npm run bench -- soak [refreshes] [address | playlist]`. `playlist`: a paired display
 *  that changes its page six times with each refresh. */
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../tests/support/chromium.ts';
import { startServer } from '../tests/support/server.ts';
import { type Figure, INTERPRETED, PLAYLIST, soak } from '../tests/support/soak.ts';

const DAY = 1440;
const WARM_UP = 80;
const MOST_HEAP_BYTES_A_DAY = 500_000;
/** 1.3 MB of it are the browser's own record of each request, which it keeps for the tool that measures. */
const MOST_BROWSER_BYTES_A_DAY = 3_000_000;
const MOST_NODES = 0.02;

const mb = (bytes: number) => (bytes / 1e6).toFixed(2);

const refreshes = Number(process.argv[3] ?? 3 * DAY);
const isPlaylist = process.argv[4] === 'playlist';
const address = (isPlaylist ? undefined : process.argv[4]) ?? '/disruptions?display=wall';
const step = Math.min(DAY / 3, refreshes);
const marks = Array.from({ length: Math.ceil(refreshes / step) + 1 }, (_, index) => WARM_UP + index * step);

const server = await startServer();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [...CHROMIUM_FLAGS, INTERPRETED],
});
try {
  const page = await browser.newPage({
    baseURL: server.origin,
    viewport: { width: 1920, height: 1080 },
    serviceWorkers: 'block',
  });
  console.log(`${address}, ${refreshes} refreshes, ${browser.version()}\n`);
  console.log(
    '| refreshes | pages drawn | minutes | heap, MB | browser, MB | DOM nodes | listeners |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  const began = performance.now();
  const onFigure = (figure: Figure) => {
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    const { heapBytes, browserBytes, nodes, listeners, pages } = figure;
    console.log(
      `| ${figure.refreshes} | ${pages} | ${minutes} | ${mb(heapBytes)} | ${mb(browserBytes)} | ${nodes} | ${listeners} |`,
    );
  };
  const { figures, errors } = await soak(page, address, marks, {
    onFigure,
    ...(isPlaylist && { playlist: PLAYLIST }),
  });
  console.log(`\nUncaught errors: ${errors.length}`, ...errors.slice(0, 5));

  const [first, last] = [figures[0]!, figures.at(-1)!];
  const aDay = (kept: 'heapBytes' | 'browserBytes') =>
    (last[kept] - first[kept]) / ((last.refreshes - first.refreshes) / DAY);
  const nodes = Math.abs(last.nodes - first.nodes) / first.nodes;
  console.log(
    `Per ${DAY} refreshes the heap grows by ${mb(aDay('heapBytes'))} MB, what the browser keeps by ${mb(aDay('browserBytes'))} MB; ` +
      `DOM nodes differ by ${(nodes * 100).toFixed(1)} %`,
  );
  const grows = aDay('heapBytes') > MOST_HEAP_BYTES_A_DAY || aDay('browserBytes') > MOST_BROWSER_BYTES_A_DAY;
  if (errors.length > 0 || grows || nodes > MOST_NODES) process.exitCode = 1;
} finally {
  await browser.close();
  await server.dispose();
}
