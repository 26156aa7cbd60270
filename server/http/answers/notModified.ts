/** Answers 304, as short as possible, when the caller already has the answer by its ETag. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isKnownTo } from './negotiation.ts';

/**
 * Sets an ETag, a hash of the bytes, on every answer to a GET that has none (ready answers have their own), and
 * answers 304 to a caller that already has it. A 304 keeps only the headers about the answer. The others, which
 * protect pages, would be three quarters of the data that a board loads each minute.
 */
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
