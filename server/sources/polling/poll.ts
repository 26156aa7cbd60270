/** One poll of a source: it asks the collector, stores the records and notes the outcome. */
import { collections } from '../../incidents/collectionState.ts';
import { facts } from '../../http/documents/fetchedFacts.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Downloader } from '../../http/documents/download.ts';
import { faultOf, hiddenValues, redacted } from '../../http/documents/redaction.ts';
import type { Collected, Collector, DisruptionRecord } from '../../incidents/collector.ts';
import { delayAfterFailure, jitter, later, retryAfterOf } from './pollDelays.ts';
import { MINUTE_MS, SECOND_MS } from '#contract/durations.ts';
import { readHere, type Read } from './readSource.ts';
import { setImmediate } from 'node:timers/promises';
import { severityRank } from '#contract/incidents/severity.ts';
import { CONTENT, type Content, type FieldKind, FIELDS } from '../../incidents/incidentFields.ts';
import { iso, isoOrNull, type Instant } from '../../db/instant.ts';
import { lifecycle, type Stored } from '../../incidents/lifecycle/lifecycleStore.ts';
import { hashOf, planPoll, type Listed } from '../../incidents/lifecycle/planPoll.ts';

/** A collector that has not finished after this time is abandoned. Its downloads have shorter limits of their own. */
export const RUN_DEADLINE_MS = 2 * MINUTE_MS;
const PROBLEMS_MAX = 50;

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PollParts {
  db: Db;
  /** Every setting by name; a collector gets only its own. */
  settings: Readonly<Record<string, string | undefined>>;
  download: Downloader;
  /** The service reads in a separate thread. If unset, the caller's thread reads. */
  read?: Read;
  now: () => Date;
  /** From 0 to 1. */
  random: () => number;
  log: Log;
  /** Scales all intervals: 0.1 polls ten times as often. */
  intervalScale?: number;
}

/** These two errors say nothing about the upstream. */
export const STOPPED = new Error('The schedule was stopped.');
export const LEASE_LOST = new Error('Another node took the source over.');

export const rhythmOf = (
  { everyMinutes }: Collector,
  { intervalScale = 1 }: Pick<PollParts, 'intervalScale'>,
) => everyMinutes * MINUTE_MS * intervalScale;

/** `poll` resolves with the time from its own start, `at`, to the start of the next poll, in ms, also when the
 *  source could not be read. It rejects with STOPPED after `stop`, with LEASE_LOST when `isStillOurs` answers no,
 *  and when our own database fails. `row`: the source's row before this poll. */
export function pollerOf(
  collector: Collector,
  parts: PollParts,
  isStillOurs: () => Promise<boolean>,
): {
  poll(row: RowOf<'collections'> | undefined, at: Date): Promise<number>;
  stop(): void;
} {
  const { db, settings, download, read = readHere, now, random, log, intervalScale = 1 } = parts;
  const { source } = collector;
  const rows = collections(db);
  const hidden = hiddenValues(collector, settings);
  const rhythmMs = rhythmOf(collector, parts);
  let asking: AbortController | null = null;
  /** The time of the last success that this process stored. */
  let ownSuccess: string | null = null;
  /** Whether the last new document was stored. */
  let isStored = true;
  let failuresBeforeSuccess = 0;

  /** Never negative, even when the clock was set back. */
  const msSince = (at: Date) => Math.max(0, now().getTime() - at.getTime());

  async function collectAndStore(row: RowOf<'collections'> | undefined, at: Date): Promise<number> {
    const { collected, isUnchanged, problems } = await ask(at);
    isStored &&= isUnchanged;
    // Another node took over while this process stood still; its data is newer than ours.
    if (!(await isStillOurs())) throw LEASE_LOST;

    // The document is the same as last time, so it does not count as a second absence for the incidents that it
    // lacks.
    const isSame = isStored && ownSuccess !== null && row?.last_success === ownSuccess;
    const time = at.toISOString();
    const count = collected.records.length;
    const { suspect, inserted, updated, ended } = await storePoll(db, {
      source,
      collected: {
        ...collected,
        records: taken(collected.records),
        complete: collected.complete && !isSame,
      },
      now: time,
      absentPolls: collected.absentPolls ?? collector.absentPolls,
      neverEmpty: collector.neverEmpty ?? false,
      maxAgeMinutes: collector.maxAgeMinutes,
    });
    isStored = true;

    const delayMs = rhythmMs * jitter(random);
    const figures = {
      ms: msSince(at),
      records: count,
      changed: inserted + updated + ended,
    };
    const isNothing = !collected.complete && count === 0;
    if (suspect || isNothing) {
      // This is not a good collection, so the stored data keeps ageing, and nothing is shown as calm. The next poll
      // still comes after the usual time, because otherwise a collapse would never be confirmed.
      const error = suspect ? COLLAPSED : [NOTHING_IN_A_PART, ...problems.slice(0, 1)].join(' ');
      await rows.noteFailure(source, {
        now: time,
        nextRun: later(at, delayMs),
        error,
        figures: { ...figures, error_kind: suspect ? 'empty' : 'partial' },
      });
      return delayMs;
    }

    await rows.noteSuccess(source, {
      now: time,
      nextRun: later(at, delayMs),
      skipped: collected.skipped,
      problems,
      complete: collected.complete,
      figures,
    });
    ownSuccess = time;
    return delayMs;
  }

  /** Rejects when the collector does, at the deadline, or with STOPPED. A collector that hangs is abandoned. */
  async function ask(at: Date): Promise<{ collected: Collected; isUnchanged: boolean; problems: string[] }> {
    const control = new AbortController();
    asking = control;
    const deadline = setTimeout(() => {
      control.abort(new TooSlow(`The collector did not finish within ${RUN_DEADLINE_MS / SECOND_MS} s.`));
    }, RUN_DEADLINE_MS);

    try {
      const asked = download.newGet(control.signal);
      const { signal } = control;
      const tools = {
        download: asked,
        now: at,
        settings: ownSettings(collector, settings),
        facts: facts(db, now),
        signal,
      };
      const collected = await Promise.race([read(collector, tools), aborted(signal)]);
      const problems = [...collected.problems, ...asked.problems()]
        .slice(0, PROBLEMS_MAX)
        .map((problem) => redacted(problem, hidden));
      return { collected, isUnchanged: asked.allNotModified(), problems };
    } finally {
      clearTimeout(deadline);
      asking = null;
    }
  }

  async function noteFailure(
    row: RowOf<'collections'> | undefined,
    at: Date,
    error: unknown,
  ): Promise<number> {
    failuresBeforeSuccess++;
    const delayMs = delayAfterFailure({
      failures: ownSuccess === null ? failuresBeforeSuccess : (row?.consecutive_failures ?? 0) + 1,
      isStarting: ownSuccess === null,
      rhythmMs,
      intervalScale,
      retryAfterMs: retryAfterOf(error),
      random,
    });
    const fault = redacted(faultOf(error), hidden);
    log.warn({ source, fault, retryInSeconds: Math.round(delayMs / SECOND_MS) }, 'Could not collect');
    await rows.noteFailure(source, {
      now: at.toISOString(),
      nextRun: later(at, delayMs),
      error: fault,
      figures: { ms: msSince(at), records: 0, changed: 0, error_kind: errorKindOf(error) },
    });
    return delayMs;
  }

  return {
    async poll(row, at) {
      try {
        return await collectAndStore(row, at);
      } catch (error) {
        if (error === STOPPED || error === LEASE_LOST) throw error;
        return noteFailure(row, at, error);
      }
    },
    stop: () => asking?.abort(STOPPED),
  };
}

/** Only the settings that the collector declares. A blank setting counts as not set. */
function ownSettings(
  collector: Collector,
  settings: PollParts['settings'],
): Record<string, string | undefined> {
  return Object.fromEntries(
    collector.settings.map(({ name }) => [name, settings[name]?.trim() || undefined]),
  );
}

const COLLAPSED =
  'The source lists nothing, although it is never empty. The last good set stays until this is confirmed.';

const NOTHING_IN_A_PART = 'Only part of the source could be read, and that part is empty.';

/** Rejects with the signal's reason; never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Why a poll was not good, in one word, for figures. The exact fault is stored beside it in words. */

/** The error of a poll that took too long. */
export class TooSlow extends Error {}

export type ErrorKind =
  | 'timeout' // the collector did not finish in time
  | 'refused' // the upstream answered 4xx: a wrong key, a moved document, too many calls
  | 'upstream' // it answered 5xx
  | 'unreachable' // it did not answer
  | 'unreadable' // its document could not be read
  | 'empty' // the document lists nothing, although it is never empty
  | 'partial'; // only a part could be read, and that part is empty

export function errorKindOf(error: unknown): ErrorKind {
  if (error instanceof TooSlow) return 'timeout';
  // A failed download has a status, which is null when there was no answer. Classes do not survive the way from the
  // reading thread, so only the field is checked.
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === null) return 'unreachable';
  if (typeof status !== 'number') return 'unreadable';
  if (status >= 500) return 'upstream';
  return status >= 400 ? 'refused' : 'unreadable';
}

/** Stores what a poll found: each record reduced to what both databases can hold, and given a hash. */
const RECORDS_PER_TURN = 50;

/** Stores one successful poll atomically. Call it before `collections.noteSuccess`. An id that another source
 *  already uses is left to that source. An incident that was not seen for `maxAgeMinutes` expires, even if no poll
 *  was complete enough to end it. */
export async function storePoll(
  db: Db,
  {
    source,
    collected: { records, complete, listedSince, ...ids },
    now,
    ...rules
  }: {
    source: string;
    collected: Omit<Collected, 'records'> & { records: Iterable<DisruptionRecord> };
    now: Instant;
    absentPolls: number;
    neverEmpty: boolean;
    maxAgeMinutes?: number;
  },
): Promise<Stored> {
  const at = iso(now);
  const listed = await oneOfEach(records);
  const over = new Set(ids.ended?.map(wellFormed));
  const unreadable = new Set(ids.unreadable?.map(wellFormed));
  const poll = { ...rules, listed, over, unreadable, complete, listedSince, at };
  return lifecycle(db).apply({ source, at, listed }, (standing) => {
    const plan = planPoll(poll, standing);
    // The plan has all that is stored of them.
    listed.clear();
    return plan;
  });
}

/** The items of a list, each dropped from it when it is taken: 10,000 records take 20 MB, and the list is in use
 *  until the poll ends. */
function* taken<T extends object>(list: (T | null)[]): Generator<T> {
  for (const [at, one] of list.entries()) {
    list[at] = null;
    if (one) yield one;
  }
}

/** The records by id. If several records have the same id, the worst is kept. */
async function oneOfEach(records: Iterable<DisruptionRecord>): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>();
  let count = 0;
  for (const foreign of records) {
    const record = cleaned(foreign);
    const other = listed.get(record.event_id)?.record;
    if (!other || severityRank(record.severity) < severityRank(other.severity)) {
      listed.set(record.event_id, { record, content_hash: hashOf(record) });
    }
    count += 1;
    // A source with very many incidents must not delay other sources or requests.
    if (count % RECORDS_PER_TURN === 0) await setImmediate();
  }
  return listed;
}

/** The text without U+0000, which PostgreSQL cannot hold, and without lone surrogates. */
const wellFormed = (text: string) => text.replaceAll('\u0000', '').toWellFormed();

const asItIs = (value: unknown) => value;

const CLEANING: Record<FieldKind, (value: never) => unknown> = {
  word: asItIs,
  text: wellFormed,
  time: isoOrNull,
  number: (value: number | null) => (Number.isFinite(value) ? value : null),
  json: asItIs,
  said: asItIs,
  derived: asItIs,
};

/** Reduces a record to its own fields, with whole characters, times in one format and numeric positions. */
function cleaned(record: DisruptionRecord): DisruptionRecord {
  const content = FIELDS.map((field) => [field, CLEANING[CONTENT[field]](record[field] as never)]);
  return {
    event_id: wellFormed(record.event_id),
    ...(Object.fromEntries(content) as Content),
    shape: record.shape ?? null,
  };
}
