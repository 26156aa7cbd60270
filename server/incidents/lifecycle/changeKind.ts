/** The kind of the change log's entry for one stored row, by its content before and after. Nothing is stored here.
 *  Which end is "lost", and what is worse, stands in contract/incidents/changes.ts. */
import { type ChangeKind, gradeChange } from '#contract/incidents/changes.ts';
import type { Content } from '../incidentFields.ts';
import type { Incident, InForce } from './lifecycleStore.ts';
import { VERSIONED } from './versions.ts';

type Before = Pick<InForce, 'kind' | 'severity' | 'phase' | 'content' | 'geometry'>;

/** `before`: the row in force until now. Null: no field that the log names has changed. A rail operator that runs
 *  normally is not an incident: its disruption, and its versions, end with the first such report, and the next
 *  disruption begins again. */
export function changeOf(
  before: Before | undefined,
  after: Content & Pick<Incident, 'shape'>,
): ChangeKind | null {
  const was = before?.kind === 'alert' ? before : undefined;
  if (after.kind === 'status') return was ? 'ended' : null;
  if (!was) return 'began';
  if (was.phase === 'planned' && after.phase === 'active') return 'started';
  const byGrade = gradeChange(was.severity, after.severity);
  if (was.phase === after.phase && byGrade !== 'changed') return byGrade;
  // The content is not loaded if the incident is listed with the same hash.
  if (!was.content) return null;
  // If an incident gets its first shape now, it has not moved.
  const hasMoved = was.geometry != null && was.geometry !== (after.shape?.geometry ?? null);
  return hasMoved || isOther(was.content, after) ? 'changed' : null;
}

const isOther = (before: Content, after: Content) =>
  isUnrated(before) !== isUnrated(after) ||
  before.event_type !== after.event_type ||
  [...VERSIONED, 'latitude' as const, 'longitude' as const].some((field) => before[field] !== after[field]);

/** Conditions can name this and the type, as they can name the severity. Both can change while the severity stays, so
 *  the log must say so to a program that keeps a list. */
const isUnrated = ({ metadata }: Content) => metadata['severity_unrated'] === true;
