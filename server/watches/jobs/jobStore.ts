/** The jobs of a team. Every question names the team: another team's job is not found. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import {
  type AskedJob,
  isRunning,
  type Job,
  JOB_LIMITS,
  RUNNING_DAYS,
  type JobChange,
  type JobMark,
  type SheetMemory,
  type SheetUndone,
  tripKey,
  UNDO_SHEET_MINUTES,
} from '#contract/watches/jobs.ts';
import { deadlineInstant, deadlineProblem, sheetInstant } from '#contract/watches/sheetClock.ts';
import { chunks, IDS_PER_STATEMENT, rowsFor } from '../../db/batches.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { addRows, inTransaction, putRow, rowsWith } from '../../db/statements.ts';
import { JOBS_REVISION, raiseRevision, takeTurn } from '../../db/revisions.ts';
import type { RowOf, Tables } from '../../db/schema.ts';

/** A job without personal or secret fields. */
export type RunningJob = Pick<
  RowOf<'jobs'>,
  'id' | 'watch_id' | 'trip' | 'leaves_at' | 'left_at' | 'duration_min'
>;

export interface Who {
  teamId: string;
  userId: string;
}

export type JobChanged =
  | { outcome: 'done' }
  /** There is no such job, or it is another team's. */
  | { outcome: 'unknown' }
  /** The person who has changed or marked it meanwhile; null: that person was deleted. */
  | { outcome: 'stale'; by: { name: string | null; at: string } }
  /** A cancelled job neither leaves nor arrives: the person who cancelled it. */
  | { outcome: 'cancelled'; by: { name: string | null; at: string } }
  | { outcome: 'full' };

export const jobs = (db: Db) => ({
  /** The jobs in the order in which they leave. */
  ofDay: (teamId: string, day: string): Promise<Job[]> => read(db, teamId, { days: [day] }),

  /** The ids of jobs that were put on one of these routes, also if the route was deleted. */
  async idsOn(teamId: string, watchIds: readonly string[]): Promise<Set<string>> {
    const on = db.selectFrom('jobs').select('id').where('team_id', '=', teamId);
    return new Set((await on.where('watch_id', 'in', watchIds).execute()).map(({ id }) => id));
  },

  async byId(teamId: string, id: string): Promise<Job | undefined> {
    const [job] = await read(db, teamId, { ids: [id] });
    return job;
  },

  /** The day's list now. A time that another server's clock stored may be a moment ahead of this one's. */
  live: (teamId: string, now: Date, day = londonDay(now)): Promise<Job[]> => listed(db, teamId, now, day),

  /** The day's list as it was at a time. Words that a person changed later are the present ones. */
  asOf(teamId: string, at: Date): Promise<Job[]> {
    const then = (time: string | null) => (time !== null && time <= iso(at) ? time : null);
    return listed(db, teamId, at, londonDay(at), (job) =>
      then(job.created_at) === null
        ? []
        : {
            ...job,
            left_at: then(job.left_at),
            arrived_at: then(job.arrived_at),
            cancelled_at: then(job.cancelled_at),
          },
    );
  },

  /** Jobs that have arrived since then, and whose arrival was told when they left. */
  arrived: (teamId: string, since: Instant) =>
    db
      .selectFrom('jobs')
      .select(['arrived_at', 'told_from', 'told_to'])
      .where('team_id', '=', teamId)
      .where('arrived_at', '>=', iso(since))
      .where('cancelled_at', 'is', null)
      .where('told_from', 'is not', null)
      .$narrowType<{ arrived_at: string; told_from: string; told_to: string }>()
      .execute(),

  /** Times and routes of vehicles that may be on the way or that leave within a day, of any team. */
  async onRoutes(watchIds: readonly string[], now: Date): Promise<RunningJob[]> {
    return rowsFor(watchIds, (ids) =>
      db
        .selectFrom('jobs')
        .select(['id', 'watch_id', 'trip', 'leaves_at', 'left_at', 'duration_min'])
        .where('watch_id', 'in', ids)
        .where('arrived_at', 'is', null)
        .where('cancelled_at', 'is', null)
        .where('leaves_at', '>=', iso(new Date(now.getTime() - 2 * DAY_MS)))
        .where('leaves_at', '<', iso(new Date(now.getTime() + DAY_MS)))
        .orderBy('leaves_at')
        .orderBy('id'),
    );
  },

  /** False: the day already has as many jobs as it may. */
  async add(who: Who, asked: AskedJob, now: Instant, id: string = randomUUID()): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      await takeTurn(trx, JOBS_REVISION);
      if ((await countOf(trx, who.teamId, asked.day)) >= JOB_LIMITS.jobsPerDay) return false;
      await addRows(trx, 'jobs', rowOf(who, id, asked, now));
      await raiseRevision(trx, JOBS_REVISION);
      return true;
    });
  },

  /** Changes the job only at the revision that its author saw. */
  async change(
    { teamId, userId }: Who,
    { id, rev }: { id: string; rev: number },
    change: JobChange,
    now: Instant,
  ) {
    return db.transaction().execute(async (trx): Promise<JobChanged> => {
      await takeTurn(trx, JOBS_REVISION);
      const [before] = await read(trx, teamId, { ids: [id] });
      if (!before) return { outcome: 'unknown' };
      if (before.rev !== rev) return { outcome: 'stale', by: await lastChange(trx, id) };
      const { left_at, arrived_at, ...asked } = change;
      const after = { ...askedOf(before), ...defined(asked) };
      if (after.day !== before.day && (await countOf(trx, teamId, after.day)) >= JOB_LIMITS.jobsPerDay)
        return { outcome: 'full' };
      await rowsWith(trx, 'jobs', { id }).set({
        ...columnsOf(after),
        ...timeOf('left', before, left_at, userId),
        ...timeOf('arrived', before, arrived_at, userId),
        rev: rev + 1,
        updated_by: userId,
        updated_at: iso(now),
      });
      await raiseRevision(trx, JOBS_REVISION);
      return { outcome: 'done' };
    });
  },

  /** Stores a person's mark, or takes it back. If the same person repeats it, it counts once; a mark that somebody
   *  else has made stays theirs. */
  async mark(
    { teamId, userId }: Who,
    {
      id,
      mark,
      at,
      undo,
      told,
    }: {
      id: string;
      mark: JobMark;
      at: Instant;
      undo: boolean;
      /** The arrival forecast when the job leaves; null if the mark is taken back. */
      told?: { earliest: Date; latest: Date } | null;
    },
    now: Instant,
  ): Promise<JobChanged> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, JOBS_REVISION);
      const known = await trx
        .selectFrom('jobs')
        .select([`${mark}_at as at`, `${mark}_by as by`, 'cancelled_at', 'cancelled_by'])
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      if (!known) return { outcome: 'unknown' };
      if (undo ? known.at === null : known.at !== null && known.by === userId && known.at === iso(at))
        return { outcome: 'done' };
      if (!undo && known.at !== null && known.by !== userId)
        return { outcome: 'stale', by: { name: await nameOf(trx, known.by), at: known.at } };
      if (!undo && mark !== 'cancelled' && known.cancelled_at !== null)
        return {
          outcome: 'cancelled',
          by: { name: await nameOf(trx, known.cancelled_by), at: known.cancelled_at },
        };
      await rowsWith(trx, 'jobs', { id }).set((eb) => ({
        [`${mark}_at`]: undo ? null : iso(at),
        [`${mark}_by`]: undo ? null : userId,
        ...(mark === 'left' && {
          told_from: told ? iso(told.earliest) : null,
          told_to: told ? iso(told.latest) : null,
        }),
        rev: eb('rev', '+', 1),
        updated_by: userId,
        updated_at: iso(now),
      }));
      await raiseRevision(trx, JOBS_REVISION);
      return { outcome: 'done' };
    });
  },

  /** The route that each trip took in the last sheets, by the trip's key; null: somebody chose that it has none. A
   *  deleted route is left out. */
  async trips(teamId: string): Promise<Map<string, string | null>> {
    const rows = await db
      .selectFrom('trips')
      .leftJoin('watches', (join) =>
        join.onRef('watches.id', '=', 'trips.watch_id').on('watches.archived_at', 'is', null),
      )
      .select(['trips.words', 'trips.watch_id as chosen', 'watches.id as watch_id'])
      .where('trips.team_id', '=', teamId)
      .execute();
    return new Map(
      rows
        .filter(({ chosen, watch_id }) => chosen === watch_id)
        .map(({ words, watch_id }) => [words, watch_id]),
    );
  },

  async sheetMemory(teamId: string): Promise<SheetMemory> {
    const row = await rowsWith(db, 'sheets', { team_id: teamId }).first('columns', 'last_day');
    return {
      columns: JSON.parse(row?.columns ?? '{}') as SheetMemory['columns'],
      last_day: row?.last_day ?? null,
    };
  },

  /** Deletes jobs and sheets of days before this one, with everything that they said of people and vehicles: a
   *  heading may be the name of a driver. */
  async prune(beforeDay: string, now: Instant): Promise<void> {
    await db.deleteFrom('jobs').where('day', '<', beforeDay).execute();
    await db.deleteFrom('sheets').where('last_day', '<', beforeDay).execute();
    await db
      .updateTable('sheets')
      .set({ undo: null, undo_until: null })
      .where('undo_until', '<', iso(now))
      .execute();
  },
});

export interface SheetPlan {
  added: AskedJob[];
  /** `said`: the job as the sheet has it; `asked`: the whole job as it will be. */
  updated: { job: Job; said: AskedJob; asked: AskedJob }[];
  /** Jobs of the day that are missing in the sheet. */
  missing: Job[];
  /** Cancelled jobs that the sheet still has. */
  staysCancelled: Job[];
}

/** Plans the changes that a sheet makes to the jobs of its day. A row is the job with its reference; if several have
 *  the reference, the one with its trip; without a reference, the one with its trip and time. A sheet that still has
 *  a cancelled job does not bring it back, and a job that has arrived is not missing if the sheet lacks it.
 *  `routes`: the routes that the trips had before this sheet, by the trip's key. */
export function planSheet(
  existing: readonly Job[],
  asked: readonly AskedJob[],
  routes: ReadonlyMap<string, string | null> = new Map(),
): SheetPlan {
  const open = new Set(existing);
  const plan: SheetPlan = { added: [], updated: [], missing: [], staysCancelled: [] };
  const byKey = Map.groupBy(
    existing.flatMap((job) => keysOf(job).map((key) => ({ key, job }))),
    ({ key }) => key,
  );
  const candidates = new Map([...byKey].map(([key, all]) => [key, new Set(all.map(({ job }) => job))]));
  /** The only one of these that is still open. */
  const take = (key: string): Job | undefined => {
    const [found, other] = candidates.get(key) ?? [];
    return other ? undefined : found;
  };
  const refs = Map.groupBy(asked, ({ ref }) => ref);
  for (const one of asked) {
    const [whole, trip, ref] = keysOf(one);
    const job =
      one.ref === null
        ? take(whole)
        : (take(whole) ?? take(trip) ?? (refs.get(one.ref)!.length === 1 ? take(ref) : undefined));
    if (!job) plan.added.push(one);
    else {
      open.delete(job);
      for (const key of keysOf(job)) candidates.get(key)!.delete(job);
      if (job.cancelled_at !== null) plan.staysCancelled.push(job);
      else plan.updated.push({ job, said: one, asked: overwritten(job, one, routes) });
    }
  }
  plan.missing = [...open].filter(
    ({ cancelled_at, arrived_at }) => cancelled_at === null && arrived_at === null,
  );
  return plan;
}

/** A sheet overwrites only what it says, and the words of a deadline go with it. The job's deadline goes too if it is
 *  before the sheet's time of leaving: it would become the next day's. Somebody may have chosen a route for this job
 *  alone: it differs from the route of the trip, and stays as long as the trip is the same. */
function overwritten(job: Job, said: AskedJob, routes: ReadonlyMap<string, string | null>): AskedJob {
  const key = tripKey(said.trip);
  const isOwn = job.watch_id !== null && job.watch_id !== routes.get(key) && tripKey(job.trip) === key;
  const filled = Object.entries(said).filter(([, value]) => value !== null);
  const isOther = said.deadline_local !== null && said.deadline_local !== job.deadline_local;
  const asked = {
    ...askedOf(job),
    ...(isOther && { deadline_what: null }),
    ...(Object.fromEntries(filled) as Partial<AskedJob>),
    watch_id: isOwn ? job.watch_id : said.watch_id,
  };
  const isEarly = deadlineProblem(asked.leaves_local, asked.deadline_local) !== null;
  return isEarly ? { ...asked, deadline_local: null, deadline_what: null } : asked;
}

/** A sheet of a thousand rows is compared with a thousand jobs by these keys, and so in one pass. */
function keysOf({ ref, trip, leaves_local }: Pick<Job, 'ref' | 'trip' | 'leaves_local'>) {
  const words = tripKey(trip);
  return [
    JSON.stringify([ref, words, leaves_local]),
    JSON.stringify([ref, words]),
    JSON.stringify([ref]),
  ] as const;
}

/** Stores the plan in the caller's transaction. */
export async function storeSheet(
  trx: Db,
  who: Who,
  {
    id,
    day,
    plan,
    trips,
    columns,
    cancel,
  }: {
    /** Names the sheet when it is taken back. */
    id: string;
    day: string;
    plan: SheetPlan;
    /** The routes to remember, by the trip's key. */
    trips: ReadonlyMap<string, string | null>;
    columns: SheetMemory['columns'];
    cancel: readonly string[];
  },
  now: Instant,
): Promise<SheetStored> {
  const { teamId, userId } = who;
  const rows = plan.added.map((asked) => rowOf(who, randomUUID(), asked, now));
  await addRows(trx, 'jobs', rows);
  for (const { job, asked } of plan.updated)
    await rowsWith(trx, 'jobs', { id: job.id, team_id: teamId }).set((eb) => ({
      ...columnsOf(asked),
      rev: eb('rev', '+', 1),
      updated_by: userId,
      updated_at: iso(now),
    }));
  const missing = new Set(plan.missing.map(({ id }) => id));
  const gone = cancel.filter((id) => missing.has(id));
  for (const ids of chunks(gone, IDS_PER_STATEMENT))
    await rowsWith(trx, 'jobs', { id: ids, team_id: teamId }).set((eb) => ({
      cancelled_at: iso(now),
      cancelled_by: userId,
      rev: eb('rev', '+', 1),
      updated_by: userId,
      updated_at: iso(now),
    }));
  await rememberTrips(trx, teamId, trips, day);
  const undo: Undo = {
    sheet: id,
    by: userId,
    at: iso(now),
    added: rows.map(({ id }) => id),
    updated: plan.updated.map(({ job }) => ({ id: job.id, rev: job.rev + 1, before: askedOf(job) })),
    cancelled: plan.missing
      .filter(({ id }) => gone.includes(id))
      .map(({ id, rev }) => ({ id, rev: rev + 1 })),
    again: {},
  };
  const sheet = {
    columns: JSON.stringify(columns),
    last_day: day,
    undo: JSON.stringify([...(await lastSheets(trx, teamId, now)), undo].slice(-SHEETS_KEPT)),
    undo_until: iso(new Date(new Date(now).getTime() + UNDO_MS)),
  };
  await putRow(trx, 'sheets', { team_id: teamId, ...sheet }, ['team_id']);
  await raiseRevision(trx, JOBS_REVISION);
  return storedOf(undo);
}

/** The team's sheets that can be taken back, the latest last. */
async function lastSheets(db: Db, teamId: string, now: Instant): Promise<Undo[]> {
  const row = await rowsWith(db, 'sheets', { team_id: teamId }).first('undo');
  const since = iso(new Date(new Date(now).getTime() - UNDO_MS));
  try {
    return z
      .array(Undo)
      .parse(JSON.parse(row?.undo ?? '[]'))
      .filter(({ at }) => at >= since);
  } catch {
    return []; // torn, or of an earlier version that did not keep a list
  }
}

/** The outcome of a sheet that was stored before; null: it can no longer be taken back. */
export async function storedSheet(
  db: Db,
  teamId: string,
  id: string,
  now: Instant,
): Promise<SheetStored | null> {
  const undo = (await lastSheets(db, teamId, now)).find(({ sheet }) => sheet === id);
  return undo ? storedOf(undo) : null;
}

const storedOf = ({ added, updated, cancelled }: Undo) => ({
  ids: [...added, ...updated.map(({ id }) => id)],
  added: added.length,
  updated: updated.length,
  cancelled: cancelled.length,
});
type SheetStored = ReturnType<typeof storedOf>;

/** Only the latest sheets are kept, because each new sheet reads all that is remembered. */
async function rememberTrips(
  trx: Db,
  teamId: string,
  trips: ReadonlyMap<string, string | null>,
  day: string,
): Promise<void> {
  const rows = [...trips].map(([words, watch_id]) => ({ team_id: teamId, words, watch_id, sheet_day: day }));
  await putRow(trx, 'trips', rows, ['team_id', 'words']);
  const beyond = await trx
    .selectFrom('trips')
    .select('words')
    .where('team_id', '=', teamId)
    .orderBy('sheet_day', 'desc')
    .orderBy('words')
    .limit(JOB_LIMITS.jobsPerDay)
    .offset(JOB_LIMITS.tripsKept)
    .execute();
  for (const words of chunks(
    beyond.map((trip) => trip.words),
    IDS_PER_STATEMENT,
  ))
    await trx.deleteFrom('trips').where('team_id', '=', teamId).where('words', 'in', words).execute();
}

const UNDO_MS = UNDO_SHEET_MINUTES * MINUTE_MS;
/** The latest sheets of a team that can be taken back. */
const SHEETS_KEPT = 20;

/** Each job has the revision that the sheet gave to it; an added one has 1. */
const Undo = z.object({
  sheet: z.string(),
  by: z.string(),
  at: z.string(),
  added: z.array(z.string()),
  updated: z.array(
    z.object({
      id: z.string(),
      rev: z.int(),
      before: z.custom<AskedJob>((before) => typeof before === 'object' && before !== null),
    }),
  ),
  cancelled: z.array(z.object({ id: z.string(), rev: z.int() })),
  /** The revision of jobs that are again as this sheet left them, because a later sheet was taken back. */
  again: z.record(z.string(), z.int()).default({}),
});
type Undo = z.infer<typeof Undo>;

/** The revisions that the sheet gave to its jobs, by id. */
const revsOf = ({ added, updated, cancelled }: Undo) =>
  new Map([
    ...added.map((id) => [id, 1] as const),
    ...[...updated, ...cancelled].map(({ id, rev }) => [id, rev] as const),
  ]);

/** Takes one sheet back, once; null: that is no longer possible. `sheet`: its id; without one, the person's own last
 *  sheet. A job that was changed or marked since stays. A sheet whose jobs a later sheet has too stays whole; the
 *  answer then names the person who added the later one. */
export const undoSheet = (
  db: Db,
  { teamId, userId }: Who,
  sheet: string | undefined,
  now: Instant,
): Promise<SheetUndone | null | { later: { name: string | null; at: string } }> =>
  inTransaction(db, async (trx) => {
    await takeTurn(trx, JOBS_REVISION);
    const sheets = await lastSheets(trx, teamId, now);
    const place = sheets.findLastIndex((one) => (sheet ? one.sheet === sheet : one.by === userId));
    const undo = sheets[place];
    if (!undo) return null;
    const own = revsOf(undo);
    const later = sheets
      .slice(place + 1)
      .findLast((one) => [...revsOf(one).keys()].some((id) => own.has(id)));
    if (later) return { later: { name: await nameOf(trx, later.by), at: later.at } };
    const { added, updated, cancelled, again } = undo;
    const earlier = sheets.slice(0, place).map((one) => ({ again: one.again, revs: revsOf(one) }));
    const set = async (id: string, given: number, change: object) => {
      const rev = again[id] ?? given;
      const rows = await rowsWith(trx, 'jobs', { id, team_id: teamId, rev }).set({
        ...change,
        rev: rev + 1,
        updated_by: userId,
        updated_at: iso(now),
      });
      for (const one of rows > 0 ? earlier : [])
        if ((one.again[id] ?? one.revs.get(id)) === given - 1) one.again[id] = rev + 1;
      return rows;
    };
    let removed = 0;
    for (const id of added)
      removed += await rowsWith(trx, 'jobs', { id, team_id: teamId, rev: again[id] ?? 1 }).remove();
    let restored = 0;
    for (const { id, rev, before } of updated) restored += await set(id, rev, columnsOf(before));
    for (const { id, rev } of cancelled)
      restored += await set(id, rev, { cancelled_at: null, cancelled_by: null });
    const others = JSON.stringify(sheets.toSpliced(place, 1));
    await rowsWith(trx, 'sheets', { team_id: teamId }).set({ undo: others });
    await raiseRevision(trx, JOBS_REVISION);
    return {
      removed,
      restored,
      kept: added.length + updated.length + cancelled.length - removed - restored,
    };
  });

/** Only a mark has a time to change. */
const timeOf = (mark: 'left' | 'arrived', before: Job, at: string | null | undefined, userId: string) =>
  at === undefined || before[`${mark}_at`] === null || before[`${mark}_at`] === at
    ? {}
    : {
        [`${mark}_at`]: at,
        [`${mark}_by`]: at === null ? null : userId,
        // The arrival that was told belongs to another time of departure.
        ...(mark === 'left' && { told_from: null, told_to: null }),
      };

const countOf = (trx: Db, teamId: string, day: string): Promise<number> =>
  rowsWith(trx, 'jobs', { team_id: teamId, day }).count();

async function lastChange(trx: Db, id: string) {
  const row = await trx
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.updated_by')
    .select(['users.display_name as name', 'jobs.updated_at as at'])
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
  return row;
}

async function nameOf(trx: Db, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await rowsWith(trx, 'users', { id: userId }).first('display_name');
  return row?.display_name ?? null;
}

/** The jobs of a day, and those of days before that run at this time or leave on this day. `as`: a job as it was. */
async function listed(
  db: Db,
  teamId: string,
  at: Date,
  day: string,
  as: (job: Job) => Job | [] = (job) => job,
): Promise<Job[]> {
  const days = Array.from({ length: RUNNING_DAYS + 1 }, (_, before) => dayAfter(day, -before));
  const routes = await rowsWith(db, 'watches', { team_id: teamId }).all('id', 'length_km');
  const lengths = new Map(routes.map(({ id, length_km }) => [id, length_km]));
  const isListed = (job: Job) => {
    const leaves = new Date(job.left_at ?? job.leaves_at);
    const hasBegun = leaves <= at || londonDay(leaves) === day;
    return job.day === day || (hasBegun && isRunning(job, at, lengths.get(job.watch_id ?? '')));
  };
  return (await read(db, teamId, { days })).flatMap(as).filter(isListed);
}

async function read(
  db: Db | Transaction<Tables>,
  teamId: string,
  { days, ids }: { days?: readonly string[]; ids?: readonly string[] },
): Promise<Job[]> {
  let query = db
    .selectFrom('jobs')
    // The route of a job may be deleted: then the job has no route.
    .leftJoin('watches', (join) =>
      join.onRef('watches.id', '=', 'jobs.watch_id').on('watches.archived_at', 'is', null),
    )
    .leftJoin('users as left', 'left.id', 'jobs.left_by')
    .leftJoin('users as arrived', 'arrived.id', 'jobs.arrived_by')
    .leftJoin('users as cancelled', 'cancelled.id', 'jobs.cancelled_by')
    .selectAll('jobs')
    .select([
      'watches.id as route',
      'left.display_name as left_name',
      'arrived.display_name as arrived_name',
      'cancelled.display_name as cancelled_name',
    ])
    .where('jobs.team_id', '=', teamId);
  if (days) query = query.where('jobs.day', 'in', days);
  if (ids) query = query.where('jobs.id', 'in', ids);
  const rows = await query.orderBy('jobs.leaves_at').orderBy('jobs.id').execute();
  return rows.map(({ route, left_name, arrived_name, cancelled_name, ...row }) => ({
    ...askedOf(row),
    id: row.id,
    leaves_at: row.leaves_at,
    deadline_at: row.deadline_at,
    watch_id: route,
    left_at: row.left_at,
    left_by: left_name,
    arrived_at: row.arrived_at,
    arrived_by: arrived_name,
    cancelled_at: row.cancelled_at,
    cancelled_by: cancelled_name,
    created_at: row.created_at,
    rev: row.rev,
  }));
}

const askedOf = (row: AskedJob): AskedJob => ({
  day: row.day,
  ref: row.ref,
  leaves_local: row.leaves_local,
  duration_min: row.duration_min,
  watch_id: row.watch_id,
  trip: row.trip,
  vehicle: row.vehicle,
  driver: row.driver,
  people: row.people,
  deadline_local: row.deadline_local,
  deadline_what: row.deadline_what,
  note: row.note,
});

const columnsOf = (asked: AskedJob) => ({
  ...askedOf(asked),
  leaves_at: iso(sheetInstant(asked.day, asked.leaves_local)),
  deadline_at:
    asked.deadline_local === null
      ? null
      : iso(deadlineInstant(asked.day, asked.leaves_local, asked.deadline_local)),
});

const rowOf = ({ teamId, userId }: Who, id: string, asked: AskedJob, now: Instant): RowOf<'jobs'> => ({
  id,
  team_id: teamId,
  ...columnsOf(asked),
  left_at: null,
  left_by: null,
  told_from: null,
  told_to: null,
  arrived_at: null,
  arrived_by: null,
  cancelled_at: null,
  cancelled_by: null,
  created_at: iso(now),
  updated_by: userId,
  updated_at: iso(now),
  rev: 1,
});

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
