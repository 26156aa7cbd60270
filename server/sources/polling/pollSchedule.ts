/** Runs every collector on time. They are independent: one that fails or hangs does not affect the others. */
import { collections } from '../../incidents/collectionState.ts';
import type { RowOf } from '../../db/schema.ts';
import { missingSettings, type Collector } from '../../incidents/collector.ts';
import { SECOND_MS } from './pollDelays.ts';
import { expire, type RunnerParts, startRunner } from './pollRunner.ts';

/** Ended incidents leave the board at this interval, even when their source is dead. */
export const EXPIRE_EVERY_MS = 30 * SECOND_MS;

export interface ScheduleParts extends RunnerParts {
  collectors: readonly Collector[];
}

export interface Schedule {
  /**
   * Polls at once, or joins the poll under way; settles when the result is stored. A failure is recorded, not thrown.
   * Does nothing while another node polls it. Throws for a source without a collector here, or without its settings.
   */
  collectNow(source: string): Promise<void>;
  /** Polls what somebody has asked for; without this call, within EXPIRE_EVERY_MS. */
  look(): void;
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
