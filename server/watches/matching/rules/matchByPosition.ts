/** R1, R3, R4, R9 and R13 of the rules in ./matcher.ts: by the incident's position. */
import {
  angleBetween,
  bearingAt,
  nearestTo,
  nearestToLine,
  type Flat,
  type Nearest,
  type Scale,
} from '../../../geography/roads/flatLine.ts';
import { COMPASS, type IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import { type Found, shortKm, type Tell } from './found.ts';
import { onOtherCarriageway, type Way, wayByCompass, wayOf, wayOfLine } from './matchByDirection.ts';
import { compared, LEG_WIDENING, namedOn, onRoad, overlapOf } from './matchStretches.ts';
import { DRAWN_KM, reachAside } from './reach.ts';
import type { WatchLeg, WatchLine } from './watchLine.ts';

/** Shorter stretches are points. Positions along a road count its waypoints: 0.02 is a fiftieth of the way between two. */
const POINT_INTERVALS = 0.02;

/** A stretch is on the route from this overlap on, in waypoints, or from this part of its own length. */
const OVERLAP_MIN = 0.05;
const OVERLAP_SHARE = 0.25;

/** The point of an incident's line is on the route when it is as near as this, and the line when this part of it is. */
const ON_LINE_KM = 0.08;
const ON_LINE_SHARE = 0.5;

export function onPiece(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  let best: Found | null = null;
  for (const piece of watch.pieces) {
    if (piece.isDrawn) continue;
    const named = namedOn(incident, piece.chain);
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

export function onDrawn(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  if (!incident.box || !watch.form.isDrawn) return null;
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
    if (!near || wayByCompass(angle) !== way) continue;
    const km = kmOf(watch, near);
    const where = { from_km: km, to_km: km, off_m: Math.round(near.km * 1000) };
    if (way === 'opposite') return onOtherCarriageway(where);
    if (incident.isSlip) return { rule: 'R3', level: 'possible', why: 'a slip road', ...where };
    const why = `${named.road}, ${shortKm(near.km)} km from the line you drew`;
    return { rule: 'R3', level: 'certain', why, ...where };
  }
  return null;
}

export function onLine(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  const { lines, scale } = incident;
  if (!watch.form.isSurveyed || lacksLine(incident) !== null) return null;
  for (const leg of watch.legs) {
    if (leg.type !== 'exact') continue;
    for (const { xy } of lines) {
      const on = alongLeg(xy, watch, leg, scale);
      tell?.('a line without a road of our table', {
        share: on.share,
        ...(on.share > 0 && { angle: on.angle }),
      });
      const isOn = on.share >= ON_LINE_SHARE;
      if (!isOn || wayOfLine(on.angle) !== way) continue;
      const where = { from_km: on.fromKm, to_km: on.toKm, off_m: Math.round(on.off * 1000) };
      return way === 'opposite'
        ? onOtherCarriageway(where)
        : { rule: 'R4', level: 'certain', why: 'lies on the line', ...where };
    }
  }
  return null;
}

export function lacksLine({ lines, roads }: IncidentPlace): string | null {
  if (lines.length === 0) return 'it has no line';
  return roads.some(({ chain }) => chain) ? 'it names a road of our table' : null;
}

/** How much of a line is on the leg, and how far its middle turns away from the leg. */
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

/** The team knows its own route; but the route may have been moved since. */
export function asTold(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  const own = incident.told.find(({ watch_id }) => watch_id === watch.id);
  if (!own) return null;
  const near = watch.legs.flatMap((leg) => nearestOn(incident, watch, leg, leg.reachKm) ?? []);
  if (near.length === 0) {
    tell?.('the route was moved away from it', {});
    return null;
  }
  const off = Math.min(...near.map(({ km }) => km));
  const { from_km, to_km } = toldStretch(own, incident, watch) ?? {
    from_km: Math.min(...near.map((one) => kmOf(watch, one))),
    to_km: Math.max(...near.map((one) => kmOf(watch, one))),
  };
  tell?.('your team put it there', { from: from_km, to: to_km, off_km: off });
  return {
    rule: 'R13',
    level: 'certain',
    why: 'your team put it on this route',
    from_km,
    to_km,
    off_m: Math.round(off * 1000),
  };
}

/** Two measures of one route differ less than this. */
const SAME_KM = 0.5;
const PASSES_KM = 0.1;

/** The kilometres that were told, or those at which the report lies on a route that was changed since. */
function toldStretch(
  own: IncidentPlace['told'][number],
  { points, lines, scale }: IncidentPlace,
  watch: WatchLine,
): { from_km: number; to_km: number } | null {
  const xy = lines[0]?.xy ?? points;
  const ends = [
    kmAt(watch, [xy[0]!, xy[1]!], own.from_km, scale), // it was found near the route, so it has a point
    kmAt(watch, [xy.at(-2)!, xy.at(-1)!], own.to_km, scale),
  ].filter((km) => km !== null);
  if (ends.length === 0) return null;
  const [from_km, to_km] = [Math.min(...ends), Math.max(...ends)];
  const isAsTold = Math.abs(from_km - own.from_km) < SAME_KM && Math.abs(to_km - own.to_km) < SAME_KM;
  return isAsTold ? { from_km: own.from_km, to_km: own.to_km } : { from_km, to_km };
}

/** The kilometre of the route at this point. If the route passes it more than once, the one nearest to the given kilometre. */
function kmAt(watch: WatchLine, [x, y]: [number, number], told: number, scale: Scale): number | null {
  const passes = watch.legs.flatMap(({ chunks: [first, end], reachKm }) =>
    Array.from({ length: end - first }, (_, at): Nearest => {
      const near: Nearest = { km: reachKm, vertex: -1, t: 0 };
      nearestTo(watch.line, [first + at, first + at + 1], x, y, scale, near);
      return near;
    }).filter(({ vertex }) => vertex >= 0),
  );
  const least = Math.min(...passes.map(({ km }) => km));
  const all = passes.filter(({ km }) => km <= least + PASSES_KM).map((near) => kmOf(watch, near));
  return all.toSorted((one, other) => Math.abs(one - told) - Math.abs(other - told))[0] ?? null;
}

export function withinReach(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  let nearest: { km: number; off: number } | null = null;
  const isOther = incident.roads.length > 0;
  const mostKm = watch.isReachGiven ? Infinity : reachAside(incident);
  let isCompared = false;
  for (const leg of watch.legs) {
    if (leg.road !== null && incident.roads.some(({ road }) => road === leg.road)) continue;
    const reachKm = Math.min(leg.reachKm, mostKm);
    const limit = nearest ? Math.min(reachKm, nearest.off) : reachKm;
    const near = nearestOn(incident, watch, leg, limit);
    if (!near) continue;
    const km = kmOf(watch, near);
    // In that case the road itself has been compared.
    if (isOnNamed(incident, watch, watch.legs.indexOf(leg), km)) {
      isCompared = true;
      continue;
    }
    nearest = { km, off: near.km };
  }
  const reach = isCompared ? 'there the route is on a road that it names' : 'its position is out of reach';
  tell?.(nearest ? 'its position is within reach' : reach, { ...(nearest && { off_km: nearest.off }) });
  if (!nearest) return null;
  return {
    rule: 'R9',
    level: 'possible',
    why: isOther ? 'a road that crosses' : `${shortKm(nearest.off)} km away`,
    from_km: nearest.km,
    to_km: nearest.km,
    off_m: Math.round(nearest.off * 1000),
  };
}

/** Whether the leg is on a road that the incident names and on which its place is known. Only the part of a surveyed
 *  line on that road counts. A leg of the table belongs to one road, also on a stretch that two roads share. */
function isOnNamed({ roads }: IncidentPlace, { pieces, legs }: WatchLine, leg: number, km: number): boolean {
  return pieces.some((piece) => {
    if (leg < piece.legs[0] || leg > piece.legs[1]) return false;
    if (!roads.some(({ chain, at }) => chain === piece.chain && at)) return false;
    const [from, to] = [piece.kilometres[1]!, piece.kilometres.at(-1)!];
    return legs[leg]!.type === 'road' || (km >= from && km <= to);
  });
}

/** The point of the leg that is nearest to the incident's own position, if it is nearer than the limit. */
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

/** The route's kilometre at that point. */
export function kmOf({ km }: WatchLine, { vertex, t }: Nearest): number {
  return km[vertex]! + t * ((km[vertex + 1] ?? km[vertex]!) - km[vertex]!);
}
