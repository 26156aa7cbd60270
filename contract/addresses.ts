/** Every address of the service, made and read only here: the server's own addresses, the app's pages, and their
 *  parameters. An id or a name can hold any character: it is encoded once when an address is made, and decoded once
 *  when it is read. */

/** Paths that the server answers itself, with everything below them. Every other address can be a page of the app. */
const SERVER_PATHS = [
  '/api',
  '/assets',
  '/docs',
  '/f',
  '/p',
  '/openapi.json',
  '/config.json',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** Matches the server's own addresses, starting from the path. */
export const SERVER_ADDRESS = new RegExp(
  `^(?:${SERVER_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(?=[/?]|$)`,
);

interface PageShape {
  /** `:id` stands for the id of the thing shown. */
  path: string;
  /** The id holds a slash. It is also read as a plain one: some mail programs decode the addresses in a text. */
  hasSlash?: true;
  /** The names of its query parameters. */
  query?: readonly string[];
}

const PAGES = {
  landing: { path: '/' },
  login: { path: '/login', query: ['pair'] },
  dashboard: { path: '/dashboard' },
  board: { path: '/disruptions', query: ['demo', 'display'] },
  list: {
    path: '/disruptions/list',
    query: ['when', 'q', 'feed', 'severity', 'road', 'near', 'radius', 'place', 'sort'],
  },
  alert: { path: '/disruptions/:id' },
  /** The alerts with this number, as people read it from a wall. */
  alertNumber: { path: '/a/:id' },
  open: { path: '/open', query: ['link'] },
  map: {
    path: '/map',
    query: ['category', 'dates', 'disruptions', 'events', 'event', 'alert', 'lat', 'lng', 'zoom'],
  },
  /** `new`: the thing that is made, and for a filter its first conditions; `kind`: the things that are listed. */
  routes: { path: '/routes', query: ['new', 'kind', 'conditions'] },
  route: { path: '/routes/:id' },
  routeTell: { path: '/routes/:id/tell' },
  routeShare: { path: '/routes/:id/share' },
  /** `day`: as `2026-11-24`; without it today. */
  today: { path: '/today', query: ['day'] },
  /** `sample`: it begins with a sample day. */
  dayImport: { path: '/today/import', query: ['day', 'sample'] },
  job: { path: '/today/:id' },
  messages: { path: '/messages' },
  briefs: { path: '/briefs' },
  /** Its id and the time for which it was sent, with a slash between them. */
  brief: { path: '/briefs/:id', hasSlash: true },
  team: { path: '/team' },
  /** `at`: the time, ISO 8601; `near` and `radius`: a place, and the kilometres around it. */
  history: { path: '/history', query: ['at', 'near', 'radius'] },
  /** Times of day in London, or ISO 8601. */
  handover: { path: '/handover', query: ['from', 'to'] },
  keys: { path: '/api-keys' },
  /** Its old address. `new`: the first conditions of a new filter. */
  filters: { path: '/filters', query: ['new'] },
  account: { path: '/account' },
  events: { path: '/events' },
  eventSetup: { path: '/event-setup' },
  event: { path: '/events/:id' },
  venue: { path: '/events/:id/venue' },
  notifications: { path: '/notifications' },
  analytics: { path: '/admin/analytics' },
  users: { path: '/admin/users' },
  displays: { path: '/admin/displays' },
  layouts: { path: '/admin/displays/layouts' },
  sources: { path: '/admin/sources' },
  pair: { path: '/pair', query: ['user_code'] },
} as const satisfies Record<string, PageShape>;

type Pages = typeof PAGES;
export type PageName = keyof Pages;
type PageOfOne = { [P in PageName]: Pages[P]['path'] extends `${string}:id${string}` ? P : never }[PageName];
export type PageWithQuery = { [P in PageName]: Pages[P] extends { query: unknown } ? P : never }[PageName];
/** The decoded query of a page, without parameters that are not set. */
export type PageQuery<P extends PageName> = Pages[P] extends { query: readonly (infer Name extends string)[] }
  ? { [Key in Name]?: string | undefined }
  : Record<never, never>;

/** The address of a page, starting from the path. Undefined query parameters are left out. */
export function pageAddress<P extends Exclude<PageName, PageOfOne>>(page: P, query?: PageQuery<P>): string {
  const said = Object.entries<string | undefined>(query ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { path } = PAGES[page];
  return said.length > 0 ? `${path}?${new URLSearchParams(said)}` : path;
}

/** The address of the page for this id. */
export const pageAddressOf = (page: PageOfOne, id: string): string =>
  PAGES[page].path.replace(':id', () => segment(id));

/** The page of a route on which this match is open. */
export const matchAddress = (watchId: string, eventId: string): string =>
  `${pageAddressOf('route', watchId)}#${segment(eventId)}`;

/** The id of the match to open, from the hash of the page's address. */
export const matchAt = (hash: string): string => decoded(hash.replace(/^#/, ''));

/** In upper or lower case, with or without a final slash, because some addresses are typed by hand. */
const PATTERNS = Object.entries<PageShape>(PAGES).map(([page, { path, hasSlash }]) => {
  const id = hasSlash ? '(.+?)' : '([^/]+)';
  return [page as PageName, new RegExp(`^${path.replace(/\/$/, '').replace(':id', id)}/?$`, 'i')] as const;
});

/** The page at a path, and the id of what it shows (empty for pages without an id); null when there is no page. */
export function pageAt(path: string): { page: PageName; id: string } | null {
  for (const [page, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return { page, id: decoded(found[1] ?? '') };
  }
  return null;
}

/** A day that the calendar has, as `2026-11-24`. */
const isDay = (said: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(said) ? Date.parse(said) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(said);
};

/** Reads the query of a page; a day that is none is left out. `search` is as in the browser's location, with or without
 *  the question mark. */
export function pageQuery<P extends PageWithQuery>(page: P, search: string): PageQuery<P> {
  const said = new URLSearchParams(search);
  const names: readonly string[] = PAGES[page].query;
  const read = names.map((name) => {
    const value = said.get(name) ?? undefined;
    return [name, name === 'day' && value !== undefined && !isDay(value) ? undefined : value];
  });
  return Object.fromEntries(read) as PageQuery<P>; // built from the names in its type
}

/** The path of a call, with each value as one segment: apiPath`events/${id}`. */
export const apiPath = (texts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: texts }, ...values.map(segment));

/** A query string, without a question mark, as names and values; and back. */
export const queryPairs = (query: string): [name: string, value: string][] => [...new URLSearchParams(query)];
export const queryText = (pairs: readonly (readonly [name: string, value: string])[]): string =>
  String(new URLSearchParams(pairs as [string, string][]));

/** The interactive reference, for a signed-in user. */
export const docsAddress = (token: string): string => `/docs?${new URLSearchParams({ token })}`;

/** The address that the app icon opens. If the app is already open, its window only comes to the front. */
export const START_ADDRESS = '/disruptions?start';

/** `web+clearway:/map?category=Music` opens that page of the app. */
export const LINK_PROTOCOL = 'web+clearway';

/** The address at which the system opens such a link, which replaces `%s`. */
export const LINK_ADDRESS = '/open?link=%s';

/** Whether an event can have this id: `.` and `..` vanish from addresses, and the others are separate calls. */
export const isEventId = (id: string): boolean => !['.', '..', 'categories', 'viewport'].includes(id);

/** Replaces lone surrogates, which no address can hold, with the replacement character. */
const segment = (text: string) => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));

/** Left unchanged when it is not correctly encoded: it can have been typed by hand. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
