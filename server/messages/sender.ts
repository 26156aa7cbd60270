/**
 * Sends what waits in the outbox until each has arrived, was refused or is too old: at most ten messages at a time, and
 * beside them ten deliveries of webhooks, one to each, so that a slow address delays nobody else. A message is noted as
 * sent only after the other side has answered: a crash between the two sends it once more, with the same id.
 */
import type { TeamMode } from '#contract/teams.ts';
import { cursorLease, type CursorWorker, startCursorWorker, type WorkerParts } from '../db/cursorWorker.ts';
import { messages, WAIT_MOST_MINUTES, type Waiting } from '../db/messages.ts';
import { netChanges } from '../db/netChanges.ts';
import { receivers } from '../db/receivers.ts';
import type { MessagesTable, ReceiversTable } from '../db/schema.ts';
import { webhooks } from '../db/webhooks.ts';
import type { Channels, Counts, Outcome } from './channels.ts';
import { deliveryBody, keptOf } from './deliveries.ts';
import { notices } from './notices.ts';

const SENDER = 'sender';
export const AT_ONCE = 10;
export const SEND_EVERY_MS = 2000;
const LEASE_MS = 30_000;
const MINUTE_MS = 60_000;
/** After the first, second and third failure, and every one from then on. */
export const RETRY_AFTER_MS = [30_000, 2 * MINUTE_MS, 8 * MINUTE_MS] as const;
/** The same of a delivery, which has failed after the last. */
export const DELIVERY_RETRY_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS] as const;
/** So much more or less, so that addresses that failed together are not called together. */
export const JITTER_SHARE = 0.2;
/** Of a date in a header. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
/** The address asks for a rest. */
const SLOW_DOWN: readonly number[] = [429, 502, 504];

export interface SenderParts extends WorkerParts {
  channels: Channels;
  mode: TeamMode;
  /** From 0 to 1. */
  random?: () => number;
}

export function startSender(parts: SenderParts): CursorWorker {
  const { db, channels, now, log, mode, random = Math.random } = parts;
  const lease = cursorLease(parts, SENDER, LEASE_MS);
  const underWay = new Map<string, Promise<void>>();
  /** Of deliveries under way: their webhooks. */
  const busy = new Map<string, string>();

  async function deliver(waiting: Waiting): Promise<void> {
    const { message, receiver, hook } = waiting;
    const at = now();
    if (message.valid_until <= at.toISOString()) {
      const isTried = message.attempts > 0;
      const reason = isTried && !hook ? unreachable(waiting) : 'Not sent: too old by then';
      const state = isTried || hook ? 'failed' : 'dropped';
      return messages(db).settle(message.id, { state, reason, next_at: null });
    }
    if (hook && receiver.state === 'off') {
      const reason = 'Not sent: the webhook is off';
      return messages(db).settle(message.id, { state: 'failed', reason, next_at: null });
    }
    if (!(await receivers(db).isLive(receiver.id, at))) {
      const reason = 'Not sent: signed out there';
      return messages(db).settle(message.id, { state: 'dropped', reason, next_at: null });
    }
    const outcome = await channels.deliver(waiting, await countsFor(receiver, at), at);
    if (hook) return noteDelivery(waiting, outcome);
    await messages(db).settle(message.id, {
      attempts: message.attempts + 1,
      ...after(waiting, outcome, now()),
    });
    if (outcome.kind === 'sent') await receivers(db).noteOk(receiver.id, now());
    else {
      const offAt = outcome.kind === 'gone' ? now() : null;
      await receivers(db).noteFailure(receiver.id, outcome.why, { offAt });
    }
    if (outcome.kind === 'gone') await notices(db).lost(receiver, now());
  }

  async function countsFor({ kind, user_id, team_id }: ReceiversTable, at: Date): Promise<Counts> {
    if (kind !== 'push' || user_id === null) return { unseen: 0, criticals: null };
    return {
      unseen: await messages(db).unseen(user_id, team_id),
      criticals: await netChanges(db).criticalsUnseen(user_id, team_id, at),
    };
  }

  async function noteDelivery(waiting: Waiting, outcome: Outcome): Promise<void> {
    const { message, receiver } = waiting;
    const at = now();
    const settled = afterDelivery(waiting, outcome, at, random);
    await db.transaction().execute(async (trx) => {
      await messages(trx).settle(message.id, { attempts: message.attempts + 1, ...settled });
      if (outcome.kind === 'sent') {
        await webhooks(trx).noteOk(receiver.id);
        return receivers(trx).noteOk(receiver.id, at);
      }
      if (receiver.state === 'off') return;
      const isOld = await webhooks(trx).noteFailure(receiver.id, restUntil(outcome, at), at);
      const isOff = outcome.kind === 'gone' || isOld;
      await receivers(trx).noteFailure(receiver.id, outcome.why, { offAt: isOff ? at : null });
      if (isOff) await notices(trx).webhookOff(receiver, outcome.why, mode, at);
    });
  }

  async function sendDue(): Promise<void> {
    const round = { isWell: true };
    while (round.isWell) {
      // Whatever is under way ends before another node can send it too.
      if (!(await lease.keep())) return;
      // What ends while the rows are read may leave something due that they do not have.
      const wereUnderWay = underWay.size;
      const plain = [...underWay.keys()].filter((id) => !busy.has(id));
      const due = plain.length < AT_ONCE ? await messages(db).due(now(), AT_ONCE - plain.length, plain) : [];
      if (busy.size < AT_ONCE)
        due.push(...(await messages(db).dueDeliveries(now(), AT_ONCE - busy.size, [...busy.values()])));
      if (due.length === 0 && wereUnderWay === 0) return;
      for (const waiting of due) {
        const { id } = waiting.message;
        if (waiting.hook) busy.set(id, waiting.receiver.id);
        const sending = deliver(waiting)
          .catch((error: unknown) => {
            // It is due again at once: the next round tries it.
            round.isWell = false;
            log.error({ err: error, message: id }, 'Could not send a message');
          })
          .finally(() => {
            underWay.delete(id);
            busy.delete(id);
          });
        underWay.set(id, sending);
      }
      if (due.length === 0 && underWay.size > 0) await Promise.race(underWay.values());
    }
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: SEND_EVERY_MS,
    look: sendDue,
    failure: 'Could not read the messages that wait',
    async onStop() {
      await Promise.all(underWay.values());
      channels.close();
    },
  });
}

type Settled = Partial<Pick<MessagesTable, 'state' | 'reason' | 'next_at' | 'last_status' | 'sent_at'>>;

function after({ message, ...waiting }: Waiting, outcome: Outcome, at: Date): Settled {
  const { status: last_status } = outcome;
  if (outcome.kind === 'sent') {
    return { state: 'sent', reason: 'Sent', next_at: null, last_status, sent_at: at.toISOString() };
  }
  if (outcome.kind === 'later') {
    const usual = RETRY_AFTER_MS[Math.min(message.attempts, RETRY_AFTER_MS.length - 1)]!; // the list has it
    const next = new Date(at.getTime() + Math.max(outcome.afterMs ?? 0, usual)).toISOString();
    if (next < message.valid_until)
      return { reason: `Not sent yet: ${lowerFirst(outcome.why)}`, next_at: next, last_status };
  }
  return {
    state: 'failed',
    reason:
      outcome.kind === 'refused'
        ? `Not sent: ${lowerFirst(outcome.why)}`
        : unreachable({ message, ...waiting }),
    next_at: null,
    last_status,
  };
}

function afterDelivery(
  { message, receiver }: Waiting,
  outcome: Outcome,
  at: Date,
  random: () => number,
): Settled & { body?: string } {
  const { status: last_status } = outcome;
  if (outcome.kind === 'sent') {
    const body = JSON.stringify(keptOf(deliveryBody(message)));
    return { state: 'sent', reason: 'Sent', next_at: null, last_status, sent_at: at.toISOString(), body };
  }
  const why = lowerFirst(outcome.why);
  // What may not be called, or is off, stays so.
  const isFinal =
    outcome.kind === 'gone' ||
    receiver.state === 'off' ||
    (outcome.status === null && outcome.kind === 'refused');
  const usual = isFinal ? undefined : DELIVERY_RETRY_MS[message.attempts];
  if (usual !== undefined) {
    const spread = usual * (1 + JITTER_SHARE * (2 * random() - 1));
    const asked = outcome.kind === 'later' ? (outcome.afterMs ?? 0) : 0;
    const next = new Date(Math.min(at.getTime() + Math.max(asked, spread), LAST_TIME)).toISOString();
    if (next < message.valid_until) return { reason: `Not sent yet: ${why}`, next_at: next, last_status };
  }
  return { state: 'failed', reason: `Not sent: ${why}`, next_at: null, last_status };
}

/** No other delivery is sent there before: the time that the address asks for, or that of the next try. */
function restUntil(outcome: Outcome, at: Date): Date | null {
  if (outcome.kind !== 'later' || outcome.status === null || !SLOW_DOWN.includes(outcome.status)) return null;
  const ms = Math.max(outcome.afterMs ?? 0, DELIVERY_RETRY_MS[0]);
  return new Date(at.getTime() + Math.min(ms, WAIT_MOST_MINUTES * MINUTE_MS));
}

const unreachable = ({ receiver }: Waiting) =>
  receiver.kind === 'push' ? 'Not sent: device unreachable' : 'Not sent: address unreachable';

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
