/** Content encoding, and whether the caller already has an answer, judged by the request's headers. */
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Smallest first. */
const COMPRESSED = ['br', 'gzip'] as const;
type Compressed = (typeof COMPRESSED)[number];
export type Encoding = Compressed | 'identity';

/** The caller's preferred encoding from `ours` (RFC 9110, 12.5.3); the smallest when it has no preference. Plain text
 *  is the fallback even when refused: an unwanted encoding is better than no answer. */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  ours: readonly Compressed[] = COMPRESSED,
): Encoding {
  return wanted(acceptEncoding, ours)[0] ?? 'identity';
}

/** Browsers send one of a few headers. */
const answered = new LRUCache<string, readonly Compressed[]>({ max: 100 });
const QUESTION_KEPT = 100;

/** Missing in the types, which are of an older version: our order of preference among equals. */
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
  return liked.slice(0, plain < 0 ? undefined : plain) as Compressed[]; // `identity` itself is not among them
}

/** Replaces the header by our result, for packages that negotiate themselves: @fastify/static reads `gzip;q=0, *` as
 *  gzip. */
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
