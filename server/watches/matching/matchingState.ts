/** Everything that is matched, in memory: routes and areas, incidents and events, and their indexes. */
import type { Geometry } from '#contract/incidents/disruptions.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import type { Leg, WatchKind } from '#contract/watches/watches.ts';
import type { FoundMatch, MatchedWatch } from './matchStore.ts';
import type { Crowd, MatchedIncident } from './matchInput.ts';
import { type Demoted, trusted } from './demotedMatch.ts';
import { eventNear, eventsIndex, type EventsIndex } from './rules/eventsNear.ts';
import { incidentPlace, type IncidentPlace } from '../../geography/roads/incidentPlace.ts';
import type { Found } from './rules/found.ts';
import { match } from './rules/matcher.ts';
import { incidentIndex, watchIndex, type IncidentIndex, type WatchIndex } from './rules/matchIndex.ts';
import { roadTable } from '../../geography/roads/roadTable.ts';
import { watchLine, type WatchLine } from './rules/watchLine.ts';
import type { Said, Step } from './matchingThread.ts';

type Taken = Pick<Said, 'found' | 'faults'>;

interface MatchingState {
  take(step: Exclude<Step, { kind: 'more' }>): Taken;
}

interface TeamWatch extends WatchLine {
  team_id: string;
}

interface TeamIncident extends IncidentPlace {
  /** The team of its own report. All other incidents are for every team. */
  team_id: string | undefined;
}

export function matchingState(): MatchingState {
  const table = roadTable();
  const watches = new Map<string, TeamWatch>();
  const incidents = new Map<string, TeamIncident>();
  let crowds: readonly Crowd[] = [];
  let merged: ReadonlyMap<string, string> = new Map();
  let demoted: Demoted = new Map();
  // Made when they are next needed.
  let byWatch: { list: readonly TeamWatch[]; index: WatchIndex } | null = null;
  let byIncident: { list: readonly TeamIncident[]; index: IncidentIndex } | null = null;
  let byEvent: EventsIndex | null = null;

  function addWatchesNear(incident: TeamIncident, found: Best): void {
    byWatch ??= indexed([...watches.values()], watchIndex);
    const { list, index } = byWatch;
    index.near(incident, (at, isOnRoad) => found.add(incident, list[at]!, isOnRoad));
  }
  function addIncidentsNear(watch: TeamWatch, found: Best): void {
    byIncident ??= indexed([...incidents.values()], incidentIndex);
    const { list, index } = byIncident;
    index.near(watch, (at, isOnRoad) => found.add(list[at]!, watch, isOnRoad));
  }

  function putWatches(put: readonly MatchedWatch[]): Taken['faults'] {
    const faults: Taken['faults'] = [];
    for (const row of put) {
      try {
        watches.set(row.id, { ...watchLine(readWatch(row), table), team_id: row.team_id });
      } catch (error) {
        watches.delete(row.id);
        faults.push({ id: row.id, message: error instanceof Error ? error.message : String(error) });
      }
    }
    return faults;
  }

  const some = (ids: readonly string[]) => ids.flatMap((id) => watches.get(id) ?? []);

  function eventsOf(watch: WatchLine): FoundMatch[] {
    byEvent ??= eventsIndex(crowds);
    return byEvent.near(watch).flatMap((at) => {
      const { performance_id, longitude, latitude } = crowds[at]!;
      const near = eventNear(watch, longitude, latitude);
      if (!near) return [];
      const { why, km, off_m } = near;
      const where = { from_km: km, to_km: km, off_m };
      return [toMatch('event', { level: 'near', why, ...where }, watch.id, performance_id)];
    });
  }

  return {
    take(step) {
      switch (step.kind) {
        case 'watches': {
          byWatch = null;
          for (const id of step.drop) {
            watches.delete(id);
          }
          return { found: [], faults: putWatches(step.put) };
        }
        case 'incidents': {
          byIncident = null;
          for (const id of step.drop) {
            incidents.delete(id);
          }
          for (const row of step.put) {
            const { team_id } = row;
            incidents.set(row.event_id, { ...incidentPlace(readIncident(row), table), team_id });
          }
          return NOTHING;
        }
        case 'merged': {
          merged = step.into;
          return NOTHING;
        }
        case 'demoted': {
          demoted = step.sources;
          return NOTHING;
        }
        case 'crowds': {
          crowds = step.all;
          byEvent = null;
          return NOTHING;
        }
        case 'matchIncidents': {
          const found = bestOf(merged, demoted);
          for (const id of step.ids) {
            const incident = incidents.get(id);
            if (incident) addWatchesNear(incident, found);
          }
          return { found: found.all(), faults: [] };
        }
        case 'matchWatches': {
          const found = bestOf(merged, demoted);
          for (const watch of some(step.ids)) addIncidentsNear(watch, found);
          return { found: found.all(), faults: [] };
        }
        case 'matchEvents':
          return { found: some(step.ids).flatMap(eventsOf), faults: [] };
      }
    },
  };
}

type Best = ReturnType<typeof bestOf>;

/** Keeps the best of several reports of one incident, under the id of the report that stands for all. */
function bestOf(merged: ReadonlyMap<string, string>, demoted: Demoted) {
  const best = new Map<string, Map<TeamWatch, Found>>();
  return {
    add(incident: TeamIncident, watch: TeamWatch, isOnRoad: boolean): void {
      const { event_id, team_id } = incident;
      if (team_id !== undefined && team_id !== watch.team_id) return;
      const matched = match(incident, watch, isOnRoad);
      if (!matched) return;
      const found = trusted(matched, event_id, watch.team_id, demoted);
      const subject_id = merged.get(event_id) ?? event_id;
      let routes = best.get(subject_id);
      if (!routes) best.set(subject_id, (routes = new Map()));
      const known = routes.get(watch);
      if (!known || isBetter(found, known)) routes.set(watch, found);
    },
    all(): FoundMatch[] {
      const all: FoundMatch[] = [];
      for (const [subject_id, routes] of best) {
        for (const [watch, found] of routes) all.push(toMatch('disruption', found, watch.id, subject_id));
      }
      return all;
    },
  };
}

const NOTHING: Taken = { found: [], faults: [] };

const indexed = <T, Index>(list: readonly T[], make: (list: readonly T[]) => Index) => ({
  list,
  index: make(list),
});

/** Whether the first is better: certain before possible, then the earlier rule. */
const isBetter = (one: Found, other: Found) =>
  one.level === other.level
    ? Number(one.rule.slice(1)) < Number(other.rule.slice(1))
    : one.level === 'certain';

const toMatch = (
  subject: FoundMatch['subject'],
  { level, why, from_km, to_km, off_m }: Omit<FoundMatch, 'watch_id' | 'subject_id' | 'subject'>,
  watch_id: string,
  subject_id: string,
): FoundMatch => ({
  watch_id,
  subject,
  subject_id,
  level,
  why,
  from_km: metres(from_km),
  to_km: metres(to_km),
  off_m,
});

const metres = (km: number | null) => (km === null ? null : Math.round(km * 1000) / 1000);

const readWatch = ({ id, kind, legs, geometry, reach_m }: MatchedWatch) => ({
  id,
  kind: kind as WatchKind,
  legs: JSON.parse(legs) as Leg[],
  geometry: JSON.parse(geometry) as Geometry | null,
  reach_m,
});

function readIncident({ metadata, details, ...row }: MatchedIncident) {
  const { facts } = JSON.parse(details) as { facts?: Facts };
  return { ...row, metadata: JSON.parse(metadata) as Record<string, unknown>, facts };
}
