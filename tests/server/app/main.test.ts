import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedBundle } from '../../../contract/feeds/feeds.ts';
import { COLLECTORS } from '../../../server/sources/allSources.ts';
import { PER_NETWORK } from '../../../server/http/limits/connections.ts';
import { COMPILED, MAIN } from '../../support/server.ts';

const root = new URL('../../..', import.meta.url).pathname;
/** Time for several starts on a busy machine. */
const LIMIT_MS = 180_000;

/** The address of every source, where nothing listens: no collector may reach farther than loopback. */
const UNREACHABLE = Object.fromEntries(
  COLLECTORS.flatMap(({ settings }) => settings)
    .filter(({ secret, name }) => !secret && /_(?:URL|FEEDS)$/.test(name))
    .map(({ name }) => [name, 'http://127.0.0.1:9/']),
);

interface Started {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
}

let dataDir: string;
let children: ChildProcess[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'clearway-main-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

function run(env: Record<string, string> = {}, args: string[] = []): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...COMPILED, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...UNREACHABLE, ...env },
  });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Waits until the server says its address. */
async function address(server: Started): Promise<string> {
  await vi.waitFor(
    () => {
      if (server.child.exitCode !== null) throw new Error(`It ended: ${server.stderr()}`);
      expect(server.stdout()).toMatch(/^Clearway is at \S+\n$/m);
    },
    { timeout: LIMIT_MS, interval: 20 },
  );
  return /^Clearway is at (\S+)\n$/m.exec(server.stdout())![1]!;
}

const printedPassword = (server: Started) => /Password:\s+([a-z0-9-]+)/.exec(server.stdout())?.[1];

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const signIn = (url: string, password = '', email = 'admin@clearway.example') =>
  post(`${url}/api/v1/auth/login`, { email, password });

const stop = (server: Started, signal: NodeJS.Signals = 'SIGTERM') => {
  server.child.kill(signal);
  return server.ended;
};

/** A sign-in whose body has not wholly arrived: a request that lasts for as long as the test likes. */
async function beginRequest(url: string): Promise<{ socket: Socket; finish(): Promise<string> }> {
  const body = JSON.stringify({ email: 'nobody@coaches.example', password: 'a-wrong-guess' });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  await new Promise<void>((resolve) => {
    const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body.slice(0, 10)}`, () => resolve());
  });
  // The server answers this request after it has read the first: it has seen both.
  await (await fetch(`${url}/healthz`)).text();
  return {
    socket,
    async finish() {
      socket.write(body.slice(10));
      await closed;
      return answer;
    },
  };
}

/** The server refused to start, in words. */
const expectPlainEnd = async (server: Started, message: string) => {
  expect(await server.ended).toBe(1);
  expect(server.stderr().trim()).toBe(`Clearway could not start:\n${message}`);
  expect(server.stdout()).toBe('');
};

describe('a start', { timeout: LIMIT_MS }, () => {
  it('prints the sign-in once and the address last, refuses a second server, and survives kill -9', async () => {
    const first = run();
    const url = await address(first);
    const password = printedPassword(first);
    const login = await signIn(url, password);
    const { refresh_token } = (await login.json()) as { refresh_token: string };

    expect(login.status).toBe(200);
    expect(first.stdout().trimEnd().split('\n').at(-1)).toBe(`Clearway is at ${url}`);
    expect(first.stdout()).toContain('This password is shown only this once.');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    await expectPlainEnd(
      run(),
      `Another Clearway already uses the data folder ${dataDir}. Stop it first, or give this one a folder of its own with DATA_DIR.`,
    );
    expect((await signIn(url, password)).status).toBe(200); // undisturbed
    await stop(first, 'SIGKILL');

    const second = run({ NODE_COMPILE_CACHE: '' });
    const again = await address(second);
    expect(second.stdout().trim()).toBe(`Clearway is at ${again}`);
    expect((await signIn(again, password)).status).toBe(200);
    expect((await post(`${again}/api/v1/auth/refresh`, { refresh_token })).status).toBe(200);
    expect(await stop(second, 'SIGINT')).toBe(0);
    expect(second.stderr()).toContain('Clearway has stopped');
    // The code is kept for the next start, which is then sooner.
    if (process.platform === 'linux') expect(readdirSync(join(dataDir, 'compiled'))).toHaveLength(1);

    for (const { stderr } of [first, second]) expect(stderr()).not.toContain(password);
  });

  it('in replay prints a sign-in each time, shows alerts of every source within a minute, and changes by itself', async () => {
    const first = run({}, ['--replay']);
    expect((await signIn(await address(first), printedPassword(first))).status).toBe(200);
    expect(await stop(first)).toBe(0);

    const second = run({ REPLAY_STEP_SECONDS: '2' }, ['--replay']);
    const url = await address(second);
    const began = Date.now();
    const { access_token } = (await (await signIn(url, printedPassword(second))).json()) as {
      access_token: string;
    };
    /** Lists of one source, which change only with its scene. */
    const scenes = new Set<string>();
    const alerting = new Set<string>();
    await vi.waitFor(
      async () => {
        const headers = { authorization: `Bearer ${access_token}` };
        const answer = await fetch(`${url}/api/v1/feeds/?include_events=true`, { headers });
        const { feeds } = (await answer.json()) as { feeds: FeedBundle[] };
        for (const { source, event_count } of feeds.flatMap(({ feed }) => feed.sources))
          if (event_count > 0) alerting.add(source);
        const said = feeds
          .flatMap(({ events }) => events)
          .filter(({ source }) => source === 'tfl')
          .map(({ event_id, title }) => [event_id, title]);
        if (said.length > 0) scenes.add(JSON.stringify(said));
        expect([...alerting].sort()).toEqual(COLLECTORS.map(({ source }) => source).sort());
        expect(scenes.size).toBeGreaterThan(1);
      },
      { timeout: 90_000, interval: 250 },
    );
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(await stop(second)).toBe(0);
    expect(readdirSync(dataDir)).toEqual(['replay']);
  });
});

describe('a start that cannot be', { timeout: LIMIT_MS }, () => {
  it('is refused with every setting that is wrong', async () => {
    await expectPlainEnd(
      run({ PORT: 'abc', ADMIN_EMAIL: 'boss@coaches.example', ADMIN_PASSWORD: 'password' }),
      [
        'PORT must be a number from 0 to 65535, not "abc"',
        'ADMIN_PASSWORD is refused: Password is too common: choose one that nobody would guess',
      ].join('\n'),
    );
    expect(existsSync(join(dataDir, 'clearway.db'))).toBe(false);
  });

  it('is refused on a port that is in use, after printing the sign-in that it made', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };

    // A checkout that was never built adds a warning.
    const refused = run({ PORT: String(port), LOG_LEVEL: 'error' });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr().trim()).toBe(
      `Clearway could not start:\nPort ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another one.`,
    );
    other.close();

    const server = run();
    expect((await signIn(await address(server), printedPassword(refused))).status).toBe(200);
    expect(printedPassword(server)).toBeUndefined();
    expect(await stop(server)).toBe(0);
  });

  it('is refused when the data folder is not a folder', async () => {
    const file = join(dataDir, 'a file');
    writeFileSync(file, '');

    await expectPlainEnd(
      run({ DATA_DIR: file }),
      `DATA_DIR names ${file}, which is not a folder and cannot be created (EEXIST).`,
    );
  });
});

/** One network opens all its connections while the server is busy, and another still finds room. */
async function expectRoomForOthers({ child }: Started, port: number) {
  // A stopped process accepts nothing; the system alone takes connections, as during a long step.
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  const opened = (localAddress: string) =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }, resolve);
      sockets.push(socket.on('error', () => {}));
    });
  await Promise.all(Array.from({ length: PER_NETWORK }, () => opened('127.0.0.1')));
  await opened('127.0.0.2');
  for (const socket of sockets) socket.destroy();
  child.kill('SIGCONT');
}

describe('a stop', { timeout: LIMIT_MS }, () => {
  const isStopping = (server: Started) =>
    vi.waitFor(() => expect(server.stderr()).toContain('Clearway is stopping'), {
      timeout: LIMIT_MS,
      interval: 20,
    });

  it('does not follow from a closed terminal or pipe', async () => {
    const server = run();
    server.child.stdout!.destroy();
    await vi.waitFor(() => expect(server.stderr()).toContain('Clearway has started'), {
      timeout: LIMIT_MS,
      interval: 20,
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).not.toContain('"level":"fatal"');
  });

  it('lets a request in progress finish, and takes no new connection; a hang-up is no stop', async () => {
    const server = run({ ADMIN_EMAIL: 'boss@coaches.example', ADMIN_PASSWORD: 'four-lorries-in-Carlisle' });
    const url = await address(server);
    server.child.kill('SIGHUP');
    expect((await signIn(url, 'four-lorries-in-Carlisle', 'boss@coaches.example')).status).toBe(200);
    expect(server.stdout() + server.stderr()).not.toContain('four-lorries-in-Carlisle');

    const request = await beginRequest(url);
    server.child.kill('SIGTERM');
    await isStopping(server);

    await vi.waitFor(() => expect(fetch(`${url}/healthz`)).rejects.toThrow(), {
      timeout: LIMIT_MS,
      interval: 20,
    });
    expect(await request.finish()).toContain('Incorrect email or password');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it('happens at once when it is asked for a second time, even after one network opened all its connections', async () => {
    const server = run();
    const url = await address(server);
    await expectRoomForOthers(server, Number(new URL(url).port));
    const request = await beginRequest(url);
    request.socket.on('error', () => {
      /* its connection is cut: the test intends this */
    });
    server.child.kill('SIGTERM');
    await isStopping(server);
    const asked = performance.now();

    await vi.waitFor(
      () => {
        server.child.kill('SIGTERM');
        expect(server.child.exitCode).not.toBeNull();
      },
      { timeout: LIMIT_MS, interval: 100 },
    );
    expect(server.child.exitCode).toBe(1);
    // The request would have kept it for ten seconds.
    expect(performance.now() - asked).toBeLessThan(8000);
  });
});
