/** The name by which a request reached the service, and the address that it came from. */
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../../refusals.ts';

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** The origin that a request was sent to. The framework accepts forwarding headers only from trusted proxies, but it
 *  takes any word as their protocol. */
export function requestOrigin({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  if (!HOST.test(host)) throw new Refused(400, 'The Host header does not name a host.');
  return `${(protocol as string) === 'https' ? 'https' : 'http'}://${host}`;
}

const NOT_ONE_HOST = 'The request must have one Host header.';
const NO_ADDRESS = 'X-Forwarded-For does not name the address of a caller.';

/** Refuses a request that two readers could understand differently, because a proxy may have checked something else
 *  than we would answer. Also refuses a request whose proxy names no address, because limits are counted by address. */
export function refuseUnclearOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, ip }) => {
    const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) throw new Refused(400, NOT_ONE_HOST);
    if (!isIP(ip)) throw new Refused(400, NO_ADDRESS);
  });
}

// The address and browser of a request, as they are stored.

const USER_AGENT_MAX = 300;

export const placeOf = (request: FastifyRequest) => ({
  address: request.ip,
  user_agent: plainText(request.headers['user-agent'] ?? ''),
});

/** Untrusted text as one printable line. */
export const plainText = (text: string) =>
  text
    .slice(0, USER_AGENT_MAX)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
