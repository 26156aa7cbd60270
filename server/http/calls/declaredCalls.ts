/** A call says once, with its handler, who may make it and what it is for: its guard, /docs and docs/calls.md follow. */
import type { FastifyInstance } from 'fastify';
import { GUARDS, type Who } from '../../accounts/guard.ts';
import type { Cost } from './costs.ts';

/** Content of a route's `config`, beside its `schema`. */
export interface Call {
  who: Who;
  /** True: also for a person who must first change their password or set up a second factor. */
  evenWhileMust: boolean;
  /** Most that it may cost, see costs.ts. */
  costs: Cost;
  /** An example of the body. */
  body: unknown;
  /** An example of the answer; absent when the answer is empty or no JSON. */
  answer: unknown;
  /** The media types of an answer that is no JSON. */
  types: readonly string[];
  /** The meaning of a status, where "Done." is not enough. */
  meanings: Readonly<Record<number, string>>;
  /** Refusals specific to this call, by status: the words sent to the caller, or the whole answer. */
  refusals: Readonly<Record<number, string | object>>;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<Call> {}
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
