/** Saved filters and their secret addresses. The team is part of every question: another's is as if it did not exist. */
import { randomUUID } from 'node:crypto';
import { type Filter, FILTER_LIMITS, type SecretAddress } from '#contract/filters.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { takeTurn } from './revisions.ts';
import type { FilterAddressesTable } from './schema.ts';

const TURN = 'filters';
const DAY_MS = 24 * 60 * 60_000;
const UNUSED_MS = FILTER_LIMITS.unusedDays * DAY_MS;
/** The use of an address is noted at most this often. */
const NOTED_AFTER_MS = 60 * 60_000;

/** What an address gives: no name, and nobody's. */
export interface OpenedFilter {
  id: string;
  team_id: string;
  query: string;
}

export const filters = (db: Db) => ({
  /** In the order in which they were made. */
  ofTeam: (teamId: string, now: Instant): Promise<Filter[]> => read(db, { teamId }, now),

  async byId(teamId: string, id: string, now: Instant): Promise<Filter | undefined> {
    const [filter] = await read(db, { teamId, id }, now);
    return filter;
  },

  /** Its id; undefined when the team has as many as it may. */
  async add(
    { teamId, userId }: { teamId: string; userId: string },
    { name, query }: { name: string; query: string },
    now: Instant,
  ): Promise<string | undefined> {
    return db.transaction().execute(async (trx) => {
      // Two at once could otherwise both be the last that is allowed.
      await takeTurn(trx, TURN);
      const { count } = await trx
        .selectFrom('filters')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('team_id', '=', teamId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= FILTER_LIMITS.filtersPerTeam) return undefined;

      const id = randomUUID();
      const values = {
        id,
        team_id: teamId,
        name,
        query,
        version: 1,
        created_by: userId,
        created_at: iso(now),
      };
      await trx.insertInto('filters').values(values).execute();
      return id;
    });
  },

  /** `version`: as its author saw it; undefined: whatever it is. */
  async change(
    { teamId, id, version }: { teamId: string; id: string; version: number | undefined },
    change: { name?: string | undefined; query?: string | undefined },
  ): Promise<'done' | 'unknown' | 'stale'> {
    const { numUpdatedRows } = await db
      .updateTable('filters')
      .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('team_id', '=', teamId)
      .$if(version !== undefined, (query) => query.where('version', '=', version!))
      .executeTakeFirst();
    return numUpdatedRows > 0n ? 'done' : whyNot(db, teamId, id);
  },

  /** With its address. */
  async remove({
    teamId,
    id,
    version,
  }: {
    teamId: string;
    id: string;
    version: number | undefined;
  }): Promise<'done' | 'unknown' | 'stale'> {
    const { numDeletedRows } = await db
      .deleteFrom('filters')
      .where('id', '=', id)
      .where('team_id', '=', teamId)
      .$if(version !== undefined, (query) => query.where('version', '=', version!))
      .executeTakeFirst();
    return numDeletedRows > 0n ? 'done' : whyNot(db, teamId, id);
  },

  /** `taken`: it has one that lives. */
  async addAddress(
    { teamId, id }: { teamId: string; id: string },
    hash: string,
    now: Instant,
  ): Promise<SecretAddress | 'unknown' | 'taken'> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, TURN);
      const [filter] = await read(trx, { teamId, id }, now);
      if (!filter) return 'unknown';
      if (filter.address) return 'taken';
      const row = { hash, filter_id: id, created_at: iso(now), last_used_at: null, revoked_at: null };
      await trx.insertInto('filter_addresses').values(row).execute();
      return toAddress(row);
    });
  },

  /** False: the team has no such filter, or it has no address. */
  async revokeAddress({ teamId, id }: { teamId: string; id: string }, now: Instant): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('filter_addresses')
      .set({ revoked_at: iso(now) })
      .where('revoked_at', 'is', null)
      .where('filter_id', '=', (eb) =>
        eb.selectFrom('filters').select('id').where('id', '=', id).where('team_id', '=', teamId),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** The filter of an address that is neither revoked nor dead. Its use is noted. */
  async opened(hash: string, now: Instant): Promise<OpenedFilter | undefined> {
    const row = await db
      .selectFrom('filter_addresses')
      .innerJoin('filters', 'filters.id', 'filter_addresses.filter_id')
      .select(['filters.id', 'team_id', 'query', 'hash', 'filter_addresses.created_at', 'last_used_at'])
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    const at = new Date(now).getTime();
    if (!row || at >= diesAt(row)) return undefined;

    if (row.last_used_at === null || at - Date.parse(row.last_used_at) >= NOTED_AFTER_MS) {
      await db
        .updateTable('filter_addresses')
        .set({ last_used_at: iso(now) })
        .where('hash', '=', hash)
        .execute();
    }
    return { id: row.id, team_id: row.team_id, query: row.query };
  },

  /** Addresses that were revoked, or died unused, before then. */
  async prune(before: Instant): Promise<void> {
    const unused = iso(new Date(new Date(before).getTime() - UNUSED_MS));
    await db
      .deleteFrom('filter_addresses')
      .where((eb) =>
        eb.or([
          eb('revoked_at', '<', iso(before)),
          eb.and([
            eb('created_at', '<=', unused),
            eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unused)]),
          ]),
        ]),
      )
      .execute();
  },
});

type Used = Pick<FilterAddressesTable, 'created_at' | 'last_used_at'>;

const diesAt = ({ created_at, last_used_at }: Used): number =>
  Date.parse(last_used_at ?? created_at) + UNUSED_MS;

const toAddress = (row: Used): SecretAddress => ({
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  dies_at: iso(new Date(diesAt(row))),
});

async function whyNot(db: Db, teamId: string, id: string): Promise<'unknown' | 'stale'> {
  const row = await db
    .selectFrom('filters')
    .select('id')
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  return row ? 'stale' : 'unknown';
}

async function read(
  db: Db,
  { teamId, id }: { teamId: string; id?: string },
  now: Instant,
): Promise<Filter[]> {
  const rows = await db
    .selectFrom('filters')
    .leftJoin('users', 'users.id', 'filters.created_by')
    .leftJoin('filter_addresses', (join) =>
      join.onRef('filter_addresses.filter_id', '=', 'filters.id').on('revoked_at', 'is', null),
    )
    .select([
      'filters.id',
      'name',
      'query',
      'version',
      'created_by',
      'display_name',
      'filters.created_at',
      'filter_addresses.created_at as address_at',
      'last_used_at',
      (eb) =>
        eb
          .exists(eb.selectFrom('receivers').select('receivers.id').whereRef('filter_id', '=', 'filters.id'))
          .as('has_webhooks'),
    ])
    .where('team_id', '=', teamId)
    .$if(id !== undefined, (query) => query.where('filters.id', '=', id!))
    .orderBy('filters.created_at')
    .orderBy('filters.id')
    .orderBy('address_at')
    .execute();
  // One that died unused stays beside the next until it is deleted.
  const byId = new Map<string, Filter>();
  for (const { address_at, last_used_at, display_name, created_by, has_webhooks, ...filter } of rows) {
    const used = address_at === null ? null : { created_at: address_at, last_used_at };
    const isAlive = used !== null && new Date(now).getTime() < diesAt(used);
    byId.set(filter.id, {
      ...filter,
      created_by: created_by === null ? null : { id: created_by, display_name: display_name ?? '' },
      address: isAlive ? toAddress(used) : null,
      goes_out: isAlive || Boolean(has_webhooks),
    });
  }
  return [...byId.values()];
}
