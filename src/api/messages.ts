/** What was sent to the signed-in person, what was held back, and by which channels they are notified. */
import { apiPath } from '#contract/addresses.ts';
import {
  DigestTimes,
  Message as WireMessage,
  MessageKind,
  type MessageSettings,
  MessageState,
  QuietHours,
  Receiver as WireReceiver,
  ReceiverKind,
  type ReceiverRequest,
  ReceiverState,
} from '#contract/messages.ts';
import { z } from 'zod/mini';
import { call, read, type Reply } from './http.ts';
import { remove } from './remove.ts';
import { items, maybe, tolerant } from './tolerant.ts';

const Words = z.catch(z.string(), '');

const Message = tolerant(WireMessage, 'id', {
  kind: z.catch(MessageKind, 'notice'),
  title: Words,
  text: Words,
  reason: Words,
  state: z.catch(MessageState, 'sent'),
  is_seen: z.catch(z.boolean(), true),
  is_not_ours: z.catch(z.boolean(), false),
  event_ids: z.catch(z.array(z.string()), []),
});
export type Message = z.output<typeof Message>;

const Page = z.looseObject({
  messages: items(Message),
  unseen: z.catch(z.number(), 0),
  next_cursor: maybe(z.string()),
});
export type MessagePage = z.output<typeof Page>;

/** `receiver`: that of this device, which is "this device" in the words. */
export const listMessages = (
  { cursor, receiver, limit }: { cursor?: string | undefined; receiver?: string | undefined; limit?: number },
  signal?: AbortSignal,
): Promise<Reply<MessagePage>> =>
  read(Page, 'messages/', { searchParams: { cursor, receiver, limit }, signal });

export async function seeMessages(ids: readonly string[]): Promise<void> {
  await call('messages/seen', { method: 'post', json: { ids } });
}

const Receiver = tolerant(WireReceiver, 'id', {
  kind: z.catch(ReceiverKind, 'webhook'),
  name: Words,
  is_own: z.catch(z.boolean(), false),
  state: z.catch(ReceiverState, 'ok'),
  is_confirmed: z.catch(z.boolean(), true),
});
export type Receiver = z.output<typeof Receiver>;

const Channels = z.looseObject({
  receivers: items(Receiver),
  settings: z.object({
    quiet: z.catch(z.nullable(QuietHours), null),
    digest: z.catch(DigestTimes, 'off'),
    hide_details: z.catch(z.boolean(), false),
  }),
  paused_until: maybe(z.string()),
  has_email: z.catch(z.boolean(), false),
});
export type Channels = z.output<typeof Channels>;

export const listReceivers = async (signal?: AbortSignal): Promise<Channels> =>
  (await read(Channels, 'receivers/', { signal })).data;

const Made = z.looseObject({ receiver: maybe(Receiver), secret: maybe(z.string()) });

/** `secret`: of a new webhook, shown this once. */
export const addReceiver = async (receiver: ReceiverRequest): Promise<z.output<typeof Made>> =>
  (await read(Made, 'receivers/', { method: 'post', json: receiver })).data;

export async function chooseSettings(settings: MessageSettings): Promise<void> {
  await call('receivers/', { method: 'post', json: { kind: 'settings', ...settings } });
}

export async function removeReceiver(id: string): Promise<void> {
  await remove(apiPath`receivers/${id}`);
}

export async function testReceiver(id: string): Promise<void> {
  await call(apiPath`receivers/${id}/test`, { method: 'post' });
}

export async function pauseReceivers(minutes: number): Promise<void> {
  await call('receivers/pause', { method: 'post', json: { minutes } });
}
