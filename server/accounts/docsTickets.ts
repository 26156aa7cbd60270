/** Tickets that open the reference as the holder of a session, each once. Only their hashes are stored. */
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';

export const docsTickets = (db: Db) => ({
  async keep(ticket: { ticket_hash: string; session_id: string; expires_at: Instant }): Promise<void> {
    await db
      .insertInto('docs_tickets')
      .values({ ...ticket, expires_at: iso(ticket.expires_at) })
      .execute();
  },

  /** The session of a ticket, which is used up by this; undefined when it is unknown, used or too old. */
  async redeem(ticketHash: string, now: Instant): Promise<string | undefined> {
    const found = await db
      .deleteFrom('docs_tickets')
      .where('ticket_hash', '=', ticketHash)
      .returning(['session_id', 'expires_at'])
      .executeTakeFirst();
    return found && found.expires_at > iso(now) ? found.session_id : undefined;
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('docs_tickets').where('expires_at', '<', iso(before)).execute();
  },
});
