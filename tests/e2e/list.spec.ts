import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, openBoard, resize, test, withSession } from '../support/browser.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
const shown = (page: Page) => page.getByText(/\d+ of \d+ shown/).locator('..');

async function openList(page: Page, query = '') {
  await withSession(page);
  await page.goto(`/disruptions/list${query}`);
  await expect(rows(page).first()).toBeVisible();
}

/** Expects rows that all have these words. */
const expectEach = (page: Page, words: RegExp) =>
  expect
    .poll(
      async () => {
        const texts = await rows(page).allTextContents();
        return texts.length > 0 && texts.every((text) => words.test(text));
      },
      `each row has ${String(words)}`,
    )
    .toBe(true);

test('lists the worst first, or the nearest in each grade, fits its screen, and its filters are the address', async ({
  page,
}) => {
  await openList(page);
  await expect(rows(page).first()).toContainText('Critical');
  await expect(shown(page)).toContainText('worst first');
  const all = await rows(page).count();
  for (const size of [
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await resize(page, size);
    await expectAccessible(page, `list, ${size.width}`);
    if (size.width > 390) expect(await page.evaluate(wordsOffTheLine)).toBeLessThan(0.5);
    const beside = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(beside)).toBe(0);
  }

  // A tablet shows twelve rows without scrolling.
  await resize(page, { width: 1024, height: 768 });
  const keys = await page.getByRole('button', { name: 'all keys' }).boundingBox();
  const twelfth = await rows(page).nth(11).boundingBox();
  expect(twelfth!.y + twelfth!.height / 2).toBeLessThan(keys!.y);
  const search = await page.getByLabel('Search').boundingBox();
  // In some scenes of the replay every alert has a place.
  const next = await page
    .getByText(/without a known place|Last refresh/)
    .first()
    .boundingBox();
  expect(search!.x + search!.width).toBeLessThan(next!.x);

  await page.getByRole('button', { name: 'Low' }).click();
  await expect(page).toHaveURL('/disruptions/list?severity=critical%2Chigh%2Cmedium');
  expect(await rows(page).count()).toBeLessThan(all);
  await page.getByRole('textbox', { name: 'Road' }).fill('m62');
  await expect(page).toHaveURL(/road=m62/);
  await expectEach(page, /M62/);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Road' })).toHaveValue('m62');
  await expectEach(page, /M62/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page).toHaveURL('/disruptions/list');
  await expect(rows(page)).toHaveCount(all);

  await page.goto('/disruptions/list?near=Leeds&radius=50');
  await expect(shown(page)).toContainText('nearest first in each grade');
  await expect(page.getByText('From Leeds')).toBeVisible();
  await expect(rows(page).first()).toContainText(/\d km/);
  const texts = await rows(page).allTextContents();
  for (const row of texts) expect(Number(/(\d+) km/.exec(row)![1])).toBeLessThanOrEqual(300);
  await page.getByRole('textbox', { name: 'Near' }).fill('Atlantis in the sea');
  await expect(page.getByText('No place is known as “Atlantis in the sea”.')).toBeVisible();
});

test('every row is reached by keyboard: j, k, Enter, / and ?', async ({ page }) => {
  await openList(page);
  await page.keyboard.press('j');
  await expect(rows(page).nth(0).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  const second = rows(page).nth(1).getByRole('link').first();
  await expect(second).toBeFocused();

  await page.keyboard.press('/');
  await expect(page.getByLabel('Search')).toBeFocused();
  await page.keyboard.type('jk/');
  await expect(page.getByText('No alerts match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('heading', { level: 1 }).click();

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/disruptions\/[^/]+$/);
  await expect(page.getByRole('button', { name: 'Copy for driver' })).toBeVisible();
  await page.goBack();
  await expect(rows(page).first()).toBeVisible(); // the page is left before its list is drawn
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'All keys' });
  await expect(keys).toContainText('next row');
  await expectAccessible(page, 'list, all keys');
  await page.keyboard.press('j');
  await expect(keys.locator(':focus')).toBeVisible(); // the page behind does not move
  await keys.getByLabel('Keys of one character').uncheck();
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(rows(page).nth(0).getByRole('link').first()).not.toBeFocused();
});

test.describe('a dispatcher at a tablet', () => {
  test.use({ hasTouch: true, viewport: { width: 1024, height: 768 } });

  test('finds what is closed between Leeds and Manchester, until when, and what to say, in four taps', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openBoard(page);
    await page.evaluate(() => {
      document.documentElement.dataset.taps = '0';
      addEventListener('pointerdown', () => {
        const { dataset } = document.documentElement;
        dataset.taps = String(Number(dataset.taps) + 1);
      });
    });

    await page.getByRole('link', { name: 'All alerts' }).tap();
    await page.getByRole('textbox', { name: 'Road' }).tap();
    for (const words of ['M62', 'Leeds', '100']) {
      await page.keyboard.type(words);
      await page.keyboard.press('Tab');
    }
    await expect(page).toHaveURL('/disruptions/list?road=M62&near=Leeds&radius=100');
    await expect(shown(page)).toContainText('nearest first in each grade');
    const closed = rows(page).filter({ hasText: /Critical.*M62.*closed/ });
    await expect(closed).toContainText(/\d km|until/);
    const until = /until (\d\d:\d\d)/.exec((await closed.textContent())!)![1]!;

    await closed.getByRole('link').first().tap();
    await expect(page.getByRole('article')).toContainText(until);
    await page.getByRole('button', { name: 'Copy for driver' }).tap();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/M62.*closed/);
    expect(text).toContain(until);
    await expect(page.locator('html')).toHaveAttribute('data-taps', '4');
  });
});

/** How far the severity's word stands above or below the title beside it, in pixels. Both have the same type. */
function wordsOffTheLine(): number {
  const bottom = (element: Element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!;
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getClientRects()[0]!.bottom;
  };
  const [grade, title] = document.querySelector('[data-entry]')!.children;
  return Math.abs(bottom(grade!) - bottom(title!));
}
