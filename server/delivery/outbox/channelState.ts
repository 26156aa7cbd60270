/** The state of a channel after a message arrived or did not arrive. Pure: depends only on data and a time. */
import { DAY_MS } from '#contract/durations.ts';
import type { RowOf } from '../../db/schema.ts';

type Channel = Pick<RowOf<'channels'>, 'kind' | 'state' | 'since'>;

/** Channels of programs and chats have an address to which we post. */
export const isPosted = ({ kind }: Pick<Channel, 'kind'>) =>
  kind === 'webhook' || kind === 'slack' || kind === 'teams';

/** With these statuses the address is gone for ever, and the channel is turned off at once. */
export const GONE = { device: [404, 410], posted: [410] } as const;

/** If no message has arrived for this long, the address of a program or a chat is turned off. */
const FAILING_MS = 3 * DAY_MS;

/** Messages that do not arrive fill disks: with more than this number the channel is turned off. Checked every hour. */
export const UNDELIVERED_MOST = 10_000;

/** A mailbox is confirmed only by its owner. */
export const stateAfterSuccess = ({ kind, state }: Pick<Channel, 'kind' | 'state'>): Channel['state'] =>
  state === 'failing' || (state === 'unconfirmed' && kind !== 'email') ? 'working' : state;

/** The channel fails from its first message that does not arrive. `since`: only if that state begins now. */
export function stateAfterFailure(
  channel: Channel,
  isGone: boolean,
  at: string,
): { state: Channel['state']; since?: string } {
  // If the clock was set back, the time begins again.
  const isKnown = channel.state === 'failing' && channel.since <= at;
  const isOld = isKnown && isPosted(channel) && Date.parse(at) - Date.parse(channel.since) >= FAILING_MS;
  if (isGone || isOld) return { state: 'off', since: at };
  if (channel.state === 'unconfirmed') return { state: 'unconfirmed' };
  return { state: 'failing', ...(!isKnown && { since: at }) };
}
