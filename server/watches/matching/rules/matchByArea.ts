/** R5 and R11: by the incident's area, and by the watched area. */
import type { RuleName } from '#contract/watches/watches.ts';
import {
  chunksMeet,
  crossing,
  isInside,
  nearestTo,
  segmentMeets,
  type Chunked,
  type Flat,
  type Nearest,
  type Scale,
} from '../../../geography/roads/flatLine.ts';
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import { type Found, shortKm, type Tell } from './found.ts';
import type { WatchLine } from './watchLine.ts';

export function throughArea(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  if (watch.area) {
    const meets = incident.polygons.some((polygon) => meetsArea(polygon, watch, incident.scale));
    tell?.(meets ? 'the two areas overlap' : 'the two areas do not overlap', {});
    return meets ? inArea('R5', 'overlaps the area') : null;
  }
  const inside: [from: number, to: number][] = [];
  for (const polygon of incident.polygons) {
    if (boxesMeet(polygon, watch.box)) addInside(watch, polygon, inside);
  }
  const [from, to, km] = together(inside);
  tell?.(km > 0 ? 'the route runs through its area' : 'the route does not meet its area', { inside_km: km });
  if (inside.length === 0) return null;
  const why = `runs through the area for ${longKm(km)} km`;
  return { rule: 'R5', level: 'certain', why, from_km: from, to_km: to, off_m: 0 };
}

const longKm = (km: number) => (km < 9.95 ? shortKm(km).replace('.0', '') : km.toFixed(0));

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

const boxesMeet = (one: Box, other: Box) =>
  one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south;

type Polygon = Pick<IncidentPlace['polygons'][number], 'rings' | 'edges'>;

/** Adds the stretches of the route, in kilometres, that lie inside. */
function addInside({ line, km }: WatchLine, { rings, edges }: Polygon, inside: [number, number][]): void {
  const { xy, chunks, boxes } = line;
  const count = edges.chunks.length / 2;
  let before = { vertex: -1, isInside: false };
  for (let chunk = 0; chunk < chunks.length / 2; chunk++) {
    const near: number[] = [];
    for (let theirs = 0; theirs < count; theirs++) {
      if (chunksMeet(boxes, chunk, edges.boxes, theirs)) near.push(theirs);
    }
    const [first, last] = [chunks[chunk * 2]!, chunks[chunk * 2 + 1]!];
    if (near.length > 0) {
      for (let vertex = first; vertex < last; vertex++) {
        addInsideOf(xy, km, vertex, { rings, edges }, near, inside);
      }
      continue;
    }
    // No edge is near: either all of it is inside, or nothing, as before it.
    const isIn =
      before.vertex === first ? before.isInside : isInside(rings, xy[first * 2]!, xy[first * 2 + 1]!);
    if (isIn) inside.push([km[first]!, km[last]!]);
    before = { vertex: last, isInside: isIn };
  }
}

/** The segment after this vertex. `near`: the chunks of edges that can cross it. */
function addInsideOf(
  xy: Flat,
  km: Float32Array,
  vertex: number,
  { rings, edges }: Polygon,
  near: readonly number[],
  inside: [number, number][],
): void {
  const cuts = [0, 1];
  for (const theirs of near) {
    if (!segmentMeets(xy, vertex, edges.boxes, theirs)) continue;
    const end = edges.chunks[theirs * 2 + 1]!;
    for (let edge = edges.chunks[theirs * 2]!; edge < end; edge++) {
      const t = crossing(xy, vertex, edges.xy, edge);
      if (t !== null) cuts.push(t);
    }
  }
  cuts.sort((one, other) => one - other);
  const [ax, ay] = [xy[vertex * 2]!, xy[vertex * 2 + 1]!];
  const [dx, dy] = [xy[vertex * 2 + 2]! - ax, xy[vertex * 2 + 3]! - ay];
  const long = km[vertex + 1]! - km[vertex]!;
  for (let cut = 1; cut < cuts.length; cut++) {
    const [from, to] = [cuts[cut - 1]!, cuts[cut]!];
    const middle = (from + to) / 2;
    if (to > from && isInside(rings, ax + middle * dx, ay + middle * dy)) {
      inside.push([km[vertex]! + from * long, km[vertex]! + to * long]);
    }
  }
}

/** The kilometre where the first stretch begins, the one where the last one ends, and the kilometres of all, each
 *  counted once. */
function together(spans: [number, number][]): [from: number, to: number, km: number] {
  spans.sort((one, other) => one[0] - other[0]);
  let km = 0;
  let until = -Infinity;
  for (const [from, to] of spans) {
    km += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return [spans[0]?.[0] ?? 0, until, km];
}

const inArea = (rule: RuleName, why: string): Found => ({
  rule,
  level: 'certain',
  why,
  from_km: null,
  to_km: null,
  off_m: null,
});

/** Certain: a position inside, a line that goes in, or a place that the team gave and that is inside with all its
 *  reach. */
export function insideArea(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  const { points, lines, named, scale } = incident;
  for (let at = 0; at < points.length; at += 2) {
    if (isInArea(watch, points[at]!, points[at + 1]!, scale)) {
      tell?.('its position is inside', {});
      return inArea('R11', 'lies in the area');
    }
  }
  if (lines.some((line) => lineMeets(line, watch, scale))) {
    tell?.('its line goes in', {});
    return inArea('R11', 'runs through the area');
  }
  if (named?.isGiven) {
    const deep = kmInside(watch, named.x, named.y, scale);
    tell?.(`its place is ${deep >= named.reachKm ? '' : 'not wholly '}inside`, {
      inside_km: deep,
      reach_km: named.reachKm,
    });
    return deep >= named.reachKm ? inArea('R11', 'lies in the area') : null;
  }
  tell?.('its position is outside', {});
  return null;
}

/** The distance in kilometres to the area's edge; 0 outside. */
function kmInside(watch: WatchLine, x: number, y: number, { kx, ky }: Scale): number {
  const { circle, polygons } = watch.area!; // only asked of areas
  const inCircle = circle ? circle.radiusKm - Math.hypot((x - circle.x) * kx, (y - circle.y) * ky) : 0;
  return Math.max(
    0,
    inCircle,
    ...polygons.map(({ rings, edges }) => (isInside(rings, x, y) ? kmTo(edges, x, y, { kx, ky }) : 0)),
  );
}

function kmTo(edges: Chunked, x: number, y: number, scale: Scale): number {
  const found: Nearest = { km: Infinity, vertex: -1, t: 0 };
  nearestTo(edges, [0, edges.chunks.length / 2], x, y, scale, found);
  return found.km;
}

export function isInArea({ area }: WatchLine, x: number, y: number, { kx, ky }: Scale): boolean {
  if (!area) return false;
  const { circle, polygons } = area;
  if (circle && Math.hypot((x - circle.x) * kx, (y - circle.y) * ky) <= circle.radiusKm) return true;
  return polygons.some(({ rings }) => isInside(rings, x, y));
}

function lineMeets(line: Chunked, watch: WatchLine, scale: Scale): boolean {
  const { circle, polygons } = watch.area!; // only asked of areas
  const chunks = [0, line.chunks.length / 2] as const;
  if (circle) {
    const found: Nearest = { km: circle.radiusKm + 1e-9, vertex: -1, t: 0 };
    nearestTo(line, chunks, circle.x, circle.y, scale, found);
    if (found.vertex >= 0) return true;
  }
  return (
    (polygons.length > 0 && isInArea(watch, line.xy[0]!, line.xy[1]!, scale)) ||
    polygons.some(({ edges }) => crosses(line, edges))
  );
}

/** Whether an edge of the first crosses an edge of the other. */
function crosses(one: Chunked, other: Chunked): boolean {
  for (let chunk = 0; chunk < one.chunks.length / 2; chunk++) {
    for (let theirs = 0; theirs < other.chunks.length / 2; theirs++) {
      if (!chunksMeet(one.boxes, chunk, other.boxes, theirs)) continue;
      for (let vertex = one.chunks[chunk * 2]!; vertex < one.chunks[chunk * 2 + 1]!; vertex++) {
        for (let edge = other.chunks[theirs * 2]!; edge < other.chunks[theirs * 2 + 1]!; edge++) {
          if (crossing(one.xy, vertex, other.xy, edge) !== null) return true;
        }
      }
    }
  }
  return false;
}

function meetsArea(
  { rings, edges }: IncidentPlace['polygons'][number],
  watch: WatchLine,
  scale: Scale,
): boolean {
  const { circle, polygons } = watch.area!; // only asked of areas
  const [x, y] = [rings[0]![0]!, rings[0]![1]!]; // a polygon has an outer ring
  if (circle && (isInside(rings, circle.x, circle.y) || lineMeets(edges, watch, scale))) return true;
  return polygons.some(
    (own) =>
      isInside(own.rings, x, y) ||
      isInside(rings, own.rings[0]![0]!, own.rings[0]![1]!) ||
      crosses(edges, own.edges),
  );
}

export function kmToArea(watch: WatchLine, x: number, y: number, scale: Scale): number {
  if (isInArea(watch, x, y, scale)) return 0;
  const { circle, polygons } = watch.area!; // only asked of areas
  const toCircle = circle
    ? Math.hypot((x - circle.x) * scale.kx, (y - circle.y) * scale.ky) - circle.radiusKm
    : Infinity;
  return Math.min(toCircle, ...polygons.map(({ edges }) => kmTo(edges, x, y, scale)));
}
