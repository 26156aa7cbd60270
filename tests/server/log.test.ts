import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeLog } from '../../server/log.ts';

const lineOf = (write: (log: ReturnType<typeof makeLog>) => void) => {
  let text = '';
  write(makeLog('info', { write: (line) => (text += line) }));
  const { time: _time, ...line } = JSON.parse(text);
  return line;
};

it('hides fields that are named like a secret, at the top and one level below, and changes nothing else', () => {
  const fields = {
    token: 'a',
    path: '/',
    sent: { Authorization: 'kept', authorization: 'b', ms: 3 },
    none: null,
  };
  const before = structuredClone(fields);
  expect(lineOf((log) => log.info(fields, 'sent'))).toEqual({
    level: 'info',
    token: '[hidden]',
    path: '/',
    sent: { Authorization: 'kept', authorization: '[hidden]', ms: 3 },
    none: null,
    msg: 'sent',
  });
  expect(fields).toEqual(before);
});

it('says what happened in an error, without what a library attached to it', () => {
  const err = Object.assign(new TypeError('broken', { cause: new Error('below') }), {
    code: 'E1',
    request: { password: 'a' },
  });
  expect(lineOf((log) => log.info({ err }, 'failed')).err).toMatchObject({
    name: 'TypeError',
    message: 'broken',
    code: 'E1',
    cause: { message: 'below' },
  });
  expect(JSON.stringify(lineOf((log) => log.info({ err }, 'failed')))).not.toContain('password');
});

it('hides a secret in an error given alone, and in a child', () => {
  expect(lineOf((log) => log.info(new Error('broken'))).err.message).toBe('broken');
  expect(lineOf((log) => log.child({ reqId: 'req-1' }).info({ key: 'a' }, 'x'))).toMatchObject({
    reqId: 'req-1',
    key: '[hidden]',
  });
});

describe('as the process writes it', () => {
  const run = (script: string, stderr: number | 'pipe') =>
    spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import { makeLog } from './server/log.ts'; ${script}`],
      {
        stdio: ['ignore', 'pipe', stderr],
        timeout: 10_000,
        killSignal: 'SIGKILL',
      },
    );

  it('ends with the process, whole', () => {
    const script = `const log = makeLog('info'); for (let n = 0; n < 2000; n++) log.info({ n }, 'é'); process.exit(3);`;
    const { status, stderr } = run(script, 'pipe');
    const lines = stderr.toString().trimEnd().split('\n');
    expect([status, lines.length, JSON.parse(lines.at(-1)!).n]).toEqual([3, 2000, 1999]);
  });

  it.runIf(existsSync('/dev/full'))('neither ends nor holds the process on a full disk', () => {
    const full = openSync('/dev/full', 'w');
    expect(run(`makeLog('info').info('lost'); process.exit(3);`, full).status).toBe(3);

    const file = join(mkdtempSync(join(tmpdir(), 'clearway-log-')), 'log');
    // Then the disk has room: the next file that is opened takes the number that is free.
    const script = `
      import { closeSync, openSync } from 'node:fs';
      const log = makeLog('info');
      const text = 'x'.repeat(1000);
      for (let n = 0; n < 3000; n++) log.info({ n, text }, 'waits');
      closeSync(2);
      openSync(${JSON.stringify(file)}, 'w');
      log.info('room');
      process.exit(3);`;
    const { status } = run(script, full);
    closeSync(full);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { lines: lost } = lines.at(-1);
    expect(status).toBe(3);
    // Lines that the system was still writing when the process ended are lost.
    expect(lines[0].n + lines.length - 1 + lost).toBe(3001);
    expect(lost).toBeGreaterThan(1000);
  });
});
