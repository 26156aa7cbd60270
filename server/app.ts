/** Assembles the HTTP service: all routes, listed by hand, and one way to answer refusals and failures. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import cors from '@fastify/cors';
import { fastifySSE } from '@fastify/sse';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import helmet, { type HelmetOptions } from 'helmet';
import { CSP_REPORTS_PATH } from '#contract/cspReports.ts';
import type { Refusal } from '#contract/errors.ts';
import { keySeal } from './accounts/keys/apiKeys.ts';
import { addGuard } from './accounts/guard.ts';
import { passwords as argonPasswords, type Passwords } from './accounts/passwords/passwords.ts';
import { secondFactors } from './accounts/passwords/secondFactor.ts';
import { tokens as makeTokens } from './accounts/tokens.ts';
import { tileOrigin, type Config } from './config.ts';
import type { CallParts, Calls, GivenParts } from './calls/callParts.ts';
import { noteCalls } from './calls/reference/openapi.ts';
import { databaseFault, Refused } from './refusals.ts';
import { watchAnswers } from './watches/watchAnswers.ts';
import { formatAnswers, STATE_HEADERS } from './delivery/formats/formatAnswers.ts';
import { streams } from './delivery/formats/streams.ts';
import { geocoder } from './geography/names/geocoder.ts';
import { noteAnswers } from './http/calls/answered.ts';
import {
  setStatus,
  partCalls,
  guardCalls,
  STRANGERS_BODY_BYTES,
  noteMethods,
} from './http/calls/declaredCalls.ts';
import { boundCalls } from './http/calls/costs.ts';
import { boundRequests, PER_NETWORK } from './http/limits/connections.ts';
import { refuseUnclearOrigin } from './http/calls/requestOrigin.ts';
import { readyReplies } from './http/answers/readyReplies.ts';
import { limitRequests } from './http/limits/requestLimits.ts';
import { sums } from './log.ts';
import { simplifyAcceptEncoding, answerNotModified } from './http/answers/negotiation.ts';
import { checkInput, refuseUnknownParameters } from './http/calls/input.ts';
import { addressCalls } from './calls/waysOut/sharingCalls.ts';
import { accountCalls } from './calls/accounts/accountCalls.ts';
import { adminCalls } from './calls/accounts/adminCalls.ts';
import { adminAccountCalls } from './calls/accounts/adminAccountCalls.ts';
import { changeCalls } from './calls/incidents/changeCalls.ts';
import { mergeCalls } from './calls/incidents/mergeCalls.ts';
import { analyticsCalls } from './calls/accounts/analyticsCalls.ts';
import { authCalls } from './calls/accounts/signInCalls.ts';
import { configCalls } from './calls/service/runtimeConfigCalls.ts';
import { displayAdminCalls, teamDisplayCalls } from './calls/displays/displayCalls.ts';
import { disruptionCalls } from './calls/incidents/disruptionCalls.ts';
import { cspReportCalls } from './calls/service/cspReportCalls.ts';
import { docsCalls } from './calls/reference/referenceCalls.ts';
import { eventCalls } from './calls/places/eventCalls.ts';
import { feedCalls } from './calls/feeds/feedCalls.ts';
import { formatCalls } from './calls/waysOut/formatCalls.ts';
import { geocodeCalls } from './calls/places/geocodeCalls.ts';
import { handoverCalls } from './calls/shift/handoverCalls.ts';
import { historyCalls } from './calls/incidents/historyCalls.ts';
import { healthCalls } from './calls/service/healthCalls.ts';
import { keyCalls } from './calls/accounts/keyCalls.ts';
import { layoutCalls } from './calls/displays/layoutCalls.ts';
import { jobCalls } from './calls/watches/jobCalls.ts';
import { reportCalls } from './calls/shift/reportCalls.ts';
import { responseCalls } from './calls/shift/responseCalls.ts';
import { messageCalls } from './calls/waysOut/messageCalls.ts';
import { pairingCalls } from './calls/displays/pairingCalls.ts';
import { publicPageCalls } from './calls/waysOut/publicPageCalls.ts';
import { briefCalls } from './calls/waysOut/briefCalls.ts';
import { channelCalls } from './calls/waysOut/channelCalls.ts';
import { secretAddressCalls } from './calls/waysOut/secretAddressCalls.ts';
import { statsCalls } from './calls/feeds/statsCalls.ts';
import { teamAdminCalls, teamCalls } from './calls/accounts/teamCalls.ts';
import { sourceCalls } from './calls/feeds/sourceCalls.ts';
import { osrmRouter } from './geography/roads/routingServer.ts';
import { watchFormatCalls } from './calls/waysOut/watchFormatCalls.ts';
import { watchDraftCalls } from './calls/watches/watchDraftCalls.ts';
import { watchMatchCalls } from './calls/watches/watchMatchCalls.ts';
import { watchCalls } from './calls/watches/watchCalls.ts';
import { DISPLAY_REV_HEADER } from '#contract/displays/displayRev.ts';
import { displayRevs } from './accounts/displays/layouts.ts';
import { responseAnswers } from './shift/responseAnswers.ts';
import { loggedPath, pathOf, readableUrl, serveApp } from './http/calls/staticFiles.ts';
import { addUsageLog } from './http/usage/usageLog.ts';

interface Parts extends GivenParts {
  passwords?: Passwords;
  /** The folder of the built app. */
  dist?: string;
}

/** A whole request must arrive within this time, because a client that sends slowly holds a connection. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long a client whose connection is refused has to read the reason. */
const REFUSED_CLOSES_MS = 2000;

const YEAR_S = 365 * 24 * 60 * 60;

const FAILED: Refusal = { detail: 'Something went wrong on our side.' };

export function buildApp(parts: Parts): FastifyInstance {
  const { config, db, now, log } = parts;
  const tokens = makeTokens(parts.secrets);

  const headers = securityHeaders(config);
  const revs = displayRevs(db);
  const ready = readyReplies(db, { revs, maxPerNetwork: config.trustProxy.length > 0 ? null : PER_NETWORK });
  const app = fastify({
    loggerInstance: log,
    // Our own log line below says more, and leaves out the query.
    logController: new LogController({ disableRequestLogging: true }),
    ...(config.tls && { https: config.tls }),
    serverFactory: ready.serverFactory,
    genReqId: ready.genReqId,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: STRANGERS_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Requests on open connections are still answered while we close: the database closes last.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    rewriteUrl: readableUrl,
    frameworkErrors: refuse,
    clientErrorHandler: refuseConnection(headers),
    // The type without TLS is enough: nothing on the app depends on whether it uses TLS.
  }) as unknown as FastifyInstance;

  app.setValidatorCompiler(checkInput);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(refuse);
  readJsonOnly(app);
  noteAnswers(app);
  logRequests(app);
  if (config.trustProxy.length > 0) boundRequests(app);
  letConnectionsEnd(app);
  simplifyAcceptEncoding(app);
  protectPages(app, config, headers);
  refuseUnclearOrigin(app);
  if (config.corsOrigins.length > 0) {
    void app.register(cors, {
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match'],
      exposedHeaders: [
        'Date',
        'ETag',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Request-Id',
        ...STATE_HEADERS,
        DISPLAY_REV_HEADER,
      ],
      maxAge: 600,
      // In strict mode the plugin answers an incomplete preflight (OPTIONS) in plain text.
      strictPreflight: false,
    });
  }

  partCalls(app);
  setStatus(app);
  noteCalls(app);
  noteMethods(app);
  guardCalls(app);
  boundCalls(app);
  const checkLimits = limitRequests(app, config.requestLimits);
  const { countConditional } = addGuard(app, {
    db,
    tokens,
    keyLimits: config.keyLimits,
    teamMode: config.teams,
    requireSecondFactor: config.requireSecondFactor,
    now,
  });
  ready.listenTo(app, checkLimits);
  // The plugin's own heartbeat is a comment, which a program's reader does not pass on.
  void app.register(fastifySSE, { heartbeatInterval: 0, serializer: String });
  const { routerUrl: url, contactEmail } = config;
  const places = { geocoder: geocoder(parts) };
  const callParts: CallParts = {
    ...parts,
    ...places,
    passwords: parts.passwords ?? argonPasswords(),
    tokens,
    factors: secondFactors(parts.secrets),
    seal: keySeal(parts.secrets),
    usageLog: addUsageLog(app, { db, now, log }),
    router: url ? osrmRouter({ url, contactEmail, log }) : null,
    formatAnswers: formatAnswers({ ...parts, ...places }),
    streams: streams(parts),
    watchAnswers: watchAnswers(parts),
    responseAnswers: responseAnswers(parts),
  };
  app.addHook('preClose', async () => callParts.streams.stop());
  void app.register(secretAddressCalls(callParts), { prefix: '/f' });
  void app.register(publicPageCalls(callParts), { prefix: '/p' });
  void app.register(healthCalls(callParts));
  void app.register(configCalls(callParts));
  void app.register(docsCalls);
  void app.register(
    async (api) => {
      refuseUnknownParameters(api);
      api.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      tellDisplays(api, revs);
      answerNotModified(api);
      countConditional(api);
      const calls: [prefix: string, Calls][] = [
        ['/auth', authCalls],
        ['/csp-reports', () => cspReportCalls],
        ['/auth', accountCalls],
        ['/keys', keyCalls],
        ['/feeds', feedCalls],
        ['/disruptions', disruptionCalls],
        ['', formatCalls],
        ['/changes', changeCalls],
        ['/history', historyCalls],
        ['/stats', statsCalls],
        ['/displays', pairingCalls],
        ['/displays', teamDisplayCalls],
        ['/displays', layoutCalls],
        ['/admin/displays', displayAdminCalls],
        ['/responses', responseCalls],
        ['/reports', reportCalls],
        ['/jobs', jobCalls],
        ['/watches', watchCalls],
        ['/watches', watchDraftCalls],
        ['/watches', watchMatchCalls],
        ['/watches', watchFormatCalls],
        ['/addresses', addressCalls],
        ['/handover', handoverCalls],
        ['/events', eventCalls],
        ['/geocode', geocodeCalls],
        ['/analytics', analyticsCalls],
        ['/admin', adminCalls],
        ['/admin', adminAccountCalls],
        ['/team', teamCalls],
        ['/admin/teams', teamAdminCalls],
        ['/messages', messageCalls],
        ['/channels', channelCalls],
        ['/briefs', briefCalls],
        ['/admin/merges', mergeCalls],
        ['/admin/sources', sourceCalls],
      ];
      for (const [prefix, some] of calls) void api.register(named(some(callParts)), { prefix });
    },
    { prefix: '/api/v1' },
  );
  serveApp(app, parts.dist ?? join(import.meta.dirname, '../dist'));
  return app;
}

/** Gives a plugin a name. For one without a name, Fastify searches all loaded modules. */
const named = (calls: FastifyPluginAsync) =>
  Object.assign(calls, { [Symbol.for('fastify.display-name')]: 'calls' });

/** Answers every error with `{ detail, request_id }`: a refusal with its status, anything else with 500 and a log
 *  entry. */
function refuse(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (pathOf(request).startsWith('/api/')) reply.header('cache-control', 'no-store');

  const send = (status: number, answer: Refusal, headers: Readonly<Record<string, string>> = {}) =>
    reply
      .code(status)
      .headers(headers)
      .send({ ...answer, request_id: request.id } satisfies Refusal);
  if (error instanceof Refused) return send(error.status, error.answer, error.headers);

  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    const code = 'code' in error ? error.code : '';
    return send(status, { detail: frameworkRefusal(code, request) ?? plain(error.message) });
  }
  request.log.error({ err: error, method: request.method, path: loggedPath(request) }, 'a request failed');
  const fault = databaseFault(error);
  return fault
    ? send(503, { detail: fault.words }, { 'retry-after': String(fault.retryAfterSeconds) })
    : send(500, FAILED);
}

/** Answers bytes that are not an HTTP request: they have no headers and no route. */
const refuseConnection =
  (headers: Readonly<Record<string, string>>) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable) return void socket.destroy();
    const [status, detail] = BROKEN_REQUESTS[error.code ?? ''] ?? [
      '400 Bad Request',
      'This is not an HTTP request.',
    ];
    const body = JSON.stringify({ detail } satisfies Refusal);
    const head = Object.entries({
      ...headers,
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
    // A client that never closes its end would keep the memory of its data for good.
    const timer = setTimeout(() => socket.destroy(), REFUSED_CLOSES_MS);
    socket.once('close', () => clearTimeout(timer));
  };

const BROKEN_REQUESTS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Refusals by the framework that an ordinary caller can meet, in our words. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON, with the content type application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
  FST_ERR_BAD_URL: 'The address is not valid.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
};

/** The words for the code of a refusal. A call can allow a larger body than others. */
const frameworkRefusal = (code: string, { routeOptions }: FastifyRequest): string | undefined =>
  code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? `The body is too large: at most ${(routeOptions.bodyLimit ?? STRANGERS_BODY_BYTES) / 1024} KiB are read.`
    : FRAMEWORK_REFUSALS[code];

/** The first line only, at most 200 characters. */
const plain = (message: string) => message.split('\n', 1)[0]!.slice(0, 200);

/** A body is JSON or absent. An empty body with a JSON content type counts as absent. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (String(body).trim() === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new Refused(400, 'The body is not valid JSON.'));
    }
  });
}

/** One line for each request of a known caller, and for each failure of ours. Query, headers and body are left out,
 *  because they can hold secrets and personal data. */
function logRequests(app: FastifyInstance): void {
  const strangers = sums(app.log, 'requests without a credential');
  app.addHook('onClose', async () => strangers.flush());
  app.onAnswered(({ method, url, route, status, ms, address, caller, log, reqId }) => {
    // Anybody can send any number of these.
    const isCounted = caller === null && status < 500;
    if (isCounted) strangers.count(String(status));
    log[isCounted ? 'debug' : 'info'](
      {
        reqId,
        method,
        path: loggedPath({ url, routeOptions: { url: route } }).slice(0, 200),
        status,
        ms: Math.round(ms),
        address,
        userId: caller?.userId,
        keyId: caller?.type === 'api_key' ? caller.keyId : undefined,
        displayId: caller?.type === 'display' ? caller.displayId : undefined,
      },
      'request',
    );
  });
}

/** Adds to each answer for a display the revision that it must show, see contract/displays/layouts.ts. It is a
 *  header, so that the bytes stay the same for all. */
function tellDisplays(api: FastifyInstance, revs: ReturnType<typeof displayRevs>): void {
  api.addHook('onSend', async ({ caller }, reply) => {
    if (caller?.type === 'display') reply.header(DISPLAY_REV_HEADER, await revs(caller.displayId));
  });
}

/** While the server closes, each answer also ends its connection: an open connection would delay the stop. */
function letConnectionsEnd(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}

/** Adds the security headers to every answer. Scripts can read the stored tokens, so no foreign script may run. */
function protectPages(
  app: FastifyInstance,
  { hstsSubdomains }: Config,
  headers: Readonly<Record<string, string>>,
): void {
  const transport = `max-age=${YEAR_S}${hstsSubdomains ? '; includeSubDomains' : ''}`;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    // Behind a trusted proxy this is the protocol that the proxy received.
    if (request.protocol === 'https') reply.header('strict-transport-security', transport);
  });
}

function securityHeaders(config: Pick<Config, 'tileUrl'>): Record<string, string> {
  const tiles = tileOrigin(config.tileUrl);
  const withTiles = (...sources: string[]) => (tiles ? [...sources, tiles] : sources);

  const headers = headersOf({
    contentSecurityPolicy: {
      // The defaults would upgrade every request to https, which a server on plain http does not answer.
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The only policies: src/app/launch.ts, and src/screens/watches/making/readLineFile.ts for XML that is never shown.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default', 'file-xml'],
        reportUri: [CSP_REPORTS_PATH],
        reportTo: ['csp'],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: withTiles("'self'", 'data:', 'blob:'),
        connectSrc: withTiles("'self'"),
        workerSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // Tile servers require a Referer; the origin is enough.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  headers['reporting-endpoints'] = `csp="${CSP_REPORTS_PATH}"`;
  headers['permissions-policy'] =
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), fullscreen=(self), screen-wake-lock=(self)';
  return headers;
}

/** The headers, made once: the library would make them for each answer, although none depends on the request. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, () => {});
  return response.getHeaders() as Record<string, string>;
}
