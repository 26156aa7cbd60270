/** The real server as its own process, on one port and one data folder. It can be stopped, killed and restarted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { COLLECTORS } from '../../server/sources/allSources.ts';

export const ADMIN = { email: 'admin@clearway.example', password: 'signal-box-at-Crewe-7' };

const root = new URL('../..', import.meta.url).pathname;
/** An environment for our processes: Node keeps its compiled code, so the next start takes half the time. */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
const [, ...START] = packageJson.scripts.start.split(' ');
/** The flags of `npm start`, which keep the server small for a fifth more processor time. */
const NODE_FLAGS = START.filter((word) => word.startsWith('--'));
const isTest = Boolean(process.env.VITEST ?? process.env.TEST_WORKER_INDEX);
/** The program that is shipped. Only unit tests need no build: if there is none, they run the source files. */
export const MAIN = process.env.VITEST && !isBuilt() ? 'server/main.ts' : START.at(-1)!;
const START_MS = 110_000;
const STOP_MS = 15_000;
const LOOK_MS = 25;

/** No test leaves loopback: a source without its own address gets one where nothing listens. */
const NOWHERE = Object.fromEntries(
  COLLECTORS.flatMap(({ settings }) => settings)
    .filter(({ name, required }) => name.endsWith('_URL') || (name.endsWith('_FEEDS') && !required))
    .map(({ name }) => [name, 'http://127.0.0.1:9/']),
);

export interface ServerOptions {
  /** Settings of the collectors, such as the addresses of a replay. */
  settings?: Record<string, string>;
  /** Further environment variables of the server; an empty one counts as unset. */
  env?: Record<string, string>;
  /** Command-line arguments, such as `--replay`. */
  args?: string[];
  /** Where the product is, instead of the project's own folder. */
  product?: string;
  /** The file that it starts with; in another folder the default is the shipped one. */
  main?: string;
  /** Whether it has the flags of `npm start`; the default is yes in another folder, and outside tests. */
  isSmall?: boolean;
}

export interface RunningServer {
  /** `http://127.0.0.1:PORT`, the same after every start. */
  readonly origin: string;
  readonly dataDir: string;
  /** All its output since the first start. */
  output(): string;
  running(): boolean;
  /** The id of the current process; undefined before the first start. */
  pid(): number | undefined;
  /** Returns once it is ready; throws with its output if it ends instead. */
  start(): Promise<void>;
  /** Asks it to end, and waits; throws if it ends with an error or too late. */
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Kills it and deletes its data. */
  dispose(): Promise<void>;
}

/** Starts the product's server in its own data folder, with ADMIN as its first administrator. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await prepareServer(options);
  await server.start();
  return server;
}

/** Like `startServer`, but does not start it yet. */
export async function prepareServer({
  settings,
  env,
  args = [],
  product,
  main = product ? START.at(-1)! : MAIN,
  isSmall = product !== undefined || !isTest,
}: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clearway-data-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = '';

  const ended = () => !child || child.exitCode !== null || child.signalCode !== null;

  const end = async (signal: NodeJS.Signals) => {
    if (!child || ended()) return null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
    const [code, by] = (await exit) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    return { code, by };
  };

  const server: RunningServer = {
    origin,
    dataDir,
    output: () => output,
    running: () => !ended(),
    pid: () => child?.pid,

    async start() {
      if (!ended()) throw new Error('The server runs already');
      const { PATH, HOME, TMPDIR } = process.env;
      child = spawn(process.execPath, [...(isSmall ? NODE_FLAGS : []), main, ...args], {
        cwd: product ?? root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...defined({ PATH, HOME, TMPDIR }),
          ...COMPILED,
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: dataDir,
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          LOG_LEVEL: 'warn',
          ...NOWHERE,
          ...settings,
          ...env,
        },
      });
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }

      const until = Date.now() + START_MS;
      while (!(await answers(`${origin}/readyz`))) {
        if (ended()) throw new Error(`The server ended instead of starting:\n${output}`);
        if (Date.now() > until)
          throw new Error(`The server was not ready in ${START_MS / 1000} s:\n${output}`);
        await lookAgain();
      }
    },

    async stop() {
      const exit = await end('SIGTERM');
      if (exit && exit.code !== 0) {
        throw new Error(`The server ended with ${exit.code ?? exit.by} instead of in order:\n${output}`);
      }
    },

    async kill() {
      await end('SIGKILL');
    },

    async dispose() {
      await end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}

function isBuilt(): boolean {
  const changedAt = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAt = changedAt(START.at(-1)!);
  const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' });
  return sources.every((file) => changedAt(join('server', file)) < builtAt);
}

/** A free port below 32768: no outgoing connection can take it in the meantime. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const lookAgain = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, LOOK_MS);
  });
