/** Remains of each test, and of each file that shares a worker with others. */
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// Waits end, on a busy machine after more than the second that is usual.
const PATIENCE_MS = 15_000;
configure({ asyncUtilTimeout: PATIENCE_MS });
const { waitFor } = vi;
vi.waitFor = (found, options = PATIENCE_MS) => waitFor(found, options);
afterAll(() => void (vi.waitFor = waitFor));

// Testing Library does this by itself only if test functions are globals; ours are not.
afterEach(cleanup);

// A file is one page: when it closes, its timers end (somebody offline asks again and again who is signed in), and the
// next one gets modules of ours that remember nothing. The packages, which are most of the work, stay loaded.
const { setTimeout, setInterval } = globalThis;
const timers = new Set<ReturnType<typeof setTimeout>>();
const noting = (start: typeof setTimeout) =>
  Object.assign((...call: Parameters<typeof setTimeout>) => {
    const timer = start(...call);
    timers.add(timer);
    return timer;
  }, start);
Object.assign(globalThis, { setTimeout: noting(setTimeout), setInterval: noting(setInterval) });
afterAll(() => {
  Object.assign(globalThis, { setTimeout, setInterval });
  for (const timer of timers) clearTimeout(timer);
  vi.resetModules();
});
