/**
 * Unit, component and server tests. The server and the worker run in Node, the app in a simulated page. Files share the
 * packages that they load (`isolate: false`: half the work for the app's), and leave everything else as it was. The few
 * that cannot run apart.
 */
import { defineConfig } from 'vitest/config';
import { outline } from './build/outline.ts';

/** The app's tests run in a simulated page, with a storage in place of the IndexedDB that it lacks. */
const app = {
  environment: 'happy-dom',
  setupFiles: ['tests/src/cleanUp.ts'],
  alias: { 'idb-keyval': new URL('tests/src/offline/fakeStorage.ts', import.meta.url).pathname },
  // Hours of a simulated clock are quick on an idle machine, and tests do not race.
  testTimeout: 60_000,
};
/** They replace a module of ours by `vi.mock`, or open several tabs and count each call: nothing passes to or from others. */
const APART = [
  'tests/src/api/http.test.ts',
  'tests/src/session/demotion.test.ts',
  'tests/src/session/session.test.ts',
  'tests/src/pairing/displayCredential.test.ts',
  'tests/src/pairing/pairingCode.test.ts',
  'tests/src/map/mapPage.test.tsx',
  'tests/src/addresses/anyId.test.tsx',
  'tests/src/app/app.test.tsx',
  'tests/src/board/slowStorage.test.tsx',
];

export default defineConfig({
  test: {
    // Offers one PostgreSQL to the whole run, and starts it only when a test asks for it.
    globalSetup: ['tests/support/postgres.ts'],
    maxWorkers: 2, // much of the time goes in waiting for servers that a test starts
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          isolate: false,
          include: ['tests/server/**/*.test.ts'],
          // The first that asks waits for PostgreSQL to be made and started, on however busy a machine.
          hookTimeout: 120_000,
          testTimeout: 30_000,
        },
      },
      {
        test: { name: 'sw', environment: 'node', include: ['tests/sw/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        plugins: [outline()],
        test: {
          ...app,
          name: 'app',
          include: ['tests/src/**/*.test.{ts,tsx}'],
          exclude: APART,
          isolate: false,
        },
      },
      {
        plugins: [outline()],
        test: { ...app, name: 'app, apart', include: APART },
      },
    ],
  },
});
