/**
 * The numbered roads that the project knows, each as a chain of waypoints in road order: motorways by junction
 * (junctions.json), A roads by town, junction or bridge (roads.json). Both files were written by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import CheapRuler from 'cheap-ruler';
import type { Direction } from '#contract/facts.ts';
import { normalRoad } from '#contract/roadName.ts';

/** WGS84 degrees, longitude first. */
export type LonLat = [longitude: number, latitude: number];

export type Nation = 'england' | 'scotland' | 'wales' | 'northern-ireland';

/** How signs name one of a road's two directions. */
export type Sign = Direction | 'coast' | 'London';

/** `1` towards the end of the chain (rising junction numbers), `-1` towards its beginning. */
export type Sense = 1 | -1;

export interface Waypoint {
  /** "J26", "J8/9"; null where there is none: on A roads, and where a motorway begins or ends on another road. */
  junction: string | null;
  /** A town, bridge or junction in words; for a junction what is there, where we know it. */
  name: string | null;
  point: LonLat;
  nation: Nation;
}

/**
 * A position on a chain is a number: 2.5 is half-way from the third waypoint to the fourth. On an orbital road the way
 * from the last waypoint back to the first is part of the road.
 */
export interface Chain {
  /** Unique: "M62"; "NI M1" where the road is in Northern Ireland. */
  id: string;
  /** As signs have it: "M1" for both. */
  road: string;
  waypoints: readonly Waypoint[];
  /** From waypoint `i` to the next the road is interrupted, or is another road: that one's chain, where we know it. */
  breaks: ReadonlyMap<number, string | null>;
  isOrbital: boolean;
  /** How signs name rising and falling junction numbers; null: not known. */
  signs: Readonly<Record<Sense, readonly Sign[]>> | null;
  /** The road as lines without the breaks; `at` is each point's position on the chain. */
  lines: readonly { points: LonLat[]; at: readonly number[] }[];
}

export interface RoadTable {
  chains: readonly Chain[];
  /** By the chain's own name: "M62", "NI M1". */
  chain(id: string): Chain | undefined;
  /** All with this number, however it is written: the M1 of England, and that of Northern Ireland. */
  named(road: string): readonly Chain[];
}

/** A file of chains. The waypoints of a road stand together, in road order. */
interface RoadFile {
  waypoints: {
    road: string;
    junction?: string;
    name?: string;
    latitude: number;
    longitude: number;
    nation: Nation;
  }[];
  /** By chain: junctions or names of neighbours between which it is interrupted, and the chain that it is there. */
  breaks: Record<string, [from: string, to: string, as?: string][]>;
  orbital: string[];
  /** Other names of a road. */
  aliases: Record<string, string>;
  /** By chain: the words for rising, then for falling junction numbers. */
  signs: Record<string, [rising: Sign[], falling: Sign[]]>;
}

const FILES = ['junctions.json', 'roads.json'];

let loaded: RoadTable | undefined;

/** Read at first use: a server without routes does not need it. */
export function roadTable(): RoadTable {
  loaded ??= tableOf(FILES.map(readRoadFile));
  return loaded;
}

/** Our own files, whose shape a test checks. */
const readRoadFile = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as RoadFile;

function tableOf(files: readonly RoadFile[]): RoadTable {
  const chains = files.flatMap(chainsOf);
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  const byRoad = Map.groupBy(chains, ({ road }) => road);
  const aliases = new Map(files.flatMap((file) => Object.entries(file.aliases)));
  return {
    chains,
    chain: (id) => byId.get(id),
    named(name) {
      const road = normalRoad(name);
      return byRoad.get(aliases.get(road) ?? road) ?? [];
    },
  };
}

function chainsOf(file: RoadFile): Chain[] {
  const rows = Map.groupBy(file.waypoints, ({ road, nation }) =>
    nation === 'northern-ireland' ? `NI ${road}` : road,
  );
  return [...rows].map(([id, own]) => {
    const waypoints = own.map(({ junction = null, name = null, latitude, longitude, nation }): Waypoint => ({
      junction,
      name,
      point: [longitude, latitude],
      nation,
    }));
    const breaks = new Map(
      (file.breaks[id] ?? []).map(([from, , as]) => [
        waypoints.findIndex((waypoint) => labelOf(waypoint) === from),
        as ?? null,
      ]),
    );
    const isOrbital = file.orbital.includes(id);
    const signs = file.signs[id];
    return {
      id,
      road: own[0]!.road, // a group has a row
      waypoints,
      breaks,
      isOrbital,
      signs: signs ? { 1: signs[0], [-1]: signs[1] } : null,
      lines: linesOf(waypoints, breaks, isOrbital),
    };
  });
}

/** Straight from waypoint to waypoint. */
function linesOf(waypoints: readonly Waypoint[], breaks: ReadonlyMap<number, unknown>, isOrbital: boolean) {
  const lines: { points: LonLat[]; at: number[] }[] = [{ points: [], at: [] }];
  for (const [at, { point }] of waypoints.entries()) {
    const line = lines.at(-1)!; // there is always one
    line.points.push(point);
    line.at.push(at);
    if (breaks.has(at)) lines.push({ points: [], at: [] });
  }
  if (isOrbital) {
    const last = lines.at(-1)!;
    last.points.push(waypoints[0]!.point); // a chain has a waypoint
    last.at.push(waypoints.length);
  }
  return lines.filter(({ points }) => points.length > 1);
}

/** "J26", else the name. */
export const labelOf = ({ junction, name }: Waypoint): string => junction ?? name ?? '';

/** Rulers for bands of 0.02 degrees, within which a distance is wrong by less than 0.1 %. */
const rulers = new Map<number, CheapRuler>();

export function rulerAt(latitude: number): CheapRuler {
  const band = Math.round(latitude * 50);
  let ruler = rulers.get(band);
  if (!ruler) rulers.set(band, (ruler = new CheapRuler(band / 50)));
  return ruler;
}

/** Where on the chain the point is, and how far from it in kilometres. Null: the chain has no line. */
export function along(chain: Chain, point: LonLat): { at: number; off: number } | null {
  const ruler = rulerAt(point[1]);
  let nearest: { at: number; off: number } | null = null;
  for (const { points, at } of chain.lines) {
    const { point: found, index, t } = ruler.pointOnLine(points, point);
    const off = ruler.distance(point, found);
    if (nearest && nearest.off <= off) continue;
    const from = at[index]!; // the index of a point
    nearest = { at: from + t * ((at[index + 1] ?? from) - from), off };
  }
  return nearest;
}

/** The waypoint's place in the chain by its junction ("J26", "26", "J8" for "J8/9"); -1: there is none. */
export function junctionIndex(chain: Chain, junction: string): number {
  const asked = `J${junction.trim().toUpperCase().replace(/^J/, '')}`;
  return chain.waypoints.findIndex(
    ({ junction: own }) =>
      own === asked ||
      (own?.includes('/') &&
        own
          .slice(1)
          .split('/')
          .some((number) => `J${number}` === asked)),
  );
}

/** The sense that a sign's word has on this road; null: none, or both. */
export function senseOf({ signs }: Chain, sign: Sign): Sense | null {
  const rises = signs?.[1].includes(sign) ?? false;
  const falls = signs?.[-1].includes(sign) ?? false;
  return rises === falls ? null : rises ? 1 : -1;
}
