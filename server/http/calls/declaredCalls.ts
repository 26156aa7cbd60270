/** A call says once, with its handler, who may make it and what it is for: its guard, /docs and docs/calls.md follow. */
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { z } from 'zod';
import { GUARDS, type Who } from '../../accounts/guard.ts';
import type { Cost } from './costs.ts';

/** Its own parts, which the framework keeps as a route's `config`. */
export interface Call {
  who: Who;
  /** True: also for a person who must first change their password or set up a second factor. */
  evenWhileMust: boolean;
  /** Most that it may cost, see costs.ts. */
  costs: Cost;
  /** The media types of an answer that is no JSON. */
  types: readonly string[];
  /** The meaning of a status, where "Done." is not enough. */
  meanings: Readonly<Record<number, string>>;
  /** Refusals specific to this call, by status: the words sent to the caller, or the whole answer. */
  refusals: Readonly<Record<number, string | object>>;
}

/** Its parts that the framework keeps as a route's `schema`. */
interface CallSchema<Params, Query, Body, Response> {
  operationId: string;
  summary: string;
  description: string;
  params?: Params;
  querystring?: Query;
  body?: Body;
  response?: Response;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<Call> {}

  interface RouteShorthandMethod<
    RawServer extends RawServerBase,
    RawRequest extends RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer>,
    TypeProvider extends FastifyTypeProvider,
    Logger extends FastifyBaseLogger,
  > {
    /** A call in one object, parted for the framework by `partCalls`. The compiler says of one whose handler does not fit
     *  that `who` does not exist: it names the last overload, which is the framework's own. */
    <Params, Query, Body, Response>(
      path: string,
      call: Omit<RouteShorthandOptions<RawServer, RawRequest, RawReply>, 'config' | 'schema'> &
        Pick<Call, 'who' | 'costs'> &
        Partial<Call> &
        CallSchema<Params, Query, Body, Response> & {
          handler: RouteHandlerMethod<
            RawServer,
            RawRequest,
            RawReply,
            RouteGenericInterface,
            ContextConfigDefault,
            { params: Params; querystring: Query; body: Body; response: Response },
            TypeProvider,
            Logger
          >;
        },
    ): void;
  }
}

const SCHEMA = ['operationId', 'summary', 'description', 'params', 'querystring', 'body', 'response'];
const CONFIG = ['who', 'evenWhileMust', 'costs', 'types', 'meanings', 'refusals'];

/** Parts every call registered after this into what the framework keeps of it. Before all else that reads routes. */
export function partCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions & Partial<Call>) => {
    if (!route.who) return;
    const partsOf = (names: readonly string[]) =>
      Object.fromEntries(Object.entries(route).filter(([name]) => names.includes(name)));
    route.config = partsOf(CONFIG);
    route.schema = partsOf(SCHEMA);
  });
}

/** Body of a caller who is not known yet, and of all addresses without a call. */
export const STRANGERS_BODY_BYTES = 4 * 1024;
/** None of our other calls sends more, but for those that say so. */
const BODY_BYTES = 64 * 1024;

/** Puts its guard before every call registered after this. A route of the API that names none stops the start. */
export function guardCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { who } = route.config ?? {};
    if (who) {
      route.onRequest = [GUARDS[who], ...[route.onRequest ?? []].flat()];
      // The guard runs before the body is read.
      if (who !== 'anyone') route.bodyLimit ??= BODY_BYTES;
    } else if (route.url.startsWith('/api/'))
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`);
  });
}

/** A call that changes something and names no answer has none: 204, once its handler is done. Before `noteCalls`. */
export function answerNothing(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.who || route.method === 'GET' || route.schema?.response) return;
    route.schema = { ...route.schema, response: { 204: z.null() } };
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      async (_request, reply) => {
        reply.code(204);
      },
    ];
  });
}

/** Which methods an address takes: a wrong one is answered with 405 and names them, not as if nothing were there. */
declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of the calls at this path; none where there is no call. */
    methodsAt(path: string): string[];
  }
}

/** Notes every call that is registered after this. */
export function noteMethods(app: FastifyInstance): void {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '/*' || url === '*') return; // the built app
    const one = patterns.get(url) ?? { matches: toPattern(url), methods: new Set() };
    for (const name of [method].flat()) one.methods.add(name);
    patterns.set(url, one);
  });
  app.decorate('methodsAt', (path) => {
    const found = new Set<string>();
    for (const { matches, methods } of patterns.values())
      if (matches.test(path)) for (const name of methods) found.add(name);
    return [...found].toSorted();
  });
}

const toPattern = (url: string) =>
  new RegExp(
    `^${url
      .replace(/\/$/, '')
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.+')}/?$`,
  );
