/** `npm run bench -- noise`: how many incidents 14 ordinary routes list as certain and as possible over the recorded
 *  day, by rule. `--each` names every possible line. The labelled set
 *  (`tests/server/watches/matching/rules/matcherLabelled.test.ts`) tests that none is lost. */
import { parseArgs } from 'node:util';
import { COLLECTORS } from '../server/sources/allSources.ts';
import type { DisruptionRecord } from '../server/incidents/collector.ts';
import { readSource } from '../server/sources/polling/readSource.ts';
import { merge } from '../server/incidents/merging/merge.ts';
import { type Incident, reportOf } from '../server/incidents/merging/comparedReport.ts';
import { findRoutePlaces } from '../server/geography/names/routePlaces.ts';
import { downloader } from '../server/http/documents/download.ts';
import { startReplay } from '../server/operate/replay.ts';
import { incidentPlace, type StoredIncident } from '../server/geography/roads/incidentPlace.ts';
import type { Found } from '../server/watches/matching/rules/found.ts';
import { match } from '../server/watches/matching/rules/matcher.ts';
import { resolveText } from '../server/watches/typed/typedLegs.ts';
import { roadTable } from '../server/geography/roads/roadTable.ts';
import { watchLine } from '../server/watches/matching/rules/watchLine.ts';
import { memoryFacts } from '../tests/support/upstream.ts';

const { values } = parseArgs({ args: process.argv.slice(3), options: { each: { type: 'boolean' } } });

const ROUTES = [
  'York, A64, A1(M) J44, M1 J43, Leeds, Leeds Bradford Airport',
  'Leeds, M1 J43, M1 J6A, M25 J21, M25 J15, Heathrow',
  'Leeds, M62 J27, M62 J18, M60 J12, Manchester Airport',
  'Hull, M62 J38, M62 J27, Leeds',
  'Liverpool, M62 J6, M62 J27, Leeds',
  'Newcastle, A1(M) J65, A1(M) J44, York',
  'Birmingham, M6 J6, M6 J19, Manchester Airport',
  'Bristol, M4 J19, M4 J4, Heathrow',
  'Cardiff, M4 J32, M4 J19, Bristol',
  'Glasgow, M8 J15, M8 J1, Edinburgh',
  'Southampton, M3 J13, M3 J2, M25 J12, Heathrow',
  'Nottingham, M1 J25, M1 J1, London',
  'Dover, M20 J13, M20 J1, M25 J5, Gatwick',
  'Exeter, M5 J30, M5 J4, Birmingham',
];
const SCENES = 6;

const sourceOf = ({ event_id }: DisruptionRecord) => event_id.slice(0, event_id.indexOf(':'));

const table = roadTable();
const lines = await Promise.all(
  ROUTES.map(async (text, index) => {
    const { legs, problems } = await resolveText(text, findRoutePlaces);
    const stop = problems.find(({ level }) => level === 'stop');
    if (stop) throw new Error(`${text}: ${stop.text}`);
    return watchLine({ id: String(index), kind: 'route', legs, geometry: null, reach_m: null }, table);
  }),
);

const count = new Map<string, number>();
const add = (key: string) => count.set(key, (count.get(key) ?? 0) + 1);
const possible: number[] = [];
/** The incidents in force. A poll that fails keeps the earlier ones. */
const standing = new Map<string, DisruptionRecord[]>();
const replay = await startReplay({ stepSeconds: 0 });
for (let scene = 0; scene < SCENES; scene++) {
  if (scene > 0) replay.step();
  for (const collector of COLLECTORS) {
    const { get } = downloader().newGet();
    const tools = { get, now: new Date(), settings: replay.settings, facts: memoryFacts() };
    try {
      const { records } = await readSource(collector, tools);
      standing.set(collector.source, records);
    } catch {
      continue;
    }
  }
  const incidents = [...standing.values()].flat().filter(({ kind }) => kind === 'alert');
  const reports = incidents.flatMap(
    (record) => reportOf({ ...record, source: sourceOf(record) } as Incident) ?? [],
  );
  const into = new Map(
    merge(reports).flatMap(({ home, others }) => others.map(({ event_id }) => [event_id, home] as const)),
  );
  for (const [index, line] of lines.entries()) {
    // Several reports of one incident are one line, with the surest match.
    const found = new Map<string, { found: Found; record: DisruptionRecord }>();
    for (const record of incidents) {
      const { event_id, shape } = record;
      const geometry = shape?.geometry ?? null;
      const stored: StoredIncident = { ...record, source: sourceOf(record), geometry };
      const matched = match(incidentPlace(stored, table), line);
      const subject = into.get(event_id) ?? event_id;
      if (matched && found.get(subject)?.found.level !== 'certain')
        found.set(subject, { found: matched, record });
    }
    const maybe = [...found.values()].filter(({ found: { level } }) => level === 'possible');
    for (const { found: one } of found.values())
      add(one.level === 'certain' ? 'certain' : `possible, ${one.rule}`);
    for (const { found: one, record } of values.each ? maybe : [])
      console.log(
        `${ROUTES[index]} | ${record.event_id} ${record.title} | ${one.rule} ${one.why} | ${one.off_m}`,
      );
    const own = maybe.length;
    possible.push(own);
  }
}
await replay.close();
console.log(
  `${possible.filter((own) => own > 0).length} of ${possible.length} route-scenes have a possible line`,
);
for (const [key, number] of [...count].sort()) console.log(`${key}: ${number}`);
