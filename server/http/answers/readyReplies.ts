/**
 * Answers a repeated request before the framework sees it: most requests are the same as a minute ago.
 * All rules are on the ordinary path. When it sends a ready answer (`sendReady`), the headers of that answer are kept
 * under the whole content of the request. The next request with the same content gets these headers with the current
 * answer, if the guard would still find the same caller (see guard.ts). Everything else takes the ordinary path:
 * refusals, errors, and any new method, address or header. Limits, quotas, usage, figures and the log use the same
 * functions on both paths.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DISPLAY_REV_HEADER } from '#contract/displays/displayRev.ts';
import { bearerToken, type Caller } from '../../accounts/guard.ts';
import type { Db } from '../../db/open.ts';
import { type Revisions, revisionsNow } from '../../db/revisions.ts';
import { chosen, type Answer } from './readyAnswers.ts';
import { boundConnections, CONNECTION_OPTIONS, oneAtATime } from '../limits/connections.ts';
import { type Counted, isLimited } from '../limits/requestLimits.ts';

/** Memory for requests and headers: enough for some thousand boards. */
const KEPT_BYTES = 12 * 1024 * 1024;
/** The size of an entry without the content of its request. */
const ENTRY_BYTES = 600;

/** Headers that may differ between two equal requests. Our answer depends only on the first of them, which is read
 *  each time. */
const NOT_KEPT = new Set([
  'if-none-match',
  'cf-ray',
  'traceparent',
  'tracestate',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-request-id',
  'x-request-start',
]);

/** Headers that differ with each answer. All other headers are the same for the same request. */
const OF_ONE_ANSWER =
  /^(etag|content-encoding|content-length|ratelimit.*|connection|keep-alive|date|x-request-id|x-clearway-display)$/;

/** Names and values in turn. An object would need several times the memory. */
type Headers = readonly string[];
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Kept extends Counted {
  credential: string;
  caller: Caller;
  route: string;
  acceptEncoding: string | undefined;
  /** The answer of now. */
  answer: (revisions?: Revisions) => Promise<Answer>;
  /** By status. */
  headers: Partial<Record<200 | 304, Headers>>;
}

/** `maxPerNetwork`: the limit of connections; null: they come from a proxy, and requests are limited instead.
 *  `revs`: the revision that a display is asked for. */
export function readyReplies(
  db: Db,
  {
    maxPerNetwork = null,
    revs,
  }: {
    maxPerNetwork?: number | null;
    revs: (displayId: string, revisions?: Revisions) => Promise<number>;
  },
) {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (_one, key) => key.length + ENTRY_BYTES,
  });
  let app: FastifyInstance | undefined;
  let limit: (one: Counted) => Promise<void>;
  let isClosing = false;
  let requests = 0;
  // Every process has another name, so that one request can be found in the logs of several nodes.
  const process = randomBytes(6).toString('hex');
  const genReqId = () => `req-${process}-${(++requests).toString(36)}`;

  /** Answers from memory. False when the ordinary path must answer: then nothing was sent and no quota was used, but
   *  the request has counted towards the limits. */
  async function reply(one: Kept, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const began = performance.now();
    const { caller } = one;
    const revisions = revisionsNow(db);
    if ((await app!.callerKnownBy(one.credential, revisions)) !== caller) return false;
    const answer = await one.answer(revisions);
    const ifNoneMatch = request.headers['if-none-match'];
    const { encoding, etag, isKnown } = chosen(answer, one.acceptEncoding, ifNoneMatch);
    const status = isKnown ? 304 : 200;
    const headers = one.headers[status];
    if (!headers) return false;
    const body = isKnown ? undefined : await answer.bytes(encoding);
    if (isLimited(one.routeOptions.config)) await limit(one);
    // As on the ordinary path, only a conditional request can be free of charge.
    const isFree = isKnown ? 'not modified' : undefined;
    const quota = caller.type === 'api_key' ? await app!.spend(caller, isFree) : undefined;

    const asked = caller.type === 'display' ? await revs(caller.displayId, revisions) : null;

    const reqId = genReqId();
    response.on('close', () =>
      app!.noteAnswered({
        method: 'GET',
        url: request.url!,
        route: one.route,
        status,
        ms: performance.now() - began,
        address: one.ip,
        caller,
        log: app!.log,
        reqId,
      }),
    );
    const ofThisAnswer = ['etag', etag, 'x-request-id', reqId];
    if (asked !== null) ofThisAnswer.push(DISPLAY_REV_HEADER, String(asked));
    for (const name in quota) ofThisAnswer.push(name, quota[name]!);
    if (body) ofThisAnswer.push('content-length', String(body.byteLength));
    if (body && encoding !== 'identity') ofThisAnswer.push('content-encoding', encoding);
    response.writeHead(status, [...headers, ...ofThisAnswer]);
    response.end(body);
    return true;
  }

  async function tryToReply(
    one: Kept,
    request: IncomingMessage,
    response: ServerResponse,
    ordinary: Handler,
  ) {
    // A request that is refused or fails here takes the ordinary path, which explains the refusal in words.
    const isDone = await reply(one, request, response).catch(() => false);
    if (!isDone) ordinary(request, response);
  }

  function keep(request: FastifyRequest, reply: FastifyReply): void {
    const { ready, caller, ip, raw, headers } = request;
    const { statusCode: status } = reply;
    if (!ready || !caller || raw.method !== 'GET' || (status !== 200 && status !== 304)) return;
    const said = saidBy(raw);
    const { config, url: route } = request.routeOptions;
    const before = kept.get(said);
    const constant = Object.entries(reply.getHeaders()).filter(([name]) => !OF_ONE_ANSWER.test(name));
    kept.set(said, {
      credential: bearerToken(request)!,
      caller,
      ip,
      route: route!,
      routeOptions: { config },
      acceptEncoding: headers['accept-encoding'],
      answer: ready,
      headers: {
        ...(before?.caller === caller && before.headers),
        [status]: constant.flatMap(([name, value]) => [value].flat().flatMap((one) => [name, String(one)])),
      },
    });
  }

  return {
    /** Id of a request, for the log. */
    genReqId,

    /** Makes the server as the framework would, and puts these answers in front of it. */
    serverFactory: ((handler, options) => {
      const { https, http } = options as { https?: object; http?: object };
      const ordinary: Handler = handler;
      const first = oneAtATime((request, response) => {
        const one = isReadable(request) && !isClosing ? kept.get(saidBy(request)) : undefined;
        if (one) void tryToReply(one, request, response, ordinary);
        else ordinary(request, response);
      });
      const server = https
        ? createTlsServer({ ...CONNECTION_OPTIONS, ...https }, first)
        : createServer({ ...CONNECTION_OPTIONS, ...http }, first);
      if (maxPerNetwork !== null) boundConnections(server, maxPerNetwork);
      const { keepAliveTimeout, requestTimeout } = options as Record<string, number>;
      // Node uses the longer of these two times for the whole request, so both get the same value.
      return Object.assign(server, { keepAliveTimeout, requestTimeout, headersTimeout: requestTimeout });
    }) as FastifyServerFactory,

    /** Keeps the answers of this app. `check` refuses a request that is over a limit. */
    listenTo(listened: FastifyInstance, check: (one: Counted) => Promise<void>): void {
      app = listened;
      limit = check;
      app.decorateRequest('ready', null);
      app.addHook('onResponse', async (request, reply) => keep(request, reply));
      app.addHook('preClose', async () => {
        isClosing = true;
      });
    },
  };
}

const isReadable = ({ method, url }: IncomingMessage) => method === 'GET' && url!.startsWith('/api/');

/** The last request of each connection: most connections repeat it. */
const lastSaid = new WeakMap<object, { url: string; rawHeaders: readonly string[]; said: string }>();

/** All parts of a request that can change its answer. */
function saidBy(request: IncomingMessage): string {
  const { rawHeaders, socket } = request;
  const url = request.url!;
  const last = lastSaid.get(socket);
  if (last && last.url === url && isSame(last.rawHeaders, rawHeaders)) return last.said;
  const said = joined(request);
  lastSaid.set(socket, { url, rawHeaders, said });
  return said;
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((one, at) => one === others[at]);

function joined({ url, rawHeaders, socket }: IncomingMessage): string {
  let said = `${socket.remoteAddress} ${url}`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!NOT_KEPT.has(name.toLowerCase())) said += `\n${name}: ${rawHeaders[at + 1]}`;
  }
  return said;
}
