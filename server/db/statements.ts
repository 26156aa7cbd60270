/** Statements about rows of one table that are named by the values of their columns. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Db } from './open.ts';
import type { NewRow, RowOf, Tables } from './schema.ts';

/** The rows of a table that have these values; null stands for an empty column. */
export function rowsWith<T extends keyof Tables>(db: Db, table: T, values: Partial<RowOf<T>>) {
  const have = (eb: ExpressionBuilder<AnyTables, string>) =>
    eb.and(Object.entries(values).map(([name, value]) => eb(name, value === null ? 'is' : '=', value)));

  return {
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
  const { numInsertedOrUpdatedRows = 0n } = await anyTable(db)
    .insertInto<string>(table)
    .values(rows)
    .onConflict((conflict) => conflict.columns([...same]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

type AnyTables = Record<string, Record<string, unknown>>;

/** The compiler cannot follow the types of a table that is only known as `T`. The functions above check them. */
const anyTable = (db: Db) => db as unknown as Kysely<AnyTables>;
