/** The matcher's input: incidents, events and routes. Texts are not parsed here, because another thread reads them. */
import { ownSource } from '#contract/shift/responses.ts';
import type { MatchEnd } from '#contract/watches/watches.ts';
import { rowsFor } from '../../db/batches.ts';
import { findDuplicates } from '../../incidents/list/duplicates.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { takesPlace } from '../../geography/events/inventedEvents.ts';
import { CROWD } from '../../geography/events/crowds.ts';
import { lines, MATCHED_COLUMNS, type MatchedWatch } from './matchStore.ts';
import type { Db } from '../../db/open.ts';
import { rowsWith } from '../../db/statements.ts';
import { ownReports } from '../../shift/ownReports.ts';
import type { RowOf } from '../../db/schema.ts';

const COLUMNS = [
  'event_id',
  'source',
  'event_type',
  'title',
  'summary_line',
  'latitude',
  'longitude',
  'metadata',
  'details',
  'geometry',
] as const;

export type MatchedIncident = Omit<Pick<RowOf<'disruptions'>, (typeof COLUMNS)[number]>, 'event_type'> & {
  /** A team's own report has none. */
  event_type?: string;
  /** The team of its own report: the report is compared with that team's routes only. */
  team_id?: string;
};

const alerts = (db: Db) =>
  db.selectFrom('disruptions').select(COLUMNS).where('ended_at', 'is', null).where('kind', '=', 'alert');

/** Alerts in force, active and planned, by id: the next ones after this id. */
export const alertsAfter = (db: Db, after: string, limit: number): Promise<MatchedIncident[]> =>
  alerts(db).where('event_id', '>', after).orderBy('event_id').limit(limit).execute();

/** Alerts of these ids in force. */
export async function alertsById(db: Db, ids: readonly string[]): Promise<MatchedIncident[]> {
  const rows = await rowsFor(ids, (some) => alerts(db).where('event_id', 'in', some));
  const own = ids.filter(isOwnId);
  return own.length > 0 ? [...rows, ...(await ownIncidents(db, own))] : rows;
}

const isOwnId = (id: string) => id.startsWith(ownSource(''));

/** Own reports in force, of all teams, with their revision. */
export async function ownRevs(db: Db): Promise<Map<string, number>> {
  const rows = await rowsWith(db, 'own_reports', { ended_at: null }).all('event_id', 'rev');
  return new Map(rows.map(({ event_id, rev }) => [event_id, rev]));
}

/** The teams' own reports in force, in the form of incidents. */
async function ownIncidents(db: Db, ids: readonly string[]): Promise<MatchedIncident[]> {
  const found = await rowsWith(db, 'own_reports', { ended_at: null, event_id: ids }).all(
    'event_id',
    'team_id',
    'title',
    'note',
    'latitude',
    'longitude',
    'geometry',
    'metadata',
    'facts',
  );
  return found.map(({ note, facts, ...row }) => ({
    ...row,
    source: ownSource(row.team_id),
    summary_line: note,
    details: JSON.stringify({ facts: JSON.parse(facts) as unknown }),
  }));
}

/** The alerts that are merged into another: from each id to the id of the alert that is shown. */
export async function mergedInto(db: Db): Promise<Map<string, string>> {
  const { merged } = await findDuplicates(db);
  return new Map([...merged].map(([id, { into }]) => [id, into]));
}

/** The ends of these alerts that are not in force. An incident that is no longer stored has ended. */
export async function endKinds(db: Db, ids: readonly string[]): Promise<Map<string, MatchEnd>> {
  const kinds = new Map<string, MatchEnd>(ids.map((id) => [id, 'ended']));
  const rows = await rowsWith(db, 'disruptions', { event_id: ids }).all(
    'event_id',
    'ended_at',
    'ended_reason',
  );
  for (const { event_id, ended_at, ended_reason } of rows) {
    if (ended_at === null) kinds.delete(event_id);
    else if (ended_reason === 'expired') kinds.set(event_id, 'lost');
  }
  const own = ids.filter(isOwnId);
  for (const { event_id, ended_at, ended_reason } of await ownReports(db).withEnded(own)) {
    if (!ended_at) kinds.delete(event_id);
    else if (ended_reason === 'expired') kinds.set(event_id, 'lost');
  }
  return kinds;
}

/** A performance that draws a crowd. */
export interface Crowd {
  performance_id: string;
  longitude: number;
  latitude: number;
}

const CROWDS_READ = 500;

/** Performances with a crowd that take place, at least partly, in this span. */
export async function crowds(db: Db, from: Instant, until: Instant): Promise<Crowd[]> {
  const found: Crowd[] = [];
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('performances')
      .select(['id', 'performance_id', 'longitude', 'latitude', 'shown'])
      .where('id', '>', after)
      .where('over_at', '>', iso(from))
      .where('start_datetime', '<', iso(until))
      .where('latitude', 'is not', null)
      .where(takesPlace)
      .orderBy('id')
      .limit(CROWDS_READ)
      .execute();
    for (const { performance_id, longitude, latitude, shown } of rows) {
      const { capacity } = JSON.parse(shown) as { capacity: number | null };
      if ((capacity ?? 0) < CROWD || longitude === null || latitude === null) continue;
      found.push({ performance_id, longitude, latitude });
    }
    if (rows.length < CROWDS_READ) return found;
    after = rows.at(-1)!.id;
  }
}

/** Every route and area with its revision. */
export const watchRevs = (db: Db): Promise<Pick<MatchedWatch, 'id' | 'team_id' | 'rev'>[]> =>
  lines(db).select(['id', 'team_id', 'rev']).orderBy('id').execute();

export async function hasWatches(db: Db): Promise<boolean> {
  const one = await lines(db).select('id').limit(1).executeTakeFirst();
  return one !== undefined;
}

/** The watches, each with the revision that was matched last. */
export const watchesById = (
  db: Db,
  ids: readonly string[],
): Promise<(MatchedWatch & Pick<RowOf<'watches'>, 'matched_rev'>)[]> =>
  lines(db)
    .select([...MATCHED_COLUMNS, 'matched_rev'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();

/** The revisions whose change makes matching necessary. */
export async function matcherRevisions(
  db: Db,
): Promise<Record<'changes' | 'feeds' | 'watches' | 'events' | 'responses', number>> {
  const known = { changes: 0, feeds: 0, watches: 0, events: 0, responses: 0 };
  const rows = await db.selectFrom('revisions').selectAll().where('name', 'in', Object.keys(known)).execute();
  return { ...known, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}
