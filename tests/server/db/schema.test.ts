import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Db, openDatabase, openMemoryDatabase } from '../../../server/db/open.ts';
import { createPostgresDatabase } from '../../support/databases.ts';

/** Each table's columns, described in the same words for both databases. */
async function columnsOf(db: Db) {
  const tables = await db.introspection.getTables();
  return new Map(
    tables
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ name, columns }) => [
        name,
        columns.map((one) => ({
          name: one.name,
          type: one.dataType.toLowerCase().replace('int4', 'integer').replace('float8', 'double precision'),
          isNullable: one.isNullable,
          hasDefaultValue: one.hasDefaultValue && !one.isAutoIncrementing,
        })),
      ]),
  );
}

it('both databases have the same tables and columns', async () => {
  const memory = await openMemoryDatabase();
  const { url, drop } = await createPostgresDatabase();
  const postgres = await openDatabase({ dataDir: '', databaseUrl: url });
  try {
    const [ours, theirs] = [await columnsOf(memory.db), await columnsOf(postgres.db)];
    expect(ours.size).toBeGreaterThan(50);
    expect([...theirs.keys()]).toEqual([...ours.keys()]);
    for (const [table, columns] of ours) expect(theirs.get(table), table).toEqual(columns);
  } finally {
    await memory.close();
    await postgres.close();
    await drop();
  }
});

it('PostgreSQL compares every text by its bytes, as SQLite does', async () => {
  const { url, drop } = await createPostgresDatabase();
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
  try {
    const { rows } = await sql<{ column: string; by: string | null }>`
      select table_name || '.' || column_name as column, collation_name as by
      from information_schema.columns where table_schema = 'public' and data_type = 'text'`.execute(db);
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter(({ by }) => by !== 'C')).toEqual([]);
  } finally {
    await close();
    await drop();
  }
});
