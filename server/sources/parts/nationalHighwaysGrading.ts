/** Whether a closure by National Highways is in force, whether it was planned, and how bad it is. */
import { phaseAt } from '../../incidents/phase.ts';
import type { Phase } from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import { toUtc } from '../../http/documents/londonTime.ts';
import type { Problems } from '../../http/documents/records.ts';
import {
  type Carriageway,
  carriagewaysOf,
  type Closure,
  codeOf,
  roadsOf,
} from './nationalHighwaysReading.ts';

export type Nature = 'planned' | 'unplanned';

/** The closed part of a road, worst first. The publisher gives no grade. */
export type Extent = 'carriageway' | 'most_lanes' | 'some_lanes' | 'unknown';

/** Severities of closures that have begun; closures that have not begun are low. */
const SEVERITY: Readonly<Record<Nature, Readonly<Record<Extent, Severity>>>> = {
  unplanned: {
    // `carriagewayClosures`, or `numberOfOperationalLanes` 0; critical on a motorway.
    carriageway: 'high',
    // `laneClosures` with at least as many lanes restricted as operational.
    most_lanes: 'high',
    some_lanes: 'medium',
    // `other` without any lane count: shown as unrated.
    unknown: 'medium',
  },
  planned: { carriageway: 'medium', most_lanes: 'low', some_lanes: 'low', unknown: 'low' },
};
const EXTENTS: readonly Extent[] = ['carriageway', 'most_lanes', 'some_lanes', 'unknown'];

/** `validityStatus`: how to decide whether a record is in force. */
const VALIDITY: Readonly<Record<string, 'ended' | 'trusted' | 'window'>> = {
  active: 'trusted',
  suspended: 'ended',
  ended: 'ended',
  planned: 'window',
  definedByValidityTimeSpec: 'window',
};

/** `source.sourceIdentification`: the control room or team that entered the record. */
const NATURE_BY_SOURCE: readonly (readonly [RegExp, Nature])[] = [
  [/road\s*works/i, 'planned'],
  [/incident/i, 'unplanned'],
];

/** `cause.causeType`. Causes that are not listed here (such as `authorityOperation`) can be planned or unplanned. */
const NATURE_BY_CAUSE: Readonly<Record<string, Nature>> = {
  roadMaintenance: 'planned',
  constructionWork: 'planned',
  publicEvent: 'planned',
  accident: 'unplanned',
  abnormalTraffic: 'unplanned',
  animalPresence: 'unplanned',
  environmentalObstruction: 'unplanned',
  equipmentOrSystemFault: 'unplanned',
  generalObstruction: 'unplanned',
  infrastructureDamageObstruction: 'unplanned',
  obstruction: 'unplanned',
  poorEnvironment: 'unplanned',
  vehicleObstruction: 'unplanned',
};

const MOTORWAY = /^(?:M\d+|A\d+\s*\(?M\)?)$/i;

export interface Graded {
  closure: Closure;
  nature: Nature;
  phase: Phase;
  trusted: boolean;
  start: string | null;
  end: string | null;
  severity: Severity;
  worst: Carriageway & { extent: Extent };
}

/** Null when the closure is not and will not be in force. */
export function grade(
  closure: Closure,
  { id, asked, now, found }: { id: string; asked: Nature; now: Date; found: Problems },
): Graded | null {
  const { validityStatus, validityTimeSpecification: window } = closure.validity;
  const start = toUtc(window?.overallStartTime);
  const end = toUtc(window?.overallEndTime);
  for (const time of [window?.overallStartTime, window?.overallEndTime]) {
    if (time && !toUtc(time)) found.note(`Situation ${id}: unreadable time "${time}"`);
  }

  const status = validityStatus ?? 'definedByValidityTimeSpec';
  const validity = Object.hasOwn(VALIDITY, status) ? VALIDITY[status] : undefined;
  if (!validity) found.note(`Situation ${id}: unknown validityStatus "${status}", judged by its times`);
  if (validity === 'ended') return null;

  const trusted = validity === 'trusted';
  if (!trusted && end && Date.parse(end) <= now.getTime()) return null;
  const phase = trusted ? 'active' : phaseAt(start, now);
  const nature = natureOf(closure) ?? asked;
  const isMotorway = roadsOf(closure).some((road) => MOTORWAY.test(road));
  const rated = carriagewaysOf(closure).map((carriageway) => {
    const extent = extentOf(closure, carriageway);
    return {
      ...carriageway,
      extent,
      severity: severityOf({ nature, phase, extent, isMotorway, ...carriageway }),
    };
  });
  // carriagewaysOf returns at least one.
  const worst = rated.toSorted(
    (a, b) =>
      severityRank(a.severity) - severityRank(b.severity) ||
      EXTENTS.indexOf(a.extent) - EXTENTS.indexOf(b.extent),
  )[0]!;
  return { closure, nature, phase, trusted, start, end, severity: worst.severity, worst };
}

/** Closures that have begun come first, then the worst, then the earliest start. */
export function byWeight(a: Graded, b: Graded): number {
  return (
    Number(b.phase === 'active') - Number(a.phase === 'active') ||
    severityRank(a.severity) - severityRank(b.severity) ||
    (a.start ?? '').localeCompare(b.start ?? '')
  );
}

function severityOf(of: {
  nature: Nature;
  phase: Phase;
  extent: Extent;
  isMotorway: boolean;
  isSlipRoad: boolean;
}): Severity {
  if (of.phase === 'planned') return 'low';
  const severity =
    of.nature === 'unplanned' && of.extent === 'carriageway' && of.isMotorway
      ? 'critical'
      : SEVERITY[of.nature][of.extent];
  // The same types are used for a slip road, whose closure closes no through road.
  return of.isSlipRoad ? (Severity.options[severityRank(severity) + 1] ?? 'low') : severity;
}

function extentOf(closure: Closure, { restricted, operational }: Carriageway): Extent {
  const type = codeOf(closure.roadOrCarriagewayOrLaneManagementType);
  if (type === 'carriagewayClosures' || (operational === 0 && restricted !== 0)) return 'carriageway';
  if (restricted && operational !== null) return restricted >= operational ? 'most_lanes' : 'some_lanes';
  return restricted || type === 'laneClosures' ? 'some_lanes' : 'unknown';
}

/** Planned or unplanned, from the record's own fields. Null when they do not say; then the list decides that the
 *  record came from. */
function natureOf(closure: Closure): Nature | null {
  const source = closure.source?.sourceIdentification ?? '';
  const bySource = NATURE_BY_SOURCE.find(([words]) => words.test(source))?.[1];
  if (bySource) return bySource;
  if (closure.validity.validityStatus === 'planned') return 'planned';

  const cause = closure.cause?.causeType ?? '';
  return Object.hasOwn(NATURE_BY_CAUSE, cause) ? NATURE_BY_CAUSE[cause]! : null;
}
