/** `npm run bench -- reading`: how many labelled texts and typed routes are read correctly, by set and source, with
 *  each miss, and the figures of the last release. `--keep` stores today's figures as those of the release. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRoadWords } from '../server/geography/roads/roadWords.ts';
import { labelledTexts, measured, MEASURES } from '../tests/support/roadLabels.ts';
import {
  measuredPairs,
  measuredPlaces,
  measuredTimes,
  PAIR_SETS,
  PLACE_SETS,
  TIME_SETS,
} from '../tests/support/reportLabels.ts';
import { HOSTILE, hostileText, leastMs, ordinaryText, readAll } from '../tests/support/hostileWords.ts';
import { measuredRoutes, ROUTE_SETS } from '../tests/support/routeLabels.ts';

const KEPT = join(import.meta.dirname, 'reading-last.json');
const last = JSON.parse(readFileSync(KEPT, 'utf8')) as { release: string; figures: Record<string, number> };
const figures: Record<string, number> = {};

const share = (right: number, of: number) => (of === 0 ? 100 : Math.round((right / of) * 1000) / 10);
function row(name: string, right: number, of: number): void {
  const value = share(right, of);
  figures[name] = value;
  const before = last.figures[name];
  const change = before === undefined ? 'new' : before === value ? '=' : `was ${before}`;
  console.log(`| ${name} | ${right} of ${of} | ${value} % | ${change} |`);
}

console.log(`Compared with ${last.release}.\n\n| set | right | | before |\n| --- | ---: | ---: | --- |`);
const misses: string[] = [];
for (const file of [
  'roads.txt',
  'roads-second.txt',
  'roads-third.txt',
  'roads-fourth.txt',
  'roads-fifth.txt',
  'roads-sixth.txt',
  'roads-seventh.txt',
  'roads-eighth.txt',
  'roads-ninth.txt',
  'roads-tenth.txt',
  'roads-eleventh.txt',
  'roads-twelfth.txt',
]) {
  const texts = labelledTexts(file);
  const all = measured(texts);
  for (const measure of MEASURES)
    row(`${file} ${measure}`, all.counts[measure].right, all.counts[measure].of);
  for (const [source, own] of Map.groupBy(texts, (text) => text.source)) {
    const { counts } = measured(own);
    const sums = MEASURES.map((measure) => counts[measure]);
    row(
      `${file} ${source}`,
      sums.reduce((sum, { right }) => sum + right, 0),
      sums.reduce((sum, { of }) => sum + of, 0),
    );
  }
  for (const { measure, source, text, wanted, read } of all.misses)
    misses.push(`${source}, ${measure}: ${text}\n    wanted ${wanted}, read ${read}`);
}
for (const file of ROUTE_SETS) {
  const routes = await measuredRoutes(file);
  row(`${file} typed routes, right or asked`, routes.counts.of - routes.counts.silent, routes.counts.of);
  row(`${file} typed routes, right`, routes.counts.right, routes.counts.of);
  for (const { text, wanted, read, isSilent } of routes.misses)
    misses.push(`route, ${isSilent ? 'in silence' : 'asked'}: ${text}\n    wanted ${wanted}, read ${read}`);
}

for (const file of PLACE_SETS) {
  const { right, of, missed, wrong } = measuredPlaces(file);
  row(`${file} places`, right, of);
  row(`${file} none far off, or where there is none`, of - wrong.length, of);
  for (const text of [...missed, ...wrong]) misses.push(`place: ${text}`);
}
for (const file of PAIR_SETS) {
  const { right, of, missed, wrong } = measuredPairs(file);
  row(`${file} pairs that are one incident`, right, of);
  for (const text of missed) misses.push(`pair, not joined: ${text}`);
  for (const text of wrong) misses.push(`pair, wrongly joined: ${text}`);
}
for (const file of TIME_SETS) {
  const { right, of, missed } = measuredTimes(file);
  row(`${file} times`, right, of);
  for (const text of missed) misses.push(`times: ${text}`);
}

const texts = labelledTexts('roads.txt').map(({ text }) => text);
for (const text of texts) readRoadWords(text);
const start = process.cpuUsage();
for (let round = 0; round < 10; round++) for (const text of texts) readRoadWords(text);
const { user, system } = process.cpuUsage(start);
console.log(`\nOne text's roads: ${Math.round((user + system) / 10 / texts.length)} µs of processor time.`);
readAll(ordinaryText());
const ordinaryMs = leastMs(() => readAll(ordinaryText()));
const worst = HOSTILE.map((kind) => ({ kind, ms: leastMs(() => readAll(hostileText(kind))) })).toSorted(
  (one, other) => other.ms - one.ms,
);
console.log(
  `5,000 characters read as a whole incident: ordinary words ${ordinaryMs.toFixed(1)} ms of processor time,`,
);
for (const { kind, ms } of worst.slice(0, 5))
  console.log(`  of ${JSON.stringify(kind)} ${ms.toFixed(1)} ms, ${(ms / ordinaryMs).toFixed(1)} times`);
console.log(`\n${misses.length} misses:\n${misses.join('\n')}`);

if (process.argv.includes('--keep')) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  writeFileSync(KEPT, `${JSON.stringify({ release: version, figures }, null, 2)}\n`);
}
