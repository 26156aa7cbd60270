/** One step: some routes, the states of their alerts, and what their receivers are sent. */
import { matchAddress, pageAddressOf } from '#contract/addresses.ts';
import type { Trip } from '#contract/departures.ts';
import { type ListedDisruption, severityRank } from '#contract/disruptions.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import type { MessageBody } from '#contract/messages.ts';
import { alerts as alertsIn, type AlertWatch, type Touch } from '../db/alerts.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import type {
  AlertInstancesTable,
  MessagesTable,
  NotificationLogTable,
  ResponsesTable,
} from '../db/schema.ts';
import { type Alert, alertDueAt, isFiring, nextAlert, NORMAL } from './alerts.ts';
import { addDigested, addToDigests } from './digests.ts';
import { type Firing, inhibited, nextStep, type Placed } from './groups.ts';
import { heldRows, mutedBy } from './heldBack.ts';
import { lookAgainAt, type Look } from './look.ts';
import { alertOf, heldRow, lastSentOf, logRow, rowOf, waitingRow } from './outbox.ts';
import { nextReached, sightOf, tripsAround } from './sights.ts';
import { clearedWords, type Digested, groupWords, hiddenWords, reminded, type Said } from './words.ts';

/** One step: some routes, with all their receivers. Returns how many messages were made. */
export async function notifyOfWatches(
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

/** A route with what touches it and what is known of its alerts, before and after this look. */
interface Step {
  trx: Db;
  watch: AlertWatch;
  touches: ReadonlyMap<string, Touch>;
  trips: readonly Trip[] | null;
  after: Map<string, Alert>;
  /** Why no alert is sent of an incident, although it touches the route. */
  holds: Map<string, string>;
  look: Look;
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
  const step: Step = {
    trx,
    watch,
    touches: new Map(touches.map((touch) => [touch.event_id, touch])),
    trips: tripsAround(watch, look.at),
    after: new Map(),
    holds: new Map(),
    look,
  };
  await moveAlerts(step, new Map(rows.map((row) => [row.event_id, row])));

  const firingIds = [...step.after].filter(([, alert]) => isFiring(alert)).map(([id]) => id);
  const wasSent = logs.flatMap(({ firing }) => JSON.parse(firing) as string[]);
  const needed = [...new Set([...firingIds, ...wasSent])];
  const incidents = await alertsIn(trx).incidents(needed);
  const firing = await firingOf(step, firingIds, incidents);
  const cleared = wasSent.filter((id) => {
    const { ended_at, ended_reason } = incidents.get(id) ?? {};
    const isOver = (step.after.get(id)?.state ?? 'normal') === 'normal';
    return isOver && ended_at !== undefined && ended_reason !== undefined && ended_reason !== 'expired';
  });

  const made = await notifyReceivers(step, { firing, cleared, incidents, logs, digests });
  if (watch.tellMe.threshold !== 'nothing' || step.holds.size > 0)
    made.push(...(await heldRows(trx, watch, step.holds, step.touches, look, (id) => reachedIn(step, id))));
  addToDigests(watch, touches, look, digests);

  const over = [...step.after].filter(([id, { state }]) => state === 'normal' && !wasSent.includes(id));
  await alertsIn(trx).forget(
    watch.id,
    over.map(([id]) => id),
  );
  return made;
}

/** Each alert comes into its next state, and is stored when that is another. */
async function moveAlerts(step: Step, before: ReadonlyMap<string, AlertInstancesTable>): Promise<void> {
  const { trx, watch, touches, trips, after, holds, look } = step;
  for (const touch of touches.values()) {
    const row = before.get(touch.event_id);
    const judged = sightOf(touch, watch, trips, look);
    if (judged.held) holds.set(touch.event_id, judged.held);
    if (!row && judged.sight.seen !== 'there') continue;
    const old = row ? alertOf(row) : NORMAL(look.now, touch.severity ?? 'low');
    const alert = nextAlert(old, judged.sight, look.now);
    after.set(touch.event_id, alert);
    lookAgainAt(look, alertDueAt(alert));
    if (!row || alert !== old)
      await alertsIn(trx).store(rowOf(watch.id, touch.event_id, alert, (row?.rev ?? 0) + 1));
  }
}

type Incidents = ReadonlyMap<string, ListedDisruption>;

/** The alerts that fire, with what the team does about them and what holds them back. */
async function firingOf(step: Step, ids: readonly string[], incidents: Incidents): Promise<Firing[]> {
  const { trx, watch, touches, after, holds, look } = step;
  const responses = new Map(
    (await alertsIn(trx).responses(ids))
      .filter(({ team_id }) => team_id === watch.team_id)
      .map((row) => [row.event_id, row]),
  );
  const inside = inhibited(
    ids.flatMap((id): Placed[] => {
      const touch = touches.get(id);
      const incident = incidents.get(id);
      // A stretch that is closed no longer inhibits nothing more.
      if (!touch || touch.level !== 'certain' || !incident || incident.ended_at) return [];
      const { from_km, to_km } = touch;
      return [
        { id, from_km, to_km, effect: incident.facts?.effect ?? null, event_type: incident.event_type },
      ];
    }),
  );
  return ids.map((id): Firing => {
    const alert = after.get(id)!; // it is one of them
    const response = responses.get(id);
    const snooze = snoozedUntil(response, look.at);
    lookAgainAt(look, snooze ? Date.parse(snooze) : null);
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
}

/** What each receiver of the team is sent, or would be if it were not muted. */
async function notifyReceivers(
  step: Step,
  known: {
    firing: readonly Firing[];
    cleared: readonly string[];
    incidents: Incidents;
    logs: readonly NotificationLogTable[];
    digests: Map<string, Digested[]>;
  },
): Promise<MessagesTable[]> {
  const { trx, watch, after, look } = step;
  const made: MessagesTable[] = [];
  for (const receiver of look.byTeam.get(watch.team_id) ?? []) {
    const log = known.logs.find(({ receiver_id }) => receiver_id === receiver.id);
    const next = nextStep(log ? lastSentOf(log) : null, known.firing, known.cleared, look.now);
    if (next.kind === 'wait') {
      lookAgainAt(look, next.dueAt);
      continue;
    }
    if (next.kind === 'forget') {
      await alertsIn(trx).setLastSent(logRow(watch.id, receiver.id, next.lastSent));
      continue;
    }
    const all = worstFirst(next.ids, known.incidents, after);
    const body = bodyFor(watch, next, all, (id) => reachedIn(step, id));
    const severities = all.map(({ id }) => after.get(id)?.severity ?? 'low');
    const muted = mutedBy(receiver, look.at, severities.includes('critical') && next.why !== 'cleared');
    const what = `${next.why} ${all.map(({ id }, index) => `${id} ${severities[index]}`).join(' ')}`;
    const beside = `${look.now} ${what}`;
    if (!muted) {
      await alertsIn(trx).setLastSent(logRow(watch.id, receiver.id, next.lastSent));
      made.push(waitingRow(look, { receiver, watch, body, what: beside }));
    } else if (next.why !== 'repeat') {
      addDigested(known.digests, receiver.id, [{ route: watch.name, kind: 'held', title: body.title }]);
      made.push(heldRow(look, { receiver, watch, body, reason: muted, what: `${muted} ${what}`, beside }));
    }
  }
  return made;
}

const reachedIn = ({ trips, touches, look }: Step, id: string) =>
  nextReached(trips, touches.get(id), look.at);

/** A snooze is a silence until it is over, or was ended by a change. */
const snoozedUntil = (response: ResponsesTable | undefined, at: Date): string | null =>
  response?.snooze_until != null && response.snooze_until > at.toISOString() ? response.snooze_until : null;

function worstFirst(
  ids: readonly string[],
  incidents: Incidents,
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
        all.flatMap(({ title, facts, source, ended_at, ended_reason }) =>
          ended_at && ended_reason && ended_reason !== 'expired'
            ? [{ title, facts: facts ?? null, reason: ended_reason, at: ended_at, source }]
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
    address: all[0] ? matchAddress(watch.id, all[0].id) : pageAddressOf('route', watch.id),
  };
}
