/** Reads lines from files of other programs, in this browser: GPX, KML, GeoJSON and the shapes of GTFS. */
import {
  isOnTheIslands,
  OUTSIDE_THE_ISLANDS,
  type Position,
  WATCH_LIMITS,
} from '#contract/watches/watches.ts';
import { gpx, kml } from '@tmcw/togeojson';
import { simplify } from '@turf/simplify';
import { parse } from 'csv-parse/browser/esm/sync';
import type { Feature, GeoJSON, Geometry } from 'geojson';
import { Unusable } from '../../../api/http.ts';
import { grouped } from '#contract/numbers.ts';

export interface FileLine {
  name: string;
  points: Position[];
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_POINTS = 50_000;
/** About 25 m, in degrees of latitude. */
const TOLERANCE = 0.000225;

const UNREADABLE = 'This file holds no track or line that we can read.';

/** The lines of the file, the longest first. Throws Unusable. */
export async function readFile(file: File): Promise<FileLine[]> {
  if (file.size > MOST_BYTES) throw new Unusable('This file is larger than 5 MB.');
  const text = await file.text();
  const found = linesOf(text.replace(/^\uFEFF/, '').trim(), file.name).filter(
    ({ points }) => points.length >= 2,
  );
  if (found.length === 0) throw new Unusable(UNREADABLE);
  const inside = found.filter(({ points }) => points.every(isOnTheIslands));
  if (inside.length === 0) throw new Unusable(OUTSIDE_THE_ISLANDS);
  const short = inside.filter(({ points }) => points.length <= MOST_POINTS);
  if (short.length === 0) {
    const most = Math.max(...inside.map(({ points }) => points.length));
    throw new Unusable(`A line may have 50,000 points. This has ${grouped(most)}.`);
  }
  return short
    .toSorted((a, b) => b.points.length - a.points.length)
    .map(({ name, points }) => ({ name, points: simplified(points) }));
}

function linesOf(text: string, fileName: string): FileLine[] {
  const name = fileName.replace(/\.[^.]+$/, '');
  try {
    if (text.startsWith('{') || text.startsWith('[')) return geoJsonLines(JSON.parse(text) as GeoJSON, name);
    if (text.startsWith('<')) return xmlLines(text, name);
    return shapes(text);
  } catch {
    return []; // one sentence covers all such cases
  }
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): string };
}

/** XML that is read and never shown. The browser requires a policy, because the same call could make HTML. */
const fileXml = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('file-xml', {
  createHTML: (text) => text,
});

function xmlLines(text: string, name: string): FileLine[] {
  const document = new DOMParser().parseFromString(fileXml?.createHTML(text) ?? text, 'text/xml');
  const isGpx = document.documentElement.localName.toLowerCase() === 'gpx';
  return geoJsonLines(isGpx ? gpx(document) : (kml(document) as GeoJSON), name);
}

function geoJsonLines(json: GeoJSON, name: string): FileLine[] {
  const features: Feature<Geometry | null>[] =
    json.type === 'FeatureCollection'
      ? json.features
      : json.type === 'Feature'
        ? [json]
        : [{ type: 'Feature', properties: null, geometry: json }];
  return features.flatMap((feature, index) => {
    const said: unknown = feature.properties?.['name'];
    const base = typeof said === 'string' && said.trim() ? said.trim() : name;
    const label = features.length > 1 && base === name ? `${name} ${index + 1}` : base;
    return geometryLines(feature.geometry).map((points, part, all) => ({
      name: all.length > 1 ? `${label}, part ${part + 1}` : label,
      points,
    }));
  });
}

function geometryLines(geometry: Geometry | null): Position[][] {
  switch (geometry?.type) {
    case 'LineString':
      return [geometry.coordinates.map(position)];
    case 'MultiLineString':
      // The parts of one track follow each other, with gaps when there was no signal.
      return [geometry.coordinates.flat().map(position)];
    case 'GeometryCollection':
      return geometry.geometries.flatMap(geometryLines);
    default:
      return [];
  }
}

const position = ([longitude = Number.NaN, latitude = Number.NaN]: number[]): Position => [
  Math.round(longitude * 1e5) / 1e5,
  Math.round(latitude * 1e5) / 1e5,
];

interface ShapePoint {
  shape_id: string;
  shape_pt_lat: string;
  shape_pt_lon: string;
  shape_pt_sequence: string;
}

/** https://gtfs.org/documentation/schedule/reference/#shapestxt */
function shapes(text: string): FileLine[] {
  const rows = parse<ShapePoint>(text, { columns: true, trim: true, skip_empty_lines: true });
  const byId = new Map<string, ShapePoint[]>();
  for (const row of rows) {
    const shape = byId.get(row.shape_id);
    if (shape) shape.push(row);
    else byId.set(row.shape_id, [row]);
  }
  return [...byId].map(([id, points]) => ({
    name: `Shape ${id}`,
    points: points
      .toSorted((a, b) => Number(a.shape_pt_sequence) - Number(b.shape_pt_sequence))
      .map(({ shape_pt_lon, shape_pt_lat }) => position([Number(shape_pt_lon), Number(shape_pt_lat)])),
  }));
}

/** The most points that are simplified at once, because the work grows with the square of their number. */
const PIECE = 1000;

/** The line simplified to 25 m, or further until it is within the limit. */
function simplified(points: Position[]): Position[] {
  let tolerance = TOLERANCE;
  let line: Position[];
  do {
    line = [];
    for (let from = 0; from < points.length - 1; from += PIECE) {
      line.push(...reduced(points.slice(from, from + PIECE + 1), tolerance).slice(0, -1));
    }
    line.push(points.at(-1)!); // there are at least two
    tolerance *= 2;
  } while (line.length > WATCH_LIMITS.vertices);
  return reduced(line, tolerance / 2);
}

function reduced(coordinates: Position[], tolerance: number): Position[] {
  const line = simplify({ type: 'LineString', coordinates }, { tolerance, highQuality: true });
  return line.coordinates.map(position);
}
