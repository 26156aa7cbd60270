/**
 * Sends what waits in the outbox, at most ten messages at a time, until each has arrived, was refused or is too old. A
 * message is noted as sent only after the other side has answered: a crash between the two sends it once more, with
 * the same id.
 */
import { cursors } from '../db/cursors.ts';
import { messages, type Waiting } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { receivers } from '../db/receivers.ts';
import type { MessagesTable } from '../db/schema.ts';
import type { Channels, Outcome } from './channels.ts';
import { notices } from './notices.ts';

const SENDER = 'sender';
export const AT_ONCE = 10;
export const SEND_EVERY_MS = 2000;
const LEASE_MS = 30_000;
const MINUTE_MS = 60_000;
/** After the first, second and third failure, and every one from then on. */
export const RETRY_AFTER_MS = [30_000, 2 * MINUTE_MS, 8 * MINUTE_MS] as const;

export interface SenderParts {
  db: Db;
  channels: Channels;
  now: () => Date;
  log: { error(fields: object, message: string): void };
  /** Names this node in the lease. */
  owner: string;
}

export interface Sender {
  /** Something may wait. Settles when nothing does that is due now. Never rejects. */
  send(): Promise<void>;
  stop(): Promise<void>;
}

export function startSender({ db, channels, now, log, owner }: SenderParts): Sender {
  const underWay = new Map<string, Promise<void>>();
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;
  let leasedUntil = 0;

  async function keepLease(): Promise<boolean> {
    const at = now();
    // Whatever is under way ends before another node can send it too.
    if (leasedUntil - at.getTime() > LEASE_MS / 2 && leasedUntil - at.getTime() <= LEASE_MS) return true;
    const until = new Date(at.getTime() + LEASE_MS);
    leasedUntil = (await cursors(db).takeLease(SENDER, owner, at, until)) ? until.getTime() : 0;
    return leasedUntil > 0;
  }

  async function deliver(waiting: Waiting): Promise<void> {
    const { message, receiver } = waiting;
    const at = now();
    if (message.valid_until <= at.toISOString()) {
      const reason = message.attempts > 0 ? unreachable(waiting) : 'Not sent: too old by then';
      const state = message.attempts > 0 ? 'failed' : 'dropped';
      return messages(db).settle(message.id, { state, reason, next_at: null });
    }
    if (!(await receivers(db).isLive(receiver.id, at))) {
      const reason = 'Not sent: signed out there';
      return messages(db).settle(message.id, { state: 'dropped', reason, next_at: null });
    }
    const unseen =
      receiver.user_id === null ? 0 : await messages(db).unseen(receiver.user_id, receiver.team_id);
    const outcome = await channels.deliver(waiting, unseen, at);
    await messages(db).settle(message.id, {
      attempts: message.attempts + 1,
      ...after(waiting, outcome, now()),
    });
    if (outcome.kind === 'sent') await receivers(db).noteOk(receiver.id, now());
    else await receivers(db).noteFailure(receiver.id, outcome.why, { isOff: outcome.kind === 'gone' });
    if (outcome.kind === 'gone') await notices(db).lost(receiver, now());
  }

  async function sendDue(): Promise<void> {
    const round = { isWell: true };
    while (round.isWell && underWay.size < AT_ONCE) {
      if (isStopped || !(await keepLease())) return;
      const due = await messages(db).due(now(), AT_ONCE - underWay.size, [...underWay.keys()]);
      if (due.length === 0 && underWay.size === 0) return;
      for (const waiting of due) {
        const { id } = waiting.message;
        const sending = deliver(waiting)
          .catch((error: unknown) => {
            // It is due again at once: the next round tries it.
            round.isWell = false;
            log.error({ err: error, message: id }, 'Could not send a message');
          })
          .finally(() => underWay.delete(id));
        underWay.set(id, sending);
      }
      if (underWay.size >= AT_ONCE || due.length === 0) await Promise.race(underWay.values());
    }
  }

  function send(): Promise<void> {
    if (running) isAskedAgain = true;
    running ??= (async () => {
      do {
        isAskedAgain = false;
        try {
          await sendDue();
        } catch (error) {
          leasedUntil = 0;
          log.error({ err: error }, 'Could not read the messages that wait');
        }
      } while (isAskedAgain);
    })().finally(() => (running = null));
    return running;
  }

  const timer = setInterval(() => void send(), SEND_EVERY_MS);
  void send();

  return {
    send,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      await Promise.all(underWay.values());
      channels.close();
      if (leasedUntil > 0) await cursors(db).dropLease(SENDER, owner);
    },
  };
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

const unreachable = ({ receiver }: Waiting) =>
  receiver.kind === 'push' ? 'Not sent: device unreachable' : 'Not sent: address unreachable';

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
