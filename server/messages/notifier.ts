/**
 * Notifies people of what touches their routes. It looks when something has changed, when a wait is over, and every
 * minute, and writes the states of all alerts, what was last sent to each receiver and the messages themselves in one
 * transaction. Of all nodes on a database the one with the lease does this.
 */
import type { TeamMode } from '#contract/teams.ts';
import { alerts as alertsIn, type AlertWatch } from '../db/alerts.ts';
import { chunks } from '../db/batches.ts';
import { changesSince } from '../db/changes.ts';
import { collections } from '../db/collections.ts';
import { cursors } from '../db/cursors.ts';
import type { Db } from '../db/open.ts';
import { receivers as receiversIn } from '../db/receivers.ts';
import { conditionsAt } from '../feeds/freshness.ts';
import type { Collector } from '../incidents/collector.ts';
import { makeDigests } from './digests.ts';
import type { Look } from './look.ts';
import { notifyOfWatches } from './routeAlerts.ts';
import { notifyOfSilence } from './silence.ts';
import type { Digested } from './words.ts';

/** Its cursor in the change log, and its lease. */
export const CURSOR = 'messages';
export const LOOK_EVERY_MS = 5000;
const MINUTE_MS = 60_000;
export const RETRY_MS = 30_000;
const LEASE_MS = 20_000;
const CHANGES_AT_ONCE = 500;
/** Each step is one transaction. */
const WATCHES_PER_STEP = 20;
/** Remembered, so that they are not written again and again; each is written once in any case. */
const NOTED_MOST = 20_000;

export interface NotifierParts {
  db: Db;
  mode: TeamMode;
  collectors: readonly Collector[];
  now: () => Date;
  log: { error(fields: object, message: string): void };
  /** Names this node in the lease. */
  owner: string;
  /** Messages wait to be sent. */
  onMessages?: () => void;
}

export interface Notifier {
  /** Something may have changed. Settles when all that was known by then is in the outbox or waits. Never rejects. */
  changed(): Promise<void>;
  stop(): Promise<void>;
}

class LeaseLost extends Error {}

export function startNotifier(parts: NotifierParts): Notifier {
  const { db, mode, collectors, now, log, owner, onMessages } = parts;
  let seen = '';
  let dueAt = 0;
  let waitUntil = 0;
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;
  let hasLease = false;
  let noted = new Set<string>();

  async function takeLease(on: Db): Promise<boolean> {
    const at = now();
    hasLease = await cursors(on).takeLease(CURSOR, owner, at, new Date(at.getTime() + LEASE_MS));
    return hasLease;
  }

  /** In a transaction in which no other node can take the lease. */
  async function store<T>(write: (trx: Db) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (trx) => {
      if (isStopped || !(await takeLease(trx))) throw new LeaseLost('Another node makes the messages now.');
      return write(trx);
    });
  }

  async function look(): Promise<void> {
    const at = now();
    const revisions = await revisionsOf(db);
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    const state = `${revisions} ${minute}`;
    if (state === seen && at.getTime() < dueAt) return;
    const watchIds = await alertsIn(db).watchIds();
    if (watchIds.length === 0) {
      seen = state;
      return;
    }
    if (!(await takeLease(db))) return;

    const since = await cursors(db).batch(CURSOR);
    const { changes, batch } = await changesSince(db, since || undefined, CHANGES_AT_ONCE);
    const all = await receiversIn(db).inUse(mode, at);
    const sources = await collections(db).all();
    const view: Look = {
      at,
      now: at.getTime(),
      urgent: new Set(
        changes
          .filter(
            ({ kind, severity_to, phase_to }) =>
              (kind === 'worse' || kind === 'started') && severity_to === 'critical' && phase_to === 'active',
          )
          .map(({ event_id }) => event_id),
      ),
      conditionOf: conditionsAt(sources, collectors, at),
      demoted: new Set(sources.flatMap(({ source, demoted_at }) => (demoted_at === null ? [] : source))),
      byTeam: Map.groupBy(all, ({ team_id }) => team_id),
      dueAt: Infinity,
      noted: noted.size < NOTED_MOST ? noted : (noted = new Set()),
    };
    let count = 0;
    const routes: AlertWatch[] = [];
    const digests = new Map<string, Digested[]>();
    for (const ids of chunks(watchIds, WATCHES_PER_STEP)) {
      count += await store(async (trx) => {
        const watches = await alertsIn(trx).watches(ids);
        routes.push(...watches);
        return notifyOfWatches(trx, watches, view, digests);
      });
    }
    count += await store(async (trx) => {
      const blind = await notifyOfSilence(trx, routes, view, collectors);
      const made = await makeDigests(trx, view, digests);
      if (batch !== since) await cursors(trx).move(CURSOR, batch);
      return blind + made;
    });
    // What was written here is no news to us.
    seen = `${await revisionsOf(db)} ${minute}`;
    // Changes came in the meantime, or there were more than are read at once.
    if (revisions !== (await revisionsOf(db)) && changes.length >= CHANGES_AT_ONCE) isAskedAgain = true;
    dueAt = view.dueAt;
    if (count > 0) onMessages?.();
  }

  async function lookOnce(): Promise<void> {
    if (isStopped || now().getTime() < waitUntil) return;
    try {
      await look();
    } catch (error) {
      seen = '';
      if (error instanceof LeaseLost) return;
      log.error({ err: error }, 'Could not make the messages about the routes');
      waitUntil = now().getTime() + RETRY_MS;
    }
  }

  function changed(): Promise<void> {
    if (running) isAskedAgain = true;
    running ??= (async () => {
      do {
        isAskedAgain = false;
        await lookOnce();
      } while (isAskedAgain);
    })().finally(() => (running = null));
    return running;
  }

  const timer = setInterval(() => void changed(), LOOK_EVERY_MS);
  void changed();

  return {
    changed,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      if (hasLease) await cursors(db).dropLease(CURSOR, owner);
    },
  };
}

/** Rises when anything that messages depend on is written. */
async function revisionsOf(db: Db): Promise<string> {
  const rows = await db
    .selectFrom('revisions')
    .selectAll()
    .where('name', 'in', ['watches', 'changes', 'feeds', 'receivers', 'responses'])
    .orderBy('name')
    .execute();
  return rows.map(({ name, value }) => `${name} ${value}`).join(' ');
}
