/** A team's own reports: incidents that only the team has. The team is part of every question. */
import type { Disruption } from '#contract/disruptions.ts';
import { DELETED_PERSON, type OwnReport, ownSource } from '#contract/responses.ts';
import type { Db } from './open.ts';
import type { OwnReportsTable } from './schema.ts';

export const ownReports = (db: Db) => ({
  /** Worst first. */
  async inForce(teamId: string): Promise<OwnReport[]> {
    const rows = await withAuthor(db)
      .where('own_reports.team_id', '=', teamId)
      .where('own_reports.ended_at', 'is', null)
      .orderBy('severity_rank')
      .orderBy('event_id')
      .execute();
    return rows.map(toReport);
  },
});

const withAuthor = (db: Db) =>
  db
    .selectFrom('own_reports')
    .leftJoin('users', 'users.id', 'own_reports.by_user')
    .selectAll('own_reports')
    .select('users.display_name');

const toReport = ({
  display_name,
  ...row
}: OwnReportsTable & { display_name: string | null }): OwnReport => ({
  disruption: toDisruption(row),
  by: { id: row.by_user, name: display_name ?? DELETED_PERSON },
  note: row.note,
  rev: row.rev,
  ended_at: row.ended_at,
});

/** As any incident. Its source is fresh by definition. */
export function toDisruption(row: OwnReportsTable): Disruption {
  return {
    event_id: row.event_id,
    source: ownSource(row.team_id),
    severity: row.severity,
    event_type: 'own.report',
    title: row.title,
    summary_line: row.note,
    collected_at: row.updated_at,
    updated_at: row.updated_at,
    start_time: row.start_time,
    end_time: row.end_time,
    latitude: row.latitude,
    longitude: row.longitude,
    metadata: JSON.parse(row.metadata) as Disruption['metadata'],
    facts: JSON.parse(row.facts) as NonNullable<Disruption['facts']>,
  };
}
