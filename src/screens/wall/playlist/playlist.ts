/** The page of a layout that is on screen now. The server's clock decides, so that displays side by side change
 *  together. */
import { DWELL_S } from '#contract/displays/layouts.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import type { Self, ShownPage } from '../../../api/displays/displaySelf.ts';

/** The types of pages that this build can draw. */
const DRAWN: ReadonlySet<string> = new Set(['board', 'routes', 'route', 'jobs', 'changes', 'map', 'message']);

const ALL_FEEDS: ShownPage = { type: 'board', dwell_s: DWELL_S.usual };

export interface Playlist {
  /** At least one. */
  pages: readonly ShownPage[];
  pinsCriticals: boolean;
  /** Why it differs from the page that was asked for. */
  problem: string | null;
}

/** The pages of a layout. A page that this build cannot draw, or a layout without pages, becomes a board with all
 *  feeds; the screen is never empty and never shows the old layout. */
export function playlistOf(layout: Self['layout']): Playlist {
  const pinsCriticals = layout?.pin_criticals ?? true;
  if (!layout) return { pages: [ALL_FEEDS], pinsCriticals, problem: null };
  const problem =
    layout.pages.length === 0
      ? 'No page that this build draws'
      : (layout.pages.map(problemOf).find((one) => one !== null) ?? null);
  return { pages: problem === null ? layout.pages : [ALL_FEEDS], pinsCriticals, problem };
}

/** Why a page cannot be drawn. A board without feeds would say that nothing is critical. */
function problemOf({ type, feeds, text }: ShownPage): string | null {
  if (!DRAWN.has(type)) return `This build does not know pages of type ${type.slice(0, 30)}`;
  if (type === 'board' && feeds && !FEEDS.some(({ slug }) => feeds.includes(slug)))
    return 'This build knows no feed of a page of type board';
  if (type === 'message' && !text?.trim()) return 'A page of type message says nothing';
  return null;
}

/** The page at this moment, and how often all pages were shown before. */
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

const WITH_ROUTES: ReadonlySet<string> = new Set(['routes', 'route', 'jobs', 'changes']);

const isOn = ({ watch_ids }: Pick<ShownPage, 'watch_ids'>, id: string): boolean =>
  watch_ids?.includes(id) ?? true;

/** Whether a page shows this route. A board shows all of them in its line, unless it has none. */
export const hasRoute = (pages: readonly ShownPage[], id: string): boolean =>
  pages.some((page) =>
    page.type === 'board' ? !page.without_routes : WITH_ROUTES.has(page.type) && isOn(page, id),
  );

/** Whether all routes of the page are gone: without them it would say that nothing is wrong. */
export const lacksRoutes = (
  { type, watch_ids }: Pick<ShownPage, 'type' | 'watch_ids'>,
  watches: readonly { id: string }[],
): boolean => WITH_ROUTES.has(type) && watch_ids != null && !watches.some(({ id }) => watch_ids.includes(id));

/** Whether there is a route for the page to show. */
export const hasRoutesOf = (
  page: Pick<ShownPage, 'type' | 'watch_ids'>,
  watches: readonly { id: string }[],
): boolean => watches.length > 0 && !lacksRoutes(page, watches);

/** The slugs of the feeds on the boards; null: all. Empty when there is no board. */
export function feedsOf(pages: readonly ShownPage[]): readonly string[] | null {
  const boards = pages.filter(({ type }) => type === 'board');
  return boards.some(({ feeds }) => !feeds) ? null : boards.flatMap(({ feeds }) => feeds ?? []);
}

/** The feed and the routes of a critical alert. The page that shows it has one of them. */
export interface Touched {
  /** The slug of the feed; null: not known. */
  feed: string | null;
  /** Only routes that these pages show. */
  watchIds: readonly string[];
}

/** The page that shows the alert: a list with one of its routes, otherwise one with jobs on them, otherwise a board
 *  with its feed. If a route is only named on these pages, a board with all feeds. Undefined: no page shows it.
 *  `jobs`: the jobs of the day. */
export function pageShowing(
  pages: readonly ShownPage[],
  { feed, watchIds }: Touched,
  jobs: readonly { watch_id: string | null }[],
): ShownPage | undefined {
  const driven = jobs.flatMap(({ watch_id: id }) => (id !== null && watchIds.includes(id) ? [id] : []));
  const find = (types: readonly string[], ids: readonly string[]) =>
    pages.find((page) => types.includes(page.type) && ids.some((id) => isOn(page, id)));
  const isNamed =
    watchIds.length > 0 &&
    (find(['changes'], watchIds) ?? pages.some((page) => page.type === 'board' && !page.without_routes));
  return (
    find(['routes', 'route'], watchIds) ??
    find(['jobs'], driven) ??
    pages.find(
      ({ type, feeds }) => type === 'board' && (!feeds || (feed !== null && feeds.includes(feed))),
    ) ??
    (isNamed ? { ...ALL_FEEDS, large: pages.some(({ large }) => large) } : undefined)
  );
}

/** A critical alert that nobody has in hand is pinned for so long after it began. */
const PINNED_MS = 30 * 60_000;

export const isNewCritical = (
  { since, start_time }: { since?: string | null | undefined; start_time?: string | null | undefined },
  now: Date,
): boolean => now.getTime() - (Date.parse(since ?? start_time ?? '') || 0) < PINNED_MS;

/** The pages with interruptions. For a critical alert that is new and not in hand, only its page is shown. For one
 *  that is known, its page is every second one. */
export function pagesWith(
  pages: readonly ShownPage[],
  critical: { is: 'new' | 'known'; page: ShownPage } | null,
): readonly ShownPage[] {
  if (critical === null) return pages;
  const { is, page } = critical;
  const others = pages.filter((other) => other !== page);
  return is === 'new' || others.length === 0 ? [page] : others.flatMap((other) => [page, other]);
}
