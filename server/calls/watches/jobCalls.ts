/** /api/v1/jobs: the caller's team's jobs of a day. Nobody outside the team can read them. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  AskedJob,
  DAY_FULL,
  Imported,
  ImportRequest,
  Job,
  JOB_LIMITS,
  JobChange,
  JobList,
  type JobMark,
  MarkRequest,
  NewJob,
  SheetMemory,
  SheetUndone,
  tripKey,
} from '#contract/watches/jobs.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import { deadlineProblem } from '#contract/watches/sheetClock.ts';
import {
  type JobChanged,
  jobs,
  planSheet,
  storedSheet,
  storeSheet,
  undoSheet,
} from '../../watches/jobs/jobStore.ts';
import { arrivalTeller } from '../../watches/jobs/toldArrival.ts';
import { iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { sheetTrips } from '../../watches/jobs/sheetTrips.ts';
import { JOBS_REVISION, takeTurn } from '../../db/revisions.ts';
import { watches } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { inWords, withName } from '../../http/calls/input.ts';
import { idOf, optional, revOf, yesNo } from '../../http/calls/parameters.ts';
import { AGAIN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';

const UNKNOWN = 'There is no such job. It may have been deleted.';
const UNKNOWN_ROUTE = 'There is no such route. It may have been deleted.';
const NO_REV = 'Send If-Match with the rev of the job that you loaded, such as 1.';
const FUTURE = 'at must not be in the future.';
const TOO_FAR = `day may be at most ${JOB_LIMITS.daysAhead} days ahead`;
const TOO_EARLY = 'This is more than 12 hours before the job leaves.';
const HAS_LEFT = 'A job that has left keeps its day. Undo its “Left” or “Arrived” first.';
const cancelled = (who: string, clock: string) =>
  `${who} cancelled this job at ${clock}. If it runs all the same, undo that first.`;
const BEFORE_LEFT = 'A job cannot arrive before it left.';
const NO_UNDO = 'This sheet was taken back before, or is more than an hour old.';
const later = (who: string, clock: string) =>
  `${who} added a sheet with the same jobs at ${clock}: this one stays.`;
const changed = (who: string, clock: string) => `Changed by ${who} at ${clock}. Load it again.`;

/** How far a device's clock may be ahead. */
const CLOCK_MS = 2 * 60_000;
/** A vehicle may leave this long before its time. */
const EARLY_MS = 12 * HOUR_MS;
/** An older mark was not made when the vehicle left. */
const FRESH_MS = 30 * 60_000;

const MARKS: Readonly<Record<JobMark, { path: string; done: string; summary: string }>> = {
  left: { path: 'left', done: 'left', summary: 'Mark a job as left' },
  arrived: { path: 'arrived', done: 'arrived', summary: 'Mark a job as arrived' },
  cancelled: { path: 'cancel', done: 'cancelled', summary: 'Cancel a job' },
};

const Id = z.object({
  id: idOf('job', example.job.id),
});

export const jobCalls: Calls =
  ({ db, collectors, config, now }) =>
  async (app) => {
    const stored = jobs(db);
    const keptDays = config.jobDays ?? JOB_LIMITS.keptDays;
    const tell = arrivalTeller({ db, collectors, now });
    const whoOf = async (request: FastifyRequest) => ({
      teamId: await request.teamId(),
      userId: request.user.id,
    });
    const must = (outcome: JobChanged, words = changed): void => {
      if (outcome.outcome === 'unknown') throw notFound(UNKNOWN);
      if (outcome.outcome === 'full') throw conflict(DAY_FULL);
      if (outcome.outcome === 'cancelled') throw conflict(inPerson(cancelled, outcome.by));
      if (outcome.outcome === 'stale') throw conflict(inPerson(words, outcome.by));
    };
    const answered = async (teamId: string, id: string): Promise<Job> => {
      return orNotFound(await stored.byId(teamId, id), UNKNOWN);
    };
    /** Refuses a route of another team. A job may have no route. */
    const checkRoute = async (teamId: string, id: string | null | undefined) => {
      if (id == null) return;
      const [watch] = await watches(db).brief(teamId, [id]);
      if (watch?.kind !== 'route') throw badInput(UNKNOWN_ROUTE);
    };

    const checkDay = (day: string | undefined) => {
      const today = londonDay(now());
      if (day && day > dayAfter(today, JOB_LIMITS.daysAhead)) throw badInput(TOO_FAR, 'day');
      if (day && day < dayAfter(today, -keptDays))
        throw badInput(`day may be at most ${keptDays} days ago: jobs are not kept longer`, 'day');
    };

    const checkDeadline = ({
      leaves_local,
      deadline_local,
    }: Pick<Job, 'leaves_local' | 'deadline_local'>) => {
      const problem = deadlineProblem(leaves_local, deadline_local);
      if (problem !== null) throw badInput(problem, 'deadline_local');
    };

    /** Refuses times that cannot be true, in a job as it would be. */
    const checkTimes = ({
      leaves_at,
      left_at,
      arrived_at,
    }: Pick<Job, 'leaves_at' | 'left_at' | 'arrived_at'>) => {
      for (const at of [left_at, arrived_at]) {
        if (at === null) continue;
        if (Date.parse(at) > now().getTime() + CLOCK_MS) throw badInput(FUTURE);
        if (Date.parse(at) < Date.parse(leaves_at) - EARLY_MS) throw badInput(TOO_EARLY);
      }
      if (left_at !== null && arrived_at !== null && Date.parse(arrived_at) < Date.parse(left_at))
        throw badInput(BEFORE_LEFT);
    };

    app.get('/', {
      who: 'jobs',
      costs: 'sheet',
      operationId: 'listJobs',
      summary: 'The jobs of a day',
      description:
        'By the time at which they leave, cancelled ones too. What touches them is in `GET /watches?summary=true`: a ' +
        'job is a departure of its route with a date. The bytes change only with the data: ask with `If-None-Match`. ' +
        'A key needs the scope `jobs:read`.',
      querystring: z.object({
        day: z.iso
          .date()
          .optional()
          .meta({ description: 'A day in London. Without it, today.', example: '2026-11-24' }),
        running: optional(yesNo).meta({
          description: 'Also jobs of days before that may still be on the way, or leave on this day.',
          example: true,
        }),
      }),
      response: { 200: JobList },
      handler: async (request) => {
        const day = request.query.day ?? londonDay(now());
        const teamId = await request.teamId();
        const all = await (request.query.running
          ? stored.live(teamId, now(), day)
          : stored.ofDay(teamId, day));
        return { day, jobs: all, total: all.length };
      },
    });

    app.get('/sheet', {
      who: 'user',
      operationId: 'readSheetMemory',
      summary: 'The columns of the last day sheet, and what each means',
      description: 'By the words of their headings, in lower case.',
      response: { 200: SheetMemory },
      handler: async (request) => stored.sheetMemory(await request.teamId()),
    });

    app.post('/', {
      who: 'user',
      meanings: { 201: 'The job was stored.' },
      refusals: { 409: DAY_FULL },
      operationId: 'addJob',
      summary: 'Add a job',
      description: `“25:15” is 01:15 of the next day. ${AGAIN}`,
      body: NewJob,
      response: { 201: Job },
      handler: async (request) => {
        const { id: ownId, ...content } = request.body;
        checkDay(content.day);
        checkDeadline(content);
        const who = await whoOf(request);
        await checkRoute(who.teamId, content.watch_id);
        const asked = { id: ownId, kind: 'jobs' as const, owner: [who.teamId, who.userId], content };
        const { id } = await makeOnce(db, asked, now(), async (trx, id) => {
          if (!(await jobs(trx).add(who, content, now(), id))) throw conflict(DAY_FULL);
        });
        return orGone(await stored.byId(who.teamId, id));
      },
    });

    app.post('/import', {
      bodyLimit: JOB_LIMITS.bodyBytes,
      who: 'user',
      costs: 'sheet',
      refusals: { 409: DAY_FULL },
      operationId: 'importJobs',
      summary: 'Add the jobs of a day sheet',
      description:
        'Rows as the client understood them; a row that cannot be read is left out and named. A row with the reference of ' +
        'a job of that day is that job, and changes only what it says: an empty field, and a route that somebody chose ' +
        'for that job alone, stay. A deadline before the new time of leaving does not stay, and is named in `problems`. `trips`: the routes that somebody chose; they are remembered. Any other trip takes the route of last time, or the team’s first route with its name or its two ends. Jobs that are missing from the sheet are listed in `missing`, and cancelled only ' +
        'if `cancel` names them. A cancelled job that the sheet still has stays cancelled, and is in `stays_cancelled`. With `dry_run` nothing is stored.',
      body: ImportRequest,
      response: { 200: Imported },
      handler: async (request): Promise<Imported> => {
        const { id, day, dry_run, rows, trips: chosenTrips, columns, cancel } = request.body;
        checkDay(day);
        const who = await whoOf(request);
        const problems: Imported['problems'] = [];
        const asked: (AskedJob & { row: number })[] = [];
        for (const [index, given] of rows.entries()) {
          const row = index + 1;
          const read = AskedJob.safeParse({ ...given, day, watch_id: null }, { error: inWords });
          const problem = read.success
            ? deadlineProblem(read.data.leaves_local, read.data.deadline_local)
            : `${withName(read.error.issues[0]!).message}.`; // it has one
          if (read.success && problem === null) asked.push({ ...read.data, row });
          else problems.push({ row, text: `Row ${row}: ${problem} Left out.` });
        }
        const routes = (await watches(db).brief(who.teamId)).filter(({ kind }) => kind === 'route');
        const ids = new Set(routes.map((route) => route.id));
        const chosen = new Map(chosenTrips.map(({ words, watch_id }) => [tripKey(words), watch_id]));
        for (const watchId of chosen.values())
          if (watchId !== null && !ids.has(watchId)) throw badInput(UNKNOWN_ROUTE);
        const remembered = await stored.trips(who.teamId);
        const trips = sheetTrips(asked, { chosen, remembered, routes });
        const known = sheetTrips(asked, { chosen: new Map(), remembered, routes });
        const routeOf = routesByTrip(trips);
        const withRoutes = asked.map((one) => ({ ...one, watch_id: routeOf.get(tripKey(one.trip)) ?? null }));
        const planIn = async (db: Db) => {
          const stands = await jobs(db).ofDay(who.teamId, day);
          const plan = planSheet(stands, withRoutes, routesByTrip(known));
          return { plan, isFull: stands.length + plan.added.length > JOB_LIMITS.jobsPerDay };
        };
        const { plan, isFull } = await planIn(db);
        for (const { job, said, asked } of plan.updated)
          if (job.deadline_local !== null && asked.deadline_local === null) {
            const { row } = withRoutes.find((one) => one === said)!; // the plan is made of these
            const early = deadlineProblem(asked.leaves_local, job.deadline_local);
            problems.push({ row, text: `Row ${row}: ${early} The job loses this deadline.` });
          }
        const answer = {
          sheet: null as string | null,
          added: plan.added.length,
          updated: plan.updated.length,
          cancelled: 0,
          problems,
          trips,
          missing: plan.missing,
          stays_cancelled: plan.staysCancelled,
          ids: [] as string[],
        };
        if (dry_run && isFull) throw conflict(DAY_FULL);
        if (dry_run) return answer;

        const content = { day, rows, chosenTrips, columns, cancel };
        const same = { id, kind: 'jobs' as const, owner: [who.teamId, who.userId], content };
        const toRemember = routesByTrip(
          trips.filter(({ found }) => found === 'chosen' || found === 'as last time'),
        );
        let kept: Awaited<ReturnType<typeof storedSheet>> = null;
        const { id: made, isNew } = await makeOnce(db, same, now(), async (trx, id) => {
          await takeTurn(trx, JOBS_REVISION);
          // The day's jobs are read again: somebody may have added the same sheet a moment ago.
          const fresh = await planIn(trx);
          if (fresh.isFull) throw conflict(DAY_FULL);
          const of = { id, day, plan: fresh.plan, trips: toRemember, columns, cancel };
          kept = await storeSheet(trx, who, of, now());
        });
        if (!isNew) kept = await storedSheet(db, who.teamId, made, now());
        return { ...answer, ...kept, sheet: made };
      },
    });

    app.post('/import/undo', {
      who: 'user',
      costs: 'sheet',
      refusals: { 404: NO_UNDO, 409: later('Sam Lee', '06:07') },
      operationId: 'undoImport',
      summary: 'Undo a day sheet',
      description:
        'The sheet with the id that the import answered; without one, the caller’s own last sheet. Within an hour: its jobs are removed, and those that it changed or cancelled are as before. What somebody ' +
        'has changed or marked since stays. Routes that were made for it stay too.',
      querystring: z.object({ sheet: idOf('sheet', example.job.id).optional() }),
      response: { 200: SheetUndone },
      handler: async (request) => {
        const who = await whoOf(request);
        const undone = orNotFound(await undoSheet(db, who, request.query.sheet, now()), NO_UNDO);
        if ('later' in undone) throw conflict(inPerson(later, undone.later));
        return undone;
      },
    });

    app.get('/:id', {
      who: 'jobs',
      refusals: { 404: UNKNOWN },
      operationId: 'readJob',
      summary: 'One job',
      description: 'Another team’s is a 404, as any unknown id.',
      params: Id,
      response: { 200: Job },
      handler: async (request) => answered(await request.teamId(), request.params.id),
    });

    app.patch('/:id', {
      who: 'user',
      refusals: { 404: UNKNOWN, 409: changed('Rosa Jones', '06:12'), 428: NO_REV },
      operationId: 'changeJob',
      summary: 'Change a job',
      description: 'With `If-Match`: the `rev` that was loaded. Fields that are left out stay.',
      params: Id,
      body: JobChange,
      response: { 200: Job },
      handler: async (request) => {
        const who = await whoOf(request);
        const { id } = request.params;
        const before = await answered(who.teamId, id);
        const rev = revOf(request, NO_REV);
        checkDay(request.body.day);
        await checkRoute(who.teamId, request.body.watch_id);
        const { left_at = before.left_at, arrived_at = before.arrived_at } = request.body;
        if (left_at !== before.left_at || arrived_at !== before.arrived_at)
          checkTimes({ leaves_at: before.leaves_at, left_at, arrived_at });
        const { day = before.day } = request.body;
        if (day !== before.day && (left_at ?? arrived_at) !== null) throw badInput(HAS_LEFT, 'day');
        const { leaves_local = before.leaves_local, deadline_local = before.deadline_local } = request.body;
        if (leaves_local !== before.leaves_local || deadline_local !== before.deadline_local)
          checkDeadline({ leaves_local, deadline_local });
        must(await stored.change(who, { id, rev }, request.body, now()));
        return answered(who.teamId, id);
      },
    });

    for (const [mark, { path, done, summary }] of Object.entries(MARKS) as [
      JobMark,
      (typeof MARKS)[JobMark],
    ][]) {
      const taken = (who: string, clock: string) => `${who} marked this as ${done} at ${clock}.`;
      app.post(`/:id/${path}`, {
        who: 'user',
        refusals: { 404: UNKNOWN, 409: taken('Sam Lee', '06:07') },
        operationId: `${path}Job`,
        summary,
        description:
          'At the time that is given, else now; with `undo` the mark is taken back. Sent twice, it counts once. If a ' +
          'colleague has marked the job before, their mark stands. A cancelled job can be marked neither as left nor as ' +
          'arrived: 409 then names who cancelled it, and when.',
        params: Id,
        body: MarkRequest,
        response: { 200: Job },
        handler: async (request) => {
          const who = await whoOf(request);
          const { id } = request.params;
          const time = now();
          const at = request.body.at === undefined ? time : new Date(request.body.at);
          const before = await answered(who.teamId, id);
          if (!request.body.undo && mark !== 'cancelled') checkTimes({ ...before, [`${mark}_at`]: iso(at) });
          const asked = { id, mark, at: at > time ? time : at, undo: request.body.undo };
          // The expected arrival is kept only when the mark was made at once. A mark that waited for a network would
          // store an arrival that nobody knew when the vehicle left.
          const isFresh = mark === 'left' && !asked.undo && time.getTime() - asked.at.getTime() < FRESH_MS;
          const told = isFresh ? await tell(who.teamId, { ...before, left_at: iso(asked.at) }) : null;
          must(await stored.mark(who, { ...asked, told }, time), taken);
          return answered(who.teamId, id);
        },
      });
    }
  };

const inPerson = (words: typeof changed, { name, at }: { name: string | null; at: string }) =>
  words(name ?? 'a deleted person', LONDON_CLOCK.format(new Date(at)));

const routesByTrip = (trips: Imported['trips']) =>
  new Map(trips.map(({ words, watch_id }) => [tripKey(words), watch_id]));
