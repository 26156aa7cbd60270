/** Stores answers of the API for offline use, as a workbox plugin. It decides which answers may be stored and for
 *  whom, and how a stored copy is marked. It never decides their content. */
import type { WorkboxPlugin } from 'workbox-core/types.js';
import {
  type AnswerSource,
  ASKED_HEADER,
  CACHED_AT_HEADER,
  COPY_REASON_HEADER,
  type CopyReason,
  type LateAnswer,
  SCOPE_HEADER,
  SOURCE_HEADER,
} from './workerMessages.ts';

declare const self: ServiceWorkerGlobalScope;

/** Sessions that have ended since this worker started. An answer that was on its way when its session ended must not
 *  be stored. The worker that fetches it also got the message, so memory is enough. */
const ended = new Set<string>();

export const endSession = (scope: string) => void ended.add(scope);

/**
 * An answer belongs to the session whose scope the request carries, and only that session can find it. Requests send
 * the ETag of the stored copy; "not modified" renews the copy's time. An answer that is not from our server (a 5xx, a
 * redirect, a portal's page, a document that was cut off) throws, so that the strategy uses the copy. Refusals pass
 * through unchanged and delete nothing, because an access token expires every few minutes.
 */
export const keepForScope = (cacheName: string): WorkboxPlugin => ({
  cacheKeyWillBeUsed: async ({ request }) => keyOf(request),

  requestWillFetch: async ({ request, state }) => {
    const asked = await withoutScope({ request });
    // A caller's own condition is left as it is.
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
    if (state) state.network = 'unusable' satisfies CopyReason; // used only if ownAnswer throws and a copy is given
    return ownAnswer(response, { request, kept: state?.kept as Response | undefined });
  },

  fetchDidFail: async ({ state }) => {
    if (state) state.network ??= 'down' satisfies CopyReason;
  },

  cacheWillUpdate: async ({ request, response, event, state }) => {
    if (ended.has(scopeOf(request))) return null;
    const answer = response.status === 304 ? await standing(response) : response;
    if (!answer) return null;
    // Passed on before it is stored, because storing can fail for lack of space. Refusals are passed on too: on a
    // line that is always slow, the page would otherwise never learn that its token has expired.
    if (state?.copyGiven) await passOn(answer.clone(), event as FetchEvent);
    return answer.status === 200 ? answer : null;

    /** The stored copy with its new time, if a "not modified" to the caller's own condition refers to it. */
    async function standing(notModified: Response): Promise<Response | null> {
      const kept = await keptUnder(keyOf(request), cacheName);
      return kept && isAbout(notModified, kept) ? validated(kept, notModified) : null;
    }
  },

  // Checked again, because the session may have ended between the first check and the write.
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

/** Removes the scope and the number before the request leaves, because another host does not need them and may
 *  reject them. */
export async function withoutScope({ request }: { request: Request }): Promise<Request> {
  const headers = new Headers(request.headers);
  headers.delete(SCOPE_HEADER);
  headers.delete(ASKED_HEADER);
  return new Request(request, { headers });
}

/** The cache key of a session's request. */
function keyOf(request: Request): string {
  const key = new URL(request.url);
  key.searchParams.set('__scope', request.headers.get(SCOPE_HEADER) ?? '');
  return key.href;
}

/** The stored answer. A failing storage counts as empty. */
async function keptUnder(key: string, cacheName: string): Promise<Response | undefined> {
  try {
    return await caches.match(new Request(key), { cacheName, ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Sends the network's answer to the page, which was given a copy before. */
async function passOn(response: Response, { clientId, request }: FetchEvent): Promise<void> {
  const page = await self.clients.get(clientId);
  const answer: LateAnswer = {
    type: 'LATE_ANSWER',
    url: request.url,
    asked: request.headers.get(ASKED_HEADER),
    status: response.status,
    headers: [...response.headers],
    body: await response.text(),
  };
  page?.postMessage(answer, []);
}

/** For answers that are the same for everybody, such as this server's settings. The checks are the same, but there
 *  is no owner. */
export const keepForAll: WorkboxPlugin = {
  fetchDidSucceed: ({ request, response }) => ownAnswer(response, { request }),
  cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
};

/** Takes the request itself or its cache key. */
const scopeOf = (request: Request) =>
  request.headers.get(SCOPE_HEADER) ?? new URL(request.url).searchParams.get('__scope') ?? '';

interface Asked {
  request: Request;
  /** The stored copy whose ETag was sent. */
  kept?: Response | undefined;
}

/** The answer, read to its end and marked with its time. Throws when it is not from our server. */
async function ownAnswer(response: Response, { request, kept }: Asked): Promise<Response> {
  if (response.redirected) throw new Error('Redirected: not our answer');
  if (response.status >= 500) throw new Error(`Status ${response.status}`);
  if (response.status === 304) {
    if (kept && isAbout(response, kept)) return validated(kept, response);
    if (kept || !request.headers.has('if-none-match')) throw new Error('Not modified, but there is no copy');
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

/** A response with one of these statuses may not have a body. */
const NO_BODY = [204, 205];

/** Whether a "not modified" refers to this copy. The comparison is weak, because a proxy that compresses weakens the
 *  tag. */
function isAbout(notModified: Response, kept: Response): boolean {
  const [said, known] = [notModified, kept].map(({ headers }) => headers.get('etag')?.replace(/^W\//, ''));
  return said === undefined || said === known;
}

/** The copy, with the time at which the server confirmed it. */
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
