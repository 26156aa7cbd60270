/** The data from which net changes are computed: the log, and the incidents before and after. */
import type { Change, Look, LookedAt } from '#contract/incidents/changes.ts';
import type { ExpressionBuilder } from 'kysely';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { rowsFor } from '../db/batches.ts';
import { findDuplicates } from '../incidents/list/duplicates.ts';
import { revision } from '../db/revisions.ts';
import { type Instant, iso } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { rowsWith } from '../db/statements.ts';
import type { RowOf, Tables } from '../db/schema.ts';

/** The fields of an incident that can change, or that are shown with a change. */
const CONTENT = ['title', 'summary_line', 'severity', 'phase', 'start_time', 'end_time'] as const;
const NOW = [
  'event_id',
  'source',
  'ended_at',
  'ended_reason',
  'last_seen_at',
  'details',
  ...CONTENT,
] as const;

export type IncidentNow = Pick<RowOf<'disruptions'>, (typeof NOW)[number]>;
export type IncidentThen = Pick<RowOf<'disruption_versions'>, 'event_id' | (typeof CONTENT)[number]>;
export type LoggedChange = Omit<Change, 'n' | 'source' | 'phase_to'>;

export const netChanges = (db: Db) => ({
  newest: (): Promise<number> => revision(db, 'changes'),

  /** The last batch before that time, and whether the log reaches back that far. */
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

  /** The batch that has at most this many changes after it; undefined: the whole log has fewer. */
  async batchBack(newest: number, count: number): Promise<number | undefined> {
    const row = await db
      .selectFrom('changes')
      .select('batch')
      .where('batch', '<=', newest)
      .orderBy('batch', 'desc')
      .orderBy('n', 'desc')
      .offset(count)
      .limit(1)
      .executeTakeFirst();
    return row?.batch;
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
      .select(['batch', 'at', 'event_id', 'kind', 'severity_from', 'severity_to', 'other_id'])
      .where('batch', '>', batch)
      .orderBy('batch')
      .orderBy('n')
      .execute(),

  async now(ids: readonly string[]): Promise<Map<string, IncidentNow>> {
    const rows = await rowsFor(ids, (some) =>
      db.selectFrom('disruptions').select(NOW).where('event_id', 'in', some).where('kind', '=', 'alert'),
    );
    return new Map(rows.map((row) => [row.event_id, row]));
  },

  /** Incidents with other content just before then. */
  async contentBefore(ids: readonly string[], at: Instant): Promise<Map<string, IncidentThen>> {
    const rows = await rowsFor(ids, (some) =>
      db
        .selectFrom('disruption_versions')
        .select(['event_id', ...CONTENT])
        .where('event_id', 'in', some)
        .where('seen_at', '<', iso(at))
        .where('replaced_at', '>=', iso(at))
        .orderBy('replaced_at', 'desc'),
    );
    // If several were replaced at one time, the first one is kept.
    return new Map(rows.map((row) => [row.event_id, row]));
  },

  /** The team's routes and areas that each incident touched at or after that time. */
  async onRoutes(teamId: string, since: Instant): Promise<Map<string, string[]>> {
    const rows = await db
      .selectFrom('matches')
      .select(['watch_id', 'subject_id'])
      .where('watch_id', 'in', (eb) => ofTeam(eb, teamId))
      .where('subject', '=', 'disruption')
      .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(since))]))
      .limit(WATCH_LIMITS.matchesPerTeam)
      .execute();
    return new Map(
      [...Map.groupBy(rows, ({ subject_id }) => subject_id)].map(([id, own]) => [
        id,
        [...new Set(own.map(({ watch_id }) => watch_id))].sort(),
      ]),
    );
  },

  /** The incidents that certainly touch the team's routes and areas now; null if the team has none. */
  async certainOnRoutes(teamId: string): Promise<string[] | null> {
    const own = db.selectFrom('watches').where('team_id', '=', teamId).where('archived_at', 'is', null);
    if (!(await own.select('id').limit(1).executeTakeFirst())) return null;
    const rows = await db
      .selectFrom('matches')
      .select('subject_id')
      .distinct()
      .where('watch_id', 'in', (eb) => ofTeam(eb, teamId))
      .where('subject', '=', 'disruption')
      .where('level', '=', 'certain')
      .where('ended_at', 'is', null)
      .execute();
    return rows.map(({ subject_id }) => subject_id);
  },

  /** The number of active critical incidents among these that began, got worse or started after this batch. */
  async criticalsAfter(ids: readonly string[], batch: number): Promise<number> {
    const found = new Set<string>();
    const { mains } = await findDuplicates(db);
    const rows = await rowsFor(ids, (some) =>
      db
        .selectFrom('disruptions')
        .innerJoin('changes', 'changes.event_id', 'disruptions.event_id')
        .select(['disruptions.event_id', 'disruptions.severity'])
        .where('disruptions.event_id', 'in', some)
        .where('disruptions.ended_at', 'is', null)
        .where('disruptions.phase', '=', 'active')
        .where('changes.batch', '>', batch)
        .where('changes.severity_to', '=', 'critical')
        .where('changes.kind', 'in', ['began', 'worse', 'started'])
        .distinct(),
    );
    for (const { event_id, severity } of rows)
      if ((mains.get(event_id)?.worst ?? severity) === 'critical') found.add(event_id);
    return found.size;
  },

  /** The number of certain critical incidents on the team's routes that this person has not seen on any screen;
   *  null: the team has no routes. */
  async criticalsUnseen(userId: string, teamId: string): Promise<number | null> {
    const certain = await netChanges(db).certainOnRoutes(teamId);
    return certain && netChanges(db).criticalsAfter(certain, await looks(db).furthest(userId));
  },
});

const ofTeam = (eb: ExpressionBuilder<Tables, 'matches'>, teamId: string) =>
  eb.selectFrom('watches').select('id').where('team_id', '=', teamId).where('archived_at', 'is', null);

// The time at which each user last looked at the changes, the same on all their devices.

export const looks = (db: Db) => ({
  async of(userId: string, screen: LookedAt): Promise<Look | undefined> {
    return rowsWith(db, 'looks', { user_id: userId, screen }).first('batch', 'at');
  },

  /** The latest batch that the user has seen on any screen; 0 before the first look. */
  async furthest(userId: string): Promise<number> {
    const { batch } = await db
      .selectFrom('looks')
      .select((eb) => eb.fn.max('batch').as('batch'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return batch ?? 0;
  },

  /** A look only moves forward, because a device that was away sends an old look late. `newest`: the last batch of
   *  the log; a look at a later batch belongs to another database, perhaps to this one before a backup was restored. */
  async note(userId: string, screen: LookedAt, look: Look, newest: number): Promise<void> {
    await db
      .insertInto('looks')
      .values({ user_id: userId, screen, ...look })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'screen'])
          .doUpdateSet(look)
          .where((eb) =>
            eb.or([
              eb('looks.batch', '<', look.batch),
              eb('looks.batch', '>', newest),
              eb.and([eb('looks.batch', '=', look.batch), eb('looks.at', '<', look.at)]),
            ]),
          ),
      )
      .execute();
  },
});
