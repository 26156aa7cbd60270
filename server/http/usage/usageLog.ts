/** Logs every API call and its time for the administrators' pages, without delaying the request. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { usage } from './usage.ts';
import type { Answered } from '../calls/answered.ts';

type Call = Omit<RowOf<'api_calls'>, 'id'>;

const FLUSH_AFTER_MS = 5000;
const FLUSH_AT_CALLS = 1000;
/** The number of calls that are kept while the database cannot be written; beyond it the oldest are dropped. */
const MOST_WAITING = 20_000;

export interface UsageLog {
  /** Writes the waiting calls. Never rejects: calls that failed are tried again with the next. */
  flush(): Promise<void>;
}

/** Calls wait in memory for at most five seconds, and are lost if the process is killed meanwhile. */
export function addUsageLog(
  app: FastifyInstance,
  {
    db,
    now,
    log,
    mostWaiting = MOST_WAITING,
  }: { db: Db; now: () => Date; log: Pick<FastifyBaseLogger, 'error'>; mostWaiting?: number },
): UsageLog {
  let waiting: Call[] = [];
  /** Endpoints by route; there are only a few. */
  const endpoints: Record<string, string> = {};
  let writing = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFailing = false;
  let isClosed = false;

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const calls = waiting;
    waiting = [];
    try {
      await usage(db).noteCalls(calls);
      isFailing = false;
    } catch (error) {
      isFailing = true;
      waiting = [...calls, ...waiting].slice(-mostWaiting);
      later();
      log.error({ err: error, calls: calls.length }, 'Could not record the API calls');
    }
  };
  const flush = () => (writing = writing.then(write));
  const later = () => {
    if (isClosed) return;
    timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS);
    timer.unref();
  };

  app.onAnswered(({ method, url, route, status, ms, caller }) => {
    if (!url.startsWith('/api/') || method === 'OPTIONS') return;
    waiting.push({
      occurred_at: now().toISOString(),
      method,
      endpoint: (endpoints[route ?? ''] ??= endpointOf(route)),
      status_code: status,
      response_ms: Math.round(ms * 10) / 10,
      ...callerOf(caller),
    });
    // After a failure only the timer writes: on a full disk every call would otherwise try to write all waiting
    // calls.
    if (waiting.length >= FLUSH_AT_CALLS && !isFailing) void flush();
    else later();
  });
  app.addHook('onClose', async () => {
    isClosed = true;
    await flush();
  });
  return { flush };
}

/** The route without ids and queries, which are private: `/api/v1/feeds/{slug}`. All unknown addresses are one
 *  route; otherwise a scanner would fill the tables. */
function endpointOf(route: string | undefined): string {
  if (!route?.startsWith('/api/')) return '(no such endpoint)';
  return route
    .replace(/:(\w+)/g, '{$1}')
    .replace('*', '{event_id}') // only event ids can hold slashes
    .replace(/(?<=.)\/$/, '');
}

function callerOf(caller: Answered['caller']): Pick<Call, 'auth_type' | 'user_id' | 'caller_id'> {
  switch (caller?.type) {
    case 'session':
      return { auth_type: 'session', user_id: caller.userId, caller_id: caller.sessionId };
    case 'api_key':
      return { auth_type: 'api_key', user_id: caller.userId, caller_id: caller.keyId };
    case 'display':
      return { auth_type: 'display', user_id: null, caller_id: caller.displayId };
    default:
      return { auth_type: 'none', user_id: null, caller_id: null };
  }
}
