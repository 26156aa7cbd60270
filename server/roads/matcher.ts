/**
 * Whether an incident touches a route or an area, and by which evidence. Eleven rules are tried in order: the first that
 * says "certain" decides, else the first that says "possible". Nothing here knows the time.
 */
import type { Explanation, MatchLevel, RuleName } from '#contract/watches.ts';
import {
  angleBetween,
  bearingAt,
  chunksMeet,
  crossing,
  isInside,
  nearestTo,
  nearestToLine,
  segmentMeets,
  type Flat,
  type Nearest,
  type Scale,
} from './flatLine.ts';
import { COMPASS, DIRECTION_WORDS, type IncidentPlace, type NamedRoad } from './incidentPlace.ts';
import { labelOf, periodOf, type Chain, type Sense } from './roadTable.ts';
import { CHORD_REACH_KM, kmAt, type Piece, type WatchLeg, type WatchLine } from './watchLine.ts';

export interface Found {
  rule: RuleName;
  level: Exclude<MatchLevel, 'near'>;
  /** Lower case, without a full stop. */
  why: string;
  /** Kilometres of the route; null where it is not known where, and for areas. */
  from_km: number | null;
  to_km: number | null;
  /** How far its position is from the route. */
  off_m: number | null;
}

type Numbers = Record<string, number>;
type Tell = (words: string, numbers: Numbers) => void;

/** Intervals by which a leg is longer at each end than its junctions: slip roads, and the error of the table. */
export const LEG_WIDENING = 0.12;
/** Shorter stretches are points. */
const POINT_INTERVALS = 0.02;
const OVERLAP_MIN = 0.05;
const OVERLAP_SHARE = 0.25;
/** A slip road belongs to the junction that is nearer than this. */
const SAME_JUNCTION = 0.5;
const DRAWN_KM = 2.5;
const COMPASS_DEGREES = 110;
const ON_LINE_KM = 0.08;
const ON_LINE_SHARE = 0.5;
const SAME_WAY_DEGREES = 60;
const OPPOSITE_DEGREES = 120;

interface Rule {
  rule: RuleName;
  /** Null: for both. */
  kind: 'route' | 'area' | null;
  /** What the incident has not, in words; null: it can be tried. */
  lacks(incident: IncidentPlace): string | null;
  /** What the route has not. */
  misses?(incident: IncidentPlace, watch: WatchLine): string | null;
  test(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null;
}

export const RULES: readonly Rule[] = [
  {
    rule: 'R1',
    kind: 'route',
    lacks: (incident) =>
      lacksPosition(incident) ??
      (incident.roads.some(({ at }) => at) ? null : 'it names no road of our table that its position is on'),
    test: (incident, watch, tell) => onPiece(incident, watch, 'same', tell),
  },
  {
    rule: 'R2',
    kind: 'route',
    lacks: (incident) =>
      hasPosition(incident) ?? (isSaid(incident) ? null : 'it names no junction that we know'),
    test: (incident, watch, tell) => bySaid(incident, watch, 'same', tell),
  },
  {
    rule: 'R3',
    kind: 'route',
    lacks: (incident) => lacksPosition(incident) ?? (incident.roads.length > 0 ? null : 'it names no road'),
    misses: missesDrawn,
    test: (incident, watch, tell) => onDrawn(incident, watch, 'same', tell),
  },
  {
    rule: 'R4',
    kind: 'route',
    lacks: lacksLine,
    misses: (_, { legs }) => (legs.some(isExact) ? null : 'no leg is a surveyed line'),
    test: (incident, watch, tell) => onLine(incident, watch, 'same', tell),
  },
  {
    rule: 'R5',
    kind: null,
    lacks: ({ polygons }) => (polygons.length > 0 ? null : 'it has no area'),
    test: throughArea,
  },
  {
    rule: 'R6',
    kind: 'route',
    lacks: ({ roads, sign, lines }) =>
      (roads.length > 0 && sign !== null) || lines.length > 0 ? null : 'it names no direction',
    test: (incident, watch, tell) =>
      onPiece(incident, watch, 'opposite', tell) ??
      bySaid(incident, watch, 'opposite', tell) ??
      onDrawn(incident, watch, 'opposite', tell) ??
      onLine(incident, watch, 'opposite', tell),
  },
  {
    rule: 'R7',
    kind: 'route',
    lacks: (incident) =>
      hasPosition(incident) ??
      (incident.town ? 'its words name a place' : null) ??
      (incident.roads.length + incident.aside.length > 0 ? null : 'it names no road'),
    test: byNameAlone,
  },
  {
    rule: 'R8',
    kind: 'route',
    lacks: ({ roads }) =>
      roads.some(({ disagrees }) => disagrees) ? null : 'its words and its position do not disagree',
    test: byDisagreement,
  },
  { rule: 'R9', kind: 'route', lacks: lacksPosition, test: withinReach },
  {
    rule: 'R10',
    kind: null,
    lacks: (incident) =>
      hasPosition(incident) ??
      (isSaid(incident) ? 'it names a junction' : null) ??
      (incident.town ? null : 'its words name no town'),
    test: byTown,
  },
  { rule: 'R11', kind: 'area', lacks: lacksPosition, test: insideArea },
];

const ONLY_POSSIBLE: ReadonlySet<RuleName> = new Set(['R6', 'R7', 'R8', 'R9', 'R10']);

/** By incident: the rules that it has the evidence for. */
const rulesOf = new WeakMap<IncidentPlace, Record<'route' | 'area', readonly Rule[]>>();

function rulesFor(incident: IncidentPlace, kind: 'route' | 'area'): readonly Rule[] {
  let rules = rulesOf.get(incident);
  if (!rules) {
    const able = RULES.filter(({ lacks }) => lacks(incident) === null);
    const forKind = (own: 'route' | 'area') => able.filter(({ kind }) => kind === null || kind === own);
    rules = { route: forKind('route'), area: forKind('area') };
    rulesOf.set(incident, rules);
  }
  return rules[kind];
}

/** Null: nothing connects the two. */
export function match(incident: IncidentPlace, watch: WatchLine): Found | null {
  let best: Found | null = null;
  for (const { rule, misses, test } of rulesFor(incident, watch.area ? 'area' : 'route')) {
    if (best && ONLY_POSSIBLE.has(rule)) continue;
    if (misses && misses(incident, watch) !== null) continue;
    const found = test(incident, watch);
    if (found?.level === 'certain') return found;
    best ??= found;
  }
  return best;
}

/** Every rule with what it measured, also where none matches. */
export function explain(
  incident: IncidentPlace,
  watch: WatchLine,
): Pick<Explanation, 'level' | 'why' | 'rules'> {
  const decided = match(incident, watch);
  const kind = watch.area ? 'area' : 'route';
  const rules = RULES.map(({ rule, kind: own, lacks, misses, test }): Explanation['rules'][number] => {
    const lacking =
      own !== null && own !== kind
        ? `this is ${A_WATCH[kind]}`
        : (lacks(incident) ?? misses?.(incident, watch) ?? null);
    if (lacking !== null) return { rule, outcome: 'not_tried', words: lacking, numbers: {} };
    const tried: { words: string; numbers: Numbers }[] = [];
    const found = test(incident, watch, (words, numbers) => tried.push({ words, numbers: rounded(numbers) }));
    // What decided was tried last, unless a later part of the route was tried in vain.
    const { words, numbers } = tried.at(-1) ?? {
      words: found?.why ?? 'nothing of the route is near',
      numbers: {},
    };
    return { rule, outcome: found?.level ?? 'none', words, numbers };
  });
  return { level: decided?.level ?? 'none', why: decided?.why ?? null, rules };
}

const A_WATCH = { route: 'a route', area: 'an area' } as const;

const rounded = (numbers: Numbers) =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));

// What a rule needs.

function lacksPosition({ box }: IncidentPlace): string | null {
  return box ? null : 'it has no position';
}

const hasPosition = ({ box }: IncidentPlace) => (box ? 'it has a position' : null);
const isSaid = ({ roads }: IncidentPlace) => roads.some(({ said }) => said.length > 0);
const isExact = ({ type }: WatchLeg) => type === 'exact';

function missesDrawn({ roads }: IncidentPlace, { legs }: WatchLine): string | null {
  const isDrawn = legs.some(({ road }) => road !== null && roads.some((named) => named.road === road));
  return isDrawn ? null : 'no leg was drawn with the number of a road that it names';
}

function lacksLine({ lines, roads }: IncidentPlace): string | null {
  if (lines.length === 0) return 'it has no line';
  return roads.some(({ chain }) => chain) ? 'it names a road of our table' : null;
}

// R1, R2 and R8: by intervals of a road's table.

type Way = 'same' | 'opposite';

function onPiece(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  let best: Found | null = null;
  for (const piece of watch.pieces) {
    if (piece.isDrawn) continue;
    const named = incident.roads.find(({ chain }) => chain === piece.chain);
    if (!named?.at || named.disagrees) continue;
    const { at } = named;
    const overlap = overlapOf(at, piece, LEG_WIDENING);
    tell?.(compared(named, at, piece), {
      from: at.lo,
      to: at.hi,
      leg_from: piece.lo,
      leg_to: piece.hi,
      overlap,
      off_km: at.offKm,
    });
    const isOn =
      at.hi - at.lo < POINT_INTERVALS
        ? overlap >= 0
        : overlap >= Math.min(OVERLAP_MIN, OVERLAP_SHARE * (at.hi - at.lo));
    if (!isOn || wayOf(named.sense, piece) !== way) continue;
    const found = onRoad('R1', incident, named, at, piece, way);
    if (found.level === 'certain') return found;
    best ??= found;
  }
  return best;
}

function bySaid(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  if (incident.box) return null;
  let best: Found | null = null;
  for (const piece of watch.pieces) {
    const named = incident.roads.find(({ chain }) => chain === piece.chain);
    for (const span of named?.said ?? []) {
      const overlap = overlapOf(span, piece, 0);
      tell?.(compared(named!, span, piece), {
        from: span.lo,
        to: span.hi,
        leg_from: piece.lo,
        leg_to: piece.hi,
        overlap,
      });
      const isOn = span.lo === span.hi ? overlap >= 0 : overlap > 0;
      if (!isOn || wayOf(named!.sense, piece) !== way) continue;
      const found = onRoad('R2', incident, named!, span, piece, way);
      if (found.level === 'certain') return found;
      best ??= found;
    }
  }
  return best;
}

const wayOf = (sense: Sense | null, piece: Piece): Way =>
  sense !== null && sense !== piece.sense ? 'opposite' : 'same';

interface Interval {
  lo: number;
  hi: number;
}

/** How much of the span lies in the piece, in intervals; below 0: how far from it. On a ring wherever it fits best. */
export function overlapOf({ lo, hi }: Interval, piece: Piece, widening: number): number {
  const [first, last] = [piece.lo - widening, piece.hi + widening];
  const here = Math.min(hi, last) - Math.max(lo, first);
  const period = periodOf(piece.chain);
  if (period === 0) return here;
  return Math.max(
    here,
    Math.min(hi - period, last) - Math.max(lo - period, first),
    Math.min(hi + period, last) - Math.max(lo + period, first),
  );
}

/** The span on the turn of the ring on which the piece is. */
function onTurnOf({ lo, hi }: Interval, piece: Piece): Interval {
  const period = periodOf(piece.chain);
  if (!period) return { lo, hi };
  const on = (turn: number) => Math.min(hi + turn, piece.hi) - Math.max(lo + turn, piece.lo);
  const turn = [0, period, -period].reduce((best, one) => (on(one) > on(best) ? one : best));
  return { lo: lo + turn, hi: hi + turn };
}

function onRoad(
  rule: 'R1' | 'R2',
  incident: IncidentPlace,
  named: NamedRoad,
  span: Interval & { offKm?: number },
  piece: Piece,
  way: Way,
): Found {
  const on = onTurnOf(span, piece);
  const kms = [Math.max(on.lo, piece.lo), Math.min(on.hi, piece.hi)].map((at) => kmAt(piece, at));
  const where = {
    from_km: Math.min(...kms),
    to_km: Math.max(...kms),
    off_m: span.offKm === undefined ? null : Math.round(span.offKm * 1000),
  };
  if (way === 'opposite') return { rule: 'R6', level: 'possible', why: OTHER_CARRIAGEWAY, ...where };
  if (incident.isSlip && !leavesAt(named, on, piece))
    return { rule, level: 'possible', why: 'a slip road', ...where };
  return { rule, level: 'certain', why: naming(incident, named, piece), ...where };
}

const OTHER_CARRIAGEWAY = 'the other carriageway';

/** Whether the route comes onto the road, or leaves it, at the junction of this slip road. */
function leavesAt({ said }: NamedRoad, on: Interval, piece: Piece): boolean {
  const single = said.length === 1 && said[0]!.lo === said[0]!.hi ? onTurnOf(said[0]!, piece).lo : null;
  const junction = single ?? Math.round((on.lo + on.hi) / 2);
  return Math.min(Math.abs(junction - piece.lo), Math.abs(junction - piece.hi)) < SAME_JUNCTION;
}

/** "names the M62, J27 to J26, westbound"; without junctions where its position lies. */
function naming({ sign, roads }: IncidentPlace, { road, said, at, chain }: NamedRoad, piece: Piece): string {
  const direction = sign && road === roads[0]?.road ? `, ${DIRECTION_WORDS[sign]}` : '';
  // Of several stretches the one that is on the route.
  const [first, ...others] = said;
  if (first) {
    const on = (span: Interval) => overlapOf(span, piece, 0);
    const { label } = others.reduce((best, span) => (on(span) > on(best) ? span : best), first);
    return `names the ${road}, ${label}${direction}`;
  }
  const place = at && chain ? `, ${placeOn(chain, at)} by its position` : '';
  return `names the ${road}${direction}${place}`;
}

function placeOn(chain: Chain, { lo, hi }: Interval): string {
  const count = chain.waypoints.length;
  const label = (at: number) => labelOf(chain.waypoints[((at % count) + count) % count]!);
  const [from, to] = [label(Math.floor(lo)), label(Math.ceil(hi))];
  return from === to ? `at ${from}` : `between ${from} and ${to}`;
}

function compared({ road, sense }: NamedRoad, span: Interval, piece: Piece): string {
  const way = sense === null ? '' : sense === piece.sense ? ', the same way' : ', the other way';
  return `${road} ${placeOn(piece.chain, span)}; the route uses it ${placeOn(piece.chain, piece)}${way}`;
}

function byDisagreement({ roads }: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  for (const piece of watch.pieces) {
    const named = roads.find(({ chain }) => chain === piece.chain);
    if (!named?.disagrees) continue;
    const { at, said } = named;
    const byPosition = at ? overlapOf(at, piece, LEG_WIDENING) : -Infinity;
    const byWords = Math.max(...said.map((span) => overlapOf(span, piece, 0)));
    tell?.(`${named.road}: words ${said.map(({ label }) => label).join(', ')}`, {
      said_from: said[0]!.lo,
      said_to: said[0]!.hi,
      ...(at && { from: at.lo, to: at.hi }),
    });
    if (byPosition < 0 && byWords < 0) continue;
    return {
      rule: 'R8',
      level: 'possible',
      why: 'its words and its position disagree',
      from_km: null,
      to_km: null,
      off_m: null,
    };
  }
  return null;
}

// R3, R4 and R9: by distance.

/** Where the leg is nearest to the incident's own position, if nearer than the limit. */
function nearestOn(
  incident: IncidentPlace,
  watch: WatchLine,
  leg: WatchLeg,
  limitKm: number,
): Nearest | null {
  const found: Nearest = { km: limitKm, vertex: -1, t: 0 };
  const { points, lines, polygons, scale } = incident;
  for (let at = 0; at < points.length; at += 2) {
    nearestTo(watch.line, leg.chunks, points[at]!, points[at + 1]!, scale, found);
  }
  for (const line of lines) nearestToLine(watch.line, leg.chunks, line, scale, found);
  for (const { edges } of polygons) nearestToLine(watch.line, leg.chunks, edges, scale, found);
  return found.vertex < 0 ? null : found;
}

/** The route's kilometre there. */
function kmOf({ km }: WatchLine, { vertex, t }: Nearest): number {
  return km[vertex]! + t * ((km[vertex + 1] ?? km[vertex]!) - km[vertex]!);
}

function onDrawn(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  if (!incident.box) return null;
  for (const leg of watch.legs) {
    const named = leg.road === null ? null : incident.roads.find(({ road }) => road === leg.road);
    if (!named || named.disagrees) continue;
    const near = nearestOn(incident, watch, leg, DRAWN_KM);
    const bearing = near && bearingAt(watch.line.xy, Math.min(near.vertex, leg.last - 1), incident.scale);
    const compass = incident.sign && named === incident.roads[0] ? COMPASS[incident.sign] : undefined;
    const angle = bearing === null || compass === undefined ? 0 : angleBetween(bearing, compass);
    tell?.(near ? `${named.road}, drawn` : `${named.road}, drawn: further than ${DRAWN_KM} km`, {
      ...(near && { off_km: near.km }),
      ...(compass !== undefined && { angle }),
    });
    if (!near || (angle > COMPASS_DEGREES ? 'opposite' : 'same') !== way) continue;
    const km = kmOf(watch, near);
    const where = { from_km: km, to_km: km, off_m: Math.round(near.km * 1000) };
    if (way === 'opposite') return { rule: 'R6', level: 'possible', why: OTHER_CARRIAGEWAY, ...where };
    if (incident.isSlip) return { rule: 'R3', level: 'possible', why: 'a slip road', ...where };
    const why = `${named.road}, ${shortKm(near.km)} km from the line you drew`;
    return { rule: 'R3', level: 'certain', why, ...where };
  }
  return null;
}

function onLine(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  const { lines, scale } = incident;
  if (lacksLine(incident) !== null) return null;
  for (const leg of watch.legs) {
    if (leg.type !== 'exact') continue;
    for (const { xy } of lines) {
      const on = alongLeg(xy, watch, leg, scale);
      tell?.('a line without a road of our table', {
        share: on.share,
        ...(on.share > 0 && { angle: on.angle }),
      });
      const isOn = on.share >= ON_LINE_SHARE;
      const itsWay = on.angle <= SAME_WAY_DEGREES ? 'same' : on.angle > OPPOSITE_DEGREES ? 'opposite' : null;
      if (!isOn || itsWay !== way) continue;
      const where = { from_km: on.fromKm, to_km: on.toKm, off_m: Math.round(on.off * 1000) };
      return way === 'opposite'
        ? { rule: 'R6', level: 'possible', why: OTHER_CARRIAGEWAY, ...where }
        : { rule: 'R4', level: 'certain', why: 'lies on the line', ...where };
    }
  }
  return null;
}

/** How much of a line lies on the leg, and in the middle how far it turns from it. */
function alongLeg(xy: Flat, watch: WatchLine, leg: WatchLeg, scale: Scale) {
  const count = xy.length / 2;
  const angles: number[] = [];
  const on = { share: 0, angle: 0, fromKm: Infinity, toKm: -Infinity, off: Infinity };
  for (let vertex = 0; vertex < count; vertex++) {
    const near: Nearest = { km: ON_LINE_KM, vertex: -1, t: 0 };
    nearestTo(watch.line, leg.chunks, xy[vertex * 2]!, xy[vertex * 2 + 1]!, scale, near);
    if (near.vertex < 0) continue;
    const km = kmOf(watch, near);
    on.fromKm = Math.min(on.fromKm, km);
    on.toKm = Math.max(on.toKm, km);
    on.off = Math.min(on.off, near.km);
    const bearing = bearingAt(watch.line.xy, Math.min(near.vertex, leg.last - 1), scale);
    angles.push(angleBetween(bearing, bearingAt(xy, vertex, scale)));
  }
  on.share = angles.length / count;
  on.angle = angles.sort((one, other) => one - other)[Math.floor(angles.length / 2)] ?? 0;
  return on;
}

function withinReach(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  let nearest: { km: number; off: number } | null = null;
  let isCompared = false;
  for (const leg of watch.legs) {
    if (leg.road !== null && incident.roads.some(({ road }) => road === leg.road)) continue;
    const limit = nearest ? Math.min(leg.reachKm, nearest.off) : leg.reachKm;
    const near = nearestOn(incident, watch, leg, limit);
    if (!near) continue;
    const km = kmOf(watch, near);
    // There the road itself has been compared.
    if (isOnNamed(incident, watch, watch.legs.indexOf(leg), km)) {
      isCompared = true;
      continue;
    }
    nearest = { km, off: near.km };
  }
  const reach = isCompared ? 'there the route is on a road that it names' : 'its position is out of reach';
  tell?.(nearest ? 'its position is within reach' : reach, { ...(nearest && { off_km: nearest.off }) });
  if (!nearest) return null;
  const isOther = incident.roads.length > 0;
  return {
    rule: 'R9',
    level: 'possible',
    why: isOther ? 'a road that crosses' : `${shortKm(nearest.off)} km away`,
    from_km: nearest.km,
    to_km: nearest.km,
    off_m: Math.round(nearest.off * 1000),
  };
}

/**
 * Whether the leg is on a road that the incident names and on which it has a place. Of a surveyed line only what lies
 * on that road; a leg of the table is of one road, also where that road is another.
 */
function isOnNamed({ roads }: IncidentPlace, { pieces, legs }: WatchLine, leg: number, km: number): boolean {
  return pieces.some((piece) => {
    if (leg < piece.legs[0] || leg > piece.legs[1]) return false;
    if (!roads.some(({ chain, at }) => chain === piece.chain && at)) return false;
    const [from, to] = [piece.kilometres[0]![1], piece.kilometres.at(-1)![1]];
    return legs[leg]!.type === 'road' || (km >= from && km <= to);
  });
}

const shortKm = (km: number) => Math.max(0.1, km).toFixed(1);

// R5 and R11: areas.

function throughArea(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
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
    // No edge is near: all of it is inside, or nothing, as what led to it.
    const isIn =
      before.vertex === first ? before.isInside : isInside(rings, xy[first * 2]!, xy[first * 2 + 1]!);
    if (isIn) inside.push([km[first]!, km[last]!]);
    before = { vertex: last, isInside: isIn };
  }
}

/** Of the segment after this vertex. `near`: the chunks of edges that can cross it. */
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

/** Where the first begins and the last ends, and the kilometres of all, each counted once. */
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

/** A position inside, or a line that goes in. */
function insideArea(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  const { points, lines, scale } = incident;
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
  tell?.('its position is outside', {});
  return null;
}

export function isInArea({ area }: WatchLine, x: number, y: number, { kx, ky }: Scale): boolean {
  if (!area) return false;
  const { circle, polygons } = area;
  if (circle && Math.hypot((x - circle.x) * kx, (y - circle.y) * ky) <= circle.radiusKm) return true;
  return polygons.some(({ rings }) => isInside(rings, x, y));
}

type Line = IncidentPlace['lines'][number];

function lineMeets(line: Line, watch: WatchLine, scale: Scale): boolean {
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

/** Whether one of the one's edges crosses one of the other's. */
function crosses(one: Line, other: Line): boolean {
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

// R7 and R10: by words alone.

function byNameAlone(
  { roads, aside }: IncidentPlace,
  { pieces, legs }: WatchLine,
  tell?: Tell,
): Found | null {
  const uses = (road: string) =>
    legs.some((leg) => leg.road === road) || pieces.some(({ chain }) => chain.road === road);
  const unplaced = roads.filter(({ said }) => said.length === 0);
  const road = unplaced.map(({ road }) => road).find(uses) ?? aside.find(uses);
  tell?.(road ? `the route uses the ${road}` : 'the route uses no road that it names without a place', {});
  if (!road) return null;
  const why = `names the ${road}, but not where`;
  return { rule: 'R7', level: 'possible', why, from_km: null, to_km: null, off_m: null };
}

function byTown({ town, scale }: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  if (!town) return null;
  const { x, y, reachKm, names } = town;
  const why = `names ${names}`;
  if (watch.area) {
    const km = kmToArea(watch, x, y, scale);
    tell?.(why, { off_km: km, reach_km: reachKm });
    if (km > reachKm) return null;
    return { rule: 'R10', level: 'possible', why, from_km: null, to_km: null, off_m: Math.round(km * 1000) };
  }
  let found: Nearest = { km: Infinity, vertex: -1, t: 0 };
  for (const leg of watch.legs) {
    const near: Nearest = { km: Math.min(leg.reachKm + reachKm, found.km), vertex: -1, t: 0 };
    nearestTo(watch.line, leg.chunks, x, y, scale, near);
    if (near.vertex >= 0) found = near;
  }
  tell?.(why, { reach_km: reachKm, ...(found.vertex >= 0 && { off_km: found.km }) });
  if (found.vertex < 0) return null;
  const km = kmOf(watch, found);
  return { rule: 'R10', level: 'possible', why, from_km: km, to_km: km, off_m: Math.round(found.km * 1000) };
}

function kmToArea(watch: WatchLine, x: number, y: number, scale: Scale): number {
  if (isInArea(watch, x, y, scale)) return 0;
  const { circle, polygons } = watch.area!; // only asked of areas
  const toCircle = circle
    ? Math.hypot((x - circle.x) * scale.kx, (y - circle.y) * scale.ky) - circle.radiusKm
    : Infinity;
  return Math.min(
    toCircle,
    ...polygons.map(({ edges }) => {
      const found: Nearest = { km: Infinity, vertex: -1, t: 0 };
      nearestTo(edges, [0, edges.chunks.length / 2], x, y, scale, found);
      return found.km;
    }),
  );
}

/** The furthest that any position can lie from a route and still match by it. */
export const reachOf = ({ road, reachKm }: WatchLeg): number =>
  road === null ? reachKm : Math.max(reachKm, DRAWN_KM, CHORD_REACH_KM);
