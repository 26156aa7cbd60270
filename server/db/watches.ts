/** Routes and areas of a team. The team is part of every question: another's is as if it did not exist. */
import { randomUUID } from 'node:crypto';
import { type TellMe, tellMeOf } from '#contract/tellMe.ts';
import type { Departure, DepartureInput, MatchFeedback, Watch } from '#contract/watches.ts';
import { WATCH_LIMITS } from '#contract/watches.ts';
import { chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from './batches.ts';
import { iso, type Instant } from './instant.ts';
import { MATCHER, WATCHES_REVISION } from './matches.ts';
import type { Db } from './open.ts';
import { raiseRevision, takeTurn } from './revisions.ts';
import type { DeparturesTable, MatchesTable } from './schema.ts';

/** As the contract has it, without what the legs say of the way. */
export type KeptWatch = Omit<Watch, 'course' | 'places' | 'coverage'>;

/** What its author decides, and what is made of that. */
export interface WatchDraft extends Pick<
  Watch,
  'kind' | 'name' | 'made_by' | 'legs' | 'geometry' | 'length_km' | 'reach_m' | 'sources'
> {
  departures: readonly DepartureInput[];
  notify?: TellMe | undefined;
}

/** Who changed it meanwhile, and when; null: a person who is deleted. */
export interface ChangedBy {
  name: string | null;
  at: string;
}

export type Changed =
  | { outcome: 'done' }
  /** There is no such watch, or it is another team's. */
  | { outcome: 'unknown' }
  | { outcome: 'stale'; by: ChangedBy };

export const watches = (db: Db) => ({
  /** In the order in which they were made. */
  ofTeam: (teamId: string): Promise<KeptWatch[]> => read(db, { teamId }),

  async byId(teamId: string, id: string): Promise<KeptWatch | undefined> {
    const [watch] = await read(db, { teamId, ids: [id] });
    return watch;
  },

  /** Those of these ids that are the team's. */
  some: (teamId: string, ids: readonly string[]): Promise<KeptWatch[]> =>
    ids.length === 0 ? Promise.resolve([]) : read(db, { teamId, ids }),

  /** Its id; undefined when the team has as many as it may. */
  async add(teamId: string, userId: string, draft: WatchDraft, now: Instant): Promise<string | undefined> {
    const at = iso(now);
    return db.transaction().execute(async (trx) => {
      // Two at once could otherwise both be the last that is allowed.
      await takeTurn(trx, WATCHES_REVISION);
      const { count } = await trx
        .selectFrom('watches')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('team_id', '=', teamId)
        .where('archived_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (Number(count) >= WATCH_LIMITS.watchesPerTeam) return undefined;

      const id = randomUUID();
      const { departures, notify, ...columns } = draft;
      await trx
        .insertInto('watches')
        .values({
          id,
          team_id: teamId,
          ...toColumns(columns),
          notify: JSON.stringify(notify ?? {}),
          created_by: userId,
          created_at: at,
          updated_by: userId,
          updated_at: at,
          rev: 1,
          matched_rev: 0,
        })
        .execute();
      await writeDepartures(trx, id, departures);
      await raiseRevision(trx, WATCHES_REVISION);
      return id;
    });
  },

  /** Only where it is still as the author of the change saw it: at this revision. */
  async change(
    { teamId, id, rev, userId }: { teamId: string; id: string; rev: number; userId: string },
    change: Partial<WatchDraft>,
    now: Instant,
  ): Promise<Changed> {
    const { departures, notify, ...columns } = change;
    const movesLine = 'legs' in change || 'geometry' in change || 'reach_m' in change;
    return db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('watches')
        .set((eb) => ({
          ...toColumns(columns),
          ...(notify && { notify: JSON.stringify(notify) }),
          rev: rev + 1,
          updated_by: userId,
          updated_at: iso(now),
          // Another name or departure touches no match.
          ...(!movesLine && {
            matched_rev: eb
              .case()
              .when('matched_rev', '=', rev)
              .then(rev + 1)
              .else(eb.ref('matched_rev'))
              .end(),
          }),
        }))
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('archived_at', 'is', null)
        .where('rev', '=', rev)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return whyNot(trx, teamId, id);

      if (departures) await writeDepartures(trx, id, departures);
      await raiseRevision(trx, WATCHES_REVISION);
      return { outcome: 'done' };
    });
  },

  /** It is kept a while without being shown: what touched it is history. */
  async remove(
    { teamId, id, rev, userId }: { teamId: string; id: string; rev: number; userId: string },
    now: Instant,
  ): Promise<Changed> {
    const at = iso(now);
    return db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('watches')
        .set({ archived_at: at, updated_by: userId, updated_at: at })
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('archived_at', 'is', null)
        .where('rev', '=', rev)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return whyNot(trx, teamId, id);

      await trx
        .updateTable('matches')
        .set({ ended_at: at, end_kind: 'edited' })
        .where('watch_id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
      await raiseRevision(trx, WATCHES_REVISION);
      return { outcome: 'done' };
    });
  },

  /**
   * What somebody says of a match, with its level and reason as they are now, or were last. False: no such watch of
   * the team.
   */
  async noteFeedback(
    { teamId, id, userId }: { teamId: string; id: string; userId: string },
    { subject_id, verdict, text }: MatchFeedback,
    now: Instant,
  ): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const known = await trx
        .selectFrom('watches')
        .select('id')
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('archived_at', 'is', null)
        .executeTakeFirst();
      if (!known) return false;

      const match = await trx
        .selectFrom('matches')
        .select(['level', 'why'])
        .where('watch_id', '=', id)
        .where('subject_id', '=', subject_id)
        .orderBy((eb) => eb.case().when('ended_at', 'is', null).then(0).else(1).end())
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      await trx
        .insertInto('match_feedback')
        .values({
          id: randomUUID(),
          watch_id: id,
          subject_id,
          level: match?.level ?? 'none',
          why: match?.why ?? '',
          user_id: userId,
          at: iso(now),
          verdict,
          text,
        })
        .execute();
      return true;
    });
  },

  /** When the oldest change was made that is not yet matched to this team's watches; null: all are. */
  async behindSince(teamId: string): Promise<string | null> {
    const own = db.selectFrom('watches').where('team_id', '=', teamId).where('archived_at', 'is', null);
    const edited = await own
      .select((eb) => eb.fn.min('updated_at').as('at'))
      .whereRef('matched_rev', '<', 'rev')
      .executeTakeFirst();
    // Before it is first matched, what waits in the log has nothing to do with it.
    const matched = await own.select('id').whereRef('matched_rev', '=', 'rev').limit(1).executeTakeFirst();
    if (!matched) return edited?.at ?? null;

    const waiting = await db
      .selectFrom('changes')
      .select('at')
      .where('batch', '>', (eb) =>
        eb.fn.coalesce(eb.selectFrom('cursors').select('batch').where('name', '=', MATCHER), eb.lit(0)),
      )
      .orderBy('batch')
      .limit(1)
      .executeTakeFirst();
    const times = [edited?.at, waiting?.at].filter((at) => at != null);
    return times.sort()[0] ?? null;
  },

  /** Those that were deleted before, with all that belonged to them. */
  async prune(before: Instant): Promise<void> {
    await db.deleteFrom('watches').where('archived_at', '<', iso(before)).execute();
  },
});

async function whyNot(trx: Db, teamId: string, id: string): Promise<Changed> {
  const row = await trx
    .selectFrom('watches')
    .leftJoin('users', 'users.id', 'watches.updated_by')
    .select(['users.display_name', 'watches.updated_at'])
    .where('watches.id', '=', id)
    .where('team_id', '=', teamId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row
    ? { outcome: 'stale', by: { name: row.display_name, at: row.updated_at } }
    : { outcome: 'unknown' };
}

async function read(
  db: Db,
  { teamId, ids }: { teamId: string; ids?: readonly string[] },
): Promise<KeptWatch[]> {
  const rows = await db
    .selectFrom('watches')
    .leftJoin('users', 'users.id', 'watches.created_by')
    .select([
      'watches.id',
      'kind',
      'name',
      'made_by',
      'legs',
      'geometry',
      'length_km',
      'reach_m',
      'sources',
      'notify',
      'created_by',
      'users.display_name',
      'watches.created_at',
      'updated_at',
      'rev',
    ])
    .where('team_id', '=', teamId)
    .where('archived_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('watches.id', 'in', ids!))
    .orderBy('watches.created_at')
    .orderBy('watches.id')
    .execute();
  const departures = Map.groupBy(
    await departuresOf(
      db,
      rows.map(({ id }) => id),
    ),
    ({ watch_id }) => watch_id,
  );
  return rows.map(({ created_by, display_name, ...row }) => ({
    ...row,
    legs: JSON.parse(row.legs) as Watch['legs'],
    geometry: JSON.parse(row.geometry) as Watch['geometry'],
    sources: JSON.parse(row.sources) as string[],
    notify: tellMeOf(JSON.parse(row.notify)),
    created_by: created_by === null ? null : { id: created_by, display_name: display_name ?? '' },
    departures: (departures.get(row.id) ?? []).map(toDeparture),
  }));
}

/** By the time at which they leave. */
export async function departuresOf(db: Db, watchIds: readonly string[]): Promise<DeparturesTable[]> {
  const rows: DeparturesTable[] = [];
  for (const ids of chunks(watchIds, IDS_PER_STATEMENT)) {
    rows.push(
      ...(await db
        .selectFrom('departures')
        .selectAll()
        .where('watch_id', 'in', ids)
        .orderBy('at_local')
        .orderBy('id')
        .execute()),
    );
  }
  return rows;
}

const toDeparture = ({ watch_id: _, except, ...departure }: DeparturesTable): Departure => ({
  ...departure,
  except: JSON.parse(except) as Departure['except'],
});

/** Those that stay keep their ids; an id that is not one of this watch is none. */
async function writeDepartures(
  trx: Db,
  watchId: string,
  departures: readonly DepartureInput[],
): Promise<void> {
  const own = new Set((await departuresOf(trx, [watchId])).map(({ id }) => id));
  await trx.deleteFrom('departures').where('watch_id', '=', watchId).execute();
  const rows = departures.map(({ id, except, ...departure }): DeparturesTable => {
    const stays = id !== undefined && own.delete(id);
    return {
      ...departure,
      id: stays ? id : randomUUID(),
      watch_id: watchId,
      except: JSON.stringify(except),
    };
  });
  for (const values of chunks(rows, ROWS_PER_STATEMENT))
    await trx.insertInto('departures').values(values).execute();
}

type Columns = Omit<WatchDraft, 'departures' | 'notify'>;

const toColumns = <T extends Partial<Columns>>({ legs, geometry, sources, ...columns }: T) =>
  ({
    ...columns,
    ...(legs && { legs: JSON.stringify(legs) }),
    ...(geometry && { geometry: JSON.stringify(geometry) }),
    ...(sources && { sources: JSON.stringify(sources) }),
  }) as { [K in keyof T & keyof Columns]: K extends 'legs' | 'geometry' | 'sources' ? string : T[K] };

/** The matches of these watches that have not ended: certain ones first, then by kilometre, those without one last. */
export const inOrder = <T extends Pick<MatchesTable, 'level' | 'from_km' | 'began_at' | 'subject_id'>>(
  all: readonly T[],
): T[] =>
  all.toSorted(
    (one, other) =>
      LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) ||
      (one.from_km ?? Infinity) - (other.from_km ?? Infinity) ||
      (one.subject_id < other.subject_id ? -1 : 1),
  );

const LEVELS: readonly MatchesTable['level'][] = ['certain', 'possible', 'near'];
