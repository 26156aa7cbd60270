/** Webhooks of the team's saved filters. Never stored on the device. */
import { apiPath } from '#contract/addresses.ts';
import { MessageState, ReceiverState } from '#contract/messages.ts';
import {
  Delivery as WireDelivery,
  Webhook as WireWebhook,
  WebhookFormat,
  type WebhookRequest,
} from '#contract/webhooks.ts';
import { z } from 'zod/mini';
import { call, read } from './http.ts';
import { remove } from './remove.ts';
import { list, maybe, tolerant } from './tolerant.ts';

const Words = z.catch(z.string(), '');

const Delivery = tolerant(WireDelivery, 'id', {
  type: Words,
  title: Words,
  reason: Words,
  state: z.catch(MessageState, 'waiting'),
});
export type Delivery = z.output<typeof Delivery>;

const Webhook = tolerant(WireWebhook, 'id', {
  name: Words,
  format: z.catch(WebhookFormat, 'standard'),
  state: z.catch(ReceiverState, 'ok'),
  off_at: maybe(z.string()),
  last_delivery: maybe(Delivery),
});
export type Webhook = z.output<typeof Webhook>;

const Made = z.looseObject({ webhook: Webhook, secret: maybe(z.string()) });
/** `secret`: shown this once. */
export type MadeWebhook = z.output<typeof Made>;

/** In the order in which they were made. */
export const listWebhooks = async (filterId: string, signal?: AbortSignal): Promise<Webhook[]> =>
  (await read(list(Webhook, 'webhooks'), apiPath`filters/${filterId}/webhooks`, { signal })).data.items;

export const createWebhook = async (filterId: string, webhook: WebhookRequest): Promise<MadeWebhook> =>
  (await read(Made, apiPath`filters/${filterId}/webhooks`, { method: 'post', json: webhook })).data;

export const rotateWebhook = async (filterId: string, id: string): Promise<MadeWebhook> =>
  (await read(Made, apiPath`filters/${filterId}/webhooks/${id}/rotate`, { method: 'post' })).data;

export async function testWebhook(filterId: string, id: string): Promise<void> {
  await call(apiPath`filters/${filterId}/webhooks/${id}/test`, { method: 'post' });
}

/** It begins with the changes from now on. */
export async function turnWebhookOn(filterId: string, id: string): Promise<void> {
  await call(apiPath`filters/${filterId}/webhooks/${id}/turn_on`, { method: 'post' });
}

export async function deleteWebhook(filterId: string, id: string): Promise<void> {
  await remove(apiPath`filters/${filterId}/webhooks/${id}`);
}

/** Newest first. */
export const listDeliveries = async (
  filterId: string,
  id: string,
  signal?: AbortSignal,
): Promise<Delivery[]> =>
  (
    await read(list(Delivery, 'deliveries'), apiPath`filters/${filterId}/webhooks/${id}/deliveries`, {
      signal,
    })
  ).data.items;

export async function sendAgain(filterId: string, id: string, deliveryId: string): Promise<void> {
  await call(apiPath`filters/${filterId}/webhooks/${id}/deliveries/${deliveryId}/send`, { method: 'post' });
}
