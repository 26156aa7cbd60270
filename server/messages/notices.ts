/** Messages that are about no incident: tests, and what happens to a channel itself. */
import { randomUUID } from 'node:crypto';
import type { MessageBody } from '#contract/messages.ts';
import type { TeamMode } from '#contract/teams.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { receivers } from '../db/receivers.ts';
import type { MessagesTable, ReceiversTable } from '../db/schema.ts';
import { linkPath, type Links } from './links.ts';

/** The app's page of messages. */
export const MESSAGES_PAGE = '/messages';

const MINUTE_MS = 60_000;
/** A link waits longer than news. */
const LINK_VALID_MS = 24 * 60 * MINUTE_MS;
export const VALID_MS = 30 * MINUTE_MS;

export const messageId = () => `msg_${randomUUID().replaceAll('-', '')}`;

export const notices = (db: Db) => ({
  async test(receiver: ReceiversTable, now: Date): Promise<void> {
    await messages(db).add([
      row(receiver.id, now, VALID_MS, {
        title: 'Test from Clearway',
        text: 'Messages arrive here. Nothing has happened on your routes.',
        kind: 'test',
      }),
    ]);
  },

  /** The link is followed with the origin that the sender knows. */
  async confirm(receiver: ReceiversTable, links: Links, now: Date): Promise<void> {
    await messages(db).add([
      row(receiver.id, now, LINK_VALID_MS, {
        title: 'Confirm this address for Clearway',
        text: 'Somebody who is signed in to Clearway wants messages about their routes sent here. If that was not you, do nothing.',
        kind: 'notice',
        address: linkPath('confirm', links.token('confirm', receiver.id)),
      }),
    ]);
  },

  /** In the person's list: one of their channels has ended. */
  async lost(receiver: ReceiversTable, now: Date): Promise<void> {
    if (receiver.user_id === null) return;
    await messages(db).add([
      {
        ...row(`app-${receiver.user_id}`, now, VALID_MS, {
          title: `Messages no longer reach ${receiver.name}`,
          text: 'Turn them on again on that device, under Channels.',
          kind: 'notice',
        }),
        state: 'sent',
        next_at: null,
        sent_at: now.toISOString(),
      },
    ]);
  },

  /** In the lists of everybody in its team. */
  async webhookOff(receiver: ReceiversTable, why: string, mode: TeamMode, now: Date): Promise<void> {
    const team = await receivers(db).inUse(mode, now);
    const lists = team.filter(({ kind, team_id }) => kind === 'app' && team_id === receiver.team_id);
    await messages(db).add(
      lists.map(({ id }) => ({
        ...row(id, now, VALID_MS, {
          title: `The webhook ${receiver.name} is off`,
          text: `${why}. Nothing is sent there any more: turn it on again under Filters.`,
          kind: 'notice',
        }),
        state: 'sent' as const,
        next_at: null,
        sent_at: now.toISOString(),
      })),
    );
  },
});

function row(
  receiverId: string,
  now: Date,
  validMs: number,
  said: Pick<MessageBody, 'kind' | 'title' | 'text'> & { address?: string },
): MessagesTable {
  const id = messageId();
  const body: MessageBody = {
    severity: null,
    hidden: said.title,
    event_ids: [],
    tag: said.kind,
    is_news: true,
    address: MESSAGES_PAGE,
    ...said,
  };
  return {
    id,
    receiver_id: receiverId,
    watch_id: null,
    bundle: id,
    created_at: now.toISOString(),
    body: JSON.stringify(body),
    reason: 'Waiting to be sent',
    state: 'waiting',
    attempts: 0,
    next_at: now.toISOString(),
    last_status: null,
    valid_until: new Date(now.getTime() + validMs).toISOString(),
    sent_at: null,
    seen_at: null,
    about: null,
    place: null,
  };
}
