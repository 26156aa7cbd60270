/** A collector's upstream, played from recorded or written documents. */
import { readFileSync } from 'node:fs';
import type { Tools } from '../../server/incidents/collector.ts';
import type { Facts, Reply } from '../../server/http/documents/upstream.ts';

/** A recorded document by its path below tests/fixtures. */
export function fixture(path: string): string {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');
}

/** A body, a whole reply, or the error of a request that fails. */
export type Answer = string | Partial<Reply> | Error;

export interface Upstream extends Tools {
  /** The requests, in order; header names are in lower case. */
  readonly asked: { url: string; headers: Record<string, string> }[];
}

/** Answers by address, or one after another. A request after the last answer is refused. */
export function upstream(
  answers: readonly Answer[] | ((url: string) => Answer | undefined),
  { now, settings = {}, facts = memoryFacts() }: { now: string; settings?: Tools['settings']; facts?: Facts },
): Upstream {
  const asked: Upstream['asked'] = [];
  const remaining = Array.isArray(answers) ? [...(answers as readonly Answer[])] : [];
  return {
    asked,
    now: new Date(now),
    settings,
    facts,
    async get(url, headers = {}): Promise<Reply> {
      const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      asked.push({ url, headers: Object.fromEntries(lowerCase) });
      const answer = typeof answers === 'function' ? answers(url) : remaining.shift();
      if (answer === undefined) throw new Error('404 Not Found');
      if (answer instanceof Error) throw answer;
      return typeof answer === 'string'
        ? { body: answer, headers: {} }
        : { body: '', headers: {}, ...answer };
    },
  };
}

export function memoryFacts(kept = new Map<string, string>()): Facts {
  return {
    get: async (key) => kept.get(key) ?? null,
    set: async (key, value) => void kept.set(key, value),
  };
}
