/**
 * The same incident from two sources. The rule: an active alert that only refers to incidents of other sources is a
 * duplicate of these, while each of them is an active alert itself. The worst of them then gets at least the
 * duplicate's severity, and names it. None of this is stored: it holds while both are in force.
 *
 * Only the National Service Indicator refers to others: its operators name the Knowledgebase incidents that affect
 * them. (The Met Office's warnings come in three forms, of which its collector reads one.)
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Disruption, Severity } from '#contract/disruptions.ts';
import { activeAlerts } from './activeAlerts.ts';
import type { Db } from './open.ts';
import type { DisruptionsTable, Tables } from './schema.ts';

export const POINTING_SOURCE = 'nsi-service';

/** There are about 30 operators. Alerts beyond these limits are counted separately. */
const POINTING_MAX = 200;
const RELATED_MAX = 2000;

type Counted = Pick<DisruptionsTable, 'source' | 'severity'>;

export interface Duplicates {
  /** The duplicates, by event id: merged, so not counted as separate alerts. */
  merged: ReadonlyMap<string, Counted>;
  /** The main alerts that they are merged into, by event id. `worst`: the more severe of their own and their duplicates'
   *  severities. */
  mains: ReadonlyMap<string, Counted & { worst: Severity; also: AlsoReported[] }>;
}

type AlsoReported = NonNullable<Disruption['metadata']['also_reported_by']>[number];

export const NO_DUPLICATES: Duplicates = { merged: new Map(), mains: new Map() };

type Condition = (eb: ExpressionBuilder<Tables, 'disruptions'>) => Expression<SqlBool>;

/** Looks only among incidents that meet the condition: a duplicate is merged only into one of them. */
export async function findDuplicates(db: Db, among: Condition): Promise<Duplicates> {
  const alerts = activeAlerts(db)
    .select(['event_id', 'source', 'severity', 'severity_rank', 'title'])
    .where(among);

  const rows = await alerts
    .select('metadata')
    .where('source', '=', POINTING_SOURCE)
    .orderBy('event_id')
    .limit(POINTING_MAX)
    .execute();
  const pointing = rows.map((row) => ({ row, related: relatedTo(row) }));
  const ids = [...new Set(pointing.flatMap(({ related }) => related))];
  if (ids.length === 0 || ids.length > RELATED_MAX) return NO_DUPLICATES;

  // Not an alert that itself refers to others: two that refer to each other would both disappear.
  const found = await alerts.where('event_id', 'in', ids).where('source', '<>', POINTING_SOURCE).execute();
  const byId = new Map(found.map((row) => [row.event_id, row]));
  const merged = new Map<string, Counted>();
  const mains = new Map<string, Counted & { rank: number; worst: Severity; also: AlsoReported[] }>();
  for (const { row, related } of pointing) {
    const present = related.flatMap((id) => byId.get(id) ?? []);
    if (related.length === 0 || present.length < related.length) continue;

    const main = present.reduce((worst, one) => (one.severity_rank < worst.severity_rank ? one : worst));
    const { source, severity, severity_rank: rank } = main;
    const known = mains.get(main.event_id) ?? { source, severity, rank, worst: severity, also: [] };
    const isWorse = row.severity_rank < known.rank;
    mains.set(main.event_id, {
      ...known,
      ...(isWorse && { rank: row.severity_rank, worst: row.severity }),
      also: [...known.also, { source: row.source, event_id: row.event_id, title: row.title }],
    });
    merged.set(row.event_id, { source: row.source, severity: row.severity });
  }
  return { merged, mains };
}

/** Empty when it says more than the incidents do, such as a group of services without an incident. */
function relatedTo({ metadata }: Pick<DisruptionsTable, 'metadata'>): string[] {
  const { related_event_ids: ids = [], nsi } = JSON.parse(metadata) as Disruption['metadata'];
  const groups = nsi?.service_groups ?? [];
  const isNamed = (incident: string | null | undefined) => ids.some((id) => id.endsWith(`:${incident}`));
  return groups.every((group) => isNamed(group.current_disruption)) ? [...new Set(ids)].sort() : [];
}

/** The numbers of active alerts by source and severity, with duplicates counted at the alert that stands for them. */
export function countedOnce<T extends Counted & { count: number }>(
  counts: readonly T[],
  { merged, mains }: Duplicates,
): (Counted & { count: number })[] {
  const changes = [
    ...[...merged.values()].map((one) => ({ ...one, count: -1 })),
    ...[...mains.values()].flatMap(({ source, severity, worst }) => [
      { source, severity, count: -1 },
      { source, severity: worst, count: 1 },
    ]),
  ];
  const sums = new Map<string, Counted & { count: number }>();
  for (const { source, severity, count } of [...counts, ...changes]) {
    const key = `${severity} ${source}`;
    sums.set(key, { source, severity, count: (sums.get(key)?.count ?? 0) + count });
  }
  // Counts and duplicates were read one after the other, so a sum can be below 1.
  return [...sums.values()].filter(({ count }) => count > 0);
}
