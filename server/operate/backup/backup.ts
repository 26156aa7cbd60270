/** A backup of the data folder in one file, made while the server runs, and how it is restored. Only for SQLite:
 *  PostgreSQL has its own tools (docs/operating.md). The file is a gzipped tar archive: `manifest.json`,
 *  `clearway.db`, and `secret` on request. */
import { DAY_MS } from '#contract/durations.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { create, extract } from 'tar';
import { z } from 'zod';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { everyHour } from '../../everyHour.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { DATABASE_FILE, FIRST_SCHEMA, LATEST_SCHEMA } from '../../db/open.ts';
import { SECRET_FILE } from '../../accounts/secrets.ts';

const MANIFEST = 'manifest.json';
const WORK = '.clearway-backup-';
/** No backup takes this long, so a work folder of this age was left by a process that was killed. */
const WORK_MAX_MS = 24 * 60 * 60 * 1000;

const Manifest = z.object({
  product: z.literal('clearway'),
  version: z.string(),
  /** The name of the newest migration in the backup. */
  schema: z.string(),
  made_at: z.iso.datetime(),
  database: z.object({ bytes: z.number(), sha256: z.string() }),
  /** Rows by table. */
  counts: z.record(z.string(), z.number()),
  secret: z.boolean(),
});
type Manifest = z.infer<typeof Manifest>;

/** A problem in words for the operator. */
class BackupProblem extends Error {}

/** Writes the archive, readable only for its owner. A file with that name is replaced only when the new one is
 *  complete. */
export async function makeBackup({
  dataDir,
  file,
  withSecret,
  now,
}: {
  dataDir: string;
  file: string;
  withSecret: boolean;
  now: Date;
}): Promise<Manifest> {
  const database = join(resolve(dataDir), DATABASE_FILE);
  const secret = join(resolve(dataDir), SECRET_FILE);
  if (!(await isThere(database))) throw new BackupProblem(`There is no database in ${dataDir}.`);
  if (withSecret && !(await isThere(secret)))
    throw new BackupProblem(
      `There is no secret in ${dataDir}: it is in the setting SECRET. Keep that yourself.`,
    );

  const target = resolve(file);
  await clearAfterKilled(dirname(target), now);
  const work = await mkdtemp(join(dirname(target), WORK)).catch((error: Error) => {
    throw new BackupProblem(`Cannot write into ${dirname(target)}: ${error.message}`, { cause: error });
  });
  try {
    const copy = join(work, DATABASE_FILE);
    const counts = await copyDatabase(database, copy);
    const manifest: Manifest = {
      product: 'clearway',
      version: packageJson.version,
      schema: schemaOf(copy),
      made_at: now.toISOString(),
      database: { bytes: (await stat(copy)).size, sha256: await sha256(copy) },
      counts,
      secret: withSecret,
    };
    await writeFile(join(work, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    if (withSecret) await copyFile(secret, join(work, SECRET_FILE));

    const draft = join(work, 'archive');
    const names = [MANIFEST, DATABASE_FILE, ...(withSecret ? [SECRET_FILE] : [])];
    await create({ gzip: { level: 6 }, cwd: work, portable: true, file: draft, mode: 0o600 } as never, names);
    await chmod(draft, 0o600);
    await flush(draft);
    await rename(draft, target);
    return manifest;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Deletes work folders of processes that were killed. Each holds a copy of the whole database, so they would fill
 *  the disk. */
async function clearAfterKilled(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(WORK))) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < now.getTime() - WORK_MAX_MS) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Copies the database as it is at one moment, whatever is written meanwhile. It is one statement, because SQLite's
 *  backup page by page begins again after every write of the server, and would never end on a busy one. Returns the
 *  number of rows by table. */
async function copyDatabase(from: string, to: string): Promise<Record<string, number>> {
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    source.prepare('vacuum into ?').run(to);
  } finally {
    source.close();
  }
  await chmod(to, 0o600);
  const copy = new Sqlite(to);
  try {
    copy.pragma('journal_mode = DELETE'); // one file
    const damage = copy.pragma('quick_check', { simple: true });
    if (damage !== 'ok') throw new BackupProblem(`The database is damaged: ${String(damage)}`);
    return countsOf(copy);
  } finally {
    copy.close();
  }
}

function countsOf(database: Sqlite.Database): Record<string, number> {
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    tables.map((table) => [
      table,
      database.prepare(`select count(*) from "${table}"`).pluck().get() as number,
    ]),
  );
}

function schemaOf(file: string): string {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare('select max(name) from kysely_migration').pluck().get() as string;
  } finally {
    database.close();
  }
}

/** Unpacks a backup into a folder that does not exist or is empty, after everything in it was checked. */
export async function restoreBackup({ file, dataDir }: { file: string; dataDir: string }): Promise<Manifest> {
  const target = resolve(dataDir);
  const used = await readdir(target).catch(() => []);
  if (used.length > 0)
    throw new BackupProblem(`${dataDir} is not empty. Restore into a folder of its own, named by DATA_DIR.`);
  if (!(await isThere(file))) throw new BackupProblem(`${file}: there is no such file.`);

  await mkdir(dirname(target), { recursive: true });
  const work = await mkdtemp(join(dirname(target), '.clearway-restore-'));
  try {
    await unpack(file, work);
    const manifest = await readManifest(work, file);
    const database = join(work, DATABASE_FILE);
    if ((await sha256(database)) !== manifest.database.sha256)
      throw new BackupProblem(`${file} is damaged: its database is not what its manifest says.`);
    if (manifest.schema > LATEST_SCHEMA)
      throw new BackupProblem(
        `${file} is from a newer Clearway (${manifest.version}, schema ${manifest.schema}). Install that version first.`,
      );
    if (manifest.schema < FIRST_SCHEMA)
      throw new BackupProblem(
        `${file} is from a Clearway before version 1.0.0 (schema ${manifest.schema}), which is not upgraded.`,
      );
    await rm(join(work, MANIFEST));
    for (const name of await readdir(work)) {
      await chmod(join(work, name), 0o600);
      await flush(join(work, name));
    }
    await chmod(work, 0o700);
    await rm(target, { recursive: true, force: true }); // an empty folder
    await rename(work, target);
    return manifest;
  } catch (error) {
    // The unpacker of a torn file may still be writing a file after it has reported the fault.
    await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    throw error;
  }
}

/** Unpacks only the three files of a backup, whatever else is in the archive. */
async function unpack(file: string, into: string): Promise<void> {
  const ours = [MANIFEST, DATABASE_FILE, SECRET_FILE];
  try {
    await extract({ file, cwd: into, strict: true, filter: (path) => ours.includes(path) });
  } catch (error) {
    throw new BackupProblem(`${file} is not a backup, or is damaged.`, { cause: error });
  }
}

async function readManifest(folder: string, file: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')));
  } catch (error) {
    throw new BackupProblem(`${file} is not a backup of Clearway.`, { cause: error });
  }
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Writes the file through to the disk. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

// Automatic backups: once a day into `BACKUP_DIR`, the newest `BACKUP_KEEP` are kept.
const COMMAND = fileURLToPath(new URL('../commands/backup.ts', import.meta.url));
/** Named by the time in UTC, so that they sort by age: `clearway-2026-11-21T0600.tar.gz`. */
const NAME = /^clearway-(\d{4}-\d\d-\d\dT\d{4})\.tar\.gz$/;

interface Parts {
  dataDir: string;
  folder: string;
  keep: number;
  now: () => Date;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

export const startBackups = (parts: Parts) => everyHour(() => backUpWhenDue(parts));

/** Makes a backup if the newest one is older than a day. Never rejects: a failure is logged, and tried again in an
 *  hour. */
export async function backUpWhenDue(parts: Parts): Promise<void> {
  const { folder, keep, now, log } = parts;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = await backupsIn(folder);
    const newest = kept.at(-1);
    const at = now();
    // A backup with a time in the future, from before the clock was set back, does not delay the next one.
    const age = newest === undefined ? DAY_MS : Math.abs(at.getTime() - timeOf(newest));
    if (age < DAY_MS) return;

    const name = `clearway-${at.toISOString().slice(0, 16).replace(':', '')}.tar.gz`;
    await runCommand(join(folder, name), parts.dataDir);
    log.info({ name }, 'backed up');
    for (const old of (await backupsIn(folder)).slice(0, -keep)) await rm(join(folder, old));
  } catch (error) {
    log.error({ err: error, folder }, 'The backup failed');
  }
}

/** Oldest first. */
const backupsIn = async (folder: string) => (await readdir(folder)).filter((name) => NAME.test(name)).sort();

const timeOf = (name: string) => Date.parse(NAME.exec(name)![1]!.replace(/(\d\d)$/, ':$1:00Z'));

/** Makes the backup in a process of its own, because checking and counting a large database would block the service. */
async function runCommand(file: string, dataDir: string): Promise<void> {
  const command = spawn(process.execPath, [COMMAND, file], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(command, 'close')) as [number | null];
  if (code !== 0) throw new Error(said.trim() || `The command ended with ${code}.`);
}
