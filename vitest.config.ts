/**
 * Unit, component and server tests. The server and the worker run in Node, the app in a simulated page. Files share
 * their loaded packages (`isolate: false`, which halves the app's test time) and leave everything else as it was. The
 * few files that cannot do so run separately.
 */
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { outline } from './build/outline.ts';
import { silhouette } from './build/silhouette.ts';

// Node keeps its compiled code: for each worker, and for each thread that a test starts. As in tests/support/server.ts.
process.env['NODE_COMPILE_CACHE'] ??= new URL('node_modules/.cache/node', import.meta.url).pathname;

/** The app's tests run in a simulated page, with a substitute for the IndexedDB that it lacks. */
const app = {
  environment: 'happy-dom',
  setupFiles: ['tests/src/cleanUp.ts'],
  alias: { 'idb-keyval': new URL('tests/src/offline/fakeStorage.ts', import.meta.url).pathname },
  css: { include: [/\?raw/] }, // sheets that a test reads; those that components import stay empty
  // Long, because tests that simulate hours of clock time are slow on a busy machine.
  testTimeout: 60_000,
  hookTimeout: 60_000, // the hooks load packages
};
/** They take half a minute each, and would leave the other workers idle at the end. */
const SLOW = /\/tests\/server\/(?:nodes|kill|fuzz|isolation|app\/main|operate\/commands\/\w+)\.test\.ts$/;

/** The slow files of each project first, then the longer ones: without a run before, Vitest goes by their length. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project) + (SLOW.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Imports of a server test that begins with a database, the app, a server or a process. */
const BEGINS_MORE =
  /from '[^']*(?:support\/(?:server|long|databases|modelServer)|testApp|callers|World|[rR]eplay|db\/open|farSide|hostileCollectors)\.ts'|child_process/;
/** `npm run unit` leaves them out, and so answers in a minute. */
const LEFT_OUT =
  process.env['CLEARWAY_QUICK'] === '1'
    ? globSync('tests/server/**/*.test.ts').filter((file) => BEGINS_MORE.test(readFileSync(file, 'utf8')))
    : [];

/** They replace one of our modules with `vi.mock`, replace the browser's history, or open several tabs and count
 *  each call, so they share nothing. */
const APART = [
  'tests/src/api/http.test.ts',
  'tests/src/session/demotion.test.ts',
  'tests/src/ui/dialogs/dialog.test.tsx',
  'tests/src/session/session.test.ts',
  'tests/src/screens/wall/pairing/displayCredential.test.ts',
  'tests/src/screens/wall/pairing/pairingCode.test.ts',
  'tests/src/screens/map/mapPage.test.tsx',
  'tests/src/device/address/anyId.test.tsx',
  'tests/src/app/app.test.tsx',
  'tests/src/screens/board/slowStorage.test.tsx',
];

export default defineConfig({
  test: {
    // One PostgreSQL for the whole run, started only when a test asks for it.
    globalSetup: ['tests/support/postgres.ts'],
    sequence: { sequencer: SlowFirst },
    maxWorkers: 3, // much of the time is spent waiting for servers that a test starts
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          isolate: false,
          include: ['tests/{contract,server}/**/*.test.ts'],
          exclude: LEFT_OUT,
          // The first test that asks waits for PostgreSQL to be set up and started, even on a busy machine.
          hookTimeout: 120_000,
          testTimeout: 60_000, // 50,000 events take 7 s alone, and four times that beside a browser
        },
      },
      {
        test: {
          name: 'sw',
          environment: 'node',
          include: ['tests/sw/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        plugins: [outline(), silhouette()],
        test: {
          ...app,
          name: 'app',
          include: ['tests/src/**/*.test.{ts,tsx}'],
          exclude: APART,
          isolate: false,
        },
      },
      {
        plugins: [outline(), silhouette()],
        test: { ...app, name: 'app, apart', include: APART },
      },
    ],
  },
});
