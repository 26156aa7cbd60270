/**
 * The most that a call may cost, for any caller and after any length of service: `costs` of a call, beside `who`. A body is
 * counted before anything of it is checked. The answer's bytes and the rows that are read follow from limits of pages,
 * spans and teams.
 */
import type { FastifyInstance } from 'fastify';
import { badInput } from '../../refusals.ts';

interface Costs {
  /** Values that all lists and objects of the body hold together. */
  values: number;
  /** Rows that the database returns. */
  rows: number;
  /** Size of the answer, before it is compressed. */
  bytes: number;
  /** True: it takes more than a moment's work, so that requests are limited as well, see requestLimits.ts. */
  limited: boolean;
}

const KB = 1024;
const MB = 1024 * KB;

/** Calls of one kind have one bound. */
export const COSTS = {
  /** One thing, or all that one person has. */
  little: { values: 200, rows: 500, bytes: 64 * KB, limited: false },
  /** The same, where a search, a hash or a count is behind it. */
  work: { values: 200, rows: 2000, bytes: 256 * KB, limited: true },
  /** A page, or all of one team. */
  list: { values: 200, rows: 5000, bytes: 1 * MB, limited: false },
  /** Made once for everybody, and kept: what is in force now. */
  board: { values: 0, rows: 10_000, bytes: 8 * MB, limited: false },
  /** The line of a route: 4,000 points of two numbers, its legs, roads and departures. */
  line: { values: 20_000, rows: 5000, bytes: 2 * MB, limited: true },
  /** A day sheet: a thousand jobs of some dozen fields. */
  sheet: { values: 20_000, rows: 5000, bytes: 4 * MB, limited: true },
  /** The past: its span is bounded, and what is read of it. */
  past: { values: 200, rows: 40_000, bytes: 4 * MB, limited: true },
  /** A filter in one of its formats. */
  export: { values: 0, rows: 20_000, bytes: 8 * MB, limited: true },
  /** Events with their performances: an import, or a page of them. */
  events: { values: 20_000, rows: 5000, bytes: 4 * MB, limited: true },
} as const satisfies Record<string, Costs>;

export type Cost = keyof typeof COSTS;

/** The most problems of one body or query that a refusal names. */
export const ISSUES_MAX = 20;

/** Counts the body of every call registered after this, before it is checked. A call of the API that does not say what
 *  it costs stops the start. */
export function boundCalls(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { costs } = route.config ?? {};
    if (!costs) {
      if (route.url.startsWith('/api/'))
        throw new Error(`${String(route.method)} ${route.url} does not say what it costs`);
      return;
    }
    const { values } = COSTS[costs];
    const count = async ({ body }: { body?: unknown }) => {
      if (hasMore(body, values))
        throw badInput(`This body holds more than ${values.toLocaleString('en-GB')} values.`);
    };
    route.preValidation = [count, ...[route.preValidation ?? []].flat()];
  });
}

/** Whether there are more values in it than these. Without recursion: a body can be as deep as it is long. */
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
