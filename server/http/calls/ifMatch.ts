/** The revision of a thing that its editor had loaded, from `If-Match`. */
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../refusals.ts';

/** `7`, or as an ETag `"7"`; undefined when the header is absent or says something else. */
export function sentRev({ headers }: FastifyRequest): number | undefined {
  const [, rev] = /^"?(\d{1,9})"?$/.exec(headers['if-match']?.trim() ?? '') ?? [];
  return rev === undefined ? undefined : Number(rev);
}

/** The same; refuses with 428 and these words when it is missing. */
export function revOf(request: FastifyRequest, missing: string): number {
  const rev = sentRev(request);
  if (rev === undefined) throw new Refused(428, missing);
  return rev;
}
