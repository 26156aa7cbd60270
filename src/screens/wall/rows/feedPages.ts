/** How the feeds share the screen: the height of each row, and which feeds take turns when there are more than five.
 *  The alerts of one row take turns by ../band/rowTurns.ts. */
import {
  type Form,
  ROW_PADDING,
  rowsHeight,
  type Sheet,
  UPRIGHT_META,
  UPRIGHT_ZOOM,
} from '../words/wallMeasures.ts';

const ROWS_PER_PAGE = 5;
export const PAGE_MS = 20_000;

/** How much rows may grow on a page with few feeds. The rest of the room stays empty. */
const MOST_GROWTH = 1.25;
/** The height of the rows beside a held feed: they keep their names, counts and leads, on one line. */
const BESIDE_HELD: Readonly<Record<Sheet, number>> = {
  usual: 62,
  wide: 62,
  large: 62,
  upright: 106,
  tall: 142,
};
/** A row with less room than this shows only parts that can be read from a distance. */
export const LOW_ROOM = 110;
/** The height of two of its three lines. */
export const TWO_LINES = 85;
/** In large type on a screen that stands upright: its title, its time, and what is known of it. */
export const TALL_LINES = 136;

/** The heights of the rows of one page, from the top: all equal, and they fill the screen down to `foot`, which is
 *  below them, unless there are too few. `held`: the row that somebody holds, or null. */
export function rowHeights(
  rows: number,
  { held = null, foot = 0, form = 'usual' }: { held?: number | null; foot?: number; form?: Sheet } = {},
): number[] {
  const height = rowsHeight(form) - foot;
  const places = Array.from({ length: rows }, (_, place) => place);
  if (held !== null) {
    const beside = BESIDE_HELD[form];
    const rest = height - (rows - 1) * beside;
    return places.map((place) => (place === held ? rest : beside));
  }
  return places.map(() => Math.min(height / rows, (MOST_GROWTH * height) / ROWS_PER_PAGE));
}

/** Height that an upright screen lacks so that each of these rows has two lines above `foot`. */
export const lacking = (rows: number, foot: number): number =>
  Math.max(
    0,
    rows * ((TWO_LINES + 1) * UPRIGHT_ZOOM + UPRIGHT_META + ROW_PADDING) - (rowsHeight('upright') - foot),
  );

/** The room for the live part in a row of this height, at the size at which it is measured. */
export const liveRoom = (height: number, form: Form): number => {
  const room = height - ROW_PADDING;
  return form === 'upright' ? (room - UPRIGHT_META) / UPRIGHT_ZOOM : room;
};

/** `grid-template-rows` for these heights: shares of the screen, with the rest of the room at the bottom. */
export function rowTracks(heights: readonly number[], foot = 0, form: Sheet = 'usual'): string {
  const left = rowsHeight(form) - foot - heights.reduce((sum, height) => sum + height, 0);
  return [...heights, ...(left > 0.5 ? [left] : [])]
    .map((height) => `minmax(0, ${height.toFixed(1)}fr)`)
    .join(' ');
}

/** Up to five feeds are one page. If there are more, feeds with a critical alert are on every page and the others
 *  take turns. If that leaves no room for the others, all take turns. The order is the same on every page. */
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

/** The page on screen, of this many. It depends only on the clock, so displays side by side change together. */
export const pageAt = (now: Date | number, pages: number, pageMs: number) =>
  Math.floor(Number(now) / pageMs) % pages;

// How the entries of a list share the screen: entries without room take turns, the worst page first.

/** A number of clear entries in one line. */
interface Folded {
  clear: number;
}

/** How many rows of at least this height fit. `band`: the height of a message above them. All in units. */
export const rowsThatFit = (
  { most, height, least }: { most: number; height: number; least: number },
  band: { height: number } | null,
): number => Math.min(most, Math.floor((height - (band?.height ?? 0)) / least));

export const isFolded = (entry: object): entry is Folded => 'clear' in entry;

/** The pages. Clear entries are folded into one line first; other entries never are. `entries`: worst first, the
 *  clear ones last. */
export function listPages<Entry extends { state: string }>(
  entries: readonly Entry[],
  most: number,
): (Entry | Folded)[][] {
  if (entries.length <= most) return [[...entries]];
  const isClear = ({ state }: Entry) => state === 'clear';
  const others = entries.filter((entry) => !isClear(entry));
  const clear = entries.filter(isClear);
  const room = Math.max(0, most - others.length - 1);
  const named = clear.slice(0, others.length < most ? room : 0);
  const folded = clear.length - named.length;
  const lines = [...others, ...named, ...(folded > 0 ? [{ clear: folded }] : [])];
  return Array.from({ length: Math.ceil(lines.length / most) }, (_, page) =>
    lines.slice(page * most, (page + 1) * most),
  );
}

/** The lines on screen, and the time of the next departure of all entries, in milliseconds: `elsewhere` if another page
 *  or the folded line has it. */
export function linesNow<Entry extends { state: string; departsAt: number | null }>(
  entries: readonly Entry[],
  most: number,
  turn: number,
): { lines: (Entry | Folded)[]; next: number | null; elsewhere: number | null } {
  const pages = listPages(entries, most);
  const lines = pages[turn % pages.length] ?? [];
  const [next = null] = entries.flatMap(({ departsAt }) => departsAt ?? []).toSorted((a, b) => a - b);
  const isHere = lines.some((line) => !isFolded(line) && line.departsAt === next);
  return { lines, next, elsewhere: isHere ? null : next };
}
