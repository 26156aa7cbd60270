/** In which form an answer is sent, and whether the caller has it already: what its request says of that. */
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';

/** The smallest first. */
const COMPRESSED = ['br', 'gzip'] as const;
type Compressed = (typeof COMPRESSED)[number];
export type Encoding = Compressed | 'identity';

/** The encoding of `ours` that the caller likes best (RFC 9110, 12.5.3); the smallest where it does not care. Plain text
 *  is never refused: an answer that was not asked for beats none. */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  ours: readonly Compressed[] = COMPRESSED,
): Encoding {
  return wanted(acceptEncoding, ours)[0] ?? 'identity';
}

/** What its types, of an older version, do not know: among equals, the order that we prefer. */
interface WithPreference {
  encodings(offered: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** Those that the caller likes better than plain text, or as well; the best first. */
function wanted(acceptEncoding: string | undefined, ours: readonly Compressed[]): Compressed[] {
  if (!acceptEncoding) return [];
  // An old name of the same (RFC 9110, 8.4.1.3).
  const headers = { 'accept-encoding': acceptEncoding.replaceAll(/x-gzip/gi, 'gzip') };
  const offered = [...ours, 'identity'];
  const negotiator: Negotiator & WithPreference = new Negotiator({ headers });
  const liked = negotiator.encodings(offered, { preferred: offered });
  const plain = liked.indexOf('identity');
  return liked.slice(0, plain < 0 ? undefined : plain) as Compressed[]; // none before `identity` is that
}

/** Puts what is wanted of ours in the place of what was sent, for packages that negotiate by themselves: to @fastify/static
 *  `gzip;q=0, *` means gzip. */
export function simplifyAcceptEncoding(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const sent = headers['accept-encoding'];
    if (sent === undefined) return;
    headers['accept-encoding'] = wanted(sent, COMPRESSED)
      .map((name, at) => `${name};q=${1 - at / 10}`)
      .join(', ');
  });
}

/** Whether the caller has these bytes already, by its If-None-Match; weak comparison, as RFC 9110 13.1.2 wants. */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
}
