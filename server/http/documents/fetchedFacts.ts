/** Facts that collectors have fetched and need not request again. */
import type { Db } from '../../db/open.ts';
import type { Facts } from './upstream.ts';

export const facts = (db: Db, now: () => Date = () => new Date()): Facts => ({
  async get(key) {
    const row = await db.selectFrom('facts').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value ?? null;
  },

  async set(key, value) {
    await db
      .insertInto('facts')
      .values({ key, value, kept_at: now().toISOString() })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), kept_at: eb.ref('excluded.kept_at') }))
          .whereRef('facts.value', '<>', 'excluded.value'),
      )
      .execute();
  },
});
