/**
 * The same incident from two sources: one alert stands for all, with the gravest severity, and names the others. None
 * of this is stored: it holds while they are in force. There are two kinds of evidence:
 *
 * - A rail operator's entry that only refers to incidents, each of which is an alert itself, is merged into the worst
 *   of them. Only the National Service Indicator refers so: its operators name the Knowledgebase's incidents.
 * - Alerts that server/merging finds to be of one incident are merged into the first official report of it.
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Disruption, Severity } from '#contract/disruptions.ts';
import { activeAlerts } from './activeAlerts.ts';
import type { Merged } from '../merging/merge.ts';
import { currentMerges } from './merges.ts';
import type { Db } from './open.ts';
import type { DisruptionsTable, Tables } from './schema.ts';

export const POINTING_SOURCE = 'nsi-service';

/** There are about 30 operators. Alerts beyond these limits are counted separately. */
const POINTING_MAX = 200;
const RELATED_MAX = 2000;

type Counted = Pick<DisruptionsTable, 'source' | 'severity'>;

export interface Duplicates {
  /** The duplicates, by event id: merged, so not counted as separate alerts. */
  merged: ReadonlyMap<string, Counted & { into: string }>;
  /** The main alerts that they are merged into, by event id. `worst`: the more severe of their own and their duplicates'
   *  severities. */
  mains: ReadonlyMap<string, Counted & { title: string; worst: Severity; also: AlsoReported[] }>;
}

export type AlsoReported = NonNullable<Disruption['metadata']['also_reported_by']>[number];

export const NO_DUPLICATES: Duplicates = { merged: new Map(), mains: new Map() };

type Condition = (eb: ExpressionBuilder<Tables, 'disruptions'>) => Expression<SqlBool>;

/** Looks only among incidents that meet the condition: a duplicate is merged only into one of them. */
export async function findDuplicates(db: Db, among: Condition): Promise<Duplicates> {
  const alerts = activeAlerts(db)
    .select(['event_id', 'source', 'severity', 'severity_rank', 'title'])
    .where(among);

  const found = new Merging();
  const groups = await currentMerges(db, POINTING_SOURCE);
  const ids = groups.flatMap(({ home, others }) => [home, ...others.map(({ event_id }) => event_id)]);
  const byId = await alertsById(ids);
  for (const { home, others } of groups) {
    const all = [{ event_id: home, words: undefined }, ...others.map(toMember)];
    const [main, ...rest] = all.filter(({ event_id }) => byId.has(event_id));
    for (const { event_id, words } of rest) {
      found.add(byId.get(main!.event_id)!, byId.get(event_id)!, words);
    }
  }

  const rows = await alerts
    .select('metadata')
    .where('source', '=', POINTING_SOURCE)
    .orderBy('event_id')
    .limit(POINTING_MAX)
    .execute();
  const pointing = rows.map((row) => ({ row, related: relatedTo(row) }));
  const relatedIds = [...new Set(pointing.flatMap(({ related }) => related))];
  if (relatedIds.length > RELATED_MAX) return found;
  // Not an alert that itself refers to others: two that refer to each other would both disappear.
  const incidents = await alertsById(relatedIds, POINTING_SOURCE);
  for (const { row, related } of pointing) {
    const present = related.flatMap((id) => incidents.get(id) ?? []);
    if (related.length === 0 || present.length < related.length) continue;
    const main = present.reduce((worst, one) => (one.severity_rank < worst.severity_rank ? one : worst));
    found.add(main, row);
  }
  return found;

  async function alertsById(wanted: readonly string[], without = ''): Promise<Map<string, Alert>> {
    if (wanted.length === 0) return new Map();
    const selected = await alerts
      .where('event_id', 'in', [...wanted])
      .where('source', '<>', without)
      .execute();
    return new Map(selected.map((row) => [row.event_id, row]));
  }
}

const toMember = ({ event_id, evidence }: Merged['others'][number]) => ({
  event_id,
  words: evidence.words,
});

type Alert = Pick<DisruptionsTable, 'event_id' | 'source' | 'severity' | 'severity_rank' | 'title'>;

class Merging implements Duplicates {
  readonly merged = new Map<string, Counted & { into: string }>();
  readonly mains = new Map<
    string,
    Counted & { title: string; rank: number; worst: Severity; also: AlsoReported[] }
  >();

  /** `main` may itself be merged into another, which then stands for both. */
  add(main: Alert, { event_id, source, severity, severity_rank, title }: Alert, why?: string): void {
    const into = this.merged.get(main.event_id)?.into ?? main.event_id;
    const known = this.mains.get(into) ?? {
      source: main.source,
      title: main.title,
      severity: main.severity,
      rank: main.severity_rank,
      worst: main.severity,
      also: [],
    };
    this.mains.set(into, {
      ...known,
      ...(severity_rank < known.rank && { rank: severity_rank, worst: severity }),
      also: [...known.also, { source, event_id, title, ...(why && { why }) }],
    });
    this.merged.set(event_id, { source, severity, into });
  }
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
