/**
 * Keeping answers of the API for when the network is away, as a workbox plugin: which may be kept, for whom, and how a
 * kept one is told from a new one. It never decides content.
 */
import type { WorkboxPlugin } from 'workbox-core/types.js';
import {
  type AnswerSource,
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
 * Answers belong to the session whose scope the request carries, and are found again only by it. The server is asked by
 * the ETag of the kept one; "not modified" makes that one as new as its word. What is no answer of ours (a 5xx, a
 * redirect, a portal's page, half a document) is thrown, so that the strategy falls back to the kept one. Refusals pass
 * through untouched and delete nothing: an access token runs out every few minutes.
 */
export const keepForScope = (cacheName: string): WorkboxPlugin => ({
  cacheKeyWillBeUsed: async ({ request }) => keyOf(request),

  requestWillFetch: async ({ request, state }) => {
    const asked = await withoutScope({ request });
    // A caller with a condition of its own is answered by that one.
    if (!state || asked.headers.has('if-none-match')) return asked;
    const kept = await keptUnder(keyOf(request), cacheName);
    const etag = kept?.headers.get('etag');
    if (!etag) return asked;
    state.kept = kept;
    const headers = new Headers(asked.headers);
    headers.set('if-none-match', etag);
    return new Request(asked, { headers });
  },

  fetchDidSucceed: ({ request, response, state }) => {
    if (state) state.network = 'unusable' satisfies CopyReason; // unless it proves to be ours, and is used
    return ownAnswer(response, { request, kept: state?.kept as Response | undefined });
  },

  fetchDidFail: async ({ state }) => {
    if (state) state.network ??= 'down' satisfies CopyReason;
  },

  cacheWillUpdate: async ({ request, response, event, state }) => {
    if (ended.has(scopeOf(request))) return null;
    const answer = response.status === 304 ? await standing(response) : response;
    if (answer?.status !== 200) return null;
    // Before the storing, which may fail for lack of room.
    if (state?.copyGiven) await passOn(answer.clone(), event as FetchEvent);
    return answer;

    /** What a "not modified" to the caller's own condition says of the kept answer. */
    async function standing(notModified: Response): Promise<Response | null> {
      const kept = await keptUnder(keyOf(request), cacheName);
      return kept && isAbout(notModified, kept) ? validated(kept, notModified) : null;
    }
  },

  // Once more after the fact: the session may have ended between the check and the writing.
  cacheDidUpdate: async ({ request }) => {
    if (ended.has(scopeOf(request))) await (await caches.open(cacheName)).delete(request);
  },

  cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
    if (!cachedResponse) return null;
    const copy = stamped(cachedResponse, cachedResponse.body, 'cache');
    copy.headers.set(COPY_REASON_HEADER, (state?.network as CopyReason | undefined) ?? 'slow');
    if (state) state.copyGiven = true;
    return copy;
  },
});

/** Takes the scope off before the network: a foreign host need not know it, and might not allow it. */
export async function withoutScope({ request }: { request: Request }): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.delete(SCOPE_HEADER);
  return new Request(request, { headers });
}

/** The address under which the answer to a request of some session is kept. */
function keyOf(request: Request): string {
  const key = new URL(request.url);
  key.searchParams.set('__scope', request.headers.get(SCOPE_HEADER) ?? '');
  return key.href;
}

/** A storage that fails holds nothing. */
async function keptUnder(key: string, cacheName: string): Promise<Response | undefined> {
  try {
    return await caches.match(new Request(key), { cacheName, ignoreVary: true });
  } catch {
    return undefined;
  }
}

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
  fetchDidSucceed: ({ request, response }) => ownAnswer(response, { request }),
  cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
};

/** The request itself, or the key under which its answer is kept. */
const scopeOf = (request: Request) =>
  request.headers.get(SCOPE_HEADER) ?? new URL(request.url).searchParams.get('__scope') ?? '';

interface Asked {
  request: Request;
  /** The answer whose ETag we asked by. */
  kept?: Response | undefined;
}

/** The answer, read to its end and stamped; throws when it is none of our server's. */
async function ownAnswer(response: Response, { request, kept }: Asked): Promise<Response> {
  if (response.redirected || response.type === 'opaqueredirect')
    throw new Error('Redirected: not our answer');
  if (response.status >= 500) throw new Error(`Status ${response.status}`);
  if (response.status === 304) {
    if (kept && isAbout(response, kept)) return validated(kept, response);
    if (kept || !request.headers.has('if-none-match')) throw new Error('Not modified, but since when?');
    return stamped(response, null, 'network');
  }
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
const NO_BODY = [204, 205];

/** Whether a "not modified" speaks of this very answer; weakly, for a proxy that compresses weakens the tag. */
function isAbout(notModified: Response, kept: Response): boolean {
  const [said, known] = [notModified, kept].map(({ headers }) => headers.get('etag')?.replace(/^W\//, ''));
  return said === undefined || said === known;
}

/** The kept answer, as new as the word of the server that it still stands. */
function validated(kept: Response, notModified: Response): Response {
  const headers = new Headers(kept.headers);
  for (const name of [CACHED_AT_HEADER, COPY_REASON_HEADER, 'date', 'age']) headers.delete(name);
  notModified.headers.forEach((value, name) => {
    if (!name.startsWith('content-')) headers.set(name, value);
  });
  return stamped({ status: kept.status, statusText: kept.statusText, headers }, kept.body, 'validated');
}

function stamped(
  response: Pick<Response, 'status' | 'statusText' | 'headers'>,
  body: BodyInit | null,
  source: AnswerSource,
): Response {
  const headers = new Headers(response.headers);
  headers.set(SOURCE_HEADER, source);
  if (!headers.has(CACHED_AT_HEADER)) {
    const date = Date.parse(headers.get('date') ?? '');
    headers.set(CACHED_AT_HEADER, new Date(Number.isNaN(date) ? Date.now() : date).toISOString());
  }
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
