/** Work that is done again every hour: housekeeping, backups, reading events. */
import { HOUR_MS } from '#contract/durations.ts';

/** Runs a round immediately and then every hour, one at a time. `round` never rejects. `stop` waits for a round
 *  under way. */
export function everyHour(round: () => Promise<void>): { stop(): Promise<void> } {
  let last = Promise.resolve();
  const begin = () => {
    last = last.then(round);
  };
  const timer = setInterval(begin, HOUR_MS);
  begin();
  return {
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
