/** Routes and areas of a team. Every query names the team: a watch of another team is treated as unknown. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type TellMe, tellMeOf } from '#contract/watches/tellMe.ts';
import type { Departure, DepartureInput, MatchFeedback, NotOurs, Watch } from '#contract/watches/watches.ts';
import { WATCH_LIMITS, type WatchKind } from '#contract/watches/watches.ts';
import { whichOf } from '#contract/watches/whichIncidents.ts';
import { whenOf } from '#contract/watches/whenWatched.ts';
import { addresses } from './sharedAddresses.ts';
import { chunks, IDS_PER_STATEMENT, rowCount } from '../db/batches.ts';
import { iso, type Instant, minutesBefore } from '../db/instant.ts';
import { lines, MATCHER, matches } from './matching/matchStore.ts';
import { marksOf, saidAt } from './matching/notOurs.ts';
import type { Db } from '../db/open.ts';
import { addRows, insertNew, inTransaction, rowsWith } from '../db/statements.ts';
import { raiseRevision, takeTurn, WATCHES_REVISION } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The watch of the contract, without the legs' statements about the way. */
export type KeptWatch = Omit<Watch, 'course' | 'places' | 'coverage'>;

/** The watch as lists show it, without the lines and legs, which are long. */
export type BriefWatch = Omit<KeptWatch, 'legs' | 'geometry'>;

/** The decisions of its author, and the fields made from them. */
export interface WatchDraft extends Pick<
  Watch,
  | 'kind'
  | 'name'
  | 'made_name'
  | 'named_by_hand'
  | 'place'
  | 'which'
  | 'when'
  | 'made_by'
  | 'legs'
  | 'geometry'
  | 'length_km'
  | 'reach_m'
  | 'sources'
> {
  departures: readonly DepartureInput[];
  notify?: TellMe | undefined;
}

/** The person who changed it meanwhile, and when; null: that person was deleted. */
interface ChangedBy {
  name: string | null;
  at: string;
}

export type Changed =
  | { outcome: 'done' }
  /** There is no such watch, or it is another team's. */
  | { outcome: 'unknown' }
  | { outcome: 'stale'; by: ChangedBy }
  /** The other watches of the team are touched by as many incidents and events as is allowed. */
  | { outcome: 'touched' };

/** The team has as many watches as it may, or as many incidents and events touch them as is allowed. */
export type Full = 'full' | 'touched';

export const watches = (db: Db) => ({
  /** In the order in which they were made. */
  ofTeam: (teamId: string): Promise<KeptWatch[]> => read(db, { teamId }),

  /** The legs of its routes, route by route, the shortest first, up to this total length of JSON. */
  async *legsOfRoutes(teamId: string, length: number): AsyncGenerator<Pick<Watch, 'id' | 'legs'>> {
    const routes = await db
      .selectFrom('watches')
      .select(['id', sql<number>`length(legs)`.as('size')])
      .where('team_id', '=', teamId)
      .where('archived_at', 'is', null)
      .where('kind', '=', 'route')
      .orderBy('size')
      .orderBy('id')
      .execute();
    let read = 0;
    for (const { id, size } of routes) {
      read += size;
      if (read > length) return;
      const row = await db.selectFrom('watches').select('legs').where('id', '=', id).executeTakeFirst();
      if (row) yield { id, legs: JSON.parse(row.legs) as Watch['legs'] };
    }
  },

  /** Without their lines; all, or those of these ids. */
  brief: (teamId: string, ids?: readonly string[]): Promise<BriefWatch[]> =>
    ids?.length === 0 ? Promise.resolve([]) : readBrief(db, { teamId, ...(ids && { ids }) }),

  async byId(teamId: string, id: string): Promise<KeptWatch | undefined> {
    const [watch] = await read(db, { teamId, ids: [id] });
    return watch;
  },

  /** `full`: the reason why the team can have no more. Then the watch was not added. */
  async add(
    teamId: string,
    userId: string,
    draft: WatchDraft,
    now: Instant,
    id: string = randomUUID(),
  ): Promise<{ id: string; full: Full | null }> {
    const at = iso(now);
    return inTransaction(db, async (trx) => {
      // Otherwise two calls at the same time could both add the last one that is allowed.
      await takeTurn(trx, WATCHES_REVISION);
      const full = await isFull(trx, teamId, draft.kind);
      if (full) return { id, full };

      const { departures, notify, ...columns } = draft;
      await addRows(trx, 'watches', {
        id,
        team_id: teamId,
        ...toColumns(columns),
        notify: JSON.stringify(notify ?? {}),
        created_by: userId,
        created_at: at,
        updated_by: userId,
        updated_at: at,
        rev: 1,
        // Feeds are not matched: their incidents are read when somebody asks for them.
        matched_rev: draft.kind === 'feeds' ? 1 : 0,
      });
      await writeDepartures(trx, id, departures);
      await raiseRevision(trx, WATCHES_REVISION);
      return { id, full: null };
    });
  },

  /** Changes the watch only at the revision that its author saw. */
  async change(
    { teamId, id, rev, userId }: { teamId: string; id: string; rev: number; userId: string },
    change: Partial<WatchDraft>,
    now: Instant,
  ): Promise<Changed> {
    const { departures, notify, ...columns } = change;
    const movesLine = 'legs' in change || 'geometry' in change || 'reach_m' in change;
    return db.transaction().execute(async (trx) => {
      // A team that has reached the limit can still save a watch that became smaller.
      if (movesLine && (await matchCount(trx, teamId, id)) >= WATCH_LIMITS.matchesPerTeam)
        return { outcome: 'touched' };
      const { numUpdatedRows } = await trx
        .updateTable('watches')
        .set((eb) => ({
          ...toColumns(columns),
          ...(notify && { notify: JSON.stringify(notify) }),
          rev: rev + 1,
          updated_by: userId,
          updated_at: iso(now),
          // A new name or departure changes no match.
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

  /** Watches not named come after these, as they were made. */
  async order(teamId: string, ids: readonly string[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await rowsWith(trx, 'watches', { team_id: teamId }).set({ list_place: null });
      for (const [list_place, id] of [...new Set(ids)].entries())
        await rowsWith(trx, 'watches', { id, team_id: teamId }).set({ list_place });
      await raiseRevision(trx, WATCHES_REVISION);
    });
  },

  /** A deleted watch is kept for a while, hidden: its matches are history. */
  async remove(
    { teamId, id, rev, userId }: { teamId: string; id: string; rev: number; userId: string },
    now: Instant,
  ): Promise<Changed> {
    const at = iso(now);
    return db.transaction().execute(async (trx) => {
      const rows = await rowsWith(trx, 'watches', { id, team_id: teamId, archived_at: null, rev }).set({
        archived_at: at,
        updated_by: userId,
        updated_at: at,
      });
      if (rows === 0) return whyNot(trx, teamId, id);

      await rowsWith(trx, 'matches', { watch_id: id, ended_at: null }).set({
        ended_at: at,
        end_kind: 'edited',
      });
      await addresses(trx).endOf(id, now);
      await forgetDeleted(trx, teamId);
      await raiseRevision(trx, WATCHES_REVISION);
      return { outcome: 'done' };
    });
  },

  /** Restores a deleted watch, for as long as that is possible. A watch that is not deleted is left as it is: the
   *  answer to a first try may have been lost. */
  async restore(
    { teamId, id, userId }: { teamId: string; id: string; userId: string },
    now: Instant,
  ): Promise<'done' | 'unknown' | Full> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, WATCHES_REVISION);
      const own = trx.selectFrom('watches').where('team_id', '=', teamId);
      const known = await own
        .select(['rev', 'kind', 'archived_at', 'geometry'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!known) return 'unknown';
      if (known.archived_at === null) return 'done';
      if (known.geometry === FORGOTTEN) return 'unknown';
      if (known.archived_at < minutesBefore(iso(now), WATCH_LIMITS.undoMinutes)) return 'unknown';
      const full = await isFull(trx, teamId, known.kind);
      if (full) return full;
      // Its revision differs from the matched one: its state is unknown until it is matched again.
      const rev = known.rev + 1;
      await rowsWith(trx, 'watches', { id }).set({
        archived_at: null,
        rev,
        ...(known.kind === 'feeds' && { matched_rev: rev }),
        updated_by: userId,
        updated_at: iso(now),
      });
      await raiseRevision(trx, WATCHES_REVISION);
      return 'done';
    });
  },

  /** A person's verdict on a match, with the level and reason that the match has now or had last. `unknown`: the
   *  team has no such watch; `full`: the person has made as many marks as a person may make in a day. */
  async noteFeedback(
    { teamId, id, userId }: { teamId: string; id: string; userId: string },
    { id: feedbackId = randomUUID(), subject_id, verdict, text }: MatchFeedback,
    now: Instant,
  ): Promise<'done' | 'unknown' | 'full'> {
    return db.transaction().execute(async (trx) => {
      const known = await rowsWith(trx, 'watches', { id, team_id: teamId, archived_at: null }).first('id');
      if (!known) return 'unknown';
      const marks = await trx
        .selectFrom('match_feedback')
        .select('id')
        .where('user_id', '=', userId)
        .where('at', '>', minutesBefore(iso(now), 24 * 60))
        .limit(WATCH_LIMITS.marksADay)
        .execute();
      if (marks.length === WATCH_LIMITS.marksADay) return 'full';

      const match = await trx
        .selectFrom('matches')
        .select(['level', 'why'])
        .where('watch_id', '=', id)
        .where('subject_id', '=', subject_id)
        .orderBy((eb) => eb.case().when('ended_at', 'is', null).then(0).else(1).end())
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      const isNew = await insertNew(
        trx,
        'match_feedback',
        {
          id: `${id}:${feedbackId}`,
          watch_id: id,
          subject_id,
          level: match?.level ?? 'none',
          why: match?.why ?? '',
          user_id: userId,
          at: await saidAt(trx, subject_id, now),
          verdict,
          text,
        },
        ['id'],
      );
      if (!isNew) return 'done';
      // Only the latest verdict of a person on an incident is kept in full. Earlier ones are kept for a day by their
      // id, so that a repeated one counts once.
      const isMissed = verdict === 'missed';
      await trx
        .updateTable('match_feedback')
        .set({ verdict: 'replaced', why: '', text: null })
        .where('watch_id', '=', id)
        .where('subject_id', '=', subject_id)
        .where('user_id', '=', userId)
        .where('verdict', 'in', isMissed ? ['missed'] : ['ours', 'not_ours'])
        .where('id', '<>', `${id}:${feedbackId}`)
        .execute();
      if (isMissed) return 'done';

      if (verdict === 'not_ours')
        await rowsWith(trx, 'matches', {
          watch_id: id,
          subject: 'disruption',
          subject_id,
          ended_at: null,
        }).set({ ended_at: iso(now), end_kind: 'edited' });
      await raiseRevision(trx, WATCHES_REVISION);
      return 'done';
    });
  },

  /** The incidents in force that the team has marked as not on this watch, the last first. */
  async notOurs(teamId: string, id: string): Promise<NotOurs[]> {
    const own = await rowsWith(db, 'watches', { id, team_id: teamId }).first('id');
    if (!own) return [];
    const marks = await marksOf(db, 'watch_id', [id]);
    const titles = await titlesInForce(
      db,
      marks.map(({ subject_id }) => subject_id),
    );
    const names = await namesOf(
      db,
      marks.flatMap(({ user_id }) => user_id ?? []),
    );
    return marks
      .flatMap(({ subject_id, at, user_id }) => {
        const title = titles.get(subject_id);
        return title === undefined ? [] : [{ subject_id, title, at, by: names.get(user_id ?? '') ?? null }];
      })
      .sort((one, other) => (one.at > other.at ? -1 : 1));
  },

  /** The time of the oldest change that is not yet matched to this team's watches; null: all changes are matched. */
  async behindSince(teamId: string): Promise<string | null> {
    const own = lines(db).where('team_id', '=', teamId);
    const edited = await own
      .select((eb) => eb.fn.min('updated_at').as('at'))
      .whereRef('matched_rev', '<', 'rev')
      .executeTakeFirst();
    // Before a watch is first matched, a change in the log does not make it late.
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

  /** Deletes marks that their person replaced before then. */
  async pruneReplaced(before: Instant): Promise<void> {
    await db
      .deleteFrom('match_feedback')
      .where('verdict', '=', 'replaced')
      .where('at', '<', iso(before))
      .execute();
  },

  /** Deletes the lines of watches whose deletion can no longer be undone. */
  async forgetLines(now: Instant): Promise<void> {
    await db
      .updateTable('watches')
      .set(NO_LINE)
      .where('archived_at', '<', minutesBefore(iso(now), WATCH_LIMITS.undoMinutes))
      .where('geometry', '!=', FORGOTTEN)
      .execute();
  },
});

async function isFull(trx: Db, teamId: string, kind: WatchKind): Promise<Full | null> {
  const own = trx.selectFrom('watches').where('team_id', '=', teamId).where('kind', '=', kind);
  if ((await rowCount(own.where('archived_at', 'is', null))) >= WATCH_LIMITS.perTeam[kind]) return 'full';
  if (kind === 'feeds') return null;
  return (await matchCount(trx, teamId)) >= WATCH_LIMITS.matchesPerTeam ? 'touched' : null;
}

/** The number of incidents and events that touch all watches of a team, or all but one. */
async function matchCount(trx: Db, teamId: string, without = ''): Promise<number> {
  return (await matches(trx).countOf([teamId], without)).get(teamId) ?? 0;
}

async function titlesInForce(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const some of chunks(ids, IDS_PER_STATEMENT))
    for (const table of ['disruptions', 'own_reports'] as const) {
      const rows = await db
        .selectFrom(table)
        .select(['event_id', 'title'])
        .where('event_id', 'in', some)
        .where('ended_at', 'is', null)
        .execute();
      for (const { event_id, title } of rows) titles.set(event_id, title);
    }
  return titles;
}

async function namesOf(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsWith(db, 'users', { id: [...new Set(userIds)] }).all('id', 'display_name');
  return new Map(rows.map(({ id, display_name }) => [id, display_name]));
}

/** The stored value in place of the geometry of a deleted watch. */
const FORGOTTEN = 'null';
const NO_LINE = { legs: '[]', geometry: FORGOTTEN };

/** Somebody who makes and deletes routes in turn must not fill the disk: of all deleted ones but the last only the
 *  name is kept. */
async function forgetDeleted(trx: Db, teamId: string): Promise<void> {
  const deleted = await trx
    .selectFrom('watches')
    .select(['id', 'archived_at'])
    .where('team_id', '=', teamId)
    .where('archived_at', 'is not', null)
    .orderBy('archived_at', 'desc')
    .orderBy('id')
    .offset(WATCH_LIMITS.undoKept)
    .limit(WATCH_LIMITS.deletedKept - WATCH_LIMITS.undoKept + 1)
    .execute();
  const ids = deleted.map(({ id }) => id);
  const last = ids[WATCH_LIMITS.deletedKept - WATCH_LIMITS.undoKept];
  if (last !== undefined) await trx.deleteFrom('watches').where('id', '=', last).execute();
  const first = ids[0];
  if (first !== undefined) await rowsWith(trx, 'watches', { id: first }).set(NO_LINE);
}

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

interface Asked {
  teamId: string;
  ids?: readonly string[];
}

async function read(db: Db, asked: Asked): Promise<KeptWatch[]> {
  const rows = await rowsOf(db, asked).select(['legs', 'geometry']).execute();
  const shown = await toBrief(db, rows);
  return rows.map(({ legs, geometry }, at) => ({
    ...shown[at]!, // one for each
    legs: JSON.parse(legs) as Watch['legs'],
    geometry: JSON.parse(geometry) as Watch['geometry'],
  }));
}

const readBrief = async (db: Db, asked: Asked): Promise<BriefWatch[]> =>
  toBrief(db, await rowsOf(db, asked).execute());

const rowsOf = (db: Db, { teamId, ids }: Asked) =>
  db
    .selectFrom('watches')
    .leftJoin('users', 'users.id', 'watches.created_by')
    .select([
      'watches.id',
      'kind',
      'name',
      'made_name',
      'named_by_hand',
      'place',
      'which',
      'when',
      'made_by',
      'length_km',
      'reach_m',
      'sources',
      'notify',
      'created_by',
      'users.display_name',
      'watches.created_at',
      'updated_at',
      'rev',
      'matched_rev',
    ])
    .where('team_id', '=', teamId)
    .where('archived_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('watches.id', 'in', ids!))
    .orderBy((eb) => eb.fn.coalesce('list_place', eb.lit(LAST_PLACE)))
    .orderBy('watches.created_at')
    .orderBy('watches.id');

/** The place in the order of watches without one. */
const LAST_PLACE = 1_000_000;

type BriefRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

async function toBrief(db: Db, rows: readonly BriefRow[]): Promise<BriefWatch[]> {
  const departures = Map.groupBy(
    await departuresOf(
      db,
      rows.map(({ id }) => id),
    ),
    ({ watch_id }) => watch_id,
  );
  return rows.map(({ matched_rev, sources, notify, created_by, display_name, which, when, ...row }) => ({
    ...row,
    named_by_hand: row.named_by_hand === 1,
    which: whichOf(JSON.parse(which)),
    when: when === null ? null : whenOf(JSON.parse(when)),
    checking: matched_rev < row.rev,
    sources: JSON.parse(sources) as string[],
    notify: tellMeOf(JSON.parse(notify)),
    created_by: created_by === null ? null : { id: created_by, display_name: display_name ?? '' },
    departures: (departures.get(row.id) ?? []).map(toDeparture),
  }));
}

/** The departures in the order in which they leave. */
export async function departuresOf(db: Db, watchIds: readonly string[]): Promise<RowOf<'departures'>[]> {
  return rowsWith(db, 'departures', { watch_id: watchIds }, ['at_local', 'id']).all();
}

export const toDeparture = ({ watch_id: _, except, ...departure }: RowOf<'departures'>): Departure => ({
  ...departure,
  except: JSON.parse(except) as Departure['except'],
});

/** Departures that stay keep their ids; an id that is not of this watch is ignored. */
async function writeDepartures(
  trx: Db,
  watchId: string,
  departures: readonly DepartureInput[],
): Promise<void> {
  const own = new Set((await departuresOf(trx, [watchId])).map(({ id }) => id));
  await trx.deleteFrom('departures').where('watch_id', '=', watchId).execute();
  const rows = departures.map(({ id, except, ...departure }): RowOf<'departures'> => {
    const stays = id !== undefined && own.delete(id);
    return {
      ...departure,
      id: stays ? id : randomUUID(),
      watch_id: watchId,
      except: JSON.stringify(except),
    };
  });
  await addRows(trx, 'departures', rows);
}

type Columns = Omit<WatchDraft, 'departures' | 'notify'>;

const toColumns = <T extends Partial<Columns>>({ named_by_hand, when, ...columns }: T) =>
  ({
    ...columns,
    ...(named_by_hand !== undefined && { named_by_hand: Number(named_by_hand) }),
    ...(when !== undefined && { when: when && JSON.stringify(when) }),
    ...Object.fromEntries(
      AS_JSON.flatMap((name) => (columns[name] === undefined ? [] : [[name, JSON.stringify(columns[name])]])),
    ),
  }) as {
    [K in keyof T & keyof Columns]: K extends (typeof AS_JSON)[number] ? string : RowOf<'watches'>[K];
  };

const AS_JSON = ['legs', 'geometry', 'sources', 'which'] as const;

/** The matches of these watches that have not ended: certain ones first, then by kilometre, with those without one
 *  last. */
export const inOrder = <T extends Pick<RowOf<'matches'>, 'level' | 'from_km' | 'began_at' | 'subject_id'>>(
  all: readonly T[],
): T[] =>
  all.toSorted(
    (one, other) =>
      LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) ||
      (one.from_km ?? Infinity) - (other.from_km ?? Infinity) ||
      (one.subject_id < other.subject_id ? -1 : 1),
  );

const LEVELS: readonly RowOf<'matches'>['level'][] = ['certain', 'possible', 'near'];
