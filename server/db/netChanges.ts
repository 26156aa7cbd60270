/** What changes is read for the net of a span: the log, and the incidents before and after. */
import type { Change } from '#contract/changes.ts';
import { chunks, IDS_PER_STATEMENT } from './batches.ts';
import { revision } from './revisions.ts';
import { type Instant, iso } from './instant.ts';
import { looks } from './looks.ts';
import type { Db } from './open.ts';
import type { DisruptionsTable, DisruptionVersionsTable } from './schema.ts';

/** What of an incident can have changed, and what is said of it. */
const CONTENT = ['title', 'summary_line', 'severity', 'phase', 'start_time', 'end_time'] as const;
const NOW = ['event_id', 'source', 'ended_at', 'ended_reason', 'last_seen_at', ...CONTENT] as const;

export type IncidentNow = Pick<DisruptionsTable, (typeof NOW)[number]>;
export type IncidentThen = Pick<DisruptionVersionsTable, 'event_id' | (typeof CONTENT)[number]>;
export type LoggedChange = Omit<Change, 'n' | 'source' | 'phase_to'>;

export const netChanges = (db: Db) => ({
  newest: (): Promise<number> => revision(db, 'changes'),

  /** The last batch before that time, and whether the log goes back so far. */
  async batchBefore(at: Instant, newest: number): Promise<number> {
    const first = await db
      .selectFrom('changes')
      .select('batch')
      .where('at', '>=', iso(at))
      .orderBy('at')
      .orderBy('batch')
      .limit(1)
      .executeTakeFirst();
    return first ? first.batch - 1 : newest;
  },

  /** When the first batch after this one was made. */
  async timeAfter(batch: number): Promise<string | undefined> {
    const row = await db
      .selectFrom('changes')
      .select('at')
      .where('batch', '>', batch)
      .orderBy('batch')
      .orderBy('n')
      .limit(1)
      .executeTakeFirst();
    return row?.at;
  },

  /** The batches of the log have no gap; the oldest are deleted. */
  oldest: () => db.selectFrom('changes').select(['batch', 'at']).orderBy('batch').limit(1).executeTakeFirst(),

  after: (batch: number): Promise<LoggedChange[]> =>
    db
      .selectFrom('changes')
      .select(['batch', 'at', 'event_id', 'kind', 'severity_from', 'severity_to'])
      .where('batch', '>', batch)
      .orderBy('batch')
      .orderBy('n')
      .execute(),

  async now(ids: readonly string[]): Promise<Map<string, IncidentNow>> {
    const found = new Map<string, IncidentNow>();
    for (const some of chunks(ids, IDS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('disruptions')
        .select(NOW)
        .where('event_id', 'in', some)
        .where('kind', '=', 'alert')
        .execute();
      for (const row of rows) found.set(row.event_id, row);
    }
    return found;
  },

  /** Those that had another content just before then. */
  async contentBefore(ids: readonly string[], at: Instant): Promise<Map<string, IncidentThen>> {
    const found = new Map<string, IncidentThen>();
    for (const some of chunks(ids, IDS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('disruption_versions')
        .select(['event_id', ...CONTENT])
        .where('event_id', 'in', some)
        .where('seen_at', '<', iso(at))
        .where('replaced_at', '>=', iso(at))
        .orderBy('replaced_at', 'desc')
        .execute();
      // Of several at one time the first to be replaced stays.
      for (const row of rows) found.set(row.event_id, row);
    }
    return found;
  },

  /** Of a team's routes and areas: the incidents that touched them at or after that time with which they touched, and
   *  those that certainly do now. Null where it has no routes. */
  async onRoutes(
    teamId: string,
    since: Instant,
  ): Promise<{ touched: Map<string, string[]>; certain: string[] } | null> {
    const own = db.selectFrom('watches').where('team_id', '=', teamId).where('archived_at', 'is', null);
    if (!(await own.select('id').limit(1).executeTakeFirst())) return null;
    const rows = await db
      .selectFrom('matches')
      .select(['watch_id', 'subject_id', 'level', 'ended_at'])
      .where('watch_id', 'in', own.select('id'))
      .where('subject', '=', 'disruption')
      .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(since))]))
      .execute();
    const certain = rows.filter(({ level, ended_at }) => level === 'certain' && ended_at === null);
    return {
      touched: new Map(
        [...Map.groupBy(rows, ({ subject_id }) => subject_id)].map(([id, own]) => [
          id,
          [...new Set(own.map(({ watch_id }) => watch_id))].sort(),
        ]),
      ),
      certain: [...new Set(certain.map(({ subject_id }) => subject_id))],
    };
  },

  /** Of these, the active criticals that came, got worse or started after this batch. */
  async criticalsAfter(ids: readonly string[], batch: number): Promise<number> {
    const found = new Set<string>();
    for (const some of chunks(ids, IDS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('disruptions')
        .innerJoin('changes', 'changes.event_id', 'disruptions.event_id')
        .select('disruptions.event_id')
        .where('disruptions.event_id', 'in', some)
        .where('disruptions.ended_at', 'is', null)
        .where('disruptions.severity', '=', 'critical')
        .where('disruptions.phase', '=', 'active')
        .where('changes.batch', '>', batch)
        .where('changes.kind', 'in', ['began', 'worse', 'started'])
        .distinct()
        .execute();
      for (const { event_id } of rows) found.add(event_id);
    }
    return found.size;
  },

  /** Certain criticals on the team's routes that this person has seen on no screen; null: there are no routes. */
  async criticalsUnseen(userId: string, teamId: string, now: Instant): Promise<number | null> {
    const routes = await netChanges(db).onRoutes(teamId, now);
    return routes && netChanges(db).criticalsAfter(routes.certain, await looks(db).furthest(userId));
  },
});
