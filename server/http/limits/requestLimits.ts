/** How many requests a minute a session, a display and an address may send to the calls whose `costs` are limited. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { tooMany } from '../../refusals.ts';
import type { Call } from '../calls/declaredCalls.ts';
import { COSTS } from '../calls/costs.ts';

/** Null: no limit. An office of 60 boards behind one address sends some hundred. */
export interface RequestLimits {
  perSession: number | null;
  perAddress: number | null;
}

const MINUTE_MS = 60_000;
/** Counters of either kind. About 200 bytes each; beyond that the longest unused are forgotten. */
const COUNTED_MAX = 20_000;

/** Parts of a request that counting reads. */
export type Counted = Pick<FastifyRequest, 'ip' | 'caller'> & {
  routeOptions: Pick<FastifyRequest['routeOptions'], 'config'>;
};

/** Whether its requests are counted. */
export const isLimited = (config: Partial<Pick<Call, 'costs'>> | undefined): boolean =>
  config?.costs !== undefined && COSTS[config.costs].limited;

type Check = (request: Counted) => Promise<void>;

/** Checks every call with `costs` that is registered after this, once its caller is known. Returns the check. */
export function limitRequests(app: FastifyInstance, limits: RequestLimits): Check {
  const checks: Check[] = [];
  void app.register(rateLimit, { global: false, cache: COUNTED_MAX });
  app.after(() => {
    if (limits.perSession !== null) checks.push(limitBy(app, limits.perSession, holderOf));
    if (limits.perAddress !== null) checks.push(limitBy(app, limits.perAddress, ({ ip }) => networkOf(ip)));
  });
  const check: Check = async (request) => {
    for (const one of checks) await one(request);
  };
  const hook = async (request: FastifyRequest, _reply: FastifyReply) => check(request);
  app.addHook('onRoute', (route) => {
    if (isLimited(route.config)) route.preValidation = [hook, ...[route.preValidation ?? []].flat()];
  });
  return check;
}

/** Refuses with 429 from the `max`-th request within a minute on. Requests without a key are not counted. */
export function limitBy(
  app: FastifyInstance,
  max: number,
  keyOf: (request: Counted) => string | undefined,
): Check {
  const limit = app.createRateLimit({
    max,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => keyOf(request) ?? '',
    allowList: (_request, key) => key === '',
  });
  return async (request) => {
    const found = await limit(request as FastifyRequest); // it reads nothing else
    if (found.isAllowed || !found.isExceeded) return;
    const seconds = Math.max(1, found.ttlInSeconds);
    throw tooMany(`Too many requests. Try again in ${seconds} seconds.`, seconds);
  };
}

/** API keys have their daily quota instead. */
const holderOf = ({ caller }: Counted): string | undefined =>
  caller?.type === 'session' ? caller.sessionId : caller?.type === 'display' ? caller.displayId : undefined;
