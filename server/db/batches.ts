/** Rows by their number, and in parts: long lists are split so that each part fits into one statement. */
import type { SelectQueryBuilder } from 'kysely';

export const IDS_PER_STATEMENT = 2000;
/** Each row has about 15 columns, and a statement can have only so many parameters. */
export const ROWS_PER_STATEMENT = 500;

export function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** How many rows a query finds. */
export async function rowCount<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const { count } = await query
    .select((eb) => eb.fn.countAll().as('count'))
    .$castTo<{ count: number | string | bigint }>()
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The rows of a query that names a long list. It runs several statements; the rows are in the order of the list's
 *  parts. */
export async function rowsFor<T, Row>(
  list: readonly T[],
  query: (part: readonly T[]) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of chunks(list, IDS_PER_STATEMENT)) rows.push(...(await query(part).execute()));
  return rows;
}

/** Sets every column from the row that was to be inserted. */
export const allOf = (eb: { ref(column: never): unknown }, row: object) =>
  Object.fromEntries(
    Object.keys(row).map((column) => [column, eb.ref(`excluded.${column}` as never)]),
  ) as Record<string, never>;
