/** What a user has seen of what changed, the same on all their devices. */
import type { Look, LookedAt } from '#contract/incidents/changes.ts';
import { type Instant, iso } from '../db/instant.ts';
import type { Db } from '../db/open.ts';

export const looks = (db: Db) => ({
  async of(userId: string, screen: LookedAt): Promise<Look | undefined> {
    return db
      .selectFrom('looks')
      .select(['batch', 'at'])
      .where('user_id', '=', userId)
      .where('screen', '=', screen)
      .executeTakeFirst();
  },

  /** Of all screens the furthest; 0 before the first. */
  async furthest(userId: string): Promise<number> {
    const { batch } = await db
      .selectFrom('looks')
      .select((eb) => eb.fn.max('batch').as('batch'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return batch ?? 0;
  },

  /** It never goes back: a device that was away sends what was seen elsewhere long ago. `newest`: the last batch of the
   *  log; a look beyond it is of another database, perhaps this one before a backup was restored. */
  async note(userId: string, screen: LookedAt, batch: number, newest: number, now: Instant): Promise<void> {
    const look = { batch: Math.min(batch, newest), at: iso(now) };
    await db
      .insertInto('looks')
      .values({ user_id: userId, screen, ...look })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'screen'])
          .doUpdateSet(look)
          .where((eb) => eb.or([eb('looks.batch', '<=', look.batch), eb('looks.batch', '>', newest)])),
      )
      .execute();
  },
});
