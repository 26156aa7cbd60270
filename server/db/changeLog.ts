/** The change log, an outbox. Every change to incidents writes it in its own transaction, and all later work reads
 *  on from the last batch that it knows. */
import { type Change, type ChangeList, END_KIND } from '#contract/incidents/changes.ts';
import type { EndedReason } from '#contract/incidents/disruptions.ts';
import { type Instant, iso } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision, revision } from './revisions.ts';
import { addRows } from './statements.ts';
import type { RowOf } from './schema.ts';

const REVISION = 'changes';

/** `source`: the source of this change, when it is not that of the batch. */
export type Logged = Pick<Change, 'event_id' | 'kind' | 'severity_from' | 'severity_to' | 'phase_to'> &
  Partial<Pick<Change, 'source' | 'other_id'>>;

const COLUMNS = [
  'batch',
  'n',
  'at',
  'event_id',
  'source',
  'kind',
  'severity_from',
  'severity_to',
  'phase_to',
  'other_id',
] as const;

type Ending = Pick<RowOf<'disruptions'>, 'event_id' | 'kind' | 'severity' | 'phase'>;

/** The change that ends an incident; none for a rail operator that ran normally. `last`: the content that was stored
 *  last. */
export const endOf = (
  { event_id, kind, severity, phase }: Ending,
  why: EndedReason,
  last: Pick<Ending, 'severity' | 'phase'> = { severity, phase },
): Logged[] =>
  kind === 'status'
    ? []
    : [
        {
          event_id,
          kind: END_KIND[why],
          severity_from: severity,
          severity_to: last.severity,
          phase_to: last.phase,
        },
      ];

/**
 * Call it as the last statement of the transaction that makes these changes. The revision's row is locked from here
 * to the commit, so batches are committed in the order of their numbers, also on PostgreSQL, and no reader skips one.
 */
export async function logChanges(
  trx: Db,
  { source, at }: { source: string; at: string },
  changes: readonly Logged[],
): Promise<void> {
  if (changes.length === 0) return;
  const batch = await raiseRevision(trx, REVISION);
  await addRows(
    trx,
    'changes',
    changes.map((change, index) => ({ batch, n: index + 1, at, source, other_id: null, ...change })),
  );
}

/** The changes after a batch: at least one whole batch, and about `limit` of them. Without `since` there are none,
 *  only the batch to begin with. */
export async function changesSince(db: Db, since: number | undefined, limit: number): Promise<ChangeList> {
  // The revision is read first: changes that are written meanwhile come with the next answer, and changes that are
  // deleted meanwhile are noticed.
  const newest = await revision(db, REVISION);
  if (since === undefined) return { changes: [], batch: newest, complete: true };

  const after = db.selectFrom('changes').where('batch', '>', since).orderBy('batch').orderBy('n');
  const last = await after
    .select('batch')
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  const changes = await after
    .select(COLUMNS)
    .$if(last !== undefined, (query) => query.where('batch', '<=', last!.batch))
    .execute();
  const batch = changes.at(-1)?.batch ?? newest;
  const { oldest } = await db
    .selectFrom('changes')
    .select((eb) => eb.fn.min('batch').as('oldest'))
    .executeTakeFirstOrThrow();
  // A batch number in the future was given by another database, perhaps by this one before a backup was restored.
  const isKnown = since <= newest;
  return { changes, batch, complete: isKnown && (oldest ?? newest + 1) <= since + 1 };
}

/** The last changes up to a batch, in order: about `limit` of them, whole batches only. */
export async function newestChanges(db: Db, until: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('changes')
    .select(COLUMNS)
    .where('batch', '<=', until)
    .orderBy('batch', 'desc')
    .orderBy('n', 'desc')
    .limit(limit)
    .execute();
  const isCut = rows.length === limit && rows.at(-1)!.n > 1;
  const torn = isCut ? rows.at(-1)!.batch : null;
  return rows.toReversed().filter(({ batch }) => batch !== torn);
}

/** Deletes all batches before the first one that is young enough, so that the rest has no gap. */
export async function pruneChanges(db: Db, before: Instant): Promise<void> {
  const { first } = await db
    .selectFrom('changes')
    .select((eb) => eb.fn.min('batch').as('first'))
    .where('at', '>=', iso(before))
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('changes')
    .$if(first !== null, (query) => query.where('batch', '<', first!))
    .where('at', '<', iso(before))
    .execute();
}
