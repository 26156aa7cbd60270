/**
 * Makes something under the id that its client chose. Where the first answer was lost the client sends the same again,
 * and gets what was made then; nothing is made twice.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '../../db/open.ts';
import { conflict } from '../../refusals.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { RowOf } from '../../db/schema.ts';

/** For the documentation of a call that makes something. */
export const AGAIN =
  '`id` is made by the caller, a UUIDv7: the same id with the same content, sent again because the answer was lost, is ' +
  'answered with what was made then; with other content, or by somebody else, it is 409.';

export const ID_TAKEN = 'This id is used for something else. Make another.';
export const MADE_AND_GONE =
  'This was made before, and has been deleted since. Make another id to make it again.';

/** How long a secret that is shown once is shown again to a caller that repeats the request. */
const SECRET_AGAIN_MS = 15 * 60_000;

interface Asked {
  /** Absent: the caller makes none, and what it sends twice is made twice. */
  id: string | undefined;
  kind: Made['kind'];
  /** Nobody else is answered: neither another person nor another team. */
  owner: readonly string[];
  /** All that the caller decides, and no password. */
  content: unknown;
}

/** Promises its id, and whether it was made now. Whatever `make` throws undoes all. */
export async function makeOnce(
  db: Db,
  { id, kind, owner, content }: Asked,
  now: Date,
  make: (trx: Db, id: string) => Promise<void>,
): Promise<{ id: string; isNew: boolean }> {
  return db.transaction().execute(async (trx) => {
    if (id === undefined) {
      const own = randomUUID();
      await make(trx, own);
      return { id: own, isNew: true };
    }
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    const outcome = await made(trx).note({ id, kind, owner: owner.join(' '), content: hash }, now);
    if (outcome === 'taken') throw conflict(ID_TAKEN);
    if (outcome === 'new') await make(trx, id);
    return { id, isNew: outcome === 'new' };
  });
}

/** Whether a secret that was made then may be said again. */
export const mayBeSaidAgain = (madeAt: string, now: Date) =>
  Math.abs(now.getTime() - Date.parse(madeAt)) < SECRET_AGAIN_MS;

// Things that clients have made under ids of their own.

type Made = Omit<RowOf<'made'>, 'made_at'>;

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
