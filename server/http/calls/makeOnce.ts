/** Makes a thing under an id that its client chose. If the first answer was lost, the client sends the same request
 *  again and gets the thing that was made; nothing is made twice. */
import { createHash, randomUUID } from 'node:crypto';
import { DAY_MS } from '#contract/durations.ts';
import type { Db } from '../../db/open.ts';
import { insertNew, rowsWith } from '../../db/statements.ts';
import { conflict } from '../../refusals.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { RowOf } from '../../db/schema.ts';

/** Ids that clients made are kept so long: a client repeats a request within this time, if at all. */
export const MADE_KEPT_MS = 30 * DAY_MS;

/** A sentence for the documentation of a call that makes something. */
export const AGAIN =
  '`id` is made by the caller, a UUIDv7. If the answer was lost, send the same id and content again: the answer is what ' +
  'was made then, and nothing is made twice. Other content, or another caller, gets 409.';

export const ID_TAKEN = 'This id is used for something else. Make another.';
export const MADE_AND_GONE =
  'This was made before, and has been deleted since. Use another id to make it again.';

/** The thing that was made. Throws 409 when somebody has deleted it since. */
export function orGone<T>(thing: T | undefined | null): T {
  if (thing === undefined || thing === null) throw conflict(MADE_AND_GONE);
  return thing;
}

/** How long a caller that repeats its request is shown the secret again. */
const SECRET_AGAIN_MS = 15 * 60_000;

interface Asked {
  /** Absent: the caller chose no id, so a repeated request makes the thing again. */
  id: string | undefined;
  kind: Made['kind'];
  /** The answer is for the maker alone: another person or another team gets none. */
  owner: readonly string[];
  /** Everything that the caller decides, except passwords. */
  content: unknown;
}

/** Promises the id, and whether the thing was made now. If `make` throws, everything is undone. */
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

/** Whether a secret that was made at that time may still be shown again. */
export const mayBeSaidAgain = (madeAt: string, now: Date) =>
  Math.abs(now.getTime() - Date.parse(madeAt)) < SECRET_AGAIN_MS;

// Things that clients have made under their own ids.

type Made = Omit<RowOf<'made'>, 'made_at'>;

export const made = (db: Db) => ({
  /** `again`: exactly this thing was made before. `taken`: another thing has this id. Runs in the transaction that
   *  makes the thing. */
  async note(one: Made, now: Instant): Promise<'new' | 'again' | 'taken'> {
    const isNew = await insertNew(db, 'made', { ...one, made_at: iso(now) }, ['id']);
    if (isNew) {
      // The id may be one that the server made for another thing, and that the caller has read somewhere.
      const other = await db
        .selectFrom(one.kind as 'watches')
        .select('id')
        .where('id', '=', one.id)
        .executeTakeFirst();
      return other ? 'taken' : 'new';
    }
    const before = await rowsWith(db, 'made', {
      id: one.id,
      kind: one.kind,
      owner: one.owner,
      content: one.content,
    }).first('id');
    return before ? 'again' : 'taken';
  },
});
