/** The most that a call may cost, for any caller and however long the service has run: `costs` of a call, beside
 *  `who`; without it, `little`. The values of a body are counted before any other check. The bytes of the answer and
 *  the rows that are read follow from the limits of pages, spans and teams. */
import type { FastifyInstance } from 'fastify';
import { badInput } from '../../refusals.ts';

interface Costs {
  /** The number of values in all lists and objects of the body together. */
  values: number;
  /** Rows that the database returns. */
  rows: number;
  /** Size of the answer, before it is compressed. */
  bytes: number;
  /** True: the call takes more than a moment, so the number of requests is limited as well, see requestLimits.ts. */
  limited: boolean;
}

const KB = 1024;
const MB = 1024 * KB;

/** One bound for each kind of call. */
export const COSTS = {
  /** One thing, or all things of one person. */
  little: { values: 200, rows: 500, bytes: 64 * KB, limited: false },
  /** One thing that needs a search, a hash or a count. */
  work: { values: 200, rows: 2000, bytes: 256 * KB, limited: true },
  /** A page, or all things of one team. */
  list: { values: 200, rows: 5000, bytes: 1 * MB, limited: false },
  /** Everything that is in force now: made once for everybody and kept. */
  board: { values: 0, rows: 10_000, bytes: 8 * MB, limited: false },
  /** A route's line: 4,000 points of two numbers, with its legs, roads and departures. */
  line: { values: 20_000, rows: 5000, bytes: 2 * MB, limited: true },
  /** A day sheet: a thousand jobs of some dozen fields. */
  sheet: { values: 20_000, rows: 5000, bytes: 4 * MB, limited: true },
  /** The past: its span and the rows that it reads are bounded. */
  past: { values: 200, rows: 40_000, bytes: 4 * MB, limited: true },
  /** A filter in one of its formats. */
  export: { values: 0, rows: 20_000, bytes: 8 * MB, limited: true },
  /** Events with their performances: an import, or a page of them. */
  events: { values: 20_000, rows: 5000, bytes: 4 * MB, limited: true },
} as const satisfies Record<string, Costs>;

export type Cost = keyof typeof COSTS;

/** The most problems of a body or query that one refusal names. */
export const ISSUES_MAX = 20;

/** Counts the values in the body of every call registered after this, before any other check. */
export function boundCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { config } = route;
    if (!config?.who) return;
    const { values } = COSTS[(config.costs ??= 'little')];
    const count = async ({ body }: { body?: unknown }) => {
      if (hasMore(body, values))
        throw badInput(`This body holds more than ${values.toLocaleString('en-GB')} values.`);
    };
    route.preValidation = [count, ...[route.preValidation ?? []].flat()];
  });
}

/** Whether the body holds more than `most` values. It does not use recursion, because a body can be as deep as it is
 *  long. */
export function hasMore(body: unknown, most: number): boolean {
  const open = [body];
  let found = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inside = Object.values(one) as unknown[];
    found += inside.length;
    if (found > most) return true;
    for (const value of inside) if (typeof value === 'object' && value !== null) open.push(value);
  }
  return false;
}
