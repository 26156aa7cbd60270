/**
 * Sends the waiting messages of the outbox until each message has arrived, was refused or is too old. At most ten
 * messages at a time go to devices and mailboxes, and at most ten more to webhooks, Slack and Teams, one to each
 * address, so that a slow address delays nobody else. A message is stored as sent only after the other side has
 * answered: after a crash between the two, it is sent once more with the same id.
 */
import type { TeamMode } from '#contract/accounts/teams.ts';
import { isPosted } from './channelState.ts';
import { channels as channelsIn } from './channelStore.ts';
import {
  cursorLease,
  type CursorWorker,
  startCursorWorker,
  type WorkerParts,
} from '../../db/cursorWorker.ts';
import { bodyOf, messages, type Waiting } from './outboxStore.ts';
import { netChanges } from '../../shift/netChangesStore.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Channels, Counts, Outcome } from './sendByChannel.ts';
import { notices } from './notices.ts';
import { nextTry, restUntil } from './retries.ts';

const SENDER = 'sender';
export const AT_ONCE = 10;
const SEND_EVERY_MS = 2000;
const LEASE_MS = 30_000;
/** Messages of one kind do not wait for the other. */
const LANES = [
  ['device', 'email'],
  ['webhook', 'slack', 'teams'],
] as const;

interface SenderParts extends WorkerParts {
  channels: Channels;
  mode: TeamMode;
  /** From 0 to 1. */
  random?: () => number;
}

export function startSender(parts: SenderParts): CursorWorker {
  const { db, channels, now, log, mode, random = Math.random } = parts;
  const lease = cursorLease(parts, SENDER, LEASE_MS);
  /** By message: its channel, and the promise that ends with the delivery. */
  const underWay = new Map<string, { channel: RowOf<'channels'>; done: Promise<void> }>();

  async function deliver(waiting: Waiting): Promise<void> {
    const { message, channel } = waiting;
    const at = now();
    const give = (state: 'failed' | 'dropped', reason: string) =>
      messages(db).settle(message.id, { state, reason, next_at: null });
    if (message.valid_until <= at.toISOString()) {
      if (message.attempts > 0 && !isPosted(channel)) return give('failed', unreachable(channel));
      return give(isPosted(channel) ? 'failed' : 'dropped', 'Not sent: too old by then');
    }
    if (channel.state === 'off') return give('failed', 'Not sent: this channel is off');
    if (!(await channelsIn(db).isLive(channel.id, at))) return give('dropped', 'Not sent: signed out there');
    await note(waiting, await channels.deliver(waiting, await countsFor(channel), at));
  }

  async function countsFor({ kind, user_id, team_id }: RowOf<'channels'>): Promise<Counts> {
    if (kind !== 'device' || user_id === null) return { unseen: 0, criticals: null };
    return {
      unseen: await messages(db).unseen(user_id, team_id),
      criticals: await netChanges(db).criticalsUnseen(user_id, team_id),
    };
  }

  async function note(waiting: Waiting, outcome: Outcome): Promise<void> {
    const { message, channel } = waiting;
    const at = now();
    await db.transaction().execute(async (trx) => {
      await messages(trx).settle(message.id, {
        attempts: message.attempts + 1,
        ...settled(waiting, outcome, at, random),
      });
      if (outcome.kind === 'sent') return channelsIn(trx).noteOk(channel, at);
      const isGone = outcome.kind === 'gone';
      const rest = outcome.kind === 'later' ? restUntil(channel, outcome, at) : null;
      if (await channelsIn(trx).noteFailure(channel, outcome.why, { isGone, rest }, at))
        await notices(trx).off(channel, outcome.why, mode, at);
    });
  }

  async function sendDue(): Promise<void> {
    const round = { isWell: true };
    while (round.isWell) {
      // Messages that are being sent must end before another node may send them too.
      if (!(await lease.keep())) return;
      // A delivery that ends while the rows are read may leave a due message that is not among them.
      const wereUnderWay = underWay.size;
      const due: Waiting[] = [];
      for (const kinds of LANES) {
        const busy = [...underWay.values()].flatMap(({ channel }) =>
          (kinds as readonly string[]).includes(channel.kind) ? [channel.id] : [],
        );
        if (busy.length < AT_ONCE)
          due.push(...(await messages(db).due(now(), AT_ONCE - busy.length, { kinds, busy })));
      }
      if (due.length === 0 && wereUnderWay === 0) return;
      for (const waiting of due) {
        const { id } = waiting.message;
        const done = deliver(waiting)
          .catch((error: unknown) => {
            // It is due again at once: the next round tries it.
            round.isWell = false;
            log.error({ err: error, message: id }, 'Could not send a message');
          })
          .finally(() => underWay.delete(id));
        underWay.set(id, { channel: waiting.channel, done });
      }
      if (due.length === 0 && underWay.size > 0)
        await Promise.race([...underWay.values()].map(({ done }) => done));
    }
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: SEND_EVERY_MS,
    look: sendDue,
    failure: 'Could not read the messages that wait',
    async onStop() {
      await Promise.all([...underWay.values()].map(({ done }) => done));
      channels.close();
    },
  });
}

type Settled = Partial<
  Pick<RowOf<'messages'>, 'state' | 'reason' | 'next_at' | 'last_status' | 'sent_at' | 'body'>
>;

function settled({ message, channel }: Waiting, outcome: Outcome, at: Date, random: () => number): Settled {
  const { status: last_status } = outcome;
  if (outcome.kind === 'sent') {
    const sent_at = at.toISOString();
    return { state: 'sent', reason: 'Sent', next_at: null, last_status, sent_at, body: keptOf(message) };
  }
  const why = lowerFirst(outcome.why);
  const next = isFinal(channel, outcome)
    ? null
    : nextTry(channel, message.attempts + 1, { afterMs: null, ...outcome }, at, random)?.toISOString();
  if (next && next < message.valid_until)
    return { reason: `Not sent yet: ${why}`, next_at: next, last_status };
  const reason = outcome.kind === 'refused' || isPosted(channel) ? `Not sent: ${why}` : unreachable(channel);
  return { state: 'failed', reason, next_at: null, last_status };
}

/** Messages are not tried again if the address may not be called, or if a push service or a mail server has refused
 *  them. */
const isFinal = (channel: RowOf<'channels'>, { kind, status }: Outcome) =>
  kind === 'gone' || (kind === 'refused' && (status === null || !isPosted(channel)));

/** After a message has arrived, its data about the incident is not kept. */
function keptOf({ body }: RowOf<'messages'>): string {
  const read = bodyOf({ body });
  const { delivery } = read;
  if (!delivery || !('disruption' in delivery.data)) return body;
  return JSON.stringify({ ...read, delivery: { ...delivery, data: { ...delivery.data, disruption: null } } });
}

const unreachable = ({ kind }: RowOf<'channels'>) =>
  kind === 'device' ? 'Not sent: device unreachable' : 'Not sent: address unreachable';

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
