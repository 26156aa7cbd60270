import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import proj4 from 'proj4';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesIn, surveyedRoads } from '../../../../server/geography/roads/openRoads.ts';
import {
  along,
  lineBetween,
  readRoadTable,
  rulerAt,
  surveyedRoadsFile,
  type Chain,
  type LonLat,
} from '../../../../server/geography/roads/roadTable.ts';

const GRID =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
  '+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs';

const table = readRoadTable(null);
const m1 = table.chain('M1')!;
const at = (junction: string) => m1.waypoints.findIndex((waypoint) => waypoint.junction === junction);
const [J41, J42, J43] = ['J41', 'J42', 'J43'].map((junction) => m1.waypoints[at(junction)]!.point) as [
  LonLat,
  LonLat,
  LonLat,
];
const shifted = ([longitude, latitude]: LonLat, east: number, north: number): LonLat => [
  longitude + east,
  latitude + north,
];
/** A road half a kilometre from the table's, and a road that bends a kilometre to the east of the straight line. */
const SURVEYED_J42 = shifted(J42, 0.004, 0.004);
const BEND = shifted([(J42[0] + J43[0]) / 2, (J42[1] + J43[1]) / 2], 0.015, 0);

type Envelope = 'none' | 'xy';

/** A line in the form of OS Open Roads: National Grid, little-endian; `z`: with heights. */
function geometryOf(
  points: readonly LonLat[],
  kind: 'point' | 'line',
  { z = false, envelope = 'none' as Envelope } = {},
) {
  const grid = points.map((point) => proj4('WGS84', GRID).forward(point));
  const header = Buffer.alloc(8);
  header.write('GP');
  header.writeUInt8(envelope === 'xy' ? 0b011 : 0b001, 3);
  header.writeInt32LE(27700, 4);
  const wkb: number[] = [];
  const bytes = (size: number, write: (buffer: Buffer) => void) => {
    const buffer = Buffer.alloc(size);
    write(buffer);
    wkb.push(...buffer);
  };
  bytes(1, (buffer) => buffer.writeUInt8(1));
  bytes(4, (buffer) => buffer.writeUInt32LE((kind === 'point' ? 1 : 2) + (z ? 1000 : 0)));
  if (kind === 'line') bytes(4, (buffer) => buffer.writeUInt32LE(grid.length));
  for (const [x, y] of grid)
    for (const value of [x!, y!, ...(z ? [75] : [])]) bytes(8, (buffer) => buffer.writeDoubleLE(value));
  return Buffer.concat([header, Buffer.alloc(envelope === 'xy' ? 32 : 0), Buffer.from(wkb)]);
}

function makeFile(path: string) {
  const db = new Database(path);
  db.exec(`
    create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer, z integer, m integer);
    insert into gpkg_geometry_columns values ('road_link', 'geometry', 'LINESTRING', 27700, 0, 0), ('motorway_junction', 'geometry', 'POINT', 27700, 0, 0);
    create table road_link (fid integer primary key, geometry blob, form_of_way text, road_classification text, road_classification_number text);
    create table motorway_junction (fid integer primary key, geometry blob, junction_number text);
  `);
  const link = db.prepare(
    'insert into road_link (geometry, form_of_way, road_classification_number) values (?, ?, ?)',
  );
  const line = (points: LonLat[], road: string | null, form = 'Collapsed Dual Carriageway', z = false) =>
    link.run(geometryOf(points, 'line', { z, envelope: z ? 'xy' : 'none' }), form, road);
  line([J41, shifted(J41, 0.001, 0.001), SURVEYED_J42], 'M1');
  // Against the road's order, and in two links.
  line([BEND, SURVEYED_J42], 'M1', 'Collapsed Dual Carriageway', true);
  line([BEND, J43], 'M1');
  // A slip road, a road that is missing from the table, and one without a number.
  line([SURVEYED_J42, J43], 'M1', 'Slip Road');
  line([SURVEYED_J42, J43], 'B6123');
  line([SURVEYED_J42, J43], null);
  const junction = db.prepare('insert into motorway_junction (geometry, junction_number) values (?, ?)');
  junction.run(geometryOf([SURVEYED_J42], 'point'), 'M1 J42');
  junction.run(geometryOf([shifted(J42, 0.5, 0)], 'point'), 'M1 J42');
  junction.run(geometryOf([J43], 'point'), '43');
  junction.run(geometryOf([J43], 'point'), null);
  db.close();
}

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'clearway-roads-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function imported(): Chain {
  const path = join(folder, 'oproad_gb.gpkg');
  makeFile(path);
  const db = new Database(path, { readonly: true });
  const { surveyed, report } = surveyedRoads(db, 'oproad_gb.gpkg', table);
  db.close();
  expect(report).toMatchObject({ roads: 1, lines: 2 });
  expect(report.missing).toContain('M2');
  writeFileSync(surveyedRoadsFile(folder), JSON.stringify(surveyed));
  return readRoadTable(surveyedRoadsFile(folder)).chain('M1')!;
}

const km = (one: LonLat, other: LonLat) => rulerAt(one[1]).distance(one, other);

describe('surveyed roads', () => {
  it('take the place of the table’s positions', () => {
    const chain = imported();
    expect(km(chain.waypoints[at('J42')]!.point, SURVEYED_J42)).toBeLessThan(0.01);
    expect(chain.waypoints[at('J1')]).toEqual(m1.waypoints[at('J1')]);
  });

  it('take the place of straight lines, whichever way their links run', () => {
    const chain = imported();
    expect(along(m1, BEND)!.off).toBeGreaterThan(0.7);
    const { at: position, off } = along(chain, BEND)!;
    expect(off).toBeLessThan(0.03);
    expect(position).toBeGreaterThan(at('J42') + 0.3);
    expect(position).toBeLessThan(at('J42') + 0.7);
    const { points } = lineBetween(chain, at('J41'), at('J43'));
    expect(points.length).toBeGreaterThan(3);
    expect(Math.min(...points.map((point) => km(point, BEND)))).toBeLessThan(0.03);
  });

  it('are not used for a road whose waypoints the table has changed since', () => {
    imported();
    const path = surveyedRoadsFile(folder);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"J42"', '"J42A"'));
    expect(readRoadTable(path).chain('M1')).toEqual(m1);
  });

  it('leave the table as it is if nothing was imported', () => {
    expect(readRoadTable(surveyedRoadsFile(folder)).chain('M1')).toEqual(m1);
  });
});

describe('npm run import-roads', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['server/operate/commands/import-roads.ts', ...args], {
      env: { ...process.env, DATA_DIR: folder },
      encoding: 'utf8',
    });

  it('keeps a file’s roads, and refuses another kind of file in words', () => {
    const path = join(folder, 'oproad_gb.gpkg');
    makeFile(path);
    const done = run(path);
    expect(done.stderr).toBe('');
    expect(done.stdout).toMatch(/^Kept 1 roads with \d+ positions and 2 lines in .*surveyed-roads\.json\./);
    expect(existsSync(surveyedRoadsFile(folder))).toBe(true);

    const kept = readFileSync(surveyedRoadsFile(folder), 'utf8');
    writeFileSync(
      join(folder, 'notes.txt'),
      'not a database, but as long as the head of one would be'.repeat(9),
    );
    const refused = run(join(folder, 'notes.txt'));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^import-roads: .*notes\.txt is no GeoPackage that we can read: /);
    expect(readFileSync(surveyedRoadsFile(folder), 'utf8')).toBe(kept);
  });
});

describe('a file that is not OS Open Roads', () => {
  const refusal = (change: string) => {
    const path = join(folder, 'other.gpkg');
    makeFile(path);
    const db = new Database(path);
    db.exec(change);
    try {
      surveyedRoads(db, 'other.gpkg', table);
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      db.close();
    }
  };

  it.each([
    ['drop table road_link', 'The file has no table road_link; is it OS Open Roads?'],
    ['drop table motorway_junction', 'The file has no table motorway_junction; is it OS Open Roads?'],
    [
      'alter table road_link rename column road_classification_number to nr',
      'The table road_link has no column road_classification_number.',
    ],
    [
      'update gpkg_geometry_columns set srs_id = 3857',
      'The coordinates of road_link are EPSG:3857, not the National Grid.',
    ],
    ["delete from road_link where road_classification_number = 'M1'", 'No road of the file is in our table.'],
    [
      "update road_link set geometry = x'0102030405060708'",
      'A geometry of the file is not in the form of a GeoPackage.',
    ],
    ['update road_link set geometry = substr(geometry, 1, 40)', 'A geometry of the file is cut short.'],
  ])('%s: %s', (change, words) => {
    expect(refusal(change)).toBe(words);
  });

  it('is read only to the end of a geometry', () => {
    const endless = geometryOf([J41, J42], 'line');
    endless.writeUInt32LE(0xffffffff, 8 + 5);
    expect(() => linesIn(endless)).toThrow('A geometry of the file is cut short.');
  });
});
