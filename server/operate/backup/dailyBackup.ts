/** Backups by themselves: once a day into `BACKUP_DIR`, the newest `BACKUP_KEEP` kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { everyHour } from '../everyHour.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const COMMAND = fileURLToPath(new URL('../commands/backup.ts', import.meta.url));
/** By the time, UTC, so that they sort by age: `clearway-2026-11-21T0600.tar.gz`. */
const NAME = /^clearway-(\d{4}-\d\d-\d\dT\d{4})\.tar\.gz$/;

interface Parts {
  dataDir: string;
  folder: string;
  keep: number;
  now: () => Date;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

export const startBackups = (parts: Parts) => everyHour(() => backUpWhenDue(parts));

/** If the newest is older than a day. Never rejects: a failure is logged, and tried again in an hour. */
export async function backUpWhenDue(parts: Parts): Promise<void> {
  const { folder, keep, now, log } = parts;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = await backupsIn(folder);
    const newest = kept.at(-1);
    const at = now();
    // One from the future, left by a clock set back, does not hold up the next.
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

/** In a process of its own: checking and counting a large database would hold everybody up. */
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
