/** Wrong passwords, by subject: `account:<email hash>` or `address:<ip>`. */
import { randomUUID } from 'node:crypto';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';

export const loginFailures = (db: Db) => ({
  async note(subject: string, at: Instant): Promise<void> {
    await db
      .insertInto('login_failures')
      .values({ id: randomUUID(), subject, failed_at: iso(at) })
      .execute();
  },

  /** The times since then, oldest first. */
  async since(subject: string, since: Instant): Promise<string[]> {
    const rows = await db
      .selectFrom('login_failures')
      .select('failed_at')
      .where('subject', '=', subject)
      .where('failed_at', '>=', iso(since))
      .orderBy('failed_at')
      .execute();
    return rows.map(({ failed_at }) => failed_at);
  },

  async clear(subject: string): Promise<void> {
    await db.deleteFrom('login_failures').where('subject', '=', subject).execute();
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('login_failures').where('failed_at', '<', iso(before)).execute();
  },
});
