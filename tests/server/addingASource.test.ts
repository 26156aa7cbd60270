/** Tests docs/adding-a-source.md: an invented source of Northern Ireland's roads is added to a copy of the project
 *  by the steps of that page alone. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN, COMPILED, type RunningServer, startServer } from '../support/server.ts';

const SOURCE = 'trafficwatch-test';
const root = new URL('../..', import.meta.url).pathname;
const fixtures = join(root, 'tests/fixtures/invented-source');

let copy: string;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'clearway-source-'));
  const isOurs = (path: string) =>
    !/^(?:node_modules|data|dist|dist-server|test-results|\.git)$/.test(relative(root, path));
  await cp(root, copy, { recursive: true, filter: isOurs });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));

  await cp(join(fixtures, `${SOURCE}.ts`), join(copy, `server/sources/${SOURCE}.ts`));
  await insert(
    'contract/feeds/knownSources.ts',
    '  tfl: {\n',
    await readFile(join(fixtures, 'directory.txt'), 'utf8'),
  );
  await insert('docs/sources.md', '| `traffic-wales`', await readFile(join(fixtures, 'row.md'), 'utf8'));
  await cp(join(fixtures, 'replay'), join(copy, 'tests/fixtures/replay', SOURCE), { recursive: true });

  server = await startServer({ product: copy, main: 'server/main.ts', args: ['--replay'] });
  token = (await call<{ access_token: string }>('auth/login', ADMIN)).access_token;
}, 120_000);

afterAll(async () => {
  await server?.dispose();
  await rm(copy, { recursive: true });
});

/** Puts the text before the first of these words of a file. */
async function insert(file: string, before: string, text: string): Promise<void> {
  const whole = await readFile(join(copy, file), 'utf8');
  expect(whole).toContain(before);
  await writeFile(
    join(copy, file),
    whole.replace(before, () => text + before),
  );
}

async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.origin}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return (await answer.json()) as T;
}

/** On our road: from Sprucefield (J7) to Moira (J9). On the road of England: from the M10 (J7) to Harpenden and
 *  beyond. */
const route = (name: string, road: string) => ({
  kind: 'route',
  name,
  made_by: 'junctions',
  legs: [{ type: 'road', road, from: 'J7', to: 'J9', sense: 1 }],
});

interface Shown {
  events: { event_id: string; latitude: number | null; metadata: { publisher?: string } }[];
}

describe('a source added by the page', () => {
  it('is shown in its feed', async () => {
    const { events } = await vi.waitFor(
      async () => {
        const shown = await call<Shown>(`disruptions/?source=${SOURCE}`);
        expect(shown.events).toHaveLength(1);
        return shown;
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(events[0]!.event_id).toBe(`${SOURCE}:1`);
    const { feed } = await call<{ feed: { sources: { source: string }[] } }>('feeds/roads-uk');
    expect(feed.sources.map(({ source }) => source)).toContain(SOURCE);
  });

  it('reports on a road of Northern Ireland, which is not England’s of the same number', async () => {
    const irish = await call<{ id: string; coverage: { source: string }[] }>(
      'watches',
      route('Lisburn', 'NI M1'),
    );
    const english = await call<{ id: string; coverage: { source: string }[] }>(
      'watches',
      route('Luton', 'M1'),
    );
    const reporters = ({ coverage }: typeof irish) => coverage.map(({ source }) => source);
    expect(reporters(irish)).toContain(SOURCE);
    expect(reporters(irish)).not.toContain('northern-ireland-roads');
    expect(reporters(english)).not.toContain(SOURCE);
    const explained = (id: string) =>
      call<{ level: string }>(`watches/${id}/explain/${encodeURIComponent(`${SOURCE}:1`)}`);
    expect((await explained(irish.id)).level).toBe('certain');
    expect((await explained(english.id)).level).toBe('none');
  });

  it('passes the tests of the directory, of the docs and of the replay', async () => {
    const near = ['readme', 'publishers', 'operate/replay'].map((name) => `tests/server/${name}.test.ts`);
    const { PATH, HOME } = process.env;
    // Tests of the other sources run outside the copy.
    const ofSource = ['-t', `${SOURCE}|every (known )?source`];
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...near, ...ofSource];
    const run = promisify(execFile)(process.execPath, command, {
      cwd: copy,
      env: { PATH, HOME, ...COMPILED, CI: '1' },
    });
    const { stdout } = await run;
    expect(stdout).toMatch(/Tests .* passed/);
  }, 120_000);
});
