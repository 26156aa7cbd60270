import type { Page } from '@playwright/test';
import { expectAccessible as expectAccessibleAsItIs } from '../support/accessible.ts';
import { expect, openBoard, resize, rowOf, signIn, test, withSession } from '../support/browser.ts';

/** Each theme and each size once, not each pair: colours are the same at every size, and folding in both themes. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1366, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test.use(LOOKS[0]);
test.describe.configure({ timeout: 180_000 }); // each check takes seconds on a busy machine

/** Expects no faults in the light and the dark theme; the first theme is back at the end. */
async function expectAccessible(page: Page, what: string, part?: string) {
  const [first, second] = LOOKS;
  await expectAccessibleAsItIs(page, `${what}, light, desktop`, part);
  await look(page, second);
  await expectAccessibleAsItIs(page, `${what}, dark, phone`, part);
  await look(page, first);
}

async function look(page: Page, { colorScheme, viewport }: (typeof LOOKS)[number]) {
  await page.emulateMedia({ colorScheme });
  await resize(page, viewport);
  // The documentation's own styles change colours slowly.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  });
}

test('login', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expectAccessible(page, 'login');
  await page.getByLabel('Email').fill('nobody@clearway.example');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'login, refused');
});

test('board', async ({ page }) => {
  await openBoard(page);
  await expectAccessible(page, 'board');

  const row = rowOf(page, 'Rail Network');
  await row.getByRole('button', { name: 'View sources' }).click();
  await expect(row.getByRole('region', { name: /Sources/ })).toContainText('Transport for London');
  for (const more of await row.getByText('Latest alerts').all()) await more.click();
  await expectAccessible(page, 'board, a feed opened');

  await page.getByRole('button', { name: 'Compact' }).click();
  await expectAccessible(page, 'board, compact');
  await rowOf(page, 'UK Roads').locator('> button').click();
  await expect(page.getByText(/planned, not counted as active/)).toBeVisible();
  await expectAccessible(page, 'board, compact, a feed opened');

  await page.getByRole('radiogroup', { name: 'Data' }).getByText('Demo').click();
  await expect(page.getByText('Demo data. Not live.')).toBeVisible();
  await expectAccessible(page, 'board, demo');
});

test('board without a server', async ({ page, service }) => {
  await page.clock.install();
  await openBoard(page);
  service.proxy.set('refused', 'api');
  await page.clock.fastForward(60_000);
  await expect(page.getByText('Unable to load AI feed summaries')).toBeVisible();
  await expectAccessible(page, 'board, offline');

  await page.clock.fastForward(10 * 60_000);
  await expect(page.getByText(/Not updating since \d\d:\d\d/)).toBeVisible();
  await expectAccessible(page, 'board, stale');

  await page.clock.fastForward(60 * 60_000);
  await expect(page.getByText('Do not plan from this board.')).toBeVisible();
  await expectAccessible(page, 'board, very old');
});

test('the pages around an event', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'landing');
  await signIn(page);
  await expectAccessible(page, 'dashboard');
  await page.goto('/account');
  await expect(page.getByRole('table', { name: 'Where you are signed in' })).toBeVisible();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  await expectAccessible(page, 'account');
  // Text never becomes HTML or a script: only our own workers have a policy.
  const refused = await page.evaluate(() =>
    [() => (document.createElement('div').innerHTML = '<b>x</b>'), () => new Worker('/assets/other.js')].map(
      (attempt) => {
        try {
          attempt();
          return 'done';
        } catch {
          return 'refused';
        }
      },
    ),
  );
  expect(refused).toEqual(['refused', 'refused']);
  await page.goto('/map');
  await expect(page.getByRole('heading', { level: 1, name: 'Events in view' })).toBeVisible();
  await expectAccessible(page, 'map');
  const unplaced = page.getByRole('button', { name: /without a known place$/ });
  await expect(unplaced).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'map, disruptions');
  await unplaced.click();
  const dialog = page.getByRole('dialog', { name: /without a known place$/ });
  await expect(dialog.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'map, disruptions without a known place', 'dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
  await page.getByRole('link', { name: 'View full details' }).click();
  await expect(unplaced).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'event');
});

test('an area and a filter, with Tell and Share, and the pages of team and administrator', async ({
  page,
}) => {
  await withSession(page);
  const name = `Roads ${Date.now()}`;
  await page.goto('/filters?new=feed%3Droads-uk');
  const made = page.getByRole('dialog', { name: 'New filter' });
  await expect(made.getByText(/^\d+ now/)).toBeVisible();
  await made.getByLabel('Name').fill(name);
  await expectAccessible(page, 'a new filter');
  await made.getByRole('button', { name: 'Save filter' }).click();
  const filter = page.getByRole('region', { name });
  await expect(filter.getByText(/^Nobody is told|told at once/)).toBeVisible();
  await expectAccessible(page, 'who is told of a filter');
  await filter.getByRole('button', { name: 'Add a channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a channel' });
  await dialog.getByRole('radio', { name: 'Webhook' }).check();
  await dialog.getByLabel('Name').fill('Control room');
  await dialog.getByLabel('Address').fill('https://control.invalid/hook');
  await expectAccessible(page, 'a new channel', 'dialog');
  await dialog.getByRole('button', { name: 'Add and send a test' }).click();
  await expect(dialog.getByRole('heading', { name: 'Signing secret' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await filter.getByRole('tab', { name: /^Share/ }).click();
  await filter.getByRole('button', { name: 'New address' }).click();
  await filter.getByRole('button', { name: /^iCalendar/ }).click();
  await expect(page.getByRole('heading', { name: 'iCalendar address made' })).toBeVisible();
  await expectAccessible(page, 'the ways out of a filter');
  await page.getByText('Columns', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Whole feeds side by side' })).toBeVisible();
  await expectAccessible(page, 'columns');
  await page.getByText('List', { exact: true }).click();
  await page.goto('/messages');
  await expect(page.getByRole('list', { name: 'The team’s channels' })).toContainText('Control room');
  await expectAccessible(page, 'messages with a channel');
  for (const path of [
    '/team',
    '/events',
    '/history',
    '/notifications',
    '/admin/analytics',
    '/admin/users',
    '/admin/displays/layouts',
    '/admin/sources',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    await expectAccessible(page, path);
  }
});

test('the effects of an event, its making, and the error page', async ({ page }) => {
  await withSession(page);
  await page.goto('/events/x/venue');
  for (const tab of ['Transport', 'Crowds']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessible(page, `venue impact, ${tab}`);
  }
  await page.goto('/event-setup');
  for (const step of ['Event Basics', 'Location', 'Schedule', 'Settings']) {
    await expect(page.getByRole('heading', { level: 2, name: step })).toBeVisible();
    await expectAccessible(page, `event setup, ${step}`);
    await page.getByRole('button', { name: /^(Next|Start Watching This Event)$/ }).click();
  }
  await expect(page.getByRole('heading', { name: 'Event Watch Activated' })).toBeVisible();
  await expectAccessible(page, 'event setup, done');
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expectAccessible(page, 'error page');
});

test('documentation', async ({ page }) => {
  await page.goto('/docs?token=a-token');
  await page.getByPlaceholder('Filter by tag or path').fill('Administration'); // the others look the same
  await expect(page.locator('.opblock-tag')).toHaveCount(1);
  const call = page.locator('.opblock', { hasText: 'Create a user' });
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Try it out' }).click();
  await expect(call.getByLabel('Request body')).toBeVisible();
  await page.getByRole('button', { name: 'Schemas' }).click();
  await expect(page.getByText('AnalyticsOverview')).toBeVisible();
  await expectAccessible(page, 'documentation');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await expectAccessible(page, 'documentation, who is calling', '.modal-ux');
});
