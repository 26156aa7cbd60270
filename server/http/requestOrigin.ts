import type { FastifyRequest } from 'fastify';
import { Refused } from '../refusals.ts';

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** The origin that a request was sent to. The framework accepts forwarding headers only from trusted proxies, but takes
 *  any word for their protocol. */
export function requestOrigin({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  if (!HOST.test(host)) throw new Refused(400, 'The Host header does not name a host.');
  return `${(protocol as string) === 'https' ? 'https' : 'http'}://${host}`;
}
