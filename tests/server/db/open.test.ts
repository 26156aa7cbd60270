import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { facts } from '../../../server/http/documents/fetchedFacts.ts';
import { inQuickTransaction } from '../../../server/db/statements.ts';
import {
  type Db,
  openBeside,
  type OpenDatabase,
  openDatabase,
  openMemoryDatabase,
  pendingMigrations,
  stepsOf,
} from '../../../server/db/open.ts';
import { users } from '../../../server/accounts/users.ts';
import { createPostgresDatabase, DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from '../accounts/people.ts';

const FOLDER_USER = fileURLToPath(new URL('folderUser.ts', import.meta.url));

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  let home: string;
  const processes: ChildProcess[] = [];
  const opened: OpenDatabase[] = [];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'clearway-open-'));
  });
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
    for (const child of processes.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
        await once(child, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  });
  const open = async (dataDir = home) => {
    const database = await openDatabase({ dataDir });
    opened.push(database);
    return database;
  };

  /** The process, and its first words. */
  async function startOther(dataDir = home): Promise<{ child: ChildProcess; said: string }> {
    const child = spawn(process.execPath, [FOLDER_USER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    processes.push(child);
    const [said] = await once(createInterface(child.stdout!), 'line');
    return { child, said };
  }

  it('lets other work have its turn between long queries', async () => {
    const { db } = await open();
    let turns = 0;
    const other = () => {
      turns++;
      next = setImmediate(other);
    };
    let next = setImmediate(other);
    for (let times = 0; times < 3; times++) {
      await sql`with recursive counted(at) as (select 1 union all select at + 1 from counted where at < 1000000)
        select max(at) from counted`.execute(db);
    }
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('moves what a transaction has written out of the log when it is long', async () => {
    const { db } = await open();
    const log = async () => {
      const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(
        db,
      );
      return rows[0]!;
    };
    const write = (pages: number) =>
      db
        .transaction()
        .execute((trx) => facts(trx, () => new Date()).set(`${pages}`, 'x'.repeat(pages * 4096)));
    await write(10);
    expect((await log()).checkpointed).toBe(0);
    await write(1100);
    const { log: written, checkpointed } = await log();
    expect(written).toBeGreaterThan(1100);
    expect(checkpointed).toBe(written);
  });

  it('never writes between another transaction’s reads and writes', async () => {
    const { db } = await open();
    await users(db).insert(person('ann'));
    const beside = new Sqlite(join(home, 'clearway.db'), { timeout: 0 });
    const rename = () => beside.exec("update users set display_name = 'Ann, from beside'");

    await db.transaction().execute(async (trx) => {
      await users(trx).byId('ann');
      // If the transaction did not wait for its turn, it would fail at its first change.
      expect(rename).toThrow('database is locked');
      await users(trx).setPasswordHash('ann', 'new');
    });
    rename();
    beside.close();
    expect(await users(db).byId('ann')).toMatchObject({
      password_hash: 'new',
      display_name: 'Ann, from beside',
    });
  });

  it('commits on disk for others while a quick transaction waits for another program', async () => {
    const { db } = await open();
    const beside = new Sqlite(join(home, 'clearway.db'));
    beside.exec('begin immediate');
    const synchronous = async (at: Db) => {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(at);
      return rows[0]!.synchronous;
    };

    const quick = inQuickTransaction(db, synchronous);
    // It gets its turn when the other has begun to wait.
    expect(await synchronous(db)).toBe(2);
    beside.exec('rollback');
    beside.close();
    expect(await quick).toBe(1);
    expect(await synchronous(db)).toBe(2);
  });

  it('can be opened beside its process if it has a database of this version, and is never created', async () => {
    await expect(openBeside({ dataDir: home })).rejects.toThrow(`There is no database in ${home}.`);
    expect(readdirSync(home)).toEqual([]);

    const { db } = await open();
    const beside = await openBeside({ dataDir: home });
    opened.push(beside);
    await users(beside.db).insert(person('ann'));
    expect(await users(db).byId('ann')).toEqual(person('ann'));

    await sql`delete from kysely_migration where name = '0100-first'`.execute(db);
    await expect(openBeside({ dataDir: home })).rejects.toThrow('The database is from another version.');
  });

  it('is readable by its owner alone, with all its files', async () => {
    const dataDir = join(home, 'deep', 'data');
    const { db } = await open(dataDir);
    await users(db).insert(person('ann'));

    expect(mode(dataDir)).toBe('700');
    expect(mode(join(dataDir, 'clearway.db'))).toBe('600');
    expect(mode(join(dataDir, 'clearway.db-wal'))).toBe('600');
    expect(mode(join(dataDir, 'lock.db'))).toBe('600');
  });

  it('keeps what was written, and every commit on disk', async () => {
    const first = await openDatabase({ dataDir: home });
    expect(first.engine).toBe('sqlite');
    await users(first.db).insert(person('ann'));
    await first.close();

    const { db } = await open();
    expect(await users(db).byId('ann')).toEqual(person('ann'));
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      return Object.values(rows[0]!)[0];
    };
    expect([
      await pragma('journal_mode'),
      await pragma('synchronous'),
      await pragma('foreign_keys'),
      await pragma('mmap_size'),
    ]).toEqual(['wal', 2, 1, 4 * 1024 * 1024]);
  });

  it('refuses a second process with a way out, and leaves the first unharmed', async () => {
    const { db } = await open();
    const { said } = await startOther();

    expect(said).toBe(
      `Another Clearway already uses the data folder ${home}. Stop it first, or give this one a folder of its own with DATA_DIR.`,
    );
    expect(await users(db).insert(person('ann'))).toBe(true);
  });

  it('refuses this process when another has it, or when it already has it', async () => {
    await startOther();
    await expect(openDatabase({ dataDir: home })).rejects.toThrow(/already uses the data folder/);
    const own = join(home, 'own');
    await open(own);
    await expect(openDatabase({ dataDir: own })).rejects.toThrow(/already uses the data folder/);
  });

  it('is free again, with all that was acknowledged, once its process is killed', async () => {
    const { child, said } = await startOther();
    expect(said).toBe('open');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const { db } = await open();
    expect(await facts(db).get('written by')).toBe(String(child.pid));
  });

  it('is free again after an orderly end, or a start that failed', async () => {
    const database = await openDatabase({ dataDir: home });
    await database.close();
    rmSync(join(home, 'clearway.db'));
    writeFileSync(
      join(home, 'clearway.db'),
      'This is no database, however long one looks at it. '.repeat(100),
    );
    await expect(openDatabase({ dataDir: home })).rejects.toThrow(
      /clearway\.db cannot be used: .*not a database/,
    );

    rmSync(join(home, 'clearway.db'));
    expect((await startOther()).said).toBe('open');
  });

  it('is named when it cannot be written', async () => {
    const dataDir = join(home, 'file');
    writeFileSync(dataDir, '');
    await expect(openDatabase({ dataDir })).rejects.toThrow(dataDir);
  });

  it('keeps its mode when it was there before', async () => {
    const dataDir = join(home, 'shared');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o750);
    await open(dataDir);
    expect(mode(dataDir)).toBe('750');
  });
});

describe.each(DATABASES)('the schema on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('is complete after the first start', async () => {
    expect(await pendingMigrations(database.db)).toBe(0);
  });

  it('says when it lags behind', async () => {
    await database.db.transaction().execute(async (trx) => {
      await sql`delete from kysely_migration where name = '0100-first'`.execute(trx);
      expect(await pendingMigrations(trx)).toBe(1);
      // The next test must find it as it was.
      await sql`insert into kysely_migration (name, timestamp) values ('0100-first', '2026-11-21T12:00:00.000Z')`.execute(
        trx,
      );
    });
  });

  it('refuses a session without a user', async () => {
    const orphan = {
      id: 's',
      user_id: 'nobody',
      created_at: '',
      last_used_at: '',
      expires_at: '',
      revoked_at: null,
      revoked_reason: null,
    };
    await expect(database.db.insertInto('sessions').values(orphan).execute()).rejects.toThrow(/foreign key/i);
  });

  it('stores odd text of any length', async () => {
    const text = `'"\\%_\n\r\t€𝄞 ${'x'.repeat(1_000_000)}`;
    await facts(database.db).set('odd', text);
    expect(await facts(database.db).get('odd')).toBe(text);
  });
});

it('makes a new database as it is now, and brings an older one through the later migrations', async () => {
  const { db, close } = await openMemoryDatabase();
  const ran: string[] = [];
  const start = async (...names: string[]) => {
    const steps = stepsOf(
      Object.fromEntries(names.map((name) => [name, { up: async () => void ran.push(name) }])),
    );
    const provider = { getMigrations: async () => steps };
    await new Migrator({ db, provider, migrationTableName: 'steps' }).migrateToLatest();
    return ran.splice(0);
  };
  expect(await start('1-first', '2-second')).toEqual(['1-first']);
  expect(await start('1-first', '2-second', '3-third')).toEqual(['3-third']);
  await close();
});

describe('SQLite', () => {
  it('rolls back a schema that was made only in part', async () => {
    const { db, close } = await openMemoryDatabase();
    expect(db.getExecutor().adapter.supportsTransactionalDdl).toBe(true);
    const half = db.transaction().execute(async (trx) => {
      await trx.schema.createTable('half').addColumn('id', 'text').execute();
      throw new Error('killed');
    });
    await expect(half).rejects.toThrow('killed');
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain('half');
    await close();
  });
});

describe('PostgreSQL', () => {
  it('is made ready once when many nodes start together', async () => {
    const { url, drop } = await createPostgresDatabase();
    const nodes = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase({ dataDir: '', databaseUrl: url })),
    );
    try {
      expect(nodes.map(({ engine }) => engine)).toEqual(Array.from({ length: 5 }, () => 'postgres'));
      await users(nodes[0]!.db).insert(person('ann'));
      expect(await users(nodes[4]!.db).byId('ann')).toEqual(person('ann'));
      const { rows } = await sql`select name from kysely_migration`.execute(nodes[0]!.db);
      const names = rows.map((row) => (row as { name: string }).name);
      expect(names).toContain('0100-first');
      expect(new Set(names).size).toBe(names.length);
    } finally {
      await Promise.all(nodes.map(({ close }) => close()));
      await drop();
    }
  });

  it('keeps what was written, and migrates no second time', async () => {
    const { url, drop } = await createPostgresDatabase();
    try {
      const first = await openDatabase({ dataDir: '', databaseUrl: url });
      await users(first.db).insert(person('ann'));
      await first.close();
      const second = await openDatabase({ dataDir: '', databaseUrl: url });
      expect(await users(second.db).byId('ann')).toEqual(person('ann'));
      await second.close();
    } finally {
      await drop();
    }
  });

  it('may drop our idle connections: the next query makes a new one', async () => {
    const { url, drop } = await createPostgresDatabase();
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
    const other = await openDatabase({ dataDir: '', databaseUrl: url });
    try {
      await users(db).insert(person('ann'));
      const { rows } = await sql<{ application_name: string }>`
        select application_name, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db);
      expect(rows).toContainEqual(expect.objectContaining({ application_name: 'clearway' }));

      await expect
        .poll(
          () =>
            users(db)
              .byId('ann')
              .catch(() => 'broken connection'),
          { timeout: 10_000 },
        )
        .toEqual(person('ann'));
    } finally {
      await close();
      await other.close();
      await drop();
    }
  });

  it('may break a connection during a transaction, which fails, and nothing else does', async () => {
    const { url, drop } = await createPostgresDatabase();
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
    try {
      const broken = db.transaction().execute(async (trx) => {
        await users(trx).insert(person('ann'));
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(db);
        await users(trx).insert(person('bob'));
      });
      await expect(broken).rejects.toThrow();
      expect(await users(db).byId('ann')).toBeUndefined();
    } finally {
      await close();
      await drop();
    }
  });

  it('is named without its password when it cannot be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');

    const failed = openDatabase({
      dataDir: '',
      databaseUrl: `postgres://clearway:secret-word@127.0.0.1:${port}/clearway`,
    });
    await expect(failed).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${port}/clearway cannot be opened: connect ECONNREFUSED`,
    );
    await expect(failed).rejects.not.toThrow(/secret-word/);
  });

  it('refuses an invalid address, without repeating it', async () => {
    const failed = openDatabase({ dataDir: '', databaseUrl: 'secret-word' });
    await expect(failed).rejects.toThrow('DATABASE_URL is not an address such as');
    await expect(failed).rejects.not.toThrow(/secret-word/);
  });
});
