/** What touches which route or area: written by the matcher, in the transaction that moves its cursor. */
import type { MatchEnd, MatchLevel, MatchSubject } from '#contract/watches.ts';
import { allOf, chunks, IDS_PER_STATEMENT } from './batches.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision } from './revisions.ts';
import type { MatchesTable, WatchesTable } from './schema.ts';

/** Its cursor in the change log. */
export const MATCHER = 'matcher';

/** Few enough that the statement is short, and so is kept by the database for the next ones; and that other work of the
 *  thread has its turn between two of them. */
const ROWS_AT_ONCE = 40;

/** Raised by every change of a watch, its departures or its matches. */
export const WATCHES_REVISION = 'watches';

/** As the matcher finds it. */
export interface FoundMatch extends Pick<
  MatchesTable,
  'watch_id' | 'subject_id' | 'why' | 'from_km' | 'to_km' | 'off_m'
> {
  subject: MatchSubject;
  level: MatchLevel;
}

/** Which stored matches a run speaks for: those of these subjects, or of these watches, or all of this kind. Of them,
 *  one that is no longer found has ended. */
export type Scope = { subject: MatchSubject } & (
  { subjectIds: readonly string[] } | { watchIds: readonly string[] } | { all: true }
);

export const matches = (db: Db) => ({
  /** Those that have not ended. */
  async inForce(watchIds: readonly string[]): Promise<MatchesTable[]> {
    const rows: MatchesTable[] = [];
    for (const ids of chunks(watchIds, IDS_PER_STATEMENT)) {
      rows.push(
        ...(await db
          .selectFrom('matches')
          .selectAll()
          .where('ended_at', 'is', null)
          .where('watch_id', 'in', ids)
          .execute()),
      );
    }
    return rows;
  },

  /**
   * Stores what was found within the scope: new matches begin, changed ones change, and those no longer found end as
   * `endKind` says. Call in a transaction, before the cursor moves. Returns how many rows changed.
   */
  async settle(
    scope: Scope,
    found: readonly FoundMatch[],
    { at, batch, endKind }: { at: Instant; batch: number; endKind: (match: MatchesTable) => MatchEnd },
  ): Promise<number> {
    const before = new Map((await standing(db, scope)).map((match) => [keyOf(match), match]));
    const now = iso(at);
    // A watch that was deleted while it was matched has no row that a match could belong to.
    const known = await knownWatches(db, [...new Set(found.map(({ watch_id }) => watch_id))]);
    const rows: MatchesTable[] = [];
    for (const match of found) {
      const stored = before.get(keyOf(match));
      before.delete(keyOf(match));
      if (!known.has(match.watch_id) || (stored && isSame(stored, match))) continue;
      rows.push({ ...match, began_at: stored?.began_at ?? now, batch, ended_at: null, end_kind: null });
    }
    for (const match of before.values())
      rows.push({ ...match, batch, ended_at: now, end_kind: endKind(match) });

    for (const values of chunks(rows, ROWS_AT_ONCE)) {
      await db
        .insertInto('matches')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['watch_id', 'subject', 'subject_id', 'began_at'])
            .doUpdateSet((eb) => allOf(eb, values[0]!)),
        )
        .execute();
    }
    if (rows.length > 0) await raiseRevision(db, WATCHES_REVISION);
    return rows.length;
  },

  /** Those that ended before. */
  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('matches').where('ended_at', '<', iso(before)).execute();
  },
});

/** What the matcher needs of a watch. */
export type MatchedWatch = Pick<
  WatchesTable,
  'id' | 'team_id' | 'kind' | 'made_by' | 'legs' | 'geometry' | 'reach_m' | 'rev'
>;

export const MATCHED_COLUMNS = [
  'id',
  'team_id',
  'kind',
  'made_by',
  'legs',
  'geometry',
  'reach_m',
  'rev',
] as const;

/** All watches of all teams: for the matcher alone, which answers nobody. */
export const everyWatch = (db: Db): Promise<MatchedWatch[]> =>
  db.selectFrom('watches').select(MATCHED_COLUMNS).where('archived_at', 'is', null).orderBy('id').execute();

/** Those that were made or edited since they were last matched. */
export const unmatchedWatches = (db: Db): Promise<MatchedWatch[]> =>
  db
    .selectFrom('watches')
    .select(MATCHED_COLUMNS)
    .where('archived_at', 'is', null)
    .whereRef('matched_rev', '<', 'rev')
    .orderBy('id')
    .execute();

/** Call in the transaction that settles them. One that was edited again meanwhile stays unmatched. */
export async function noteMatched(
  trx: Db,
  watched: readonly Pick<MatchedWatch, 'id' | 'rev'>[],
): Promise<void> {
  for (const { id, rev } of watched) {
    await trx
      .updateTable('watches')
      .set({ matched_rev: rev })
      .where('id', '=', id)
      .where('matched_rev', '<', rev)
      .execute();
  }
}

const keyOf = ({
  watch_id,
  subject,
  subject_id,
}: Pick<MatchesTable, 'watch_id' | 'subject' | 'subject_id'>) => `${watch_id}\n${subject}\n${subject_id}`;

const isSame = (stored: MatchesTable, found: FoundMatch) =>
  stored.level === found.level &&
  stored.why === found.why &&
  stored.from_km === found.from_km &&
  stored.to_km === found.to_km &&
  stored.off_m === found.off_m;

async function standing(db: Db, scope: Scope): Promise<MatchesTable[]> {
  const all = db
    .selectFrom('matches')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('subject', '=', scope.subject);
  if ('all' in scope) return all.execute();

  const [column, ids] =
    'subjectIds' in scope
      ? (['subject_id', scope.subjectIds] as const)
      : (['watch_id', scope.watchIds] as const);
  const rows: MatchesTable[] = [];
  for (const some of chunks(ids, IDS_PER_STATEMENT))
    rows.push(...(await all.where(column, 'in', some).execute()));
  return rows;
}

async function knownWatches(db: Db, watchIds: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const ids of chunks(watchIds, IDS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('watches')
      .select('id')
      .where('id', 'in', ids)
      .where('archived_at', 'is', null)
      .execute();
    for (const { id } of rows) known.add(id);
  }
  return known;
}
