/** Runs every collector on time. The collectors are independent: one that fails or hangs does not affect the others. */
import { collections } from '../../incidents/collectionState.ts';
import { cursors } from '../../db/cursors.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { missingSettings, type Collector } from '../../incidents/collector.ts';
import { JITTER_SHARE, RETRY_AFTER_MAX_MS, later } from './pollDelays.ts';
import { SECOND_MS } from '#contract/durations.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { LEASE_LOST, pollerOf, type PollParts, rhythmOf, STOPPED } from './poll.ts';

/** How often incidents are ended or begun by their times, even when their source is dead. */
export const EXPIRE_EVERY_MS = 30 * SECOND_MS;

export interface ScheduleParts extends RunnerParts {
  collectors: readonly Collector[];
}

export interface Schedule {
  /** Polls at once, or joins the poll that is under way. Settles when the result is stored. A failure is recorded
   *  and not thrown. Does nothing while another node polls the source. Throws for a source without a collector here,
   *  or without its settings. */
  collectNow(source: string): Promise<void>;
  /** Polls the sources that somebody has asked for. Without this call they are polled within EXPIRE_EVERY_MS. */
  look(): void;
  /** Starts no new poll. Settles when everything under way is stored or abandoned. */
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

  function pollAsked(rows: readonly RowOf<'collections'>[]): void {
    if (isStopped) return;
    for (const { source } of rows.filter(({ asked_at, off_at }) => asked_at !== null && off_at === null))
      void runners.get(source)?.collectNow();
  }

  async function expireAll(): Promise<void> {
    if (!areDisabledEntered) await enterDisabled();
    const rows = await collections(db).all();
    pollAsked(rows);
    for (const source of new Set([...collectors, ...rows].map((one) => one.source))) {
      if (isStopped) return;
      const collector = collectors.find((one) => one.source === source);
      const ended = await expire(parts, source, collector);
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

    look() {
      void collections(db)
        .all()
        .then(pollAsked)
        .catch((error: unknown) => log.error({ err: error }, 'Could not see which sources to ask'));
    },

    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([underWay, ...[...runners.values()].map((runner) => runner.stop())]);
    },
  };
}

/** After the start, the sources are polled one after another within this time, and not all at once. */
export const FIRST_RUN_WITHIN_MS = 3 * SECOND_MS;
/** How long `stop` lets a collector continue. Everything that it has read by then is stored. */
export const STOP_GRACE_MS = 5 * SECOND_MS;
/** How often a source that is off is checked. Turning it on wakes the schedule sooner. */
const OFF_LOOK_MS = 60 * SECOND_MS;
/** The wait after our own database did not answer. */
const DATABASE_RETRY_MS = 15 * SECOND_MS;

interface RunnerParts extends PollParts, Pick<LeaseParts, 'owner'> {
  /** Called when something about this source may have changed: it was polled, with or without success, or incidents
   *  ended. */
  onCollected?: (source: string) => void;
}

interface Runner {
  collectNow(): Promise<void>;
  stop(): Promise<void>;
}

function startRunner(collector: Collector, parts: RunnerParts): Runner {
  const { db, now, random, log, onCollected, intervalScale = 1 } = parts;
  const { source } = collector;
  const rows = collections(db);
  const lease = leaseOf(source, parts);
  const poller = pollerOf(collector, parts, lease.renew);
  const startedAt = now().toISOString();

  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let isEntered = false;
  /** The time of this process's last poll, to recognise it in the table. */
  let ownAttempt: string | null = null;

  function plan(delayMs: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void turn(), delayMs);
  }

  /** Never rejects: the next turn is scheduled in any case. */
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

  /** Returns the time until the next turn, in ms. */
  async function takeTurn(isForced: boolean): Promise<number> {
    if (!isEntered) await rows.ensure(source, true);
    isEntered = true;
    if ((await rows.of(source))?.off_at) return OFF_LOOK_MS;
    if (!(await lease.renew())) return untilNextTryMs(await lease.until(), parts);

    return lease.hold(async () => {
      const row = await rows.of(source);
      const waitMs = isForced ? 0 : othersNextRun(row);
      return waitMs > 0 ? waitMs : poll(row);
    });
  }

  /** The time until the poll that another node has scheduled, in ms; 0 when this node must poll. After its own start
   *  a node always polls. */
  function othersNextRun(row: RowOf<'collections'> | undefined): number {
    if (!row?.last_attempt || !row.next_run) return 0;
    if (row.last_attempt === ownAttempt || row.last_attempt < startedAt) return 0;

    const waitMs = Date.parse(row.next_run) - now().getTime();
    // A time further ahead than any interval was written by a wrong clock.
    const longestMs =
      row.consecutive_failures > 0 ? RETRY_AFTER_MAX_MS : rhythmOf(collector, parts) * (1 + JITTER_SHARE);
    return waitMs <= longestMs ? waitMs : 0;
  }

  async function poll(row: RowOf<'collections'> | undefined): Promise<number> {
    const at = now();
    ownAttempt = at.toISOString();
    await rows.noteAttempt(source, ownAttempt);

    let delayMs: number;
    try {
      delayMs = await poller.poll(row, at);
    } catch (error) {
      if (error === STOPPED) return 0;
      if (error === LEASE_LOST) return LEASE_MS / 2;
      throw error;
    }
    await expire(parts, source, collector);
    onCollected?.(source);
    // The interval runs from the start of one poll to the start of the next.
    return Math.max(at.getTime() + delayMs - now().getTime(), SECOND_MS * Math.min(1, intervalScale));
  }

  plan(random() * FIRST_RUN_WITHIN_MS);

  return {
    collectNow: () => turn(true),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      const patience = setTimeout(() => poller.stop(), STOP_GRACE_MS);
      await running;
      clearTimeout(patience);
    },
  };
}

/** Ends incidents that are past their end time or their source's maximum age, and begins incidents whose time has
 *  come. Returns how many. A failure is only logged. */
export async function expire(
  { db, now, log }: Pick<RunnerParts, 'db' | 'now' | 'log'>,
  source: string,
  collector: Collector | undefined,
): Promise<number> {
  try {
    const ended = await disruptions(db).expire({
      source,
      now: now(),
      maxAgeMinutes: collector?.maxAgeMinutes,
    });
    return ended + (await disruptions(db).begin({ source, now: now() }));
  } catch (error) {
    log.error({ err: error, source }, 'Could not begin and end the incidents whose time has come');
    return 0;
  }
}

// A source's lease: only the node that holds it polls the source.

/** The lease is renewed while a poll runs, so this is how long a dead node can keep a source from the others. */
export const LEASE_MS = 20 * SECOND_MS;

interface LeaseParts {
  db: Db;
  now: () => Date;
  /** The name of this node in leases; no two live nodes on one database share it. */
  owner: string;
  log: { error(fields: object, message: string): void };
}

/** The name of the lease on a source. */
export const leaseName = (source: string) => `poll ${source}`;

function leaseOf(source: string, { db, owner, now, log }: LeaseParts) {
  const name = leaseName(source);
  const renew = () => {
    const time = now();
    return cursors(db).takeLease(name, owner, time, later(time, LEASE_MS));
  };

  return {
    /** Until when a node has it. */
    until: () => cursors(db).leasedUntil(name),

    /** Takes or renews the lease; false while another node holds it. */
    renew,

    /** Keeps the lease while the work lasts, and then gives it back. Call it after `renew`. */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      let renewal = Promise.resolve();
      const renewing = setInterval(() => {
        renewal = renew().then(
          () => undefined,
          (error: unknown) => log.error({ err: error, source }, 'Could not renew the lease'),
        );
      }, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewing);
        await renewal;
        await cursors(db)
          .dropLease(name, owner)
          .catch((error: unknown) => {
            log.error({ err: error, source }, 'Could not release the lease, which will lapse');
          });
      }
    },
  };
}

/** The time until this node tries again for another node's lease, in ms: that node may finish before the lease
 *  expires, or be dead. */
function untilNextTryMs(
  leaseUntil: string | null,
  { now, random }: { now: () => Date; random: () => number },
): number {
  const leftMs = leaseUntil ? Date.parse(leaseUntil) - now().getTime() : 0;
  return Math.min(Math.max(leftMs, SECOND_MS), LEASE_MS / 2) * (1 + JITTER_SHARE * random());
}
