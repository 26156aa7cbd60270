/** The active alerts that are one incident, by the rule of server/merging, unless an administrator has split them. */
import { setImmediate } from 'node:timers/promises';
import type { Facts } from '#contract/facts.ts';
import { mergeInTurns, type Merged } from '../merging/merge.ts';
import { type Report, reportOf } from '../merging/report.ts';
import { activeAlerts } from './activeAlerts.ts';
import { type Instant, iso } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision, revision } from './revisions.ts';
import type { MergeSplitsTable } from './schema.ts';

/** Rises with every change of an incident, and of a split. */
const REVISION = 'feeds';

/** Read at a time, so that other work has its turn. */
const SLICE = 500;

/** A tenth of this would be a very bad day; each is part of the queries of lists. */
const GROUPS_MAX = 200;

const kept = new WeakMap<Db, { revision: number; groups: Promise<readonly Merged[]> }>();

/** Worked out once a revision. `pointing`: a source whose reports are compared only where they name no incident. */
export async function currentMerges(db: Db, pointing: string): Promise<readonly Merged[]> {
  const newest = await revision(db, REVISION);
  const known = kept.get(db);
  if (known?.revision === newest) return known.groups;
  const groups = readMerges(db, pointing);
  kept.set(db, { revision: newest, groups });
  // A failure is not kept: the next request tries again.
  groups.catch(() => kept.delete(db));
  return groups;
}

async function readMerges(db: Db, pointing: string): Promise<readonly Merged[]> {
  const reports: Report[] = [];
  for (let after = ''; ;) {
    const rows = await activeAlerts(db)
      .select(['event_id', 'source', 'event_type', 'phase', 'start_time', 'title', 'summary_line'])
      .select(['latitude', 'longitude', 'metadata', 'details'])
      .where('event_id', '>', after)
      .orderBy('event_id')
      .limit(SLICE)
      .execute();
    for (const { metadata, details, ...row } of rows) {
      const { facts } = JSON.parse(details) as { facts?: Facts };
      const report = reportOf({ ...row, metadata: JSON.parse(metadata), facts });
      if (report && !(report.source === pointing && report.related.length > 0)) reports.push(report);
    }
    if (rows.length < SLICE) break;
    after = rows.at(-1)!.event_id;
  }
  const splits = await allSplits(db);
  const apart = new Set(splits.map(({ one, other }) => keyOf(one, other)));
  const turns = mergeInTurns(reports, (one, other) => apart.has(keyOf(one, other)));
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value.slice(0, GROUPS_MAX);
    await setImmediate();
  }
}

const keyOf = (one: string, other: string) => (one < other ? `${one}\n${other}` : `${other}\n${one}`);

/** Newest first. */
export const allSplits = (db: Db): Promise<MergeSplitsTable[]> =>
  db.selectFrom('merge_splits').selectAll().orderBy('at', 'desc').orderBy('one').orderBy('other').execute();

/** From now on these two are two incidents. Call it in a transaction. Repeatable. */
export async function split(trx: Db, ids: readonly [string, string], at: Instant): Promise<void> {
  const [one, other] = [...ids].sort() as [string, string];
  await trx
    .insertInto('merge_splits')
    .values({ one, other, at: iso(at) })
    .onConflict((conflict) => conflict.columns(['one', 'other']).doNothing())
    .execute();
  await raiseRevision(trx, REVISION);
}

/** The rule decides about these two again. Call it in a transaction. False if they were not split. */
export async function unsplit(trx: Db, ids: readonly [string, string]): Promise<boolean> {
  const [one, other] = [...ids].sort() as [string, string];
  const { numDeletedRows } = await trx
    .deleteFrom('merge_splits')
    .where('one', '=', one)
    .where('other', '=', other)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await raiseRevision(trx, REVISION);
  return numDeletedRows > 0n;
}

/** Deletes the splits of incidents that are no longer stored. */
export async function pruneSplits(db: Db): Promise<void> {
  await db
    .deleteFrom('merge_splits')
    .where((eb) =>
      eb.or(
        (['one', 'other'] as const).map((side) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('disruptions')
                .select('event_id')
                .whereRef('disruptions.event_id', '=', `merge_splits.${side}`),
            ),
          ),
        ),
      ),
    )
    .execute();
}
