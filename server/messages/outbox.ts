/** Rows of what the notifier stores: messages, the states of alerts, and what was last sent to a receiver. */
import { createHash } from 'node:crypto';
import type { Severity } from '#contract/disruptions.ts';
import type { MessageBody } from '#contract/messages.ts';
import type { AlertWatch } from '../db/alerts.ts';
import { iso } from '../db/instant.ts';
import type {
  AlertInstancesTable,
  MessagesTable,
  NotificationLogTable,
  ReceiversTable,
} from '../db/schema.ts';
import type { Alert } from './alerts.ts';
import type { LastSent } from './groups.ts';
import type { Look } from './look.ts';
import { VALID_MS } from './notices.ts';

const DIGEST_VALID_MS = 120 * 60_000;

interface ToSend {
  /** Null: it is held back from everybody. */
  receiver: ReceiversTable | null;
  watch: AlertWatch | null;
  body: MessageBody;
  /** Its id follows from what it says to whom, so that the same message is never made twice. */
  what: string;
  /** Held back from this channel beside one that has it: what that says, so that both are one row of the list. */
  beside?: string;
}

/** The list in the app has it at once; all others wait until it is sent. */
export function waitingRow(look: Look, message: ToSend): MessagesTable {
  const at = iso(look.at);
  return message.receiver?.kind === 'app'
    ? { ...rowFor(look, message), reason: 'Sent', state: 'sent', sent_at: at }
    : { ...rowFor(look, message), reason: 'Waiting to be sent', state: 'waiting', next_at: at };
}

export const heldRow = (look: Look, message: ToSend & { reason: string }): MessagesTable => ({
  ...rowFor(look, message),
  reason: message.reason,
  state: 'held',
});

function rowFor(
  { at }: Look,
  { receiver, watch, body, what, beside = what }: ToSend,
): Omit<MessagesTable, 'reason' | 'state'> {
  const bundleOf = (said: string) => hashOf(watch?.id ?? '', said);
  const validMs = body.kind === 'digest' ? DIGEST_VALID_MS : VALID_MS;
  return {
    id: `msg_${hashOf(bundleOf(what), receiver?.id ?? '')}`,
    receiver_id: receiver?.id ?? null,
    watch_id: watch?.id ?? null,
    bundle: bundleOf(beside),
    created_at: iso(at),
    body: JSON.stringify(body),
    attempts: 0,
    next_at: null,
    last_status: null,
    valid_until: new Date(at.getTime() + validMs).toISOString(),
    sent_at: null,
    seen_at: null,
    about: null,
    place: null,
  };
}

const hashOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);

export const alertOf = (row: AlertInstancesTable): Alert => ({
  state: row.state,
  since: Date.parse(row.since),
  recover_since: timeOf(row.recover_since),
  no_data_since: timeOf(row.no_data_since),
  severity: row.severity,
  urgent_at: timeOf(row.urgent_at),
});

export const rowOf = (
  watch_id: string,
  event_id: string,
  alert: Alert,
  rev: number,
): AlertInstancesTable => ({
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

export const lastSentOf = ({ firing, severities, sent_at, repeats }: NotificationLogTable): LastSent => ({
  firing: JSON.parse(firing) as string[],
  severities: JSON.parse(severities) as Record<string, Severity>,
  sent_at: Date.parse(sent_at),
  repeats,
});

export const logRow = (watch_id: string, receiver_id: string, lastSent: LastSent): NotificationLogTable => ({
  watch_id,
  receiver_id,
  firing: JSON.stringify(lastSent.firing),
  severities: JSON.stringify(lastSent.severities),
  sent_at: new Date(lastSent.sent_at).toISOString(),
  repeats: lastSent.repeats,
});
