/** How long one piece of work keeps the server's main thread. NODE_OPTIONS (`--import`) loads this file into the
 *  server. At SIGUSR2 it prints the longest since the last such signal, and begins again. */
import { flushCompileCache } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 5;

/** Processor time of one fixed piece of work, the best of three: how fast this machine is now. It counts in steps of
 *  4 ms. */
function yardstickMs(): number {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, words: `Closed ${at}` })));
  const times = Array.from({ length: 3 }, () => {
    const began = process.threadCpuUsage();
    for (let times = 0; times < 40; times++) JSON.parse(text);
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  let before = process.threadCpuUsage();
  let longestMs = 0;
  // The thread's own processor time is measured: by the clock, all work is long on a busy machine.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
  }, LOOK_MS).unref();

  process.on('SIGUSR2', () => {
    const byTheClockMs = delay.max / 1e6;
    const said = { processorMs: longestMs, byTheClockMs, yardstickMs: yardstickMs() };
    console.log(`longest block: ${JSON.stringify(said)}`);
    // A killed server keeps nothing of its compiled code.
    flushCompileCache();
    delay.reset();
    longestMs = 0;
    before = process.threadCpuUsage();
  });
}
