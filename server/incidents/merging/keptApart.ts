/** Reports that an administrator keeps apart, whatever the rules in server/incidents/merging say; ./merge.ts asks at
 *  each poll. */
import { insertNew } from '../../db/statements.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';

const keyOf = (one: string, other: string) => (one < other ? `${one}\n${other}` : `${other}\n${one}`);

/** Whether two reports are kept apart. */
export async function apartNow(db: Db): Promise<(one: string, other: string) => boolean> {
  const apart = new Set((await allSplits(db)).map(({ one, other }) => keyOf(one, other)));
  return (one, other) => apart.has(keyOf(one, other));
}

/** Newest first. */
export const allSplits = (db: Db): Promise<RowOf<'merge_splits'>[]> =>
  db.selectFrom('merge_splits').selectAll().orderBy('at', 'desc').orderBy('one').orderBy('other').execute();

/** Repeatable. */
export async function keepApart(trx: Db, ids: readonly [string, string], at: Instant): Promise<void> {
  const [one, other] = [...ids].sort() as [string, string];
  await insertNew(trx, 'merge_splits', { one, other, at: iso(at) }, ['one', 'other']);
}

/** Ends the separation of two reports. False if they were not kept apart. */
export async function noLongerApart(trx: Db, ids: readonly [string, string]): Promise<boolean> {
  const [one, other] = [...ids].sort() as [string, string];
  const { numDeletedRows } = await trx
    .deleteFrom('merge_splits')
    .where('one', '=', one)
    .where('other', '=', other)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes the splits of incidents that are no longer stored. */
export async function pruneSplits(db: Db): Promise<void> {
  await db
    .deleteFrom('merge_splits')
    .where((eb) =>
      eb.or(
        (['one', 'other'] as const).map((side) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('disruptions')
                .select('event_id')
                .whereRef('disruptions.event_id', '=', `merge_splits.${side}`),
            ),
          ),
        ),
      ),
    )
    .execute();
}
