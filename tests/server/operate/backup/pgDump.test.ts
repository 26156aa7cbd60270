/** The lines of docs/operating.md for PostgreSQL, word for word, run with the system's own tools. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../server/db/open.ts';
import { binaryFolders, startFrom } from '../../../support/postgres.ts';
import { person } from '../../accounts/people.ts';
import { users } from '../../../../server/accounts/users.ts';
import { poll, record } from '../../feedsWorld.ts';

const manual = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
const lineOf = (tool: string) => new RegExp(`^(${tool} .*?)(?:\\s+#.*)?$`, 'm').exec(manual)?.[1];

it('pg_dump and pg_restore bring everything to another database', { timeout: 120_000 }, async () => {
  const [dump, restore] = [lineOf('pg_dump'), lineOf('pg_restore')];
  expect(dump).toContain('"$DATABASE_URL"');
  expect(restore).toContain('"$DATABASE_URL"');
  // The test run's own PostgreSQL comes without these tools: another one that has them is started.
  const folder = binaryFolders().find((one) => existsSync(join(one, 'pg_dump')));
  if (!folder) return;

  const { url, stop } = await startFrom(folder);
  const work = mkdtempSync(join(tmpdir(), 'clearway-pgdump-'));
  const other = url.replace(/postgres$/, 'other');
  const run = (line: string, databaseUrl: string) => {
    const env = { PATH: `${folder}:${process.env['PATH']}`, DATABASE_URL: databaseUrl };
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: work, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  };
  try {
    const first = await openDatabase({ dataDir: '', databaseUrl: url });
    await users(first.db).insert(person('ann'));
    await poll(first.db, 'tfl', [record('tfl:1'), record('tfl:2')], new Date('2026-11-21T09:00:00Z'));
    run(dump!, url);
    await sql`create database other`.execute(first.db);
    run(restore!, other);

    const second = await openDatabase({ dataDir: '', databaseUrl: other });
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
      first.db,
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      const all = ({ db }: typeof first) => sql`select * from ${sql.table(name)} order by 1`.execute(db);
      expect((await all(second)).rows, name).toEqual((await all(first)).rows);
    }
    await second.close();
    await first.close();
  } finally {
    await stop();
    rmSync(work, { recursive: true });
  }
});
