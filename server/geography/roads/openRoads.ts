/** OS Open Roads as an operator downloads it, Open Government Licence: a GeoPackage, which is an SQLite file. Its
 *  surveyed junctions and lines replace the table's positions and straight lines. Written from the product's
 *  description; no such file was at hand. https://www.ordnancesurvey.co.uk/products/os-open-roads */
import type Database from 'better-sqlite3';
import createGraph, { type Graph } from 'ngraph.graph';
import { aStar } from 'ngraph.path';
import proj4 from 'proj4';
import simplify from 'simplify-js';
import { normalRoad } from '#contract/incidents/roadName.ts';
import {
  junctionIndex,
  labelOf,
  rulerAt,
  type Chain,
  type LonLat,
  type RoadTable,
  type SurveyedChain,
  type SurveyedRoads,
} from './roadTable.ts';

/** A message for the operator. */
export class UnusableRoads extends Error {}

const NATIONAL_GRID =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
  '+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs';
const WGS84 = 4326;
const GRID = 27700;

/**
 * The greatest distance between a surveyed junction and the table's position, and between an A road and its waypoint.
 */
const NEAR_KM = 3;
/** A junction of the table without a surveyed one is on the road if the road is this close. */
const NEAR_JUNCTION_KM = 1.5;
/** A line that is this many times longer than the distance of its waypoints has gone another way. */
const WINDING = 1.8;
const WINDING_KM = 2;
const SIMPLE_KM = 0.02;

interface Link {
  km: number;
  /** From the link's `fromId` to its `toId`. */
  points: LonLat[];
}

interface Road {
  graph: Graph<LonLat, Link>;
}

interface RoadsReport {
  roads: number;
  junctions: number;
  lines: number;
  /** The table's roads for which the file has no line. */
  missing: string[];
}

export function surveyedRoads(
  db: Database.Database,
  name: string,
  table: RoadTable,
): { surveyed: SurveyedRoads; report: RoadsReport } {
  const roads = readLinks(db, table);
  const junctions = readJunctions(db, table);
  const report: RoadsReport = { roads: 0, junctions: 0, lines: 0, missing: [] };
  const chains: SurveyedRoads['chains'] = {};
  for (const chain of table.chains) {
    if (chain.id.startsWith('NI ')) continue; // the file covers only Great Britain
    const road = roads.get(chain.id);
    if (!road) {
      report.missing.push(chain.id);
      continue;
    }
    const surveyed = surveyedChain(chain, road, junctions);
    chains[chain.id] = surveyed;
    report.roads++;
    report.junctions += surveyed.points.filter((point) => point !== null).length;
    report.lines += surveyed.lines.filter((line) => line !== null).length;
  }
  if (report.roads === 0) throw new UnusableRoads('No road of the file is in our table.');
  return { surveyed: { from: name, chains }, report };
}

/** The table, its geometry column, and the conversion of its coordinates to WGS84. */
function layer(db: Database.Database, table: string, wanted: readonly string[]) {
  const columns = new Set((db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name));
  const missing = wanted.filter((column) => !columns.has(column));
  if (columns.size === 0) throw new UnusableRoads(`The file has no table ${table}; is it OS Open Roads?`);
  if (missing.length > 0) throw new UnusableRoads(`The table ${table} has no column ${missing.join(', ')}.`);
  const kept = db
    .prepare('select column_name as name, srs_id as srs from gpkg_geometry_columns where table_name = ?')
    .get(table) as { name: string; srs: number } | undefined;
  if (!kept || !columns.has(kept.name)) throw new UnusableRoads(`The table ${table} has no geometry.`);
  if (kept.srs !== GRID && kept.srs !== WGS84)
    throw new UnusableRoads(`The coordinates of ${table} are EPSG:${kept.srs}, not the National Grid.`);
  const convert = kept.srs === GRID ? proj4(NATIONAL_GRID, 'WGS84') : null;
  return {
    geometry: `"${kept.name.replaceAll('"', '""')}"`,
    toWgs84: ([x, y]: LonLat): LonLat => {
      const [longitude, latitude] = convert ? convert.forward([x, y]) : [x, y];
      return [round(longitude!), round(latitude!)];
    },
  };
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

/** The links without slip roads, which have the same number as their road. */
function readLinks(db: Database.Database, table: RoadTable): Map<string, Road> {
  const { geometry, toWgs84 } = layer(db, 'road_link', ['road_classification_number', 'form_of_way']);
  const rows = db
    .prepare(
      `select road_classification_number as road, ${geometry} as geometry from road_link
       where road_classification_number is not null and form_of_way <> 'Slip Road'`,
    )
    .iterate() as IterableIterator<{ road: string; geometry: Buffer }>;
  const roads = new Map<string, Road>();
  for (const row of rows) {
    const chain = table.named(row.road).find(({ id }) => !id.startsWith('NI '));
    if (!chain) continue;
    let road = roads.get(chain.id);
    if (!road) roads.set(chain.id, (road = { graph: createGraph<LonLat, Link>() }));
    for (const line of linesIn(row.geometry)) {
      const [first, last] = [line[0], line.at(-1)];
      if (!first || !last || line.length < 2) continue;
      const points = line.map(toWgs84);
      road.graph.addNode(first.map(Math.round).join(), points[0]!); // as many as points of `line`
      road.graph.addNode(last.map(Math.round).join(), points.at(-1)!);
      road.graph.addLink(first.map(Math.round).join(), last.map(Math.round).join(), {
        km: lengthOf(points),
        points,
      });
    }
  }
  return roads;
}

/** By chain and waypoint. The file may write "M1 J43", "J43" and "43". */
function readJunctions(db: Database.Database, table: RoadTable): Map<string, LonLat> {
  const { geometry, toWgs84 } = layer(db, 'motorway_junction', ['junction_number']);
  const rows = db
    .prepare(`select junction_number as number, ${geometry} as geometry from motorway_junction`)
    .iterate() as IterableIterator<{ number: string | null; geometry: Buffer }>;
  const found = new Map<string, { point: LonLat; km: number }>();
  for (const row of rows) {
    const [, road = '', number = ''] =
      /^(?:(M6 ?Toll|[AM]\d+(?: ?\(M\))?)[ ,]+)?J?(T?\d+[A-Z]?)$/i.exec(row.number?.trim() ?? '') ?? [];
    const [position] = linesIn(row.geometry).flat();
    if (!number || !position) continue;
    const point = toWgs84(position);
    const chains = road ? table.named(normalRoad(road)) : table.chains;
    for (const chain of chains) {
      const index = junctionIndex(chain, number);
      if (index < 0) continue;
      const km = rulerAt(point[1]).distance(point, chain.waypoints[index]!.point);
      const key = `${chain.id} ${index}`;
      if (km <= NEAR_KM && km < (found.get(key)?.km ?? Infinity)) found.set(key, { point, km });
    }
  }
  return new Map([...found].map(([key, { point }]) => [key, point]));
}

function surveyedChain(chain: Chain, road: Road, junctions: ReadonlyMap<string, LonLat>): SurveyedChain {
  const nodes: { id: string; point: LonLat }[] = [];
  road.graph.forEachNode(({ id, data }) => void nodes.push({ id: String(id), point: data }));
  const nearestNode = (point: LonLat, limitKm: number) => {
    const ruler = rulerAt(point[1]);
    let best: { id: string; point: LonLat; km: number } | null = null;
    for (const node of nodes) {
      const km = ruler.distance(point, node.point);
      if (km <= limitKm && km < (best?.km ?? Infinity)) best = { ...node, km };
    }
    return best;
  };
  const nearest = chain.waypoints.map(({ point, junction }, index) => {
    const surveyed = junctions.get(`${chain.id} ${index}`);
    return nearestNode(surveyed ?? point, junction && !surveyed ? NEAR_JUNCTION_KM : NEAR_KM);
  });
  // Two waypoints cannot be in one place, so the nearer gets it.
  const ends = nearest.map((end, index) => {
    const isTaken = nearest.some(
      (other, at) =>
        end && other?.id === end.id && (other.km < end.km || (other.km === end.km && at < index)),
    );
    return isTaken ? null : end;
  });
  const find = aStar(road.graph, { distance: (_from, _to, link) => link.data.km });
  const count = chain.waypoints.length;
  const lines = chain.waypoints.map((_, index): number[] | null => {
    const isLast = index === count - 1 && !chain.isOrbital;
    const [from, to] = [ends[index], ends[(index + 1) % count]];
    if (isLast || chain.breaks.has(index) || !from || !to || from.id === to.id) return null;
    const path = find.find(from.id, to.id).map(({ id }) => String(id));
    if (path[0] === to.id) path.reverse();
    const points = path.flatMap((id, at) => (at === 0 ? [] : between(road.graph, path[at - 1]!, id)));
    const straight = rulerAt(from.point[1]).distance(from.point, to.point);
    if (points.length < 2 || lengthOf(points) > straight * WINDING + WINDING_KM) return null;
    return simplified(points).slice(1, -1).flat();
  });
  return {
    labels: chain.waypoints.map(labelOf),
    points: ends.map((end) => end && end.point),
    lines,
  };
}

/** The shorter of the links between two nodes, in that direction. */
function between(graph: Graph<LonLat, Link>, from: string, to: string): LonLat[] {
  const there = graph.getLink(from, to);
  const back = graph.getLink(to, from);
  if (there && (!back || there.data.km <= back.data.km)) return there.data.points;
  return back ? back.data.points.toReversed() : [];
}

function simplified(points: readonly LonLat[]): LonLat[] {
  const { kx, ky } = rulerAt(points[0]![1]);
  const placed = points.map((point) => ({ x: point[0] * kx, y: point[1] * ky, point }));
  return (simplify(placed, SIMPLE_KM, true) as typeof placed).map(({ point }) => point); // the same objects
}

const lengthOf = (points: readonly LonLat[]): number =>
  points.reduce(
    (km, point, index) => (index === 0 ? 0 : km + rulerAt(point[1]).distance(points[index - 1]!, point)),
    0,
  );

/** After the flags: no envelope, x and y, with z or m, with both. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];

/** The lines of a GeoPackage geometry (https://www.geopackage.org/spec/#gpb_format): a header, then well-known
 *  binary. A point is a line of one. Heights are skipped. */
export function linesIn(blob: Buffer): LonLat[][] {
  if (blob.length < 8 || blob.toString('latin1', 0, 2) !== 'GP')
    throw new UnusableRoads('A geometry of the file is not in the form of a GeoPackage.');
  const envelope = ENVELOPE_BYTES[(blob[3]! >> 1) & 7];
  if (envelope === undefined) throw new UnusableRoads('A geometry of the file has an unknown header.');
  let at = 8 + envelope;

  const geometry = (): LonLat[][] => {
    const isLittle = blob.readUInt8(at) === 1;
    const whole = (where: number) => (isLittle ? blob.readUInt32LE(where) : blob.readUInt32BE(where));
    const double = (where: number) => (isLittle ? blob.readDoubleLE(where) : blob.readDoubleBE(where));
    const code = whole(at + 1);
    at += 5;
    const kind = (code & 0xffff) % 1000;
    const thousands = Math.floor((code & 0xffff) / 1000);
    const extra = (thousands > 0 ? (thousands === 3 ? 2 : 1) : 0) + (code >>> 31) + ((code >>> 30) & 1);
    const position = (): LonLat => {
      const point: LonLat = [double(at), double(at + 8)];
      at += 16 + extra * 8;
      return point;
    };
    if (kind === 1) return [[position()]];
    const count = whole(at);
    at += 4;
    if (count > blob.length) throw new RangeError('more parts than bytes');
    if (kind === 2) return [Array.from({ length: count }, position)];
    if (kind === 4 || kind === 5) return Array.from({ length: count }, geometry).flat();
    return [];
  };
  try {
    return geometry();
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnusableRoads('A geometry of the file is cut short.', { cause: error });
    throw error;
  }
}
