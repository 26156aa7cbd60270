/**
 * Notifies people and programs of incidents that touch their routes and areas, or that their feeds let through. It
 * runs when something has changed, when a wait is over, and every minute. In one transaction it writes the states of
 * all alerts, the last message to each channel, the position in the log and the messages: a crash neither loses a
 * message nor makes one twice. If several nodes use one database, the node with the lease does this.
 */
import { rowsWith } from '../../db/statements.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import type { ChangeList } from '#contract/incidents/changes.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import { alerts as alertsIn, type AlertWatch } from './alertStore.ts';
import { chunks } from '../../db/batches.ts';
import { changesSince } from '../../db/changeLog.ts';
import { collections } from '../../incidents/collectionState.ts';
import { cursors } from '../../db/cursors.ts';
import {
  cursorLease,
  type CursorWorker,
  startCursorWorker,
  type WorkerParts,
} from '../../db/cursorWorker.ts';
import { demotions } from '../../watches/matching/demotionStore.ts';
import type { Db } from '../../db/open.ts';
import { UNDELIVERED_MOST } from '../outbox/channelState.ts';
import { channels as channelsIn } from '../outbox/channelStore.ts';
import { MATCHER } from '../../watches/matching/matchStore.ts';
import { conditionsAt } from '../../feeds/sourceCondition.ts';
import { unplacedCount } from '../../watches/watchAnswers.ts';
import type { Collector } from '../../incidents/collector.ts';
import { makeDigests } from './digests.ts';
import type { Look } from '../outbox/notifierRun.ts';
import { notices } from '../outbox/notices.ts';
import { notifyOfWatches } from './watchAlerts.ts';
import { notifyOfSilence } from './silentSources.ts';
import { tellChanges } from './changeMessages.ts';
import type { Digested } from './messageWords.ts';

/** The name of its cursor in the change log, and of its lease. */
export const CURSOR = 'messages';
export const LOOK_EVERY_MS = 2000;
export const RETRY_MS = 30_000;
const LEASE_MS = 20_000;
const CHANGES_AT_ONCE = 500;
/** Each step is one transaction. */
const WATCHES_PER_STEP = 20;
/** The number of stored messages that are remembered, so that they are written only once; a message that is made
 *  again has the same id. */
const NOTED_MOST = 20_000;

interface NotifierParts extends WorkerParts {
  mode: TeamMode;
  collectors: readonly Collector[];
  publicUrl?: string | undefined;
  /** Called when messages wait to be sent. */
  onMessages?: () => void;
}

export function startNotifier(parts: NotifierParts): CursorWorker {
  const { db, mode, collectors, now, publicUrl, onMessages } = parts;
  const lease = cursorLease(parts, CURSOR, LEASE_MS);
  let seen = '';
  let dueAt = 0;
  let noted = new Set<string>();
  let hour = -1;
  let upSince = now().getTime();

  async function look(): Promise<void> {
    const at = now();
    const revisions = await stateOf(db);
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    const state = `${revisions} ${minute}`;
    if (state === seen && at.getTime() < dueAt) return;
    const watchIds = await alertsIn(db).watchIds();
    if (watchIds.length === 0) {
      seen = state;
      return;
    }
    if (!(await lease.take())) return;

    const thisHour = Math.floor(at.getTime() / HOUR_MS);
    if (thisHour !== hour) await turnOffOverfull(at);
    hour = thisHour;
    upSince = Math.min(upSince, at.getTime()); // the clock may have been set back
    const since = await cursors(db).batch(CURSOR);
    const stretch = await unread(since);
    const { changes, batch } = stretch;
    await channelsIn(db).addApps(mode, at);
    const all = await channelsIn(db).inUse(mode, at);
    const sources = await collections(db).all();
    let unplaced: Promise<number> | undefined;
    const view: Look = {
      at,
      now: at.getTime(),
      upSince,
      urgent: new Set(
        changes
          .filter(
            ({ kind, severity_to, phase_to }) =>
              (kind === 'worse' || kind === 'started') && severity_to === 'critical' && phase_to === 'active',
          )
          .map(({ event_id }) => event_id),
      ),
      conditionOf: conditionsAt(sources, collectors, at),
      demoted: await demotions(db).all(),
      byTeam: Map.groupBy(all, ({ team_id }) => team_id),
      unplaced: (trx) => (unplaced ??= unplacedCount(trx)),
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
      const told = await tellChanges(trx, routes, stretch, view, publicUrl);
      if (batch !== since) await cursors(trx).move(CURSOR, batch);
      return blind + made + told;
    });
    // Rows that this run writes are not news for it.
    const isBehind = changes.length >= CHANGES_AT_ONCE;
    seen = isBehind ? '' : `${await stateOf(db)} ${minute}`;
    dueAt = view.dueAt;
    if (count > 0) onMessages?.();
    if (isBehind) await look();
  }

  /** Reads the log only as far as the matcher has come: the incidents that touch a route are known only up to there. */
  async function unread(since: number): Promise<ChangeList> {
    const stretch = await changesSince(db, since || undefined, CHANGES_AT_ONCE);
    // If only feeds are watched, which need no matching, the matcher rests, and nobody waits for it.
    const matched = (await alertsIn(db).hasPlaces()) ? await cursors(db).batch(MATCHER) : Infinity;
    // The first time, it begins with changes from now on.
    if (since === 0 || stretch.batch <= matched || !stretch.complete) return stretch;
    const until = Math.max(since, matched);
    return { ...stretch, changes: stretch.changes.filter((one) => one.batch <= until), batch: until };
  }

  async function turnOffOverfull(at: Date): Promise<void> {
    for (const channel of await channelsIn(db).overfull(UNDELIVERED_MOST)) {
      const why = `More than ${UNDELIVERED_MOST.toLocaleString('en-GB')} messages have not arrived`;
      if (await channelsIn(db).noteFailure(channel, why, { isGone: true }, at))
        await notices(db).off(channel, why, mode, at);
    }
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

/** A value that changes when data is written on which messages depend. */
async function stateOf(db: Db): Promise<string> {
  const rows = await rowsWith(
    db,
    'revisions',
    { name: ['watches', 'changes', 'feeds', 'channels', 'responses'] },
    ['name'],
  ).all();
  const values = rows.map(({ name, value }) => `${name} ${value}`);
  return [...values, await cursors(db).batch(MATCHER)].join(' ');
}
