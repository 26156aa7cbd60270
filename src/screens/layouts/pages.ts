/** The names and contents of a layout's pages in words, and the problems of a layout before it is sent. */
import { FEEDS } from '#contract/feeds/feeds.ts';
import { DWELL_S, LayoutRequest, PAGES_MAX, type PAGE_TYPES } from '#contract/displays/layouts.ts';
import type { ShownPage } from '../../api/displays/displaySelf.ts';
import type { ListedLayout } from '../../api/displays/layouts.ts';
import { counted } from '#contract/numbers.ts';

type PageType = (typeof PAGE_TYPES)[number];

const NAMES: Readonly<Record<PageType, string>> = {
  board: 'Board',
  routes: 'Our routes',
  route: 'One route',
  jobs: 'Jobs',
  changes: 'Changes',
  map: 'Map',
  message: 'Message',
};

/** The page of a new layout, with which "Add a page" begins too. */
export const NEW_PAGE: ShownPage = { type: 'board', dwell_s: DWELL_S.usual };

/** Page types that can be made. */
export const PAGE_CHOICES: readonly PageType[] = [
  'board',
  'routes',
  'route',
  'jobs',
  'changes',
  'map',
  'message',
];

export const pageName = (type: string): string => NAMES[type as PageType] ?? type;

/** Whether a page shows routes of the team: all routes that the display was given, or some of them. */
export const showsRoutes = (type: string): boolean => ['routes', 'route', 'jobs', 'changes'].includes(type);

const NAMED_MOST = 3;

/** "Rail Network, UK Roads", "all that the display was given" */
export function pageAbout(page: ShownPage, nameOfRoute: (id: string) => string | undefined): string {
  const { type, feeds, watch_ids, text } = page;
  if (type === 'message') return text ?? '';
  if (type === 'map') return 'where, and the worst eight';
  if (showsRoutes(type)) {
    if (!watch_ids)
      return type === 'route' ? 'the worst of the display’s routes' : 'all of the display’s routes';
    const names = watch_ids.map((id) => nameOfRoute(id) ?? 'a deleted route');
    return names.length > NAMED_MOST ? counted(names.length, 'route') : names.join(', ');
  }
  const names = feeds
    ? FEEDS.filter(({ slug }) => feeds.includes(slug)).map(({ title }) => title)
    : ['all feeds'];
  return [...names, ...(page.without_routes ? ['without routes'] : [])].join(', ');
}

/** "Goes round in 1 min 30 s" */
export function roundWords(pages: readonly Pick<ShownPage, 'dwell_s'>[]): string {
  if (pages.length < 2) return 'One page stands, nothing goes round.';
  const seconds = pages.reduce((sum, { dwell_s }) => sum + dwell_s, 0);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `Goes round in ${[minutes && `${minutes} min`, rest && `${rest} s`].filter(Boolean).join(' ')}`;
}

export const DWELLS: readonly number[] = [DWELL_S.least, 15, 20, 30, 40, 60, 90, 120, 180, DWELL_S.most];

export type LayoutDraft = Pick<ListedLayout, 'name' | 'pages' | 'pin_criticals'>;

/** The request to send, or why it cannot be sent. */
export function requestOf({ name, pages, pin_criticals }: LayoutDraft): LayoutRequest | { fault: string } {
  if (pages.length === 0) return { fault: 'Add at least one page.' };
  if (pages.length > PAGES_MAX) return { fault: `At most ${PAGES_MAX} pages.` };
  const silent = pages.findIndex(({ type, text }) => type === 'message' && !text?.trim());
  if (silent !== -1) return { fault: `Write what page ${silent + 1} says.` };
  const read = LayoutRequest.safeParse({ name, pages: pages.map(bare), pin_criticals });
  if (read.success) return read.data;
  return { fault: read.error.issues[0]?.message ?? 'The layout could not be read.' };
}

/** The page without empty fields, and without fields of other types of page. */
function bare({ type, dwell_s, feeds, watch_ids, without_routes, large, text }: ShownPage) {
  return {
    type,
    dwell_s,
    ...(type === 'board' && feeds && { feeds }),
    ...(type === 'board' && without_routes && { without_routes }),
    ...(type === 'board' && large && { large }),
    ...(showsRoutes(type) && watch_ids && { watch_ids }),
    ...(type === 'message' && { text }),
  };
}
