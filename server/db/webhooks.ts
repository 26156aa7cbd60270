/** Webhooks of saved filters: receivers with a filter, which incidents each knows, and its deliveries. The team is part
 *  of every question of a caller: another's is as if it did not exist. */
import { WEBHOOK_LIMITS } from '#contract/webhooks.ts';
import { chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from './batches.ts';
import { auditTrail, type Act } from './auditTrail.ts';
import { iso, type Instant } from './instant.ts';
import { MESSAGES_REVISION } from './messages.ts';
import type { Db } from './open.ts';
import { chosen, fresh, type NewReceiverRow, RECEIVERS_REVISION } from './receivers.ts';
import { raiseRevision, takeTurn } from './revisions.ts';
import type { MessagesTable, ReceiversTable, WebhooksTable } from './schema.ts';

const TURN = 'webhooks';
const DAY_MS = 24 * 60 * 60_000;

/** Which webhooks a caller means. */
export interface OfFilter {
  teamId: string;
  filterId: string;
}

export type WebhookRow = ReceiversTable & Omit<WebhooksTable, 'receiver_id'>;

/** One to which something may have to be sent, with its filter. */
export type WebhookInUse = WebhookRow & {
  filter: { id: string; name: string; query: string; version: number };
};

export type DeliveryRow = MessagesTable & { about: string; place: string };

export const webhooks = (db: Db) => ({
  /** In the order in which they were made. */
  ofFilter: ({ teamId, filterId }: OfFilter): Promise<WebhookRow[]> =>
    read(db).where('team_id', '=', teamId).where('filter_id', '=', filterId).execute(),

  byId: ({ teamId, filterId }: OfFilter, id: string): Promise<WebhookRow | undefined> =>
    read(db)
      .where('team_id', '=', teamId)
      .where('filter_id', '=', filterId)
      .where('receivers.id', '=', id)
      .executeTakeFirst(),

  /** `full`: the team has as many as it may; `taken`: the filter has one with this address; `unknown`: the filter is
   *  gone. `incidents`: what its filter lets through now, of which it gets no news until they change. */
  async add(
    row: NewReceiverRow & { filter_id: string },
    { batch, version }: { batch: number; version: number },
    incidents: readonly string[],
    act: Act,
    now: Instant,
  ): Promise<'done' | 'full' | 'taken' | 'unknown'> {
    return db.transaction().execute(async (trx) => {
      // Two at once could otherwise both be the last that is allowed.
      await takeTurn(trx, TURN);
      const filter = await trx
        .selectFrom('filters')
        .select('id')
        .where('id', '=', row.filter_id)
        .executeTakeFirst();
      if (!filter) return 'unknown';
      const { count } = await trx
        .selectFrom('receivers')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('team_id', '=', row.team_id)
        .where('filter_id', 'is not', null)
        .executeTakeFirstOrThrow();
      if (Number(count) >= WEBHOOK_LIMITS.perTeam) return 'full';
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('receivers')
        .values({
          ...fresh(now),
          ...chosen({ quiet: null, digest: 'off', hide_details: false }, now),
          ...row,
        })
        .onConflict((conflict) => conflict.column('target_hash').doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return 'taken';
      const hook = { receiver_id: row.id, batch, filter_version: version, silent: '[]' };
      await trx.insertInto('webhooks').values(hook).execute();
      await webhooks(trx).know(row.id, incidents);
      await auditTrail(trx).note(act, now);
      await raiseRevision(trx, RECEIVERS_REVISION);
      return 'done';
    });
  },

  /** False: there is none. */
  async remove({ teamId, filterId }: OfFilter, id: string, act: Act, now: Instant): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('receivers')
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('filter_id', '=', filterId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await auditTrail(trx).note(act, now);
      await raiseRevision(trx, RECEIVERS_REVISION);
      return true;
    });
  },

  /** `secret`: the new one, sealed. That before signs as well until then. */
  async rotate(id: string, secret: string, until: Instant, act: Act, now: Instant): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('receivers').select('secret').where('id', '=', id).executeTakeFirst();
      if (!row) return;
      await trx
        .updateTable('webhooks')
        .set({ old_secret: row.secret, old_secret_until: iso(until) })
        .where('receiver_id', '=', id)
        .execute();
      // In the order in which the sender writes both.
      await trx.updateTable('receivers').set({ secret }).where('id', '=', id).execute();
      await auditTrail(trx).note(act, now);
    });
  },

  /** From now on, and with what its filter lets through now, as if it were new. What did not arrive before is not sent any
   *  more. False: it is on. */
  async turnOn(
    id: string,
    { batch, version }: { batch: number; version: number },
    incidents: readonly string[],
    act: Act,
    now: Instant,
  ): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('receivers')
        .set({ state: 'ok', failures: 0, last_error: null, off_at: null })
        .where('id', '=', id)
        .where('state', '=', 'off')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await trx
        .updateTable('messages')
        .set({ state: 'dropped', reason: 'Not sent: the webhook was off', next_at: null })
        .where('receiver_id', '=', id)
        .where('state', 'in', ['waiting', 'failed'])
        .execute();
      await trx.deleteFrom('webhook_incidents').where('receiver_id', '=', id).execute();
      await webhooks(trx).know(id, incidents);
      const place = { batch, filter_version: version, silent: '[]' };
      await trx
        .updateTable('webhooks')
        .set({ ...place, failing_since: null, wait_until: null })
        .where('receiver_id', '=', id)
        .execute();
      await auditTrail(trx).note(act, now);
      await raiseRevision(trx, RECEIVERS_REVISION);
      await raiseRevision(trx, MESSAGES_REVISION);
      return true;
    });
  },

  /** All that are not off. */
  async inUse(): Promise<WebhookInUse[]> {
    const rows = await read(db)
      .innerJoin('filters', 'filters.id', 'receivers.filter_id')
      .select(['filters.name as filter_name', 'filters.query', 'filters.version'])
      .where('state', '<>', 'off')
      .execute();
    return rows.map(({ filter_name, query, version, ...row }) => ({
      ...row,
      filter: { id: row.filter_id!, name: filter_name, query, version }, // joined by it
    }));
  },

  async setPlace(
    id: string,
    place: Partial<Pick<WebhooksTable, 'batch' | 'filter_version' | 'silent'>>,
  ): Promise<void> {
    await db.updateTable('webhooks').set(place).where('receiver_id', '=', id).execute();
  },

  /** Those of these incidents that it knows; without ids, all. */
  async known(id: string, eventIds?: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const ids of eventIds === undefined ? [undefined] : chunks(eventIds, IDS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('webhook_incidents')
        .select('event_id')
        .where('receiver_id', '=', id)
        .$if(ids !== undefined, (query) => query.where('event_id', 'in', ids!))
        .execute();
      for (const { event_id } of rows) found.add(event_id);
    }
    return found;
  },

  async know(receiver_id: string, eventIds: readonly string[]): Promise<void> {
    for (const ids of chunks(eventIds, ROWS_PER_STATEMENT))
      await db
        .insertInto('webhook_incidents')
        .values(ids.map((event_id) => ({ receiver_id, event_id })))
        .onConflict((conflict) => conflict.columns(['receiver_id', 'event_id']).doNothing())
        .execute();
  },

  async forget(receiver_id: string, eventIds: readonly string[]): Promise<void> {
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT))
      await db
        .deleteFrom('webhook_incidents')
        .where('receiver_id', '=', receiver_id)
        .where('event_id', 'in', ids)
        .execute();
  },

  /** Of these incidents and routes: where they touch. */
  async matches(watchIds: readonly string[], eventIds: readonly string[]) {
    if (watchIds.length === 0 || eventIds.length === 0) return [];
    const found = [];
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT))
      found.push(
        ...(await db
          .selectFrom('matches')
          .select(['watch_id', 'subject_id as event_id', 'level', 'why', 'from_km', 'to_km'])
          .where('subject', '=', 'disruption')
          .where('subject_id', 'in', ids)
          .where('watch_id', 'in', watchIds)
          .where('ended_at', 'is', null)
          .orderBy('watch_id')
          .execute()),
      );
    return found;
  },

  /** Deliveries about these that wait and were never tried, in order. */
  async untried(receiverId: string, about: readonly string[]): Promise<DeliveryRow[]> {
    const found: DeliveryRow[] = [];
    for (const ids of chunks(about, IDS_PER_STATEMENT))
      found.push(
        ...((await db
          .selectFrom('messages')
          .selectAll()
          .where('receiver_id', '=', receiverId)
          .where('about', 'in', ids)
          .where('state', '=', 'waiting')
          .where('attempts', '=', 0)
          .orderBy('place')
          .execute()) as DeliveryRow[]),
      );
    return found;
  },

  /** Newest first. */
  async deliveries(receiverId: string, limit: number): Promise<DeliveryRow[]> {
    const rows = await db
      .selectFrom('messages')
      .selectAll()
      .where('receiver_id', '=', receiverId)
      .orderBy('created_at', 'desc')
      .orderBy('place', 'desc')
      .limit(limit)
      .execute();
    return rows as DeliveryRow[];
  },

  /** False: it has no such delivery that failed. */
  async sendAgain(receiverId: string, id: string, until: Instant, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('messages')
      .set({
        state: 'waiting',
        reason: 'Waiting to be sent',
        attempts: 0,
        next_at: iso(now),
        valid_until: iso(until),
      })
      .where('id', '=', id)
      .where('receiver_id', '=', receiverId)
      .where('place', 'is not', null)
      .where('state', '=', 'failed')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await raiseRevision(db, MESSAGES_REVISION);
    return numUpdatedRows > 0n;
  },

  /** Those with more than so many deliveries that have not arrived. */
  async overfull(most: number): Promise<ReceiversTable[]> {
    const full = db
      .selectFrom('messages')
      .select('receiver_id')
      .where('place', 'is not', null)
      .where('state', 'in', ['waiting', 'failed'])
      .groupBy('receiver_id')
      .having((eb) => eb(eb.fn.countAll(), '>', most));
    return db
      .selectFrom('receivers')
      .selectAll()
      .where('state', '<>', 'off')
      .where('id', 'in', full)
      .execute();
  },

  async noteOk(id: string): Promise<void> {
    await db
      .updateTable('webhooks')
      .set({ failing_since: null, wait_until: null })
      .where('receiver_id', '=', id)
      .execute();
  },

  /** True: nothing has arrived for so long that it is to be turned off. */
  async noteFailure(id: string, waitUntil: Instant | null, now: Instant): Promise<boolean> {
    const row = await db
      .selectFrom('webhooks')
      .select('failing_since')
      .where('receiver_id', '=', id)
      .executeTakeFirst();
    if (!row) return false;
    // A clock that was set back begins again.
    const isKnown = row.failing_since !== null && row.failing_since <= iso(now);
    const failing_since = isKnown ? row.failing_since! : iso(now);
    await db
      .updateTable('webhooks')
      .set({ failing_since, wait_until: waitUntil === null ? null : iso(waitUntil) })
      .where('receiver_id', '=', id)
      .execute();
    return new Date(now).getTime() - Date.parse(failing_since) >= WEBHOOK_LIMITS.failingDays * DAY_MS;
  },

  /** Deliveries that have arrived are kept for a day, others for a week. */
  async prune(now: Instant): Promise<void> {
    const ago = (days: number) => iso(new Date(new Date(now).getTime() - days * DAY_MS));
    await db
      .deleteFrom('messages')
      .where('place', 'is not', null)
      .where('state', '<>', 'waiting')
      .where((eb) =>
        eb.or([
          eb('created_at', '<', ago(WEBHOOK_LIMITS.keptDays)),
          eb.and([eb('state', 'in', ['sent', 'dropped']), eb('created_at', '<', ago(1))]),
        ]),
      )
      .execute();
  },
});

const read = (db: Db) =>
  db
    .selectFrom('receivers')
    .innerJoin('webhooks', 'webhooks.receiver_id', 'receivers.id')
    .selectAll('receivers')
    .select([
      'batch',
      'filter_version',
      'silent',
      'old_secret',
      'old_secret_until',
      'failing_since',
      'wait_until',
    ])
    .orderBy('receivers.created_at')
    .orderBy('receivers.id');
