/** Trial of a route, an area or feeds since yesterday morning, with the settings that are being edited. */
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import {
  isPlanned,
  type ListedDisruption,
  severityRank,
  statedStart,
} from '#contract/incidents/disruptions.ts';
import { londonDay } from '#contract/london.ts';
import { TELL_ME } from '#contract/watches/tellMe.ts';
import type { Trial, TrialRequest } from '#contract/watches/watches.ts';
import { isWatchedWithin } from '#contract/watches/which.ts';
import { filtered } from '../incidents/list/filteredDisruptions.ts';
import type { Db } from '../db/open.ts';
import type { BriefWatch } from './watchStore.ts';

/** More than anybody reads, and enough for a number. */
const COUNTED = 1000;

/** Incidents that began since; by how they are now, or were when they ended. */
export async function trialOf(db: Db, watch: BriefWatch, edited: TrialRequest, now: Date): Promise<Trial> {
  const { id, kind } = watch;
  const { which = watch.which, when = watch.when, notify: tellMe = watch.notify ?? TELL_ME } = edited;
  const since = londonInstant(dayAfter(londonDay(now), -1), '06:00');
  const began = async (level: 'certain' | 'possible'): Promise<Map<string, ListedDisruption>> => {
    const watched = { id, kind, which: { ...which, level } };
    const found = await filtered(db).newest({ watched }, since, COUNTED);
    const isNew = ({ incident, seen_at }: (typeof found)[number]) => {
      const from = statedStart(incident) ?? seen_at;
      const to = incident.ended_at ? new Date(incident.ended_at) : now;
      return (
        from >= since.toISOString() && (isPlanned(incident) || isWatchedWithin(when, new Date(from), to))
      );
    };
    return new Map(found.filter(isNew).map(({ incident }) => [incident.event_id, incident]));
  };
  const certain = await began('certain');
  const possible = which.level === 'certain' ? certain : await began('possible');
  const { threshold } = tellMe;
  const isAtOnce = (incident: ListedDisruption) =>
    threshold !== 'nothing' &&
    !isPlanned(incident) &&
    severityRank(incident.severity) <= severityRank(threshold);
  const atOnce = [...certain.values()].filter(isAtOnce).length;
  const later = certain.size - atOnce; // planned, or below the threshold
  const others = [...possible.keys()].filter((one) => !certain.has(one)).length;
  const digested = threshold === 'nothing' ? 0 : later + (tellMe.possible === 'digest' ? others : 0);
  return { since: since.toISOString(), at_once: atOnce, in_digest: digested };
}
