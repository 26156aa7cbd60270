/**
 * Loaded into the server by NODE_OPTIONS (`--import`): for how long one piece of work keeps its main thread. At SIGUSR2 it
 * prints the longest since the last such signal, and begins again.
 */
import { flushCompileCache } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 5;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  let before = process.threadCpuUsage();
  let longestMs = 0;
  // By the thread's own processor time, as on a busy machine any work is long by the clock.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
  }, LOOK_MS).unref();

  process.on('SIGUSR2', () => {
    const byTheClockMs = delay.max / 1e6;
    console.log(`longest block: ${JSON.stringify({ processorMs: longestMs, byTheClockMs })}`);
    // A server that is killed keeps nothing of what it compiled.
    flushCompileCache();
    delay.reset();
    longestMs = 0;
    before = process.threadCpuUsage();
  });
}
