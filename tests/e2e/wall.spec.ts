import { readFileSync } from 'node:fs';
import { TZDate } from '@date-fns/tz';
import type { Page } from '@playwright/test';
import { addDays, startOfDay } from 'date-fns';
import type { FeedBundle } from '../../contract/feeds/feeds.ts';
import { expect, rowOf, test, withSession } from '../support/browser.ts';

// Animations run.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 2560, height: 1080 },
];

/** Sizes of both shapes, for states that differ only in their words. */
const SHAPES = [SIZES[0]!, SIZES[3]!];

/** The smallest text allowed on a wall, in its unit. */
const FLOOR = 22;

/** The longest names, in the languages of British and Irish road signs. */
const LONG_TITLES = [
  'A487 Both directions: Machynlleth Pont ar Ddyfi, Gwaith ail-wynebu, Ffordd ar gau dros nos rhwng Corris Uchaf a Chemmaes',
  'A82 Loch Laomainn aig Creag a’ Phuilpit – rathad dùinte tron oidhche airson sgrùdadh aghaidh nan creagan, Àird Laoigh',
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch: Gŵyl y Gŵr, ŷd a llifogydd',
];

/** The longest title and the longest text that a recorded upstream has sent. */
const LONGEST = (() => {
  const recorded = readFileSync(
    new URL('../fixtures/ea-flood/floods-2025-10-24.json', import.meta.url),
    'utf8',
  );
  const { items } = JSON.parse(recorded) as { items: { description: string; message?: string }[] };
  const longest = (texts: string[]) => texts.toSorted((a, b) => b.length - a.length)[0]!;
  return {
    title: `Flood warning: ${longest(items.map(({ description }) => description))}`,
    line: longest(items.map(({ message = '' }) => message)),
  };
})();

const DAYS_AGO = new Date(Date.now() - 3 * 24 * 60 * 60_000).toISOString();

/** The server's data, made as hard to fit as possible: every level, the longest texts, numbers of three digits, and
 *  in each feed a source that has been silent for days. */
function hard(feeds: readonly FeedBundle[]): FeedBundle[] {
  const titles = [LONGEST.title, ...LONG_TITLES];
  const levels = ['critical', 'high', 'medium', 'low'] as const;
  const [model] = feeds.flatMap(({ events }) => events);
  return feeds.map(({ feed, summary }, place) => ({
    feed: {
      ...feed,
      alert_count: 140,
      sources: feed.sources.map((source, index) =>
        index === 0 ? { ...source, state: 'failing', freshness: 'stale', last_collected: DAYS_AGO } : source,
      ),
    },
    summary: {
      ...summary!,
      text: `${LONGEST.line} ${LONG_TITLES.join('. ')}.`,
      metadata: {},
      stale: true,
    },
    events: Array.from({ length: 20 }, (_, index) => ({
      ...model!,
      event_id: `tfl:${place}-${index}`,
      severity: levels[index % 4]!,
      title: titles[(place + index) % titles.length]!,
      summary_line: LONGEST.line,
      metadata: { ...model!.metadata, phase: index < 16 ? 'active' : 'planned' },
    })),
  })) as FeedBundle[];
}

type Bundles = readonly FeedBundle[];

/** The data with these alerts only, and their counts. */
const only = (feeds: Bundles, isKept: (event: FeedBundle['events'][number]) => boolean): FeedBundle[] =>
  feeds.map(({ feed, summary, events }) => {
    const kept = events.filter(isKept);
    const alert_count = kept.filter(({ metadata }) => metadata['phase'] !== 'planned').length;
    return { feed: { ...feed, alert_count, by_severity: undefined }, summary, events: kept };
  }) as FeedBundle[];

const isPlanned = ({ metadata }: FeedBundle['events'][number]) => metadata['phase'] === 'planned';

/** The data with sources that all answer, or with none that does. */
const answering = (feeds: Bundles, freshness: 'fresh' | 'stale') =>
  feeds.map((bundle) => ({
    ...bundle,
    feed: {
      ...bundle.feed,
      freshness,
      sources: bundle.feed.sources.map((source) => ({ ...source, state: 'ok', freshness })),
    },
  })) as FeedBundle[];

/** Faults of how the page is drawn: text that is too small, too faint, cut off or off the screen. */
function faults(page: Page, floor: number): Promise<string[]> {
  return page.evaluate((least) => {
    const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
    const found: string[] = [];
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push('the page scrolls');

    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([red = 0, green = 0, blue = 0]: number[]) => {
      const [r, g, b] = [red, green, blue].map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    /** The painted background colours behind the element; a gradient counts with each of its colours. */
    const ground = (element: Element | null): number[][] => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(at);
        if (backgroundImage.startsWith('linear-gradient')) {
          return (backgroundImage.match(/rgba?\([^)]*\)/g) ?? []).map(channels);
        }
        const colour = channels(backgroundColor);
        if (backgroundColor !== 'rgba(0, 0, 0, 0)' && colour[3] !== 0) return [colour];
      }
      return [[0, 0, 0]];
    };
    const isHiddenAway = (element: Element): boolean =>
      element.closest('[hidden]') !== null ||
      getComputedStyle(element).clipPath.startsWith('inset(50%') ||
      (element.parentElement ? isHiddenAway(element.parentElement) : false);

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent!.trim();
      const element = node.parentElement!;
      if (!words || !element.checkVisibility({ visibilityProperty: true }) || isHiddenAway(element)) continue;
      const style = getComputedStyle(element);
      const about = `"${words.slice(0, 40)}"`;
      // Sizes inside a picture are in the picture's own units.
      const scale = element instanceof SVGGraphicsElement ? element.getScreenCTM()!.a : 1;
      const size = (Number.parseFloat(style.fontSize) * scale) / unit;
      if (size < least - 0.01) found.push(`${about} has ${size.toFixed(1)} u`);

      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.left < -1 || text.top < -1 || text.right > innerWidth + 1 || text.bottom > innerHeight + 1) {
        if (style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none')
          found.push(`${about} leaves the screen`);
      }
      // A line that is cut must end in an ellipsis.
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') break;
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const room = box.getBoundingClientRect();
        const slack = 0.2 * Number.parseFloat(style.fontSize); // the empty part of a line above and below its letters
        if (text.right > room.right + 1 || text.bottom > room.bottom + slack || text.top < room.top - slack) {
          found.push(`${about} is cut off by ${box.className}`);
        }
      }

      const fore = luminance(channels(style.color));
      for (const behind of ground(element).map(luminance)) {
        const ratio = (Math.max(fore, behind) + 0.05) / (Math.min(fore, behind) + 0.05);
        if (ratio < 7) found.push(`${about} has a contrast of ${ratio.toFixed(2)}`);
      }
    }

    // The warning in the margin stays off the rows, even when the board has drifted down as far as it does.
    const warning = [...document.querySelectorAll('p')].find((p) =>
      p.textContent.startsWith('This screen may'),
    );
    if (warning) {
      document.documentElement.style.setProperty('--oy', '6');
      const texts = [...document.querySelectorAll('article:not([hidden]) :is(p, li, h3, span)')].filter(
        (text) => text.checkVisibility() && !isHiddenAway(text) && text.textContent.trim(),
      );
      const lowest = Math.max(0, ...texts.map((text) => text.getBoundingClientRect().bottom));
      const gap = (warning.getBoundingClientRect().top - lowest) / unit;
      if (gap < 4) found.push(`the warning is ${gap.toFixed(1)} u below the last row`);
      document.documentElement.style.setProperty('--oy', '0');
    }

    for (const name of document.querySelectorAll('article:not([hidden]) h2')) {
      if (name.scrollWidth > name.clientWidth) found.push(`the name "${name.textContent}" is cut off`);
    }

    // Parts of a row never overlap, and no text is cut by an ellipsis.
    for (const row of document.querySelectorAll('article:not([hidden])')) {
      const [meta, live] = [...row.children].map((part) => part.getBoundingClientRect());
      if (meta && live && meta.right > live.left + 1) found.push('the alerts lie on the name');
      const { bottom } = row.getBoundingClientRect();
      if (bottom > innerHeight + 1) found.push('a row leaves the screen');
    }
    for (const line of document.querySelectorAll('main h3, main p, main h2')) {
      if (isHiddenAway(line) || !line.checkVisibility()) continue;
      if (getComputedStyle(line).textOverflow === 'ellipsis')
        found.push(`"${line.textContent}" can end in dots`);
      const parts = [...line.children]
        .map((part) => part.getBoundingClientRect())
        .filter(({ width }) => width > 1);
      for (const [place, part] of parts.entries()) {
        const next = parts[place + 1];
        if (next && next.top < part.bottom - 1 && part.top < next.bottom - 1 && next.left < part.right - 1)
          found.push(`parts of "${line.textContent?.slice(0, 40)}" lie on each other`);
      }
    }
    return found;
  }, floor);
}

/** Capital height, as a share of the type's size. */
const CAPITAL = 0.656;
/** The unit of a 65-inch screen, in millimetres. */
const UNIT_MM = (65 * 25.4 * 9) / Math.hypot(16, 9) / 1080;
const ARC_MINUTES = (180 * 60) / Math.PI;

/** Parts of the wall, and from how many metres each is read: its smallest capital must measure 10 arc minutes. */
const READ_FROM: readonly (readonly [what: string, selector: string, metres: number, least: number])[] = [
  ['the clock', 'header time span', 8, 14.5],
  ['the place of the worst', '[aria-label="Worst now"]:not(:has(h2)) p:nth-of-type(2)', 8, 17],
  ['what and when it is', '[aria-label="Worst now"]:not(:has(h2)) p:nth-of-type(3)', 8, 12],
  ['the lead of a feed', 'article:not([hidden]) h3', 8, 9.9],
  ['its time', 'article:not([hidden]) h3 + span', 5, 10],
  ['the name of a feed', 'article:not([hidden]) h2', 5, 10],
  ['the totals', '[aria-label="Active alerts of all feeds by severity"]', 5, 10],
  ['the state', 'header:has(h1) p b', 5, 10],
  ['the next hours', '[aria-labelledby="next-hours"] :is(h2, p)', 3, 10],
  ['everything else', 'main p', 3, 10],
];

/** The same for the words that replace the worst alert when nothing is active. */
const CALM_READ_FROM: typeof READ_FROM = [
  ['that it is calm', '[aria-label="Worst now"] h2', 8, 17],
  ['what comes next then', '[aria-label="Worst now"] h2 + p', 8, 10],
  ['which sources answered', '[aria-label="Worst now"] h2 ~ p', 5, 12],
];

async function tooSmallFromAfar(page: Page, { isWhole = false } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const [what, selector, metres, least] of isWhole ? READ_FROM : [...READ_FROM, ...CALM_READ_FROM]) {
    const sizes = await page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
        return Number.parseFloat(getComputedStyle(element).fontSize) / unit;
      }),
    );
    if (sizes.length === 0) {
      if (isWhole) found.push(`${what} is missing`);
      continue;
    }
    const angle = ((Math.min(...sizes) * CAPITAL * UNIT_MM) / (metres * 1000)) * ARC_MINUTES;
    if (angle < least) found.push(`${what}: ${angle.toFixed(1)} arc minutes at ${metres} m`);
  }
  return found;
}

/** The faults at each size in turn, once the page has been drawn in it. */
async function faultsAtEverySize(page: Page, state: string, sizes = SIZES): Promise<string[]> {
  const found = (await tooSmallFromAfar(page)).map((fault) => `${state}: ${fault}`);
  for (const size of sizes) {
    await page.setViewportSize(size);
    let here: string[] = [];
    const look = async () => {
      await page.evaluate(() => {
        for (const animation of document.getAnimations())
          if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      });
      here = await faults(page, FLOOR);
      return here.length;
    };
    const shape = size.width / size.height > 2.2 ? 2560 / 1080 : 16 / 9;
    // The page hears of its new size a frame later.
    await expect
      .poll(
        async () => {
          const { width, height } = (await page.locator('main').boundingBox())!;
          return width / height;
        },
        { message: 'the picture has one shape, or uses the width', intervals: [30, 60, 100] },
      )
      .toBeCloseTo(shape, 2);
    // Only a lasting overlap is a fault: a line that begins to step is between two places for a moment.
    await expect
      .poll(look, { timeout: 3000 })
      .toBe(0)
      .catch(() => {});
    found.push(...here.map((fault) => `${state}, ${size.width} x ${size.height}: ${fault}`));
  }
  return found;
}

test('is legible on every screen in every state of its data', async ({ page, service }) => {
  const rows = hard(await service.feeds());
  let feeds: FeedBundle[] = [];
  let cut = false;
  let held: Promise<void> | null = null;
  // Just after midnight times have the most words: "since Mon 23:53".
  let ahead = startOfDay(addDays(TZDate.tz('Europe/London'), 1)).getTime() + 10 * 60_000 - Date.now();
  await page.clock.install({ time: Date.now() + ahead });
  await withSession(page);
  // The first key makes the page full screen, and a full-screen page cannot be resized.
  await page.addInitScript(() => {
    Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('Not here'));
  });
  // Routes and incidents in hand are left out: the server's own time in those answers would turn the moved clock
  // back.
  await page.route(/\/api\/v1\/(?:watches|responses)\//, (route) => route.abort());
  await page.route('**/api/v1/feeds/*', async (route) => {
    await held;
    if (cut) return route.abort();
    const headers = { date: new Date(Date.now() + ahead).toUTCString() };
    return route.fulfill({ headers, json: { feeds, total: feeds.length, next_up: [] } });
  });
  const pass = async (ms: number) => {
    ahead += ms;
    await page.clock.fastForward(ms);
  };
  const found: string[] = [];

  const loading = Promise.withResolvers<void>();
  held = loading.promise;
  await page.goto('/disruptions?display=wall');
  await expect(page.getByRole('region', { name: 'Worst now' })).toContainText('Loading...');
  found.push(...(await faultsAtEverySize(page, 'loading', SHAPES)));

  held = null;
  loading.resolve();
  await expect(page.getByRole('heading', { name: 'No feeds available' })).toBeVisible();
  found.push(...(await faultsAtEverySize(page, 'empty')));

  feeds = rows;
  await pass(61_000);
  await expect(rowOf(page, 'Rail Network').getByRole('list', { name: 'All alerts' })).toBeAttached();
  await expect(page.getByText('Live, 5 sources silent', { exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'board');
  found.push(...(await faultsAtEverySize(page, 'normal')));
  expect(await tooSmallFromAfar(page, { isWhole: true })).toEqual([]);

  const worst = page.getByRole('region', { name: 'Worst now' });
  const isMild = ({ severity }: FeedBundle['events'][number]) =>
    severity !== 'critical' && severity !== 'high';
  const planned = only(rows, isPlanned);
  for (const [state, shown, words] of [
    ['high only', only(rows, ({ severity }) => severity !== 'critical'), /^.?High/],
    ['nothing critical or high', only(rows, isMild), /Nothing critical or high/],
    ['every source silent', answering(rows, 'stale'), /All feeds: no news/],
    ['calm', answering(planned, 'fresh'), /No active alerts in any feed/],
    ['calm, every source silent', answering(planned, 'stale'), /No active alerts reported.*silent/],
    ['normal again', rows, /Critical/],
  ] as const) {
    feeds = [...shown];
    await pass(61_000);
    await expect(worst).toContainText(words);
    if (state !== 'normal again') found.push(...(await faultsAtEverySize(page, state, SHAPES)));
  }

  await page.keyboard.press('2');
  const heldRow = rowOf(page, 'UK Roads');
  await expect(heldRow.getByRole('list', { name: 'Sources' })).toBeVisible();
  await expect(heldRow.getByText(/^Alerts 1 to \d+ of 20, 124 more not listed$/)).toBeVisible();
  const heightOf = async (title: string) => (await rowOf(page, title).boundingBox())!.height;
  expect(await heightOf('UK Roads')).toBeGreaterThan(3 * (await heightOf('Aviation')));
  found.push(...(await faultsAtEverySize(page, 'held')));
  const lastRefresh = page.getByText(/Last refresh \d/);
  const before = await lastRefresh.textContent();
  await pass(61_000);
  await expect(page.getByRole('list', { name: 'Sources' })).toHaveCount(0);
  await expect(lastRefresh).not.toHaveText(before!);

  cut = true;
  await pass(61_000);
  await expect(page.getByText(/^Offline(, 1 minute)?$/)).toBeVisible();
  const sign = page.getByRole('status').filter({ hasText: 'No connection.' });
  await expect(sign).toContainText(
    /Board as of \d\d:\d\d\. Nothing below has changed since then\. Next try in/,
  );
  found.push(...(await faultsAtEverySize(page, 'refresh failed', SHAPES)));
  await pass(9 * 60_000 + 2000);
  await expect(page.getByText('Offline, 10 minutes', { exact: true })).toBeVisible();
  found.push(...(await faultsAtEverySize(page, 'ten minutes old')));

  await pass(2 * 60 * 60_000);
  await expect(sign).toContainText('Do not plan from this board.');
  found.push(...(await faultsAtEverySize(page, 'very old')));

  expect(found).toEqual([]);
});
