/**
 * A small database of each schema that Clearway has had, in tests/fixtures/schemas: two rows in every table. Run it once
 * after a new migration (`node tests/support/schemaFixtures.ts`): it writes the ones that are missing, by the migrations
 * themselves, and never touches one that is there.
 */
import { existsSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from '../../server/db/open.ts';

export const SCHEMAS = Object.keys(MIGRATIONS).sort();
export const fixtureOf = (schema: string) =>
  new URL(`../fixtures/schemas/${schema}.sql`, import.meta.url).pathname;

export const migrator = (file: Sqlite.Database) =>
  new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: file }) }),
    provider: { getMigrations: async () => MIGRATIONS },
  });

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}
interface Reference {
  from: string;
  table: string;
  to: string;
}

/** Of the tables of ours, those that others refer to first. */
export function tablesOf(file: Sqlite.Database): string[] {
  const names = file
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name")
    .pluck()
    .all() as string[];
  const own = names.filter(
    (name) => !name.startsWith('kysely_') && !/_(?:data|idx|content|docsize|config)$/.test(name),
  );
  const sorted: string[] = [];
  const add = (table: string) => {
    if (sorted.includes(table)) return;
    for (const { table: other } of file.pragma(`foreign_key_list(${table})`) as Reference[])
      if (other !== table) add(other);
    if (!sorted.includes(table)) sorted.push(table);
  };
  own.forEach(add);
  return sorted;
}

export const columnsOf = (file: Sqlite.Database, table: string) =>
  file.pragma(`table_info(${table})`) as Column[];

/** An empty database of this schema, with two rows in each table. */
export async function makeSchema(schema: string): Promise<Sqlite.Database> {
  const file = new Sqlite(':memory:');
  const { error } = await migrator(file).migrateTo(schema);
  if (error) throw error;
  file.pragma('foreign_keys = ON');
  for (const table of tablesOf(file)) {
    const references = file.pragma(`foreign_key_list(${table})`) as Reference[];
    for (const n of [1, 2]) {
      const row = columnsOf(file, table).map((column) => {
        const to = references.find(({ from }) => from === column.name);
        return to
          ? file
              .prepare(`select ${to.to} from ${to.table} limit 1 offset ${n - 1}`)
              .pluck()
              .get()
          : valueOf(table, column, n);
      });
      file.prepare(`insert or ignore into ${table} values (${row.map(() => '?').join(', ')})`).run(row);
    }
  }
  return file;
}

/** Of its kind, by the names that our columns have. */
function valueOf(table: string, { name, type }: Column, n: number): string | number {
  const kind = type.toLowerCase();
  if (kind === 'integer') return n;
  if (kind === 'real' || kind.startsWith('double')) return n + 0.5;
  if (/(?:^|_)(?:at|until|time|success|attempt|run|since|datetime|login)$/.test(name))
    return `2026-11-2${n}T09:00:00.000Z`;
  if (name === 'day' || name.endsWith('_date')) return `2026-11-2${n}`;
  if (/^(?:metadata|details|facts|report|payload|settings)$/.test(name)) return '{}';
  if (/^(?:problems|legs|geometry|polygons|sources|roads|event_ids|except_days|pieces|tags)$/.test(name))
    return '[]';
  return `${table} ${name} ${n}`;
}

/** Its statements, with all rows, in an order in which they can be run. */
export function dump(file: Sqlite.Database): string {
  const quoted = (value: unknown) =>
    value === null ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  const made = (isTrigger: boolean) =>
    file
      .prepare(
        `select sql from sqlite_master where sql is not null and name not like 'sqlite%'
         and (type = 'trigger') = ${Number(isTrigger)} order by rowid`,
      )
      .pluck()
      .all() as string[];
  const rows = [...tablesOf(file), 'kysely_migration', 'kysely_migration_lock'].flatMap((table) =>
    (file.prepare(`select * from ${table}`).raw().all() as unknown[][]).map(
      (row) => `insert into ${table} values (${row.map(quoted).join(', ')})`,
    ),
  );
  // A trigger would add rows of its own.
  return `${[...made(false), ...rows, ...made(true)].join(';\n')};\n`;
}

if (import.meta.main) {
  for (const schema of SCHEMAS) {
    if (existsSync(fixtureOf(schema))) continue;
    writeFileSync(fixtureOf(schema), dump(await makeSchema(schema)));
    console.log(`${schema}.sql was written`);
  }
}
