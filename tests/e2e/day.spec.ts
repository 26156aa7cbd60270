import type { Locator, Page } from '@playwright/test';
import type { JobList } from '../../contract/watches/jobs.ts';
import type { WatchList } from '../../contract/watches/watches.ts';
import { sampleDay } from '../../src/screens/today/sampleDay.ts';
import { expectAccessible } from '../support/accessible.ts';
import { expect, type Person, resize, test, withSession, workerReady } from '../support/browser.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 }); // the other walks have the jobs of the first

let dispatcher: Person;

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, role: string, name: RegExp) {
  const isThere = () =>
    page.evaluate(
      ([wanted, words]) => {
        const at = document.activeElement;
        const label = at?.getAttribute('aria-label') ?? (at as HTMLInputElement)?.labels?.[0]?.textContent;
        return (
          at?.matches(wanted!) === true && new RegExp(words!).test((label ?? at.textContent ?? '').trim())
        );
      },
      [role, name.source],
    );
  for (let step = 0; step < 90; step++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${role} ${name}`);
}

const DARK = { width: 390, height: 844 };
/** Light on a computer, and dark on a phone. */
async function accessibleInBoth(page: Page, what: string) {
  await expectAccessible(page, `${what}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await resize(page, DARK);
  await expectAccessible(page, `${what}, dark, phone`);
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, { width: 1366, height: 768 });
}

const right = (of: Locator) => of.evaluate((part) => Math.round(part.getBoundingClientRect().right));

const rows = (page: Page) => page.locator('[aria-label$="worst first"] > li');

test('a sheet is pasted, added, worked with and taken back without a mouse', async ({ page, service }) => {
  dispatcher = await service.newPerson();
  await withSession(page, dispatcher);
  await page.goto('/today');
  await expect(page.getByText('No jobs today.')).toBeVisible();
  await expectAccessible(page, 'today, empty');
  expect(await right(page.getByText(/Last refresh/)), 'how current it is, at the edge').toBe(
    await right(page.getByRole('search')),
  );
  await tabTo(page, 'a', /^Import day sheet$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/today/import');

  await tabTo(page, 'textarea', /^Paste from your spreadsheet/);
  await page.keyboard.insertText(sampleDay(new Date()));
  await expect(page.getByText('41 rows, 8 columns.')).toBeVisible();
  await expectAccessible(page, 'import');
  await tabTo(page, 'button', /^See what was understood$/);
  await page.keyboard.press('Enter');
  const add = page.getByRole('button', { name: /^Add 41 jobs$/ });
  await expect(add).toBeEnabled({ timeout: 60_000 });
  await accessibleInBoth(page, 'import, understood');
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1]!);
  // The first answer is lost, and the request is sent again: nothing is made twice.
  let lost = 0;
  await page.route('**/api/v1/jobs/import', async (route) => {
    const isTry = route.request().postDataJSON().dry_run === true;
    if (isTry || lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await tabTo(page, 'button', /^Add 41 jobs$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Unable to add these jobs');
  await tabTo(page, 'button', /^Add 41 jobs$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('41 jobs added')).toBeVisible();
  const { jobs } = await service.read<JobList>('jobs/', dispatcher);
  expect(jobs).toHaveLength(41);
  const { watches } = await service.read<WatchList>('watches/', dispatcher);
  expect(new Set(watches.map(({ name }) => name)).size).toBe(watches.length);

  await expect(page.getByRole('heading', { name: /^Leaves soon/ })).toBeVisible();
  await expect(rows(page).first()).toBeVisible();
  await accessibleInBoth(page, 'today');
  // The keys of the list, of the form and of the search.
  await expect(rows(page).first()).toBeVisible();
  await rows(page).first().getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New job' });
  await expect(form).toBeVisible();
  await expectAccessible(page, 'new job', 'dialog');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.keyboard.press('/');
  await page.keyboard.insertText('PC-2404');
  await expect(rows(page)).toHaveCount(1);
  await tabTo(page, 'a', /^\d\d:\d\d /);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/today\/[\w-]+$/);

  await tabTo(page, 'button', /^Left \d\d:\d\d$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' }).last()).toBeFocused(); // the sheet has one too
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Left \d\d:\d\d$/ })).toBeVisible();
  await accessibleInBoth(page, 'a job');
  await tabTo(page, 'button', /^Cancel job$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await tabTo(page, 'button', /^Cancel job$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /Cancelled \d\d:\d\d$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' }).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Left \d\d:\d\d$/ })).toBeFocused();
  await tabTo(page, 'button', /^Arrived$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /Arrived \d\d:\d\d$/ })).toBeVisible();
  await expect
    .poll(async () => {
      const all = (await service.read<JobList>('jobs/', dispatcher)).jobs;
      return [
        all.filter(({ left_at }) => left_at),
        all.filter(({ arrived_at }) => arrived_at),
        all.filter(({ cancelled_at }) => cancelled_at),
      ].map(({ length }) => length);
    })
    .toEqual([0, 1, 0]);
});

test.describe('a phone', () => {
  test.use({ serviceWorkers: 'allow', viewport: DARK, hasTouch: true });

  test('on a slow network that loses answers says "Left" once, and keeps the day without any', async ({
    page,
    service,
  }) => {
    await withSession(page, dispatcher);
    await page.goto('/today');
    await workerReady(page);
    await page.reload(); // requests now go through the worker
    const stored = async (ref: string) =>
      (await service.read<JobList>('jobs/', dispatcher)).jobs.find((job) => job.ref === ref)!;
    const [first, second] = [await stored('PC-2410'), await stored('PC-2411')];
    const waits = page.getByText('Not sent yet', { exact: true });
    const leave = async ({ id }: { id: string }) => {
      await page.locator(`a[href$="${id}"]`).click();
      await page.getByRole('button', { name: /^Left \d\d:\d\d$/ }).click();
      await expect(page.getByRole('status').filter({ hasText: /Left \d\d:\d\d/ })).toBeVisible();
    };

    await expect(page.locator(`a[href$="${first.id}"]`)).toBeVisible();
    service.proxy.set('cutReset', 'api'); // the server has it, and the answer is lost
    await leave(first);
    await expect(waits).toBeVisible();
    service.proxy.set('slow', 'api');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(waits).toBeHidden({ timeout: 60_000 });
    const said = await stored('PC-2410');
    expect([said.left_at !== null, said.rev], 'once').toEqual([true, first.rev + 1]);

    service.proxy.set('refused');
    await page.goto('/today');
    await expect(page.getByText(/showing jobs from \d\d:\d\d/)).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page, 'today, offline, phone');
    await leave(second);
    await expect(waits).toBeVisible();
    service.proxy.set('pass');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(waits).toBeHidden({ timeout: 60_000 });
    const later = await stored('PC-2411');
    expect([later.left_at !== null, later.rev], 'once').toEqual([true, second.rev + 1]);
  });
});

test('a brief is made by keyboard, and one is sent to its maker', async ({ page }) => {
  await withSession(page, dispatcher);
  await page.goto('/briefs');
  await tabTo(page, 'button', /^New brief$/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', /^Save$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send one to me now' })).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Who gets it' }).getByText('you', { exact: true }),
  ).toBeVisible();
  await resize(page, { width: 1024, height: 768 });
  expect(await right(page.getByText('Sun', { exact: true })), 'days end in the form').toBeLessThanOrEqual(
    await right(page.getByLabel('Name')),
  );
  await accessibleInBoth(page, 'briefs');
  await tabTo(page, 'button', /^Send one to me now$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/briefs\/[^/]+$/);
  await expect(page.getByRole('heading', { level: 1, name: /of 40 jobs at risk/ })).toBeVisible();
  await accessibleInBoth(page, 'a brief');
});
