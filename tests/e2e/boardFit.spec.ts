import type { Page } from '@playwright/test';
import { expect, openBoard, resize, rowOf, test } from '../support/browser.ts';

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

test('Compact shows five feeds without scrolling at every size, in a night shift too', async ({ page }) => {
  await page.route('**/api/v1/changes/summary?*', async (route) => {
    const response = await route.fetch();
    const since = new Date();
    since.setUTCHours(0, 0, 0, -2 * 3_600_000); // 22:00 or 23:00 in London on the day before
    const counts = { new: 47, worse: 12, cleared: 0, lost: 0 };
    await route.fulfill({ response, json: { ...((await response.json()) as object), since, counts } });
  });
  await openBoard(page);
  await expect(page.getByText('12 worse')).toBeVisible();
  await compact(page).click();
  await atEverySize(page, async (size) => {
    const { window, rows } = await boxes(page);
    expect(rows, size).toHaveLength(5);
    expect(rows.at(-1)!.bottom, size).toBeLessThanOrEqual(window);
  });
});

test('no text of the board ends in an ellipsis, and none is cut off, at any size in either density', async ({
  page,
}) => {
  await openBoard(page);
  for (const density of ['whole rows', 'Compact']) {
    await atEverySize(page, async (size) => {
      const cut = () =>
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
      await expect.poll(cut, `${density}, ${size}`).toEqual([]);
    });
    await compact(page).click();
  }
});

test('the next six hours and the way to all alerts follow the rows', async ({ page }) => {
  await openBoard(page);
  await compact(page).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const foot = page.getByRole('contentinfo').or(page.locator('main footer'));
  await expect(foot.getByRole('heading', { name: 'Next 6 hours' })).toBeVisible();
  await expect(foot.getByText(/\d\d:\d\d .*M62.*, expected clear/)).toBeVisible();
  await foot.getByRole('link', { name: 'All alerts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All alerts' })).toBeVisible();
});

test('Compact still shows five feeds under its sign at every size', async ({ page, service }) => {
  await page.clock.install();
  await openBoard(page);
  await compact(page).click();
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
});

test('a closed row has at most 240 px at 1024 x 768 unless Compact is chosen', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openBoard(page);
  await expect.poll(() => tallest(page)).toBeLessThanOrEqual(240);
  // The category has the same name.
  const said = rowOf(page, 'Aviation').getByText('Aviation', { exact: true }).filter({ visible: true });
  await expect(said).toHaveCount(1);
  await page.setViewportSize({ width: 1366, height: 768 });
  await expect(said).toHaveCount(2);
});

test('a summary of four sentences arranges its row as the others, in at most 240 px', async ({ page }) => {
  const text = 'The M62 is closed eastbound between J26 and J27 after a lorry overturned today. '
    .repeat(4)
    .slice(0, 300);
  await page.route(/\/api\/v1\/feeds/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { feeds: { summary: object | null }[] };
    for (const [at, feed] of answer.feeds.entries())
      if (feed.summary && at % 2 === 1) feed.summary = { ...feed.summary, text, metadata: {} };
    await route.fulfill({ response, json: answer });
  });
  await page.setViewportSize({ width: 1024, height: 768 });
  await openBoard(page);
  await expect(page.getByText(text).first()).toBeVisible();
  await expect.poll(() => tallest(page)).toBeLessThanOrEqual(240);
  const lefts = await page
    .locator('main article')
    .evaluateAll((rows) =>
      rows.map((row) => Math.round(row.querySelector('h3')!.getBoundingClientRect().left)),
    );
  expect(new Set(lefts).size).toBe(1);
});

test('Compact is remembered on this device', async ({ page }) => {
  await openBoard(page);
  await expect(compact(page)).toHaveAttribute('aria-pressed', 'false');
  await compact(page).click();
  await page.reload();
  await expect(compact(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(opener(page, 'UK Roads')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);

  await compact(page).click();
  await expect(rowOf(page, 'UK Roads').getByRole('button', { name: 'View sources' })).toBeVisible();
});

test('a Compact row opens under the header, alone, and closes by keyboard', async ({ page, service }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openBoard(page);
  await compact(page).click();
  const { events } = (await service.feeds())[1]!;

  await opener(page, 'UK Roads').focus();
  await page.keyboard.press('Enter');
  const roads = rowOf(page, 'UK Roads');
  await expect(roads.getByRole('list', { name: 'Alerts', exact: true }).getByRole('listitem')).toHaveCount(
    events.filter(({ metadata }) => metadata.phase === 'active').length,
  );
  await expect(roads.getByText(/^\d+ planned, not counted as active$/)).toBeVisible();
  await expect.poll(async () => (await boxes(page)).rows[1]!.top - (await boxes(page)).header).toBe(0);

  await roads.getByRole('button', { name: 'View sources' }).click();
  await expect(roads.getByRole('region', { name: 'Sources for UK Roads' })).toContainText(
    /National Highways.*(Monitoring|Attention required), \d+ alerts?/,
  );
  await opener(page, 'Aviation').click();
  await expect(roads.getByRole('list', { name: 'Alerts', exact: true })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: 'Alerts', exact: true })).toHaveCount(0);
  await expect(opener(page, 'Aviation')).toBeFocused();
});

test('the header counts all feeds and leads to each, with the focus', async ({ page, service }) => {
  await openBoard(page);
  const feeds = await service.feeds();
  const jump = page.getByRole('navigation', { name: 'All feeds' });
  for (const { feed } of feeds) {
    await expect(
      jump.getByRole('link', { name: new RegExp(`^${feed.category} ${feed.alert_count} `) }),
    ).toBeVisible();
  }

  await jump.getByRole('link', { name: /^Safety/ }).press('Enter');
  await expect(rowOf(page, 'Public Safety')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect
    .poll(() => rowOf(page, 'Public Safety').evaluate((row) => row.contains(document.activeElement)))
    .toBe(true);

  await page.evaluate(() => scrollTo(0, 500));
  await expect(jump).toBeInViewport({ ratio: 1 });
});

test('the worst alert stands above the rows and is stepped by hand', async ({ page }) => {
  await page.clock.install();
  await openBoard(page);
  const worst = page.getByRole('region', { name: 'Worst now' });
  const first = await worst.getByRole('heading').textContent();
  await page.clock.runFor(60_000);
  await expect(worst.getByRole('heading')).toHaveText(first!);
  const next = worst.getByRole('button', { name: /^Next, 2 of/ });
  if ((await next.count()) > 0) {
    await next.click();
    await expect(worst.getByRole('heading')).not.toHaveText(first!);
    await expect(worst).toContainText(/Worst now, 2 of \d/);
  }
});
