/** Statements about rows of one table that are named by the values of their columns. */
import {
  type Expression,
  type ExpressionBuilder,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  PostgresAdapter,
  sql,
  type SqlBool,
} from 'kysely';
import { chunks, IDS_PER_STATEMENT, rowCount, ROWS_PER_STATEMENT } from './batches.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import type { NewRow, RowOf, Tables } from './schema.ts';

/** By column: the value that the rows have, or a list that their value is in. */
type Wanted<T extends keyof Tables> = {
  [Name in keyof RowOf<T>]?: RowOf<T>[Name] | readonly RowOf<T>[Name][];
};

type Condition = (eb: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>;

/** The rows of a table that have these values; null stands for an empty column. With a long list this takes several
 *  statements, with an empty one none. Throws without any value, which would mean all rows. `order`: the columns by
 *  which the rows of each statement are sorted. */
export function rowsWith<T extends keyof Tables>(
  db: Db,
  table: T,
  values: Wanted<T>,
  order: readonly (keyof RowOf<T> & string)[] = [],
) {
  const wanted = Object.entries<unknown>(values);
  if (wanted.length === 0) throw new Error(`No value names the rows of ${table}`);
  const [name, list = [0]] = wanted.find(([, value]) => Array.isArray(value)) ?? [];
  const have: readonly Condition[] = [...chunks(list as unknown[], IDS_PER_STATEMENT)].map(
    (some) => (eb) =>
      eb.and(
        wanted.map(([column, value]) =>
          column === name ? eb(column, 'in', some) : eb(column, value === null ? 'is' : '=', value),
        ),
      ),
  );
  const sum = async (count: (condition: Condition) => Promise<number | bigint>): Promise<number> => {
    let total = 0;
    for (const one of have) total += Number(await count(one));
    return total;
  };

  /** These columns of the rows; without names, all columns. */
  const all = async <Name extends keyof RowOf<T> & string>(...names: Name[]) => {
    const found: Pick<RowOf<T>, Name>[] = [];
    for (const one of have) {
      const rows = anyTable(db).selectFrom<string>(table).where(one);
      const sorted = order.reduce((before, name) => before.orderBy(name), rows);
      const some = names.length > 0 ? sorted.select(names) : sorted.selectAll();
      // The rows are added one by one, because `push(...rows)` fails with too many of them.
      for (const row of await some.$castTo<Pick<RowOf<T>, Name>>().execute()) found.push(row);
    }
    return found;
  };

  return {
    all,
    first: async <Name extends keyof RowOf<T> & string>(
      ...names: Name[]
    ): Promise<Pick<RowOf<T>, Name> | undefined> => (await all(...names))[0],

    count: () => sum((one) => rowCount(anyTable(db).selectFrom<string>(table).where(one))),

    /** Sets these columns. Promises the number of rows. */
    set: (
      columns:
        | Partial<RowOf<T>>
        | ((eb: ExpressionBuilder<Tables, T>) => { [Name in keyof RowOf<T>]?: unknown }),
    ): Promise<number> =>
      sum(async (one) => {
        const rows = anyTable(db).updateTable<string>(table).where(one);
        return (await rows.set(columns as Record<string, unknown>).executeTakeFirstOrThrow()).numUpdatedRows;
      }),

    /** Deletes them. Promises their number. */
    remove: (): Promise<number> =>
      sum(async (one) => {
        const rows = anyTable(db).deleteFrom<string>(table).where(one);
        return (await rows.executeTakeFirstOrThrow()).numDeletedRows;
      }),
  };
}

/** Deletes the rows whose time in `column` is earlier than `before`. */
export async function removeBefore<T extends keyof Tables>(
  db: Db,
  table: T,
  column: keyof RowOf<T> & string,
  before: Instant,
): Promise<void> {
  await anyTable(db)
    .deleteFrom<string>(table)
    .where(column as string, '<', iso(before))
    .execute();
}

/** Adds the rows that are new: no stored row has the same values in these columns or, without names, in any of the
 *  table's keys. Promises whether any was added. */
export const insertNew = <T extends keyof Tables>(
  db: Db,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
  same: readonly (keyof RowOf<T> & string)[] = [],
): Promise<boolean> =>
  inserted(db, table, rows, (some) =>
    some.onConflict((conflict) => (same.length > 0 ? conflict.columns([...same]) : conflict).doNothing()),
  );

/** Adds rows. Each replaces the stored row with the same values in these columns. `replaced`: the columns that are
 *  replaced; otherwise all others. */
export async function putRow<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
  same: readonly (keyof RowOf<T> & string)[],
  replaced?: readonly string[],
): Promise<void> {
  const names = Object.keys([rows].flat()[0] ?? {});
  const others = replaced ?? names.filter((name) => !(same as readonly string[]).includes(name));
  await inserted(db, table, rows, (some) =>
    some.onConflict((conflict) =>
      conflict
        .columns([...same])
        .doUpdateSet((eb) => Object.fromEntries(others.map((name) => [name, eb.ref(`excluded.${name}`)]))),
    ),
  );
}

export const addRows = <T extends keyof Tables>(
  db: Db,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
): Promise<boolean> => inserted(db, table, rows, (some) => some);

type Inserting = InsertQueryBuilder<AnyTables, string, InsertResult>;

/** A long list takes several statements, and an empty one none. */
async function inserted(
  db: Db,
  table: keyof Tables,
  rows: object | readonly object[],
  settle: (some: Inserting) => Inserting,
): Promise<boolean> {
  let isAny = false;
  for (const some of chunks([rows].flat(), ROWS_PER_STATEMENT)) {
    const inserting = anyTable(db)
      .insertInto<string>(table)
      .values(some as Record<string, unknown>[]);
    const { numInsertedOrUpdatedRows = 0n } = await settle(inserting).executeTakeFirstOrThrow();
    isAny ||= numInsertedOrUpdatedRows > 0n;
  }
  return isAny;
}

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
