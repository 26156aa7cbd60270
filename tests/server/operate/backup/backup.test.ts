import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUpWhenDue, makeBackup, restoreBackup } from '../../../../server/operate/backup/backup.ts';
import { facts } from '../../../../server/http/documents/fetchedFacts.ts';
import { type OpenDatabase, openDatabase } from '../../../../server/db/open.ts';
import { users } from '../../../../server/accounts/users.ts';
import { keptSecret } from '../../../../server/accounts/secrets.ts';
import { person } from '../../accounts/people.ts';

const NOW = new Date('2026-11-21T06:00:00.000Z');
const DAY_MS = 86_400_000;

let home: string;
let dataDir: string;
let file: string;
let database: OpenDatabase;
const back = () => join(home, 'restored');

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'clearway-backup-test-'));
  dataDir = join(home, 'data');
  file = join(home, 'backup.tar.gz');
  database = await openDatabase({ dataDir });
  for (const name of ['ann', 'bob']) await users(database.db).insert(person(name));
  keptSecret(dataDir);
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

const backUp = (withSecret = false) => makeBackup({ dataDir, file, withSecret, now: NOW });
const restore = () => restoreBackup({ file, dataDir: back() });

/** Every row of every table. */
function rowsOf(folder: string): Record<string, unknown[]> {
  const read = new Sqlite(join(folder, 'clearway.db'), { readonly: true });
  const tables = read
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  const rows = tables.map((name) => [name, read.prepare(`select * from "${name}" order by 1, 2`).all()]);
  read.close();
  return Object.fromEntries(rows) as Record<string, unknown[]>;
}

describe('a backup', () => {
  it('is made while the database is in use, and restores every row', async () => {
    const { counts, schema } = await backUp();
    expect(counts.users).toBe(2);
    expect(schema).toMatch(/^\d{4}-/);
    const before = rowsOf(dataDir);
    await users(database.db).insert(person('carol'));

    await restore();
    expect(rowsOf(back())).toEqual(before);
    const restored = await openDatabase({ dataDir: back() });
    expect((await users(restored.db).list()).map(({ id }) => id)).toEqual(['ann', 'bob']);
    await restored.close();
  });

  it('holds one moment, whatever is written meanwhile', async () => {
    const { db } = database;
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        await db.transaction().execute(async (trx) => {
          await facts(trx).set('first', String(n));
          await facts(trx).set('second', String(n));
        });
      }
    })();
    await backUp();
    over.abort();
    await writing;
    await restore();
    const restored = await openDatabase({ dataDir: back() });
    expect(await facts(restored.db).get('first')).toBe(await facts(restored.db).get('second'));
    await restored.close();
  });

  it('has the secret only on request, and only its owner can read the file', async () => {
    expect((await backUp()).secret).toBe(false);
    await restore();
    expect(await readdir(back())).toEqual(['clearway.db']);
    await rm(back(), { recursive: true });

    expect((await backUp(true)).secret).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await restore();
    expect(keptSecret(back())).toBe(keptSecret(dataDir));
    for (const name of await readdir(back()))
      expect((await stat(join(back(), name))).mode & 0o777, name).toBe(0o600);
  });

  it('leaves the old file if it fails, and nothing beside it', async () => {
    await backUp();
    const old = await readFile(file);
    await expect(
      makeBackup({ dataDir: join(home, 'nowhere'), file, withSecret: false, now: NOW }),
    ).rejects.toThrow('There is no database in');
    await rm(join(dataDir, 'secret'));
    await expect(backUp(true)).rejects.toThrow('it is in the setting SECRET');
    expect(await readFile(file)).toEqual(old);
    expect((await readdir(home)).sort()).toEqual(['backup.tar.gz', 'data']);
  });

  it('clears up after one that was killed a day ago, and leaves one that runs', async () => {
    const [killed, running] = ['.clearway-backup-killed', '.clearway-backup-runs'];
    for (const [name, time] of [
      [killed, NOW.getTime() - DAY_MS - 1] as const,
      [running, NOW.getTime()] as const,
    ]) {
      await mkdir(join(home, name));
      await writeFile(join(home, name, 'clearway.db'), 'half of it');
      await utimes(join(home, name), time / 1000, time / 1000);
    }
    await backUp();
    expect((await readdir(home)).sort()).toEqual([running, 'backup.tar.gz', 'data']);
  });

  it('says where it cannot be written', async () => {
    file = join(home, 'no such folder', 'backup.tar.gz');
    await expect(backUp()).rejects.toThrow(`Cannot write into ${join(home, 'no such folder')}`);
  });
});

describe('restoring', () => {
  it('refuses a folder in use, and changes nothing in it', async () => {
    await backUp();
    const before = rowsOf(dataDir);
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow('is not empty');
    expect(rowsOf(dataDir)).toEqual(before);
  });

  it.each<[string, () => Promise<void>, string]>([
    ['a file that is none', () => writeFile(file, 'a letter'), 'is not a backup'],
    ['an empty file', () => writeFile(file, ''), 'is not a backup'],
    ['a torn file', async () => truncate(file, Math.floor((await stat(file)).size / 2)), 'damaged'],
    [
      'an archive of something else',
      () => archive({ 'letter.txt': 'Dear Sir' }),
      'is not a backup of Clearway',
    ],
    [
      'a database that was changed',
      async () => archive({ 'manifest.json': await manifest(), 'clearway.db': 'other' }),
      'its database is not what its manifest says',
    ],
    [
      'a backup of a newer version',
      async () => {
        const db = await readFile(join(back(), 'clearway.db'));
        await archive({ 'manifest.json': await manifest({ schema: '9999-later' }), 'clearway.db': db });
      },
      'is from a newer Clearway',
    ],
    [
      'a backup from before version 1.0.0',
      async () => {
        const db = await readFile(join(back(), 'clearway.db'));
        await archive({ 'manifest.json': await manifest({ schema: '0034-webhook-off' }), 'clearway.db': db });
      },
      'is from a Clearway before version 1.0.0',
    ],
    ['a file that does not exist', () => rm(file), 'there is no such file'],
  ])('refuses %s in words, and leaves nothing', async (_name, damage, words) => {
    kept = await backUp();
    await restore(); // gives the files that go into the other archives
    await damage();
    await rm(back(), { recursive: true });
    await expect(restore()).rejects.toThrow(words);
    expect((await readdir(home)).filter((name) => name !== 'backup.tar.gz' && name !== 'parts')).toEqual([
      'data',
    ]);
  });

  it('takes only our own files out of an archive', async () => {
    kept = await backUp();
    await restore();
    const db = await readFile(join(back(), 'clearway.db'));
    await archive({ 'manifest.json': await manifest(), 'clearway.db': db, authorized_keys: 'mine' });
    await rm(back(), { recursive: true });
    await restore();
    expect(await readdir(back())).toEqual(['clearway.db']);
  });

  let kept: Awaited<ReturnType<typeof makeBackup>>;
  const manifest = async (changes: object = {}) => JSON.stringify({ ...kept, ...changes });

  async function archive(parts: Record<string, string | Buffer>): Promise<void> {
    const folder = await mkdtemp(join(home, 'parts'));
    for (const [name, content] of Object.entries(parts)) await writeFile(join(folder, name), content);
    await create({ gzip: true, cwd: folder, file }, Object.keys(parts));
    await rm(folder, { recursive: true });
  }
});

it('a database of a newer version is refused in words', async () => {
  await database.close();
  const raw = new Sqlite(join(dataDir, 'clearway.db'));
  raw.prepare("insert into kysely_migration values ('9999-later', '2030-01-01')").run();
  raw.close();
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    /was written by a newer Clearway \(schema 9999-later/,
  );
});

it('a database from before version 1.0.0 is refused in words', async () => {
  await database.close();
  const raw = new Sqlite(join(dataDir, 'clearway.db'));
  raw.prepare('delete from kysely_migration').run();
  for (const name of ['0001-first', '0034-webhook-off'])
    raw.prepare('insert into kysely_migration values (?, ?)').run(name, '2026-11-20');
  raw.close();
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    /was written by a Clearway before version 1\.0\.0 \(schema 0034-webhook-off\)/,
  );
});

describe('daily backups', () => {
  let time: number;
  let problems: unknown[];
  let folder: string;
  beforeEach(() => {
    time = NOW.getTime();
    problems = [];
    folder = join(home, 'backups');
  });
  const round = (keep = 2) =>
    backUpWhenDue({
      dataDir,
      folder,
      keep,
      now: () => new Date(time),
      log: { info: () => {}, error: (fields) => problems.push(fields) },
    });

  it('are made once a day, and the oldest are deleted', { timeout: 60_000 }, async () => {
    await round();
    time += DAY_MS - 1;
    await round();
    expect(await readdir(folder)).toEqual(['clearway-2026-11-21T0600.tar.gz']);
    await writeFile(join(folder, 'letter.txt'), 'not ours');
    for (let day = 1; day <= 2; day++) {
      time = NOW.getTime() + day * DAY_MS;
      await round();
    }
    expect((await readdir(folder)).sort()).toEqual([
      'clearway-2026-11-22T0600.tar.gz',
      'clearway-2026-11-23T0600.tar.gz',
      'letter.txt',
    ]);
    expect(problems).toEqual([]);
    await restoreBackup({ file: join(folder, 'clearway-2026-11-23T0600.tar.gz'), dataDir: back() });
    expect(rowsOf(back()).users).toHaveLength(2);
  });

  it('go on after a clock that was set back by more than a day', { timeout: 60_000 }, async () => {
    await round();
    time -= 2 * DAY_MS;
    await round();
    expect((await readdir(folder)).sort()).toEqual([
      'clearway-2026-11-19T0600.tar.gz',
      'clearway-2026-11-21T0600.tar.gz',
    ]);
  });

  it('say why one failed, and keep the others', { timeout: 60_000 }, async () => {
    await round();
    time += DAY_MS;
    dataDir = join(home, 'nowhere');
    await round();
    expect(String((problems[0] as { err: Error }).err)).toContain('There is no database in');
    expect(await readdir(folder)).toEqual(['clearway-2026-11-21T0600.tar.gz']);
  });
});
