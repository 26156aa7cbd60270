/** An incident's earlier versions. Most incidents never change, so only replaced versions are written. */
import { VersionedField } from '#contract/incidents/disruptionHistory.ts';
import { chunks, IDS_PER_STATEMENT, rowCount } from '../../db/batches.ts';
import { pick } from '../incidentFields.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { rowsWith, insertNew } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

/** A change to one of these fields makes a new version. Publishers sometimes set a new `updated_at` without any
 *  change. */
export const VERSIONED = [...VersionedField.options, 'kind' as const];

export const SHAPE_COLUMNS = ['geometry', 'west', 'south', 'east', 'north'] as const;

/** Content that makes no version by itself. */
const OTHER_CONTENT = ['event_type', 'updated_at', 'latitude', 'longitude', 'metadata', 'details'] as const;

/** The columns of a version that are read. Its shape is left out, because it can be large. */
const READ = [
  'event_id',
  'seen_at',
  'replaced_at',
  ...VersionedField.options,
  'updated_at',
  'ended_at',
  'ended_reason',
  'details',
] as const;
export type Version = Pick<RowOf<'disruption_versions'>, (typeof READ)[number]>;

/** Keeps the versions that these rows, all of one source, are about to replace. Call it before they are written, in
 *  the same transaction. Rows without changed content get back the time of the version that they continue. */
export async function keepVersions(
  trx: Db,
  rows: readonly RowOf<'disruptions'>[],
  at: string,
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.event_id, row]));
  const before = await trx
    .selectFrom('disruptions')
    .select([
      'event_id',
      'version_seen_at',
      'ended_at',
      'ended_reason',
      'unseen',
      'last_seen_at',
      ...OTHER_CONTENT,
      ...SHAPE_COLUMNS,
      ...VERSIONED,
    ])
    .where('event_id', 'in', [...byId.keys()])
    // If another source uses the id, it keeps it.
    .where('source', '=', rows[0]!.source)
    .execute();

  await keepOther(trx, before, byId, at);
  // The gaps are kept, so that the age of the data on screen at that time is known later.
  await insertNew(
    trx,
    'absences',
    before
      .filter(({ unseen, ended_at }) => unseen || ended_at !== null)
      .map(({ event_id, last_seen_at }) => ({ event_id, seen_at: last_seen_at, back_at: at })),
  );
  const replaced = before.flatMap((old): RowOf<'disruption_versions'>[] => {
    const row = byId.get(old.event_id)!; // the query selected these ids
    // If an incident gets its first shape now, it has not moved.
    const hasMoved = old.geometry !== null && old.geometry !== row.geometry;
    if (old.ended_at === null && !hasMoved && VERSIONED.every((field) => old[field] === row[field])) {
      row.version_seen_at = old.version_seen_at;
      return [];
    }
    // A rail operator that runs normally again stays listed, but its disruption is over.
    const isOver = old.ended_at === null && old.kind === 'alert' && row.kind === 'status';
    return [
      {
        ...pick(old, ['event_id', ...VERSIONED, ...SHAPE_COLUMNS]),
        ...pick(old, ['updated_at', 'ended_at', 'ended_reason', 'details']),
        seen_at: old.version_seen_at,
        replaced_at: at,
        ...(isOver && { ended_at: at, ended_reason: 'publisher' }),
      },
    ];
  });
  await insertNew(trx, 'disruption_versions', replaced);
}

type Other = Omit<RowOf<'content_versions'>, 'replaced_at'>;

async function keepOther(
  trx: Db,
  before: readonly Other[],
  byId: ReadonlyMap<string, RowOf<'disruptions'>>,
  at: string,
): Promise<void> {
  const replaced = before
    .filter((old) => OTHER_CONTENT.some((field) => old[field] !== byId.get(old.event_id)![field]))
    .map((old) => ({ ...pick(old, ['event_id', ...OTHER_CONTENT]), replaced_at: at }));
  // If a clock stood still, two versions have one time. The first is kept, because it was shown longer.
  await insertNew(trx, 'content_versions', replaced);
}

/** The newest replaced versions, oldest first; `total` is the number of all. */
export async function versionsOf(
  db: Db,
  eventId: string,
  limit: number,
): Promise<{ versions: Version[]; total: number }> {
  const versions = await db
    .selectFrom('disruption_versions')
    .select(READ)
    .where('event_id', '=', eventId)
    .orderBy('replaced_at', 'desc')
    .orderBy('seen_at', 'desc')
    .limit(limit)
    .execute();
  const total = await rowCount(db.selectFrom('disruption_versions').where('event_id', '=', eventId));
  return { versions: versions.toReversed(), total };
}

/** How many numbers the earlier versions of each of these incidents have, including deleted ones: every version has
 *  one, and so has every end. */
export async function earlierNumbers(db: Db, eventIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (id: string, numbers: number) => counts.set(id, (counts.get(id) ?? 0) + numbers);
  for (const ids of chunks(eventIds, IDS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('disruption_versions')
      .select((eb) => ['event_id', eb.fn.countAll().as('replaced'), eb.fn.count('ended_at').as('ended')])
      .where('event_id', 'in', ids)
      .groupBy('event_id')
      .execute();
    for (const { event_id, replaced, ended } of rows) add(event_id, Number(replaced) + Number(ended));
    const pruned = await db.selectFrom('pruned_versions').selectAll().where('event_id', 'in', ids).execute();
    for (const { event_id, numbers } of pruned) add(event_id, numbers);
  }
  return counts;
}

/** How many numbers the versions before one version have, and when the last of them was given. */
export interface NumbersBefore {
  numbers: number;
  last_at: string;
}

/** Null when the version that was first seen at that time is the first. */
export async function numbersBefore(db: Db, eventId: string, seenAt: string): Promise<NumbersBefore | null> {
  const { replaced, ended, last_at } = await db
    .selectFrom('disruption_versions')
    .select((eb) => [
      eb.fn.countAll().as('replaced'),
      eb.fn.count('ended_at').as('ended'),
      eb.fn.max(eb.fn.coalesce('ended_at', 'seen_at')).as('last_at'),
    ])
    .where('event_id', '=', eventId)
    .where('seen_at', '<', seenAt)
    .executeTakeFirstOrThrow();
  const pruned = await rowsWith(db, 'pruned_versions', { event_id: eventId }).first();
  const lastAt = last_at ?? pruned?.last_at;
  if (!lastAt) return null;
  return { numbers: Number(replaced) + Number(ended) + (pruned?.numbers ?? 0), last_at: lastAt };
}

/** The versions of these incidents that were replaced after that time, oldest first. */
export async function replacedSince(db: Db, eventIds: readonly string[], since: Instant): Promise<Version[]> {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('disruption_versions')
    .select(READ)
    .where('event_id', 'in', [...eventIds])
    .where('replaced_at', '>', iso(since))
    .orderBy('replaced_at')
    .orderBy('seen_at')
    .execute();
}

/** Deletes versions that were replaced before that time, also of incidents in force; their numbers are kept. */
export async function pruneVersions(db: Db, before: Instant): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom('disruption_versions')
      .where('replaced_at', '<', iso(before))
      .returning(['event_id', 'seen_at', 'ended_at'])
      .execute();
    const byId = new Map<string, RowOf<'pruned_versions'>>();
    for (const { event_id, seen_at, ended_at } of deleted) {
      const { numbers = 0, last_at = '' } = byId.get(event_id) ?? {};
      const at = ended_at ?? seen_at;
      byId.set(event_id, {
        event_id,
        numbers: numbers + (ended_at ? 2 : 1),
        last_at: at > last_at ? at : last_at,
      });
    }
    await keepNumbers(trx, [...byId.values()]);
  });
  await db.deleteFrom('content_versions').where('replaced_at', '<', iso(before)).execute();
  await db.deleteFrom('absences').where('back_at', '<', iso(before)).execute();
}

/** How long numbers are kept. A flood area, a line or an operator has one id for ever, and a calendar that kept an
 *  ended incident ignores lower numbers. */
const NUMBERS_KEPT_MS = 365 * 24 * 60 * 60_000;

/** Deletes incidents that ended before that time. If one returns, its numbers go on. */
export async function pruneEnded(db: Db, before: Instant): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom('disruptions')
      .where('ended_at', '<', iso(before))
      .returning(['event_id', 'ended_at'])
      .execute();
    // The numbers of its last version and of its end.
    await keepNumbers(
      trx,
      deleted.map(({ event_id, ended_at }) => ({ event_id, numbers: 2, last_at: ended_at! })),
    );
  });
  await db
    .deleteFrom('pruned_versions')
    .where('last_at', '<', iso(new Date(new Date(before).getTime() - NUMBERS_KEPT_MS)))
    .where('event_id', 'not in', (eb) => eb.selectFrom('disruptions').select('event_id'))
    .execute();
}

async function keepNumbers(trx: Db, numbers: readonly RowOf<'pruned_versions'>[]): Promise<void> {
  for (const rows of chunks(numbers, IDS_PER_STATEMENT))
    await trx
      .insertInto('pruned_versions')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('event_id').doUpdateSet((eb) => ({
          numbers: eb('pruned_versions.numbers', '+', eb.ref('excluded.numbers')),
          last_at: eb.ref('excluded.last_at'),
        })),
      )
      .execute();
}
