import { expect, test as base } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../support/chromium.ts';
import { startServer } from '../support/server.ts';
import { isLong } from '../support/long.ts';
import { INTERPRETED, soak } from '../support/soak.ts';

/** The server has the app's files; its answers are made up. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
  baseURL: async ({}, use) => {
    const server = await startServer();
    await use(server.origin);
    await server.dispose();
  },
});

test.use({
  contextOptions: { reducedMotion: 'no-preference' },
  launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: [...CHROMIUM_FLAGS, INTERPRETED] },
});

/** An hour of the board is enough to see what grows little by little; in the command sixteen minutes show what grows
 *  much with each refresh. `npm run bench -- soak` runs for three days. */
const MARKS = [16, isLong ? 64 : 32]; // up to the first the page still warms up, by 20 to 50 KB of its heap

test('a wall does not grow with its refreshes', async ({ page }) => {
  test.setTimeout(600_000); // an hour of a busy wall, interpreted, on a machine that may be half as fast
  const { figures, errors } = await soak(page, '/disruptions?display=wall', MARKS);
  expect(errors).toEqual([]);
  const [early, late] = figures;
  expect(late!.heapBytes - early!.heapBytes).toBeLessThan(60_000);
  // Every text that the wall measures would be 2.4 MB of an hour, and 0.8 MB of the part, if the browser kept them all.
  // Sixteen refreshes differ by up to 0.3 MB.
  expect(late!.browserBytes - early!.browserBytes).toBeLessThan(isLong ? 800_000 : 500_000);
  // The rows and pages shown in turn differ by up to 34 nodes. One node left by each refresh would be 48 of an hour.
  expect(Math.abs(late!.nodes - early!.nodes)).toBeLessThan(40);
  expect(Math.abs(late!.listeners - early!.listeners)).toBeLessThan(20);
});
