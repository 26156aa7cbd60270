/** Webhooks of saved filters: what a filter lets through is posted to an address, as it happens. */
import { z } from 'zod/mini';
import { Change, ChangeKind } from './changes.ts';
import { ListedDisruption } from './disruptions.ts';
import { HttpsAddress, MessageState, Name, ReceiverState } from './messages.ts';

export const WEBHOOK_LIMITS = {
  perTeam: 30,
  /** Of one delivery. */
  bodyBytes: 20_000,
  /** In the list of deliveries. */
  deliveries: 100,
  /** Deliveries that failed are kept so long. */
  keptDays: 7,
  /** After a change of its secret both sign. */
  bothSignHours: 24,
  /** Nothing has arrived for so long: it is turned off. */
  failingDays: 3,
  /** More deliveries that have not arrived fill disks: then it is turned off. Looked at every hour. */
  undelivered: 10_000,
  testsPerMinute: 5,
} as const;

/** `standard`: Standard Webhooks, signed. The addresses of the others are their secret. */
export const WebhookFormat = z.enum(['standard', 'slack', 'teams']);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

/** Body of `POST /filters/{id}/webhooks`. */
export const WebhookRequest = z.object({
  name: Name,
  url: HttpsAddress,
  format: z._default(WebhookFormat, 'standard'),
});
export type WebhookRequest = z.infer<typeof WebhookRequest>;

/** What is delivered: a change of an incident, of what touches a route, or of a source. */
export const DeliveryType = z.union([
  z.templateLiteral(['disruption.', ChangeKind]),
  z.templateLiteral(['match.', ChangeKind]),
  z.enum(['source.stale', 'source.fresh', 'test.ping']),
]);
export type DeliveryType = z.infer<typeof DeliveryType>;

/** One of the last deliveries, newest first. */
export const Delivery = z.object({
  /** As in `webhook-id`. */
  id: z.string(),
  type: DeliveryType,
  /** What it is about, in words. */
  title: z.string(),
  created_at: z.iso.datetime(),
  state: MessageState,
  /** "Sent", "Not sent yet: the address answered 503". */
  reason: z.string(),
  attempts: z.int(),
  next_at: z.nullable(z.iso.datetime()),
  /** What the address answered last. */
  last_status: z.nullable(z.int()),
  sent_at: z.nullable(z.iso.datetime()),
});
export type Delivery = z.infer<typeof Delivery>;

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  /** Of its address; the rest is not said again. Null: it is gone. */
  host: z.nullable(z.string()),
  format: WebhookFormat,
  state: ReceiverState,
  last_ok: z.nullable(z.iso.datetime()),
  /** In words. */
  last_error: z.nullable(z.string()),
  /** When it was turned off; null: it is not, or that is not known. */
  off_at: z.nullable(z.iso.datetime()),
  /** Until then the secret before the last change signs as well. */
  both_sign_until: z.nullable(z.iso.datetime()),
  created_at: z.iso.datetime(),
  last_delivery: z.nullable(Delivery),
});
export type Webhook = z.infer<typeof Webhook>;

/** Answer of `GET /filters/{id}/webhooks`: in the order in which they were made. */
export const WebhookList = z.object({ webhooks: z.array(Webhook), total: z.int() });
export type WebhookList = z.infer<typeof WebhookList>;

/** Answer of `POST /filters/{id}/webhooks` and of `POST …/rotate`. */
export const NewWebhook = z.object({
  webhook: Webhook,
  /** Signs what is sent. Shown this once; null where the format has no signature. */
  secret: z.nullable(z.string()),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

/** Answer of `GET /filters/{id}/webhooks/{webhook_id}/deliveries`. */
export const DeliveryList = z.object({ deliveries: z.array(Delivery), total: z.int() });
export type DeliveryList = z.infer<typeof DeliveryList>;

/** Whether the change brings an incident into what the filter lets through, changes it there, or takes it out. */
const Standing = z.enum(['enters', 'stays', 'leaves']);
export type Standing = z.infer<typeof Standing>;

const Of = z.object({ id: z.string(), name: z.string() });

/** `data` of `disruption.*` and `match.*`. */
const ChangeData = z.extend(Change, {
  filter: Of,
  standing: Standing,
  source_name: z.string(),
  /** Must be shown with what the source says. */
  attribution: z.string(),
  title: z.string(),
  /** `severity_to` is ours: its publisher does not rate it. */
  severity_unrated: z.boolean(),
  /** The page of the alert; null where the server does not know its own address. */
  url: z.nullable(z.string()),
  /** Of `match.*`: which routes and areas it touches, where and why. */
  matches: z.optional(
    z.array(
      z.object({
        watch_id: z.string(),
        level: z.string(),
        why: z.string(),
        from_km: z.nullable(z.number()),
        to_km: z.nullable(z.number()),
      }),
    ),
  ),
  /** As it was when the change was read; null where it is no longer kept, or too long for one delivery. */
  disruption: z.nullable(ListedDisruption),
});
export type ChangeData = z.infer<typeof ChangeData>;

/** `data` of `source.*`. */
const SourceData = z.object({
  filter: Of,
  source: z.string(),
  name: z.string(),
  /** Its last good collection; null: none so far. */
  since: z.nullable(z.iso.datetime()),
});
export type SourceData = z.infer<typeof SourceData>;

/** What is posted. */
export type DeliveryBody =
  | { type: `disruption.${ChangeKind}` | `match.${ChangeKind}`; timestamp: string; data: ChangeData }
  | { type: 'source.stale'; timestamp: string; data: SourceData }
  | { type: 'source.fresh'; timestamp: string; data: SourceData }
  | { type: 'test.ping'; timestamp: string; data: { filter: { id: string; name: string } } };
