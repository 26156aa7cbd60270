/** Incidents as they are stored, and as they are shown. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Disruption, Geometry, ListedDisruption } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { COLUMNS, toContent } from '../incidentFields.ts';
import type { Duplicates } from './duplicates.ts';
import type { Db } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';

export type OneDisruption = ExpressionBuilder<Tables, 'disruptions'>;

export const isOneOf = (eb: OneDisruption, sources: readonly string[]) =>
  sources.length === 0 ? never() : eb('disruptions.source', 'in', sources);

export const never = () => sql<SqlBool>`1 = 0`;

/** Rows in force. An unchanged poll does not write incidents, so the time of the last collection is read from the
 *  source's row. */
export const inForce = (db: Db) => stored(db).where('disruptions.ended_at', 'is', null);

export const stored = (db: Db) =>
  db
    .selectFrom('disruptions')
    .leftJoin('collections', 'collections.source', 'disruptions.source')
    .select([
      'event_id',
      'disruptions.source',
      'severity_rank',
      ...COLUMNS,
      'unseen',
      'last_seen_at',
      'last_success',
      'ended_at',
      'ended_reason',
    ]);

export type Row = Awaited<ReturnType<ReturnType<typeof stored>['execute']>>[number];

export function toDisruption(row: Row): Disruption {
  const isInLastCollection =
    row.ended_at === null && !row.unseen && row.last_success !== null && row.last_success > row.last_seen_at;
  const { phase, kind: _, metadata, ...content } = toContent(row);
  return {
    event_id: row.event_id,
    source: row.source,
    ...content,
    collected_at: isInLastCollection ? row.last_success! : row.last_seen_at,
    metadata: { ...metadata, phase },
  };
}

/** An incident with its publisher's shape; null when only words give its place. */
export type ShapedDisruption = Disruption & { geometry: Geometry | null };

export const toShaped = ({ geometry, ...row }: Row & { geometry: string | null }): ShapedDisruption => ({
  ...toDisruption(row),
  geometry: geometry === null ? null : (JSON.parse(geometry) as Geometry),
});

export function toListed(row: Row): ListedDisruption {
  const { ended_at, ended_reason } = row;
  return {
    ...toDisruption(row),
    ...(ended_at && { ended_at }),
    ...(ended_at && ended_reason && { ended_reason }),
  };
}

export const isShown = (eb: OneDisruption, { merged }: Duplicates) =>
  merged.size === 0 ? sql<SqlBool>`1 = 1` : eb('event_id', 'not in', [...merged.keys()]);

/** The severity rank, 0 to 3, including that of its duplicates. */
export function rankOf(eb: OneDisruption, { mains }: Duplicates): Expression<number> {
  const raised = [...mains].filter(([, { severity, worst }]) => worst !== severity);
  return raised.reduce<Expression<number>>(
    (others, [id, { worst }]) =>
      sql<number>`case when ${eb.ref('event_id')} = ${id} then ${sql.lit(severityRank(worst))} else ${others} end`,
    eb.ref('severity_rank'),
  );
}

/** The row with the severity and names of its duplicates. */
export function withDuplicates(row: Row, { mains }: Duplicates): Row {
  const main = mains.get(row.event_id);
  if (!main) return row;

  const { worst, also } = main;
  const { severity_unrated, ...said } = JSON.parse(row.metadata) as Disruption['metadata'];
  // The duplicate can have a rate that this publisher did not give.
  const isUnrated = severity_unrated && worst === row.severity;
  return {
    ...row,
    severity: worst,
    severity_rank: severityRank(worst),
    metadata: JSON.stringify({
      ...said,
      ...(isUnrated && { severity_unrated }),
      also_reported_by: also,
    }),
  };
}
