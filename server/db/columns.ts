/** The words in which `schema.ts` describes its tables, and their SQL for both databases. */
import type { Generated } from 'kysely';

/** A column with values of `T`. */
class Column<T> {
  /** In types only. */
  declare readonly holds: T;
  readonly #sqlite: string;
  readonly #postgres: string;
  readonly #more: string;

  constructor(sqlite: string, postgres = sqlite, more = ' not null') {
    this.#sqlite = sqlite;
    this.#postgres = postgres;
    this.#more = more;
  }

  /** The same column, for fewer values. */
  of<Values extends T>() {
    return this as unknown as Column<Values>;
  }

  get orNull() {
    return new Column<T | null>(this.#sqlite, this.#postgres, this.#more.replace(' not null', ''));
  }

  get key() {
    return this.#and<T>('primary key');
  }

  get unique() {
    return this.#and<T>('unique');
  }

  default(value: string | number) {
    return this.#and<Generated<T>>(`default ${typeof value === 'string' ? `'${value}'` : value}`);
  }

  /** `column`: such as `users (id)`. */
  references(column: string, whenDeleted: 'cascade' | 'set null') {
    return this.#and<T>(`references ${column} on delete ${whenDeleted}`);
  }

  #and<Values>(more: string) {
    return new Column<Values>(this.#sqlite, this.#postgres, `${this.#more} ${more}`);
  }

  text(isPostgres: boolean): string {
    return (isPostgres ? this.#postgres : this.#sqlite) + this.#more;
  }
}

/** Sorted by bytes: a linguistic collation would sort ids and cursors differently from SQLite. */
export const text = new Column<string>('text', 'text collate "C"');
export const integer = new Column<number>('integer');
export const real = new Column<number>('double precision');
/** 0 or 1: SQLite has no boolean. */
export const flag = integer;
/** A number that the database counts up by itself. */
export const counted = new Column<Generated<number>>(
  'integer not null primary key autoincrement',
  'serial primary key',
  '',
);

interface Table<Columns extends Record<string, Column<unknown>>> {
  columns: Columns;
  /** Keys over several columns, and indexes. */
  more: readonly string[];
}

/** A table of these columns, in their order; `with` adds `primary key (…)` and `index <name> (…)`, unique or partial. */
export const table = <Columns extends Record<string, Column<unknown>>>(columns: Columns) => ({
  columns,
  more: [] as readonly string[],
  with: (...more: string[]): Table<Columns> => ({ columns, more }),
});

/** The statements that make this table. */
export function statementsOf(
  name: string,
  { columns, more }: Table<Record<string, Column<unknown>>>,
  isPostgres: boolean,
): string[] {
  const isIndex = (one: string) => /^(unique )?index /.test(one);
  const lines = [
    ...Object.entries(columns).map(([column, one]) => `"${column}" ${one.text(isPostgres)}`),
    ...more.filter((one) => !isIndex(one)),
  ];
  return [
    `create table ${name} (${lines.join(', ')})`,
    ...more.filter(isIndex).map((one) => `create ${one.replace(' (', ` on ${name} (`)}`),
  ];
}
