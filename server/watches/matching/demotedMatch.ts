/** The level of a match whose source is demoted. */
import type { MatchLevel } from '#contract/watches/watches.ts';

/** The reason why an incident of a demoted source is only possible. */
const DEMOTED = 'its source was marked as not ours too often';

/** The names of the sources that are possible at best, by team; those for all teams are under null. */
export type Demoted = ReadonlyMap<string | null, ReadonlySet<string>>;

export const isDemoted = (demoted: Demoted, teamId: string, source: string): boolean =>
  demoted.get(teamId)?.has(source) === true || demoted.get(null)?.has(source) === true;

/** The same match, but possible at best if its source is demoted for the team. An incident's id begins with its
 *  source. */
export function trusted<Found extends { level: MatchLevel | 'none'; why: string | null }>(
  found: Found,
  eventId: string,
  teamId: string,
  demoted: Demoted,
): Found {
  if (
    found.level !== 'certain' ||
    demoted.size === 0 ||
    !isDemoted(demoted, teamId, eventId.slice(0, eventId.indexOf(':')))
  )
    return found;
  return { ...found, level: 'possible', why: `${found.why}; ${DEMOTED}` };
}
