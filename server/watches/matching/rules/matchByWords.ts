/** R2, R7, R8 and R10: by the names in the incident's words. */
import { nearestTo, type Nearest } from '../../../geography/roads/flatLine.ts';
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import { kmToArea } from './matchByArea.ts';
import { kmOf } from './matchByPosition.ts';
import { BESIDE_KM } from './reach.ts';
import type { Found, Tell } from './found.ts';
import { isOnlyOpposite, type Way, wayOf } from './matchByDirection.ts';
import { compared, LEG_WIDENING, namedOn, onRoad, overlapOf } from './matchStretches.ts';
import type { WatchLine } from './watchLine.ts';

export function bySaid(incident: IncidentPlace, watch: WatchLine, way: Way, tell?: Tell): Found | null {
  if (incident.box) return null;
  let best: Found | null = null;
  for (const piece of watch.pieces) {
    const named = namedOn(incident, piece.chain);
    if (!named) continue;
    for (const span of named.said) {
      const overlap = overlapOf(span, piece, 0);
      tell?.(compared(named, span, piece), {
        from: span.lo,
        to: span.hi,
        leg_from: piece.lo,
        leg_to: piece.hi,
        overlap,
      });
      const isOn = span.lo === span.hi ? overlap >= 0 : overlap > 0;
      if (!isOn || wayOf(named.sense, piece) !== way) continue;
      const found = onRoad('R2', incident, named, span, piece, way);
      if (found.level === 'certain') return found;
      best ??= found;
    }
  }
  return best;
}

const uses = ({ form, legs, pieces }: WatchLine, road: string) =>
  (form.isDrawn && legs.some((leg) => leg.road === road)) || pieces.some(({ chain }) => chain.road === road);

export function byNameAlone({ roads, aside }: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  const road =
    roads.find(({ said, road }) => said.length === 0 && uses(watch, road))?.road ??
    aside.find((road) => uses(watch, road));
  tell?.(road ? `the route uses the ${road}` : 'the route uses no road that it names without a place', {});
  if (!road) return null;
  const why = `names the ${road}, but not where`;
  return { rule: 'R7', level: 'possible', why, from_km: null, to_km: null, off_m: null };
}

export function byDisagreement(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  for (const piece of watch.pieces) {
    const named = namedOn(incident, piece.chain);
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

export const isSaid = ({ roads }: IncidentPlace): boolean => roads.some(({ said }) => said.length > 0);

/** The part that it lacks for a town on a route, in words. */
export function lacksTown(incident: IncidentPlace): string | null {
  if (isSaid(incident)) return 'it names a junction';
  if (!incident.town) return 'its words name no town';
  return incident.mode === 'road' || incident.mode === 'other' ? null : 'it is not about a road';
}

export function byTown(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  const { named, town, roads, aside, scale } = incident;
  const place = watch.area ? named : town;
  if (!place) return null;
  const { x, y, reachKm, names } = place;
  const why = names ? `names ${names}` : 'its words name a place there';
  if (
    !watch.area &&
    roads.length > 0 &&
    ![...roads.map(({ road }) => road), ...aside].some((road) => uses(watch, road))
  ) {
    tell?.('it names a road that the route does not use', {});
    return null;
  }
  if (!watch.area && isOnlyOpposite(incident, watch)) {
    tell?.('it names the other carriageway of a road, and no place on it', {});
    return null;
  }
  if (watch.area) {
    const km = kmToArea(watch, x, y, scale);
    tell?.(why, { off_km: km, reach_km: reachKm });
    if (km > reachKm) return null;
    return { rule: 'R10', level: 'possible', why, from_km: null, to_km: null, off_m: Math.round(km * 1000) };
  }
  let found: Nearest = { km: Infinity, vertex: -1, t: 0 };
  for (const leg of watch.legs) {
    const besideKm = watch.isReachGiven ? leg.reachKm : Math.min(leg.reachKm, BESIDE_KM);
    const near: Nearest = { km: Math.min(besideKm + reachKm, found.km), vertex: -1, t: 0 };
    nearestTo(watch.line, leg.chunks, x, y, scale, near);
    if (near.vertex >= 0) found = near;
  }
  tell?.(why, { reach_km: reachKm, ...(found.vertex >= 0 && { off_km: found.km }) });
  if (found.vertex < 0) return null;
  const km = kmOf(watch, found);
  return { rule: 'R10', level: 'possible', why, from_km: km, to_km: km, off_m: Math.round(found.km * 1000) };
}
