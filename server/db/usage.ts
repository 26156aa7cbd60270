/** What users did, for the administrators' pages. */
import { randomUUID } from 'node:crypto';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import type { UsageEventsTable } from './schema.ts';

export const usage = (db: Db) => ({
  async noteEvent(event: Omit<UsageEventsTable, 'id' | 'occurred_at'> & { occurred_at: Instant }) {
    await db
      .insertInto('usage_events')
      .values({ ...event, occurred_at: iso(event.occurred_at), id: randomUUID() })
      .execute();
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('usage_events').where('occurred_at', '<', iso(before)).execute();
  },
});
