/** The outbox: what is sent to whom, what was held back, and what each person has seen. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { MessageBody } from '#contract/messages.ts';
import { chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from './batches.ts';
import { iso, minutesBefore, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision } from './revisions.ts';
import type { MessagesTable, ReceiversTable, Tables, WebhooksTable } from './schema.ts';

/** Rises with every message. */
export const MESSAGES_REVISION = 'messages';
/** No address can ask for a longer rest. */
export const WAIT_MOST_MINUTES = 6 * 60;

/** A message with who gets it. */
export type Listed = MessagesTable & Pick<ReceiversTable, 'kind' | 'name'>;

/** Where a page of the list ends. */
export type Place = Pick<MessagesTable, 'created_at' | 'bundle'> & { was_seen: 0 | 1 };

/** A message that waits, with where it goes. */
export interface Waiting {
  message: MessagesTable;
  receiver: ReceiversTable;
  /** Of a delivery to a webhook. */
  hook: WebhooksTable | null;
}

/** Only deliveries have a place. */
export type NewMessage = Omit<MessagesTable, 'about' | 'place'> &
  Partial<Pick<MessagesTable, 'about' | 'place'>>;

export const messages = (db: Db) => ({
  /** Those that are there already stay as they are. */
  async add(rows: readonly NewMessage[]): Promise<void> {
    for (const values of chunks(rows, ROWS_PER_STATEMENT))
      await db
        .insertInto('messages')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    if (rows.length > 0) await raiseRevision(db, MESSAGES_REVISION);
  },

  /** Messages that are due now, the oldest first, without those that are under way. */
  async due(now: Instant, limit: number, underWay: readonly string[]): Promise<Waiting[]> {
    const rows = await db
      .selectFrom('messages')
      .selectAll()
      .where('next_at', '<=', iso(now))
      .where('state', '=', 'waiting')
      .where('place', 'is', null)
      .$if(underWay.length > 0, (query) => query.where('id', 'not in', underWay))
      .orderBy('next_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return withReceivers(db, rows);
  },

  /** One delivery for each webhook that has one due now and is not busy: of what is about the same, the first. */
  async dueDeliveries(now: Instant, limit: number, busy: readonly string[]): Promise<Waiting[]> {
    const rows = await db
      .selectFrom('messages')
      .innerJoin('webhooks', 'webhooks.receiver_id', 'messages.receiver_id')
      .selectAll('messages')
      .where('next_at', '<=', iso(now))
      .where('state', '=', 'waiting')
      .where('place', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('wait_until', 'is', null),
          eb('wait_until', '<=', iso(now)),
          // From a clock that was ahead.
          eb('wait_until', '>', minutesBefore(now, -WAIT_MOST_MINUTES)),
        ]),
      )
      .$if(busy.length > 0, (query) => query.where('messages.receiver_id', 'not in', busy))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('messages as earlier')
              .select('earlier.id')
              .whereRef('earlier.receiver_id', '=', 'messages.receiver_id')
              .whereRef('earlier.about', '=', 'messages.about')
              .whereRef('earlier.place', '<', 'messages.place')
              .where('earlier.state', '=', 'waiting'),
          ),
        ),
      )
      .orderBy('next_at')
      .orderBy('place')
      .limit(limit)
      .execute();
    const first = new Map(rows.toReversed().map((row) => [row.receiver_id, row]));
    return withReceivers(db, [...first.values()]);
  },

  async settle(
    id: string,
    change: Partial<
      Pick<MessagesTable, 'state' | 'reason' | 'attempts' | 'next_at' | 'last_status' | 'sent_at' | 'body'>
    >,
  ): Promise<void> {
    // One that was replaced while it was sent stays so.
    const waiting = db
      .updateTable('messages')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'waiting');
    await waiting.execute();
    await raiseRevision(db, MESSAGES_REVISION);
  },

  /** Of a person, and what was held back from everybody in the team, from that place on: first what was unseen at that time, and
   *  each newest first. `appId`: the person's list in the app. */
  async ofUser(
    { userId, teamId, appId }: { userId: string; teamId: string; appId: string },
    { asOf, after }: { asOf: string; after: Place | null },
    limit: number,
  ): Promise<(Listed & { was_seen: 0 | 1 })[]> {
    // What is seen between two pages is not listed again.
    const wasSeen = (eb: ExpressionBuilder<Tables, 'messages'>) =>
      eb
        .case()
        .when(
          'messages.bundle',
          'in',
          eb
            .selectFrom('messages as own')
            .select('own.bundle')
            .where('own.receiver_id', '=', appId)
            .where((own) => own.or([own('own.seen_at', 'is', null), own('own.seen_at', '>=', asOf)])),
        )
        .then(sql.lit<0 | 1>(0))
        .else(sql.lit<0 | 1>(1))
        .end();
    return db
      .selectFrom('messages')
      .leftJoin('receivers', 'receivers.id', 'messages.receiver_id')
      .leftJoin('watches', 'watches.id', 'messages.watch_id')
      .selectAll('messages')
      .select(['receivers.kind', 'receivers.name'])
      .select((eb) => wasSeen(eb).as('was_seen'))
      .where((eb) =>
        eb.or([
          eb('receivers.user_id', '=', userId),
          eb.and([eb('messages.receiver_id', 'is', null), eb('watches.team_id', '=', teamId)]),
        ]),
      )
      .where((eb) => eb.or([eb('messages.watch_id', 'is', null), eb('watches.team_id', '=', teamId)]))
      .$if(after !== null, (query) =>
        query.where((eb) => {
          const { was_seen, created_at, bundle } = after!;
          const isSame = eb(wasSeen(eb), '=', was_seen);
          return eb.or([
            eb(wasSeen(eb), '>', was_seen),
            eb.and([isSame, eb('messages.created_at', '<', created_at)]),
            eb.and([isSame, eb('messages.created_at', '=', created_at), eb('messages.bundle', '<', bundle)]),
          ]);
        }),
      )
      .orderBy('was_seen')
      .orderBy('messages.created_at', 'desc')
      .orderBy('messages.bundle', 'desc')
      .orderBy('messages.id')
      .limit(limit)
      .execute() as Promise<(Listed & { was_seen: 0 | 1 })[]>;
  },

  /** By route, the incidents that somebody marked as not on it. */
  async notOurs(watchIds: readonly (string | null)[]): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    const ids = [...new Set(watchIds.filter((id) => id !== null))];
    for (const some of chunks(ids, IDS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('match_feedback')
        .select(['watch_id', 'subject_id'])
        .where('watch_id', 'in', some)
        .where('verdict', '=', 'not_ours')
        .execute();
      for (const { watch_id, subject_id } of rows)
        found.set(watch_id, (found.get(watch_id) ?? new Set()).add(subject_id));
    }
    return found;
  },

  /** Candidates of a route: what was sent to the person or to the team, and what was held back. */
  async ofWatch(watchId: string, userId: string, limit: number): Promise<Listed[]> {
    return db
      .selectFrom('messages')
      .leftJoin('receivers', 'receivers.id', 'messages.receiver_id')
      .selectAll('messages')
      .select(['receivers.kind', 'receivers.name'])
      .where('messages.watch_id', '=', watchId)
      .where((eb) => eb.or([eb('receivers.user_id', '=', userId), eb('receivers.user_id', 'is', null)]))
      .orderBy('messages.created_at', 'desc')
      .orderBy('messages.bundle', 'desc')
      .orderBy('messages.id')
      .limit(limit)
      .execute() as Promise<Listed[]>;
  },

  /** In the person's list in the app, of the team's routes. */
  async unseen(userId: string, teamId: string): Promise<number> {
    const { count } = await db
      .selectFrom('messages')
      .innerJoin('receivers', 'receivers.id', 'messages.receiver_id')
      .leftJoin('watches', 'watches.id', 'messages.watch_id')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('receivers.user_id', '=', userId)
      .where('receivers.kind', '=', 'app')
      .where('messages.seen_at', 'is', null)
      .where('messages.state', '=', 'sent')
      .where((eb) => eb.or([eb('messages.watch_id', 'is', null), eb('watches.team_id', '=', teamId)]))
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /** These, with all others of their bundles; without ids, all. */
  async see(userId: string, ids: readonly string[] | undefined, now: Instant): Promise<void> {
    const own = db.selectFrom('receivers').select('id').where('user_id', '=', userId);
    for (const some of ids === undefined ? [undefined] : chunks(ids, IDS_PER_STATEMENT)) {
      await db
        .updateTable('messages')
        .set({ seen_at: iso(now) })
        .where('receiver_id', 'in', own)
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

  async prune(before: Instant): Promise<void> {
    await db
      .deleteFrom('messages')
      .where('created_at', '<', iso(before))
      .where('state', '<>', 'waiting')
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

async function withReceivers(db: Db, rows: readonly MessagesTable[]): Promise<Waiting[]> {
  const ids = [...new Set(rows.flatMap(({ receiver_id }) => receiver_id ?? []))];
  const found =
    ids.length === 0 ? [] : await db.selectFrom('receivers').selectAll().where('id', 'in', ids).execute();
  const hookIds = found.flatMap(({ id, filter_id }) => (filter_id === null ? [] : [id]));
  const hooks =
    hookIds.length === 0
      ? []
      : await db.selectFrom('webhooks').selectAll().where('receiver_id', 'in', hookIds).execute();
  return rows.flatMap((message) => {
    const receiver = found.find(({ id }) => id === message.receiver_id);
    const hook = hooks.find(({ receiver_id }) => receiver_id === message.receiver_id) ?? null;
    return receiver ? [{ message, receiver, hook }] : [];
  });
}

export const bodyOf = ({ body }: Pick<MessagesTable, 'body'>) => JSON.parse(body) as MessageBody;
