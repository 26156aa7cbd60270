/** Alerts in force that a route, an area or feeds let through, and how much they leave out. */
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { type GradeCounts, WATCH_LIMITS } from '#contract/watches/watches.ts';
import { leftOutBy } from '#contract/watches/whichIncidents.ts';
import type { RowOf } from '../db/schema.ts';
import { type BriefWatch, inOrder } from './watchStore.ts';

type Touching = Pick<
  RowOf<'matches'>,
  'subject' | 'subject_id' | 'level' | 'why' | 'from_km' | 'to_km' | 'off_m' | 'began_at'
>;

export interface Through<One = Touching> {
  /** Certain ones first; for feeds the worst ones, no more than a list names. */
  matches: One[];
  /** Alerts of feeds: begun, and not among the matches. */
  beyond: GradeCounts;
  /** How many alerts that have begun and touch it are left out by their severity, and by other conditions. */
  left_out: { grade: number; others: number };
}

interface Known {
  touching: readonly Touching[];
  /** Alerts in force that touch it. */
  incidents: ReadonlyMap<string, Disruption>;
  happenings: ReadonlyMap<string, unknown>;
  /** All alerts in force, in the order of lists: only for feeds. */
  standing: ReadonlyMap<string, Disruption>;
  /** Sources that are disconnected: their remaining alerts are no longer kept up to date. */
  disconnected: ReadonlySet<string>;
}

/** Hours are ignored: a list has what is let through at any hour, and `isWatching` says whether that counts now. */
export function letThrough(
  { kind, which }: Pick<BriefWatch, 'kind' | 'which'>,
  { touching, incidents, happenings, standing, disconnected }: Known,
): Through {
  const beyond: GradeCounts = { critical: 0, high: 0, medium: 0, low: 0 };
  const left_out = { grade: 0, others: 0 };
  const isThrough = (incident: Disruption, level: string | null): boolean => {
    const reason = leftOutBy(which, incident, level);
    if (reason === null) return true;
    if (!isPlanned(incident)) left_out[reason === 'grade' ? 'grade' : 'others']++;
    return false;
  };
  if (kind !== 'feeds') {
    const matches = touching.filter(({ subject, subject_id, level }) => {
      if (subject === 'event') return happenings.has(subject_id);
      const incident = incidents.get(subject_id);
      return incident !== undefined && isThrough(incident, level);
    });
    return { matches: inOrder(matches), beyond, left_out };
  }
  const matches: Touching[] = [];
  for (const incident of standing.values()) {
    if (disconnected.has(incident.source) || !isThrough(incident, null)) continue;
    if (matches.length < WATCH_LIMITS.feedsListed) matches.push(ofFeeds(incident));
    else if (!isPlanned(incident)) beyond[incident.severity]++;
  }
  return { matches, beyond, left_out };
}

const ofFeeds = ({ event_id, source, start_time, collected_at }: Disruption): Touching => ({
  subject: 'disruption',
  subject_id: event_id,
  level: 'certain',
  why: `is reported by ${knownSource(source).displayName}`,
  from_km: null,
  to_km: null,
  off_m: null,
  began_at: start_time ?? collected_at,
});
