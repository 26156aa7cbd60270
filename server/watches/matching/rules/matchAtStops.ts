/** R12: the incident is at an airport or a station where the route begins, calls or ends. */
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import type { Found, Tell } from './found.ts';
import type { Stop, WatchLine } from './watchLine.ts';
import { UNNAMED_AIRPORT_KM } from '../../../geography/roads/routeWay.ts';

/** Airports are large: an incident has the position of the airport's middle, a route has the position of a terminal. */
export const AIRPORT_KM = 3;
/** Any other incident is at the airport or the station if it is as near as this. */
const STANDS_KM = 0.5;

export function atStop(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  for (const stop of watch.stops) {
    const reachKm = reachOf(incident, stop);
    if (reachKm === null) continue;
    const km = kmTo(incident, stop);
    tell?.(stop.name ?? `where the route ${stop.does}`, { off_km: km });
    if (km > reachKm) continue;
    const place = stop.name ?? 'the airport';
    return {
      rule: 'R12',
      level: 'certain',
      why: `lies at ${place}, where the route ${stop.does}`,
      from_km: stop.km,
      to_km: stop.km,
      off_m: Math.round(km * 1000),
    };
  }
  return null;
}

/** Null: a stop without a name of its own is only an airport. */
function reachOf({ mode }: IncidentPlace, { name }: Stop): number | null {
  if (mode !== 'air') return name === null ? null : STANDS_KM;
  return name?.includes('Airport') ? AIRPORT_KM : UNNAMED_AIRPORT_KM;
}

/** The distance from the incident's points, or from the station that its words name. */
function kmTo({ points, named, scale }: IncidentPlace, { x, y }: Stop): number {
  let km = named ? kmBetween(named.x, named.y) : Infinity;
  for (let at = 0; at < points.length; at += 2) km = Math.min(km, kmBetween(points[at]!, points[at + 1]!));
  return km;

  function kmBetween(east: number, north: number) {
    return Math.hypot((east - x) * scale.kx, (north - y) * scale.ky);
  }
}
