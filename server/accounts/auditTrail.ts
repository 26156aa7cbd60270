/** The audit trail: actions of administrators, and actions that affect the safety of an account, with the names of
 *  that time. */
import { z } from 'zod';
import { DAY_MS } from '#contract/durations.ts';
import type { AuditEntry } from '#contract/accounts/admin.ts';
import { uuid7 } from '#contract/uuid7.ts';
import { tooMany } from '../refusals.ts';
import { iso, type Instant } from '../db/instant.ts';
import { rowCount } from '../db/batches.ts';
import { pageCursor } from '../db/pageCursor.ts';
import type { Db } from '../db/open.ts';
import { addRows, rowsWith } from '../db/statements.ts';
import type { RowOf } from '../db/schema.ts';

/** Replaces the name and address of a deleted person. */
const DELETED_PERSON = 'A deleted person';

/** How many actions of one kind a member can put into the trail within a day: nobody may fill it, or hide an action
 *  in it. */
export const ACTS_A_DAY = 100;
export const ACTS_FULL = `You have done this ${ACTS_A_DAY} times within a day, the most that the audit trail takes from one person. Try again tomorrow, or ask an administrator.`;
const RETRY_AFTER_SECONDS = 3600;

export const AUDIT_CURSOR = pageCursor(z.tuple([z.iso.datetime(), z.string()]));

type Act = Omit<RowOf<'audit_trail'>, 'id' | 'at'>;

/** The actor: a person, or one of the two below. */
export interface Actor {
  id: string | null;
  email: string;
}

/** Actions that nobody did by hand. */
export const SERVER: Actor = { id: null, email: 'The server' };
/** Somebody at the server's own command line. */
export const OPERATOR: Actor = { id: null, email: 'The operator' };

/** The person or thing that the action changed: a person by address, anything else by name. */
export type Subject = Actor | { id: string | null; name: string };

export const auditTrail = (db: Db) => ({
  /**
   * Call it in the transaction of the action, so that neither is stored without the other. Refuses a member's action
   * after too many of the same kind. The limit is per action, so that a stolen session cannot use up the actions by
   * which its owner ends it. Actions of the server about one subject are left out after the same number.
   * Administrators and the operator have no limit.
   */
  async note(actor: Actor, action: string, subject: Subject, at: Instant, detail = ''): Promise<void> {
    const act = {
      actor_id: actor.id,
      actor: actor.email,
      action,
      subject_id: subject.id,
      subject: 'email' in subject ? subject.email : subject.name,
      detail,
    };
    if (await isFull(db, act, at)) {
      if (act.actor_id === null) return;
      throw tooMany(ACTS_FULL, RETRY_AFTER_SECONDS);
    }
    await addRows(db, 'audit_trail', { ...act, id: uuid7(new Date(at)), at: iso(at) });
  },

  /** Newest first. */
  async page({ limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<{
    entries: AuditEntry[];
    next_cursor: string | null;
  }> {
    const after = cursor ? AUDIT_CURSOR.read(cursor) : null;
    const rows = await db
      .selectFrom('audit_trail')
      .selectAll()
      .$if(after !== null, (query) =>
        query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(...after!))),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const entries = rows.slice(0, limit);
    const last = rows.length > limit ? entries.at(-1) : undefined;
    return { entries, next_cursor: last ? AUDIT_CURSOR.write([last.at, last.id]) : null };
  },

  /** Removes the person's name; the actions stay. */
  async forget(userId: string): Promise<void> {
    await rowsWith(db, 'audit_trail', { actor_id: userId }).set({ actor: DELETED_PERSON });
    await rowsWith(db, 'audit_trail', { subject_id: userId }).set({ subject: DELETED_PERSON, detail: '' });
  },
});

async function isFull(db: Db, act: Act, at: Instant): Promise<boolean> {
  if (act.actor_id === null && act.actor !== SERVER.email) return false;
  const alike = db
    .selectFrom('audit_trail')
    .where('at', '>', iso(new Date(Date.parse(iso(at)) - DAY_MS)))
    .where('at', '<=', iso(at)) // entries of a clock that was ahead must not refuse anybody later
    .where('action', '=', act.action)
    .where(act.actor_id === null ? 'subject_id' : 'actor_id', '=', act.actor_id ?? act.subject_id);
  if ((await rowCount(alike)) < ACTS_A_DAY) return false;
  if (act.actor_id === null) return true;
  const actor = await db.selectFrom('users').select('role').where('id', '=', act.actor_id).executeTakeFirst();
  return actor?.role !== 'admin';
}
