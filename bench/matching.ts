/**
 * `npm run bench -- matching`: 1,000 and 10,000 surveyed routes against 5,000 incidents, in processor time: making
 * the index, comparing everything as at a start, one poll, one incident, one new route. Also the comparison of every
 * pair for a tenth of the routes, whose matches must be the same. Then the matches of 500 routes are stored, as at a
 * start, in a new SQLite database: the longest step is the time that a request waits. `--routes 1000` for one size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Facts } from '#contract/incidents/facts.ts';
import type { Leg } from '#contract/watches/watches.ts';
import { chunks } from '../server/db/batches.ts';
import { type FoundMatch, matches } from '../server/watches/matching/matchStore.ts';
import { openDatabase } from '../server/db/open.ts';
import { EVERYONE } from '../server/accounts/teams.ts';
import {
  incidentPlace,
  type IncidentPlace,
  type StoredIncident,
} from '../server/geography/roads/incidentPlace.ts';
import type { Found } from '../server/watches/matching/rules/found.ts';
import { match } from '../server/watches/matching/rules/matcher.ts';
import { incidentIndex, watchIndex } from '../server/watches/matching/rules/matchIndex.ts';
import {
  lineBetween,
  roadTable,
  rulerAt,
  type Chain,
  type LonLat,
  type Sense,
} from '../server/geography/roads/roadTable.ts';
import { watchLine, type WatchLine } from '../server/watches/matching/rules/watchLine.ts';
import { factsOf } from '../tests/support/facts.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { routes: { type: 'string' }, incidents: { type: 'string', default: '5000' } },
});
const SIZES = values.routes ? [Number(values.routes)] : [1000, 10_000];
const INCIDENTS = Number(values.incidents);
const VERTICES = 190;
/** How many incidents one poll changes. */
const CHANGED = 60;

let state = 5;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

const table = roadTable();
const chains = table.chains.filter(({ id, waypoints }) => waypoints.length > 5 && !id.startsWith('NI'));
// Long roads are used more.
const byLength = chains.flatMap((chain) => chain.waypoints.map(() => chain));
const pickChain = () => byLength[Math.floor(random() * byLength.length)]!;
const beside = ([x, y]: LonLat, degrees: number): LonLat => [
  x + (random() - 0.5) * degrees * 1.7,
  y + (random() - 0.5) * degrees,
];

/** A stretch of a road with this many intervals. */
function stretchOf(chain: Chain, intervals: number): { from: number; to: number; sense: Sense } {
  const count = chain.waypoints.length - 1;
  const long = Math.min(intervals, count);
  const from = between(0, count - long);
  return random() < 0.5 ? { from, to: from + long, sense: 1 } : { from: from + long, to: from, sense: -1 };
}

/** A line like a surveyed one with this many points, up to 200 m beside the straight lines. */
function densely(points: readonly LonLat[], count: number): LonLat[] {
  const dense: LonLat[] = [];
  for (let at = 0; at < count; at++) {
    const on = (at / (count - 1)) * (points.length - 1);
    const [a, b] = [points[Math.floor(on)]!, points[Math.ceil(on)]!];
    const t = on - Math.floor(on);
    dense.push(beside([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])], 0.002));
  }
  return dense;
}

/** One to three stretches of roads that are not connected. */
function routeOf(number: number): WatchLine {
  const parts = between(1, 3);
  const legs = Array.from({ length: parts }, (): Leg => {
    const chain = pickChain();
    const { from, to, sense } = stretchOf(chain, between(3, 14));
    const points = densely(lineBetween(chain, from, to).points, Math.round(VERTICES / parts));
    const to_km = rulerAt(points[0]![1]).lineDistance(points);
    const [lo, hi] = [Math.min(from, to), Math.max(from, to)];
    return { type: 'exact', points, roads: [{ road: chain.id, lo, hi, sense, from_km: 0, to_km }] };
  });
  return watchLine({ id: String(number), kind: 'route', legs, geometry: null, reach_m: null }, table);
}

/** Six in ten incidents are on a road, by line or point; the others are given by words, beside roads, or as areas of
 *  floods and warnings. */
function incidentOf(number: number): IncidentPlace {
  const chain = pickChain();
  const { from, to, sense } = stretchOf(chain, 1);
  const points = lineBetween(chain, from, to).points;
  const kind = number % 500 === 0 ? 'warning' : number % 20;
  const [start, end] = [from, to].map((at) => chain.waypoints[at]!.junction);
  const sign = chain.signs?.[sense][0];
  const direction = sign === 'coast' || sign === 'London' ? null : (sign ?? null);
  const named: Facts = {
    ...factsOf(),
    roads: [chain.road],
    stretch: start && end ? [{ road: chain.road, from: start, to: end }] : [],
    direction,
  };
  const incident: StoredIncident = {
    event_id: `bench:${number}`,
    source: 'bench',
    title: 'Closed',
    summary_line: '',
    latitude: null,
    longitude: null,
    geometry: null,
    facts: factsOf(),
    metadata: {},
  };
  const at = beside(points[0]!, 0.05);
  const ring = (degrees: number, corners: number) => {
    const turns = Array.from({ length: corners }, (_, corner) => (corner / corners) * 2 * Math.PI);
    const outline = turns.map((turn): LonLat => {
      const far = degrees * (0.7 + 0.3 * random());
      return [at[0] + Math.cos(turn) * far * 1.7, at[1] + Math.sin(turn) * far];
    });
    return JSON.stringify({ type: 'Polygon', coordinates: [[...outline, outline[0]!]] });
  };
  const asLine = () => JSON.stringify({ type: 'LineString', coordinates: densely(points, 40) });
  const asPoint = (point: LonLat) => JSON.stringify({ type: 'Point', coordinates: point });
  if (kind === 'warning') return placed({ ...incident, geometry: ring(0.8, 200) });
  if (kind < 8) return placed({ ...incident, facts: named, geometry: asLine() });
  if (kind < 12) return placed({ ...incident, facts: named, geometry: asPoint(densely(points, 5)[2]!) });
  if (kind < 14) return placed({ ...incident, facts: named });
  if (kind < 18) return placed({ ...incident, geometry: asPoint(at) });
  return placed({ ...incident, geometry: ring(0.02, 40) });
}

const placed = (incident: StoredIncident) => incidentPlace(incident, table);

const cpuMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
/** The processor time, including garbage collection in other threads. */
function timed<T>(work: () => T): [result: T, ms: number] {
  const start = process.cpuUsage();
  const result = work();
  return [result, cpuMs(start)];
}
/** The time of each one. */
function each<T>(list: readonly T[], work: (one: T) => unknown): { p50: number; p99: number } {
  const times = list.map((one) => timed(() => work(one))[1]).sort((one, other) => one - other);
  return { p50: times[Math.floor(times.length / 2)]!, p99: times[Math.floor(times.length * 0.99)]! };
}

const megabytes = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

const rows = new Map<string, string[]>();
const row = (what: string, value: string) => rows.set(what, [...(rows.get(what) ?? []), value]);
const ms = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-GB'));

const incidents = Array.from({ length: INCIDENTS }, (_, number) => incidentOf(number));
for (const size of SIZES) {
  const routes = Array.from({ length: size }, (_, number) => routeOf(number));
  const vertices = routes.reduce((sum, { km }) => sum + km.length, 0);
  const before = megabytes();
  const [index, buildMs] = timed(() => watchIndex(routes));
  const indexMb = megabytes() - before;
  const byIncident = incidentIndex(incidents);
  // A warm-up, because a server is warm.
  for (const route of routes.slice(0, 300))
    byIncident.near(route, (at, isOnRoad) => match(incidents[at]!, route, isOnRoad));

  const found = new Map<string, Found>();
  const tenth = routes.slice(0, size / 10);
  let pairs = 0;
  let matched = 0;
  const [, fullMs] = timed(() => {
    for (const [number, route] of routes.entries()) {
      byIncident.near(route, (at, isOnRoad) => {
        pairs++;
        const one = match(incidents[at]!, route, isOnRoad);
        if (!one) return;
        matched++;
        if (number < tenth.length) found.set(`${number} ${at}`, one);
      });
    }
  });
  let different = 0;
  const [, bruteMs] = timed(() => {
    for (const [number, route] of tenth.entries()) {
      for (const [at, incident] of incidents.entries()) {
        const one = match(incident, route);
        const other = found.get(`${number} ${at}`);
        if (one?.level !== other?.level || one?.why !== other?.why || one?.from_km !== other?.from_km)
          different++;
      }
    }
  });
  const against = (incident: IncidentPlace) => {
    index.near(incident, (at, isOnRoad) => match(incident, routes[at]!, isOnRoad));
  };
  const [, pollMs] = timed(() => {
    for (let at = 0; at < CHANGED; at++) against(incidents[(at * 83) % INCIDENTS]!);
  });
  const one = each(incidents.slice(0, 1000), against);
  const fresh = each(routes.slice(0, 1000), (route) => {
    byIncident.near(route, (at, isOnRoad) => match(incidents[at]!, route, isOnRoad));
  });
  const [, nearMs] = timed(() => {
    for (const incident of incidents)
      if (incident.roads.length > 0 && !incident.box) index.near(incident, () => {});
  });

  const count = (value: number) => value.toLocaleString('en-GB');
  row('vertices', count(vertices));
  row('index build', `${ms(buildMs)} ms, ${Math.round(indexMb)} MB`);
  row('everything in full', `${ms(fullMs)} ms`);
  row('pairs compared, matched', `${count(pairs)}, ${count(matched)}`);
  row('every pair of a tenth of the routes', `${ms(bruteMs)} ms, ${different} different`);
  row('every pair : in full', ((bruteMs * 10) / fullMs).toFixed(0));
  row(`one poll, ${CHANGED} changed`, `${ms(pollMs)} ms`);
  row('one incident, p50, p99', `${one.p50.toFixed(2)}, ${one.p99.toFixed(1)} ms`);
  row('one new route, p50, p99', `${fresh.p50.toFixed(2)}, ${fresh.p99.toFixed(1)} ms`);
  row('by road and junctions alone, a tenth of the incidents', `${ms(nearMs)} ms`);
}

const stored = await longestStoring();
row(
  'storing the matches of 500 routes, and its longest piece',
  `${ms(stored.allMs)}, ${ms(stored.longestMs)} ms`,
);

const heads = SIZES.map((size) => `${size.toLocaleString('en-GB')} routes`);
console.log(`| ${['', ...heads].join(' | ')} |\n| --- |${heads.map(() => ' ---: |').join('')}`);
for (const [what, columns] of rows) console.log(`| ${[what, ...columns].join(' | ')} |`);

/** Stores them as a start does: fifty routes at a time, in one transaction. */
async function longestStoring(): Promise<{ allMs: number; longestMs: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'clearway-bench-'));
  const { db, close } = await openDatabase({ dataDir });
  const at = new Date();
  const routes = Array.from({ length: 500 }, (_, number) => routeOf(number));
  const near = incidentIndex(incidents);
  const common = {
    team_id: EVERYONE,
    kind: 'route' as const,
    made_by: 'file' as const,
    created_by: null,
    updated_by: null,
  };
  for (const { id } of routes)
    await db
      .insertInto('watches')
      .values({
        ...common,
        id,
        name: id,
        legs: '[]',
        geometry: '{}',
        length_km: 1,
        reach_m: null,
        sources: '[]',
        notify: '{}',
        created_at: at.toISOString(),
        updated_at: at.toISOString(),
        rev: 1,
        matched_rev: 0,
        archived_at: null,
      })
      .execute();
  const found = routes.map((route) => {
    const own: FoundMatch[] = [];
    near.near(route, (index, isOnRoad) => {
      const one = match(incidents[index]!, route, isOnRoad);
      if (!one) return;
      const { level, why, from_km, to_km, off_m } = one;
      const subject_id = `bench:${index}`;
      own.push({ watch_id: route.id, subject: 'disruption', subject_id, level, why, from_km, to_km, off_m });
    });
    return own;
  });

  let longestMs = 0;
  let before = process.threadCpuUsage();
  let running = true;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
    if (running) setImmediate(look);
  };
  setImmediate(look);
  const start = performance.now();
  for (const some of chunks([...routes.keys()], 50)) {
    const watchIds = some.map((index) => routes[index]!.id);
    await db.transaction().execute((trx) =>
      matches(trx).settle(
        { subject: 'disruption', watchIds },
        some.flatMap((index) => found[index]!),
        { at, batch: 1, endKind: () => 'moved' },
      ),
    );
  }
  const allMs = performance.now() - start;
  running = false;
  await close();
  rmSync(dataDir, { recursive: true });
  return { allMs, longestMs };
}
