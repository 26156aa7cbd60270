/**
 * Reads on in the change log for every webhook, and puts what enters, changes in or leaves its filter into the outbox: in
 * one transaction with how far it is, so that a crash neither loses a delivery nor makes it twice. Of all nodes on a
 * database the one with the lease does this. What is said of a source that is silent is that it is silent.
 */
import type { Change, ChangeList } from '#contract/changes.ts';
import { Severity, severityRank } from '#contract/disruptions.ts';
import type { SilentSource } from '#contract/filters.ts';
import type { TeamMode } from '#contract/teams.ts';
import { type ChangeData, type DeliveryBody, WEBHOOK_LIMITS } from '#contract/webhooks.ts';
import { chunks } from '../db/batches.ts';
import { changesSince } from '../db/changes.ts';
import { cursors } from '../db/cursors.ts';
import {
  cursorLease,
  type CursorWorker,
  LeaseLost,
  startCursorWorker,
  type WorkerParts,
} from '../db/cursorWorker.ts';
import { isAboutEnded } from '../db/disruptionFilter.ts';
import { filtered } from '../db/filtered.ts';
import { MATCHER } from '../db/matches.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { receivers } from '../db/receivers.ts';
import { raiseRevision, revision } from '../db/revisions.ts';
import { type WebhookInUse, webhooks } from '../db/webhooks.ts';
import {
  type Asked,
  askedOf,
  type FormatParts,
  type Overview,
  overview,
  silentOf,
} from '../formats/asked.ts';
import { type Conditions, readConditions } from '../formats/conditions.ts';
import { everMatching } from '../formats/streams.ts';
import { nameOf } from '../formats/words.ts';
import { Refused } from '../refusals.ts';
import { notices } from './notices.ts';
import { changeBody, deliveryBody, deliveryOf, placeOf, sourceBody } from './deliveries.ts';

/** Its lease. */
export const WEBHOOKS = 'webhooks';
/** Deliveries are in the order of this revision. */
const PLACES = 'deliveries';
const LOOK_EVERY_MS = 2000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 20_000;
const RETRY_MS = 30_000;
const CHANGES_AT_ONCE = 500;
const CHANGES_PER_STEP = 200;

export interface WebhookParts extends FormatParts, WorkerParts {
  publicUrl: string | undefined;
  mode: TeamMode;
  /** Deliveries wait to be sent. */
  onMessages?: () => void;
}

export function startWebhooks(parts: WebhookParts): CursorWorker {
  const { db, now, publicUrl, onMessages } = parts;
  const lease = cursorLease(parts, WEBHOOKS, LEASE_MS);
  let seen = '';
  let hour = -1;

  /** Rises when anything that a webhook depends on is written, and every minute. */
  async function stateNow(): Promise<string> {
    const names = ['changes', 'feeds', 'watches', 'receivers'];
    const values = await Promise.all(names.map((name) => revision(db, name)));
    return [...values, await cursors(db).batch(MATCHER), Math.floor(now().getTime() / MINUTE_MS)].join(' ');
  }

  async function look(): Promise<void> {
    const state = await stateNow();
    if (state === seen) return;
    const all = await webhooks(db).inUse();
    if (all.length > 0) {
      if (!(await lease.take())) return;
      const thisHour = Math.floor(now().getTime() / HOUR_MS);
      if (thisHour !== hour) await turnOffOverfull();
      hour = thisHour;
      const known = await overview(parts);
      const newest = await revision(db, 'changes');
      const matched = await cursors(db).batch(MATCHER);
      const stretches = new Map<number, Promise<ChangeList>>();
      const filters = new Map<string, Promise<Asking>>();
      let made = 0;
      let failure: unknown;
      for (const hook of all) {
        try {
          const key = `${hook.team_id} ${hook.filter.query}`;
          if (!filters.has(key)) filters.set(key, askingOf(parts, hook, known));
          const asking = await filters.get(key)!; // set above
          const until = asking.kind === 'asked' && asking.asked.query.touching ? matched : newest;
          made += await readOn(hook, asking, { known, until, stretches });
        } catch (error) {
          if (error instanceof LeaseLost) throw error;
          // The others must not wait for it.
          failure = error;
        }
      }
      if (made > 0) onMessages?.();
      if (failure !== undefined) throw failure;
    }
    seen = state;
  }

  async function turnOffOverfull(): Promise<void> {
    const most = WEBHOOK_LIMITS.undelivered;
    for (const receiver of await webhooks(db).overfull(most)) {
      const why = `More than ${most.toLocaleString('en-GB')} deliveries have not arrived`;
      const at = now();
      await receivers(db).noteFailure(receiver.id, why, { offAt: at });
      await notices(db).webhookOff(receiver, why, parts.mode, at);
    }
  }

  /** Until there is nothing new. */
  async function readOn(
    hook: WebhookInUse,
    asking: Asking,
    view: { known: Overview; until: number; stretches: Map<number, Promise<ChangeList>> },
  ): Promise<number> {
    const { id } = hook;
    if (asking.kind === 'refused') {
      // Its filter asks for what there is no more.
      await receivers(db).noteFailure(id, asking.why, { offAt: null });
      await webhooks(db).setPlace(id, { batch: view.until });
      return 0;
    }
    let made = 0;
    let { batch, filter_version } = hook;
    for (;;) {
      if (!view.stretches.has(batch)) view.stretches.set(batch, changesSince(db, batch, CHANGES_AT_ONCE));
      const read = await view.stretches.get(batch)!; // set above
      const stretch =
        read.batch <= view.until
          ? read
          : { ...read, changes: read.changes.filter((one) => one.batch <= view.until), batch: view.until };
      const before = batch;
      const isNews =
        stretch.batch > batch ||
        !stretch.complete ||
        filter_version !== hook.filter.version ||
        hook.silent !== silenceOf(asking.asked, view.known);
      if (!isNews) return made;
      const step = await lease.store((trx) =>
        takeIn(trx, { ...hook, batch: before, filter_version }, asking, stretch, view.known, {
          at: now(),
          publicUrl,
        }),
      );
      made += step.made;
      ({ batch } = step);
      filter_version = hook.filter.version;
      hook.silent = step.silent;
      if (batch <= before || batch >= view.until) return made;
    }
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: LOOK_EVERY_MS,
    retryMs: RETRY_MS,
    look,
    failure: 'Could not make the deliveries of webhooks',
    onBroken: () => void (seen = ''),
  });
}

type Asking = { kind: 'asked'; conditions: Conditions; asked: Asked } | { kind: 'refused'; why: string };

async function askingOf(parts: WebhookParts, hook: WebhookInUse, known: Overview): Promise<Asking> {
  try {
    const { conditions } = readConditions(hook.filter.query);
    const asked = await askedOf(parts, conditions, { teamId: hook.team_id, known, at: parts.now() });
    return { kind: 'asked', conditions, asked };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: `Its filter: ${error.message}` };
    throw error;
  }
}

/** What everything in force amounts to for this filter, for incidents that come later. */
export const incidentsNow = (db: Db, { query }: Asked): Promise<string[]> =>
  isAboutEnded(query) ? Promise.resolve([]) : filtered(db).allMatching(query);

/** One stretch of the log for one webhook. */
async function takeIn(
  trx: Db,
  hook: WebhookInUse,
  { conditions, asked }: Extract<Asking, { kind: 'asked' }>,
  stretch: ChangeList,
  known: Overview,
  { at, publicUrl }: { at: Date; publicUrl: string | undefined },
): Promise<{ made: number; batch: number; silent: string }> {
  const store = webhooks(trx);
  const filter = { id: hook.filter.id, name: hook.filter.name };
  if (hook.filter_version !== hook.filter.version || !stretch.complete)
    await compare(trx, hook.id, asked, { isWhole: !stretch.complete });

  let count = 0;
  // A batch can be a whole source: its incidents are never in memory all at once.
  for (const changes of chunks(stretch.complete ? stretch.changes : [], CHANGES_PER_STEP))
    count += await takeChanges(trx, hook, { conditions, asked }, changes, { at, publicUrl });

  const made: Made[] = [];
  const silent = new Set(JSON.parse(hook.silent) as string[]);
  const present = silentOf(asked.sources, known.conditionOf);
  const say = (type: 'source.stale' | 'source.fresh', one: SilentSource) =>
    void made.push({
      body: sourceBody(type, one, filter, at),
      about: `source:${one.source}`,
      what: `${type} ${one.source} ${at.getTime()}`,
    });
  for (const one of present) if (!silent.has(one.source)) say('source.stale', one);
  for (const source of silent) {
    if (present.some((one) => one.source === source) || !asked.sources.includes(source)) continue;
    const { last_collected, state } = known.conditionOf(source);
    // One that was disconnected is not fresh.
    if (state === 'not_configured') continue;
    say('source.fresh', { source, name: nameOf(source), since: last_collected });
  }

  await addDeliveries(trx, hook.id, made, at);
  const batch = stretch.complete ? Math.max(hook.batch, stretch.batch) : stretch.batch;
  const silentNow = silenceOf(asked, known);
  await store.setPlace(hook.id, { batch, filter_version: hook.filter.version, silent: silentNow });
  return { made: count + made.length, batch, silent: silentNow };
}

interface Made {
  body: DeliveryBody;
  about: string;
  what: string;
}

/** What becomes of some changes. Returns how many deliveries. */
async function takeChanges(
  trx: Db,
  hook: WebhookInUse,
  { conditions, asked }: { conditions: Conditions; asked: Asked },
  changes: readonly Change[],
  { at, publicUrl }: { at: Date; publicUrl: string | undefined },
): Promise<number> {
  const store = webhooks(trx);
  const filter = { id: hook.filter.id, name: hook.filter.name };
  const made: Made[] = [];

  const ids = [...new Set(changes.map(({ event_id }) => event_id))];
  const inside = await store.known(hook.id, ids);
  const wasInside = new Set(inside);
  const incidents = await filtered(trx).some(ids);
  const through = await everMatching(trx, asked.query, ids);
  const wanted: { change: Change; standing: ChangeData['standing'] }[] = [];
  for (const change of changes) {
    const { event_id } = change;
    const isUnrated = incidents.get(event_id)?.metadata.severity_unrated === true;
    const before = inside.has(event_id);
    const after = through.has(event_id) && passes(change, isUnrated, conditions);
    if (!before && !after) continue;
    wanted.push({ change, standing: before ? (after ? 'stays' : 'leaves') : 'enters' });
    if (after) inside.add(event_id);
    else inside.delete(event_id);
  }

  const touched = asked.query.touching
    ? Map.groupBy(
        await store.matches(
          asked.query.touching.watchIds,
          wanted.map(({ change }) => change.event_id),
        ),
        ({ event_id }) => event_id,
      )
    : null;
  const untried = Map.groupBy(await store.untried(hook.id, ids), ({ about }) => about);
  for (const { change, standing } of wanted) {
    const { event_id, batch, n } = change;
    const matches = touched && (touched.get(event_id) ?? []).map(({ event_id: _, ...match }) => match);
    const disruption = incidents.get(event_id) ?? null;
    const last = untried.get(event_id)?.pop();
    const before = last && deliveryBody(last);
    const replaced = before && 'kind' in before.data ? replacing(before.data, change, standing) : null;
    if (replaced)
      await messages(trx).settle(last!.id, {
        state: 'dropped',
        reason: 'Replaced by a later change',
        next_at: null,
      });
    untried.delete(event_id);
    const body = changeBody(replaced?.change ?? change, disruption, {
      filter,
      standing: replaced?.standing ?? standing,
      publicUrl,
      ...(matches && { matches }),
    });
    made.push({ body, about: event_id, what: `${batch} ${n}` });
  }

  await addDeliveries(trx, hook.id, made, at);
  await store.know(
    hook.id,
    [...inside].filter((id) => !wasInside.has(id)),
  );
  await store.forget(
    hook.id,
    [...wasInside].filter((id) => !inside.has(id)),
  );
  return made.length;
}

const silenceOf = ({ sources }: Asked, { conditionOf }: Overview): string =>
  JSON.stringify(silentOf(sources, conditionOf).map(({ source }) => source));

/** In the order in which they are sent. Call in a transaction. */
export async function addDeliveries(
  trx: Db,
  receiverId: string,
  made: readonly Made[],
  at: Date,
): Promise<void> {
  if (made.length === 0) return;
  const turn = await raiseRevision(trx, PLACES);
  await messages(trx).add(
    made.map(({ body, about, what }, index) =>
      deliveryOf(receiverId, body, { about, what, at, place: placeOf(turn, index) }),
    ),
  );
}

/** Its filter was changed, or the log has a gap: what is in force now is what it knows. Of those that ended it is still
 *  notified, unless the log no longer says how. */
async function compare(trx: Db, id: string, asked: Asked, { isWhole }: { isWhole: boolean }): Promise<void> {
  const store = webhooks(trx);
  const present = new Set(await incidentsNow(trx, asked));
  const known = [...(await store.known(id))];
  const stored = await filtered(trx).some(known);
  const gone = known.filter((one) => !present.has(one) && (isWhole || !stored.get(one)?.ended_at));
  await store.forget(id, gone);
  await store.know(id, [...present]);
}

/** Whether the conditions that a change can change let the incident through after it. */
function passes(
  { kind, severity_to, phase_to }: Change,
  isUnrated: boolean,
  conditions: Conditions,
): boolean {
  const { severity, min_severity, hide_unrated, phase } = conditions;
  const state = conditions.state?.toLowerCase();
  const isOver = kind === 'ended' || kind === 'lost';
  if (isOver !== (state === 'ended' || conditions.ended_since !== undefined)) return false;
  if (state && state !== 'ended' && state !== phase_to) return false;
  if (phase && phase.toLowerCase() !== phase_to) return false;
  if (severity && !severity.includes(severity_to)) return false;
  if (isUnrated) return !hide_unrated;
  return (
    !min_severity || severityRank(severity_to) <= severityRank(Severity.parse(min_severity.toLowerCase()))
  );
}

const SOFT: readonly Change['kind'][] = ['worse', 'better', 'changed'];

/** Both as one, where the later says everything that the earlier did; null: the later waits for it. */
function replacing(
  before: ChangeData,
  change: Change,
  standing: ChangeData['standing'],
): { change: Change; standing: ChangeData['standing'] } | null {
  if (!SOFT.includes(before.kind)) return null;
  if (change.kind === 'ended' || change.kind === 'lost')
    return before.standing === 'stays' ? { change, standing } : null;
  if (!SOFT.includes(change.kind) || before.standing === 'leaves' || standing === 'leaves') return null;
  const from = before.severity_from ?? change.severity_from;
  const by = severityRank(change.severity_to) - severityRank(from ?? change.severity_to);
  return {
    change: { ...change, severity_from: from, kind: by < 0 ? 'worse' : by > 0 ? 'better' : 'changed' },
    standing: before.standing,
  };
}
