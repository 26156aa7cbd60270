/** Which page of a layout is on screen: by the server's clock, so that displays side by side turn together. */
import { DWELL_S } from '#contract/displays/layouts.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import type { Self, ShownPage } from '../../../api/displays/displaySelf.ts';

/** Page types drawn here. */
const DRAWN: ReadonlySet<string> = new Set(['board', 'routes', 'route', 'jobs', 'changes', 'map', 'message']);

const ALL_FEEDS: ShownPage = { type: 'board', dwell_s: 30 };

export interface Playlist {
  /** At least one. */
  pages: readonly ShownPage[];
  pinsCriticals: boolean;
  /** Why it is not what was asked for. */
  problem: string | null;
}

/** A page that this build cannot draw, or a layout without pages, shows all feeds: never nothing, and never the
 *  layout before. */
export function playlistOf(layout: Self['layout']): Playlist {
  const pinsCriticals = layout?.pin_criticals ?? true;
  if (!layout) return { pages: [ALL_FEEDS], pinsCriticals, problem: null };
  const problem =
    layout.pages.length === 0
      ? 'No page that this build draws'
      : (layout.pages.map(problemOf).find((one) => one !== null) ?? null);
  return { pages: problem === null ? layout.pages : [ALL_FEEDS], pinsCriticals, problem };
}

/** A board without feeds would say that nothing is critical. */
function problemOf({ type, feeds, text }: ShownPage): string | null {
  if (!DRAWN.has(type)) return `This build does not know pages of type ${type.slice(0, 30)}`;
  if (type === 'board' && feeds && !FEEDS.some(({ slug }) => feeds.includes(slug)))
    return 'This build knows no feed of a page of type board';
  if (type === 'message' && !text?.trim()) return 'A page of type message says nothing';
  return null;
}

/** The place of the page at this moment, and how often all have gone round before. */
export function pageNow(
  pages: readonly Pick<ShownPage, 'dwell_s'>[],
  now: Date,
): { place: number; turn: number } {
  const dwells = pages.map(({ dwell_s }) => Math.max(DWELL_S.least, dwell_s) * 1000);
  const round = dwells.reduce((sum, ms) => sum + ms, 0);
  const turn = Math.floor(now.getTime() / round);
  let left = now.getTime() % round;
  for (const [place, ms] of dwells.entries()) {
    if (left < ms) return { place, turn };
    left -= ms;
  }
  return { place: 0, turn };
}

const LISTS: ReadonlySet<string> = new Set(['routes', 'route', 'jobs']);
const WITH_ROUTES: ReadonlySet<string> = new Set([...LISTS, 'changes']);

/** Whether routes have a place in these pages: a board has its line of them, unless it is without. */
export const hasRoutes = (pages: readonly ShownPage[]): boolean =>
  pages.some(({ type, without_routes }) => WITH_ROUTES.has(type) || (type === 'board' && !without_routes));

/** Not one route that the page names is still there: without them it would say that nothing is wrong. */
export const lacksRoutes = (
  { type, watch_ids }: Pick<ShownPage, 'type' | 'watch_ids'>,
  watches: readonly { id: string }[],
): boolean => WITH_ROUTES.has(type) && watch_ids != null && !watches.some(({ id }) => watch_ids.includes(id));

/** Whether there is a route for the page to show. */
export const hasRoutesOf = (
  page: Pick<ShownPage, 'type' | 'watch_ids'>,
  watches: readonly { id: string }[],
): boolean => watches.length > 0 && !lacksRoutes(page, watches);

/** The slugs of the feeds on its boards; null: all. Without a board there are none. */
export function feedsOf(pages: readonly ShownPage[]): readonly string[] | null {
  const boards = pages.filter(({ type }) => type === 'board');
  return boards.some(({ feeds }) => !feeds) ? null : boards.flatMap(({ feeds }) => feeds ?? []);
}

/** A critical that is new and not in hand: its page stands alone. One that is known: its page is every second. `byRoute`:
 *  where a page lists routes that is the one, else the board. */
export function pagesWith(
  pages: readonly ShownPage[],
  critical: 'new' | 'known' | null,
  byRoute: boolean,
): readonly ShownPage[] {
  if (critical === null) return pages;
  const list =
    (byRoute && pages.find(({ type }) => LISTS.has(type))) ||
    (pages.find(({ type }) => type === 'board') ?? ALL_FEEDS);
  const others = pages.filter((page) => page !== list);
  return critical === 'new' || others.length === 0 ? [list] : others.flatMap((page) => [list, page]);
}
