/** Which request is kept, how, and for how long. Whatever no row names goes to the network and is never kept. */
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import { NetworkFirst } from 'workbox-strategies';
import { keepForAll, keepForScope } from './keptAnswers.ts';
import { PRIVATE_CACHES, SCOPE_HEADER } from './messages.ts';

/** A network that has not answered by then counts as away; its late answer is still kept. */
export const NETWORK_PATIENCE_SECONDS = 3;

const DAY_SECONDS = 24 * 60 * 60;

interface Place {
  /** Where the app itself comes from. */
  app: string;
  /** Where its API is; the same place unless the app was built for another host. */
  api: string;
}

export type Kept = 'board' | 'settings';

/** What is kept of a request; null: nothing, and the worker stays out of its way. */
export function keptAs(request: Pick<Request, 'method' | 'url' | 'headers'>, place: Place): Kept | null {
  const url = new URL(request.url);
  if (request.method !== 'GET') return null;
  if (/token/i.test(url.search)) return null; // an address that holds a token is never stored

  if (url.origin === place.app && url.pathname === '/config.json') return 'settings';

  // Without a scope there is no owner, and what has no owner is not kept.
  if (url.origin !== place.api || !request.headers.get(SCOPE_HEADER)) return null;
  return BOARD.test(url.pathname) ? 'board' : null;
}

/** The board: all feeds or one, its summary and events; the directory of sources and one source's events. */
const BOARD =
  /\/api\/v1\/(feeds\/?|feeds\/[^/]+(\/summary|\/events)?|disruptions\/?|disruptions\/sources(\/[^/]+)?)\/?$/;

/** A request that carries a scope and is not kept must still lose it before it leaves. */
export const carriesScope = (request: Pick<Request, 'headers'>) => request.headers.has(SCOPE_HEADER);

/** The shell answers for every page address but these, which are the server's own. */
export const NOT_PAGES = [
  /^\/api(\/|$)/,
  /^\/docs(\/|$|\?)/,
  /^\/(openapi|config)\.json/,
  /^\/(healthz|readyz|metrics)(\/|$|\?)/,
];

const BOARD_CACHE = `${PRIVATE_CACHES}board`;

/** Deletes what workbox notes beside the kept answers: the address of each, with its owner's scope and a time. */
export const forgetAddresses = () => new CacheExpiration(BOARD_CACHE, { maxEntries: 1 }).delete();

export const strategies = (): Record<Kept, NetworkFirst> => ({
  board: new NetworkFirst({
    cacheName: BOARD_CACHE,
    networkTimeoutSeconds: NETWORK_PATIENCE_SECONDS,
    matchOptions: { ignoreVary: true },
    plugins: [keepForScope, new ExpirationPlugin({ maxEntries: 60, maxAgeSeconds: 7 * DAY_SECONDS })],
  }),
  settings: new NetworkFirst({
    cacheName: 'clearway-settings',
    networkTimeoutSeconds: NETWORK_PATIENCE_SECONDS,
    matchOptions: { ignoreVary: true },
    plugins: [keepForAll],
  }),
});
