/** What becomes of a match when its source is demoted. */

import type { MatchLevel } from '#contract/watches.ts';

/** Why what a demoted source reports is only possible. */
export const DEMOTED = 'its source was marked as not ours too often';

/** The same, but possible at best where its source is demoted. An incident's id begins with its source. */
export function trusted<Found extends { level: MatchLevel | 'none'; why: string | null }>(
  found: Found,
  eventId: string,
  demoted: ReadonlySet<string>,
): Found {
  if (found.level !== 'certain' || !demoted.has(eventId.slice(0, eventId.indexOf(':')))) return found;
  return { ...found, level: 'possible', why: `${found.why}; ${DEMOTED}` };
}
