/** How many requests a minute a session, a display and an address may send to calls whose `costs` are limited: the
 *  settings SESSION_REQUESTS_A_MINUTE and ADDRESS_REQUESTS_A_MINUTE (server/config.ts). */
import { MINUTE_MS } from '#contract/durations.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { tooMany } from '../../refusals.ts';
import type { Call } from '../calls/declaredCalls.ts';
import { COSTS } from '../calls/costs.ts';

/** Null: no limit. An office of 60 boards behind one address sends about a hundred. */
export interface RequestLimits {
  perSession: number | null;
  perAddress: number | null;
}

/** How many callers of one kind are remembered. Beyond that, the one that has not called for longest is forgotten. */
const CALLERS_MAX = 20_000;

/** The parts of a request that counting reads. */
export type Counted = Pick<FastifyRequest, 'ip' | 'caller'> & {
  routeOptions: Pick<FastifyRequest['routeOptions'], 'config'>;
};

/** Whether requests of this call are counted. */
export const isLimited = (config: Partial<Pick<Call, 'costs'>> | undefined): boolean =>
  config?.costs !== undefined && COSTS[config.costs].limited;

type Check = (request: Counted) => Promise<void>;

/** Checks every call with `costs` that is registered after this, as soon as its caller is known. Returns the check. */
export function limitRequests(app: FastifyInstance, limits: RequestLimits): Check {
  const checks: Check[] = [];
  if (limits.perSession !== null) checks.push(limitBy(limits.perSession, holderOf));
  if (limits.perAddress !== null) checks.push(limitBy(limits.perAddress, ({ ip }) => networkOf(ip)));
  const check: Check = async (request) => {
    for (const one of checks) await one(request);
  };
  const hook = async (request: FastifyRequest, _reply: FastifyReply) => check(request);
  app.addHook('onRoute', (route) => {
    if (isLimited(route.config)) route.preValidation = [hook, ...[route.preValidation ?? []].flat()];
  });
  return check;
}

/** Refuses with 429 after `max` requests within a minute. Requests without a key are not counted. */
export function limitBy(max: number, keyOf: (request: Counted) => string | undefined): Check {
  const waitOf = counter(max, MINUTE_MS, () => new Date());
  return async (request) => {
    const key = keyOf(request);
    const seconds = key === undefined ? 0 : Math.ceil(waitOf(key) / 1000);
    if (seconds > 0) throw tooMany(`Too many requests. Try again in ${seconds} seconds.`, seconds);
  };
}

/** Whether this caller may make one more call now. If so, the call counts. */
export const perMinute = (most: number, now: () => Date) => perSpan(most, MINUTE_MS, now);

export function perSpan(most: number, spanMs: number, now: () => Date): (caller: string) => boolean {
  const waitOf = counter(most, spanMs, now);
  return (caller) => waitOf(caller) === 0;
}

/** How long a caller must still wait, in milliseconds; with 0 the call counts. A span begins with its first call.
 *  Each node counts by itself. */
function counter(most: number, spanMs: number, now: () => Date): (caller: string) => number {
  // With `max` an empty one would take a fifth of a megabyte, and most limits are never used.
  const spans = new LRUCache<string, { from: number; calls: number }>({
    maxSize: CALLERS_MAX,
    sizeCalculation: () => 1,
  });
  return (caller) => {
    const at = now().getTime();
    const span = spans.get(caller);
    // A clock that was set back leaves spans that lie in the future.
    if (!span || at >= span.from + spanMs || at < span.from) spans.set(caller, { from: at, calls: 1 });
    else if (span.calls >= most) return span.from + spanMs - at;
    else span.calls++;
    return 0;
  };
}

/** The session or display of a caller. API keys have their daily quota instead. */
const holderOf = ({ caller }: Counted): string | undefined =>
  caller?.type === 'session' ? caller.sessionId : caller?.type === 'display' ? caller.displayId : undefined;
