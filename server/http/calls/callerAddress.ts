/** Where a request comes from, as it is stored. */
import type { FastifyRequest } from 'fastify';

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
