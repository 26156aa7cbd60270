/** The position on a road's chain of words for the end of a stretch: "J26", "M62 J27", "A43", "Grantham". */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { along, junctionIndex, labelOf, type Chain, type LonLat, type RoadTable } from './roadTable.ts';

/** Two roads that come this close meet. */
const MEET_KM = 1.6;
/** A junction of another road that is this close is on this one. */
const JUNCTION_KM = 3;
/** The same for an A road, whose line between two waypoints is straight. */
const NUMBERED_KM = 4;
/** A position this close to a waypoint is at it. */
const AT_WAYPOINT = 0.3;

type Points = Record<string, Record<string, [number, number]>>;
const pointsIn = (name: string): Points =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Points; // our own file; a test checks its shape

/** By chain: junctions of A roads that are not waypoints, latitude first. */
const NUMBERED = pointsIn('numbered.json');
/** By chain: places where it meets roads that the table does not have. */
const CROSSINGS = pointsIn('crossings.json');

/** The crossings of a road that the table does not have with roads of the table. */
export const crossingsOf = (road: string): LonLat[] =>
  Object.values(CROSSINGS).flatMap((points) => {
    const at = Object.hasOwn(points, road) ? points[road] : undefined;
    return at ? [[at[1], at[0]] as const] : [];
  });

const known = new WeakMap<Chain, Map<string, number | null>>();

/** Null: the table does not have it. */
export function labelPosition(chain: Chain, label: string, table: RoadTable): number | null {
  let labels = known.get(chain);
  if (!labels) known.set(chain, (labels = new Map()));
  const found = labels.get(label);
  if (found !== undefined) return found;
  // Texts are hostile, so what is remembered is bounded.
  if (labels.size > 500) labels.clear();
  const position = find(chain, label, table);
  labels.set(label, position);
  return position;
}

function find(chain: Chain, label: string, table: RoadTable): number | null {
  const own = indexNamed(chain, label);
  if (own >= 0) return own;
  const numbered = NUMBERED[chain.id]?.[label] ?? CROSSINGS[chain.id]?.[label];
  if (numbered) {
    const on = along(chain, [numbered[1], numbered[0]]);
    return on && on.off <= NUMBERED_KM ? on.at : null;
  }
  const [, road, junction] =
    /^((?:M6 Toll|[AMB]\d{1,4}(?:\(M\))?))(?: ([JT]\w+(?:\/\w+)?))?$/.exec(label) ?? [];
  if (!road) return null;
  const others = table
    .named(road)
    .filter(({ id, road: name }) => (id === name) === (chain.id === chain.road));
  for (const other of others) {
    if (!junction) return crossing(chain, other);
    const index = junctionIndex(other, junction);
    const on = index < 0 ? null : along(chain, other.waypoints[index]!.point);
    if (on && on.off <= JUNCTION_KM) return settled(on.at);
  }
  return null;
}

const settled = (at: number): number => (Math.abs(at - Math.round(at)) < AT_WAYPOINT ? Math.round(at) : at);

const key = (name: string) =>
  ` ${name
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\d()]+/gu, ' ')
    .replaceAll(/\b(?:roundabout|interchange|junction|services)\b/g, '')
    .replaceAll(/\brd\b/g, 'road')
    .trim()} `;

function indexNamed(chain: Chain, label: string): number {
  if (/^[JT]?\d{1,2}[A-Z]?(?:\/\d{1,2}[A-Z]?)?$/i.test(label)) return junctionIndex(chain, label);
  const asked = key(label);
  if (asked.trim().length < 3) return chain.waypoints.findIndex((waypoint) => labelOf(waypoint) === label);
  const exact = chain.waypoints.findIndex((waypoint) => waypoint.name && key(waypoint.name) === asked);
  if (exact >= 0) return exact;
  const starts = chain.waypoints.flatMap(({ name }, index) =>
    name && key(name).startsWith(asked) ? [index] : [],
  );
  return starts.length === 1 ? starts[0]! : -1;
}

/** The place where another road meets this one; null: there is none, or more than one. */
function crossing(chain: Chain, other: Chain): number | null {
  const places: { at: number; off: number }[] = [];
  const look = (point: LonLat) => {
    const on = along(chain, point);
    if (on && on.off <= MEET_KM) places.push(on);
  };
  for (const { points } of other.lines) {
    for (const [index, point] of points.entries()) {
      look(point);
      const next = points[index + 1];
      if (!next) continue;
      for (const t of [0.2, 0.4, 0.6, 0.8])
        look([point[0] + t * (next[0] - point[0]), point[1] + t * (next[1] - point[1])]);
    }
  }
  if (places.length === 0) return null;
  places.sort((one, other) => one.at - other.at);
  const isOnce = places.at(-1)!.at - places[0]!.at <= 2; // there is one
  if (!isOnce) return null;
  const nearest = places.reduce((best, one) => (one.off < best.off ? one : best));
  return settled(nearest.at);
}
