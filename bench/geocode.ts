/** `npm run bench -- geocode`: how long one search of the embedded gazetteer takes, compared with looking through
 *  every name for the typed letters; and the cost of loading it. All in one run on one machine: only the ratios can
 *  be compared. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { searchEmbedded } from '../server/geography/names/placeSearch.ts';
import { readGazetteer } from '../server/geography/names/gazetteer.ts';
import { nearbyStations } from '../server/geography/names/stations.ts';

const TIMES = 200;
const LIMIT = 5;

/** Queries as people type them: every beginning, from two letters on. */
const typed = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 2));

const { cases } = JSON.parse(
  readFileSync(new URL('../tests/fixtures/location-search-cases.json', import.meta.url), 'utf8'),
) as { cases: { query: string }[] };
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'the test cases': cases.map(({ query }) => query),
  'typed letter by letter': [
    'stow on the wold',
    'newcastle',
    'saint andrews',
    'leeds station',
    'eh1 1aa',
  ].flatMap(typed),
  'two letters': ['st', 'ne', 'lo', 'ba', 'ca', 'ma', 'we', 'no'],
  'the worst found': [
    'c b s c b s c b s c',
    's s s s s s s s s s',
    'st s s s s s s s s s',
    'an on an on an on an on an on',
    '12 high street new street old street north street',
  ],
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Kilobytes after garbage collection. */
function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e3;
}

const before = { heap: heap(), rss: process.memoryUsage().rss / 1e3, cpu: process.cpuUsage() };
searchEmbedded('leeds', LIMIT);
const cpu = process.cpuUsage(before.cpu);
const loading = {
  'processor ms': Math.round((cpu.user + cpu.system) / 1000),
  'heap MB': ((heap() - before.heap) / 1000).toFixed(1),
  'resident MB': ((process.memoryUsage().rss / 1e3 - before.rss) / 1000).toFixed(1),
};

/** The simple way: letters anywhere in a name, largest place first. */
const names = readGazetteer()
  .flatMap((place) => [place.name, ...place.otherNames].map((name) => ({ place, name: name.toLowerCase() })))
  .sort((a, b) => b.place.population - a.place.population);
function scan(query: string): unknown[] {
  const asked = query.toLowerCase();
  return names.filter(({ name }) => name.includes(asked)).slice(0, LIMIT);
}

/** Microseconds of processor time for each query, sorted. Other load does not affect it. */
function timesOf(queries: readonly string[], search: (query: string) => unknown): number[] {
  const times = queries.map((query) => {
    for (let time = 0; time < TIMES; time++) search(query);
    const start = process.cpuUsage();
    for (let time = 0; time < TIMES; time++) search(query);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / TIMES;
  });
  return times.sort((a, b) => a - b);
}
const median = (times: readonly number[]) => times[times.length >> 1]!;

console.table(loading);
console.table(
  Object.fromEntries(
    Object.entries(QUERIES).map(([what, queries]) => {
      const ours = timesOf(queries, (query) => searchEmbedded(query, LIMIT));
      const plain = timesOf(queries, scan);
      return [
        what,
        {
          queries: queries.length,
          'median µs': Math.round(median(ours)),
          'slowest µs': Math.round(ours.at(-1)!),
          'plain scan, median µs': Math.round(median(plain)),
          'ours : plain': (median(ours) / median(plain)).toFixed(2),
        },
      ];
    }),
  ),
);
const near = timesOf(['51.51 -0.12', '53.8 -1.55', '57.5 -5'], (point) => {
  const [latitude, longitude] = point.split(' ').map(Number);
  return nearbyStations(latitude!, longitude!);
});
console.table({
  'stations near a place': { 'median µs': median(near).toFixed(1), 'slowest µs': near.at(-1)!.toFixed(1) },
});
