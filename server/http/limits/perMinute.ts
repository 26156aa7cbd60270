/** How often somebody may do something in a span of time. On this node. */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Beyond that, who has not called for longest is forgotten. */
const CALLERS_MAX = 10_000;

/** Whether this caller may call once more now; that call then counts. */
export const perMinute = (most: number, now: () => Date) => perSpan(most, MINUTE_MS, now);

export function perSpan(most: number, spanMs: number, now: () => Date): (caller: string) => boolean {
  // Made when somebody calls: empty, it already takes a fifth of a megabyte, and most limits meet nobody.
  let calls: LRUCache<string, number[]> | undefined;
  return (caller) => {
    calls ??= new LRUCache({ max: CALLERS_MAX });
    const at = now().getTime();
    // A clock that was set back has left calls that have not come yet.
    const recent = (calls.get(caller) ?? []).filter((time) => time > at - spanMs && time <= at);
    if (recent.length >= most) return false;
    calls.set(caller, [...recent, at]);
    return true;
  };
}
