/** How the feeds share the screen: how tall each row is, and which feeds take turns when there are more than five. */
import { ROWS_HEIGHT } from './measures.ts';

const ROWS_PER_PAGE = 5;
export const PAGE_MS = 20_000;

const QUIET = 0.66;
/** Rows grow by no more than this on a page of few feeds: the remaining room stays empty. */
const MOST_GROWTH = 1.25;
/** Beside a held feed the others keep their names, their counts and the worst of what they report. */
const BESIDE_HELD_HEIGHT = 111;
/** A row with less room than this shows only what can be read from a distance. */
export const LOW_ROOM = 110;

export type RowKind = 'busy' | 'quiet' | 'held';

/** The heights of the rows of one page, top to bottom; they fill the screen, unless there are too few. */
export function rowHeights(kinds: readonly RowKind[]): number[] {
  if (kinds.includes('held')) {
    const held = ROWS_HEIGHT - (kinds.length - 1) * BESIDE_HELD_HEIGHT;
    return kinds.map((kind) => (kind === 'held' ? held : BESIDE_HELD_HEIGHT));
  }
  const shares = kinds.map((kind) => (kind === 'quiet' ? QUIET : 1));
  const fair = ROWS_HEIGHT / shares.reduce((sum, share) => sum + share, 0);
  const most = (MOST_GROWTH * ROWS_HEIGHT) / ROWS_PER_PAGE;
  const height = kinds.length < ROWS_PER_PAGE ? Math.min(fair, most) : fair;
  return shares.map((share) => share * height);
}

/** `grid-template-rows` for these heights: shares of the screen, with the remaining room at the bottom. */
export function rowTracks(heights: readonly number[]): string {
  const left = ROWS_HEIGHT - heights.reduce((sum, height) => sum + height, 0);
  return [...heights, ...(left > 0.5 ? [left] : [])]
    .map((height) => `minmax(0, ${height.toFixed(1)}fr)`)
    .join(' ');
}

/** Up to five feeds are one page. With more, those with a critical alert are on every page and the others take turns;
 *  where that leaves no room for the others, all take turns. The order is the same on every page. */
export function feedPages<Feed>(feeds: readonly Feed[], isCritical: (feed: Feed) => boolean): Feed[][] {
  if (feeds.length <= ROWS_PER_PAGE) return [[...feeds]];

  const critical = feeds.filter(isCritical);
  const kept = critical.length < ROWS_PER_PAGE ? critical : [];
  const others = feeds.filter((feed) => !kept.includes(feed));
  const room = ROWS_PER_PAGE - kept.length;
  return Array.from({ length: Math.ceil(others.length / room) }, (_, page) => {
    const turn = others.slice(page * room, (page + 1) * room);
    return feeds.filter((feed) => kept.includes(feed) || turn.includes(feed));
  });
}

/** Which of this many pages is on screen. It depends only on the clock, so displays side by side turn together. */
export const pageAt = (now: Date | number, pages: number, pageMs: number) =>
  Math.floor(Number(now) / pageMs) % pages;
