/** Opens and migrates the database: a SQLite file in the data folder, or the PostgreSQL server of `DATABASE_URL`. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolConfig } from 'pg';
import * as first from './migrations/0100-first.ts';
import { readBeside } from './besideReads.ts';
import type { Tables } from './schema.ts';
import { isBusy, oneAtATime, PATIENCE_MS, patiently, inTurns } from './sqliteWaiting.ts';

export type Db = Kysely<Tables>;

/** Sorted by name. From version 1.0.0 on, a released migration never changes. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0100-first': first,
};

/** The name of our newest migration. */
export const LATEST_SCHEMA = Object.keys(MIGRATIONS).sort().at(-1)!;

/** A database of an earlier schema is not upgraded. */
export const FIRST_SCHEMA = Object.keys(MIGRATIONS).sort()[0]!;

export interface OpenDatabase {
  db: Db;
  engine: 'sqlite' | 'postgres';
  close(): Promise<void>;
}

export const DATABASE_FILE = 'clearway.db';
/** How much of the file is mapped. Mapped pages count as memory of the process, which must stay small. */
const MAPPED_MAX_BYTES = 4 * 1024 * 1024;

const STATEMENTS_KEPT = 200;
/** Longer statements are not kept: they insert hundreds of rows, seldom repeat, and take much memory. */
const STATEMENT_LENGTH_KEPT = 2000;

/** The pages of the log from which they are moved into the database file; SQLite's own limit. */
const LOG_PAGES = 1000;
/** SQLite moves the pages by itself from this many on; only writes outside a transaction reach it. */
const LOG_PAGES_MAX = 20_000;

/** Locks are kept for the life of the process: when a connection is garbage-collected, its lock is lost. */
const heldLocks = new Set<Sqlite.Database>();

/** Throws when another process uses the folder, or the server cannot be reached. The message says what to do. */
export async function openDatabase({
  dataDir,
  databaseUrl,
  patienceMs,
}: {
  dataDir: string;
  databaseUrl?: string;
  /** How long a write waits for a write of another program, in ms. */
  patienceMs?: number;
}): Promise<OpenDatabase> {
  return databaseUrl ? openPostgres(databaseUrl) : openFolder(resolve(dataDir), patienceMs);
}

/** Opens the same database for an operator's command while a server may be using it. Takes no lock, creates nothing
 *  and migrates nothing. Throws when there is no database, or one of an earlier version; the message says how to
 *  help it. */
export async function openBeside({
  dataDir,
  databaseUrl,
}: {
  dataDir: string;
  databaseUrl?: string;
}): Promise<OpenDatabase> {
  const opened = databaseUrl
    ? connectPostgres(databaseUrl)
    : connectSqlite(existingFile(resolve(dataDir)), dataDir);
  try {
    if ((await pendingMigrations(opened.db)) === 0) return opened;
  } catch (error) {
    await opened.close();
    const where = databaseUrl ? describePostgres(databaseUrl) : `The database in ${resolve(dataDir)}`;
    throw new Error(`${where} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  await opened.close();
  throw new Error('The database is from another version. Start the server once to update it.');
}

function existingFile(dataDir: string): Sqlite.Database {
  const file = join(dataDir, DATABASE_FILE);
  if (existsSync(file)) return new Sqlite(file, { fileMustExist: true });
  throw new Error(
    `There is no database in ${dataDir}. Start the server first, or name its folder with DATA_DIR, or its PostgreSQL with DATABASE_URL.`,
  );
}

/** An empty, migrated, private database. It is a copy of the first one of the process, because migrating takes ten
 *  times as long. */
export async function openMemoryDatabase(): Promise<OpenDatabase & { engine: 'sqlite' }> {
  empty ??= (async () => {
    const file = new Sqlite(':memory:');
    await migrate(connectSqlite(file, ':memory:').db, ':memory:');
    const bytes = file.serialize();
    file.close();
    return bytes;
  })();
  return connectSqlite(new Sqlite(await empty), ':memory:');
}

let empty: Promise<Buffer> | undefined;

/** How many of this version's migrations the database lacks. */
export async function pendingMigrations(db: Db): Promise<number> {
  const migrations = await migratorOf(db).getMigrations();
  return migrations.filter(({ executedAt }) => !executedAt).length;
}

async function openFolder(dataDir: string, patienceMs?: number): Promise<OpenDatabase> {
  makeFolder(dataDir);
  const lock = lockFolder(dataDir);
  const release = () => {
    heldLocks.delete(lock);
    lock.close();
  };
  try {
    const file = join(dataDir, DATABASE_FILE);
    // SQLite gives its side files the mode of the main file: other users must not read them, whatever the folder's
    // mode.
    closeSync(openSync(file, 'a', 0o600));
    const { db, close } = await openSqlite(new Sqlite(file), file, patienceMs);
    const beside = new Sqlite(file, { readonly: true });
    const value = beside.prepare('select value from revisions where name = ?').pluck();
    const values = beside.prepare('select name, value from revisions').raw();
    readBeside(db, {
      one: (name) => (value.get(name) as number | undefined) ?? 0,
      all: () => new Map(values.all() as [name: string, value: number][]),
    });
    return {
      db,
      engine: 'sqlite',
      async close() {
        beside.close();
        await close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(
      `DATA_DIR names ${dataDir}, which is not a folder and cannot be created (${(error as NodeJS.ErrnoException).code}).`,
      { cause: error },
    );
  }
}

/** An exclusive lock on a separate file, so that the database stays readable for backups. kill -9 frees it. */
function lockFolder(dataDir: string): Sqlite.Database {
  const file = join(dataDir, 'lock.db');
  closeSync(openSync(file, 'a', 0o600));
  // A lock file of an earlier version could be read, and held, by everybody.
  chmodSync(file, 0o600);
  const lock = new Sqlite(file, { timeout: 500 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `Another Clearway already uses the data folder ${dataDir}. Stop it first, or give this one a folder of its own with DATA_DIR.`,
      { cause: error },
    );
  }
  heldLocks.add(lock);
  return lock;
}

/** SQLite can roll back DDL, which Kysely does not use by default: a kill during the first start must leave no
 *  half-made tables. A transaction takes the write lock when it begins: after a read, SQLite would let it fail
 *  instead of waiting for a command that writes beside the server. */
class OurSqliteDialect extends SqliteDialect {
  readonly #file: Sqlite.Database;
  readonly #kept: SqliteDatabase;
  readonly #patienceMs: number;

  constructor(file: Sqlite.Database, patienceMs: number) {
    super({ database: file });
    this.#file = file;
    this.#patienceMs = patienceMs;
    this.#kept = { prepare: keptStatements(file), close: () => void file.close() };
  }

  override createDriver() {
    const file = this.#file;
    const isSmall = file.memory;
    const use = oneAtATime();
    const wait = { file, use, patienceMs: this.#patienceMs };
    return new (class extends SqliteDriver {
      #connection: DatabaseConnection | undefined;

      override async acquireConnection() {
        await use.begin();
        const own = await super.acquireConnection();
        return (this.#connection ??= isSmall ? own : patiently(inTurns(own), wait));
      }

      override async releaseConnection() {
        use.end();
      }

      override async beginTransaction(connection: DatabaseConnection) {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
      }

      override async rollbackTransaction(connection: DatabaseConnection) {
        // After some faults, such as a full disk, SQLite has rolled back already. The caller must get that fault
        // and not one of the rollback.
        if (!file.inTransaction) return;
        await super.rollbackTransaction(connection);
      }

      override async commitTransaction(connection: DatabaseConnection) {
        await super.commitTransaction(connection);
        await moveIntoFile(connection);
      }
    })({ database: this.#kept });
  }

  override createAdapter() {
    return new (class extends SqliteAdapter {
      /** There is only one connection, and the driver gives it to one user at a time. With `false`, Kysely would not
       *  take it back from a user that waits. */
      override get supportsMultipleConnections() {
        return true;
      }

      override get supportsTransactionalDdl() {
        return true;
      }
    })();
  }
}

/** Prepares each statement only once, because preparing takes longer than most of our queries. */
function keptStatements(file: Sqlite.Database): SqliteDatabase['prepare'] {
  const kept = new LRUCache<string, Sqlite.Statement<unknown[]>>({ max: STATEMENTS_KEPT });
  return (text) => {
    const statement = kept.get(text) ?? file.prepare(text);
    if (text.length <= STATEMENT_LENGTH_KEPT && /^(select|insert|update|delete)\b/i.test(text))
      kept.set(text, statement);
    return statement;
  };
}

/** Moves written pages from SQLite's log into the database file after a commit. SQLite would do that within the
 *  commit, which would block the thread for too long. */
async function moveIntoFile(connection: DatabaseConnection): Promise<void> {
  const checkpoint = async (mode: 'noop' | 'passive') => {
    const { rows } = await connection.executeQuery<{ log: number }>(
      CompiledQuery.raw(`pragma wal_checkpoint(${mode})`),
    );
    return rows[0]?.log ?? 0;
  };
  try {
    if ((await checkpoint('noop')) >= LOG_PAGES) await checkpoint('passive');
  } catch {
    // By design: the transaction is committed, and the next one tries again.
  }
}

async function openSqlite(
  file: Sqlite.Database,
  where: string,
  patienceMs?: number,
): Promise<OpenDatabase & { engine: 'sqlite' }> {
  const opened = connectSqlite(file, where, patienceMs);
  await migrate(opened.db, where);
  return opened;
}

function connectSqlite(
  file: Sqlite.Database,
  where: string,
  patienceMs = PATIENCE_MS,
): OpenDatabase & { engine: 'sqlite' } {
  try {
    file.pragma('journal_mode = WAL');
    // With NORMAL, the library's default with WAL, a power failure can lose acknowledged commits.
    file.pragma('synchronous = FULL');
    file.pragma('foreign_keys = ON');
    // Deleted values, such as a driver's name, are overwritten in the file and not only unlinked.
    file.pragma('secure_delete = ON');
    // Mapped pages are read directly from the system's cache: the schema, and pages that are read all the time.
    file.pragma(`mmap_size = ${MAPPED_MAX_BYTES}`);
    // Written pages wait here for their commit. With more pages, the commit of a large poll would block everybody.
    file.pragma('cache_size = -4000');
    file.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`);
    // SQLite would wait in the service's own thread and block everybody, so `patiently` waits instead.
    file.pragma('busy_timeout = 0');
  } catch (error) {
    file.close();
    throw new Error(`The database ${where} cannot be used: ${(error as Error).message}`, { cause: error });
  }

  const db: Db = new Kysely<Tables>({ dialect: new OurSqliteDialect(file, patienceMs) });
  return {
    db,
    engine: 'sqlite',
    async close() {
      try {
        if (file.open) file.pragma('optimize');
      } catch {
        // By design: this only makes the next start quicker, and cannot be written when the disk is full.
      }
      await db.destroy();
    },
  };
}

async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const where = describePostgres(databaseUrl);

  // There is no statement timeout here: a starting node waits for the node that migrates, however long that takes.
  const forMigration = postgres(databaseUrl, { max: 2 });
  try {
    await migrate(forMigration, where);
  } finally {
    await forMigration.destroy();
  }
  return connectPostgres(databaseUrl);
}

function connectPostgres(databaseUrl: string): OpenDatabase {
  const db = postgres(databaseUrl, {
    max: 10,
    statement_timeout: 30_000,
    // The timeout of the PostgreSQL server does not help when the connection is dead.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  return { db, engine: 'postgres', close: () => db.destroy() };
}

function postgres(databaseUrl: string, options: PoolConfig): Db {
  const pool = async () => {
    // Loaded only here: most installations run on SQLite, and start sooner without it.
    const { Pool } = await import('pg');
    const opened = new Pool({
      connectionString: databaseUrl,
      application_name: 'clearway',
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      ...options,
    });
    // The pool replaces a broken idle connection by itself, but an error event without a listener would end the
    // process.
    opened.on('error', () => {});
    // The same for a connection that breaks between two statements of a transaction. The next statement fails
    // visibly.
    opened.on('connect', (client) => client.on('error', () => {}));
    return cleaning(opened);
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** PostgreSQL text cannot hold U+0000, and any caller can send one. */
const withoutNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\u0000', '') : value);

function cleaning(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      // The driver's other form, a cursor, is for streaming, which we do not use.
      const query = (sql: string, parameters: readonly unknown[]) =>
        client.query(sql, parameters.map(withoutNul));
      return {
        query: query as never,
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
    end: () => pool.end(),
  };
}

/** The server's address without the password. */
function describePostgres(databaseUrl: string): string {
  try {
    const { hostname, port, pathname } = new URL(databaseUrl);
    return `PostgreSQL at ${hostname || 'localhost'}:${port || 5432}${pathname}`;
  } catch {
    throw new Error('DATABASE_URL is not an address such as postgres://user:password@host:5432/clearway.');
  }
}

const migratorOf = (db: Db) =>
  new Migrator({ db, provider: { getMigrations: async () => stepsOf(MIGRATIONS) } });

/** The first migration makes the tables as `schema.ts` has them. In a database that it made, the later ones have
 *  nothing to do. */
export function stepsOf(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  let isNew = false;
  const step = ({ up }: Migration, isFirst: boolean): Migration => ({
    async up(db) {
      if (isNew) return;
      await up(db);
      isNew = isFirst;
    },
  });
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration], index) => [name, step(migration, index === 0)]),
  );
}

/** Nodes that start at the same time take turns: Kysely holds a PostgreSQL advisory lock meanwhile. */
async function migrate(db: Db, where: string): Promise<void> {
  const unknown = await unknownSchema(db);
  if (unknown) {
    await db.destroy();
    throw new Error(
      unknown < FIRST_SCHEMA
        ? `${where} was written by a Clearway before version 1.0.0 (schema ${unknown}), which this one does not upgrade. ` +
            'Name an empty folder with DATA_DIR, or an empty database with DATABASE_URL.'
        : `${where} was written by a newer Clearway (schema ${unknown}; this one knows ${LATEST_SCHEMA}). ` +
            'Install that version again, or restore a backup from before the update.',
    );
  }
  const { error } = await migratorOf(db).migrateToLatest();
  if (!error) return;

  await db.destroy();
  throw new Error(`${where} cannot be opened: ${reasonOf(error)}`, { cause: error });
}

/** The newest migration in the database that this version does not have. Null if there is none, or the database
 *  cannot be read yet. */
async function unknownSchema(db: Db): Promise<string | null> {
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name desc`
    .execute(db)
    .catch(() => null); // the database is empty or cannot be reached: the migrator says which
  return executed?.rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name))?.name ?? null;
}

/** When several connections are refused together, the driver reports only a code. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
