/** Pages on A4: nothing to press, the age of the data, the filter, and all alerts with their grade in shape and word. */
import { expect, signIn, test } from '../support/browser.ts';

/** A4 without its margins, at 96 dots an inch. */
const PAPER = { width: 703, height: 1032 };

test('board, list and route print on A4', async ({ page }) => {
  await signIn(page);
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });

  await page.goto('/disruptions');
  const feed = page.getByRole('article').first();
  await expect(feed).toBeVisible();
  await expect(page.getByText(/^Clearway · Live Disruptions Board$/)).toBeVisible();
  await expectPaper();
  const alerts = page.getByRole('article').getByRole('list', { name: 'All alerts' }).getByRole('listitem');
  expect(await alerts.count()).toBeGreaterThan(5);
  for (const alert of await alerts.all()) {
    await expect(alert).toBeVisible();
    await expect(alert).toHaveText(/(?:Critical|High|Medium|Low|Unrated)/);
    await expect(alert.locator('> svg')).toBeVisible();
  }

  await page.goto('/disruptions/list?feed=roads-uk&severity=high');
  await expect(page.getByText(/^Active, UK Roads, high$/)).toBeVisible();
  await expectPaper();
  const word = page.getByRole('list', { name: 'Alerts' }).getByText('High', { exact: true }).first();
  const { width } = (await word.boundingBox())!;
  expect(await word.evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(Math.ceil(width));
  expect(width).toBeGreaterThan(30);

  await page.goto('/routes');
  await expect(page.getByText(/^Clearway · /)).toBeVisible();
  await expectPaper();

  async function expectPaper() {
    await expect(page.getByText(/^Data of \d{1,2} \w{3} \d{4}, \d\d:\d\d$/)).toBeVisible();
    for (const role of ['button', 'combobox', 'textbox', 'searchbox', 'radio'] as const)
      for (const control of await page.getByRole(role).all()) await expect(control).toBeHidden();
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(needed).toBeLessThanOrEqual(given!);
  }
});
