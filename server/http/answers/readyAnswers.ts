/** Ready answers: serialised and hashed once, compressed once for each encoding, then sent unchanged. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Revisions } from '../../db/revisions.ts';
import { chooseEncoding, type Encoding, isKnownTo } from './negotiation.ts';

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** Brotli's best level is ten times slower and saves only a twentieth. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
const GZIP_LEVEL_QUICK = 1;
/** Below this size, compression saves no packet. */
const COMPRESS_FROM_BYTES = 1024;

/** One ready answer. The bytes of an encoding are made at their first request, and kept. */
export interface Answer {
  /** A strong ETag. Each encoding has its own, because the bytes differ. */
  etag(encoding: Encoding): string;
  bytes(encoding: Encoding): Promise<Buffer>;
  /** True when the answer is long enough to be worth compressing. */
  isCompressible: boolean;
  /** Absent: all. */
  encodings?: Parameters<typeof chooseEncoding>[1];
  /** The size before compression, in bytes. */
  size: number;
}

/** Any JSON value as an answer. */
export const answer = (value: unknown) => answerOfBytes(Buffer.from(JSON.stringify(value)));

/** `isQuick`: for answers with few readers. They are compressed fast, and only by gzip. */
export function answerOfBytes(plain: Buffer, { isQuick = false } = {}): Answer {
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  const made = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(plain)]]);

  return {
    size: plain.byteLength,
    encodings: isQuick ? ['gzip'] : undefined,
    isCompressible: plain.byteLength >= COMPRESS_FROM_BYTES,
    etag: (encoding) => `"${encoding === 'identity' ? tag : `${tag}-${encoding}`}"`,
    bytes(encoding) {
      const ready = made.get(encoding) ?? compress(plain, encoding, isQuick);
      made.set(encoding, ready);
      return ready;
    },
  };
}

function compress(plain: Buffer, encoding: Encoding, isQuick: boolean): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(plain, { level: isQuick ? GZIP_LEVEL_QUICK : GZIP_LEVEL });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: plain.byteLength };
  return brotlied(plain, { params });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Makes the answer to the same request at a later time, see readyReplies.ts. */
    ready: ((revisions?: Revisions) => Promise<Answer>) | null;
  }
}

/** Sends the answer to this query, and lets the same request be answered from readyReplies.ts the next time. Of the
 *  whole request, `answerTo` may depend only on the query. */
export async function sendReady<Query>(
  request: FastifyRequest,
  reply: FastifyReply,
  answerTo: (query: Query, revisions?: Revisions) => Promise<Answer>,
  query: Query,
): Promise<FastifyReply> {
  request.ready = (revisions) => answerTo(query, revisions);
  return send(request, reply, await answerTo(query));
}

/** Sends ready bytes in the encoding that the caller prefers, or 304 when the caller already has them. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  type = 'application/json; charset=utf-8',
): Promise<FastifyReply> {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const { encoding, etag, isKnown } = chosen(answer, acceptEncoding, ifNoneMatch);
  reply.header('etag', etag).header('vary', withAcceptEncoding(reply.getHeader('vary')));
  if (isKnown) return reply.code(304).send();

  reply.type(type);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await answer.bytes(encoding));
}

/** The form in which a caller gets an answer, and whether the caller already has it. */
export function chosen(answer: Answer, acceptEncoding: string | undefined, ifNoneMatch: string | undefined) {
  const encoding = answer.isCompressible ? chooseEncoding(acceptEncoding, answer.encodings) : 'identity';
  const etag = answer.etag(encoding);
  return { encoding, etag, isKnown: isKnownTo(ifNoneMatch, etag) };
}

/** Adds Accept-Encoding to `Vary`, which another plugin (CORS) may also set. */
function withAcceptEncoding(vary: unknown): string {
  return [vary, 'Accept-Encoding'].flat().filter(Boolean).join(', ');
}
