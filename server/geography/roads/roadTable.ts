/** The numbered roads that the project knows, each as a chain of waypoints in road order: motorways by junction
 *  (junctions.json), A roads by town, junction or bridge (roads.json). Both files were written by hand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import CheapRuler from 'cheap-ruler';
import type { Direction } from '#contract/incidents/facts.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { Nation } from '#contract/feeds/knownSources.ts';

/** WGS84 degrees, longitude first. */
export type LonLat = [longitude: number, latitude: number];

/** A direction as signs name it. */
export type Sign = Direction | 'coast' | 'London';

/** `1` towards the end of the chain (rising junction numbers), `-1` towards its beginning. */
export type Sense = 1 | -1;

export interface Waypoint {
  /** "J26", "J8/9"; null on A roads, and where a motorway begins or ends on another road. */
  junction: string | null;
  /** A town, bridge or junction in words; for a junction the place there, if we know it. */
  name: string | null;
  point: LonLat;
  nation: Nation;
}

/** A position on a chain is a number: 2.5 is half-way from the third waypoint to the fourth. On an orbital road the
 *  way from the last waypoint back to the first is part of the road. */
export interface Chain {
  /** Unique: "M62"; "NI M1" for a road in Northern Ireland. */
  id: string;
  /** The number on signs: "M1" for both. */
  road: string;
  waypoints: readonly Waypoint[];
  /** The waypoints after which the road is interrupted, or is another road: then that road's chain, if we know it. */
  breaks: ReadonlyMap<number, string | null>;
  isOrbital: boolean;
  /** How signs name rising and falling junction numbers; null: not known. */
  signs: Readonly<Record<Sense, readonly Sign[]>> | null;
  /** The road as lines without the breaks; `at` is the position of each point on the chain. */
  lines: readonly { points: LonLat[]; at: readonly number[] }[];
}

export interface RoadTable {
  chains: readonly Chain[];
  /** By the chain's own name: "M62", "NI M1". */
  chain(id: string): Chain | undefined;
  /** All roads with this number, however it is written: the M1 of England, and that of Northern Ireland. */
  named(road: string): readonly Chain[];
}

/** A file of chains. The waypoints of a road are together, in road order. */
interface RoadFile {
  waypoints: {
    road: string;
    junction?: string;
    name?: string;
    latitude: number;
    longitude: number;
    nation: Nation;
  }[];
  /** By chain: two neighbours, by junction or name, between which it is interrupted, and the chain that it follows
   *  there. */
  breaks: Record<string, [from: string, to: string, as?: string][]>;
  orbital: string[];
  /** Other names of a road. */
  aliases: Record<string, string>;
  /** By chain: the words for rising, then for falling junction numbers. */
  signs: Record<string, [rising: Sign[], falling: Sign[]]>;
}

const FILES = ['junctions.json', 'roads.json'];

/** Roads that `npm run import-roads` has made from an operator's file, by chain: see openRoads.ts. */
export interface SurveyedRoads {
  /** The name of that file. */
  from: string;
  chains: Record<string, SurveyedChain>;
}

export interface SurveyedChain {
  /** The waypoints' names at that time. If the table has other names now, the survey is not used. */
  labels: string[];
  /** Null: not found, so the table's point stays. */
  points: (LonLat | null)[];
  /** From each waypoint to the next, without these two; longitude and latitude in turn. Null: a straight line. */
  lines: (number[] | null)[];
}

const SURVEYED_FILE = 'surveyed-roads.json';
const SURVEYED = 'surveyed roads';

/** The file of an import, which is read at the next start. */
export const surveyedRoadsFile = (dataDir: string): string => join(dataDir, SURVEYED_FILE);

/** From now on, the first use of the table also reads the import, in this thread and in those started later. */
export const useSurveyedRoads = (dataDir: string): void =>
  setEnvironmentData(SURVEYED, surveyedRoadsFile(dataDir));

let loaded: RoadTable | undefined;

/** Read at first use, because a server without routes does not need it. */
export function roadTable(): RoadTable {
  const surveyed = getEnvironmentData(SURVEYED);
  loaded ??= readRoadTable(typeof surveyed === 'string' ? surveyed : null);
  return loaded;
}

/** `surveyedFile`: the file of an import; null, or missing: only the table. */
export function readRoadTable(surveyedFile: string | null): RoadTable {
  const surveyed =
    surveyedFile && existsSync(surveyedFile)
      ? (JSON.parse(readFileSync(surveyedFile, 'utf8')) as SurveyedRoads) // our own command wrote it
      : null;
  return tableOf(FILES.map(readRoadFile), surveyed?.chains ?? {});
}

/** Our own files; a test checks their shape. */
const readRoadFile = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as RoadFile;

function tableOf(files: readonly RoadFile[], surveyed: Readonly<Record<string, SurveyedChain>>): RoadTable {
  const chains = files.flatMap((file) => chainsOf(file, surveyed));
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

function chainsOf(file: RoadFile, surveyed: Readonly<Record<string, SurveyedChain>>): Chain[] {
  const rows = Map.groupBy(file.waypoints, ({ road, nation }) =>
    nation === 'northern-ireland' ? `NI ${road}` : road,
  );
  return [...rows].map(([id, own]) => {
    const written = own.map(({ junction = null, name = null, latitude, longitude, nation }): Waypoint => ({
      junction,
      name,
      point: [longitude, latitude],
      nation,
    }));
    const kept = surveyed[id];
    const isOfTable = kept?.labels.join() === written.map(labelOf).join();
    const waypoints = isOfTable
      ? written.map((waypoint, index) => ({ ...waypoint, point: kept!.points[index] ?? waypoint.point }))
      : written;
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
      lines: linesOf(waypoints, breaks, isOrbital, isOfTable ? kept!.lines : []),
    };
  });
}

/** The line: straight from waypoint to waypoint, unless there is a surveyed line between them. */
function linesOf(
  waypoints: readonly Waypoint[],
  breaks: ReadonlyMap<number, unknown>,
  isOrbital: boolean,
  surveyed: readonly (readonly number[] | null)[],
) {
  const lines: { points: LonLat[]; at: number[] }[] = [{ points: [], at: [] }];
  const chords = isOrbital ? waypoints.length : waypoints.length - 1;
  for (const [index, { point }] of waypoints.entries()) {
    const line = lines.at(-1)!; // there is always one
    line.points.push(point);
    line.at.push(index);
    if (breaks.has(index)) lines.push({ points: [], at: [] });
    else if (index < chords) {
      const next = waypoints[(index + 1) % waypoints.length]!.point;
      addBetween(line, index, point, surveyed[index] ?? [], next);
    }
  }
  if (isOrbital) {
    const last = lines.at(-1)!;
    last.points.push(waypoints[0]!.point); // a chain has a waypoint
    last.at.push(waypoints.length);
  }
  return lines.filter(({ points }) => points.length > 1);
}

/** Positions between two waypoints are shares of the length of the line. */
function addBetween(
  line: { points: LonLat[]; at: number[] },
  index: number,
  from: LonLat,
  flat: readonly number[],
  to: LonLat,
) {
  const between = Array.from({ length: flat.length / 2 }, (_, at): LonLat => [
    flat[at * 2]!,
    flat[at * 2 + 1]!,
  ]);
  const steps = [...between, to].map((point, at) =>
    rulerAt(point[1]).distance(at === 0 ? from : between[at - 1]!, point),
  );
  const length = steps.reduce((sum, step) => sum + step, 0);
  let km = 0;
  for (const [at, point] of between.entries()) {
    km += steps[at]!;
    line.points.push(point);
    line.at.push(index + km / length);
  }
}

/** "J26", otherwise the name. */
export const labelOf = ({ junction, name }: Waypoint): string => junction ?? name ?? '';

/** Rulers for bands of 0.02 degrees, within which a distance is wrong by less than 0.1 %. */
const rulers = new Map<number, CheapRuler>();

export function rulerAt(latitude: number): CheapRuler {
  const band = Math.round(latitude * 50);
  let ruler = rulers.get(band);
  if (!ruler) rulers.set(band, (ruler = new CheapRuler(band / 50)));
  return ruler;
}

/** The position of the point on the chain, and its distance in kilometres. Null: the chain has no line. */
export function along(chain: Chain, point: LonLat): { at: number; off: number } | null {
  const ruler = rulerAt(point[1]);
  let nearest: { at: number; off: number } | null = null;
  for (const { points, at } of chain.lines) {
    const { point: found, index, t } = ruler.pointOnLine(points, point);
    const off = ruler.distance(point, found);
    if (nearest && nearest.off <= off) continue;
    const from = at[index]!; // it is the index of a point
    nearest = { at: from + t * ((at[index + 1] ?? from) - from), off };
  }
  return nearest;
}

/** "J26" for "26". Junctions of the M6 Toll have a letter of their own: "T1". */
export const junctionName = (number: string): string => {
  const bare = number.trim().toUpperCase().replace(/^J/, '');
  return bare.startsWith('T') ? bare : `J${bare}`;
};

/** The index of a waypoint by its junction ("J26", "26", "J8" for "J8/9"); -1: there is none. */
export function junctionIndex(chain: Chain, junction: string): number {
  const asked = junctionName(junction);
  return chain.waypoints.findIndex(
    ({ junction: own }) =>
      own === asked || (own?.includes('/') && own.slice(1).split('/').includes(asked.slice(1))),
  );
}

/** The two junctions around a number that does not exist; empty on a road without junctions. */
export function nearestJunctions({ waypoints }: Chain, junction: string): string[] {
  const junctions = waypoints.flatMap(({ junction: own }) => (own ? [own] : []));
  const value = (name: string) => {
    const [, digits = '0', letter = ''] = /(\d+)([A-Z]?)/.exec(name.toUpperCase()) ?? [];
    return Number(digits) + (letter ? (letter.charCodeAt(0) - 64) / 100 : 0);
  };
  const wanted = value(junction);
  const sorted = junctions.toSorted((one, other) => value(one) - value(other));
  const above = sorted.findIndex((name) => value(name) > wanted);
  if (above < 0) return sorted.slice(-2);
  return sorted.slice(Math.max(0, above - 1), Math.max(0, above - 1) + 2);
}

/** The index by junction or, if it has none, by name, as the ends of a leg are called. -1: there is none. */
export function waypointIndex(chain: Chain, label: string): number {
  const asked = label.trim().toLowerCase();
  const index = chain.waypoints.findIndex((waypoint) => labelOf(waypoint).toLowerCase() === asked);
  return index < 0 ? junctionIndex(chain, label) : index;
}

/** The direction that a sign's word means on this road; null: none, or both. */
export function senseOf({ signs }: Chain, sign: Sign): Sense | null {
  const rises = signs?.[1].includes(sign) ?? false;
  const falls = signs?.[-1].includes(sign) ?? false;
  return rises === falls ? null : rises ? 1 : -1;
}

/** On a ring, positions go on beyond the last waypoint: one round is `periodOf` long. 0: not a ring. */
export const periodOf = ({ isOrbital, waypoints }: Chain): number => (isOrbital ? waypoints.length : 0);

/** The road's line from one position to another, both included, each point with its position. On a ring positions
 *  may lie beyond its ends. If the road is interrupted in between, its line is too: the next point is the far end of
 *  the break. */
export function lineBetween(chain: Chain, from: number, to: number): { points: LonLat[]; at: number[] } {
  const [lo, hi] = [Math.min(from, to), Math.max(from, to)];
  const period = periodOf(chain);
  const rounds = period ? [-1, 0, 1, 2] : [0];
  const vertices = rounds.flatMap((round) =>
    chain.lines.flatMap((line) =>
      line.at.map((at, index) => ({ at: at + round * period, point: line.points[index]! })),
    ),
  );
  const found = [
    { at: lo, point: pointAt(chain, lo) },
    ...vertices.filter(({ at }) => at > lo && at < hi),
    ...(hi > lo ? [{ at: hi, point: pointAt(chain, hi) }] : []),
  ].filter(({ at }, index, all) => at !== all[index - 1]?.at);
  if (to < from) found.reverse();
  return { points: found.map(({ point }) => point), at: found.map(({ at }) => at) };
}

/** The point at a position. On a ring it may be beyond the ends; elsewhere the nearest end counts. */
function pointAt(chain: Chain, position: number): LonLat {
  const period = periodOf(chain);
  const wanted = period ? ((position % period) + period) % period : position;
  for (const { points, at } of chain.lines) {
    const next = at.findIndex((value) => value >= wanted);
    if (next < 0 || (next === 0 && at[0] !== wanted)) continue;
    const [from, to] = [at[next - 1] ?? wanted, at[next]!]; // `next` is an index
    const t = to === from ? 1 : (wanted - from) / (to - from);
    const [start, end] = [points[Math.max(0, next - 1)]!, points[next]!];
    return [start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])];
  }
  return chain.waypoints[Math.max(0, Math.min(chain.waypoints.length - 1, Math.round(wanted)))]!.point;
}
