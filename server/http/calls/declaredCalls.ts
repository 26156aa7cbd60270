/** A call says in one place, with its handler, who may make it and what it does. Its guard, /docs and docs/calls.md
 *  are made from this. */
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

/** Our own parts of a call, which the framework keeps as the `config` of a route. */
export interface Call {
  who: Who;
  /** True: the call is open to a person who must first change their password or set up a second factor. */
  evenWhileMust: boolean;
  /** The most work that the call may cause, see costs.ts; `little` unless it says otherwise. */
  costs: Cost;
  /** The media types of an answer that is not JSON. */
  types: readonly string[];
  /** The meaning of a status for which "Done." is not enough. */
  meanings: Readonly<Record<number, string>>;
  /** Refusals specific to this call, by status: the words sent to the caller, or the whole answer. */
  refusals: Readonly<Record<number, string | object>>;
}

/** The parts of a call that the framework keeps as the `schema` of a route. */
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
    /** A call as one object, which `partCalls` divides for the framework. The compiler reports a misfit handler as:
     *  `who` does not exist. */
    <Params, Query, Body, Response>(
      path: string,
      call: Omit<RouteShorthandOptions<RawServer, RawRequest, RawReply>, 'config' | 'schema'> &
        Pick<Call, 'who'> &
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

/** Divides every call registered after this into the parts that the framework keeps. Register it before everything
 *  else that reads routes. */
export function partCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions & Partial<Call>) => {
    if (!route.who) return;
    route.config = partsOf(route, CONFIG);
    route.schema = partsOf(route, SCHEMA);
  });
}

function partsOf(route: object, names: readonly string[]): object {
  const parts: Record<string, unknown> = {};
  for (const name of names) if (name in route) parts[name] = route[name as keyof typeof route];
  return parts;
}

/** The most bytes in the body of a caller who is not known yet, and at all addresses without a call. */
export const STRANGERS_BODY_BYTES = 4 * 1024;
/** The most bytes in the body of other calls, unless a call states its own limit. */
const BODY_BYTES = 64 * 1024;

/** Puts its guard before every call that is registered after this. If a call of the API names no guard, the server
 *  does not start. */
export function guardCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { who } = route.config ?? {};
    if (who) {
      route.onRequest = [GUARDS[who], ...[route.onRequest ?? []].flat()];
      // The guard runs before the body is read, so only known callers can send more.
      if (who !== 'anyone') route.bodyLimit ??= BODY_BYTES;
    } else if (route.url.startsWith('/api/'))
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`);
  });
}

/** Gives each call the status of its answer: the one that it declares; 204 if it changes something and declares none.
 *  Register it before `noteCalls`. */
export function setStatus(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.who) return;
    if (route.method !== 'GET' && !route.schema?.response)
      route.schema = { ...route.schema, response: { 204: NOTHING } };
    const [status = 200, other] = Object.keys(route.schema?.response ?? {})
      .map(Number)
      .filter(isSuccess);
    if (status === 200 || other !== undefined) return;
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      async (_request, reply) => {
        reply.code(status);
      },
    ];
  });
}

const NOTHING = z.null();
const isSuccess = (status: number) => status >= 200 && status < 300;

/** The methods of each address. A wrong method is answered with 405 and the names of the right ones, and not as an
 *  unknown address. */
declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of the calls at this path; empty when there is no call. */
    methodsAt(path: string): string[];
  }
}

/** Records every call that is registered after this. */
export function noteMethods(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '/*' || url === '*') return; // the built app
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  app.decorate('methodsAt', (path) => {
    const found = new Set<string>();
    for (const [url, methods] of methodsOf)
      if (patternOf(url).test(path)) for (const name of methods) found.add(name);
    return [...found].toSorted();
  });
}

/** The patterns of addresses. Each is made when an unknown address first needs it, and serves all apps. */
const patterns = new Map<string, RegExp>();
function patternOf(url: string): RegExp {
  const known = patterns.get(url) ?? toPattern(url);
  patterns.set(url, known);
  return known;
}

const toPattern = (url: string) =>
  new RegExp(
    `^${url
      .replace(/\/$/, '')
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.+')}/?$`,
  );
