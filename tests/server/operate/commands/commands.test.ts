/** The commands of the README, as a stranger runs them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Disruption } from '../../../../contract/incidents/disruptions.ts';
import { COMPILED } from '../../../support/server.ts';

const root = new URL('../../../..', import.meta.url).pathname;
const LIMIT_MS = 180_000;

const running: { child: ChildProcess; dataDir: string }[] = [];

afterEach(async () => {
  for (const { child, dataDir } of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await exit;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Starts a command in the project with a data folder of its own; ended with all that it started after the test. */
async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'clearway-command-'));
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...COMPILED, DATA_DIR: dataDir, ...env },
    detached: true,
  });
  running.push({ child, dataDir });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return {
    ended: once(child, 'close') as Promise<[number | null]>,
    stdout: () => stripVTControlCharacters(stdout),
    stderr: () => stderr,
    /** Ctrl-C. */
    interrupt: () => child.kill('SIGINT'),
    terminate: () => child.kill('SIGTERM'),
    dataDir,
    /** Words of the process, once it says them. */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      return vi.waitFor(
        () => {
          const found = pattern.exec(stripVTControlCharacters(stdout));
          if (!found) throw new Error(`It has not said ${pattern}:\n${stdout}\n${stderr}`);
          return found;
        },
        { timeout: 60_000, interval: 50 },
      );
    },
  };
}

describe('npm run collect', { timeout: LIMIT_MS }, () => {
  it('shows what one source yields, and nothing else on its output', async () => {
    const args = [
      'ea-flood',
      '--from',
      'tests/fixtures/ea-flood/floods-2025-10-24.json',
      '--now',
      '2025-10-24T21:30:00Z',
    ];
    const command = await run('npm', ['run', '--silent', 'collect', '--', ...args]);
    const [code] = await command.ended;
    expect(code).toBe(0);
    const { source, events, skipped, problems } = JSON.parse(command.stdout()) as {
      source: string;
      events: Disruption[];
      skipped: number;
      problems: string[];
    };
    expect({ source, skipped, problems }).toEqual({ source: 'ea-flood', skipped: 0, problems: [] });
    expect(events.length).toBeGreaterThan(0);
  });

  it('fails in words on a file that is not an answer of the source', async () => {
    const command = await run('npm', ['run', '--silent', 'collect', '--', 'tfl', '--from', 'package.json']);
    const [code] = await command.ended;
    expect(code).toBe(1);
    expect(command.stdout()).toBe('');
    expect(command.stderr()).toMatch(/^collect: .+/m);
  });
});

describe('npm run import-events', { timeout: LIMIT_MS }, () => {
  it('ends with 130 when stopped during a download, and leaves nothing behind', async () => {
    const begun = Promise.withResolvers<void>();
    const endless = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('event_id,name,category,start_datetime\n1,Half a ro', () => begun.resolve());
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');
    const { port } = endless.address() as AddressInfo;
    const temporary = await mkdtemp(join(tmpdir(), 'clearway-command-'));
    try {
      const command = await run(
        process.execPath,
        ['server/operate/commands/import-events.ts', `http://127.0.0.1:${port}/calendar.csv?key=secret`],
        { TMPDIR: temporary },
      );
      await begun.promise;
      await command.says(/^Downloading 127\.0\.0\.1:\d+\/calendar\.csv \.\.\.$/m);
      await vi.waitFor(async () => expect(await readdir(temporary)).toHaveLength(1), { timeout: 15_000 });
      command.interrupt();

      const [code] = await command.ended;
      expect(code).toBe(130);
      expect(command.stderr()).toBe(
        `import-events: Stopped during the download from 127.0.0.1:${port}/calendar.csv; nothing was changed.\n`,
      );
      expect(await readdir(temporary)).toEqual([]);
      expect(await readdir(command.dataDir)).toEqual([]);
    } finally {
      endless.closeAllConnections();
      endless.close();
      await rm(temporary, { recursive: true, force: true });
    }
  });

  it('stops on SIGTERM while it works out the dates of a calendar', async () => {
    const rule = ['RRULE:FREQ=WEEKLY;BYMONTH=2;BYWEEKNO=50', 'DTSTART:20250201T193000Z'];
    const entries = Array.from({ length: 2000 }, (_, at) =>
      ['BEGIN:VEVENT', `UID:${at}`, ...rule, 'END:VEVENT'].join('\n'),
    );
    const folder = await mkdtemp(join(tmpdir(), 'clearway-calendar-'));
    const file = join(folder, 'a.ics');
    await writeFile(file, `BEGIN:VCALENDAR\n${entries.join('\n')}\nEND:VCALENDAR\n`);
    try {
      const command = await run(process.execPath, ['server/operate/commands/import-events.ts', file]);
      await vi.waitFor(async () => expect(await readdir(command.dataDir)).not.toEqual([]), {
        timeout: 30_000,
      });
      command.terminate();

      const [code] = await command.ended;
      expect(code).toBe(130);
      expect(command.stdout()).toMatch(/^Stopped after 0 rows/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('npm run dev', { timeout: LIMIT_MS }, () => {
  it('serves the app from its source, with the server in replay behind it', async () => {
    const dev = await run(process.execPath, ['server/dev.ts']);
    const [, address] = await dev.says(/Local:\s+(http:\/\/\S+?)\/?\s/);

    for (const path of ['/disruptions', '/api-keys', '/documents', '/events/x%40example.com']) {
      const page = await fetch(address + path, { headers: { accept: 'text/html' } });
      expect(await page.text(), path).toContain('/src/main.tsx');
    }
    expect(await (await fetch(`${address}/docs?token=x`)).text()).toContain('API reference');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const refused = await fetch(`${address}/api/v1/feeds/`);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toHaveProperty('detail');
  });
});
