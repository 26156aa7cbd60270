/** Each page and each of its states once: axe in both themes, and nothing that sticks out at any size. */
import type { Page } from '@playwright/test';
import { example } from '../../server/calls/reference/examples.ts';
import { expectAccessible as expectAccessibleAsItIs } from '../support/accessible.ts';
import { expect, openBoard, resize, rowOf, test, withSession } from '../support/browser.ts';

const { ownReport } = example;

/** Each theme and each size once, not each pair: colours are the same at every size, and folding in both themes. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1366, height: 768 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test.use(LOOKS[0]);
test.describe.configure({ timeout: 240_000 }); // each check takes seconds on a busy machine

/** The last is the first look's: each layout takes a tenth of a second, and the next check begins there. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 1366, height: 768 },
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

/** Elements that stick out at any of the sizes. Each page is loaded once, and laid out again for every size. `then` has
 *  the page in each size. */
async function overflowingAtEverySize(
  page: Page,
  then?: (size: (typeof SIZES)[number]) => Promise<void>,
): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES) {
    await resize(page, size);
    found.push(...(await overflowing(page)).map((what) => `${size.width} x ${size.height}: ${what}`));
    await then?.(size);
  }
  return found;
}

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
}

/** Nothing sticks out, and axe finds nothing in either look. */
async function expectWhole(page: Page, what: string, part?: string) {
  const found = await overflowingAtEverySize(page, async ({ width }) => {
    const seen = LOOKS.find(({ viewport }) => viewport.width === width);
    if (!seen) return;
    await look(page, seen);
    await expectAccessibleAsItIs(page, `${what}, ${seen.colorScheme}, ${width} px`, part);
    await page.emulateMedia({ colorScheme: LOOKS[0].colorScheme });
  });
  expect(found, what).toEqual([]);
}

test('a visitor’s pages, and the sign-in after a wrong password', async ({ page }) => {
  for (const path of ['/', '/nowhere', '/login']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectWhole(page, path);
  }
  await page.getByLabel('Email').fill('nobody@clearway.example');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'login, refused', 'main');
});

/** Pages of an administrator, with the whole heading where the walk asks for it. */
const PAGES: [path: string, heading?: string][] = [
  ['/dashboard', 'Dashboard'],
  ['/history'],
  ['/team'],
  ['/admin/analytics', 'Admin Analytics'],
  ['/admin/users', 'Manage Users'],
  ['/admin/displays/layouts', 'Layouts'],
  ['/admin/sources', 'Sources'],
];
/** Other walks use axe on these: here or in the file that has their name. */
const ONLY_LAID_OUT: typeof PAGES = [
  ['/map', 'Events in view'],
  ['/history?at=2025-09-24T10:08:00Z'], // a day with a long name, in another year
  ['/messages'],
  ['/routes?kind=feeds'],
  ['/handover'],
  ['/api-keys', 'API Keys'],
  ['/events/perf-1', 'Event'],
  ['/admin/displays', 'Displays'],
  ['/pair'],
];
/** Pages of invented data. They ask the server who is signed in, and nothing else. */
const SAMPLES: typeof PAGES = [
  ['/events', 'Events dashboard'],
  ['/events/perf-1/venue', 'Wales v Australia'],
  ['/notifications', 'Notifications'],
];

async function openPage(page: Page, [path, name]: (typeof PAGES)[number]) {
  await page.goto(path);
  const heading = page.getByRole('heading', { level: 1, ...(name && { name, exact: true }) });
  await expect(heading, path).toBeVisible();
  if (name) await expect(page, path).toHaveURL(path);
  await expect(page.getByText('Loading...'), path).toHaveCount(0);
}

test('an administrator reaches every page', async ({ page }) => {
  await withSession(page);
  // The bar is at its widest with the number of unseen messages.
  await page.route(/\/api\/v1\/messages\/\?limit=1$/, (route) =>
    route.fulfill({ json: { messages: [], total: 0, unseen: 100, next_cursor: null } }),
  );
  for (const one of ONLY_LAID_OUT) {
    await openPage(page, one);
    expect(await overflowingAtEverySize(page), one[0]).toEqual([]);
  }
  for (const one of PAGES) {
    await openPage(page, one);
    await expectWhole(page, one[0]);
    if (one[0] === '/admin/analytics') await expectFoldedOnPhonesAlone(page, 'Recent API Usage');
  }
  await page.goto('/account');
  await expect(page.getByRole('table', { name: 'Where you are signed in' })).toBeVisible();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  await expectWhole(page, '/account');
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
});

test('invented events and alerts have the demo board’s sign, which stays in sight, and ask the server nothing', async ({
  page,
}) => {
  const sign = page.getByRole('status').filter({ hasText: 'Demo data. Not live.' }).locator('> div');
  const lookOfSign = () =>
    sign.evaluate((panel) => {
      const { backgroundColor, color, fontSize, minHeight } = getComputedStyle(panel);
      return { backgroundColor, color, fontSize: parseFloat(fontSize), minHeight };
    });
  await withSession(page);
  await page.goto('/disruptions?demo=true');
  await expect(sign).toBeVisible();
  const onBoard = new Map<object, Awaited<ReturnType<typeof lookOfSign>>>();
  for (const size of SIZES) {
    await resize(page, size);
    onBoard.set(size, await lookOfSign());
  }
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  for (const one of SAMPLES) {
    calls.length = 0;
    await openPage(page, one);
    await expect(sign, one[0]).toBeVisible();
    for (const size of SIZES) {
      const where = `${one[0]}, ${size.width} px`;
      await page.evaluate(() => scrollTo(0, 0));
      await resize(page, size);
      expect(await overflowing(page), where).toEqual([]);
      const here = await lookOfSign();
      const there = onBoard.get(size)!;
      expect({ ...here, fontSize: 0 }, where).toEqual({ ...there, fontSize: 0 });
      expect(here.fontSize, where).toBeGreaterThanOrEqual(there.fontSize);
      const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
      expect((await sign.boundingBox())!.y, where).toBeLessThan(heading.y);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(sign, where).toBeInViewport({ ratio: 1 });
    }
    await expectAccessible(page, one[0]);
    if (one[0].endsWith('/venue')) {
      await page.getByRole('tab', { name: 'Crowds' }).click();
      await expectAccessible(page, 'venue impact, crowds', 'main');
    }
    expect(calls, one[0]).toEqual(['GET /api/v1/auth/me']);
  }

  calls.length = 0;
  await openPage(page, ['/event-setup', 'Watch a new event']);
  expect(await overflowingAtEverySize(page), '/event-setup').toEqual([]);
  expect(calls).toEqual(['GET /api/v1/auth/me']);
  await expectWholeRowsInSetup(page);
  await expect(page.getByRole('heading', { name: 'Event Watch Activated' })).toBeVisible();
  await expectAccessible(page, 'event setup, done', 'main');

  await page.goto('/disruptions');
  await expect(sign, 'the board keeps it').toBeVisible();
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
    await look(page, LOOKS[0]);
    await expectAccessible(page, `event setup, step ${step + 1}`, step === 0 ? 'html' : 'main');
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

test('the board in each of its states', async ({ page, service }) => {
  await page.clock.install();
  await openBoard(page);
  await expectAccessible(page, 'board');
  for (const [title, at] of [
    ['UK Roads', 2],
    ['Weather & Flood', 4],
    ['Rail Network', 1],
  ] as const) {
    const row = rowOf(page, title);
    await row.getByRole('button', { name: 'View sources' }).click();
    const sheet = row.getByRole('region', { name: /Sources/ });
    await expect(sheet.getByRole('heading', { level: 4 }).first()).toBeVisible();
    for (const more of await sheet.getByText('Latest alerts').all()) await more.click();
    await expectWhole(page, `board, ${title} opened`, `main article:nth-of-type(${at})`);
  }

  await page.getByRole('button', { name: 'Compact' }).click();
  await expectAccessible(page, 'board, compact');
  await rowOf(page, 'UK Roads').locator('> button').click();
  await expect(page.getByText(/planned, not counted as active/)).toBeVisible();
  await expectAccessible(page, 'board, compact, a feed opened', 'main article:nth-of-type(2)');
  await page.getByRole('button', { name: 'Compact' }).click();

  await page.getByRole('radiogroup', { name: 'Data' }).getByText('Demo').click();
  await expect(page.getByText('Demo data. Not live.')).toBeVisible();
  await expectWhole(page, 'board, demo', '[role="status"]');
  await page.getByRole('radiogroup', { name: 'Data' }).getByText('Live').click();
  await expect(page.getByText('Demo data. Not live.')).toHaveCount(0);

  service.proxy.set('refused', 'api');
  await page.clock.fastForward(60_000);
  await expect(page.getByText('Unable to load AI feed summaries')).toBeVisible();
  await expectAccessible(page, 'board, offline', 'main header, main [role="status"]');

  await page.clock.fastForward(11 * 60_000);
  await expect(page.getByText(/Not updating since \d\d:\d\d/)).toBeVisible();
  await expectWhole(page, 'board, stale');

  await page.clock.fastForward(60 * 60_000);
  await expect(page.getByText('Do not plan from this board.')).toBeVisible();
  await expectAccessible(page, 'board, very old', 'main header, main [role="status"]');
});

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

test('the map and an event', async ({ page }) => {
  await withSession(page);
  await page.goto('/map');
  const disruptions = page.getByRole('list', { name: 'Disruptions' }).getByRole('listitem');
  await expect(disruptions.first()).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'map, disruptions');
  await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
  await page.getByRole('link', { name: 'View full details' }).click();
  await expect(disruptions.first()).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'event');
});

test('a filter, with Tell, Share and Columns, and the messages with a channel', async ({ page }) => {
  await withSession(page);
  const name = `Roads ${Date.now()}`;
  await page.goto('/filters?new=feed%3Droads-uk');
  const made = page.getByRole('dialog', { name: 'New filter' });
  await expect(made.getByText(/^\d+ now/)).toBeVisible();
  await made.getByLabel('Name').fill(name);
  await expectAccessible(page, 'a new filter', 'dialog');
  await made.getByRole('button', { name: 'Save filter' }).click();
  const filter = page.getByRole('region', { name });
  await expect(filter.getByText(/^Nobody is told|told at once/)).toBeVisible();
  await expectAccessible(page, 'who gets the messages of a filter');
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
  await expectAccessible(page, 'the ways out of a filter', '[role="tabpanel"]');
  await page.getByText('Columns', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Whole feeds side by side' })).toBeVisible();
  await expectAccessible(page, 'columns');
  await page.getByText('List', { exact: true }).click();
  await page.goto('/messages');
  await expect(page.getByRole('list', { name: 'The team’s channels' })).toContainText('Control room');
  await expectAccessible(page, 'messages with a channel');
});
