/** Wrong guesses, by subject: `account:<email hash> <network>` or `address:<ip>`. */
import { randomUUID } from 'node:crypto';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';

export const loginFailures = (db: Db) => ({
  async note(subject: string, at: Instant): Promise<void> {
    await db
      .insertInto('login_failures')
      .values({ id: randomUUID(), subject, failed_at: iso(at) })
      .execute();
  },

  /** The times since then, oldest first; `and below`: of all subjects that begin with this one and a space. */
  async since(subject: string, since: Instant, reach?: 'and below'): Promise<string[]> {
    const rows = await db
      .selectFrom('login_failures')
      .select('failed_at')
      // A space sorts directly before an exclamation mark.
      .$call((query) =>
        reach
          ? query.where('subject', '>=', `${subject} `).where('subject', '<', `${subject}!`)
          : query.where('subject', '=', subject),
      )
      .where('failed_at', '>=', iso(since))
      .orderBy('failed_at')
      .execute();
    return rows.map(({ failed_at }) => failed_at);
  },

  async clear(subject: string): Promise<void> {
    await db.deleteFrom('login_failures').where('subject', '=', subject).execute();
  },

  /** Of all subjects that begin with this one and a space. */
  async clearBelow(subject: string): Promise<void> {
    await db
      .deleteFrom('login_failures')
      .where('subject', '>=', `${subject} `)
      .where('subject', '<', `${subject}!`)
      .execute();
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('login_failures').where('failed_at', '<', iso(before)).execute();
  },
});
