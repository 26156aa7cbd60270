import { PostgresAdapter, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inQuickTransaction } from '../../../server/db/statements.ts';
import type { Db } from '../../../server/db/open.ts';
import { users } from '../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from '../accounts/people.ts';

/** Whether a commit waits for the disk. On PostgreSQL: whether it does as the server is set. */
async function waits(db: Db): Promise<boolean> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const { rows } = await sql<{
      source: string;
    }>`select source from pg_settings where name = 'synchronous_commit'`.execute(db);
    return rows[0]!.source !== 'session';
  }
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
  return rows[0]!.synchronous === 2;
}

describe.each(DATABASES)('a quick transaction on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('is the only one that does not wait for the disk, even beside others', async () => {
    const quick = inQuickTransaction(database.db, async (trx) => {
      await users(trx).insert(person('ann'));
      return waits(trx);
    });
    const beside = database.db.transaction().execute(waits);
    expect([await quick, await beside]).toEqual([false, true]);
    // They run together, so that PostgreSQL's pool gives each of its connections.
    const after = [waits(database.db), waits(database.db), waits(database.db)];
    expect(await Promise.all(after)).toEqual([true, true, true]);
    expect(await users(database.db).byId('ann')).toEqual(person('ann'));
  });

  it('takes back everything when it fails, and the next one waits again', async () => {
    const failing = inQuickTransaction(database.db, async (trx) => {
      await users(trx).insert(person('ann'));
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await users(database.db).byId('ann')).toBeUndefined();
    expect(await database.db.transaction().execute(waits)).toBe(true);
  });
});
