/** Incidents in force with several reports: one alert stands for all, with the worst severity, and names the others.
 *  `mergedIdentity.ts` stores which reports they are. */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Db } from '../../db/open.ts';
import { rowsWith } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

type Counted = Pick<RowOf<'disruptions'>, 'source' | 'severity'>;

export interface Duplicates {
  /** The duplicates by event id. They are merged, so they do not count as separate alerts. */
  merged: ReadonlyMap<string, Counted & { into: string }>;
  /** The main alerts that they are merged into, by event id. `worst`: the worst severity of the main alert and its
   *  duplicates. */
  mains: ReadonlyMap<string, Counted & { title: string; worst: Severity; also: AlsoReported[] }>;
}

export type AlsoReported = NonNullable<Disruption['metadata']['also_reported_by']>[number];

export const NO_DUPLICATES: Duplicates = { merged: new Map(), mains: new Map() };

/** All duplicates, or those that only these sources report. */
export async function findDuplicates(db: Db, sources?: readonly string[]): Promise<Duplicates> {
  const rows = await db
    .selectFrom('merged_reports as m')
    .innerJoin('disruptions as d', 'd.event_id', 'm.event_id')
    .innerJoin('disruptions as main', 'main.event_id', 'm.incident_id')
    .select(['m.event_id', 'm.incident_id', 'm.why', 'd.source', 'd.severity', 'd.severity_rank', 'd.title'])
    .select(['main.source as main_source', 'main.severity as main_severity', 'main.title as main_title'])
    .select('main.severity_rank as main_rank')
    .where('m.until', 'is', null)
    .where('d.ended_at', 'is', null)
    .where('d.kind', '=', 'alert')
    .orderBy('m.since')
    .orderBy('m.event_id')
    .execute();
  const merged: Map<string, Counted & { into: string }> = new Map();
  const mains: Map<string, Counted & { title: string; rank: number; worst: Severity; also: AlsoReported[] }> =
    new Map();
  for (const row of rows) {
    const { event_id, incident_id: into, source, severity, title, why } = row;
    if (sources && !(sources.includes(source) && sources.includes(row.main_source))) continue;
    const main = mains.get(into) ?? {
      source: row.main_source,
      title: row.main_title,
      severity: row.main_severity,
      rank: row.main_rank,
      worst: row.main_severity,
      also: [],
    };
    mains.set(into, {
      ...main,
      ...(row.severity_rank < main.rank && { rank: row.severity_rank, worst: severity }),
      also: [...main.also, { source, event_id, title, severity, ...(why && { why }) }],
    });
    merged.set(event_id, { source, severity, into });
  }
  return { merged, mains };
}

/** The reports, in force or not, whose incident has another id, each with that id. */
export async function incidentsOf(db: Db, reports: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsWith(db, 'merged_reports', { until: null, event_id: reports }).all(
    'event_id',
    'incident_id',
  );
  return new Map(rows.map(({ event_id, incident_id }) => [event_id, incident_id]));
}

/** The present id of an incident, by any of its reports. */
export const incidentOf = async (db: Db, report: string): Promise<string> =>
  (await incidentsOf(db, [report])).get(report) ?? report;

/** All reports that are or were part of the same incident as this one, including itself. */
export async function reportsOf(db: Db, report: string): Promise<string[]> {
  const incident = await incidentOf(db, report);
  const rows = await rowsWith(db, 'merged_reports', { incident_id: incident, until: null }).all('event_id');
  return [incident, ...rows.map(({ event_id }) => event_id)];
}

/** The number of active alerts by source and severity. Duplicates count with the alert that stands for them. */
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
