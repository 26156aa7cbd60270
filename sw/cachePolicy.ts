/** The answers that are stored, how, and for how long. Everything else goes to the network and is never stored. */
import { SERVER_ADDRESS } from '#contract/addresses.ts';
import { registerQuotaErrorCallback } from 'workbox-core';
import type { RouteHandler, WorkboxPlugin } from 'workbox-core/types.js';
import { NavigationRoute } from 'workbox-routing';
import { CacheFirst, Strategy, type StrategyHandler } from 'workbox-strategies';
import { endSession, keepForAll, keepForScope } from './keptAnswers.ts';
import { PRIVATE_CACHES, SCOPE_HEADER } from './workerMessages.ts';

/** After this time without an answer the network counts as down; a late answer is still stored. */
const NETWORK_PATIENCE_MS = 3000;

/** How long a request may take before it is ended, even if a page still waits for it. */
const NETWORK_END_MS = 30_000;

/** Ends a request in time. A line can be open but silent for ever. A request that outlives its copy would hold its
 *  connection for ever, and a browser opens only six for an origin. The signal also ends an answer that stops
 *  half-way. */
export const endsInTime: WorkboxPlugin = {
  requestWillFetch: async ({ request }) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(NETWORK_END_MS)]);
    return new Request(request, { signal });
  },
};

/** The network's answer if it comes in time, otherwise the stored copy; without a copy, the network's answer however
 *  long it takes. Workbox's NetworkFirst does the same, but there a late answer that cannot be stored is an uncaught
 *  error, and the worker is not kept awake for it. Here a failing storage costs the copy, never the answer. */
export class NetworkOrKept extends Strategy {
  protected override async _handle(
    request: Request,
    handler: StrategyHandler,
  ): Promise<Response | undefined> {
    const kept = () => handler.cacheMatch(request).catch(() => undefined);
    const network = handler.waitUntil(askAndKeep(request, handler));

    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, NETWORK_PATIENCE_MS)));
    const first = await Promise.race([network, patience.then(kept)]);
    clearTimeout(timer);
    return first ?? (await network) ?? kept();
  }
}

/** Undefined when there is no answer, or the plugins reject it. */
async function askAndKeep(request: Request, handler: StrategyHandler): Promise<Response | undefined> {
  try {
    const answer = await handler.fetch(request);
    void handler.waitUntil(handler.cachePut(request, answer.clone()).catch(() => false));
    return answer;
  } catch {
    return undefined;
  }
}

const DAY_SECONDS = 24 * 60 * 60;

interface Place {
  /** The origin of the app itself. */
  app: string;
  /** The origin of its API: the same, unless the app was built for another host. */
  api: string;
}

type Asked = Pick<Request, 'method' | 'url' | 'headers' | 'mode'>;

export type Kept = 'board' | 'alerts' | 'views' | 'events' | 'places' | 'tiles' | 'settings';

/** How the answer to a request is stored; null: it is not stored, and the worker does not handle the request. */
export function keptAs(request: Asked, place: Place): Kept | null {
  const url = new URL(request.url);
  if (request.method !== 'GET') return null;
  if (holdsToken(url)) return null;

  if (url.origin === place.app && url.pathname === '/config.json') return 'settings';

  if (isTile(request, url, place)) return 'tiles';

  // Without a scope there is no owner, and an answer without an owner is not stored.
  if (url.origin !== place.api || !request.headers.get(SCOPE_HEADER)) return null;
  const isView = VIEW.test(url.pathname) && url.searchParams.has('north');
  if (isView) return 'views';
  if (EVENT.test(url.pathname)) return 'events';
  if (ALERT.test(url.pathname)) return 'alerts';
  if (PLACES.test(url.pathname)) return 'places';
  return BOARD.test(url.pathname) || ROUTES.test(url.pathname) ? 'board' : null;
}

/** Whether the address holds a token: such an address is never stored. The parameter's name decides, because a
 *  person may search for "Tokenhouse Yard". */
const holdsToken = ({ searchParams }: URL) => [...searchParams.keys()].some((name) => /token/i.test(name));

/** The content of a view of the map. Its bounds distinguish it from the lists at the same path. */
const VIEW = /\/api\/v1\/(events\/viewport|disruptions)\/?$/;

/** One event, or the list of categories. */
const EVENT = /\/api\/v1\/events\/(?!viewport\/?$)[^/]+\/?$/;

/** One alert. Its page works without a network after it was opened once. */
const ALERT = /\/api\/v1\/disruptions\/(?!(?:sources|stats|collectors)\/?$)[^/]+\/?$/;

const PLACES = /\/api\/v1\/geocode\/search\/?$/;

/** A map tile, recognised by the three numbers in its address, because its host is a setting of the server. Only
 *  answers to CORS requests are stored: an opaque answer costs 7 MB of the quota. */
function isTile({ mode, headers }: Asked, { pathname, origin }: URL, { api }: Place): boolean {
  if (mode !== 'cors' || headers.get(SCOPE_HEADER) || headers.get('authorization')) return false;
  return TILE.test(pathname) && !(origin === api && pathname.includes('/api/'));
}

const TILE = /\/\d{1,2}\/\d{1,7}\/\d{1,7}(@\dx)?(\.(png|jpe?g|webp|avif))?$/;

/** The board: all feeds or one, its summary and events; the directory of sources and one source's events. */
const BOARD =
  /\/api\/v1\/(feeds\/?|feeds\/[^/]+(\/summary|\/events)?|disruptions\/?|disruptions\/sources(\/[^/]+)?)\/?$/;

/**
 * The team's routes, areas and feeds: the list, one of them, and what touches it; the ones that a display shows, with
 * their jobs and changes. The alerts that the team has in hand, and its actions on one incident. The jobs of a day.
 */
const ROUTES =
  /\/api\/v1\/(displays\/me\/(routes|jobs|changes)|jobs|responses(\/[^/]+)?|watches(\/(?!suggest\/?$)[^/.]+(\/matches)?)?)\/?$/;

/** The app shell answers every navigation, except to the server's own addresses. */
export const pages = (shell: RouteHandler) => new NavigationRoute(shell, { denylist: [SERVER_ADDRESS] });

/** Whether a request carries a scope. It must lose the scope before it leaves, even if its answer is not stored. */
export const carriesScope = (request: Pick<Request, 'headers'>) => request.headers.has(SCOPE_HEADER);

/** How many answers of each kind are stored, and for how long. */
const BOUNDS = {
  board: { maxEntries: 60, maxAgeSeconds: 7 * DAY_SECONDS },
  // Up to 300 kB each. An answer is used only for exactly the same view; the page stores larger areas itself and
  // filters them.
  views: { maxEntries: 40, maxAgeSeconds: 7 * DAY_SECONDS },
  alerts: { maxEntries: 100, maxAgeSeconds: 7 * DAY_SECONDS },
  events: { maxEntries: 100, maxAgeSeconds: 7 * DAY_SECONDS },
  places: { maxEntries: 200, maxAgeSeconds: 30 * DAY_SECONDS },
  // About 30 kB each. They show which places a person looked at, so they are deleted at sign-out like the rest.
  tiles: { maxEntries: 1500, maxAgeSeconds: 14 * DAY_SECONDS },
};

const cacheOf = (kept: keyof typeof BOUNDS) => `${PRIVATE_CACHES}${kept}`;

/** Keeps a cache within its limits: the oldest answers are deleted first. The order of the cache itself shows which
 *  those are. Workbox would keep a separate record of each, and when the storage is full, its failed transaction is
 *  an uncaught error. */
function bounded(kept: keyof typeof BOUNDS): WorkboxPlugin {
  const { maxEntries, maxAgeSeconds } = BOUNDS[kept];
  let counted = Promise.resolve();
  const count = async () => {
    const cache = await caches.open(cacheOf(kept));
    const stored = await cache.keys(); // in the order in which they were written
    for (const one of stored.slice(0, Math.max(0, stored.length - maxEntries))) await cache.delete(one);
  };

  return {
    cachedResponseWillBeUsed: async ({ cachedResponse }) => {
      if (!cachedResponse) return null;
      const date = Date.parse(cachedResponse.headers.get('date') ?? '');
      return date < Date.now() - maxAgeSeconds * 1000 ? null : cachedResponse;
    },
    cacheDidUpdate: () => (counted = counted.then(count).catch(() => {})),
  };
}

/**
 * The network's answer if it comes in time, otherwise the last answer that the same session got, marked with its age.
 */
const lastAnswer = (kept: keyof typeof BOUNDS) =>
  new NetworkOrKept({
    cacheName: cacheOf(kept),
    matchOptions: { ignoreVary: true },
    plugins: [endsInTime, keepForScope(cacheOf(kept)), bounded(kept)],
  });

export const strategies = () =>
  ({
    board: lastAnswer('board'),
    views: lastAnswer('views'),
    alerts: lastAnswer('alerts'),
    events: lastAnswer('events'),
    places: lastAnswer('places'),
    // A stored tile is not requested again: the tile server's policy requires that.
    tiles: new CacheFirst({
      cacheName: cacheOf('tiles'),
      matchOptions: { ignoreVary: true },
      plugins: [
        endsInTime,
        // A page of a public Wi-Fi's sign-in is no picture.
        { cacheWillUpdate: async ({ response }) => (isPicture(response) ? response : null) },
        bounded('tiles'),
      ],
    }),
    settings: new NetworkOrKept({
      cacheName: 'clearway-settings',
      matchOptions: { ignoreVary: true },
      plugins: [endsInTime, keepForAll],
    }),
  }) satisfies Record<Kept, Strategy>;

/** Deletes at sign-out everything that any user saw. The settings stay, because they are the same for everybody. Late
 *  answers of `scope` are no longer stored. */
export async function purge(scope: string | null): Promise<void> {
  if (scope) endSession(scope);
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PRIVATE_CACHES)).map((name) => caches.delete(name)),
  );
}

const isPicture = ({ status, headers }: Response): boolean =>
  status === 200 && (headers.get('content-type') ?? '').startsWith('image/');

/** When space runs out, tiles are deleted first, because the map can load them again. */
registerQuotaErrorCallback(() => caches.delete(cacheOf('tiles')));
