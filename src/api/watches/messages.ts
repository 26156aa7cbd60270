/** Messages to the signed-in person and the team: sent, held back, and failed. Never stored on the device. */
import { apiPath } from '#contract/addresses.ts';
import {
  Message as WireMessage,
  MessageKind,
  MessageOutcome,
  MessageState,
} from '#contract/messages/messages.ts';
import { z } from 'zod/mini';
import { call, read, type Reply } from '../http.ts';
import { items, maybe, tolerant } from '../tolerant.ts';

const Words = z.catch(z.string(), '');

const state = z.catch(MessageState, 'sent');

const Outcome = tolerant(MessageOutcome, 'message_id', {
  state,
  reason: Words,
  can_send_again: z.catch(z.boolean(), false),
});
/** The result on one channel. */
export type Outcome = z.output<typeof Outcome>;

const Message = tolerant(WireMessage, 'id', {
  kind: z.catch(MessageKind, 'notice'),
  title: Words,
  text: Words,
  reason: Words,
  state,
  outcomes: z.catch(items(Outcome), []),
  is_seen: z.catch(z.boolean(), true),
  is_not_ours: z.catch(z.boolean(), false),
  event_ids: z.catch(z.array(z.string()), []),
});
export type Message = z.output<typeof Message>;

const Page = z.looseObject({
  messages: items(Message),
  unseen: z.catch(z.number(), 0),
  possible: z.catch(z.number(), 0),
  failed: z.catch(z.number(), 0),
  behind: maybe(z.object({ waiting: z.number(), since: z.string() })),
  next_cursor: maybe(z.string()),
});
export type MessagePage = z.output<typeof Page>;

/** `here`: the channel of this device, which the words call "this device". */
export const listMessages = (
  { cursor, here, limit }: { cursor?: string | undefined; here?: string | undefined; limit?: number },
  signal?: AbortSignal,
): Promise<Reply<MessagePage>> => read(Page, 'messages/', { searchParams: { cursor, here, limit }, signal });

export const seeMessages = (ids: readonly string[]) =>
  call('messages/seen', { method: 'post', json: { ids } });

/** Tries a failed message again: the person's own or, for a lead, the team's. */
export const sendMessageAgain = (id: string) => call(apiPath`messages/${id}/send`, { method: 'post' });
