/** `npm run bench -- idle [minutes] [address]`: the cost of a wall while nothing happens: one trace of real minutes,
 *  with a replay that stands still. Run `npm run build` first. */
import { chromium, type CDPSession } from '@playwright/test';
import { startReplay } from '../server/operate/replay.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../tests/support/chromium.ts';
import { ADMIN, startServer } from '../tests/support/server.ts';

const SETTLE_MS = 45_000;
const MOST_CPU = 0.02;

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  args: { name?: string; data?: { compositeFailed?: number; displayName?: string } };
}

const minutes = Number(process.argv[3] ?? 3);
const address = process.argv[4] ?? '/disruptions?display=wall';

const replay = await startReplay({ stepSeconds: 0 });
const server = await startServer({ settings: replay.settings });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
try {
  const page = await browser.newPage({
    baseURL: server.origin,
    viewport: { width: 1920, height: 1080 },
    serviceWorkers: 'block',
  });
  await page.goto('/login');
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('/dashboard');
  await page.goto(address);
  await pause(SETTLE_MS);

  const target = await page.context().newCDPSession(page);
  const whole = await browser.newBrowserCDPSession();
  await target.send('Performance.enable', { timeDomain: 'threadTicks' });
  const events: TraceEvent[] = [];
  whole.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await whole.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      recordMode: 'recordContinuously',
      includedCategories: ['devtools.timeline', 'blink.animations', '__metadata'],
    },
  });

  const before = await metrics(target);
  const cpuBefore = await rendererSeconds(whole);
  await pause(minutes * 60_000);
  const after = await metrics(target);
  const cpuAfter = await rendererSeconds(whole);
  const ended = new Promise<void>((resolve) => void whole.once('Tracing.tracingComplete', () => resolve()));
  await whole.send('Tracing.end');
  await ended;

  const perMinute = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / minutes;
  const seconds = minutes * 60;
  const cpu = (cpuAfter - cpuBefore) / seconds;
  const onMainThread = events.filter(
    ({ name, ph, args }) =>
      name === 'Animation' && 'bn'.includes(ph) && (args.data?.compositeFailed ?? 0) > 0,
  );
  const frames = events.filter(({ name }) => name === 'Paint').length / minutes;

  console.log(`${address}, ${minutes} minutes, ${browser.version()}\n`);
  console.log('| | a minute |\n| --- | ---: |');
  console.log(`| script | ${(perMinute('ScriptDuration') * 1000).toFixed(0)} ms |`);
  console.log(
    `| style and layout | ${((perMinute('RecalcStyleDuration') + perMinute('LayoutDuration')) * 1000).toFixed(0)} ms |`,
  );
  console.log(`| main thread, all tasks | ${(perMinute('TaskDuration') * 1000).toFixed(0)} ms |`);
  console.log(`| paints | ${frames.toFixed(0)} |`);
  console.log(`| animations on the main thread | ${(onMainThread.length / minutes).toFixed(1)} |`);
  console.log(`| renderer process, of one core | ${(cpu * 100).toFixed(2)} % |`);
  if (perMinute('TaskDuration') / 60 > MOST_CPU || onMainThread.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await server.dispose();
  await replay.close();
}

/** In seconds. */
async function metrics(target: CDPSession): Promise<Record<string, number>> {
  const { metrics: found } = await target.send('Performance.getMetrics');
  return Object.fromEntries(found.map(({ name, value }) => [name, value]));
}

/** Processor time of all renderers, in seconds. */
async function rendererSeconds(whole: CDPSession): Promise<number> {
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
