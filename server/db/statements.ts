/** Statements about rows of one table that are named by the values of their columns. */
import { type ExpressionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Db } from './open.ts';
import type { NewRow, RowOf, Tables } from './schema.ts';

/** The rows of a table that have these values; null stands for an empty column. Throws without any value, which would
 *  mean all rows. */
export function rowsWith<T extends keyof Tables>(db: Db, table: T, values: Partial<RowOf<T>>) {
  if (Object.keys(values).length === 0) throw new Error(`No value names the rows of ${table}`);
  const have = (eb: ExpressionBuilder<AnyTables, string>) =>
    eb.and(Object.entries(values).map(([name, value]) => eb(name, value === null ? 'is' : '=', value)));

  /** These columns of the rows; without any, all. */
  const find = <Name extends keyof RowOf<T> & string>(names: readonly Name[]) => {
    const rows = anyTable(db).selectFrom<string>(table).where(have);
    const found = names.length > 0 ? rows.select([...names]) : rows.selectAll();
    return found.$castTo<Pick<RowOf<T>, Name>>();
  };

  return {
    first: <Name extends keyof RowOf<T> & string>(...names: Name[]) => find(names).executeTakeFirst(),
    all: <Name extends keyof RowOf<T> & string>(...names: Name[]) => find(names).execute(),

    /** Sets these columns. Promises the number of rows. */
    async set(columns: Partial<RowOf<T>>): Promise<number> {
      const { numUpdatedRows } = await anyTable(db)
        .updateTable<string>(table)
        .set(columns as Record<string, unknown>)
        .where(have)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    /** Deletes them. Promises their number. */
    async remove(): Promise<number> {
      const { numDeletedRows } = await anyTable(db)
        .deleteFrom<string>(table)
        .where(have)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/** Adds rows. A row stays as it is when another one with the same values in these columns is stored already.
 *  Promises whether any was added. */
export async function insertNew<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
  same: readonly (keyof RowOf<T> & string)[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await inserting(db, table, rows)
    .onConflict((conflict) => conflict.columns([...same]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Adds a row. It replaces another one with the same values in these columns. */
export async function putRow<T extends keyof Tables>(
  db: Db,
  table: T,
  row: NewRow<T>,
  same: readonly (keyof RowOf<T> & string)[],
): Promise<void> {
  const names = Object.keys(row).filter((name) => !(same as readonly string[]).includes(name));
  await inserting(db, table, row)
    .onConflict((conflict) =>
      conflict
        .columns([...same])
        .doUpdateSet((eb) => Object.fromEntries(names.map((name) => [name, eb.ref(`excluded.${name}`)]))),
    )
    .execute();
}

export async function addRows<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
): Promise<void> {
  await inserting(db, table, rows).execute();
}

const inserting = (db: Db, table: keyof Tables, rows: object | readonly object[]) =>
  anyTable(db)
    .insertInto<string>(table)
    .values(rows as Record<string, unknown>);

type AnyTables = Record<string, Record<string, unknown>>;

/** The compiler cannot follow the types of a table that is only known as `T`. The functions above check them. */
const anyTable = (db: Db) => db as unknown as Kysely<AnyTables>;

/** Works in the caller's transaction if there is one, otherwise in its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Works in a transaction of its own that does not wait for the disk at its commit. Other transactions wait, and
 *  with them everybody else on SQLite. Only a power failure in the next moments can lose it, so it is meant for
 *  statistics, and for work that a person would merely do again. */
export function inQuickTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    return db.transaction().execute(async (trx) => {
      await sql`set local synchronous_commit = off`.execute(trx);
      return work(trx);
    });
  return db.connection().execute(async (own) => {
    await sql`pragma synchronous = normal`.execute(own);
    try {
      return await own.transaction().execute(work);
    } finally {
      await sql`pragma synchronous = full`.execute(own);
    }
  });
}
