/** The newest summary of each feed, and the versions before it. */
import { pick } from '../../incidents/incidentFields.ts';
import type { Db } from '../../db/open.ts';
import { putRow, rowsWith } from '../../db/statements.ts';
import { raiseRevision } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';
import type { SummaryFallback, SummaryMetadata } from '#contract/feeds/feeds.ts';

export const summaries = (db: Db) => ({
  async all(): Promise<RowOf<'summaries'>[]> {
    return db.selectFrom('summaries').selectAll().orderBy('feed').execute();
  },

  async of(feed: string): Promise<RowOf<'summaries'> | undefined> {
    return summaryOf(db, feed);
  },

  /** Stores a summary. False, without a new revision, when the same one is already stored. */
  async put(row: RowOf<'summaries'>): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const present = await summaryOf(trx, row.feed);
      if (present && isSame(present, row)) return false;

      await putRow(trx, 'summaries', row, ['feed']);
      await keepVersion(trx, row);
      await raiseRevision(trx, 'feeds');
      return true;
    });
  },

  /** Replaces the summary `seen` (undefined: there was none). False, and nothing is written, when another node has
   *  replaced it meanwhile. */
  async putInsteadOf(seen: RowOf<'summaries'> | undefined, row: RowOf<'summaries'>): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const insert = trx.insertInto('summaries').values(row);
      const { numInsertedOrUpdatedRows } = await insert
        .onConflict((conflict) =>
          seen
            ? conflict
                .column('feed')
                .doUpdateSet(row)
                .where('summaries.input_hash', '=', seen.input_hash)
                .where('summaries.generated_at', '=', seen.generated_at)
            : conflict.column('feed').doNothing(),
        )
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return false;
      await keepVersion(trx, row);
      await raiseRevision(trx, 'feeds');
      return true;
    });
  },

  /** Which of these alerts are no longer in force: ended or deleted. */
  async endedOf(eventIds: readonly string[]): Promise<string[]> {
    const rows = await rowsWith(db, 'disruptions', { event_id: eventIds, ended_at: null, kind: 'alert' }).all(
      'event_id',
    );
    const alive = new Set(rows.map(({ event_id }) => event_id));
    return eventIds.filter((id) => !alive.has(id));
  },
});

/** Keeps a summary as a version if its text, its model or its alerts differ from the last version. */
async function keepVersion(trx: Db, row: RowOf<'summaries'>): Promise<void> {
  const last = await trx
    .selectFrom('summary_versions')
    .select(SAID)
    .where('feed', '=', row.feed)
    .orderBy('generated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last && SAID.every((column) => last[column] === row[column])) return;
  const version = pick(row, ['feed', 'generated_at', ...SAID, ...BESIDE]);
  // Two summaries can have the same time: the second one is shown from then on, so it is kept.
  await putRow(trx, 'summary_versions', version, ['feed', 'generated_at']);
}

const SAID = ['text', 'model', 'event_ids'] as const;
/** Shown with it. */
const BESIDE = [
  'prompt_version',
  'expires_at',
  'metadata',
  'last_event_at',
  'event_count',
  'tokens_prompt',
  'tokens_completion',
] as const;

const summaryOf = (db: Db, feed: string) =>
  db.selectFrom('summaries').selectAll().where('feed', '=', feed).executeTakeFirst();

const isSame = (present: RowOf<'summaries'>, row: RowOf<'summaries'>) =>
  (Object.keys(row) as (keyof RowOf<'summaries'>)[]).every((column) => present[column] === row[column]);

// State of a stored summary, from its row.

const RETRIED: ReadonlySet<SummaryFallback> = new Set([
  'pending',
  'rate_limited',
  'timeout',
  'unreachable',
  'server_error',
]);

/** Whether the model is asked again soon; the summary counts as stale until then. */
export const isRetried = (fallback: SummaryFallback | undefined): fallback is SummaryFallback =>
  fallback !== undefined && RETRIED.has(fallback);

export const metadataOf = ({ metadata }: RowOf<'summaries'>): SummaryMetadata => JSON.parse(metadata);

/** Whether its input has changed since, or the built-in writer only stands in for the model. */
export function isStale(row: RowOf<'summaries'>, inputHash: string): boolean {
  const { fallback } = metadataOf(row);
  return row.input_hash !== inputHash || isRetried(fallback);
}
