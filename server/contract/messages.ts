/** Messages: who is notified of what on a route, by which channel, and what was held back. Clocks are London's. */
import { z } from 'zod/mini';
import { Severity } from './disruptions.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from './names.ts';

/** `push`: this device; `webhook`, `slack`, `teams`: of the whole team. */
export const ReceiverKind = z.enum(['push', 'email', 'webhook', 'slack', 'teams']);
export type ReceiverKind = z.infer<typeof ReceiverKind>;

/** `failing`: the last message did not arrive; `off`: nothing is sent any more. */
export const ReceiverState = z.enum(['ok', 'failing', 'off']);
export type ReceiverState = z.infer<typeof ReceiverState>;

/** `dropped`: it was too old before it could be sent. */
export const MessageState = z.enum(['waiting', 'sent', 'held', 'failed', 'dropped']);
export type MessageState = z.infer<typeof MessageState>;

const Clock = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 22:00' }));

/** Nothing is sent in these hours. */
export const QuietHours = z.object({ from: Clock, to: Clock, critical: z.boolean() });
export type QuietHours = z.infer<typeof QuietHours>;

export const QUIET_HOURS: QuietHours = { from: '22:00', to: '06:00', critical: false };

/** When what was held back is sent in one message; none: off. */
export const DigestTimes = z.enum(['off', '06:00', '06:00 and 14:00']);
export type DigestTimes = z.infer<typeof DigestTimes>;

/** What a person chooses for all their channels. */
export const MessageSettings = z.object({
  quiet: z.nullable(QuietHours),
  digest: DigestTimes,
  /** "1 critical on one of your routes", on the lock screen. */
  hide_details: z.boolean(),
});
export type MessageSettings = z.infer<typeof MessageSettings>;

const NAME_MAX = 80;
export const Name = z
  .string()
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Give it a name.', abort: true }),
    z.refine(hasAtMost(NAME_MAX), `The name may have at most ${NAME_MAX} characters.`),
    z.refine(isOneLine, 'The name must be one line of text.'),
    z.refine(keepsItsDirection, 'The name must not contain characters that change the text direction.'),
  );

export const HttpsAddress = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine(isHttps, 'The address must begin with https:// and hold no user name or password.'),
  );

function isHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && !username && !password;
}

const Key = (bytes: number) =>
  z.string().check(z.regex(/^[\w-]+={0,2}$/), z.maxLength(Math.ceil((bytes * 4) / 3) + 4));

/** As the browser gives it. */
export const PushSubscription = z.object({
  endpoint: HttpsAddress,
  keys: z.object({ p256dh: Key(65), auth: Key(16) }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** Body of `POST /receivers`. The same target again renews its receiver. `settings`: those of the caller. */
export const ReceiverRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('push'), name: Name, subscription: PushSubscription }),
  z.object({ kind: z.literal('email'), address: z.email().check(z.maxLength(254)) }),
  z.object({ kind: z.enum(['webhook', 'slack', 'teams']), name: Name, url: HttpsAddress }),
  z.object({ kind: z.literal('settings'), ...MessageSettings.shape }),
]);
export type ReceiverRequest = z.infer<typeof ReceiverRequest>;

export const Receiver = z.object({
  id: z.string(),
  kind: ReceiverKind,
  /** The device, the address, or what the team calls it. */
  name: z.string(),
  /** False: of the whole team. */
  is_own: z.boolean(),
  state: ReceiverState,
  /** E-mail: the link in the first message was followed. True for all others. */
  is_confirmed: z.boolean(),
  paused_until: z.nullable(z.iso.datetime()),
  last_ok: z.nullable(z.iso.datetime()),
  /** In words. */
  last_error: z.nullable(z.string()),
  created_at: z.iso.datetime(),
});
export type Receiver = z.infer<typeof Receiver>;

/** Answer of `GET /receivers`: the caller's own, then the team's. */
export const ReceiverList = z.object({
  receivers: z.array(Receiver),
  total: z.int(),
  settings: MessageSettings,
  paused_until: z.nullable(z.iso.datetime()),
  /** False: "E-mail is not set up on this server." */
  has_email: z.boolean(),
});
export type ReceiverList = z.infer<typeof ReceiverList>;

/** Answer of `POST /receivers`. */
export const NewReceiver = z.object({
  receiver: z.nullable(Receiver),
  /** Of a new webhook, shown this once: it signs what is sent. */
  secret: z.optional(z.string()),
});
export type NewReceiver = z.infer<typeof NewReceiver>;

/** Body of `POST /receivers/pause`; 0 ends the pause. */
export const PauseRequest = z.object({
  minutes: z._default(z.int().check(z.minimum(0), z.maximum(24 * 60)), 60),
});

export const MessageKind = z.enum(['alert', 'cleared', 'blind', 'seen_again', 'digest', 'test', 'notice']);
export type MessageKind = z.infer<typeof MessageKind>;

/** What is shown: a title, and a line under it. */
export const MessageBody = z.object({
  kind: MessageKind,
  title: z.string(),
  text: z.string(),
  /** In place of both, on a lock screen that others may read. */
  hidden: z.string(),
  severity: z.nullable(Severity),
  /** The incidents that it is about, the worst first. */
  event_ids: z.array(z.string()),
  /** Another notification with this one's tag replaces it. */
  tag: z.string(),
  /** Sound and vibration: only new or worse. */
  is_news: z.boolean(),
  /** The page that a tap opens, from the path. */
  address: z.string(),
});
export type MessageBody = z.infer<typeof MessageBody>;

/** In the list: one row for all channels by which it went. */
export const Message = z.object({
  id: z.string(),
  created_at: z.iso.datetime(),
  kind: MessageKind,
  severity: z.nullable(Severity),
  title: z.string(),
  text: z.string(),
  watch_id: z.nullable(z.string()),
  event_ids: z.array(z.string()),
  state: MessageState,
  /** "Sent 08:12 to this device", "Held: quiet hours", "Not sent: device unreachable". */
  reason: z.string(),
  /** Held ones count as seen. */
  is_seen: z.boolean(),
  /** Somebody in the team marked all its incidents as not on the route. */
  is_not_ours: z.boolean(),
});
export type Message = z.infer<typeof Message>;

/** Answer of `GET /messages`: newest first. */
export const MessagePage = z.object({
  messages: z.array(Message),
  /** All of the caller's that are not yet seen. */
  unseen: z.int(),
  next_cursor: z.nullable(z.string()),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** Body of `POST /messages/seen`: everything up to the newest that was shown, or single ones. */
export const SeenRequest = z.object({
  ids: z.optional(z.array(z.string().check(z.maxLength(80))).check(z.maxLength(500))),
});

/** Answer of `GET /watches/{id}/explain-messages`: the last 200, newest first. */
export const MessageExplanation = z.object({
  watch_id: z.string(),
  messages: z.array(Message),
  total: z.int(),
});
export type MessageExplanation = z.infer<typeof MessageExplanation>;

/** What a push carries to the worker. */
export const PushPayload = z.object({
  id: z.string(),
  /** The receiver: the worker shows nothing that is for another than the device's present one. */
  receiver: z.string(),
  kind: MessageKind,
  title: z.string(),
  text: z.string(),
  tag: z.string(),
  renotify: z.boolean(),
  silent: z.boolean(),
  valid_until: z.iso.datetime(),
  address: z.string(),
  event_id: z.nullable(z.string()),
  severity: z.nullable(Severity),
  /** Those that “Acknowledge” and “Snooze 1 h” are about; empty: it has no such buttons. */
  event_ids: z.array(z.string()),
  /** Of the person's messages. */
  unseen: z.int(),
  /** The number on the app's icon: certain criticals on the routes that they have not seen; null: without routes. */
  criticals: z.nullable(z.int()),
});
export type PushPayload = z.infer<typeof PushPayload>;

/** Longer ones are cut. */
export const MESSAGE_LENGTH = 160;
