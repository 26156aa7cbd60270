/** Meanings of a part of a route that is being typed: junctions of its road, roads, places. */
import { SUGGEST_FROM, type WatchSuggestion } from '#contract/watches/watches.ts';
import type { FindPlaces } from './typedNames.ts';
import { typedWaypoint } from './waypointWords.ts';
import { roadTable, type Chain, type RoadTable } from '../../geography/roads/roadTable.ts';

const RESULTS_MAX = 8;
/** The most roads that are suggested beside the typed one: for "M1" also "M11", "M18". */
const ROADS_MAX = 4;
const ROAD = /^(m6 ?toll|[am] ?\d{1,4}(?: ?\(m\)?|m(?![a-z]))?)(.*)$/i;
const JUNCTION = /^(?:junctions?|junc|jct|jn|j)?\.? ?(t?\d{0,2}[a-z]?)$/i;

/** The best first, at most eight. `findPlaces` is asked if no known road is named. */
export async function suggest(
  query: string,
  findPlaces: FindPlaces,
  table: RoadTable = roadTable(),
): Promise<{ results: WatchSuggestion[] }> {
  if (query.trim().length < SUGGEST_FROM) return { results: [] };
  const [, road, rest = ''] = ROAD.exec(query.trim()) ?? [];
  const isKnown = road && (table.named(road).length > 0 || !rest);
  const ofRoad = isKnown ? roadSuggestions(road, rest.trim(), table) : [];
  return { results: ofRoad.length > 0 || isKnown ? ofRoad : await placeSuggestions(query, findPlaces) };
}

function roadSuggestions(road: string, rest: string, table: RoadTable): WatchSuggestion[] {
  const [chain] = table.named(road.endsWith('(M') ? `${road})` : road);
  const waypoints = chain ? waypointSuggestions(chain, rest) : [];
  if (rest) return waypoints.slice(0, RESULTS_MAX);
  const begun = road.toUpperCase().replaceAll(' ', '');
  const roads = table.chains
    .filter((other) => other === chain || (other.road.startsWith(begun) && !other.id.startsWith('NI ')))
    .toSorted((one, other) => one.road.length - other.road.length)
    .slice(0, ROADS_MAX);
  return [...roads.map(roadSuggestion), ...waypoints].slice(0, RESULTS_MAX);
}

/** Junctions whose number or name begins as typed. */
function waypointSuggestions(chain: Chain, rest: string): WatchSuggestion[] {
  const number = JUNCTION.exec(rest)?.[1];
  return chain.waypoints.flatMap(({ junction, name, point }, index): WatchSuggestion[] => {
    const isNumbered = number !== undefined && junction?.replace(/^J/, '').startsWith(number.toUpperCase());
    const isNamed = rest.length > 1 && name?.toLowerCase().startsWith(rest.toLowerCase());
    // A waypoint where the road begins on another road has no number.
    if (rest ? !isNumbered && !isNamed : !junction && /^[AM]\d\S*(?: Toll)? [JT]\d/.test(name ?? ''))
      return [];
    return [
      {
        text: typedWaypoint(chain, index),
        detail: junction ? name : null,
        kind: 'junction',
        longitude: point[0],
        latitude: point[1],
      },
    ];
  });
}

function roadSuggestion({ road, waypoints }: Chain): WatchSuggestion {
  const [longitude, latitude] = waypoints[waypoints.length >> 1]!.point;
  const [first, last] = [waypoints[0]!.name, waypoints.at(-1)!.name];
  return { text: road, detail: first && last && `${first} to ${last}`, kind: 'road', longitude, latitude };
}

async function placeSuggestions(query: string, findPlaces: FindPlaces): Promise<WatchSuggestion[]> {
  const places = await findPlaces(query);
  return places.slice(0, RESULTS_MAX).map(({ name, label, point: [longitude, latitude] }) => {
    const isAlone = places.filter((other) => other.name === name).length === 1;
    const [, ...where] = label.split(', ');
    return {
      text: isAlone ? name : label.replaceAll(',', ''),
      detail: where.join(', ') || null,
      kind: 'place',
      latitude,
      longitude,
    };
  });
}
