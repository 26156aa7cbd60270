/** The callers that were found lately, by the token or key that they sent: most call again within the minute. */
import { LRUCache } from 'lru-cache';
import type { Db } from '../db/open.ts';
import { ACCESS_REVISION, revision, type Revisions } from '../db/revisions.ts';

/** About 1 kB each. */
const CALLERS_KEPT = 10_000;

interface Found {
  /** In ms since 1970: valid from when it was found until then. */
  until: number;
}

/**
 * Finds the caller, or takes who was found for the same credential, unless anything has changed since in who may call
 * what, on any node: each call reads that revision.
 */
export function knownCallers<Caller extends Found>({ db, now }: { db: Db; now: () => Date }) {
  const known = new LRUCache<string, { found: Caller; from: number }>({ max: CALLERS_KEPT });
  let of = -1;

  return async <Answer extends Caller | null>(
    credential: string,
    find: () => Promise<Answer>,
    revisions?: Revisions,
  ) => {
    const newest = await revision(db, ACCESS_REVISION, revisions);
    if (newest !== of) known.clear();
    of = newest;

    const at = now().getTime();
    const hit = known.get(credential);
    if (hit && at >= hit.from && at < hit.found.until) return hit.found;

    const found = await find();
    // What was read before a change must not be kept as of after it.
    if (found && of === newest) known.set(credential, { found, from: at });
    return found;
  };
}
