/**
 * Keeping answers of the API for when the network is away, as a workbox plugin: which may be kept, for whom, and how a
 * kept one is told from a new one. It never decides content.
 */
import type { WorkboxPlugin } from 'workbox-core/types.js';
import {
  CACHED_AT_HEADER,
  COPY_REASON_HEADER,
  type CopyReason,
  type LateAnswer,
  PRIVATE_CACHES,
  SCOPE_HEADER,
  SOURCE_HEADER,
} from './messages.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Sessions that have ended since this worker woke. An answer that was on its way when its session ended must not be
 * stored afterwards; the worker that fetches it is the one that was told, so memory is good enough here.
 */
const ended = new Set<string>();

/** Deletes everything that was kept for any user, and keeps late answers of `scope` out from now on. */
export async function purge(scope: string | null): Promise<void> {
  if (scope) ended.add(scope);
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PRIVATE_CACHES)).map((name) => caches.delete(name)),
  );
}

/**
 * Answers belong to the session whose scope the request carries, and are found again only by it. What is no answer of
 * ours (a 5xx, a redirect, a portal's page, half a document) is thrown, so that the strategy falls back to the kept
 * one. Refusals pass through untouched and delete nothing: an access token runs out every few minutes.
 */
export const keepForScope: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => {
    const key = new URL(request.url);
    key.searchParams.set('__scope', request.headers.get(SCOPE_HEADER) ?? '');
    return key.href;
  },

  requestWillFetch: async ({ request }) => {
    const headers = new Headers(request.headers);
    headers.delete(SCOPE_HEADER); // a foreign host need not know it, and might not allow it
    return new Request(request, { headers });
  },

  fetchDidSucceed: ({ response, state }) => {
    if (state) state.network = 'unusable' satisfies CopyReason; // unless it proves to be ours, and is used
    return ownAnswer(response);
  },

  fetchDidFail: async ({ state }) => {
    if (state) state.network ??= 'down' satisfies CopyReason;
  },

  cacheWillUpdate: async ({ request, response }) =>
    response.status === 200 && !ended.has(scopeOf(request)) ? response : null,

  // Once more after the fact: the session may have ended between the check and the writing.
  cacheDidUpdate: async ({ cacheName, request, newResponse, event, state }) => {
    if (ended.has(scopeOf(request))) await (await caches.open(cacheName)).delete(request);
    else if (state?.copyGiven) await passOn(newResponse, event as FetchEvent);
  },

  cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
    if (!cachedResponse) return null;
    const copy = stamped(cachedResponse, cachedResponse.body, 'cache');
    copy.headers.set(COPY_REASON_HEADER, (state?.network as CopyReason | undefined) ?? 'slow');
    if (state) state.copyGiven = true;
    return copy;
  },
};

/** Tells the page what the network said, after it had to do with a copy. */
async function passOn(response: Response, { clientId, request }: FetchEvent): Promise<void> {
  const page = await self.clients.get(clientId);
  const answer: LateAnswer = {
    type: 'LATE_ANSWER',
    url: request.url,
    headers: [...response.headers],
    body: await response.text(),
  };
  page?.postMessage(answer, []);
}

/** For what is everybody's, such as the settings of this server: the same care, but no owner. */
export const keepForAll: WorkboxPlugin = {
  fetchDidSucceed: ({ response }) => ownAnswer(response),
  cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
};

/** The request itself, or the key under which its answer is kept. */
const scopeOf = (request: Request) =>
  request.headers.get(SCOPE_HEADER) ?? new URL(request.url).searchParams.get('__scope') ?? '';

/** The answer, read to its end and stamped; throws when it is none of our server's. */
async function ownAnswer(response: Response): Promise<Response> {
  if (response.redirected || response.type === 'opaqueredirect')
    throw new Error('Redirected: not our answer');
  if (response.status >= 500) throw new Error(`Status ${response.status}`);
  if (NO_BODY.includes(response.status)) return response;

  const text = await response.text();
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw new Error('Not our JSON');
  const refusal = response.status >= 400;
  if (refusal && !('detail' in body && typeof body.detail === 'string')) {
    throw new Error(`Status ${response.status} without our detail`);
  }
  return stamped(response, text, 'network');
}

/** A Response with one of these statuses may not have a body. */
const NO_BODY = [204, 205, 304];

function stamped(response: Response, body: BodyInit | null, source: 'network' | 'cache'): Response {
  const headers = new Headers(response.headers);
  headers.set(SOURCE_HEADER, source);
  if (!headers.has(CACHED_AT_HEADER)) {
    const date = Date.parse(headers.get('date') ?? '');
    headers.set(CACHED_AT_HEADER, new Date(Number.isNaN(date) ? Date.now() : date).toISOString());
  }
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
