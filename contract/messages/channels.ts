/**
 * Channels: the addresses for messages, of a person or of a whole team, and the bodies that are posted to a webhook.
 */
import { z } from 'zod/mini';
import { Change, ChangeKind } from '../incidents/changes.ts';
import { ListedDisruption } from '../incidents/disruptions.ts';
import { MadeId } from '../madeId.ts';
import { HttpsAddress, MessageKind, MessageSettings, Name, PushSubscription } from './messages.ts';
import { Severity } from '../incidents/severity.ts';

export const CHANNEL_LIMITS = {
  perTeam: 100,
  perPerson: 30,
  /** The most routes, areas and feeds that one channel can name. */
  watches: 500,
  /** Messages that are posted at once. */
  bodyBytes: 20_000,
  /** The hours after a change of its secret in which both secrets sign. */
  bothSignHours: 24,
  testsPerMinute: 5,
} as const;

/** `device`: a browser that takes pushes. The list in the app is always there, and not among them. */
export const ChannelKind = z.enum(['device', 'email', 'webhook', 'slack', 'teams']);
export type ChannelKind = z.infer<typeof ChannelKind>;

/** `unconfirmed`: it gets only the request to confirm it. `off`: it gets no messages. */
export const ChannelState = z.enum(['unconfirmed', 'working', 'failing', 'off']);
export type ChannelState = z.infer<typeof ChannelState>;

/** The kinds of messages that the channel gets. */
export const What = z.object({
  /** At once, by the settings of each route or area. */
  alerts: z.boolean(),
  /** Each change that a route, an area or a feed lets through. */
  changes: z.boolean(),
  /** Messages that were not sent at once. */
  digest: z.boolean(),
  /** One page before the day begins. */
  brief: z.boolean(),
});
export type What = z.infer<typeof What>;

/** Null: all routes, areas and feeds of the team. */
const WatchIds = z.nullable(
  z.array(z.string().check(z.maxLength(100))).check(z.maxLength(CHANNEL_LIMITS.watches)),
);

const Asked = {
  /** If it is sent again with the same id and content, it is made once. */
  id: z.optional(MadeId),
  what: z.optional(What),
  watch_ids: z._default(WatchIds, null),
};

/** Body of `POST /channels`. The same device or e-mail address again renews its channel. */
export const NewChannel = z.discriminatedUnion('kind', [
  z.object({ ...Asked, kind: z.literal('device'), name: Name, subscription: PushSubscription }),
  z.object({
    ...Asked,
    kind: z.literal('email'),
    name: z.optional(Name),
    address: z.email().check(z.maxLength(254)),
    is_team: z._default(z.boolean(), false),
  }),
  z.object({
    ...Asked,
    kind: z.enum(['webhook', 'slack', 'teams']),
    name: Name,
    address: HttpsAddress,
    is_team: z._default(z.boolean(), true),
  }),
]);
export type NewChannel = z.infer<typeof NewChannel>;

/** Body of `PATCH /channels/{id}`. `address`: only for a webhook, Slack or Teams. */
export const ChannelChange = z.object({
  name: z.optional(Name),
  address: z.optional(HttpsAddress),
  what: z.optional(What),
  watch_ids: z.optional(WatchIds),
});
export type ChannelChange = z.infer<typeof ChannelChange>;

export const Channel = z.object({
  id: z.string(),
  kind: ChannelKind,
  /** The device, the address, or the team's name for it. */
  name: z.string(),
  /** False: the channel is the caller's own. */
  is_team: z.boolean(),
  /** The address of an e-mail channel. Any other address is a secret, and is never answered again. */
  address: z.nullable(z.string()),
  /** The host of the address of a webhook, Slack or Teams. */
  host: z.nullable(z.string()),
  state: ChannelState,
  /** The time since when it has been in this state. */
  since: z.iso.datetime(),
  /** Why it is not working, in words. */
  why: z.nullable(z.string()),
  last_ok: z.nullable(z.iso.datetime()),
  what: What,
  watch_ids: WatchIds,
  /** Its posts are signed. */
  has_secret: z.boolean(),
  /** Until then the secret before the last change signs as well. */
  both_sign_until: z.nullable(z.iso.datetime()),
  /** The number of messages that wait, and when the next one is tried. */
  waiting: z.int(),
  next_at: z.nullable(z.iso.datetime()),
  /** Messages that did not arrive and can be sent again. */
  failed: z.int(),
  /** Whether the caller may change it: the caller's own channel, or a channel of the team for its leads. */
  can_change: z.boolean(),
  created_at: z.iso.datetime(),
});
export type Channel = z.infer<typeof Channel>;

/** Answer of `GET /channels`: the caller's own, then the team's, each in the order in which they were made. */
export const ChannelList = z.object({
  channels: z.array(Channel),
  total: z.int(),
  settings: MessageSettings,
  paused_until: z.nullable(z.iso.datetime()),
  /** False: "E-mail is not set up on this server." */
  has_email: z.boolean(),
});
export type ChannelList = z.infer<typeof ChannelList>;

/** A member of the team, and their own channels that get alerts of one route, area or feed, or a brief. */
export const ToldMember = z.object({
  user_id: z.string(),
  display_name: z.string(),
  is_you: z.boolean(),
  /** The kinds that are in use and get these alerts; none: the member is not told. */
  kinds: z.array(ChannelKind),
  /** The mildest grade whose alerts they get at once, if their own setting is stricter than the watch's; null: the
   *  watch's setting applies. */
  threshold: z.nullable(Severity),
});
export type ToldMember = z.infer<typeof ToldMember>;

/** Answer of `GET /channels/told`. */
export const ToldMembers = z.object({ members: z.array(ToldMember), total: z.int() });

/** Answer of `POST /channels` and of `POST /channels/{id}/rotate`. */
export const MadeChannel = z.object({
  channel: Channel,
  /** The secret that signs deliveries. It is shown only now; null if nothing is signed. */
  secret: z.nullable(z.string()),
});
export type MadeChannel = z.infer<typeof MadeChannel>;

const Named = z.object({ id: z.string(), name: z.string() });
export type Named = z.infer<typeof Named>;

/** Whether by the change an incident enters what is let through, changes there, or leaves it. */
const Standing = z.enum(['enters', 'stays', 'leaves']);
export type Standing = z.infer<typeof Standing>;

/** `data` of `disruption.*` and `match.*`. */
export const ChangeData = z.extend(Change, {
  standing: Standing,
  /** The routes, areas and feeds that let it through, or did so before it left, with the place and the reason. */
  watches: z.array(
    z.extend(Named, {
      level: z.nullable(z.string()),
      why: z.nullable(z.string()),
      from_km: z.nullable(z.number()),
      to_km: z.nullable(z.number()),
    }),
  ),
  source_name: z.string(),
  /** The credit that must be shown with the source's words. */
  attribution: z.string(),
  title: z.string(),
  /** `severity_to` is our own estimate: the publisher does not rate it. */
  severity_unrated: z.boolean(),
  /** The page of the alert; null if the server does not know its own address. */
  url: z.nullable(z.string()),
  /** The incident in its state when the change was read; null if it is no longer kept, or too long for one delivery. */
  disruption: z.nullable(ListedDisruption),
});
export type ChangeData = z.infer<typeof ChangeData>;

/** Posted to a webhook that gets changes: an incident began, changed or ended. `match.*`: it touches a route or an area. */
export const ChangeDelivery = z.object({
  type: z.union([z.templateLiteral(['disruption.', ChangeKind]), z.templateLiteral(['match.', ChangeKind])]),
  timestamp: z.iso.datetime(),
  data: ChangeData,
});
export type ChangeDelivery = z.infer<typeof ChangeDelivery>;

/** A source is silent, or answers again. */
export const SourceDelivery = z.object({
  type: z.enum(['source.stale', 'source.fresh']),
  timestamp: z.iso.datetime(),
  data: z.object({
    source: z.string(),
    name: z.string(),
    /** Its last good collection. */
    since: z.nullable(z.iso.datetime()),
    /** All routes, areas and feeds that depend on it. */
    watches: z.array(Named),
  }),
});
export type SourceDelivery = z.infer<typeof SourceDelivery>;

/** A person asked for it. */
export const TestDelivery = z.object({
  type: z.literal('test.ping'),
  timestamp: z.iso.datetime(),
  data: z.object({ channel: Named }),
});

/** A message as people read it: an alert, its end, a digest, a notice. */
export const MessageDelivery = z.object({
  type: z.templateLiteral(['clearway.', MessageKind]),
  timestamp: z.iso.datetime(),
  data: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    severity: z.nullable(Severity),
    event_ids: z.array(z.string()),
    watch_id: z.nullable(z.string()),
    /** The page that it is about; absent if the server does not know its own address. */
    url: z.optional(z.string()),
  }),
});

export const DeliveryBody = z.union([ChangeDelivery, SourceDelivery, TestDelivery, MessageDelivery]);
export type DeliveryBody = z.infer<typeof DeliveryBody>;
