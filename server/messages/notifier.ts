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
import { cursorLease, type CursorWorker, startCursorWorker, type WorkerParts } from '../db/cursorWorker.ts';
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

export interface NotifierParts extends WorkerParts {
  mode: TeamMode;
  collectors: readonly Collector[];
  /** Messages wait to be sent. */
  onMessages?: () => void;
}

export function startNotifier(parts: NotifierParts): CursorWorker {
  const { db, mode, collectors, now, onMessages } = parts;
  const lease = cursorLease(parts, CURSOR, LEASE_MS);
  let seen = '';
  let dueAt = 0;
  let noted = new Set<string>();

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
    if (!(await lease.take())) return;

    const since = await cursors(db).batch(CURSOR);
    const { changes, batch } = await changesSince(db, since || undefined, CHANGES_AT_ONCE);
    await receiversIn(db).addApps(mode, at);
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
      count += await lease.store(async (trx) => {
        const watches = await alertsIn(trx).watches(ids);
        routes.push(...watches);
        return notifyOfWatches(trx, watches, view, digests);
      });
    }
    count += await lease.store(async (trx) => {
      const blind = await notifyOfSilence(trx, routes, view, collectors);
      const made = await makeDigests(trx, view, digests);
      if (batch !== since) await cursors(trx).move(CURSOR, batch);
      return blind + made;
    });
    // What was written here is no news to us.
    const isBehind = changes.length >= CHANGES_AT_ONCE;
    seen = isBehind ? '' : `${await revisionsOf(db)} ${minute}`;
    dueAt = view.dueAt;
    if (count > 0) onMessages?.();
    if (isBehind) await look();
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: LOOK_EVERY_MS,
    retryMs: RETRY_MS,
    look,
    failure: 'Could not make the messages about the routes',
    onBroken: () => void (seen = ''),
  });
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
