/** Runs every collector on time. They are independent: one that fails or hangs does not affect the others. */
import { backOff } from '#contract/backOff.ts';
import { collections } from '../db/collections.ts';
import { disruptions } from '../db/disruptions.ts';
import { facts } from '../db/facts.ts';
import type { Db } from '../db/open.ts';
import type { CollectionsTable } from '../db/schema.ts';
import { faultOf, hiddenValues, redacted } from '../reading/redaction.ts';
import type { Collected, Collector } from './collector.ts';
import type { Downloader } from '../reading/download.ts';
import { readHere, type Read } from './reading.ts';
import { missingSettings } from './collector.ts';
import { storePoll } from './storePoll.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** After the start, the sources are asked one after another within this time, not all at once. */
export const FIRST_RUN_WITHIN_MS = 3 * SECOND_MS;
/** The interval varies by up to this share either way, so that many installations do not poll in step. */
const JITTER_SHARE = 0.1;
/** A collector that has not finished by then is abandoned; its downloads have shorter limits of their own. */
export const RUN_DEADLINE_MS = 2 * MINUTE_MS;
/** The lease is renewed while a run lasts, so this is how long a dead node keeps a source from the others. */
export const LEASE_MS = 20 * SECOND_MS;
/** Ended incidents leave the board at this interval, even when their source is dead. */
export const EXPIRE_EVERY_MS = 30 * SECOND_MS;
/** After a failure the wait is one interval, then twice that, up to this limit, or one interval if that is longer. */
export const BACK_OFF_MAX_MS = 15 * MINUTE_MS;
/** Used until a source is first read after the start: perhaps only our own network is not yet up. */
export const FIRST_RETRY_MS = 15 * SECOND_MS;
/** An upstream that asks us to wait longer than this is asked again after this time. */
export const RETRY_AFTER_MAX_MS = 6 * 60 * MINUTE_MS;
/** How long `stop` lets a collector keep asking; what it has read by then is always stored. */
export const STOP_GRACE_MS = 5 * SECOND_MS;
/** Our own database did not answer. */
const DATABASE_RETRY_MS = 15 * SECOND_MS;
const PROBLEMS_MAX = 50;

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ScheduleParts {
  db: Db;
  collectors: readonly Collector[];
  /** Every setting by name; a collector gets only its own. */
  settings: Readonly<Record<string, string | undefined>>;
  download: Downloader;
  /** The service reads in a separate thread; if unset, reading happens here. */
  read?: Read;
  now: () => Date;
  /** From 0 to 1. */
  random: () => number;
  log: Log;
  /** Names this node in leases; no two live nodes on one database can share it. */
  owner: string;
  /** Scales all intervals: 0.1 polls ten times as often. */
  intervalScale?: number;
  /**
   * Called when something about this source may have changed: it was polled, successfully or not, or incidents ended.
   */
  onCollected?: (source: string) => void;
}

export interface Schedule {
  /**
   * Polls at once, or joins the poll under way; settles when the result is stored. A failure is recorded, not thrown.
   * Does nothing while another node polls it. Throws for a source without a collector here, or without its settings.
   */
  collectNow(source: string): Promise<void>;
  /** Starts nothing new; settles when everything under way is stored or abandoned. */
  stop(): Promise<void>;
}

export function startSchedule(parts: ScheduleParts): Schedule {
  const { db, collectors, settings, log, onCollected } = parts;
  const isReady = (collector: Collector) => missingSettings(collector, settings).length === 0;
  const runners = new Map(
    collectors.filter(isReady).map((collector) => [collector.source, startRunner(collector, parts)]),
  );
  const disabled = collectors.filter((collector) => !isReady(collector));
  let underWay: Promise<void> | null = null;
  let areDisabledEntered = false;
  let isStopped = false;

  async function enterDisabled(): Promise<void> {
    for (const { source } of disabled) await collections(db).ensure(source, false);
    areDisabledEntered = true;
  }

  async function expireAll(): Promise<void> {
    if (!areDisabledEntered) await enterDisabled();
    const rows = await collections(db).all();
    for (const source of new Set([...collectors, ...rows].map((one) => one.source))) {
      if (isStopped) return;
      const ended = await expire(parts, source);
      if (ended > 0) onCollected?.(source);
    }
  }

  const oneAtATime = (work: () => Promise<void>) => {
    underWay ??= work()
      .catch((error: unknown) => {
        log.error({ err: error }, 'Could not update the collections');
      })
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(() => oneAtATime(expireAll), EXPIRE_EVERY_MS);
  // Nothing is ended yet: after a long stop, the first polls must find their incidents and continue them.
  oneAtATime(enterDisabled);

  return {
    async collectNow(source) {
      const runner = runners.get(source);
      if (runner) return runner.collectNow();

      const collector = collectors.find((one) => one.source === source);
      if (!collector) throw new Error(`There is no collector for "${source}".`);
      throw new Error(`${source} is not configured: set ${missingSettings(collector, settings).join(', ')}.`);
    },

    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([underWay, ...[...runners.values()].map((runner) => runner.stop())]);
    },
  };
}

/** Ends incidents past their end time or their source's maximum age; returns how many. A failure is only logged. */
async function expire({ db, collectors, now, log }: ScheduleParts, source: string): Promise<number> {
  const collector = collectors.find((one) => one.source === source);
  try {
    return await disruptions(db).expire({ source, now: now(), maxAgeMinutes: collector?.maxAgeMinutes });
  } catch (error) {
    log.error({ err: error, source }, 'Could not end the incidents whose time has passed');
    return 0;
  }
}

interface Runner {
  collectNow(): Promise<void>;
  stop(): Promise<void>;
}

function startRunner(collector: Collector, parts: ScheduleParts): Runner {
  const { db, settings, download, read = readHere, now, random, log, owner, onCollected } = parts;
  const { intervalScale = 1 } = parts;
  const { source } = collector;
  const rows = collections(db);
  const hidden = hiddenValues(collector, settings);
  const rhythmMs = collector.everyMinutes * MINUTE_MS * intervalScale;
  const startedAt = now().toISOString();

  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let asking: AbortController | null = null;
  let isStopped = false;
  let isEntered = false;
  /** For this process: which poll in the table was ours, and what we stored last. */
  let ownAttempt: string | null = null;
  let ownSuccess: string | null = null;
  let failuresBeforeSuccess = 0;

  function plan(delayMs: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void turn(), delayMs);
  }

  /** Never rejects: whatever happens, the next turn is scheduled. */
  function turn(isForced = false): Promise<void> {
    running ??= takeTurnAndPlan(isForced);
    return running;
  }

  async function takeTurnAndPlan(isForced: boolean): Promise<void> {
    let delayMs = DATABASE_RETRY_MS;
    try {
      delayMs = await takeTurn(isForced);
    } catch (error) {
      log.error({ err: error, source }, 'Could not run the collector');
    }
    running = null;
    plan(delayMs);
  }

  /** Returns the number of ms until the next turn. */
  async function takeTurn(isForced: boolean): Promise<number> {
    if (!isEntered) await rows.ensure(source, true);
    isEntered = true;
    if (!(await renewLease())) return othersLease(await rows.of(source));

    let renewal = Promise.resolve();
    const renewing = setInterval(() => {
      renewal = renewLease().then(
        () => undefined,
        (error: unknown) => log.error({ err: error, source }, 'Could not renew the lease'),
      );
    }, LEASE_MS / 3);
    try {
      const row = await rows.of(source);
      const waitMs = isForced ? 0 : othersNextRun(row);
      return waitMs > 0 ? waitMs : await poll(row);
    } finally {
      clearInterval(renewing);
      await renewal;
      await rows.dropLease(source, owner).catch((error: unknown) => {
        log.error({ err: error, source }, 'Could not release the lease, which will lapse');
      });
    }
  }

  function renewLease(): Promise<boolean> {
    const time = now();
    return rows.takeLease(source, owner, time.toISOString(), later(time, LEASE_MS));
  }

  /** Ms until we try for another node's lease again: the node may finish before it expires, or be dead. */
  function othersLease(row: CollectionsTable | undefined): number {
    const leftMs = row?.lease_until ? Date.parse(row.lease_until) - now().getTime() : 0;
    return Math.min(Math.max(leftMs, SECOND_MS), LEASE_MS / 2) * (1 + JITTER_SHARE * random());
  }

  /** Ms until the poll another node has scheduled; 0 when it is our turn. After our own start we always poll. */
  function othersNextRun(row: CollectionsTable | undefined): number {
    if (!row?.last_attempt || !row.next_run) return 0;
    if (row.last_attempt === ownAttempt || row.last_attempt < startedAt) return 0;

    const waitMs = Date.parse(row.next_run) - now().getTime();
    // A time too far ahead for any interval was written by a clock that was wrong.
    const longestMs = row.consecutive_failures > 0 ? RETRY_AFTER_MAX_MS : rhythmMs * (1 + JITTER_SHARE);
    return waitMs <= longestMs ? waitMs : 0;
  }

  async function poll(row: CollectionsTable | undefined): Promise<number> {
    const at = now();
    ownAttempt = at.toISOString();
    await rows.noteAttempt(source, ownAttempt);

    let delayMs: number;
    try {
      delayMs = await collectAndStore(row, at);
    } catch (error) {
      // Neither says anything about the upstream.
      if (error === STOPPED) return 0;
      if (error === LEASE_LOST) return LEASE_MS / 2;
      delayMs = await noteFailure(row, at, error);
    }
    await expire(parts, source);
    onCollected?.(source);
    // The interval runs from the start of one poll to the start of the next.
    return Math.max(at.getTime() + delayMs - now().getTime(), SECOND_MS * Math.min(1, intervalScale));
  }

  async function collectAndStore(row: CollectionsTable | undefined, at: Date): Promise<number> {
    const { collected, isUnchanged, problems } = await ask(at);
    // Another node took over while this one was frozen; its data is newer than ours.
    if (!(await renewLease())) throw LEASE_LOST;

    // This is the same document as last time, so it does not count as a second absence for anything missing from it.
    const isSame = isUnchanged && ownSuccess !== null && row?.last_success === ownSuccess;
    const time = at.toISOString();
    const { suspect } = await storePoll(db, {
      source,
      collected: isSame ? { ...collected, complete: false } : collected,
      now: time,
      absentPolls: collected.absentPolls ?? collector.absentPolls,
      neverEmpty: collector.neverEmpty,
      maxAgeMinutes: collector.maxAgeMinutes,
    });

    const delayMs = rhythmMs * jitter(random);
    const isNothing = !collected.complete && collected.records.length === 0;
    if (suspect || isNothing) {
      // Not a good collection, so the stored data keeps ageing, and nothing is shown as calm. It is not a fault to
      // back off from either, or a collapse would never be confirmed.
      const error = suspect ? COLLAPSED : [NOTHING_IN_A_PART, ...problems.slice(0, 1)].join(' ');
      await rows.noteFailure(source, { now: time, nextRun: later(at, delayMs), error });
      return delayMs;
    }

    await rows.noteSuccess(source, {
      now: time,
      nextRun: later(at, delayMs),
      skipped: collected.skipped,
      problems,
      complete: collected.complete,
    });
    ownSuccess = time;
    return delayMs;
  }

  /** Rejects when the collector does, at the deadline, or with STOPPED. A collector that hangs is abandoned. */
  async function ask(at: Date): Promise<{ collected: Collected; isUnchanged: boolean; problems: string[] }> {
    const control = new AbortController();
    asking = control;
    const deadline = setTimeout(() => {
      control.abort(new Error(`The collector did not finish within ${RUN_DEADLINE_MS / SECOND_MS} s.`));
    }, RUN_DEADLINE_MS);

    try {
      const asked = download.newGet(control.signal);
      const { signal } = control;
      const tools = { download: asked, now: at, settings: ownSettings(), facts: facts(db, now), signal };
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

  /** Only the settings it declares; a blank one counts as not set. */
  function ownSettings(): Record<string, string | undefined> {
    return Object.fromEntries(
      collector.settings.map(({ name }) => [name, settings[name]?.trim() || undefined]),
    );
  }

  async function noteFailure(row: CollectionsTable | undefined, at: Date, error: unknown): Promise<number> {
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
    await rows.noteFailure(source, { now: at.toISOString(), nextRun: later(at, delayMs), error: fault });
    return delayMs;
  }

  plan(random() * FIRST_RUN_WITHIN_MS);

  return {
    collectNow: () => turn(true),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const patience = setTimeout(() => asking?.abort(STOPPED), STOP_GRACE_MS);
      await running;
      clearTimeout(patience);
    },
  };
}

const STOPPED = new Error('The schedule was stopped.');
const LEASE_LOST = new Error('Another node took the source over.');

const COLLAPSED =
  'The source lists nothing, although it is never empty. The last good set stays until this is confirmed.';

const NOTHING_IN_A_PART = 'Only part of the source could be read, and that part is empty.';

/** Ms from the start of a failed poll to the next. Never shorter than the interval once the source has been read. */
export function delayAfterFailure({
  failures,
  isStarting,
  rhythmMs,
  intervalScale = 1,
  retryAfterMs,
  random,
}: {
  /** In a row, including this one. */
  failures: number;
  isStarting: boolean;
  rhythmMs: number;
  intervalScale?: number;
  retryAfterMs: number | null;
  random: () => number;
}): number {
  const firstMs = isStarting ? Math.min(FIRST_RETRY_MS * intervalScale, rhythmMs) : rhythmMs;
  const capMs = Math.max(BACK_OFF_MAX_MS * intervalScale, rhythmMs);
  const delayMs = backOff(failures - 1, firstMs, capMs);
  return Math.max(
    delayMs * (1 + 2 * JITTER_SHARE * random()),
    Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS),
  );
}

function retryAfterOf(error: unknown): number | null {
  const isPatient = error instanceof Error && 'retryAfterMs' in error;
  return isPatient && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : null;
}

/** Between 0.9 and 1.1. */
const jitter = (random: () => number) => 1 + JITTER_SHARE * (2 * random() - 1);

const later = (time: Date, ms: number) => new Date(time.getTime() + ms).toISOString();

/** Rejects with the signal's reason; never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
