/** What the change log says of one stored row, by its content before and after. Nothing is stored here. */
import type { ChangeKind } from '#contract/incidents/changes.ts';
import { severityRank } from '#contract/incidents/disruptions.ts';
import type { Content } from '../incidentFields.ts';
import type { Incident, InForce } from './lifecycleStore.ts';
import { VERSIONED } from './versions.ts';

type Before = Pick<InForce, 'kind' | 'severity' | 'phase' | 'content' | 'geometry'>;

/**
 * `before`: in force until now. Null: nothing that the log names has changed. A rail operator that runs normally is no
 * incident: as for its versions, its disruption ends with the first such report, and the next one begins.
 */
export function changeOf(
  before: Before | undefined,
  after: Content & Pick<Incident, 'shape'>,
): ChangeKind | null {
  const was = before?.kind === 'alert' ? before : undefined;
  if (after.kind === 'status') return was ? 'ended' : null;
  if (!was) return 'began';
  if (was.phase === 'planned' && after.phase === 'active') return 'started';
  const worseBy = severityRank(was.severity) - severityRank(after.severity);
  if (was.phase === after.phase && worseBy !== 0) return worseBy > 0 ? 'worse' : 'better';
  // Without its content it is listed with the same hash.
  if (!was.content) return null;
  // One that has only now been given a shape was there before.
  const hasMoved = was.geometry != null && was.geometry !== (after.shape?.geometry ?? null);
  return hasMoved || isOther(was.content, after) ? 'changed' : null;
}

const isOther = (before: Content, after: Content) =>
  isUnrated(before) !== isUnrated(after) ||
  before.event_type !== after.event_type ||
  [...VERSIONED, 'latitude' as const, 'longitude' as const].some((field) => before[field] !== after[field]);

/** Conditions ask for this and for the type as for the severity, which can stay the same: a program that keeps a list must be
 *  told. */
const isUnrated = ({ metadata }: Content) => metadata['severity_unrated'] === true;
