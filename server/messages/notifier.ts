/**
 * Notifies people of what touches their routes. It looks when something has changed, when a wait is over, and every
 * minute, and writes the states of all alerts, what was last sent to each receiver and the messages themselves in one
 * transaction. Of all nodes on a database the one with the lease does this.
 */
import { createHash } from 'node:crypto';
import {
  inForce,
  dayAfter,
  meets,
  reachedAt,
  runsOn,
  type Trip,
  tripOn,
  tripSpan,
} from '#contract/departures.ts';
import { type ListedDisruption, type Severity, severityRank } from '#contract/disruptions.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import type { MessageBody, MessageState } from '#contract/messages.ts';
import type { TeamMode } from '#contract/teams.ts';
import { alerts as alertsIn, type AlertWatch, type Touch } from '../db/alerts.ts';
import { chunks } from '../db/batches.ts';
import { changesSince } from '../db/changes.ts';
import { collections } from '../db/collections.ts';
import { cursors } from '../db/cursors.ts';
import { iso } from '../db/instant.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { digestOf, quietOf, receivers as receiversIn } from '../db/receivers.ts';
import type {
  AlertInstancesTable,
  MessagesTable,
  NotificationLogTable,
  ReceiversTable,
  ResponsesTable,
} from '../db/schema.ts';
import { type Condition, conditionsAt, spans } from '../feeds/freshness.ts';
import type { Collector } from '../incidents/collector.ts';
import { type Alert, alertDueAt, isFiring, nextAlert, NORMAL, type Sight } from './alerts.ts';
import {
  BLIND_AFTER_MS,
  digestDue,
  type Firing,
  inhibited,
  isQuiet,
  nextStep,
  type Placed,
  type LastSent,
} from './groups.ts';
import { MESSAGES_PAGE, VALID_MS } from './notices.ts';
import {
  blindWords,
  clearedWords,
  type Digested,
  digestWords,
  groupWords,
  hiddenWords,
  reminded,
  type Said,
  seenAgainWords,
} from './words.ts';

/** Its cursor in the change log, and its lease. */
export const CURSOR = 'messages';
export const LOOK_EVERY_MS = 5000;
const MINUTE_MS = 60_000;
export const RETRY_MS = 30_000;
const LEASE_MS = 20_000;
const CHANGES_AT_ONCE = 500;
/** Each step is one transaction. */
const WATCHES_PER_STEP = 20;
const DIGEST_VALID_MS = 120 * MINUTE_MS;
/** Before a departure. */
export const AROUND_MS = 120 * MINUTE_MS;
/** Remembered, so that they are not written again and again; each is written once in any case. */
const NOTED_MOST = 20_000;
/** Digests name so many; the page has all. */
const DIGESTED_MOST = 20;

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

/** What holds for all routes of one look. */
interface Look {
  at: Date;
  now: number;
  /** Became critical, or began while critical, since the last look. */
  urgent: ReadonlySet<string>;
  conditionOf: (source: string) => Condition;
  byTeam: ReadonlyMap<string, ReceiversTable[]>;
  /** When to look again at the latest. */
  dueAt: number;
  /** Messages held back from everybody that are noted already. */
  noted: Set<string>;
}

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
      conditionOf: conditionsAt(await collections(db).all(), collectors, at),
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

/** One step: some routes, with all their receivers. Returns how many messages were made. */
async function notifyOfWatches(
  trx: Db,
  watches: readonly AlertWatch[],
  look: Look,
  digests: Map<string, Digested[]>,
): Promise<number> {
  const ids = watches.map(({ id }) => id);
  const store = alertsIn(trx);
  const touches = Map.groupBy(await store.touches(ids), ({ watch_id }) => watch_id);
  const instances = Map.groupBy(await store.instances(ids), ({ watch_id }) => watch_id);
  const sent = Map.groupBy(await store.lastSent(ids), ({ watch_id }) => watch_id);
  const rows: MessagesTable[] = [];
  for (const watch of watches) {
    const mine = touches.get(watch.id) ?? [];
    const logs = sent.get(watch.id) ?? [];
    if (mine.length === 0 && logs.every(({ firing }) => firing === '[]')) continue;
    rows.push(...(await notifyOfWatch(trx, watch, mine, instances.get(watch.id) ?? [], logs, look, digests)));
  }
  await messages(trx).add(rows);
  return rows.length;
}

async function notifyOfWatch(
  trx: Db,
  watch: AlertWatch,
  touches: readonly Touch[],
  rows: readonly AlertInstancesTable[],
  logs: readonly NotificationLogTable[],
  look: Look,
  digests: Map<string, Digested[]>,
): Promise<MessagesTable[]> {
  const { now } = look;
  const before = new Map(rows.map((row) => [row.event_id, row]));
  const after = new Map<string, Alert>();
  const holds = new Map<string, string>();
  const trips = tripsAround(watch, look.at);
  for (const touch of touches) {
    const row = before.get(touch.event_id);
    const judged = sightOf(touch, watch, trips, look);
    if (judged.held) holds.set(touch.event_id, judged.held);
    if (!row && judged.sight.seen !== 'there') continue;
    const old = row ? alertOf(row) : NORMAL(now, touch.severity ?? 'low');
    const alert = nextAlert(old, judged.sight, now);
    after.set(touch.event_id, alert);
    const dueAt = alertDueAt(alert);
    if (dueAt !== null) look.dueAt = Math.min(look.dueAt, dueAt);
    if (!row || alert !== old)
      await alertsIn(trx).store(rowOf(watch.id, touch.event_id, alert, (row?.rev ?? 0) + 1));
  }

  const byId = new Map(touches.map((touch) => [touch.event_id, touch]));
  const firingIds = [...after].filter(([, alert]) => isFiring(alert)).map(([id]) => id);
  const wasSent = logs.flatMap(({ firing }) => JSON.parse(firing) as string[]);
  const needed = [...new Set([...firingIds, ...wasSent])];
  const incidents = await alertsIn(trx).incidents(needed);
  const responses = new Map(
    (await alertsIn(trx).responses(needed))
      .filter(({ team_id }) => team_id === watch.team_id)
      .map((row) => [row.event_id, row]),
  );
  const inside = inhibited(
    firingIds.flatMap((id): Placed[] => {
      const touch = byId.get(id);
      const incident = incidents.get(id);
      // A stretch that is closed no longer inhibits nothing more.
      if (!touch || touch.level !== 'certain' || !incident || incident.ended_at) return [];
      const { from_km, to_km } = touch;
      return [
        { id, from_km, to_km, effect: incident.facts?.effect ?? null, event_type: incident.event_type },
      ];
    }),
  );
  const firing = firingIds.map((id): Firing => {
    const alert = after.get(id)!; // it is one of them
    const response = responses.get(id);
    const snooze = snoozedUntil(response, look.at);
    if (snooze) look.dueAt = Math.min(look.dueAt, Date.parse(snooze));
    const held = snooze
      ? `Held: snoozed until ${LONDON_CLOCK.format(new Date(snooze))}`
      : inside.has(id)
        ? 'Held: inside a closed stretch'
        : null;
    if (held) holds.set(id, held);
    return {
      id,
      severity: alert.severity,
      since: alert.since,
      urgent_at: alert.urgent_at,
      isBlind: alert.no_data_since !== null,
      isOver: alert.state === 'recovering',
      isAcknowledged: response !== undefined && response.disposition !== null && response.lapsed === null,
      held,
    };
  });
  const cleared = wasSent.filter((id) => {
    const { ended_at, ended_reason } = incidents.get(id) ?? {};
    const isOver = (after.get(id)?.state ?? 'normal') === 'normal';
    return isOver && ended_at !== undefined && ended_reason !== undefined && ended_reason !== 'expired';
  });

  const made: MessagesTable[] = [];
  const reachedOf = (id: string) => nextReached(trips, byId.get(id), look.at);
  for (const receiver of look.byTeam.get(watch.team_id) ?? []) {
    const log = logs.find(({ receiver_id }) => receiver_id === receiver.id);
    const step = nextStep(log ? lastSentOf(log) : null, firing, cleared, now);
    if (step.kind === 'wait') {
      if (step.dueAt !== null) look.dueAt = Math.min(look.dueAt, step.dueAt);
      continue;
    }
    if (step.kind === 'forget') {
      await alertsIn(trx).setLastSent(logRow(watch.id, receiver.id, step.lastSent));
      continue;
    }
    const all = worstFirst(step.ids, incidents, after);
    const body = bodyFor(watch, step, all, reachedOf);
    const severities = all.map(({ id }) => after.get(id)?.severity ?? 'low');
    const muted = mutedBy(receiver, look.at, severities.includes('critical') && step.why !== 'cleared');
    const what = `${step.why} ${all.map(({ id }, index) => `${id} ${severities[index]}`).join(' ')}`;
    if (muted) {
      if (step.why === 'repeat') continue;
      addDigested(digests, receiver.id, [{ route: watch.name, kind: 'held', title: body.title }]);
      made.push(
        messageOf(look, { receiver, watch, body, state: 'held', reason: muted, what: `${muted} ${what}` }),
      );
      continue;
    }
    await alertsIn(trx).setLastSent(logRow(watch.id, receiver.id, step.lastSent));
    made.push(
      messageOf(look, {
        receiver,
        watch,
        body,
        state: 'waiting',
        reason: 'Waiting to be sent',
        what: `${now} ${what}`,
      }),
    );
  }

  if (watch.tellMe.threshold !== 'nothing' || holds.size > 0)
    made.push(...heldRows(watch, holds, byId, look, reachedOf));
  addToDigests(watch, touches, look, digests);

  const forgotten = [...after].filter(([id, { state }]) => state === 'normal' && !wasSent.includes(id));
  await alertsIn(trx).forget(
    watch.id,
    forgotten.map(([id]) => id),
  );
  return made;
}

/** What is seen of an incident on this route, and why no alert is sent although it touches it. */
function sightOf(
  touch: Touch,
  watch: AlertWatch,
  trips: readonly Trip[] | null,
  look: Look,
): { sight: Sight; held?: string } {
  const out: Sight = { seen: 'out' };
  const { source, severity, level, ended_at, ended_reason } = touch;
  if (source === null || severity === null) return { sight: out };
  const isSilent = look.conditionOf(source).freshness === 'stale';
  if (ended_at !== null) {
    if (ended_reason !== 'expired') return { sight: { seen: 'ended' } };
    return { sight: isSilent ? { seen: 'unknown' } : out };
  }
  if (level === null) return { sight: isSilent ? { seen: 'unknown' } : out };
  if (isSilent) return { sight: { seen: 'unknown' } };
  const { threshold } = watch.tellMe;
  if (threshold === 'nothing') return { sight: out };
  if (level !== 'certain') return { sight: out, held: 'Held: possible, not certain' };
  if (touch.phase === 'planned') return { sight: out, held: 'Held: planned, not yet in force' };
  if (severityRank(severity) > severityRank(threshold))
    return { sight: out, held: 'Held: below your threshold' };
  if (trips && !trips.some((trip) => concerns(trip, touch, look.at)))
    return { sight: out, held: 'Held: no departure is near' };
  return { sight: { seen: 'there', severity, isUrgent: look.urgent.has(touch.event_id) } };
}

/** Vehicles between two hours before they leave and their arrival; null: at all times. */
export function tripsAround(
  { departures, tellMe, length_km }: Pick<AlertWatch, 'departures' | 'tellMe' | 'length_km'>,
  at: Date,
): Trip[] | null {
  if (departures.length === 0 || tellMe.around_departures === false) return null;
  const today = londonDay(at);
  return [-2, -1, 0, 1]
    .map((ahead) => dayAfter(today, ahead))
    .flatMap((day) => departures.filter((one) => runsOn(one, day)).map((one) => tripOn(one, day, length_km)))
    .filter(
      ({ leaves, arrives }) =>
        leaves.getTime() - AROUND_MS <= at.getTime() && at.getTime() < arrives.getTime(),
    );
}

/** In force when the vehicle is there, and the vehicle is not long past it. */
function concerns(trip: Trip, { from_km, to_km, start_time, end_time, phase }: Touch, at: Date): boolean {
  const span = tripSpan(trip, from_km, to_km);
  return span.to > at.getTime() && meets(inForce({ start_time, end_time }, phase === 'planned', at), span);
}

function nextReached(trips: readonly Trip[] | null, touch: Touch | undefined, at: Date): Date | null {
  if (!trips || !touch || touch.from_km === null) return null;
  const times = trips
    .filter((trip) => concerns(trip, touch, at))
    .map((trip) => reachedAt(trip, touch.from_km!))
    .filter((time) => time >= at);
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** A snooze is a silence until it is over, or was ended by a change. */
const snoozedUntil = (response: ResponsesTable | undefined, at: Date): string | null =>
  response?.snooze_until != null && response.snooze_until > at.toISOString() ? response.snooze_until : null;

/** Why this receiver is not notified now. The list in the app disturbs nobody. */
function mutedBy(receiver: ReceiversTable, at: Date, isCritical: boolean): string | null {
  if (receiver.kind === 'app') return null;
  const { paused_until } = receiver;
  if (paused_until !== null && paused_until > at.toISOString())
    return `Held: paused until ${LONDON_CLOCK.format(new Date(paused_until))}`;
  const quiet = quietOf(receiver);
  return isQuiet(quiet, at) && !(isCritical && quiet?.critical) ? 'Held: quiet hours' : null;
}

function worstFirst(
  ids: readonly string[],
  incidents: ReadonlyMap<string, ListedDisruption>,
  alerts: ReadonlyMap<string, Alert>,
): (ListedDisruption & { id: string })[] {
  const rank = (id: string) => severityRank(alerts.get(id)?.severity ?? 'low');
  return ids
    .flatMap((id) => {
      const incident = incidents.get(id);
      return incident ? [{ ...incident, id, severity: alerts.get(id)?.severity ?? incident.severity }] : [];
    })
    .toSorted((one, other) => rank(one.id) - rank(other.id) || (one.id < other.id ? -1 : 1));
}

function bodyFor(
  watch: AlertWatch,
  { why, isLast }: { why: 'new' | 'repeat' | 'cleared'; isLast: boolean },
  all: readonly (ListedDisruption & { id: string })[],
  reachedOf: (id: string) => Date | null,
): MessageBody {
  const words = (): Said => {
    if (why === 'cleared') {
      return clearedWords(
        watch.name,
        all.flatMap(({ title, facts, ended_at, ended_reason }) =>
          ended_at && ended_reason && ended_reason !== 'expired'
            ? [{ title, facts: facts ?? null, reason: ended_reason, at: ended_at }]
            : [],
        ),
      );
    }
    const said = groupWords(
      watch.name,
      all.map((one) => ({ ...one, facts: one.facts ?? null, reached: reachedOf(one.id) })),
    );
    return why === 'repeat' ? reminded(said, isLast) : said;
  };
  return {
    kind: why === 'cleared' ? 'cleared' : 'alert',
    ...words(),
    hidden:
      why === 'cleared' ? 'Cleared on one of your routes' : hiddenWords(all.map(({ severity }) => severity)),
    severity: all[0]?.severity ?? null,
    event_ids: all.map(({ id }) => id),
    tag: `route:${watch.id}`,
    is_news: why !== 'cleared',
    address: `/routes/${encodeURIComponent(watch.id)}`,
  };
}

/** What is held back from everybody, noted once for each reason. */
function heldRows(
  watch: AlertWatch,
  holds: ReadonlyMap<string, string>,
  byId: ReadonlyMap<string, Touch>,
  look: Look,
  reachedOf: (id: string) => Date | null,
): MessagesTable[] {
  return [...holds].flatMap(([id, reason]) => {
    const touch = byId.get(id);
    if (!touch || touch.severity === null || touch.title === null || touch.source === null) return [];
    const what = `${reason} ${id} ${touch.severity} ${touch.start_time}`;
    const key = `${watch.id} ${what}`;
    if (look.noted.has(key)) return [];
    look.noted.add(key);
    const said = groupWords(watch.name, [
      {
        id,
        severity: touch.severity,
        title: touch.title,
        facts: null,
        source: touch.source,
        updated_at: null,
        reached: reachedOf(id),
      },
    ]);
    const body: MessageBody = {
      kind: 'alert',
      ...said,
      hidden: hiddenWords([touch.severity]),
      severity: touch.severity,
      event_ids: [id],
      tag: `route:${watch.id}`,
      is_news: false,
      address: `/routes/${encodeURIComponent(watch.id)}`,
    };
    return [messageOf(look, { receiver: null, watch, body, state: 'held', reason, what })];
  });
}

/** Possible ones, where the route wants them, and planned ones that are near. */
function addToDigests(
  watch: AlertWatch,
  touches: readonly Touch[],
  { byTeam, at, conditionOf }: Look,
  digests: Map<string, Digested[]>,
): void {
  if (watch.tellMe.threshold === 'nothing') return;
  const soon = new Date(at.getTime() + 24 * 60 * MINUTE_MS).toISOString();
  const listed = touches.flatMap(({ level, phase, title, ended_at, start_time, source }): Digested[] => {
    if (level === null || title === null || ended_at !== null || !source) return [];
    if (conditionOf(source).freshness === 'stale') return [];
    const isPlanned = phase === 'planned';
    if (isPlanned && (start_time ?? '') > soon) return [];
    if (level === 'possible' && watch.tellMe.possible === 'no') return [];
    if (level === 'certain' && !isPlanned) return [];
    return [{ route: watch.name, kind: level === 'possible' ? 'possible' : 'planned', title }];
  });
  if (listed.length === 0) return;
  for (const { id, kind } of byTeam.get(watch.team_id) ?? [])
    if (kind !== 'app') addDigested(digests, id, listed);
}

function addDigested(digests: Map<string, Digested[]>, receiverId: string, more: readonly Digested[]): void {
  const known = digests.get(receiverId) ?? [];
  if (known.length < DIGESTED_MOST) digests.set(receiverId, [...known, ...more].slice(0, DIGESTED_MOST));
}

async function makeDigests(
  trx: Db,
  look: Look,
  digests: ReadonlyMap<string, readonly Digested[]>,
): Promise<number> {
  const rows: MessagesTable[] = [];
  for (const receiver of [...look.byTeam.values()].flat()) {
    if (receiver.user_id === null || receiver.kind === 'app') continue;
    const { times, last } = digestOf(receiver);
    const due = digestDue(times, last === null ? null : Date.parse(last), look.at);
    if (!due) continue;
    await receiversIn(trx).noteDigest(receiver.id, { times, last: due.toISOString() });
    const listed = digests.get(receiver.id) ?? [];
    const isPaused = receiver.paused_until !== null && receiver.paused_until > look.at.toISOString();
    if (listed.length === 0 || isPaused) continue;
    const body: MessageBody = {
      kind: 'digest',
      ...digestWords(due, listed),
      hidden: 'Digest of your routes',
      severity: null,
      event_ids: [],
      tag: 'digest',
      is_news: false,
      address: MESSAGES_PAGE,
    };
    const what = `digest ${due.toISOString()}`;
    rows.push(
      messageOf(look, { receiver, watch: null, body, state: 'waiting', reason: 'Waiting to be sent', what }),
    );
  }
  await messages(trx).add(rows);
  return rows.length;
}

/** One message for each source that is silent for too long, and one when it is back. */
async function notifyOfSilence(
  trx: Db,
  routes: readonly AlertWatch[],
  look: Look,
  collectors: readonly Collector[],
): Promise<number> {
  const named = new Set(routes.flatMap(({ sources }) => sources));
  const declared = collectors.filter(({ source }) => named.has(source));
  const logs = await alertsIn(trx).lastSent(declared.map(({ source }) => `source:${source}`));
  const rows: MessagesTable[] = [];
  for (const collector of declared) {
    const { source } = collector;
    const { freshness, last_collected } = look.conditionOf(source);
    if (freshness === null || last_collected === null) continue;
    const since = Date.parse(last_collected);
    const blindFrom = since + spans(collector).maxAgeMs + BLIND_AFTER_MS;
    const isBlind = freshness === 'stale' && look.now >= blindFrom;
    const isBack = freshness !== 'stale';
    for (const [teamId, team] of look.byTeam) {
      const mine = routes.filter(
        ({ team_id, sources, tellMe }) =>
          team_id === teamId && tellMe.threshold !== 'nothing' && sources.includes(source),
      ).length;
      for (const receiver of team) {
        const id = `source:${source}`;
        const log = logs.find((row) => row.watch_id === id && row.receiver_id === receiver.id);
        const wasSent = log !== undefined && log.firing !== '[]';
        if (wasSent ? !isBack : !isBlind || mine === 0) continue;
        const said = wasSent
          ? seenAgainWords(source, last_collected)
          : blindWords(source, last_collected, mine);
        const body: MessageBody = {
          kind: wasSent ? 'seen_again' : 'blind',
          ...said,
          hidden: said.title,
          severity: null,
          event_ids: [],
          tag: id,
          is_news: !wasSent,
          address: MESSAGES_PAGE,
        };
        const muted = mutedBy(receiver, look.at, false);
        const what = `${id} ${last_collected} ${wasSent}`;
        if (muted) {
          // That it is back is said only to those who were notified that it was silent.
          const reason = muted;
          rows.push(
            messageOf(look, { receiver, watch: null, body, state: 'held', reason, what: `${muted} ${what}` }),
          );
          continue;
        }
        const lastSent: LastSent = {
          firing: wasSent ? [] : [source],
          severities: {},
          sent_at: look.now,
          repeats: 0,
        };
        await alertsIn(trx).setLastSent(logRow(id, receiver.id, lastSent));
        rows.push(
          messageOf(look, {
            receiver,
            watch: null,
            body,
            state: 'waiting',
            reason: 'Waiting to be sent',
            what,
          }),
        );
      }
    }
  }
  await messages(trx).add(rows);
  return rows.length;
}

/** Its id follows from what it says to whom, so that the same message is never made twice. */
function messageOf(
  { at }: Look,
  {
    receiver,
    watch,
    body,
    state,
    reason,
    what,
  }: {
    receiver: ReceiversTable | null;
    watch: AlertWatch | null;
    body: MessageBody;
    state: Extract<MessageState, 'waiting' | 'held'>;
    reason: string;
    what: string;
  },
): MessagesTable {
  const bundle = hashOf(watch?.id ?? '', what);
  const created_at = iso(at);
  const isInApp = receiver?.kind === 'app';
  const validMs = body.kind === 'digest' ? DIGEST_VALID_MS : VALID_MS;
  return {
    id: `msg_${hashOf(bundle, receiver?.id ?? '')}`,
    receiver_id: receiver?.id ?? null,
    watch_id: watch?.id ?? null,
    bundle,
    created_at,
    body: JSON.stringify(body),
    reason: isInApp ? 'Sent' : reason,
    state: isInApp ? 'sent' : state,
    attempts: 0,
    next_at: state === 'waiting' && !isInApp ? created_at : null,
    last_status: null,
    valid_until: new Date(at.getTime() + validMs).toISOString(),
    sent_at: isInApp ? created_at : null,
    seen_at: null,
  };
}

const hashOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);

const alertOf = (row: AlertInstancesTable): Alert => ({
  state: row.state,
  since: Date.parse(row.since),
  recover_since: timeOf(row.recover_since),
  no_data_since: timeOf(row.no_data_since),
  severity: row.severity,
  urgent_at: timeOf(row.urgent_at),
});

const rowOf = (watch_id: string, event_id: string, alert: Alert, rev: number): AlertInstancesTable => ({
  watch_id,
  event_id,
  state: alert.state,
  since: textOf(alert.since)!,
  recover_since: textOf(alert.recover_since),
  no_data_since: textOf(alert.no_data_since),
  severity: alert.severity,
  urgent_at: textOf(alert.urgent_at),
  rev,
});

const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));
const textOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

const lastSentOf = ({ firing, severities, sent_at, repeats }: NotificationLogTable): LastSent => ({
  firing: JSON.parse(firing) as string[],
  severities: JSON.parse(severities) as Record<string, Severity>,
  sent_at: Date.parse(sent_at),
  repeats,
});

const logRow = (watch_id: string, receiver_id: string, lastSent: LastSent): NotificationLogTable => ({
  watch_id,
  receiver_id,
  firing: JSON.stringify(lastSent.firing),
  severities: JSON.stringify(lastSent.severities),
  sent_at: new Date(lastSent.sent_at).toISOString(),
  repeats: lastSent.repeats,
});
