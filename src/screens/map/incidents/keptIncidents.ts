/** The last answers about the disruptions of areas, and which of them can be used for the area on screen. */
import { type Bounds, isWithin, overlap } from '../../../api/alerts/bounds.ts';
import type { DisruptionsOfArea } from '../../../api/alerts/disruptions.ts';
import { isStale } from '../../../time/freshness.ts';
import { loadSnapshot, saveSnapshot } from '../../../offline/snapshot.ts';

/** One answer of the server: the disruptions, the area, and when. */
export interface KeptIncidents extends DisruptionsOfArea {
  bounds: Bounds;
  at: Date;
}

/** The name carries the shape's version: a copy of another shape is not found. */
const SNAPSHOT = 'map-incidents-1';

/** Up to 250 kB each. */
const MOST_AREAS = 4;
const LONGEST_KEPT_MS = 7 * 24 * 60 * 60_000;

/** True when nothing was left out of the answer. */
export const isWhole = ({ events, total }: DisruptionsOfArea) => total <= events.length;

/** Newest first, without those that a newer answer has made redundant. */
export function withAnswer(known: readonly KeptIncidents[], answer: KeptIncidents): readonly KeptIncidents[] {
  return [answer, ...known]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .filter((one, place, all) => !all.slice(0, place).some((newer) => replaces(newer, one)))
    .slice(0, MOST_AREAS);
}

const replaces = (newer: KeptIncidents, older: KeptIncidents) =>
  isWithin(older.bounds, newer.bounds) && (isWhole(newer) || isWithin(newer.bounds, older.bounds));

/** One answer, so that what is shown has one age. Current answers come before old ones, then those that cover all of
 *  the area before those that cover a part. Null when nothing is known about the area. */
export function answerFor(bounds: Bounds, known: readonly KeptIncidents[], now: Date): KeptIncidents | null {
  const near = known.filter((one) => overlap(one.bounds, bounds));
  const current = near.filter(({ at }) => !isStale(at, now));
  const all = (some: readonly KeptIncidents[]) => some.find((one) => knowsAllOf(bounds, one));
  return all(current) ?? current[0] ?? all(near) ?? near[0] ?? null;
}

/** An answer that was cut short is valid for exactly its own area: what was cut from a part of it is not known. */
export const knowsAllOf = (bounds: Bounds, answer: KeptIncidents) =>
  isWithin(bounds, answer.bounds) && (isWhole(answer) || isWithin(answer.bounds, bounds));

export async function loadIncidents(now: Date): Promise<readonly KeptIncidents[]> {
  const data = (await loadSnapshot(SNAPSHOT))?.data;
  if (!areIncidents(data)) return [];
  return data.filter(({ at }) => now.getTime() - at.getTime() < LONGEST_KEPT_MS);
}

export const saveIncidents = (known: readonly KeptIncidents[]) =>
  saveSnapshot(SNAPSHOT, known, known[0]?.at ?? new Date(0));

/** Checked before it is trusted: an older version of the app can have stored it. */
const areIncidents = (data: unknown): data is KeptIncidents[] =>
  Array.isArray(data) &&
  data.every(
    (one) => one?.bounds && one.at instanceof Date && Array.isArray(one.events) && Array.isArray(one.sources),
  );
