/** Alerts that touched a route or area, and their gravity meanwhile. */
import { setImmediate } from 'node:timers/promises';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import type { PastMatch } from '#contract/history/history.ts';
import { chunks } from '../../db/batches.ts';
import { type Instant, iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { ownReports } from '../../shift/ownReports.ts';

/** The number of incidents that are read before other work has its turn. */
const READ_AT_ONCE = 500;

/** An incident's severity from a time until another; null: it still has that severity. */
export interface Graveness {
  severity: Severity;
  title: string;
  phase: 'active' | 'planned';
  from: string;
  to: string | null;
}

/** The incidents that touched this watch in that span, the oldest first, up to a limit. */
export async function matchesBetween(
  db: Db,
  watchId: string,
  { from, to }: { from: Instant; to: Instant },
  limit: number,
): Promise<PastMatch[]> {
  const rows = await db
    .selectFrom('matches')
    .leftJoin('disruptions', 'disruptions.event_id', 'matches.subject_id')
    .select(['subject_id', 'level', 'why', 'from_km', 'to_km', 'began_at', 'matches.ended_at', 'end_kind'])
    .select(['source', 'title', 'severity'])
    .where('watch_id', '=', watchId)
    .where('subject', '=', 'disruption')
    .where('level', 'in', ['certain', 'possible'])
    .where('began_at', '<', iso(to))
    .where((eb) => eb.or([eb('matches.ended_at', 'is', null), eb('matches.ended_at', '>=', iso(from))]))
    .orderBy('began_at')
    .orderBy('subject_id')
    .limit(limit)
    .execute();
  await setImmediate();
  const ids = [...new Set(rows.map(({ subject_id }) => subject_id))];
  const grave = await gravenessOf(db, ids);
  const reports = new Map((await ownReports(db).withEnded(ids)).map((report) => [report.event_id, report]));
  return rows.map(({ subject_id, source, title, severity, ...match }) => {
    const report = reports.get(subject_id);
    const worst = worstBetween(grave.get(subject_id) ?? [], match.began_at, match.ended_at);
    return {
      event_id: subject_id,
      source: source ?? report?.source ?? subject_id.split(':', 1)[0]!, // a split gives at least one
      title: worst?.title ?? title ?? report?.title ?? subject_id,
      severity: worst?.severity ?? severity ?? report?.severity ?? 'low',
      ...match,
    };
  });
}

/** The severities of each of these incidents, and when it had them. */
export async function gravenessOf(db: Db, ids: readonly string[]): Promise<Map<string, Graveness[]>> {
  const found = new Map<string, Graveness[]>(ids.map((id) => [id, []]));
  for (const some of chunks(ids, READ_AT_ONCE)) {
    const versions = await db
      .selectFrom('disruption_versions')
      .select(['event_id', 'severity', 'title', 'phase', 'seen_at as from'])
      .select((eb) => eb.fn.coalesce('ended_at', 'replaced_at').as('to'))
      .where('event_id', 'in', some)
      .execute();
    const present = await db
      .selectFrom('disruptions')
      .select(['event_id', 'severity', 'title', 'phase', 'version_seen_at as from', 'ended_at as to'])
      .where('event_id', 'in', some)
      .execute();
    for (const { event_id, ...span } of [...versions, ...present]) found.get(event_id)!.push(span);
    await setImmediate();
  }
  return found;
}

/** The incident's worst severity within this span, the last of equals; undefined: it had no severity then. */
function worstBetween(all: readonly Graveness[], from: string, to: string | null): Graveness | undefined {
  return all
    .filter((one) => (one.to ?? '~') > from && (to === null || one.from <= to))
    .sort(
      (one, other) =>
        severityRank(one.severity) - severityRank(other.severity) || (one.from > other.from ? -1 : 1),
    )[0];
}
