/**
 * Jobs: a control room's work on one day. A job is a departure with a date: by the rules of departures it is decided
 * which incidents touch it and which messages name it. Only the team sees vehicle, driver, reference and note.
 */
import { z } from 'zod/mini';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { londonDay } from '../london.ts';
import type { Trip } from './departures.ts';
import { MadeId } from '../madeId.ts';
import { hasAtMost, isOneLine, keepsItsDirection } from '../names.ts';
import { guessedDuration } from './watches.ts';

export const JOB_LIMITS = {
  /** Jobs of a team and day. */
  jobsPerDay: 1000,
  fieldLength: 40,
  tripLength: 120,
  noteLength: 200,
  /** The day of a sheet may be this many days ahead. */
  daysAhead: 400,
  /** Headings of a sheet whose meaning is remembered. */
  columns: 100,
  /** The number of different trips of a team whose routes are remembered: the trips of the latest sheets. */
  tripsKept: 3000,
  /** The longest day sheet that the server reads. */
  bodyBytes: 256 * 1024,
  /** How many days a job is kept after its own day, with vehicle and driver. The setting JOB_DAYS replaces it. */
  keptDays: 7,
  /** From this number of arrived jobs on, the page shows how often the told range was right. */
  heldFrom: 20,
} as const;

/** A field of a sheet has no control characters, and no characters that reverse the text beside them. */
const text = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.refine(hasAtMost(most), `may have at most ${most} characters`),
      z.refine(isOneLine, 'must be one line of text'),
      z.refine(keepsItsDirection, 'must not contain characters that change the text direction'),
    );
const field = z.nullable(text(JOB_LIMITS.fieldLength));

/** A day in London. */
const Day = z.iso.date();

/** London's clock on the job's day; from 24:00 on it is the next day: "25:15" is 01:15. */
const LocalTime = z.string().check(
  z.regex(/^([0-3]\d|4[0-7]):[0-5]\d$/, {
    error: 'must be a time such as 06:10; 25:15 is 01:15 of the next day',
  }),
);

/** Without defaults: a change is made of these fields, and would fill them in for the fields that it leaves out. */
const shape = {
  day: Day,
  ref: field,
  leaves_local: LocalTime,
  /** Minutes; null: the plan gives none, and it is computed from the length of the route. */
  duration_min: z.nullable(z.int().check(z.minimum(1), z.maximum(2880))),
  /** Null: no route is known for the job's trip. */
  watch_id: z.nullable(z.string().check(z.maxLength(64))),
  /** In the words of the sheet: "Leeds Stn → Heathrow T5". */
  trip: text(JOB_LIMITS.tripLength).check(z.minLength(1, 'must say from where to where')),
  vehicle: field,
  driver: field,
  people: z.nullable(z.int().check(z.minimum(0), z.maximum(9999))),
  deadline_local: z.nullable(LocalTime),
  /** "Check-in closes" */
  deadline_what: field,
  note: z.nullable(text(JOB_LIMITS.noteLength)),
};

export const AskedJob = z.object({
  ...shape,
  ref: z._default(shape.ref, null),
  duration_min: z._default(shape.duration_min, null),
  watch_id: z._default(shape.watch_id, null),
  vehicle: z._default(shape.vehicle, null),
  driver: z._default(shape.driver, null),
  people: z._default(shape.people, null),
  deadline_local: z._default(shape.deadline_local, null),
  deadline_what: z._default(shape.deadline_what, null),
  note: z._default(shape.note, null),
});
export type AskedJob = z.infer<typeof AskedJob>;

/** Body of `POST /jobs`. */
export const NewJob = z.extend(AskedJob, { id: z.optional(MadeId) });
export type NewJob = z.infer<typeof NewJob>;

const MarkTime = z.optional(z.nullable(z.iso.datetime()));

/** Body of `PATCH /jobs/{id}`, with `If-Match: rev`. Omitted fields stay as they are. */
export const JobChange = z.extend(z.partial(z.object(shape)), {
  /** A correction of the marked time; null takes the mark back. Never in the future. */
  left_at: MarkTime,
  arrived_at: MarkTime,
});
export type JobChange = z.infer<typeof JobChange>;

export const Job = z.object({
  id: z.string(),
  day: Day,
  ref: z.nullable(z.string()),
  leaves_local: z.string(),
  leaves_at: z.iso.datetime(),
  duration_min: z.nullable(z.int()),
  watch_id: z.nullable(z.string()),
  trip: z.string(),
  vehicle: z.nullable(z.string()),
  driver: z.nullable(z.string()),
  people: z.nullable(z.int()),
  deadline_local: z.nullable(z.string()),
  deadline_at: z.nullable(z.iso.datetime()),
  deadline_what: z.nullable(z.string()),
  note: z.nullable(z.string()),
  left_at: z.nullable(z.iso.datetime()),
  /** The name of the person who marked it; null: nobody did, or that person was deleted. */
  left_by: z.nullable(z.string()),
  arrived_at: z.nullable(z.iso.datetime()),
  arrived_by: z.nullable(z.string()),
  cancelled_at: z.nullable(z.iso.datetime()),
  cancelled_by: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  /** For `If-Match`. */
  rev: z.int(),
});
export type Job = z.infer<typeof Job>;

/** Answer of `GET /jobs?day=`, with `running` also the jobs of earlier days that still run, in the order in which they leave. */
export const JobList = z.object({ day: Day, jobs: z.array(Job), total: z.int() });
export type JobList = z.infer<typeof JobList>;

/** A job on a display, for anybody who sees the screen: without the vehicle, its driver, the reference, the note and
 *  the reason for the deadline. */
export const DisplayJob = z.pick(Job, {
  id: true,
  day: true,
  leaves_at: true,
  duration_min: true,
  watch_id: true,
  trip: true,
  deadline_at: true,
  left_at: true,
  arrived_at: true,
  cancelled_at: true,
  rev: true,
});

/** Answer of `GET /displays/me/jobs`: today's jobs, and jobs of days before that may still be on the way. */
export const DisplayJobList = z.object({ day: Day, jobs: z.array(DisplayJob), total: z.int() });
export type DisplayJobList = z.infer<typeof DisplayJobList>;

/** A person's mark on a running job. Each can be taken back. */
export const JobMark = z.enum(['left', 'arrived', 'cancelled']);
export type JobMark = z.infer<typeof JobMark>;

/** Body of `POST /jobs/{id}/left`, `/arrived` and `/cancel`. */
export const MarkRequest = z.object({
  /** When it happened; absent: now. Never in the future: the server's clock decides. */
  at: z.optional(z.iso.datetime()),
  /** Takes the mark back. */
  undo: z._default(z.boolean(), false),
});
export type MarkRequest = z.infer<typeof MarkRequest>;

export const DAY_FULL = `A day may have ${JOB_LIMITS.jobsPerDay.toLocaleString('en-GB')} jobs.`;

/** Body of `POST /jobs/import`. */
export const ImportRequest = z.object({
  /** Made by the client, so that a sheet whose answer was lost is not added twice. */
  id: z.optional(MadeId),
  day: Day,
  /** Only says what the sheet would change. */
  dry_run: z._default(z.boolean(), false),
  /** Rows as they were understood. Each is checked separately: if one cannot be read, it is left out and named. */
  rows: z.array(z.looseObject({})).check(z.maxLength(JOB_LIMITS.jobsPerDay, DAY_FULL)),
  /** The routes that somebody chose for trips, remembered for the next sheet; null: the trip has none. */
  trips: z._default(
    z
      .array(z.object({ words: text(JOB_LIMITS.tripLength), watch_id: z.nullable(z.string()) }))
      .check(z.maxLength(JOB_LIMITS.jobsPerDay)),
    [],
  ),
  /** The meaning of the columns, by the words of their headings; remembered. */
  columns: z._default(
    z
      .record(z.string().check(z.maxLength(80)), z.string().check(z.maxLength(20)))
      .check(
        z.refine(
          (columns) => Object.keys(columns).length <= JOB_LIMITS.columns,
          `may name at most ${JOB_LIMITS.columns} columns`,
        ),
      ),
    {},
  ),
  /** Jobs of the day that the sheet lacks and that must be cancelled. */
  cancel: z._default(
    z.array(z.string().check(z.maxLength(64))).check(z.maxLength(JOB_LIMITS.jobsPerDay)),
    [],
  ),
});
export type ImportRequest = z.infer<typeof ImportRequest>;

/** Answer of `POST /jobs/import`. */
export const Imported = z.object({
  /** The id of the sheet, to take it back; null when nothing was stored. */
  sheet: z.nullable(z.string()),
  added: z.int(),
  /** Rows with the reference of a job of that day: the job gets the sheet's times and words. */
  updated: z.int(),
  cancelled: z.int(),
  /** Rows that were left out, or whose job lost its deadline. `row`: as sent, from 1. */
  problems: z.array(z.object({ row: z.int(), text: z.string() })),
  /** Each different trip once, with the most jobs first. */
  trips: z.array(
    z.object({
      words: z.string(),
      jobs: z.int(),
      /** Null: no route is known. */
      watch_id: z.nullable(z.string()),
      /** How it was found. */
      found: z.enum(['as last time', 'same words', 'chosen', 'none']),
    }),
  ),
  /** Jobs of the day that the sheet lacks. They are cancelled only if the caller asks for it. */
  missing: z.array(Job),
  /** Cancelled jobs that the sheet still has. They stay cancelled and unchanged. */
  stays_cancelled: z.array(Job),
  /** Jobs that were added or updated; empty when nothing was stored. */
  ids: z.array(z.string()),
});
export type Imported = z.infer<typeof Imported>;

/** A sheet can be taken back for this long. */
export const UNDO_SHEET_MINUTES = 60;

/** Answer of `POST /jobs/import/undo`. */
export const SheetUndone = z.object({
  removed: z.int(),
  /** The number of jobs that are again as they were before the sheet. */
  restored: z.int(),
  /** The number of jobs that were changed or marked since: they stay as they are. */
  kept: z.int(),
});
export type SheetUndone = z.infer<typeof SheetUndone>;

/** Answer of `GET /jobs/sheet`: the team's choices for its last sheets. */
export const SheetMemory = z.object({
  columns: z.record(z.string(), z.string()),
  /** The day for which the last sheet was added; null: none was. */
  last_day: z.nullable(Day),
});
export type SheetMemory = z.infer<typeof SheetMemory>;

/** A vehicle is kept on the list of a later day at least this long after somebody marked it as left, or after its time
 *  if nobody knows how long its way takes. */
const RUNNING_MS = 12 * HOUR_MS;
/** A vehicle is kept until this long after its arrival by plan, as it may be late. */
const LATE_MS = 4 * HOUR_MS;
/** A job may still run this many days after its own: it may leave on the next one, and take two. */
export const RUNNING_DAYS = 4;

/** Whether a job of a day before belongs on today's list: it was neither arrived nor cancelled before midnight,
 *  and its arrival is not too long ago. A mark that was made a moment ago can still be undone. `lengthKm`: of its
 *  route; null: it has none. */
export const isRunning = (
  {
    arrived_at,
    cancelled_at,
    left_at,
    leaves_at,
    duration_min,
  }: Pick<Job, 'arrived_at' | 'cancelled_at' | 'left_at' | 'leaves_at' | 'duration_min'>,
  now: Date,
  lengthKm: number | null = null,
): boolean => {
  const over = cancelled_at ?? arrived_at;
  const minutes = duration_min ?? (lengthKm === null ? null : guessedDuration(lengthKm));
  const least = left_at !== null || minutes === null ? RUNNING_MS : 0;
  return (
    (over === null || londonDay(new Date(over)) === londonDay(now)) &&
    now.getTime() - Date.parse(left_at ?? leaves_at) < Math.max(least, (minutes ?? 0) * MINUTE_MS + LATE_MS)
  );
};

/** The vehicle of a job: by the real departure, if that is known. */
export function tripOfJob(
  { id, leaves_at, left_at, duration_min }: Pick<Job, 'id' | 'leaves_at' | 'left_at' | 'duration_min'>,
  lengthKm: number,
): Trip {
  const leaves = new Date(left_at ?? leaves_at);
  const minutes = duration_min ?? guessedDuration(lengthKm);
  return {
    departure_id: id,
    leaves,
    arrives: new Date(leaves.getTime() + minutes * 60_000),
    length_km: lengthKm,
  };
}

/** A key of a trip, which does not depend on spacing, letter case, arrows and abbreviated stations. */
export const tripKey = (words: string): string =>
  words
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/→|->|=>|–|—|>| - /g, ' to ')
    .replaceAll(/\bst(?:atio)?n\b\.?/g, 'station')
    .replaceAll(/\bterminal\s*(\d)/g, 't$1')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
