/** Messages that are not about an incident: tests, and events of a channel itself. */
import type { TeamMode } from '#contract/accounts/teams.ts';
import { channels } from './channelStore.ts';
import { messages } from './outboxStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { noticeRow } from './outbox.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../accounts/secrets.ts';

export const notices = (db: Db) => ({
  async test(channel: RowOf<'channels'>, now: Date): Promise<void> {
    const { id, name, kind } = channel;
    const row = noticeRow(
      channel,
      {
        title: 'Test from Clearway',
        text: 'Messages arrive here. Nothing has happened on your routes.',
        kind: 'test',
        ...(kind === 'webhook' && {
          delivery: { type: 'test.ping', timestamp: now.toISOString(), data: { channel: { id, name } } },
        }),
      },
      now,
    );
    await messages(db).add([row]);
  },

  /** The link begins with the origin that the sender knows. */
  async confirm(channel: RowOf<'channels'>, links: Links, now: Date): Promise<void> {
    const row = noticeRow(
      channel,
      {
        title: 'Confirm this address for Clearway',
        text: 'Somebody who is signed in to Clearway wants messages about their routes sent here. If that was not you, do nothing.',
        kind: 'notice',
        address: linkPath('confirm', links.token('confirm', channel.id)),
      },
      now,
    );
    await messages(db).add([row]);
  },

  /** Puts the message into the list of the channel's person, or of everybody in its team. */
  async off(channel: RowOf<'channels'>, why: string, mode: TeamMode, now: Date): Promise<void> {
    const said =
      channel.user_id !== null
        ? {
            title: `Messages no longer reach ${channel.name}`,
            text:
              channel.kind === 'device'
                ? 'Turn them on again on that device, under Channels.'
                : `${why}. Turn it on again under Channels.`,
          }
        : {
            title: `${channel.name} is off`,
            text: `${why}. Nothing is sent there any more: turn it on again under Channels.`,
          };
    const all = await channels(db).inUse(mode, now);
    const lists = all.filter(
      ({ kind, team_id, user_id }) =>
        kind === 'app' &&
        (channel.user_id === null ? team_id === channel.team_id : user_id === channel.user_id),
    );
    await messages(db).add(lists.map((list) => noticeRow(list, { ...said, kind: 'notice' }, now)));
  },
});

/** Links in e-mails that act without a sign-in: their content is signed with the server's secret. */
export type Purpose = 'confirm' | 'unsubscribe';

export interface Links {
  /** The token for this channel, which can be used in an address without change. */
  token(purpose: Purpose, channelId: string): string;
  /** The channel; null if this server did not make the token for this purpose. */
  read(purpose: Purpose, token: string): string | null;
}

export function links({ messageKey }: Pick<Secrets, 'messageKey'>): Links {
  const sign = (purpose: Purpose, id: string) =>
    createHmac('sha256', messageKey).update(`${purpose}\n${id}`).digest().subarray(0, 24);
  return {
    token: (purpose, id) => `${id}.${sign(purpose, id).toString('base64url')}`,
    read(purpose, token) {
      const dot = token.lastIndexOf('.');
      const id = token.slice(0, Math.max(0, dot));
      const said = Buffer.from(token.slice(dot + 1), 'base64url');
      const right = sign(purpose, id);
      return id && said.length === right.length && timingSafeEqual(said, right) ? id : null;
    },
  };
}

/** The paths of the pages to which they lead. */
export const linkPath = (purpose: Purpose, token: string) => `/api/v1/channels/${purpose}/${token}`;
