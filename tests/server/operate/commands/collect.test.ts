import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { Disruption } from '../../../../contract/incidents/disruptions.ts';
import { collect } from '../../../../server/operate/commands/collect.ts';
import { startReplay } from '../../../../server/operate/replay.ts';
import { fixture } from '../../../support/upstream.ts';

const SOURCES = COLLECTORS.map(({ source }) => source).join(', ');
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearway-collect-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file of this test's own. */
async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const recorded = (path: string) => join(ROOT, 'tests/fixtures', path);

async function collected(args: string[], settings = {}) {
  const { code, stdout, stderr } = await collect(args, settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { source: string; events: Disruption[]; skipped: number; problems: string[] };
}

const NOW = ['--now', '2025-10-24T21:30:00Z'];

describe('npm run collect', () => {
  it('prints what a source yields, worst first, and the same in every run', async () => {
    const args = ['ea-flood', '--from', recorded('ea-flood/floods-2025-10-24.json'), ...NOW];
    const [first, second] = [await collect(args, {}), await collect(args, {})];
    const { source, events, skipped } = JSON.parse(first.stdout);

    expect(first.stdout).toBe(second.stdout);
    expect({ source, skipped, count: events.length }).toEqual({ source: 'ea-flood', skipped: 0, count: 16 });
    expect(events[0]).toMatchObject({ event_id: 'ea-flood:122FWC036', severity: 'high' });
    const rest = events.slice(1).map(({ event_id }: Disruption) => event_id);
    expect(rest).toEqual([...rest].sort());
    for (const event of events) {
      z.omit(Disruption, { collected_at: true }).parse(event);
      expect(event.metadata.phase).toBe('active');
    }
  });

  it('counts a malformed record and keeps the others', async () => {
    const broken = recorded('tfl/line-status-broken.synthetic.json');
    const { events, skipped, problems } = await collected(['tfl', '--from', broken, ...NOW]);

    expect(events.map(({ event_id }) => event_id)).toEqual(['tfl:victoria', 'tfl:jubilee']);
    expect(skipped).toBe(3);
    expect(problems).toContain(
      'Line bakerloo left out: lineStatuses: Invalid input: expected array, received string',
    );
  });

  it('needs no key for files, and leaves out operators that run normally unless all are requested', async () => {
    const args = ['nsi-service', '--from', recorded('nsi-service/nsi-custom-status.synthetic.xml'), ...NOW];
    const [incidents, all] = [await collected(args), await collected([...args, '--all'])];

    expect(incidents.events.map(({ event_id }) => event_id)).toEqual(['nsi-service:GW']);
    expect(all.events.map(({ event_id, metadata }) => [event_id, metadata.kind])).toEqual([
      ['nsi-service:GW', undefined],
      ['nsi-service:SR', 'status'],
    ]);
  });

  it('lets a collector that asks several times go on without an answer that no file has', async () => {
    const closures = recorded('national-highways/portal-doc-incident-2025-03-20.json');
    const now = ['--now', '2025-03-20T11:32:00Z'];
    const { events, problems } = await collected(['national-highways', '--from', closures, ...now]);

    expect(events).toHaveLength(1);
    expect(problems).toEqual([
      'The planned closures could not be read: no file answers request 2: GET api.data.nationalhighways.co.uk/roads/v2.0/closures',
    ]);
  });

  it('names the files that it did not use', async () => {
    const status = recorded('tfl/line-status-planned.synthetic.json');
    const { problems } = await collected(['tfl', '--from', status, '--from', status, ...NOW]);

    expect(problems).toEqual([`${status}: not used, because the collector made only 1 request`]);
  });

  it('uses the given time', async () => {
    const status = recorded('tfl/line-status-planned.synthetic.json');
    const before = await collected(['tfl', '--from', status, '--now', '2026-11-21T09:00']);
    const after = await collected(['tfl', '--from', status, '--now', '2026-12-01T09:00:00+00:00']);

    expect(before.events.map(({ metadata }) => metadata.phase)).toEqual(['planned']);
    expect(after.events).toEqual([]);
  });

  it('asks the source itself when no file is given', async () => {
    const replay = await startReplay({ stepSeconds: 0 });
    try {
      const { events } = await collected(['nsi-service'], replay.settings);

      expect(events.map(({ event_id }) => event_id)).toEqual(['nsi-service:GW', 'nsi-service:NT']);
    } finally {
      await replay.close();
    }
  });

  it('explains itself', async () => {
    const { code, stdout } = await collect(['--help'], {});

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run collect -- SOURCE \[--from FILE\]\.\.\. \[--now ISO_TIME\]/);
    expect(stdout).toContain(SOURCES);
    expect(stdout).toContain('\n  TFL_APP_KEY: key of the TfL Unified API');
    expect(stdout).toContain('\n  RDM_NSI_KEY (needed): ');
  });

  it.each([
    [[], `Name a source. Known sources: ${SOURCES}.`],
    [['tlf'], `Unknown source "tlf". Known sources: ${SOURCES}.`],
    [['tfl', 'x.json'], 'One source at a time; what is "x.json"? Files need --from.'],
    [['tfl', '--from', '/no/such.json'], '/no/such.json: there is no such file'],
    [['tfl', '--from', tmpdir()], `${tmpdir()}: is a folder`],
    [['tfl', '--now', 'yesterday'], '--now is not an ISO time such as 2026-11-21T08:30:00Z: "yesterday"'],
    [['tfl', '--form', 'x'], /^Unknown option '--form'.* \(see --help\)$/],
    [
      ['nsi-service'],
      /^nsi-service is not configured\. Set RDM_NSI_URL \(.*\), RDM_NSI_KEY \(.*\), or give its answers/,
    ],
  ])('refuses %j in one line', async (args, message) => {
    const { code, stdout, stderr } = await collect(args, {});

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^collect: [^\n]+\n$/);
    expect(stderr.slice('collect: '.length).trim()).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it.each([
    ['empty.json', '', ': the answer is empty'],
    [
      'page.json',
      '<html><body>Sign in</body></html>',
      ': the answer is an HTML page where data was expected',
    ],
    [
      'cut.json',
      fixture('tfl/line-status-2023-09-18.json').slice(0, 4000),
      'The document is not JSON, or cut off.',
    ],
  ])('fails clearly on %s', async (name, text, words) => {
    const { code, stdout, stderr } = await collect(['tfl', '--from', await file(name, text)], {});

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^collect: [^\n]+\n$/);
    expect(stderr).toContain(words);
  });
});
