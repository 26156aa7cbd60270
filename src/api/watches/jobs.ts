/** The team's jobs of a day, and their marks. */
import { apiPath } from '#contract/addresses.ts';
import {
  Imported as WireImported,
  type ImportRequest,
  Job as WireJob,
  type JobChange,
  JobList,
  type JobMark,
  type MarkRequest,
  type NewJob,
  SheetMemory,
  SheetUndone,
} from '#contract/watches/jobs.ts';
import { z } from 'zod/mini';
import { call, read, type Reply } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { items, tolerant } from '../tolerant.ts';

const text = z.catch(z.nullable(z.string()), null);
const whole = z.catch(z.nullable(z.int()), null);

/** A job without a time of leaving is not a job. */
const Job = tolerant(WireJob, 'id', {
  day: z.catch(z.string(), ''),
  ref: text,
  leaves_local: z.catch(z.string(), ''),
  leaves_at: z.iso.datetime(),
  duration_min: whole,
  watch_id: text,
  trip: z.catch(z.string(), 'Job without a trip'),
  vehicle: text,
  driver: text,
  people: whole,
  deadline_local: text,
  deadline_at: text,
  deadline_what: text,
  note: text,
  left_at: text,
  left_by: text,
  arrived_at: text,
  arrived_by: text,
  cancelled_at: text,
  cancelled_by: text,
  rev: z.int(),
});
export type Job = z.output<typeof Job>;

const List = tolerant(JobList, null, { day: z.catch(z.string(), ''), jobs: items(Job) });
export type Jobs = z.output<typeof List>;

/** The jobs by the time at which they leave, including cancelled ones; among them are jobs of days before that still
 *  run. */
export const listJobs = (day: string, signal?: AbortSignal): Promise<Reply<Jobs>> =>
  read(List, 'jobs/', { searchParams: { day, running: true }, offlineCopy: true, signal });

/** Today's jobs that this paired display shows, without data that is for the team alone. */
export const listDisplayJobs = (signal?: AbortSignal): Promise<Reply<Jobs>> =>
  read(List, 'displays/me/jobs', { offlineCopy: true, signal });

export const addJob = async (job: z.input<typeof NewJob>): Promise<Job> =>
  (await makeOnce(Job, 'jobs/', job)).data;

/** Refused with 409 when somebody else has changed the job since `rev`. */
export const changeJob = async (id: string, rev: number, json: JobChange): Promise<void> => {
  await call(apiPath`jobs/${id}`, { method: 'patch', json, ifMatch: rev });
};

const MARK_PATHS: Readonly<Record<JobMark, string>> = {
  left: 'left',
  arrived: 'arrived',
  cancelled: 'cancel',
};

/** If it is sent again, it counts once. Promises the time when the server had it. */
export async function markJob(id: string, mark: JobMark, json: MarkRequest): Promise<Date> {
  return (await call(apiPath`jobs/${id}/${MARK_PATHS[mark]}`, { method: 'post', json })).fetchedAt;
}

const Imported = tolerant(WireImported, null, {
  sheet: text,
  added: z.int(),
  updated: z.int(),
  cancelled: z.int(),
  problems: WireImported.shape.problems,
  trips: WireImported.shape.trips,
  missing: items(Job),
  // A server of the version before does not name them.
  stays_cancelled: z._default(items(Job), []),
  ids: z.array(z.string()),
});
export type Imported = z.output<typeof Imported>;

type Sheet = Omit<z.input<typeof ImportRequest>, 'dry_run' | 'id'>;

/** The result that importing a sheet would have; nothing is stored. */
export const tryImport = async (sheet: Sheet, signal?: AbortSignal): Promise<Reply<Imported>> =>
  read(Imported, 'jobs/import', { method: 'post', json: { ...sheet, dry_run: true }, signal });

export const importJobs = async (sheet: Sheet): Promise<Imported> =>
  (await makeOnce(Imported, 'jobs/import', sheet)).data;

/** The meaning of the columns in the team's last sheet. */
export const sheetMemory = (signal?: AbortSignal): Promise<Reply<z.output<typeof SheetMemory>>> =>
  read(SheetMemory, 'jobs/sheet', { signal });

/** Undoes the sheet with this id; null: the person's own last one. */
export const undoImport = async (sheet: string | null): Promise<SheetUndone> =>
  (await read(SheetUndone, 'jobs/import/undo', { method: 'post', ...(sheet && { searchParams: { sheet } }) }))
    .data;
