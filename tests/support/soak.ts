/** Runs a board for days in minutes: the page's clock is advanced, and every refresh brings different data. */
import type { CDPSession, Page } from '@playwright/test';
import type { LayoutPage } from '../../contract/displays/layouts.ts';
import { holdCredential, world } from './wallWorld.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-21T12:00:00Z');

/**
 * For Chromium. Otherwise V8 compiles more and more functions for hundreds of refreshes, and the heap grows by their code:
 * 0.4 MB from 80 to 560 refreshes. With this it holds only what is kept.
 */
export const INTERPRETED = '--js-flags=--no-opt --no-maglev --no-sparkplug';

/** The mean over the CYCLE of refreshes that ends with this one; each refresh counts with the lowest of three
 *  measurements. */
export interface Figure {
  refreshes: number;
  /** Bytes that the page's scripts keep, after garbage collection. */
  heapBytes: number;
  /** Bytes that the browser keeps for them: nodes, styles, texts that a canvas measured. */
  browserBytes: number;
  /** Nodes in the document, and detached nodes that are still referenced. */
  nodes: number;
  listeners: number;
  /** Pages drawn so far. A playlist draws its page again at each turn. */
  pages: number;
}

export interface Soak {
  figures: Figure[];
  /** Uncaught errors of the page. */
  errors: string[];
}

const DWELL_MS = 10_000;

/** A paired display that shows each page type with data for ten seconds: six changes of page with each refresh. */
export const PLAYLIST: readonly LayoutPage[] = (
  ['board', 'routes', 'route', 'jobs', 'changes', 'map'] as const
).map((type) => ({ type, dwell_s: DWELL_MS / 1000 }));

/** Opens `address` of the app at `page`'s base URL, signed in, with a made-up API in place of the server's. It
 *  measures after each number of refreshes in `marks`, which rise, and calls `onFigure` each time. `playlist`: as a
 *  paired display with these pages instead. */
export async function soak(
  page: Page,
  address: string,
  marks: readonly number[],
  { onFigure, playlist }: { onFigure?: (figure: Figure) => void; playlist?: readonly LayoutPage[] } = {},
): Promise<Soak> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const api = await answerFor(page, playlist);
  await page.clock.install({ time: START });
  if (playlist) {
    // Time passes by steps only, so that each mark finds the same page on the screen.
    await page.clock.pauseAt(new Date(START.getTime() + MINUTE_MS));
    await page.addInitScript(countPages);
    await holdCredential(page);
  } else
    await page.addInitScript(() => {
      localStorage.setItem('access_token', 'access');
      localStorage.setItem('refresh_token', 'refresh');
      localStorage.setItem('clearway_scope', 'scope');
    });
  await page.goto(address);

  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  const figures: Figure[] = [];
  for (const mark of marks) {
    const cycle: Look[] = [];
    while (api.refreshes() < mark) {
      const before = api.refreshes();
      // The clock goes to just before the next refresh, then by seconds: on a busy machine a minute of the page's
      // clock can pass before an answer arrives, and the page would abort the request.
      if (playlist) await leapBy(page, MINUTE_MS - 10_000);
      else await page.clock.runFor(MINUTE_MS - 5000);
      while (api.refreshes() === before) await page.clock.runFor(1000);
      const isMark = api.refreshes() > mark - CYCLE;
      if (isMark && playlist) while (!(await atFirstPage(page))) await page.clock.runFor(1000);
      // The next refresh is shown once the page has given up an answer. Some pages of a playlist do not show the
      // turn.
      if (isMark || !playlist) while (!(await shows(page, api.refreshes() - 1))) await page.clock.runFor(100);
      if (isMark) cycle.push(await look(page, cdp));
    }
    const figure = { refreshes: mark, ...mean(cycle), pages: await pagesDrawn(page) };
    figures.push(figure);
    onFigure?.(figure);
  }
  return { figures, errors };
}

/** Counts the screens that come into the document, in `window.pagesDrawn`. */
function countPages() {
  const counted = window as { pagesDrawn?: number };
  counted.pagesDrawn = 0;
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element && (node.matches('main') || node.querySelector('main')))
        counted.pagesDrawn! += 1;
  }).observe(document, { childList: true, subtree: true });
}

/** Pages drawn so far; the page on the screen has this place then. */
const pagesDrawn = (page: Page) =>
  page.evaluate(() => (document.body.offsetHeight, (window as { pagesDrawn?: number }).pagesDrawn ?? 1));

/** Leaps are shorter than a page of the playlist stands, so that each page is drawn; clocks tick at their ends. */
async function leapBy(page: Page, ms: number) {
  for (let passed = 0; passed < ms; passed += DWELL_MS) {
    await page.clock.fastForward(DWELL_MS - 1000);
    await page.clock.runFor(1000);
    await pagesDrawn(page);
  }
}

/** A playlist that goes round in a minute. Its first page stands for long enough to be measured. */
const atFirstPage = (page: Page) =>
  page.evaluate(() => Date.now() % 60_000 >= 1000 && Date.now() % 60_000 <= 3000);

const shows = (page: Page, turn: number) =>
  page.evaluate((text) => document.body.textContent.includes(text), `turn ${padded(turn)}`);

type Look = Omit<Figure, 'refreshes' | 'pages'>;

/** A row in mid-step holds two pages of its alerts, so only nodes that are there at every measurement are a leak. */
async function look(page: Page, cdp: CDPSession): Promise<Look> {
  const moments: Look[] = [];
  for (let moment = 0; moment < 3; moment += 1) {
    if (moment > 0) await page.clock.runFor(3000);
    moments.push(await counters(cdp, moment === 0 ? 3 : 1)); // the rest of one round is little after three
  }
  const least = (name: keyof Look) => Math.min(...moments.map((at) => at[name]));
  return {
    heapBytes: least('heapBytes'),
    browserBytes: least('browserBytes'),
    nodes: least('nodes'),
    listeners: least('listeners'),
  };
}

async function counters(cdp: CDPSession, rounds: number): Promise<Look> {
  for (let round = 0; round < rounds; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  return { heapBytes: usedSize, browserBytes: embedderHeapUsedSize, nodes, listeners: jsEventListeners };
}

function mean(looks: readonly Look[]): Look {
  const of = (name: keyof Look) =>
    Math.round(looks.reduce((total, look) => total + look[name], 0) / looks.length);
  return {
    heapBytes: of('heapBytes'),
    browserBytes: of('browserBytes'),
    nodes: of('nodes'),
    listeners: of('listeners'),
  };
}

/** Answers the API's calls for this page, with a new state of the feeds each time. */
async function answerFor(page: Page, playlist: readonly LayoutPage[] | undefined) {
  let refreshes = 0;
  const { watches, jobs, me } = world();
  const layout = { id: 'x', name: 'Every page', pages: playlist, pin_criticals: false, rev: 1 };
  const now = async () => new Date(await page.evaluate(() => Date.now()));

  await page.route('**/api/v1/**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    const at = await now().catch(() => START);
    const headers = { date: at.toUTCString(), ...(playlist && { 'x-clearway-display': '1' }) };
    if (playlist && path.endsWith('/displays/me')) {
      await route.fulfill({ json: { ...me, rev: 1, layout }, headers }).catch(() => {});
    } else if (playlist && path.endsWith('/displays/me/routes')) {
      await route.fulfill({ json: watches, headers }).catch(() => {});
    } else if (playlist && path.endsWith('/displays/me/jobs')) {
      await route.fulfill({ json: jobs, headers }).catch(() => {});
    } else if (playlist && path.endsWith('/displays/me/changes')) {
      await route.fulfill({ json: changesAt(refreshes, at), headers }).catch(() => {});
    } else if (path.endsWith('/feeds/')) {
      const feeds = feedsAt(refreshes, at);
      refreshes += 1;
      await route.fulfill({ json: feeds, headers }).catch(() => {});
    } else if (path.endsWith('/auth/me')) {
      await route.fulfill({ json: ANNA, headers }).catch(() => {});
    } else {
      await route.fulfill({ json: {}, headers }).catch(() => {});
    }
  });

  return { refreshes: () => refreshes };
}

const ANNA = { id: '1', email: 'anna@example.co.uk', display_name: 'Anna', role: 'user', is_active: true };

const FEEDS = [
  ['rail-network', 'Rail Network', 'Rail'],
  ['roads-uk', 'UK Roads', 'Roads'],
  ['aviation', 'Aviation', 'Aviation'],
  ['weather-flood', 'Weather & Flood', 'Weather'],
  ['public-safety', 'Public Safety', 'Safety'],
] as const;
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The title has the same length each time: a longer one would leave less room, and so fewer nodes. */
const padded = (count: number) => String(count).padStart(5, '0');

/** After this many turns the board has the same number of rows, with the same grades, ages and lengths. */
const CYCLE = 8;

/** Summaries of one length, with other words each time. */
const changesAt = (turn: number, at: Date) => ({
  complete: true,
  total: 14,
  changes: Array.from({ length: 14 }, (_, index) => ({
    event_id: `tfl:${turn + index}`,
    source: 'tfl',
    kind: index % 3 === 0 ? 'worse' : 'new',
    at: new Date(at.getTime() - index * MINUTE_MS).toISOString(),
    title: `Incident ${padded(turn + index)} at Leeds`,
    severity: SEVERITIES[(turn + index) % SEVERITIES.length],
    severity_from: null,
    worse_at: null,
    phase: 'active',
    ended_reason: null,
    fields: [],
    end_time_from: null,
    end_time: null,
  })),
});

/** Alerts come and go, grades change, summaries are rewritten. Every run has the same ones, so that runs compare. */
function feedsAt(turn: number, at: Date) {
  const before = (minutes: number) => new Date(at.getTime() - minutes * MINUTE_MS).toISOString();
  const feeds = FEEDS.map(([slug, title, category], place) => {
    const count = 2 * ((turn * 5 + place * 3) % CYCLE);
    const events = Array.from({ length: count }, (_, index) => {
      const number = turn * 3 + index;
      return {
        event_id: `${slug}:${number}`,
        source: 'tfl',
        severity: SEVERITIES[(number + place) % SEVERITIES.length],
        event_type: 'rail.line_status',
        title: `Incident ${padded(number)} between Llanfairpwllgwyngyll and Cùil Lodair, turn ${padded(turn)}`,
        summary_line: `Reported for the ${turn % CYCLE}th time: expect delays of up to ${10 + (number % 50)} minutes`,
        start_time: before(30 + (number % 48)),
        updated_at: before(number % 24),
        collected_at: before(1),
        metadata: { phase: 'active' },
      };
    });
    return {
      feed: {
        slug,
        title,
        category,
        alert_count: count,
        last_updated: before(1),
        freshness: 'fresh',
        sources: [],
      },
      summary: {
        text: `Incident desk at turn ${padded(turn)}: ${count} in all. ${'Allow more time and check before you set out. '.repeat(1 + (turn % 4))}`,
        model: 'extractive-1',
        generated_at: before(1),
        event_count: count,
        tokens_completion: 100 + (turn % 40),
        stale: turn % 4 === 0,
      },
      events,
    };
  });
  return { feeds, total: feeds.length };
}
