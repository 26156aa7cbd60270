/** A database of every schema that there has been becomes one of today, with all its rows. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, describe, expect, it } from 'vitest';
import { DATABASE_FILE, LATEST_SCHEMA, MIGRATIONS, openDatabase } from '../../../server/db/open.ts';
import { createPostgresDatabase } from '../../support/databases.ts';
import {
  columnsOf,
  fixtureOf,
  makeSchema,
  migrator,
  SCHEMAS,
  tablesOf,
} from '../../support/schemaFixtures.ts';

type Row = Record<string, unknown>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The kept fixture; of a schema that is newer than the last kept one, what its migrations make. */
async function databaseOf(schema: string): Promise<Sqlite.Database> {
  if (!existsSync(fixtureOf(schema))) return makeSchema(schema);
  const file = new Sqlite(':memory:');
  file.exec(readFileSync(fixtureOf(schema), 'utf8'));
  return file;
}

const contentOf = (file: Sqlite.Database) =>
  new Map(tablesOf(file).map((table) => [table, file.prepare(`select * from ${table}`).all() as Row[]]));

/** What a migration changes on purpose: the reason is in its first line. */
const REWRITTEN: ReadonlySet<string> = new Set([]);

describe('a database of schema', () => {
  it.each(SCHEMAS.filter((schema) => schema !== LATEST_SCHEMA))('%s', async (schema) => {
    const file = await databaseOf(schema);
    const before = contentOf(file);
    for (const [table, rows] of before) expect(rows.length, `${table} has rows to lose`).toBeGreaterThan(0);

    const { error } = await migrator(file).migrateToLatest();
    expect(error).toBeUndefined();
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(file.pragma('foreign_key_check')).toEqual([]);

    const after = contentOf(file);
    for (const [table, rows] of before) {
      const now = after.get(table);
      if (!now) continue;
      const columns = columnsOf(file, table).map(({ name }) => name);
      for (const row of rows) {
        const kept = Object.fromEntries(
          Object.entries(row).filter(
            ([name]) => columns.includes(name) && !REWRITTEN.has(`${table}.${name}`),
          ),
        );
        expect(now, `${table} from ${schema}`).toContainEqual(expect.objectContaining(kept));
      }
    }
    file.close();
  });

  it('keeps a table for as long as nothing else holds what was in it', async () => {
    const first = await databaseOf(SCHEMAS[0]!);
    const then = tablesOf(first);
    await migrator(first).migrateToLatest();
    const now = tablesOf(first);
    expect(then.filter((table) => !now.includes(table))).toEqual([]);
  });
});

it('the first schema opens as the server opens it, from its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clearway-upgrade-'));
  folders.push(folder);
  const file = await databaseOf(SCHEMAS[0]!);
  const users = (contentOf(file).get('users') ?? []).length;
  await file.backup(join(folder, DATABASE_FILE));
  file.close();

  const { db, close } = await openDatabase({ dataDir: folder });
  expect(await db.selectFrom('users').select('id').execute()).toHaveLength(users);
  await close();
});

it('the first schema becomes today’s on PostgreSQL too', async () => {
  const { url, drop } = await createPostgresDatabase();
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const own = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  await own.migrateTo(SCHEMAS[0]!);

  const source = await databaseOf(SCHEMAS[0]!);
  const before = contentOf(source);
  for (const [table, rows] of before)
    await db
      .insertInto(table as never)
      .values(rows as never)
      .execute();
  const { error } = await own.migrateToLatest();
  expect(error).toBeUndefined();
  for (const [table, rows] of before) {
    const now = (await db
      .selectFrom(table as never)
      .selectAll()
      .execute()) as Row[];
    expect(now.length, table).toBeGreaterThanOrEqual(rows.length);
  }
  await close();
  await drop();
});
