/**
 * Every address of the service, made and read here alone: which are the server's own, which are the app's pages, and what
 * stands in them. An id or a name may hold any character: it is encoded once when an address is made, and decoded once
 * when it is read.
 */

/** What the server answers by itself, with everything below it. Every other address may be a page of the app. */
const SERVER_PATHS = ['/api', '/assets', '/docs', '/openapi.json', '/config.json', '/healthz', '/readyz'];

/** Matches the server's own addresses, from their path on. */
export const SERVER_ADDRESS = new RegExp(
  `^(?:${SERVER_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(?=[/?]|$)`,
);

interface PageShape {
  /** `:id` stands for the id of what the page shows. */
  path: string;
  /** The names of its query parameters. */
  query?: readonly string[];
}

const PAGES = {
  landing: { path: '/' },
  login: { path: '/login', query: ['pair'] },
  dashboard: { path: '/dashboard' },
  board: { path: '/disruptions', query: ['demo', 'display'] },
  open: { path: '/open', query: ['link'] },
  map: { path: '/map', query: ['category', 'dates', 'disruptions', 'lat', 'lng', 'zoom'] },
  keys: { path: '/api-keys' },
  events: { path: '/events' },
  eventSetup: { path: '/event-setup' },
  event: { path: '/events/:id' },
  venue: { path: '/events/:id/venue' },
  notifications: { path: '/notifications' },
  analytics: { path: '/admin/analytics' },
  users: { path: '/admin/users' },
  displays: { path: '/admin/displays' },
  pair: { path: '/pair', query: ['user_code'] },
} as const satisfies Record<string, PageShape>;

type Pages = typeof PAGES;
export type PageName = keyof Pages;
type PageOfOne = { [P in PageName]: Pages[P]['path'] extends `${string}:id${string}` ? P : never }[PageName];
export type PageWithQuery = { [P in PageName]: Pages[P] extends { query: unknown } ? P : never }[PageName];
/** What the query of a page says, decoded; what it does not say is missing. */
export type PageQuery<P extends PageName> = Pages[P] extends { query: readonly (infer Name extends string)[] }
  ? { [Key in Name]?: string | undefined }
  : Record<never, never>;

/** The address of a page from its path on. Of a query parameter that is undefined nothing is written. */
export function pageAddress<P extends Exclude<PageName, PageOfOne>>(page: P, query?: PageQuery<P>): string {
  const said = Object.entries<string | undefined>(query ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { path } = PAGES[page];
  return said.length > 0 ? `${path}?${new URLSearchParams(said)}` : path;
}

/** The address of the page that shows the one with this id. */
export const pageAddressOf = (page: PageOfOne, id: string): string =>
  PAGES[page].path.replace(':id', () => segment(id));

/** In any case of its letters, and with or without a last slash: some addresses are typed by hand. */
const PATTERNS = Object.entries(PAGES).map(
  ([page, { path }]) =>
    [page as PageName, new RegExp(`^${path.replace(/\/$/, '').replace(':id', '([^/]+)')}/?$`, 'i')] as const,
);

/** The page at a path, and the id of what it shows (empty where it shows no single thing); null when there is none. */
export function pageAt(path: string): { page: PageName; id: string } | null {
  for (const [page, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return { page, id: decoded(found[1] ?? '') };
  }
  return null;
}

/** What the query of an address says to a page. `search` is the browser's own, with or without its question mark. */
export function pageQuery<P extends PageWithQuery>(page: P, search: string): PageQuery<P> {
  const said = new URLSearchParams(search);
  const names: readonly string[] = PAGES[page].query;
  const read = names.map((name) => [name, said.get(name) ?? undefined]);
  return Object.fromEntries(read) as PageQuery<P>; // made of the very names of its type
}

/** The path of a call, with each value as one segment: apiPath`events/${id}`. */
export const apiPath = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map(segment));

/** The interactive reference, for somebody who is signed in. */
export const docsAddress = (token: string): string => `/docs?${new URLSearchParams({ token })}`;

/** What the app's own icon opens. To a window that runs, it only means "come forward". */
export const START_ADDRESS = '/disruptions?start';

/** `web+clearway:/map?category=Music` opens that page of the app. */
export const LINK_PROTOCOL = 'web+clearway';

/** Where the system brings such a link, which it puts in place of `%s`. */
export const LINK_ADDRESS = '/open?link=%s';

/** Whether an event can have this id: `.` and `..` disappear from any address, and the others are calls of their own. */
export const isEventId = (id: string): boolean => !['.', '..', 'categories', 'viewport'].includes(id);

/** Half a pair of surrogates, which no address can hold, counts as the character for what cannot be read. */
const segment = (text: string) => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));

/** As it stands when it is not encoded rightly: somebody may have typed it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
