import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from './tests/support/chromium.ts';

// Playwright reads this file again in each of its processes; they need not search again.
process.env.CHROMIUM_PATH = chromiumPath();
// Node keeps its compiled code for the next of them, as in tests/support/server.ts.
process.env.NODE_COMPILE_CACHE ??= new URL('node_modules/.cache/node', import.meta.url).pathname;

export default defineConfig({
  testDir: 'tests/e2e',
  // Node runs the types of the product's code as they are; Playwright would first compile all of the server.
  build: { external: ['**/contract/**', '**/server/**', '**/src/**'] },
  outputDir: 'test-results',
  forbidOnly: true,
  fullyParallel: true, // each worker has its own server
  workers: 3, // much of the time is spent waiting for minutes of the clock and for other servers
  retries: 0, // a test that passes only at the second try has found a fault
  timeout: 120_000, // a walk of many steps takes 40 s on a busy machine
  globalTimeout: 25 * 60_000, // ends with a report of what was seen so far
  expect: {
    timeout: 20_000, // a worker that installs the app on a busy machine took more than ten
    toPass: { intervals: [100] }, // most of them move the page's clock on, and need not rest a second after each step
  },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT ?? 'test-results/report.json' }]],
  use: {
    actionTimeout: 30_000, // a button that cannot be pressed says so, before the test's own time is over
    navigationTimeout: 30_000,
    browserName: 'chromium',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_FLAGS },
    viewport: { width: 1366, height: 768 },
    locale: 'en-GB',
    timezoneId: 'Australia/Sydney', // every time shown is London's time, whatever zone the device has
    serviceWorkers: 'block', // except in the files that test them
    // Except in the files that test motion. What moves costs a tenth of the time, and is half faded in when it is measured.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off', // costs a fifth of the time; `npx playwright test --trace on` when needed
  },
});
