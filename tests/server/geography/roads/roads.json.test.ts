/**
 * Rules for every A road of roads.json: in order, without gaps, in its nation, and at the places that its names say.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readGazetteer } from '../../../../server/geography/names/gazetteer.ts';
import {
  along,
  labelOf,
  roadTable,
  rulerAt,
  type Chain,
  type LonLat,
} from '../../../../server/geography/roads/roadTable.ts';
import type { Nation } from '../../../../contract/feeds/knownSources.ts';

const roads = roadTable().chains.filter(({ road }) => /^A\d+$/.test(road));

/** Faults of the roads: one line each. */
const faults = (find: (chain: Chain) => string[]) =>
  roads.flatMap((chain) => find(chain).map((fault) => `${chain.id}: ${fault}`));

const apart = (one: LonLat, other: LonLat) => rulerAt(one[1]).distance(one, other);

/** Degrees between the way in and the way out. */
function turn(before: LonLat, at: LonLat, after: LonLat): number {
  const ruler = rulerAt(at[1]);
  const angle = Math.abs(ruler.bearing(before, at) - ruler.bearing(at, after));
  return Math.min(angle, 360 - angle);
}

it('has neighbours half a kilometre to thirty apart, except if a road is interrupted', () => {
  expect(
    faults(({ waypoints, breaks }) =>
      waypoints.slice(1).flatMap((waypoint, index) => {
        const before = waypoints[index]!; // the one before it
        const km = apart(before.point, waypoint.point);
        return breaks.has(index) || (km >= 0.5 && km <= 30)
          ? []
          : [`${labelOf(before)} to ${labelOf(waypoint)}: ${km.toFixed(1)} km`];
      }),
    ),
  ).toEqual([]);
});

it('turns back nowhere', () => {
  expect(
    faults(({ waypoints, breaks }) =>
      waypoints.slice(1, -1).flatMap((waypoint, index) => {
        if (breaks.has(index) || breaks.has(index + 1)) return [];
        const degrees = turn(waypoints[index]!.point, waypoint.point, waypoints[index + 2]!.point); // its neighbours
        return degrees > 135 ? [`${labelOf(waypoint)}: ${Math.round(degrees)}°`] : [];
      }),
    ),
  ).toEqual([]);
});

it('does not come back to a place where it was before', () => {
  expect(
    faults((chain) =>
      chain.waypoints.flatMap((waypoint, index) => {
        const { at } = along(chain, waypoint.point)!; // a road has a line
        return Math.abs(at - index) < 0.01
          ? []
          : [`${labelOf(waypoint)} lies at ${at.toFixed(1)}, not ${index}`];
      }),
    ),
  ).toEqual([]);
});

it('names every waypoint, and each once on a road', () => {
  expect(
    faults(({ waypoints }) => {
      const names = waypoints.map(({ name }) => name);
      return names.flatMap((name, index) =>
        !name?.trim() ? ['a waypoint without a name'] : names.indexOf(name) < index ? [`${name} twice`] : [],
      );
    }),
  ).toEqual([]);
});

it('has no name that reads as another road or as two places', () => {
  expect(
    faults(
      ({ waypoints }) =>
        waypoints.flatMap(({ name }) => (/\b[AMBJ]\d|[(),;/]| to | via /.test(name!) ? [name!] : [])), // tested above
    ),
  ).toEqual([]);
});

const BOXES: Record<Nation, [west: number, south: number, east: number, north: number]> = {
  england: [-5.8, 49.9, 1.8, 55.82],
  wales: [-5.4, 51.35, -2.6, 53.45],
  scotland: [-7.7, 54.6, -1.7, 60.9],
  'northern-ireland': [-8.2, 54, -5.4, 55.35],
};

it('lies in the nations that it says', () => {
  expect(
    faults(({ waypoints }) =>
      waypoints.flatMap(({ name, nation, point: [longitude, latitude] }) => {
        const [west, south, east, north] = BOXES[nation];
        const isWithin = longitude >= west && longitude <= east && latitude >= south && latitude <= north;
        return isWithin ? [] : [`${name} is not in ${nation}`];
      }),
    ),
  ).toEqual([]);
});

/** A place that lies further away than this is another place with the same name. */
const SAME_PLACE_KM = 20;

it('passes within six kilometres of the towns and villages whose names it gives', () => {
  const named = Map.groupBy(
    readGazetteer().filter(({ type }) => type !== 'station' && type !== 'postcode'),
    ({ name }) => name,
  );
  expect(
    faults(({ waypoints }) =>
      waypoints.flatMap(({ name, point }) => {
        const km = (named.get(name!) ?? []).map(({ longitude, latitude }) =>
          apart([longitude, latitude], point),
        ); // tested above
        const nearest = Math.min(...km);
        return nearest > 6 && nearest < SAME_PLACE_KM ? [`${name}: ${nearest.toFixed(1)} km away`] : [];
      }),
    ),
  ).toEqual([]);
});

it('is interrupted only between neighbours', () => {
  const file = JSON.parse(
    readFileSync(new URL('../../../../server/geography/roads/roads.json', import.meta.url), 'utf8'),
  ) as { breaks: Record<string, [string, string][]> };
  const wrong = Object.entries(file.breaks).flatMap(([id, pairs]) => {
    const names = roadTable()
      .chain(id)!
      .waypoints.map(({ name }) => name);
    return pairs.filter(([from, to]) => names[names.indexOf(from) + 1] !== to).map((pair) => [id, ...pair]);
  });
  expect(wrong).toEqual([]);
});

it.each([
  ['A1', [-0.79, 53.07], 'Newark'],
  ['A9', [-3.73, 56.7], 'Pitlochry'],
  ['A55', [-3.83, 53.28], 'Conwy'],
  ['A303', [-1.83, 51.18], 'Stonehenge'],
  ['A66', [-2.15, 54.51], 'Stainmore'],
] as const)('finds on the %s at %j: %s', (id, [longitude, latitude], name) => {
  const chain = roadTable().chain(id)!;
  const { at, off } = along(chain, [longitude, latitude])!; // a road has a line
  expect(labelOf(chain.waypoints[Math.round(at)]!)).toBe(name);
  expect(off).toBeLessThan(2.5);
});
