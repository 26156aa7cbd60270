/** Content encoding, and whether the caller already has an answer, judged by the request's headers. */
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { createHash } from 'node:crypto';

/** Smallest first. */
const COMPRESSED = ['br', 'gzip'] as const;
type Compressed = (typeof COMPRESSED)[number];
export type Encoding = Compressed | 'identity';

/** The encoding of `ours` that the caller prefers (RFC 9110, 12.5.3), or the smallest when the caller has no
 *  preference. Plain text is the fallback, even for a caller who refuses it: an unwanted encoding is better than no
 *  answer. */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  ours: readonly Compressed[] = COMPRESSED,
): Encoding {
  return wanted(acceptEncoding, ours)[0] ?? 'identity';
}

/** The results by header: browsers send only a few different ones. */
const answered = new LRUCache<string, readonly Compressed[]>({ max: 100 });
const QUESTION_KEPT = 100;

/** Our order among equal preferences. It is missing in the types, which are of an older version. */
interface WithPreference {
  encodings(offered: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** The encodings that the caller prefers to plain text or accepts equally, best first. */
function wanted(acceptEncoding: string | undefined, ours: readonly Compressed[]): readonly Compressed[] {
  if (!acceptEncoding) return [];
  const question = `${ours.join()} ${acceptEncoding}`;
  const known = answered.get(question) ?? negotiate(acceptEncoding, ours);
  if (question.length <= QUESTION_KEPT) answered.set(question, known);
  return known;
}

function negotiate(acceptEncoding: string, ours: readonly Compressed[]): readonly Compressed[] {
  // The old name of gzip (RFC 9110, 8.4.1.3).
  const headers = { 'accept-encoding': acceptEncoding.replaceAll(/x-gzip/gi, 'gzip') };
  const offered = [...ours, 'identity'];
  const negotiator: Negotiator & WithPreference = new Negotiator({ headers });
  const liked = negotiator.encodings(offered, { preferred: offered });
  const plain = liked.indexOf('identity');
  return liked.slice(0, plain < 0 ? undefined : plain) as Compressed[]; // `identity` itself is not one of them
}

/** Replaces the header by our result, for packages that negotiate by themselves: @fastify/static reads `gzip;q=0, *`
 *  as gzip. */
export function simplifyAcceptEncoding(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const sent = headers['accept-encoding'];
    if (sent === undefined) return;
    headers['accept-encoding'] = wanted(sent, COMPRESSED)
      .map((name, at) => `${name};q=${1 - at / 10}`)
      .join(', ');
  });
}

/** Whether the caller already has these bytes, by If-None-Match, with weak comparison (RFC 9110, 13.1.2). */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
}

// Answers 304, as short as possible, when the ETag shows that the caller already has the answer.

/** Sets an ETag, a hash of the bytes, on every answer to a GET that has none (ready answers have their own), and
 *  answers 304 to a caller who already has it. A 304 keeps only the headers about the answer. The other headers
 *  protect pages, and would be three quarters of the data that a board loads each minute. */
export function answerNotModified(api: FastifyInstance): void {
  api.addHook('onSend', async (request, reply, payload) => {
    let toSend = payload;
    const isWhole = typeof payload === 'string' || payload instanceof Buffer;
    if (request.method === 'GET' && reply.statusCode === 200 && isWhole && !reply.hasHeader('etag')) {
      const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
      reply.header('etag', etag);
      if (isKnownTo(request.headers['if-none-match'], etag)) {
        reply.code(304);
        toSend = null;
      }
    }
    if (reply.statusCode === 304) {
      for (const name of Object.keys(reply.getHeaders())) if (!TELLING.test(name)) reply.removeHeader(name);
    }
    return toSend;
  });
}

const TELLING =
  /^(etag|vary|cache-control|connection|retry-after|ratelimit.*|access-control-.*|x-clearway-.*|x-request-id|referrer-policy)$/;
