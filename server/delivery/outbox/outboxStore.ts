/** The outbox: messages that are sent, messages that were held back, and which of them each person has seen. */
import { DAY_MS } from '#contract/durations.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import type { ChangeData, DeliveryBody } from '#contract/messages/channels.ts';
import { type MessageBody, type MessageState, UNSEEN_COUNTED } from '#contract/messages/messages.ts';
import { chunks, IDS_PER_STATEMENT, rowCount } from '../../db/batches.ts';
import { iso, minutesBefore, type Instant } from '../../db/instant.ts';
import { marksOf } from '../../watches/matching/notOurs.ts';
import type { Db } from '../../db/open.ts';
import { insertNew, rowsWith } from '../../db/statements.ts';
import { MESSAGES_REVISION, raiseRevision } from '../../db/revisions.ts';
import type { RowOf, Tables } from '../../db/schema.ts';

/** No address can ask for a longer rest. */
export const WAIT_MOST_MINUTES = 6 * 60;

/** For this long a message that did not arrive is kept and can be sent again. */
export const SEND_AGAIN_DAYS = 7;
/** If a message has waited for this long without a try, sending is late. */
const BEHIND_MINUTES = 3;

/** A message with its channel. */
export type Listed = RowOf<'messages'> & { kind: RowOf<'channels'>['kind'] | null; name: string | null };

/** End of a page of the list. */
export type Place = Pick<RowOf<'messages'>, 'created_at' | 'bundle'> & { was_seen: 0 | 1 };

/** A message that waits, with its channel. */
export interface Waiting {
  message: RowOf<'messages'>;
  channel: RowOf<'channels'>;
}

/** End of a page, and the rows on it: all of its bundles. */
interface ListedPage {
  rows: Listed[];
  /** The last bundle of the page; null: nothing follows. */
  last: Place | null;
}

/** The choice of pages in the log. */
export interface Log {
  userId: string;
  teamId: string;
  /** Null: all channels of the person and the team. */
  channelId: string | null;
  /** Null: messages in every state. */
  state: MessageState | null;
}

export const messages = (db: Db) => ({
  /** The number of the team's messages that were held back since then. */
  heldOf: (teamId: string, since: Instant): Promise<number> =>
    rowCount(db.selectFrom('messages').where('team_id', '=', teamId).where('created_at', '>', iso(since))),

  /** The ids among these that are stored. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    const rows = await rowsWith(db, 'messages', { id: ids }).all('id');
    return new Set(rows.map(({ id }) => id));
  },

  /** Messages that are already stored stay as they are. */
  async add(rows: readonly RowOf<'messages'>[]): Promise<void> {
    await insertNew(db, 'messages', rows, ['id']);
    if (rows.length > 0) await raiseRevision(db, MESSAGES_REVISION);
  },

  one: (id: string): Promise<RowOf<'messages'> | undefined> =>
    db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst(),

  /** For each channel of these kinds that is not busy and has a message due, the oldest one; if several are about
   *  the same incident, the first. */
  async due(
    now: Instant,
    limit: number,
    { kinds, busy }: { kinds: readonly RowOf<'channels'>['kind'][]; busy: readonly string[] },
  ): Promise<Waiting[]> {
    const rows = await db
      .selectFrom('messages')
      .innerJoin('channels', 'channels.id', 'messages.channel_id')
      .selectAll('messages')
      .where('channels.kind', 'in', kinds)
      .where('next_at', '<=', iso(now))
      .where('messages.state', '=', 'waiting')
      .where((eb) =>
        eb.or([
          eb('wait_until', 'is', null),
          eb('wait_until', '<=', iso(now)),
          // The time is from a clock that was ahead.
          eb('wait_until', '>', minutesBefore(now, -WAIT_MOST_MINUTES)),
        ]),
      )
      .$if(busy.length > 0, (query) => query.where('messages.channel_id', 'not in', busy))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('messages as earlier')
              .select('earlier.id')
              .whereRef('earlier.channel_id', '=', 'messages.channel_id')
              .whereRef('earlier.about', '=', 'messages.about')
              .whereRef('earlier.place', '<', 'messages.place')
              .where('earlier.state', '=', 'waiting'),
          ),
        ),
      )
      .orderBy('next_at')
      .orderBy('place')
      .orderBy('messages.id')
      .limit(limit)
      .execute();
    const first = [...new Map(rows.toReversed().map((row) => [row.channel_id!, row])).values()];
    if (first.length === 0) return [];
    const found = await db
      .selectFrom('channels')
      .selectAll()
      .where(
        'id',
        'in',
        first.map(({ channel_id }) => channel_id!), // joined by it
      )
      .execute();
    return first.flatMap((message) => {
      const channel = found.find(({ id }) => id === message.channel_id);
      return channel ? [{ message, channel }] : [];
    });
  },

  /** Changes of these incidents that wait for this channel and were never tried, in their order. */
  async untried(channelId: string, about: readonly string[]): Promise<RowOf<'messages'>[]> {
    return rowsWith(db, 'messages', { channel_id: channelId, about, state: 'waiting', attempts: 0 }, [
      'place',
    ]).all();
  },

  /** Sends it again under its own id. False: it did arrive, or is no longer worth sending. */
  async sendAgain(id: string, until: Instant, now: Instant): Promise<boolean> {
    const rows = await rowsWith(db, 'messages', { id, state: 'failed' }).set({
      state: 'waiting',
      reason: 'Waiting to be sent',
      attempts: 0,
      next_at: iso(now),
      valid_until: iso(until),
    });
    if (rows > 0) await raiseRevision(db, MESSAGES_REVISION);
    return rows > 0;
  },

  async reword(id: string, body: string): Promise<void> {
    await rowsWith(db, 'messages', { id }).set({ body });
    await raiseRevision(db, MESSAGES_REVISION);
  },

  async settle(
    id: string,
    change: Partial<
      Pick<
        RowOf<'messages'>,
        'state' | 'reason' | 'attempts' | 'next_at' | 'last_status' | 'sent_at' | 'body'
      >
    >,
  ): Promise<void> {
    // A message that was replaced while it was being sent stays replaced.
    const waiting = db
      .updateTable('messages')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'waiting');
    await waiting.execute();
    await raiseRevision(db, MESSAGES_REVISION);
  },

  /** A person's messages, and those held back from everybody in the team, from that place on: first the ones that
   *  were unseen then; each part has the newest first. As many bundles as the limit, each in full. `appId`: the
   *  person's list in the app. */
  async ofUser(
    { userId, teamId, appId }: { userId: string; teamId: string; appId: string },
    { asOf, after }: { asOf: string; after: Place | null },
    limit: number,
  ): Promise<ListedPage> {
    const own = await db.selectFrom('channels').select('id').where('user_id', '=', userId).execute();
    /** The parts are read one after the other: each is in the order of its index, so that nothing must be sorted. */
    const newest = (was_seen: 0 | 1) => {
      const from = after?.was_seen === was_seen ? after : null;
      return db
        .selectFrom('messages')
        .select(['messages.created_at', 'messages.bundle'])
        .select(sql.lit(was_seen).as('was_seen'))
        .where((eb) => ofTeam(eb, teamId))
        .$if(from !== null, (query) => query.where(isBefore(from!)))
        .orderBy('messages.created_at', 'desc')
        .orderBy('messages.bundle', 'desc')
        .limit(limit + 1);
    };
    const places: Place[] = [];
    if (after === null || after.was_seen === 0) {
      const unseen = newest(0).where('messages.channel_id', '=', appId);
      places.push(
        ...(await unseen.where('messages.seen_at', 'is', null).execute()),
        // A message seen between two pages is not listed again.
        ...(await unseen.where('messages.seen_at', '>=', asOf).execute()),
      );
      places.sort(newestFirst);
    }
    if (places.length <= limit) {
      const rest = newest(1).where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('messages as first')
              .select('first.id')
              .whereRef('first.bundle', '=', 'messages.bundle')
              .where('first.channel_id', '=', appId)
              .where((one) => one.or([one('first.seen_at', 'is', null), one('first.seen_at', '>=', asOf)])),
          ),
        ),
      );
      const lists = [
        ...own.map(({ id }) => rest.where('messages.channel_id', '=', id)),
        rest.where('messages.team_id', '=', teamId).where('messages.channel_id', 'is', null),
      ];
      const found: Place[] = [];
      for (const list of lists) found.push(...(await list.execute()));
      places.push(...found.toSorted(newestFirst));
    }
    const bundles = new Map(places.toReversed().map((place) => [place.bundle, place]));
    const inOrder = [...bundles.values()].toReversed();
    const shown = inOrder.slice(0, limit);
    return {
      rows: await wholeBundles(db, shown, { userId, teamId }),
      last: inOrder.length > limit ? shown.at(-1)! : null, // a limit is at least 1
    };
  },

  /** One page of everything that a channel sent, or that all channels of the person and the team sent: newest first. */
  async log(
    { userId, teamId, channelId, state }: Log,
    after: Pick<Place, 'created_at' | 'bundle'> | null,
    limit: number,
  ): Promise<ListedPage> {
    const channels = await db
      .selectFrom('channels')
      .select('id')
      .where(isTheirs(userId, teamId))
      .$if(channelId !== null, (query) => query.where('id', '=', channelId!))
      .execute();
    // The newest messages of each channel, in the order of its index: if they were all read at once, they would have
    // to be sorted.
    const lists = channels.map(({ id }) => {
      const newest = db
        .selectFrom('messages')
        .select(['messages.created_at', 'messages.bundle', 'messages.id'])
        .where('messages.channel_id', '=', id)
        .where((eb) => ofTeam(eb, teamId))
        .$if(state !== null, (query) => query.where('messages.state', '=', state!))
        .$if(after !== null, (query) => query.where(isBefore(after!)))
        .orderBy('messages.created_at', 'desc')
        .orderBy('messages.bundle', 'desc')
        .limit(limit + 1);
      return db.selectFrom(newest.as('newest')).selectAll();
    });
    if (lists.length === 0) return { rows: [], last: null };
    const shownIds = await lists
      .reduce((all, list) => all.unionAll(list))
      .orderBy('created_at', 'desc')
      .orderBy('bundle', 'desc')
      .orderBy('id')
      .limit(limit + 1)
      .execute();
    if (shownIds.length === 0) return { rows: [], last: null };
    const rows = (await db
      .selectFrom('messages')
      .innerJoin('channels', 'channels.id', 'messages.channel_id')
      .selectAll('messages')
      .select(['channels.kind', 'channels.name'])
      .where(
        'messages.id',
        'in',
        shownIds.map(({ id }) => id),
      )
      .orderBy('messages.created_at', 'desc')
      .orderBy('messages.bundle', 'desc')
      .orderBy('messages.id')
      .execute()) as Listed[];
    // A bundle stays on one page: if it is cut off here, it begins the next page.
    const isMore = rows.length > limit;
    const cut = isMore ? rows.at(-1)!.bundle : null; // more than the limit
    const whole = rows.filter(({ bundle }) => bundle !== cut);
    const shown = whole.length > 0 ? whole : rows;
    const end = shown.at(-1);
    return {
      rows: shown,
      last: isMore && end ? { created_at: end.created_at, bundle: end.bundle, was_seen: 1 } : null,
    };
  },

  /** By route, the incidents that somebody marked as not on it. */
  async notOurs(watchIds: readonly (string | null)[]): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    const ids = [...new Set(watchIds.filter((id) => id !== null))];
    for (const { watch_id, subject_id } of await marksOf(db, 'watch_id', ids))
      found.set(watch_id, (found.get(watch_id) ?? new Set()).add(subject_id));
    return found;
  },

  /** Messages that may be about a route: sent to the person or to the team, or held back. */
  async ofWatch(watchId: string, userId: string, limit: number): Promise<Listed[]> {
    return db
      .selectFrom('messages')
      .leftJoin('channels', 'channels.id', 'messages.channel_id')
      .selectAll('messages')
      .select(['channels.kind', 'channels.name'])
      .where('messages.watch_id', '=', watchId)
      .where((eb) => eb.or([eb('channels.user_id', '=', userId), eb('channels.user_id', 'is', null)]))
      .orderBy('messages.created_at', 'desc')
      .orderBy('messages.bundle', 'desc')
      .orderBy('messages.id')
      .limit(limit)
      .execute() as Promise<Listed[]>;
  },

  /** The number of unseen messages in the person's list in the app about the team's routes. */
  async unseen(userId: string, teamId: string): Promise<number> {
    const unseen = db
      .selectFrom('messages')
      .innerJoin('channels', 'channels.id', 'messages.channel_id')
      .select('messages.id')
      .where('channels.user_id', '=', userId)
      .where('channels.kind', '=', 'app')
      .where('messages.seen_at', 'is', null)
      // In the app no message waits or fails. If the query asked for the state that most rows have, the index would
      // return every row.
      .where('messages.state', '<>', 'held')
      .where((eb) => ofTeam(eb as unknown as ExpressionBuilder<Tables, 'messages'>, teamId)) // it names only this table
      .limit(UNSEEN_COUNTED);
    return rowCount(db.selectFrom(unseen.as('unseen')));
  },

  /** Messages of the person's channels and the team's that can be sent again, because they did not arrive or are
   *  overdue. */
  async undelivered(
    { userId, teamId }: { userId: string; teamId: string },
    now: Instant,
  ): Promise<{ failed: number; behind: { waiting: number; since: string } | null }> {
    const of = db
      .selectFrom('messages')
      .innerJoin('channels', 'channels.id', 'messages.channel_id')
      .where((eb) => isTheirs(userId, teamId)(eb as unknown as OfChannels)); // it names only this table
    const failed = await of
      .select((eb) => eb.fn.countAll().as('count'))
      .where('messages.state', '=', 'failed')
      .where('messages.created_at', '>=', minutesBefore(now, SEND_AGAIN_DAYS * 24 * 60))
      .executeTakeFirstOrThrow();
    const late = await of
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.min('next_at').as('since')])
      .where('messages.state', '=', 'waiting')
      .where('attempts', '=', 0)
      .where('next_at', '<=', minutesBefore(now, BEHIND_MINUTES))
      // If a message waits because its address asked for a pause, it does not count as late.
      .where('channels.state', 'in', ['working', 'unconfirmed'])
      .executeTakeFirstOrThrow();
    const waiting = Number(late.count);
    return {
      failed: Number(failed.count),
      behind: waiting > 0 && late.since !== null ? { waiting, since: late.since } : null,
    };
  },

  /** Marks these as seen, with all others of their bundles; without ids, marks all. */
  async see(userId: string, ids: readonly string[] | undefined, now: Instant): Promise<void> {
    const own = db.selectFrom('channels').select('id').where('user_id', '=', userId);
    for (const some of ids === undefined ? [undefined] : chunks(ids, IDS_PER_STATEMENT)) {
      await db
        .updateTable('messages')
        .set({ seen_at: iso(now) })
        .where('channel_id', 'in', own)
        .where('seen_at', 'is', null)
        .$if(some !== undefined, (query) =>
          query.where('bundle', 'in', (eb) =>
            eb.selectFrom('messages as shown').select('shown.bundle').where('shown.id', 'in', some!),
          ),
        )
        .execute();
    }
    await raiseRevision(db, MESSAGES_REVISION);
  },

  /** Changes that arrived are kept for a day, other messages for a week. */
  async prune(before: Instant, now: Instant): Promise<void> {
    const ago = (days: number) => iso(new Date(Date.parse(iso(now)) - days * DAY_MS));
    await db
      .deleteFrom('messages')
      .where('state', '<>', 'waiting')
      .where((eb) =>
        eb.or([
          eb('created_at', '<', iso(before)),
          eb.and([
            eb('watch_id', 'is', null),
            eb('place', 'is not', null),
            eb.or([
              eb('created_at', '<', ago(SEND_AGAIN_DAYS)),
              eb.and([eb('state', 'in', ['sent', 'dropped']), eb('created_at', '<', ago(1))]),
            ]),
          ]),
        ]),
      )
      .execute();
    await db
      .deleteFrom('notification_log')
      .where('sent_at', '<', iso(before))
      .where('firing', '=', '[]')
      .execute();
    await db
      .deleteFrom('alert_instances')
      .where('since', '<', iso(before))
      .where('state', '=', 'normal')
      .execute();
  },
});

/** A condition for rows after that place in a list that begins with the newest. */
const isBefore =
  ({ created_at, bundle }: Pick<Place, 'created_at' | 'bundle'>) =>
  (eb: ExpressionBuilder<Tables, 'messages'>) =>
    eb.and([
      eb('messages.created_at', '<=', created_at),
      eb.or([eb('messages.created_at', '<', created_at), eb('messages.bundle', '<', bundle)]),
    ]);

const newestFirst = (one: Place, other: Place) =>
  one.created_at === other.created_at
    ? one.bundle < other.bundle
      ? 1
      : -1
    : one.created_at < other.created_at
      ? 1
      : -1;

/** All rows of these bundles that the person may see, in their order. A bundle is about one route, or about
 *  none. */
async function wholeBundles(
  db: Db,
  places: readonly Place[],
  { userId, teamId }: { userId: string; teamId: string },
): Promise<Listed[]> {
  if (places.length === 0) return [];
  const rows = (await db
    .selectFrom('messages')
    .leftJoin('channels', 'channels.id', 'messages.channel_id')
    .selectAll('messages')
    .select(['channels.kind', 'channels.name'])
    .where(
      'messages.bundle',
      'in',
      places.map(({ bundle }) => bundle),
    )
    .where((eb) =>
      eb.or([
        isTheirs(userId, teamId)(eb as unknown as OfChannels), // it names only this table
        eb.and([eb('messages.channel_id', 'is', null), eb('messages.team_id', '=', teamId)]),
      ]),
    )
    .orderBy('messages.id')
    .execute()) as Listed[];
  const byBundle = Map.groupBy(rows, ({ bundle }) => bundle);
  return places.flatMap(({ bundle }) => byBundle.get(bundle) ?? []);
}

type OfChannels = ExpressionBuilder<Tables, 'channels'>;

/** A condition for channels of the person, and of the team. */
export const isTheirs = (userId: string, teamId: string) => (eb: OfChannels) =>
  eb.or([
    eb('channels.user_id', '=', userId),
    eb.and([eb('channels.user_id', 'is', null), eb('channels.team_id', '=', teamId)]),
  ]);

/** A condition for messages about a route of the team, or about none. */
const ofTeam = (eb: ExpressionBuilder<Tables, 'messages'>, teamId: string) =>
  eb.or([
    eb('messages.watch_id', 'is', null),
    eb.exists(
      eb
        .selectFrom('watches')
        .select('watches.id')
        .whereRef('watches.id', '=', 'messages.watch_id')
        .where('watches.team_id', '=', teamId),
    ),
  ]);

/** A line of a long e-mail. `address`: the path of the app to which it leads. */
export type LetterLine = string | { text: string; address: string };

/** `delivery`: posted to a webhook instead of the words. `letter`: the parts of a long e-mail, below its text.
 *  `news`: for a change, the data that a later change compares before it replaces this one. */
export type StoredBody = MessageBody & {
  delivery?: DeliveryBody;
  letter?: readonly { heading: string; lines: readonly LetterLine[] }[];
  news?: Pick<ChangeData, 'kind' | 'standing' | 'severity_from'>;
};

export const bodyOf = ({ body }: Pick<RowOf<'messages'>, 'body'>) => JSON.parse(body) as StoredBody;
