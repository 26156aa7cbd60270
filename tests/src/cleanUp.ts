/** Cleans up after each test, and after each file that shares a worker with others. */
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as react from 'react';
import { afterAll, afterEach, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// React notes in two stack traces where each element was made, for its warnings: a fifth of the time. It stops by
// itself after ten thousand.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  react as unknown as Record<string, object>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => 10_000,
  set() {},
  configurable: true,
});

// Waits end later than after the usual second, because the machine may be busy. While they last, a missing element is
// reported without a print of the whole page; Testing Library adds it when its own wait has failed.
const PATIENCE_MS = 15_000;
const BRIEF = '_disableExpensiveErrorDiagnostics';
const { getElementError } = getConfig();
configure({
  asyncUtilTimeout: PATIENCE_MS,
  getElementError: (message, container) =>
    BRIEF in getConfig() && getConfig()[BRIEF as never]
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});
/** The library's own switch, which its described settings leave out. */
const setBrief = (brief: boolean) => configure({ [BRIEF]: brief } as object);
const { waitFor } = vi;
vi.waitFor = (found, options = PATIENCE_MS) =>
  waitFor(() => {
    setBrief(true);
    try {
      return found();
    } finally {
      setBrief(false);
    }
  }, options);
afterAll(() => {
  vi.waitFor = waitFor;
  configure({ getElementError });
});

// Testing Library does this by itself only if test functions are globals; ours are not.
afterEach(cleanup);

// A file is one page. When it closes, its timers end (a page that is offline asks again and again who is signed in),
// and the next file gets fresh modules of ours. The packages, which are most of the work, stay loaded.
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
