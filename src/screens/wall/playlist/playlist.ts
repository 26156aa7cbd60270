/** Which page of a layout is on screen: by the server's clock, so that displays side by side turn together. */
import type { Self, ShownPage } from '../../../api/displays/displaySelf.ts';

/** What this build draws. */
const DRAWN: ReadonlySet<string> = new Set(['board', 'routes', 'map', 'message']);
/** Known to this build, and not drawn yet. */
const NOT_YET: ReadonlySet<string> = new Set(['route', 'jobs', 'changes']);

const DWELL_LEAST_S = 10;

const ALL_FEEDS: ShownPage = { type: 'board', dwell_s: 30 };

export interface Playlist {
  /** At least one. */
  pages: readonly ShownPage[];
  pinsCriticals: boolean;
  /** Why it is not what was asked for. */
  problem: string | null;
}

/** A page of a type that this build does not know, or a layout without pages, shows all feeds: never nothing, and never the
 *  layout before. */
export function playlistOf(layout: Self['layout']): Playlist {
  const pinsCriticals = layout?.pin_criticals ?? true;
  if (!layout) return { pages: [ALL_FEEDS], pinsCriticals, problem: null };
  const unknown = layout.pages.find(({ type }) => !DRAWN.has(type) && !NOT_YET.has(type));
  const pages = layout.pages.filter(({ type }) => DRAWN.has(type));
  if (unknown || pages.length === 0)
    return {
      pages: [ALL_FEEDS],
      pinsCriticals,
      problem: unknown
        ? `This build does not know pages of type ${unknown.type.slice(0, 30)}`
        : 'No page that this build draws',
    };
  const missing = layout.pages.find(({ type }) => NOT_YET.has(type));
  return { pages, pinsCriticals, problem: missing ? `This build does not draw ${missing.type} yet` : null };
}

/** The place of the page at this moment. */
export function pageNow(pages: readonly Pick<ShownPage, 'dwell_s'>[], now: Date): number {
  const dwells = pages.map(({ dwell_s }) => Math.max(DWELL_LEAST_S, dwell_s) * 1000);
  let left = now.getTime() % dwells.reduce((sum, ms) => sum + ms, 0);
  for (const [place, ms] of dwells.entries()) {
    if (left < ms) return place;
    left -= ms;
  }
  return 0;
}
