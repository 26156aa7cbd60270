import type { Page } from '@playwright/test';
import { example } from '../../server/calls/reference/examples.ts';
import { boardShown, expect, openBoard, resize, rowOf, test, withSession } from '../support/browser.ts';

const { ownReport } = example;

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1366, height: 768 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

const PUBLIC = ['/', '/login', '/nowhere'];
/** With the whole heading, where the walk asks for it. */
const SIGNED_IN: [path: string, heading?: string][] = [
  ['/dashboard', 'Dashboard'],
  ['/map', 'Events in view'],
  ['/disruptions', 'Live Disruptions Board'],
  ['/history'],
  ['/history?at=2025-09-24T10:08:00Z'], // a day with a long name, in another year
  ['/team'],
  ['/messages'],
  ['/routes?kind=feeds'],
  ['/handover'],
  ['/api-keys', 'API Keys'],
  ['/events', 'Events dashboard'],
  ['/event-setup', 'Watch a new event'],
  ['/events/perf-1', 'Event'],
  ['/events/perf-1/venue', 'Wales v Australia'],
  ['/notifications', 'Notifications'],
  ['/admin/analytics', 'Admin Analytics'],
  ['/admin/users', 'Manage Users'],
  ['/admin/displays', 'Displays'],
  ['/admin/displays/layouts', 'Layouts'],
  ['/admin/sources', 'Sources'],
  ['/pair'],
];

/** Elements that reach beyond the right edge of the page or of a choice list. Elements in scrolling containers may
 *  be wider. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isContained = (element: Element): boolean => {
      const parent = element.parentElement;
      if (!parent || parent === document.body) return false;
      return getComputedStyle(parent).overflowX !== 'visible' || isContained(parent);
    };
    const found =
      document.documentElement.scrollWidth > width
        ? [`the page is ${document.documentElement.scrollWidth} px wide`]
        : [];
    for (const element of document.body.querySelectorAll('*')) {
      const { right, left, width: own } = element.getBoundingClientRect();
      if (own > 0 && (right > width + 1 || left < -1) && element.checkVisibility() && !isContained(element)) {
        const clip = getComputedStyle(element).clipPath;
        if (clip === 'none') found.push(`${element.tagName} ${element.className}: ${left} to ${right}`);
      }
    }
    const pen = document.createElement('canvas').getContext('2d')!;
    for (const select of width < 390 ? [] : document.querySelectorAll('select')) {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      pen.font = font;
      const words = select.selectedOptions[0]?.text ?? '';
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      if (select.checkVisibility() && pen.measureText(words).width > room) found.push(`cut off: ${words}`);
    }
    return found;
  });
}

/** Elements that stick out at any of the sizes. Each page is loaded once, and laid out again for every size. */
async function overflowingAtEverySize(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await resize(page, size);
    found.push(...(await overflowing(page)).map((what) => `${size.width} x ${size.height}: ${what}`));
  }
  return found;
}

test('an administrator reaches every page, and nothing overflows it', async ({ page }) => {
  test.slow(); // twenty pages in six sizes
  for (const path of PUBLIC) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await overflowingAtEverySize(page), path).toEqual([]);
  }
  await withSession(page);
  // The bar is at its widest with the number of unseen messages.
  await page.route(/\/api\/v1\/messages\/\?limit=1$/, (route) =>
    route.fulfill({ json: { messages: [], total: 0, unseen: 100, next_cursor: null } }),
  );
  for (const [path, name] of SIGNED_IN) {
    await page.goto(path);
    const heading = page.getByRole('heading', { level: 1, ...(name && { name, exact: true }) });
    await expect(heading, path).toBeVisible();
    if (name) await expect(page, path).toHaveURL(path);
    if (path === '/disruptions') await boardShown(page);
    await expect(page.getByText('Loading...'), path).toHaveCount(0);
    expect(await overflowingAtEverySize(page), path).toEqual([]);
    if (path === '/event-setup') await expectWholeRowsInSetup(page);
    if (path === '/admin/analytics') await expectFoldedOnPhonesAlone(page, 'Recent API Usage');
  }
});

test('invented events and alerts have the demo board’s sign, which stays in sight', async ({ page }) => {
  const sign = page.getByRole('status').filter({ hasText: 'Demo data. Not live.' }).locator('> div');
  const look = () =>
    sign.evaluate((panel) => {
      const { backgroundColor, color, fontSize, minHeight } = getComputedStyle(panel);
      return { backgroundColor, color, fontSize: parseFloat(fontSize), minHeight };
    });
  await withSession(page);

  await page.goto('/disruptions?demo=true');
  await expect(sign).toBeVisible();
  const onBoard = new Map<object, Awaited<ReturnType<typeof look>>>();
  for (const size of SIZES) {
    await resize(page, size);
    onBoard.set(size, await look());
  }
  for (const path of ['/events', '/events/perf-1/venue', '/notifications']) {
    await page.goto(path);
    await expect(sign, path).toBeVisible();
    for (const size of SIZES) {
      const where = `${path}, ${size.width} px`;
      await page.evaluate(() => scrollTo(0, 0));
      await resize(page, size);
      const here = await look();
      const there = onBoard.get(size)!;
      expect({ ...here, fontSize: 0 }, where).toEqual({ ...there, fontSize: 0 });
      expect(here.fontSize, where).toBeGreaterThanOrEqual(there.fontSize);
      const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
      expect((await sign.boundingBox())!.y, where).toBeLessThan(heading.y);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(sign, where).toBeInViewport({ ratio: 1 });
    }
  }
});

/** A field or choice never stands alone below fuller rows, and a button never below the other buttons. */
async function expectWholeRowsInSetup(page: Page) {
  for (const [step, next] of ['Next', 'Next', 'Next', 'Start Watching This Event'].entries()) {
    await expect(page.getByText(`Step ${step + 1} of 4`)).toBeVisible();
    await page.getByRole('button', { name: 'Save Draft' }).click();
    for (const { width, height } of SIZES) {
      await page.setViewportSize({ width, height });
      const rows = await page
        .locator('form :is(fieldset > div, div:has(> div > label))')
        .evaluateAll((grids) =>
          grids.map((grid) => {
            const tops = [...grid.children].map((child) => child.getBoundingClientRect().top);
            return tops.map((top) => tops.filter((other) => other === top).length);
          }),
        );
      // Five cannot be divided into equal rows.
      const ragged = rows.filter((counts) => counts.length !== 5 && new Set(counts).size > 1);
      expect(ragged, `step ${step + 1}, ${width} px`).toEqual([]);
      const bottoms = ['Back', 'Save Draft', next].map(async (name) => {
        const box = (await page.getByRole('button', { name }).boundingBox())!;
        return Math.round(box.y + box.height / 2);
      });
      if (width >= 390 && step < 3) expect(new Set(await Promise.all(bottoms)).size, `${width} px`).toBe(1);
    }
    await page.getByRole('button', { name: next }).click();
  }
}

/** A tablet has room for the columns; a phone shows the same cells as labelled lines. */
async function expectFoldedOnPhonesAlone(page: Page, name: string) {
  const isFolded = async (width: number) => {
    await page.setViewportSize({ width, height: 1024 });
    const row = page.getByRole('table', { name }).locator('tbody tr').first();
    return (await row.evaluate((tr) => getComputedStyle(tr).display)) !== 'table-row';
  };
  for (const width of [1024, 768]) expect(await isFolded(width), `at ${width} px`).toBe(false);
  expect(await isFolded(390)).toBe(true);
}

test('the changes are one line with the switch at its end; the keys are at the foot of the window', async ({
  page,
}) => {
  const { disruption } = ownReport;
  const ask_again_at = new Date(Date.now() + 3_600_000).toISOString();
  const ours = {
    ...ownReport,
    disruption: { ...disruption, metadata: { ...disruption.metadata, ask_again_at } },
  };
  await page.route('**/api/v1/changes/summary?*', async (route) => {
    const response = await route.fetch();
    const summary = (await response.json()) as object;
    await route.fulfill({
      response,
      json: { ...summary, counts: { new: 42, worse: 13, cleared: 24, lost: 11 } },
    });
  });
  await page.route(/\/api\/v1\/responses/, (route) =>
    route.fulfill({ json: { responses: [], total: 0, reports: [ours], latest: null } }),
  );
  await page.setViewportSize({ width: 1024, height: 768 });
  await openBoard(page);
  const strip = page.getByRole('region', { name: 'What changed' });
  await expect(strip.getByText('42 new')).toBeVisible();
  await expect(page.getByText('1 ours')).toBeVisible();
  const heights = await strip.getByRole('button').evaluateAll((all) =>
    all.map((button) => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return words.getBoundingClientRect().height;
    }),
  );
  expect(heights).toHaveLength(4);
  expect(Math.max(...heights), 'of words on one line').toBeLessThan(24);
  const end = await page.getByRole('radiogroup', { name: 'Compare with' }).boundingBox();
  expect(Math.round(end!.x + end!.width)).toBe(1024 - 31);

  await page.unrouteAll({ behavior: 'ignoreErrors' }); // the page that is left has no answer to wait for
  await page.setViewportSize({ width: 1366, height: 900 });
  await page.goto('/routes');
  const keys = await page.getByText('all keys').boundingBox();
  expect(keys!.y).toBeGreaterThan(900 - 40);
});

test('the changes since yesterday, and our own reports among the feeds, are never cut', async ({ page }) => {
  const { disruption } = ownReport;
  const ask_again_at = new Date(Date.now() + 3_600_000).toISOString();
  const ours = Array.from({ length: 12 }, (_, index) => ({
    ...ownReport,
    disruption: {
      ...disruption,
      event_id: `${disruption.event_id}-${index}`,
      metadata: { ...disruption.metadata, ask_again_at },
    },
  }));
  await page.route(/\/api\/v1\/changes\/summary/, async (route) => {
    const response = await route.fetch();
    const summary = (await response.json()) as object;
    const since = new Date(Date.now() - 20 * 3_600_000).toISOString();
    await route.fulfill({
      response,
      json: { ...summary, since, counts: { new: 142, worse: 113, cleared: 124, lost: 111 } },
    });
  });
  await page.route(/\/api\/v1\/responses/, (route) =>
    route.fulfill({ json: { responses: [], total: 0, reports: ours, latest: null } }),
  );
  await openBoard(page);
  const strip = page.getByRole('region', { name: 'What changed' });
  await expect(strip.getByText('142 new')).toBeVisible();
  await expect(page.getByText('12 ours')).toBeVisible();
  expect(await overflowingAtEverySize(page), 'board').toEqual([]);
  for (const size of SIZES) {
    await resize(page, size);
    const cut = await strip.evaluate((section) =>
      [...section.querySelectorAll('p, p > span')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent),
    );
    expect(cut, `${size.width} px`).toEqual([]);
  }
});

test('nothing overflows the board in any of its states', async ({ page, service }) => {
  await page.clock.install();
  await openBoard(page);
  for (const title of ['Rail Network', 'UK Roads', 'Weather & Flood']) {
    const row = rowOf(page, title);
    await row.getByRole('button', { name: 'View sources' }).click();
    const sheet = row.getByRole('region', { name: /Sources/ });
    await expect(sheet.getByRole('heading', { level: 4 }).first()).toBeVisible();
    for (const more of await sheet.getByText('Latest alerts').all()) await more.click();
    expect(await overflowingAtEverySize(page), title).toEqual([]);
  }

  service.proxy.set('refused', 'api');
  await page.clock.fastForward(11 * 60_000);
  await expect(page.getByText(/Not updating since \d\d:\d\d/)).toBeVisible();
  expect(await overflowingAtEverySize(page), 'stale').toEqual([]);

  await page.getByRole('radiogroup', { name: 'Data' }).getByText('Demo').click();
  await expect(page.getByText('Demo data. Not live.')).toBeVisible();
  expect(await overflowingAtEverySize(page), 'demo').toEqual([]);
});
