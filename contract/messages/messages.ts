/** Messages: who was sent which message, by which channel, and which messages were held back. Clocks are London's. */
import { z } from 'zod/mini';
import { Severity } from '../incidents/severity.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';

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

/** When held back messages are sent in one message; none: off. */
export const DigestTimes = z.enum(['off', '06:00', '06:00 and 14:00']);
export type DigestTimes = z.infer<typeof DigestTimes>;

/** For each team and day this many held back messages are kept one by one; one row counts all others. */
export const HELD_A_DAY = 1000;

/** Choices of a person for all their channels. */
export const MessageSettings = z.object({
  quiet: z.nullable(QuietHours),
  digest: DigestTimes,
  /** "1 critical on one of your routes", on the lock screen. */
  hide_details: z.boolean(),
  /** The mildest grade that is sent at once, if that is stricter than the setting of a route, an area or a feed;
   *  null: their setting applies. */
  threshold: z._default(z.nullable(z.enum(['critical', 'high', 'medium'])), null),
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

/** The subscription in the browser's form. */
export const PushSubscription = z.object({
  endpoint: HttpsAddress,
  keys: z.object({ p256dh: Key(65), auth: Key(16) }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** Body of `POST /channels/pause`; 0 ends the pause. */
export const PauseRequest = z.object({
  minutes: z._default(z.int().check(z.minimum(0), z.maximum(24 * 60)), 60),
});

/** `eased`: the incident goes on, but no longer as the alert said; `lost`: no longer known, which is not the same as
 *  over; `change`: for channels that get every change. */
export const MessageKind = z.enum([
  'alert',
  'cleared',
  'eased',
  'lost',
  'blind',
  'seen_again',
  'change',
  'digest',
  'brief',
  'test',
  'notice',
]);
export type MessageKind = z.infer<typeof MessageKind>;

/** Body that is shown: a title, and a line under it. */
export const MessageBody = z.object({
  kind: MessageKind,
  title: z.string(),
  text: z.string(),
  /** Shown in place of both on a lock screen that others may read. */
  hidden: z.string(),
  severity: z.nullable(Severity),
  /** The incidents that it is about, the worst first. */
  event_ids: z.array(z.string()),
  /** A notification with the same tag replaces this one. */
  tag: z.string(),
  /** Whether it makes sound and vibration: only if it is new or worse. */
  is_news: z.boolean(),
  /** The page that a tap opens, as a path. */
  address: z.string(),
});
export type MessageBody = z.infer<typeof MessageBody>;

/** The outcome of a message on one channel. */
export const MessageOutcome = z.object({
  /** The id of this channel's copy, with which it can be sent again. */
  message_id: z.string(),
  /** Null: held back from everybody. */
  channel_id: z.nullable(z.string()),
  /** "In the app", "#ops". */
  name: z.nullable(z.string()),
  /** "slack"; `app`: the list itself. */
  kind: z.nullable(z.string()),
  state: MessageState,
  /** "Held: quiet hours", "Not sent: the address answered 503". */
  reason: z.string(),
  at: z.iso.datetime(),
  /** It did not arrive, and is still worth sending. */
  can_send_again: z.boolean(),
});
export type MessageOutcome = z.infer<typeof MessageOutcome>;

/** A message in the list: one row for all its channels. */
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
  /** For the caller's own channels and the team's. */
  outcomes: z.array(MessageOutcome),
  /** Held back ones count as seen. */
  is_seen: z.boolean(),
  /** Somebody in the team marked all its incidents as not on the route. */
  is_not_ours: z.boolean(),
});
export type Message = z.infer<typeof Message>;

/** Unseen messages are counted up to this number, which also stands for more. */
export const UNSEEN_COUNTED = 1000;

/** Answer of `GET /messages`: newest first. */
export const MessagePage = z.object({
  messages: z.array(Message),
  /** The caller's messages that are not yet seen, UNSEEN_COUNTED at most. */
  unseen: z.int(),
  /** Messages of the caller's channels and the team's that did not arrive and can be sent again. */
  failed: z.int(),
  /** How many messages have waited for minutes beyond their time, and since when; null: sending is not late. */
  behind: z.nullable(z.object({ waiting: z.int(), since: z.iso.datetime() })),
  /** The number of incidents that possibly touch each of the team's routes now: no message is sent about them, and
   *  no row lists them. */
  possible: z.int(),
  next_cursor: z.nullable(z.string()),
});
export type MessagePage = z.infer<typeof MessagePage>;

/** Body of `POST /messages/seen`: everything up to the newest message that was shown, or single messages. */
export const SeenRequest = z.object({
  ids: z.optional(z.array(z.string().check(z.maxLength(80))).check(z.maxLength(500))),
});

/** Answer of `GET /watches/{id}/explain-messages`: the last 200, newest first. */
export const MessageExplanation = z.object({
  watch_id: z.string(),
  messages: z.array(Message),
  total: z.int(),
  /** The number of incidents that possibly touch it now: no message is sent about them. */
  possible: z.int(),
});
export type MessageExplanation = z.infer<typeof MessageExplanation>;

/** Payload of a push to the worker. */
export const PushPayload = z.object({
  id: z.string(),
  /** The device's channel: its worker shows only messages for its present channel. */
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
  /** The alerts to which the buttons “Acknowledge” and “Snooze 1 h” apply; empty: the message has no such buttons. */
  event_ids: z.array(z.string()),
  /** The messages that the person has not seen, UNSEEN_COUNTED at most. */
  unseen: z.int(),
  /** The number on the app's icon: certain critical incidents on the routes that the person has not seen; null:
   *  there are no routes. */
  criticals: z.nullable(z.int()),
});
export type PushPayload = z.infer<typeof PushPayload>;

/** Longer words are cut. */
export const MESSAGE_LENGTH = 160;

/** The same for a message about several incidents, of which it names three. */
export const GROUP_LENGTH = 320;
