/** Events that are counted and logged once a minute, because they come too often for a line each, or because
 *  strangers can cause them at will. */
import type { FastifyBaseLogger } from 'fastify';

const EVERY_MS = 60_000;

export interface Sums {
  count(name: string): void;
  /** Writes the counts, if anything was counted. */
  flush(): void;
}

/** `names` come from our code, never from the caller: otherwise a stranger would choose what is kept. */
export function sums(log: Pick<FastifyBaseLogger, 'warn'>, message: string): Sums {
  let counts: Record<string, number> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (Object.keys(counts).length > 0) log.warn({ counts }, message);
    counts = {};
  };
  return {
    count(name) {
      counts[name] = (counts[name] ?? 0) + 1;
      timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    flush,
  };
}
