/** Unit, component and server tests. The server and the worker run in Node, the app in a simulated page. */
import { defineConfig } from 'vitest/config';
import { outline } from './build/outline.ts';

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
          name: 'app',
          environment: 'happy-dom',
          include: ['tests/src/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/src/cleanUp.ts'],
          // Hours of a simulated clock are quick on an idle machine, and tests do not race.
          testTimeout: 60_000,
        },
      },
    ],
  },
});
