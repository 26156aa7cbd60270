/** The channels by which the person and the team get messages, and which member gets which messages. Never stored on
 *  the device. */
import { apiPath } from '#contract/addresses.ts';
import {
  Channel as WireChannel,
  type ChannelChange,
  ChannelKind,
  NewChannel,
  ChannelState,
  ToldMember as WireMember,
  What,
} from '#contract/messages/channels.ts';
import { DigestTimes, MessageSettings, QuietHours } from '#contract/messages/messages.ts';
import { z } from 'zod/mini';
import { call, read, remove } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { items, list, maybe, tolerant } from '../tolerant.ts';

const Words = z.catch(z.string(), '');
const NOTHING: What = { alerts: false, changes: false, digest: false, brief: false };

const Channel = tolerant(WireChannel, 'id', {
  kind: z.catch(ChannelKind, 'webhook'),
  name: Words,
  is_team: z.catch(z.boolean(), true),
  /** A state that cannot be read does not count as working. */
  state: z.catch(ChannelState, 'failing'),
  what: z.catch(What, NOTHING),
  /** The routes, areas and feeds; null: all of them. */
  watch_ids: z.catch(z.nullable(z.array(z.string())), null),
  waiting: z.catch(z.number(), 0),
  failed: z.catch(z.number(), 0),
  can_change: z.catch(z.boolean(), true),
});
export type Channel = z.output<typeof Channel>;

const Channels = z.looseObject({
  channels: items(Channel),
  settings: z.object({
    quiet: z.catch(z.nullable(QuietHours), null),
    digest: z.catch(DigestTimes, 'off'),
    hide_details: z.catch(z.boolean(), false),
    threshold: z.catch(MessageSettings.shape.threshold, null),
  }),
  paused_until: maybe(z.string()),
  has_email: z.catch(z.boolean(), false),
});
/** The person's own channels, then the team's. */
export type Channels = z.output<typeof Channels>;

export const listChannels = async (signal?: AbortSignal): Promise<Channels> =>
  (await read(Channels, 'channels/', { signal })).data;

const Made = z.looseObject({ channel: Channel, secret: maybe(z.string()) });
/** `secret`: of a webhook; shown only this once. */
export type MadeChannel = z.output<typeof Made>;

export const addChannel = async (channel: z.input<typeof NewChannel>): Promise<MadeChannel> =>
  (await makeOnce(Made, 'channels/', channel)).data;

export const changeChannel = (id: string, change: ChannelChange) =>
  call(apiPath`channels/${id}`, { method: 'patch', json: change });

export const removeChannel = (id: string) => remove(apiPath`channels/${id}`);

/** Sends a test. For an unconfirmed e-mail address it sends the question again. */
export const testChannel = (id: string) => call(apiPath`channels/${id}/test`, { method: 'post' });

/** Turns a channel on. It gets only messages from now on. */
export const turnChannelOn = (id: string) => call(apiPath`channels/${id}/on`, { method: 'post' });

export const rotateChannel = async (id: string): Promise<MadeChannel> =>
  (await read(Made, apiPath`channels/${id}/rotate`, { method: 'post' })).data;

export const chooseSettings = (settings: MessageSettings) =>
  call('channels/settings', { method: 'put', json: settings });

export const pauseChannels = (minutes: number) =>
  call('channels/pause', { method: 'post', json: { minutes } });

const Member = tolerant(WireMember, 'user_id', {
  display_name: Words,
  is_you: z.catch(z.boolean(), false),
  kinds: z.catch(items(ChannelKind), []),
});
/** A member of the team, and the channels by which they get messages about one route, area or feed, or a brief. */
export type ToldMember = z.output<typeof Member>;

export const toldMembers = async (
  of: { watch_id: string } | { brief_id: string } | Record<never, never>,
  signal?: AbortSignal,
): Promise<ToldMember[]> =>
  (await read(list(Member, 'members'), 'channels/told', { searchParams: { ...of }, signal })).data.items;
