/** Both engines, each with a database of its own. In a test file:
 *
 *      describe.each(DATABASES)('users on $engine', ({ open, once }) => {
 *        const database = useDatabase(open);
 *        it('...', async () => { await users(database.db).byId('1') });
 *        once('...', async () => { ... });
 *      });
 *
 *  `once` is `it` on SQLite alone, for a rule above the storage: other tests of the file send each of its statements
 *  to PostgreSQL too.
 */
import { randomBytes } from 'node:crypto';
import { PostgresAdapter, sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeEach, inject, it } from 'vitest';
import { EVERYONE } from '../../server/accounts/teams.ts';
import { type Db, openDatabase, openMemoryDatabase } from '../../server/db/open.ts';
import { type RowOf, TABLES } from '../../server/db/schema.ts';

export interface TestDatabase {
  db: Db;
  /** True for PostgreSQL only. */
  url?: string;
  /** Another node's own connections to the same database. SQLite has one process: there it is the same object. */
  node(): Promise<Db>;
  close(): Promise<void>;
}

interface Engine {
  engine: 'sqlite' | 'postgres';
  open: () => Promise<TestDatabase>;
  once: typeof it;
}

const declareNothing = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;

export const DATABASES: readonly Engine[] = [
  { engine: 'sqlite', open: openTestSqlite, once: it },
  { engine: 'postgres', open: openTestPostgres, once: declareNothing },
];

/** A database that is opened by the first test of its `describe`, empty at the start of each test, and closed after
 *  the last. Without PostgreSQL every one of its tests fails. */
export function useDatabase(open: () => Promise<TestDatabase>): TestDatabase {
  let opened: TestDatabase | undefined;
  beforeEach(async () => {
    opened ??= await open();
    await emptyTables(opened.db);
  });
  afterAll(() => opened?.close());
  return {
    get db() {
      return opened!.db;
    },
    get url() {
      return opened!.url;
    },
    node: () => opened!.node(),
    close: () => opened!.close(),
  };
}

async function openTestSqlite(): Promise<TestDatabase> {
  const { db, close } = await openMemoryDatabase();
  return { db, node: async () => db, close };
}

/** A migrated database that is copied for each test, because migrating takes longer. */
let template: Promise<{ name: string; teams: RowOf<'teams'>[] }> | undefined;

/** Databases that no test uses, empty and still open: opening one takes fifty times as long as emptying it. */
const spare: Awaited<ReturnType<typeof openCopy>>[] = [];

async function openCopy(of: string) {
  const { url, drop } = await createPostgresDatabase(of);
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
  return { url, db, drop: () => close().then(drop) };
}

async function openTestPostgres(): Promise<TestDatabase> {
  template ??= (async () => {
    const { url, name } = await createPostgresDatabase();
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
    const teams = await db.selectFrom('teams').selectAll().execute();
    await close();
    return { name, teams };
  })();
  const { name, teams } = await template;
  const copy = spare.pop() ?? (await openCopy(name));
  const db = copy.db.withoutPlugins(); // another object, because the product keeps some answers for each
  const others: (() => Promise<void>)[] = [];

  /** Rejects if a test took a table away, or closed the database itself. */
  const empty = async () => {
    await emptyTables(db);
    await db.deleteFrom('teams').execute();
    await db.insertInto('teams').values(teams).execute();
  };
  return {
    db,
    url: copy.url,
    async node() {
      const other = await openDatabase({ dataDir: '', databaseUrl: copy.url });
      others.push(other.close);
      return other.db;
    },
    async close() {
      await Promise.all(others.map((closeOther) => closeOther()));
      const isWhole = await empty().then(
        () => true,
        () => false,
      );
      if (isWhole) spare.push(copy);
      else await copy.drop();
    },
  };
}

/** A new database on the run's server: a copy of another, or one without tables. */
export async function createPostgresDatabase(
  copied = 'template1',
): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const answer = await fetch(inject('postgresDoor'));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);

  const name = `clearway_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await administer(server, `create database ${name} template ${copied}`);
  return { url: url.href, name, drop: () => administer(server, `drop database ${name} with (force)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Empties the tables between two tests. The team of everybody stays, because a migration made it. */
export async function emptyTables(db: Db): Promise<void> {
  // The order breaks no reference between the tables.
  const statements = Object.keys(TABLES)
    .toReversed()
    .map((table) =>
      table === 'teams' ? `delete from teams where id <> '${EVERYONE}'` : `delete from ${table}`,
    );
  // PostgreSQL takes all statements in one go, which saves fifty journeys; SQLite takes one at a time.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const text of isPostgres ? [statements.join(';')] : statements) await sql.raw(text).execute(db);
}
