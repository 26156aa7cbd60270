/** What administrators did, and what touches the safety of an account, with names as they were at the time. */
import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '#contract/admin.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import type { AuditTrailTable } from './schema.ts';

/** Replaces the name and address of a deleted person. */
const DELETED_PERSON = 'A deleted person';

export type Act = Omit<AuditTrailTable, 'id' | 'at'>;

/** Who did it. */
export const by = (admin: { id: string; email: string }) => ({ actor_id: admin.id, actor: admin.email });

/** Whom or what it was done to: a person by address, anything else by name. */
export const on = (subject: { id: string; email: string } | { id: string; name: string }) => ({
  subject_id: subject.id,
  subject: 'email' in subject ? subject.email : subject.name,
});

/** Nobody did it by hand. */
export const BY_SERVER = { actor_id: null, actor: 'The server' };

export const auditTrail = (db: Db) => ({
  /** Written in the transaction of the action, so that neither exists without the other. */
  async note(act: Act, at: Instant): Promise<void> {
    await db
      .insertInto('audit_trail')
      .values({ ...act, id: randomUUID(), at: iso(at) })
      .execute();
  },

  /** Newest first. */
  async page({ limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<{
    entries: AuditEntry[];
    next_cursor: string | null;
  }> {
    const after = cursor ? parseCursor(cursor) : null;
    const rows = await db
      .selectFrom('audit_trail')
      .selectAll()
      .$if(after !== null, (query) =>
        query.where((eb) =>
          eb.or([eb('at', '<', after!.at), eb.and([eb('at', '=', after!.at), eb('id', '<', after!.id)])]),
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const entries = rows.slice(0, limit);
    const last = rows.length > limit ? entries.at(-1) : undefined;
    return { entries, next_cursor: last ? `${last.at}_${last.id}` : null };
  },

  /** Actions are kept, without the person's name. */
  async forget(userId: string): Promise<void> {
    await db
      .updateTable('audit_trail')
      .set({ actor: DELETED_PERSON })
      .where('actor_id', '=', userId)
      .execute();
    await db
      .updateTable('audit_trail')
      .set({ subject: DELETED_PERSON, detail: '' })
      .where('subject_id', '=', userId)
      .execute();
  },

  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('audit_trail').where('at', '<', iso(before)).execute();
  },
});

export const isAuditCursor = (text: string) => parseCursor(text) !== null;

function parseCursor(text: string): { at: string; id: string } | null {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\w-]{1,64})$/.exec(text) ?? [];
  return at && id ? { at, id } : null;
}
