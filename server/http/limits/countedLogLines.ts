/** Events that come too often, or at a stranger's will, for a line of the log each: counted, and logged once a minute. */
import type { FastifyBaseLogger } from 'fastify';

const EVERY_MS = 60_000;

export interface Sums {
  count(name: string): void;
  /** Writes what was counted, if anything was. */
  flush(): void;
}

/** `names` come from us, never from the caller: else a stranger would choose what is kept. */
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
