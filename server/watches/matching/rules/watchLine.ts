/** A route or an area, made ready for matching: its line, and the pieces of tabled roads that it uses. */
import type { Geometry } from '#contract/incidents/disruptions.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { ExactLeg, Leg, RoadLeg, WatchKind } from '#contract/watches/watches.ts';
import type { BoundingBox } from '../../../geography/shapes/geometry.ts';
import { boxOf, chunked, flat, type Chunked, type FlatPolygon } from '../../../geography/roads/flatLine.ts';
import { polygonOf, type Span } from '../../../geography/roads/incidentPlace.ts';
import {
  along,
  periodOf,
  rulerAt,
  type Chain,
  type LonLat,
  type RoadTable,
  type Sense,
} from '../../../geography/roads/roadTable.ts';
import { piecesOf } from '../../../geography/roads/routeWay.ts';
import { reachOfLeg } from './reach.ts';

export interface StoredWatch {
  id: string;
  kind: WatchKind;
  legs: readonly Leg[];
  /** An area's Point (with `reach_m`) or Polygon. A route's line is made from its legs. */
  geometry: Geometry | null;
  reach_m: number | null;
}

export interface WatchLeg {
  type: Leg['type'];
  /** Vertices of the line. */
  first: number;
  last: number;
  chunks: readonly [from: number, to: number];
  /** How far a position without a road may be from the line, on either side. */
  reachKm: number;
  /** For a drawn leg: the road that its author gave. */
  road: string | null;
}

/** A part of a tabled road that the route uses. */
export interface Piece extends Span {
  chain: Chain;
  sense: Sense;
  /** The first and the last of the legs that use it. */
  legs: readonly [first: number, last: number];
  /** Drawn by hand: only the ends are known, not the line. */
  isDrawn: boolean;
  /** A position on the chain, the kilometre of the route there, and so on, in the order of the route: two numbers
   *  for each place. All are in one list, because it is read for every incident on the road. */
  kilometres: readonly number[];
}

interface WatchArea {
  polygons: readonly (BoundingBox & { rings: FlatPolygon; edges: Chunked })[];
  circle: { x: number; y: number; radiusKm: number } | null;
}

export interface Stop {
  x: number;
  y: number;
  km: number;
  /** "begins" */
  does: 'begins' | 'calls' | 'ends';
  /** "Leeds Bradford Airport", "York station"; null: no name of a station or an airport. */
  name: string | null;
}

/** The evidence that a watch has, by which rules are chosen. Watches of one form share one object. */
export interface WatchForm {
  kind: 'route' | 'area';
  /** It has a leg that was drawn along a road of its author's naming. */
  isDrawn: boolean;
  /** It has a surveyed line. */
  isSurveyed: boolean;
  /** It names a station or an airport. */
  namesStop: boolean;
}

const forms = new Map<string, WatchForm>();

function formOf(form: WatchForm): WatchForm {
  const key = JSON.stringify(form);
  const known = forms.get(key) ?? form;
  forms.set(key, known);
  return known;
}

export interface WatchLine {
  id: string;
  form: WatchForm;
  /** The vertices of all legs, one after the other. */
  line: Chunked;
  /** The route's kilometre at each vertex. */
  km: Float32Array;
  legs: readonly WatchLeg[];
  pieces: readonly Piece[];
  /** Its first and last point, and the stations and airports on its way that its author named. */
  stops: readonly Stop[];
  /** Whether its author said how far from it a position may be. */
  isReachGiven: boolean;
  /** Null for a route. */
  area: WatchArea | null;
  /** Outside this box only the name of a road can match. */
  box: BoundingBox;
}

/** If the ends of a drawn line are further from the road of its name, the junctions are unknown. */
const DRAWN_OFF_KM = 4;

/** Throws if a leg names something that the table lacks, or an area has no outline. */
export function watchLine(watch: StoredWatch, table: RoadTable): WatchLine {
  return watch.kind === 'area' ? areaOf(watch) : routeOf(watch, table);
}

function routeOf({ id, legs, reach_m }: StoredWatch, table: RoadTable): WatchLine {
  const points: LonLat[] = [];
  const km: number[] = [];
  const made: Omit<WatchLeg, 'chunks'>[] = [];
  const pieces: Piece[] = [];
  for (const [index, leg] of legs.entries()) {
    const way = leg.type === 'road' ? roadWay(leg, table) : { points: leg.points, pieces: [] };
    const first = points.length;
    for (const [longitude, latitude] of way.points) {
      const point: LonLat = [longitude, latitude];
      const before = points.at(-1);
      km.push(before ? km.at(-1)! + rulerAt(point[1]).distance(before, point) : 0);
      points.push(point);
    }
    const startKm = km[first] ?? 0;
    if (leg.type === 'exact') pieces.push(...exactPieces(leg, index, startKm, table));
    if (leg.type === 'line' && leg.road) pieces.push(...drawnPieces(leg, index, km.slice(first), table));
    for (const piece of way.pieces) {
      const kilometres = piece.waypoints.flatMap(({ at, point }) => [at, km[first + point]!]);
      pieces.push({ ...piece, legs: [index, index], isDrawn: false, kilometres });
    }
    made.push({
      type: leg.type,
      first,
      last: points.length - 1,
      reachKm: reach_m === null ? reachOfLeg(leg) : reach_m / 1000,
      road: leg.type === 'line' && leg.road ? normalRoad(leg.road) : null,
    });
  }
  if (points.length === 0) throw new Error(`The route ${id} has no line.`);

  const xy = Float32Array.from(flat(points));
  const line = chunked(
    xy,
    // A leg along a gap of its road has no line.
    made.filter(({ first, last }) => last >= first).map(({ first, last }) => [first, last]),
  );
  let from = 0;
  const placed = made.map((leg): WatchLeg => {
    let to = from;
    while (to < line.chunks.length / 2 && line.chunks[to * 2 + 1]! <= leg.last) to++;
    const chunks = [from, to] as const;
    from = to;
    return { ...leg, chunks };
  });
  const stops = stopsOf(legs, made, points, km);
  return {
    id,
    form: formOf({
      kind: 'route',
      isDrawn: made.some(({ road }) => road !== null),
      isSurveyed: made.some(({ type }) => type === 'exact'),
      namesStop: stops.some(({ name }) => name !== null),
    }),
    line,
    km: Float32Array.from(km),
    legs: placed,
    pieces: joined(pieces),
    isReachGiven: reach_m !== null,
    stops,
    area: null,
    box: boxOf(xy),
  };
}

/** A name as `resolveText` gives it: "Leeds Bradford Airport, West Yorkshire", "York station (YRK)". */
const STATION_OR_AIRPORT = /\b(?:airport|station)\b/i;

function stopsOf(
  legs: readonly Leg[],
  made: readonly { first: number; last: number }[],
  points: readonly LonLat[],
  km: readonly number[],
): Stop[] {
  const names = new Map<number, string>();
  for (const [index, leg] of legs.entries()) {
    if (leg.type !== 'link') continue;
    for (const [end, name] of [leg.names?.[0], leg.names?.[1]].entries())
      if (name) names.set(end === 0 ? made[index]!.first : made[index]!.last, name);
  }
  const last = points.length - 1;
  const stops = new Set([
    0,
    last,
    ...[...names].flatMap(([at, name]) => (STATION_OR_AIRPORT.test(name) ? at : [])),
  ]);
  return [...stops].map((at): Stop => {
    const name = names.get(at) ?? '';
    const [x, y] = points[at]!; // one of its points
    return {
      x,
      y,
      km: km[at]!,
      does: at === 0 ? 'begins' : at === last ? 'ends' : 'calls',
      name: STATION_OR_AIRPORT.test(name) ? name.split(/, | \(/)[0]! : null, // a split gives at least one
    };
  });
}

/** From waypoint to waypoint. If the road runs along another road, the chain of the other road is used, and both
 *  roads count. */
function roadWay(leg: RoadLeg, table: RoadTable) {
  const points: LonLat[] = [];
  const pieces: (Span & { chain: Chain; sense: Sense; waypoints: { at: number; point: number }[] })[] = [];
  for (const { chain, sense, points: own, at } of piecesOf(leg, table)) {
    const waypoints = at.map((position, index) => ({ at: position, point: points.length + index }));
    pieces.push({ chain, sense, lo: Math.min(...at), hi: Math.max(...at), waypoints });
    points.push(...own);
  }
  return { points, pieces };
}

const exactPieces = ({ roads }: ExactLeg, leg: number, startKm: number, table: RoadTable): Piece[] =>
  roads.flatMap(({ road, lo, hi, sense, from_km, to_km }) => {
    const chain = table.chain(road) ?? table.named(road)[0];
    if (!chain) return [];
    const [first, last] = sense === 1 ? [lo, hi] : [hi, lo];
    const kilometres = [first, startKm + from_km, last, startKm + to_km];
    return [{ chain, lo, hi, sense, legs: [leg, leg], isDrawn: false, kilometres }];
  });

/** The part of the road that its author gave, between the ends of the drawn line. */
function drawnPieces(
  { road, points }: { road?: string; points: readonly (readonly [number, number])[] },
  leg: number,
  km: readonly number[],
  table: RoadTable,
): Piece[] {
  return table.named(road ?? '').flatMap((chain): Piece[] => {
    const [from, to] = [along(chain, points[0] as LonLat), along(chain, points.at(-1) as LonLat)];
    if (!from || !to || from.off > DRAWN_OFF_KM || to.off > DRAWN_OFF_KM || from.at === to.at) return [];
    const period = periodOf(chain);
    let [first, last] = [from.at, to.at];
    if (period && Math.abs(last - first) > period / 2) {
      if (last < first) last += period;
      else first += period;
    }
    const kilometres = [first, km[0]!, last, km.at(-1)!];
    const [lo, hi] = [Math.min(first, last), Math.max(first, last)];
    return [{ chain, lo, hi, sense: last > first ? 1 : -1, legs: [leg, leg], isDrawn: true, kilometres }];
  });
}

/** Pieces that follow each other on one road are one, also across a break: the route stays on the road between them. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const at = all.findLastIndex(({ chain }) => chain === piece.chain);
    const before = all[at];
    if (!before || !goesOn(before, piece)) {
      all.push(piece);
      continue;
    }
    all[at] = {
      ...before,
      legs: [before.legs[0], piece.legs[1]],
      lo: Math.min(before.lo, piece.lo),
      hi: Math.max(before.hi, piece.hi),
      kilometres: [...before.kilometres, ...piece.kilometres],
    };
  }
  return all;
}

function goesOn(before: Piece, piece: Piece): boolean {
  if (before.isDrawn || piece.isDrawn || before.sense !== piece.sense || piece.legs[0] - before.legs[1] > 1)
    return false;
  const [end, start] = [before.kilometres.at(-2)!, piece.kilometres[0]!]; // a piece has two ends
  return end === start || (start - end === piece.sense && piece.chain.breaks.has(Math.min(start, end)));
}

/** The kilometre of the route at a position on the chain. A position beyond an end has the kilometre of that end. */
export function kmAt({ kilometres }: Piece, at: number): number {
  const last = kilometres.length - 2;
  const rises = kilometres[last]! > kilometres[0]!; // a piece has two ends
  for (let place = 2; place <= last; place += 2) {
    const from = kilometres[place - 2]!;
    const to = kilometres[place]!;
    if (place < last && (rises ? at > to : at < to)) continue;
    const fromKm = kilometres[place - 1]!;
    const t = to === from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));
    return fromKm + t * (kilometres[place + 1]! - fromKm);
  }
  return kilometres[1]!;
}

function areaOf({ id, geometry, reach_m }: StoredWatch): WatchLine {
  const { type = 'none', coordinates = [] } = geometry ?? {};
  const polygons =
    type === 'Polygon' || type === 'MultiPolygon'
      ? ((type === 'Polygon' ? [coordinates] : coordinates) as LonLat[][][])
          .filter(([outer]) => outer && outer.length > 3)
          .map(polygonOf)
      : [];
  const centre = type === 'Point' && reach_m ? (coordinates as LonLat) : null;
  if (polygons.length === 0 && !centre) throw new Error(`The area ${id} has no outline.`);
  const radiusKm = (reach_m ?? 0) / 1000;
  const circle = centre && { x: centre[0], y: centre[1], radiusKm };
  const xy = new Float32Array();
  return {
    id,
    form: formOf({ kind: 'area', isDrawn: false, isSurveyed: false, namesStop: false }),
    line: chunked(xy, []),
    km: new Float32Array(),
    legs: [],
    pieces: [],
    isReachGiven: true,
    stops: [],
    area: { polygons, circle },
    box: circle ? boxAround(circle.x, circle.y, circle.radiusKm) : boxesTogether(polygons),
  };
}

function boxesTogether(boxes: readonly BoundingBox[]): BoundingBox {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}

/** A box around everything that is as near as this. It is too large rather than too small. */
export function boxAround(x: number, y: number, radiusKm: number): BoundingBox {
  const { high, wide } = kmPerDegree(Math.abs(y) + radiusKm / 100);
  const [up, aside] = [radiusKm / high, radiusKm / wide];
  return { west: x - aside, south: y - up, east: x + aside, north: y + up };
}

/** The least kilometres of a degree at this latitude and nearer to the equator. */
export function kmPerDegree(latitude: number): { high: number; wide: number } {
  return { high: 110, wide: 110 * Math.cos((Math.min(89, latitude + 0.1) * Math.PI) / 180) };
}
