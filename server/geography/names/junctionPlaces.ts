/** The position of a motorway's junctions that an incident names: the junction, or the middle between two. */
import { isInNorthernIreland } from '../shapes/northernIreland.ts';
import { kilometres } from '#contract/places/distance.ts';
import type { Stretch } from '#contract/incidents/facts.ts';
import type { Nation } from '#contract/feeds/knownSources.ts';
import { labelPosition } from '../roads/junctionLabels.ts';
import { type Chain, junctionIndex, roadTable, senseOf, type Sign } from '../roads/roadTable.ts';
import type { Located } from './locate.ts';
import { isIn } from './placeEvidence.ts';
import { regionsIn, type Region } from './placeNames.ts';

/** How exact the table is: its junctions are at most this far from their real places. */
const TABLE_KM = 2;
/** The longest stretch with a point, because the middle of a longer one would say little. */
const STRETCH_MAX_KM = 50;

/** Null when the table does not have both junctions, or two roads of that number have them. `isLoose`: if nothing
 *  else gives the place, it also takes stretches between roads and names in the table, and a single known end.
 *  `about`: words that may decide between the M1 of England and that of Northern Ireland. `shut`: the road that is
 *  closed. */
export function atJunctions(
  stretch: readonly Stretch[],
  region: Region,
  {
    isLoose = false,
    about = '',
    shut,
  }: { isLoose?: boolean; about?: string; shut?: string | undefined } = {},
): Located | null {
  const [first] = stretch;
  if (!first) return null;
  const roads = [...new Set(stretch.map(({ road }) => road))];
  if (roads.length > 1) return nearestTogether(roads, stretch, region, { about, shut });
  const namesakes = roadTable()
    .named(first.road)
    .flatMap((chain) => {
      const ends = isLoose ? anyEndsOn(chain, first) : endsOn(chain, first);
      return ends && isOf(ends, region) ? [{ chain, ends }] : [];
    });
  const found = (namesakes.length > 1 ? decided(namesakes, about) : namesakes).map(({ ends }) => ends);
  const [ends] = found;
  if (!ends || found.length > 1) return null;
  const [one, other] = ends.map(({ point }) => point) as [[number, number], [number, number]];
  const apart = kilometres(one[1], one[0], other[1], other[0]);
  if (apart > STRETCH_MAX_KM) return null;
  const { road, from, to } = first;
  return {
    latitude: (one[1] + other[1]) / 2,
    longitude: (one[0] + other[0]) / 2,
    reachKm: Math.ceil(apart / 2 + TABLE_KM) + (apart === 0 && from !== to ? HALF_STRETCH_KM : 0),
    names: from === to ? [`${road} ${from}`] : [`${road} ${from}`, `${road} ${to}`],
    isBetween: from !== to,
  };
}

/** Stretches of several roads are about one place if they are at most this far apart: "queues on the M60 after a crash
 *  on the M62". */
const TOGETHER_KM = 20;

/** The stretch of the closed road, otherwise the shortest, if those of all roads are close together. A name on several
 *  roads does not show which one is meant. */
function nearestTogether(
  roads: readonly string[],
  stretch: readonly Stretch[],
  region: Region,
  { about, shut }: { about: string; shut: string | undefined },
): Located | null {
  const found = roads.map((road) =>
    atJunctions(
      stretch.filter((one) => one.road === road),
      region,
      { about },
    ),
  );
  const known = found.filter((one) => one !== null);
  const [shortest] = known.toSorted((one, other) => one.reachKm - other.reachKm);
  const ofShut = found[roads.indexOf(shut ?? '')];
  const isTogether =
    known.length === found.length &&
    known.every(
      (one) =>
        kilometres(one.latitude, one.longitude, shortest!.latitude, shortest!.longitude) <= TOGETHER_KM,
    );
  return isTogether ? (ofShut ?? shortest!) : null; // there are two
}

/** The roads whose signs have the direction that the words name, in an area that they name. */
function decided<One extends { chain: Chain; ends: [End, End] }>(namesakes: One[], about: string): One[] {
  const signs = Object.entries(SIGNED).flatMap(([sign, words]) => (words.test(about) ? [sign as Sign] : []));
  const boxes = regionsIn(about);
  return namesakes.filter(
    ({ chain, ends }) =>
      signs.every((sign) => senseOf(chain, sign) !== null) &&
      (boxes.length === 0 ||
        boxes.some((box) =>
          ends.some(({ point: [longitude, latitude] }) => isIn({ latitude, longitude }, box)),
        )),
  );
}

const SIGNED: Readonly<Partial<Record<Sign, RegExp>>> = {
  N: /\bnorth-?bound\b/i,
  E: /\beast-?bound\b/i,
  S: /\bsouth-?bound\b/i,
  W: /\bwest-?bound\b/i,
  coast: /\bcoast-?bound\b/i,
  London: /\blondon[- ]?bound\b/i,
};

/** How far the stretch is taken to go on from its known end. */
const HALF_STRETCH_KM = 5;

function anyEndsOn(chain: Chain, { from, to }: Stretch): [End, End] | null {
  const [one, other] = [from, to].map((label) => {
    const at = labelPosition(chain, label, roadTable());
    return at === null ? undefined : chain.waypoints[Math.round(at)];
  });
  const [first, last] = [one ?? other, other ?? one];
  return first && last ? [first, last] : null;
}

interface End {
  point: readonly [longitude: number, latitude: number];
  nation: Nation;
}

function endsOn(chain: Chain, { from, to }: Stretch): [End, End] | null {
  const ends = [from, to].map((junction) => chain.waypoints[junctionIndex(chain, junction)]);
  return ends[0] && ends[1] ? [ends[0], ends[1]] : null;
}

/** Whether the road is in this region: Northern Ireland's motorways have the numbers of others. */
function isOf(ends: readonly End[], region: Region): boolean {
  if (region === null) return true;
  if ('nation' in region) {
    return ends.some(({ nation }) => nation === region.nation.toLowerCase().replace(' ', '-'));
  }
  if ('only' in region) {
    const { north, south, east, west } = region.only;
    return ends.some(({ point: [x, y] }) => y <= north && y >= south && x <= east && x >= west);
  }
  const { north, south, east, west } = region.home;
  const isHomeIrish = isInNorthernIreland((east + west) / 2, (north + south) / 2);
  return ends.every(({ nation }) => (nation === 'northern-ireland') === isHomeIrish);
}
