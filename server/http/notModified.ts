/** Answers of the API that a caller has already: 304 by their ETag, with as few bytes as it takes. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isKnownTo } from './negotiation.ts';

/**
 * Gives every answer to a GET an ETag of its bytes, where its route has not (ready answers have their own), and answers
 * 304 to a caller that knows it. A 304 keeps the headers that say something about the answer. The others, which protect pages,
 * would be three quarters of what a board loads each minute.
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

const TELLING = /^(etag|vary|cache-control|connection|retry-after|ratelimit.*|access-control-.*)$/;
