import { afterAll, beforeAll, expect, it } from 'vitest';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { readSource } from '../../../../server/sources/polling/readSource.ts';
import { merge } from '../../../../server/incidents/merging/merge.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import { startReplay, type Replay } from '../../../../server/operate/replay.ts';
import { memoryFacts } from '../../../support/upstream.ts';
import { asReports } from './pairs.ts';

const STEP_MS = 40_000;
const SCENES = 6;

let clock = new Date('2026-11-20T09:00:00Z');
const firstSeen = clock.toISOString();
let replay: Replay;
beforeAll(async () => {
  replay = await startReplay({ stepSeconds: 0, now: () => clock });
});
afterAll(() => replay.close());

/** The records that are listed now; a source that does not answer keeps its earlier ones. */
async function poll(known: Map<string, DisruptionRecord[]>): Promise<DisruptionRecord[]> {
  const download = downloader();
  for (const collector of COLLECTORS) {
    const { get } = download.newGet();
    const settings = Object.fromEntries(collector.settings.map(({ name }) => [name, replay.settings[name]]));
    const tools = { get, now: clock, settings, facts: memoryFacts() };
    const { records } = await readSource(collector, tools).catch(() => ({ records: null }));
    if (records) known.set(collector.source, records);
  }
  return (
    [...known.values()]
      .flat()
      .filter(({ kind }) => kind === 'alert')
      // The store merges all operators' records that name an incident.
      .filter(({ metadata }) => metadata.related_event_ids === undefined)
  );
}

it('reads as the table says, which a person has read', async () => {
  const known = new Map<string, DisruptionRecord[]>();
  const lines: string[] = [];
  for (let scene = 1; scene <= SCENES; scene++) {
    if (scene > 1) {
      clock = new Date(clock.getTime() + STEP_MS);
      replay.step();
    }
    const records = await poll(known);
    const titles = new Map(records.map(({ event_id, title }) => [event_id, title]));
    const named = (id: string) => `${id.slice(0, id.indexOf(':'))}: ${titles.get(id)}`;
    lines.push(`## Scene ${scene}`, '');
    for (const { home, others } of merge(asReports(records, firstSeen))) {
      lines.push(`- ${named(home)}`);
      for (const { event_id, evidence } of others) lines.push(`  - ${named(event_id)}. ${evidence.words}`);
    }
    lines.push('');
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('../../../fixtures/merging/replay.txt');
}, 60_000);
