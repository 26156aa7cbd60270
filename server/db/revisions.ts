/** Counters that rise in the transaction of a change, so that every node knows that it must rebuild its answers. */
import { besideReader } from './besideReads.ts';
import type { Db } from './open.ts';

/** Raised by every change to an event. */
export const EVENTS_REVISION = 'events';

/** Raised by every change to who may make a call. Triggers do it, so that no statement can forget it. */
export const ACCESS_REVISION = 'access';

/** Raised when the channels of a person or a team change. */
export const CHANNELS_REVISION = 'channels';

/** Raised by every message. */
export const MESSAGES_REVISION = 'messages';

/** Raised by every change of a response or of a team's own report. */
export const RESPONSES_REVISION = 'responses';

/** Raised by every change to a job. */
export const JOBS_REVISION = 'jobs';

/** Raised by every change of a watch, its departures or its matches. */
export const WATCHES_REVISION = 'watches';

/** Raised by every change to what a display shows. */
export const DISPLAYS_REVISION = 'displays';

/** The revisions that a call has read, for all code that answers it. */
export type Revisions = ReadonlyMap<string, number>;

/** All committed revisions, by one statement. Undefined when this database has no such reader; then each is read
 *  where it is needed. */
export const revisionsNow = (db: Db): Revisions | undefined => besideReader(db)?.all();

/** The committed revision, or the one that the call has already read; 0 if it was never raised. */
export async function revision(db: Db, name: string, known?: Revisions): Promise<number> {
  if (known) return known.get(name) ?? 0;
  const read = besideReader(db);
  if (read) return read.one(name);
  const row = await db.selectFrom('revisions').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}

/** The result of `load`, kept in memory until this revision rises on any server of the database. Calls during the
 *  loading wait for that result. */
export function untilRaised<T>(
  db: Db,
  name: string,
  load: () => Promise<T>,
): (known?: Revisions) => Promise<T> {
  let kept: { of: number; value: Promise<T> } | undefined;
  return async (known) => {
    // The revision is read before anything else: a write during the loading then only causes another.
    const newest = await revision(db, name, known);
    if (kept?.of === newest) return kept.value;
    const loading = { of: newest, value: load() };
    kept = loading;
    try {
      return await loading.value;
    } catch (error) {
      if (kept === loading) kept = undefined;
      throw error;
    }
  };
}

/** Call it as the first statement of a transaction that changes the data behind this revision. Other such
 *  transactions wait until it ends, and see its changes. It writes nothing: PostgreSQL locks the row on a conflict
 *  even without an update. */
export async function takeTurn(db: Db, name: string): Promise<void> {
  await db
    .insertInto('revisions')
    .values({ name, value: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ value: eb.ref('revisions.value') }))
        .where((eb) => eb.lit(false)),
    )
    .execute();
}

/** Call it as the last statement of a transaction, because on PostgreSQL the row is locked until the commit. Returns
 *  the new value. */
export async function raiseRevision(db: Db, name: string): Promise<number> {
  const { value } = await db
    .insertInto('revisions')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('revisions.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}
