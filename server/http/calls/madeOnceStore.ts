/** What clients have made under ids of their own. */
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import type { MadeTable } from '../../db/schema.ts';

export type Made = Omit<MadeTable, 'made_at'>;

export const made = (db: Db) => ({
  /** `again`: exactly this was made before; `taken`: something else has this id. Runs in the transaction that makes it. */
  async note(one: Made, now: Instant): Promise<'new' | 'again' | 'taken'> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('made')
      .values({ ...one, made_at: iso(now) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) {
      // An id that the server made, which the caller may have read somewhere.
      const other = await db
        .selectFrom(one.kind as 'watches')
        .select('id')
        .where('id', '=', one.id)
        .executeTakeFirst();
      return other ? 'taken' : 'new';
    }
    const before = await db
      .selectFrom('made')
      .select('id')
      .where('id', '=', one.id)
      .where('kind', '=', one.kind)
      .where('owner', '=', one.owner)
      .where('content', '=', one.content)
      .executeTakeFirst();
    return before ? 'again' : 'taken';
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('made').where('made_at', '<', iso(before)).execute();
  },
});
