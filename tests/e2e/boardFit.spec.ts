import type { Page } from '@playwright/test';
import { boardShown, expect, openBoard, resize, rowOf, test } from '../support/browser.ts';

// Animations run.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const SIZES = [
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];

const compact = (page: Page) => page.getByRole('button', { name: 'Compact' });
const opener = (page: Page, title: string) => rowOf(page, title).locator('> button');

/** The laid-out page in each size, from its top. */
async function atEverySize(page: Page, look: (size: string) => Promise<void>) {
  for (const size of SIZES) {
    await resize(page, size);
    await look(`${size.width} x ${size.height}`);
  }
}

/** The places of the header and the five rows in the window. */
const boxes = (page: Page) =>
  page.evaluate(() => ({
    window: innerHeight,
    header: Math.round(document.querySelector('main header')!.getBoundingClientRect().bottom), // the board's own
    rows: [...document.querySelectorAll('main article')].map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return { top: Math.round(top), bottom: Math.round(bottom) };
    }),
  }));

/** The height of the highest row. */
const tallest = async (page: Page) =>
  Math.max(...(await boxes(page)).rows.map(({ top, bottom }) => bottom - top));

/** Texts that are cut off, or may end in an ellipsis. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main article *, main section *')]
      .filter((element) => {
        const { textOverflow, overflow, visibility, clipPath } = getComputedStyle(element);
        if (visibility === 'hidden' || clipPath !== 'none' || element.textContent === '') return false;
        const isText = [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
        return (
          textOverflow === 'ellipsis' ||
          (isText && overflow === 'hidden' && element.scrollWidth > element.clientWidth + 1) ||
          (isText && overflow === 'hidden' && element.scrollHeight > element.clientHeight + 3)
        );
      })
      .map((element) => element.textContent),
  );

/** A summary of four sentences, the longest that the server gives. */
const LONG = 'The M62 is closed eastbound between J26 and J27 after a lorry overturned today. '
  .repeat(4)
  .slice(0, 300);

test('whole rows and Compact fit every size, in a night shift and under the sign of an old board too', async ({
  page,
  service,
}) => {
  await page.route('**/api/v1/changes/summary?*', async (route) => {
    const response = await route.fetch();
    const since = new Date();
    since.setUTCHours(0, 0, 0, -2 * 3_600_000); // 22:00 or 23:00 in London on the day before
    const counts = { new: 47, worse: 12, cleared: 0, lost: 0 };
    await route.fulfill({ response, json: { ...((await response.json()) as object), since, counts } });
  });
  await page.clock.install();
  await openBoard(page);
  await expect(page.getByText('12 worse')).toBeVisible();

  // The category has the same name, and is not said twice in a narrow row.
  const said = rowOf(page, 'Aviation').getByText('Aviation', { exact: true }).filter({ visible: true });
  await atEverySize(page, async (size) => {
    await expect.poll(() => cut(page), size).toEqual([]);
    if (size !== '1024 x 768') return;
    await expect.poll(() => tallest(page)).toBeLessThanOrEqual(240);
    await expect(said).toHaveCount(1);
  });
  await resize(page, SIZES[1]!);
  await expect(said).toHaveCount(2);

  await compact(page).click();
  await page.reload();
  await expect(compact(page)).toHaveAttribute('aria-pressed', 'true');
  await boardShown(page);
  await atEverySize(page, async (size) => {
    await expect.poll(() => cut(page), size).toEqual([]);
    const { window, rows } = await boxes(page);
    expect(rows, size).toHaveLength(5);
    expect(rows.at(-1)!.bottom, size).toBeLessThanOrEqual(window);
  });
  const foot = page.getByRole('contentinfo').or(page.locator('main footer'));
  await expect(foot.getByRole('heading', { name: 'Next 6 hours' })).toBeVisible();
  await expect(foot.getByText(/\d\d:\d\d .*M62.*, expected clear/)).toBeVisible();
  await expect(foot.getByRole('link', { name: 'All alerts' })).toBeVisible();

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  service.proxy.set('refused', 'api');
  await page.clock.fastForward(18 * 60_000);
  const sign = page.getByText(/Not updating since \d\d:\d\d/);
  await expect(sign).toBeVisible();
  await atEverySize(page, async (size) => {
    const fits = async () => {
      const { window, rows, header } = await boxes(page);
      return rows[0]!.top >= header && rows.length === 5 && rows.at(-1)!.bottom <= window;
    };
    await expect.poll(fits, size).toBe(true);
    await expect(sign, size).toBeInViewport({ ratio: 1 });
  });

  await resize(page, SIZES[0]!);
  await opener(page, 'UK Roads').focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await boxes(page)).rows[1]!.top - (await boxes(page)).header).toBe(0);
  await page.keyboard.press('Escape');
  await expect(opener(page, 'UK Roads')).toBeFocused();

  const jump = page.getByRole('navigation', { name: 'All feeds' });
  await jump.getByRole('link', { name: /^Safety/ }).press('Enter');
  await expect(rowOf(page, 'Public Safety')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect
    .poll(() => rowOf(page, 'Public Safety').evaluate((row) => row.contains(document.activeElement)))
    .toBe(true);
  await page.evaluate(() => scrollTo(0, 500));
  await expect(jump).toBeInViewport({ ratio: 1 });
});

test('a summary of four sentences arranges its row as the others, in at most 240 px', async ({ page }) => {
  await page.route(/\/api\/v1\/feeds/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { feeds: { summary: object | null }[] };
    for (const [at, feed] of answer.feeds.entries())
      if (feed.summary && at % 2 === 1) feed.summary = { ...feed.summary, text: LONG, metadata: {} };
    await route.fulfill({ response, json: answer });
  });
  await page.setViewportSize({ width: 1024, height: 768 });
  await openBoard(page);
  await expect(page.getByText(LONG).first()).toBeVisible();
  await expect.poll(() => tallest(page)).toBeLessThanOrEqual(240);
  const lefts = await page
    .locator('main article')
    .evaluateAll((rows) =>
      rows.map((row) => Math.round(row.querySelector('h3')!.getBoundingClientRect().left)),
    );
  expect(new Set(lefts).size).toBe(1);
});
