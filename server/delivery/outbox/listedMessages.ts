/** Messages in lists: one row for all channels of a message, with the reason why each did or did not get it. */
import type { Message, MessageOutcome, MessageState } from '#contract/messages/messages.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { bodyOf, type Listed, SEND_AGAIN_DAYS } from './outboxStore.ts';

/** `here`: the channel of the device that asks; undefined if the device does not say. `notOurs`: by route, the
 *  incidents that somebody marked as not on it. */
export function toListed(
  rows: readonly Listed[],
  {
    here,
    notOurs,
    now,
  }: { here?: string | undefined; notOurs: ReadonlyMap<string, ReadonlySet<string>>; now: Date },
): Message[] {
  return [...Map.groupBy(rows, ({ bundle }) => bundle).values()].map((bundle) => ({
    ...oneRow(bundle, here),
    outcomes: bundle.map((row) => toOutcome(row, now)),
    is_not_ours: isMarked(bundle[0]!, notOurs), // a bundle has a row
  }));
}

function isMarked(row: Listed, notOurs: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const marked = notOurs.get(row.watch_id ?? '');
  const { event_ids } = bodyOf(row);
  return marked !== undefined && event_ids.length > 0 && event_ids.every((id) => marked.has(id));
}

function oneRow(
  bundle: readonly Listed[],
  here: string | undefined,
): Omit<Message, 'is_not_ours' | 'outcomes'> {
  const inApp = bundle.find(({ kind }) => kind === 'app');
  const others = bundle.filter((row) => row !== inApp);
  const first = inApp ?? others[0]!; // a bundle has a row
  const { kind, title, text, severity, event_ids } = bodyOf(first);
  const { state, reason } = outcome(others.length > 0 ? others : bundle, here);
  return {
    id: first.id,
    created_at: first.created_at,
    kind,
    severity,
    title,
    text,
    watch_id: first.watch_id,
    event_ids,
    state,
    reason,
    is_seen: !inApp || inApp.seen_at !== null,
  };
}

function outcome(rows: readonly Listed[], here: string | undefined): { state: MessageState; reason: string } {
  const sent = rows.filter(({ state }) => state === 'sent');
  if (sent.length > 0) {
    const at = sent.map(({ sent_at, created_at }) => sent_at ?? created_at).sort()[0]!;
    const ways = [...new Set(sent.map((row) => wayOf(row, here)))];
    return { state: 'sent', reason: `Sent ${LONDON_CLOCK.format(new Date(at))} ${LIST.format(ways)}` };
  }
  // The best outcome first.
  const [best] = (['waiting', 'failed', 'dropped', 'held'] as const).flatMap((state) =>
    rows.filter((row) => row.state === state),
  );
  return { state: best!.state, reason: best!.reason };
}

function toOutcome(row: Listed, now: Date): MessageOutcome {
  const { id, channel_id, name, kind, state, reason, sent_at, created_at } = row;
  const oldest = now.getTime() - SEND_AGAIN_DAYS * 24 * 60 * 60_000;
  return {
    message_id: id,
    channel_id,
    name,
    kind,
    state,
    reason,
    at: sent_at ?? created_at,
    can_send_again: state === 'failed' && Date.parse(created_at) >= oldest,
  };
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function wayOf({ kind, name, channel_id }: Listed, here: string | undefined): string {
  if (kind === 'device') return here === undefined || here === channel_id ? 'to this device' : `to ${name}`;
  return kind === 'email' ? 'by e-mail' : kind === 'app' ? 'in the app' : `to ${name}`;
}
