/** Matches of routes and areas: written by the matcher, in the transaction that moves its cursor. */
import { rowsWith, putRow } from '../../db/statements.ts';
import {
  type MatchEnd,
  type MatchLevel,
  type MatchSubject,
  WATCH_LIMITS,
} from '#contract/watches/watches.ts';
import { chunks, IDS_PER_STATEMENT, rowCount, rowsFor } from '../../db/batches.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { keptAway, marksOf } from './notOurs.ts';
import type { Db } from '../../db/open.ts';
import { raiseRevision, WATCHES_REVISION } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';

/** The name of the matcher's cursor in the change log. */
export const MATCHER = 'matcher';

/** A match as the matcher finds it. */
export interface FoundMatch extends Pick<
  RowOf<'matches'>,
  'watch_id' | 'subject_id' | 'why' | 'from_km' | 'to_km' | 'off_m'
> {
  subject: MatchSubject;
  level: MatchLevel;
}

/** The stored matches that a run decides: the ones of these subjects, the ones of these watches, or all of this
 *  kind. If the run did not find one of them, that match has ended. */
type Scope = { subject: MatchSubject } & Part;
type Part = { subjectIds: readonly string[] } | { watchIds: readonly string[] } | { all: true };

export const matches = (db: Db) => ({
  /** Matches not yet ended. */
  async inForce(watchIds: readonly string[]): Promise<RowOf<'matches'>[]> {
    return rowsWith(db, 'matches', { ended_at: null, watch_id: watchIds }).all();
  },

  /** Certain incidents on these watches at a time of the past. */
  async certainAt(watchIds: readonly string[], at: Instant): Promise<RowOf<'matches'>[]> {
    return rowsFor(watchIds, (ids) =>
      db
        .selectFrom('matches')
        .selectAll()
        .where('watch_id', 'in', ids)
        .where('subject', '=', 'disruption')
        .where('level', '=', 'certain')
        .where('began_at', '<=', iso(at))
        .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', iso(at))])),
    );
  },

  /**
   * Stores the matches found within the scope: new matches begin, changed ones change, and stored ones that were not
   * found end, as `endKind` says. Call it in a transaction, before the cursor moves. Returns the watches that have
   * more matches than their team may store: they count as not matched, because nobody can say that they are clear.
   */
  async settle(
    scope: Scope,
    found: readonly FoundMatch[],
    { at, batch, endKind }: { at: Instant; batch: number; endKind: (match: RowOf<'matches'>) => MatchEnd },
  ): Promise<Set<string>> {
    const before = new Map((await standing(db, scope)).map((match) => [keyOf(match), match]));
    const isAway = keptAway(
      scope.subject === 'event' || 'all' in scope
        ? []
        : 'subjectIds' in scope
          ? await marksOf(db, 'subject_id', scope.subjectIds)
          : await marksOf(db, 'watch_id', scope.watchIds),
    );
    const now = iso(at);
    // A watch that was deleted during the matching has no row to which a match could belong.
    const known = await knownWatches(db, [...new Set(found.map(({ watch_id }) => watch_id))]);
    const rows: RowOf<'matches'>[] = [];
    const begun: RowOf<'matches'>[] = [];
    for (const match of found) {
      if (isAway(match)) continue;
      const stored = before.get(keyOf(match));
      before.delete(keyOf(match));
      if (!known.has(match.watch_id) || (stored && isSame(stored, match))) continue;
      const row = { ...match, began_at: stored?.began_at ?? now, batch, ended_at: null, end_kind: null };
      (stored ? rows : begun).push(row);
    }
    for (const match of before.values())
      rows.push({ ...match, batch, ended_at: now, end_kind: endKind(match) });
    await write(db, rows);
    // Counted after the ended matches have been closed.
    const { within, cut } = await withinBound(db, begun, known);
    await write(db, within);
    if (cut.size > 0) await rowsWith(db, 'watches', { id: [...cut] }).set({ matched_rev: 0 });
    if (rows.length + within.length + cut.size > 0) await raiseRevision(db, WATCHES_REVISION);
    return cut;
  },

  /** How many matches all watches of each of these teams have now; `without`: this one is left out. */
  async countOf(teamIds: readonly string[], without = ''): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom('matches')
      .innerJoin('watches', 'watches.id', 'matches.watch_id')
      .select((eb) => ['watches.team_id', eb.fn.countAll().as('count')])
      .where('watches.team_id', 'in', teamIds)
      .where('watches.id', '<>', without)
      .where('watches.archived_at', 'is', null)
      .where('matches.ended_at', 'is', null)
      .groupBy('watches.team_id')
      .execute();
    return new Map(rows.map(({ team_id, count }) => [team_id, Number(count)]));
  },

  /** How many incidents possibly touch this watch now. */
  async possibleAt(watchId: string): Promise<number> {
    return rowCount(possible(db).where('watch_id', '=', watchId));
  },

  /** The same for all watches of a team together. */
  async possibleOf(teamId: string): Promise<number> {
    const own = db
      .selectFrom('watches')
      .select('id')
      .where('team_id', '=', teamId)
      .where('archived_at', 'is', null);
    return rowCount(possible(db).where('watch_id', 'in', own));
  },
});

const possible = (db: Db) =>
  db
    .selectFrom('matches')
    .where('ended_at', 'is', null)
    .where('subject', '=', 'disruption')
    .where('level', '=', 'possible');

/** The watch with the fields that the matcher needs. */
export type MatchedWatch = Pick<
  RowOf<'watches'>,
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

/**
 * The watches of all teams that are compared with incidents. They are read only by the matcher, and are in no answer.
 */
export const lines = (db: Db) =>
  db.selectFrom('watches').where('archived_at', 'is', null).where('kind', '<>', 'feeds');

/** Stores that these are matched. Call it in the transaction that stores their matches. A watch that was edited
 *  meanwhile stays unmatched. */
export async function noteMatched(
  trx: Db,
  watched: readonly Pick<MatchedWatch, 'id' | 'rev'>[],
): Promise<void> {
  let noted = 0n;
  for (const { id, rev } of watched) {
    const { numUpdatedRows } = await trx
      .updateTable('watches')
      .set({ matched_rev: rev })
      .where('id', '=', id)
      .where('matched_rev', '<', rev)
      .executeTakeFirst();
    noted += numUpdatedRows;
  }
  // Even if nothing touches it, its state is no longer unknown.
  if (noted > 0n) await raiseRevision(trx, WATCHES_REVISION);
}

const keyOf = ({
  watch_id,
  subject,
  subject_id,
}: Pick<RowOf<'matches'>, 'watch_id' | 'subject' | 'subject_id'>) => `${watch_id}\n${subject}\n${subject_id}`;

const isSame = (stored: RowOf<'matches'>, found: FoundMatch) =>
  stored.level === found.level &&
  stored.why === found.why &&
  stored.from_km === found.from_km &&
  stored.to_km === found.to_km &&
  stored.off_m === found.off_m;

async function standing(db: Db, scope: Scope): Promise<RowOf<'matches'>[]> {
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
  return rowsFor(ids, (some) => all.where(column, 'in', some));
}

const write = (db: Db, rows: readonly RowOf<'matches'>[]): Promise<void> =>
  putRow(db, 'matches', rows, ['watch_id', 'subject', 'subject_id', 'began_at']);

/** The matches that can begin until their team has as many as it may: certain ones first. */
async function withinBound(
  db: Db,
  begun: readonly RowOf<'matches'>[],
  teamOf: ReadonlyMap<string, string>,
): Promise<{ within: RowOf<'matches'>[]; cut: Set<string> }> {
  const within: RowOf<'matches'>[] = [];
  const cut = new Set<string>();
  const byTeam = Map.groupBy(begun, ({ watch_id }) => teamOf.get(watch_id)!); // only known watches have begun
  if (byTeam.size === 0) return { within, cut };
  const counts = new Map<string, number>();
  for (const teamIds of chunks([...byTeam.keys()], IDS_PER_STATEMENT))
    for (const [teamId, count] of await matches(db).countOf(teamIds)) counts.set(teamId, count);
  for (const [teamId, own] of byTeam) {
    const room = Math.max(0, WATCH_LIMITS.matchesPerTeam - (counts.get(teamId) ?? 0));
    const isLess = own.length > room;
    const first = isLess
      ? own.toSorted((one, other) => LEVEL_ORDER[one.level] - LEVEL_ORDER[other.level])
      : own;
    within.push(...first.slice(0, room));
    for (const { watch_id } of first.slice(room)) cut.add(watch_id);
  }
  return { within, cut };
}

const LEVEL_ORDER: Readonly<Record<MatchLevel, number>> = { certain: 0, possible: 1, near: 2 };

/** Watches that exist, with their teams. */
async function knownWatches(db: Db, watchIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsWith(db, 'watches', { id: watchIds, archived_at: null }).all('id', 'team_id');
  return new Map(rows.map(({ id, team_id }) => [id, team_id]));
}
