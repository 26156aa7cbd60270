/** Messages that are about no incident: tests, and what happens to a channel itself. */
import type { TeamMode } from '#contract/accounts/teams.ts';
import { channels } from './channelStore.ts';
import { messages } from './outboxStore.ts';
import type { Db } from '../../db/open.ts';
import type { ChannelsTable } from '../../db/schema.ts';
import { linkPath, type Links } from './emailLinks.ts';
import { noticeRow } from './outbox.ts';

export const notices = (db: Db) => ({
  async test(channel: ChannelsTable, now: Date): Promise<void> {
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

  /** The link is followed with the origin that the sender knows. */
  async confirm(channel: ChannelsTable, links: Links, now: Date): Promise<void> {
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

  /** In the list of its person, or of everybody in its team. */
  async off(channel: ChannelsTable, why: string, mode: TeamMode, now: Date): Promise<void> {
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
