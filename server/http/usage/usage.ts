/** Usage: calls by people and programs, reports of the app, and the figures for administrators. */
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { randomUUID } from 'node:crypto';
import { PostgresAdapter, sql } from 'kysely';
import {
  type AnalyticsOverview,
  type ApiUsageRow,
  LOGIN_EVENT,
  SESSION_CATEGORY,
} from '#contract/accounts/analytics.ts';
import { uuid7 } from '#contract/uuid7.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { rowCount } from '../../db/batches.ts';
import type { Db } from '../../db/open.ts';
import { addRows, inQuickTransaction, insertNew } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';

const TOP_ENDPOINTS = 10;
const RECENT_EVENTS = 20;
/** The most calls that are counted exactly: counting a million takes longer than the rest of the page. */
const CALLS_COUNTED = 10_000;

export const usage = (db: Db) => ({
  async noteEvent(event: Omit<RowOf<'usage_events'>, 'id' | 'occurred_at'> & { occurred_at: Instant }) {
    const occurred_at = iso(event.occurred_at);
    await addRows(db, 'usage_events', { ...event, occurred_at, id: randomUUID() });
    await noteActive(db, [{ hour: hourOf(occurred_at), user_id: event.user_id }]);
  },

  /** Stores all of these calls or none. Losing them is acceptable: a few seconds of calls are lost with the process
   *  anyway. */
  async noteCalls(calls: readonly Omit<RowOf<'api_calls'>, 'id'>[]): Promise<void> {
    if (calls.length === 0) return;
    await inQuickTransaction(db, async (trx) => {
      await insertCalls(trx, calls.filter(isWorthARow));
      // The order is fixed, so that two nodes that write at once cannot deadlock.
      for (const hourly of byHour(calls)) {
        await trx
          .insertInto('api_calls_hourly')
          .values(hourly)
          .onConflict((conflict) =>
            conflict.columns(['hour', 'method', 'endpoint']).doUpdateSet((eb) => ({
              count: eb('api_calls_hourly.count', '+', eb.ref('excluded.count')),
              failed: eb('api_calls_hourly.failed', '+', eb.ref('excluded.failed')),
              total_ms: eb('api_calls_hourly.total_ms', '+', eb.ref('excluded.total_ms')),
            })),
          )
          .execute();
      }
      await noteActive(
        trx,
        calls.flatMap(({ occurred_at, user_id }) =>
          user_id === null ? [] : [{ hour: hourOf(occurred_at), user_id }],
        ),
      );
    });
  },

  /** The figures come from the hourly sums, never from single calls, so this is as fast after a year as on the first
   *  day. */
  async overview(now: Date): Promise<AnalyticsOverview> {
    const hours = lastOf(24, HOUR_MS, now).map((at) => iso(at));
    const days = lastOf(7, DAY_MS, now).map((at) => iso(at).slice(0, 10));
    const sinceHour = hours[0]!;

    const byHours = await db
      .selectFrom('api_calls_hourly')
      .select((eb) => ['hour', eb.fn.sum('count').as('count'), eb.fn.sum('failed').as('failed')])
      .where('hour', '>=', sinceHour)
      .groupBy('hour')
      .execute();
    const byEndpoint = await db
      .selectFrom('api_calls_hourly')
      .select((eb) => [
        'method',
        'endpoint',
        eb.fn.sum('count').as('count'),
        eb.fn.sum('total_ms').as('total_ms'),
      ])
      .where('hour', '>=', sinceHour)
      .groupBy(['method', 'endpoint'])
      .orderBy('count', 'desc')
      .orderBy('endpoint')
      .orderBy('method')
      .limit(TOP_ENDPOINTS)
      .execute();
    const active = await db
      .selectFrom('active_hours')
      .select((eb) => eb.fn.count('user_id').distinct().as('count'))
      .where('hour', '>=', sinceHour)
      .executeTakeFirstOrThrow();
    const logins = await db
      .selectFrom('usage_events')
      .select((eb) => [
        eb.fn<string>('substr', ['occurred_at', eb.val(1), eb.val(10)]).as('day'),
        eb.fn.countAll().as('count'),
      ])
      .where('event_category', '=', SESSION_CATEGORY)
      .where('event_type', '=', LOGIN_EVENT)
      .where('occurred_at', '>=', days[0]!)
      .groupBy('day')
      .execute();
    const recent = await db
      .selectFrom('usage_events')
      .leftJoin('users', 'users.id', 'usage_events.user_id')
      .select([
        'usage_events.id',
        'users.display_name',
        'usage_events.event_type',
        'usage_events.event_category',
        'usage_events.occurred_at',
      ])
      .orderBy('usage_events.occurred_at', 'desc')
      .orderBy('usage_events.id')
      .limit(RECENT_EVENTS)
      .execute();

    const requests_by_hour = hours.map((hour) => {
      const found = byHours.find((row) => row.hour === hour);
      return { hour, count: Number(found?.count ?? 0), failed: Number(found?.failed ?? 0) };
    });
    const logins_by_day = days.map((day) => ({
      day,
      count: Number(logins.find((row) => row.day === day)?.count ?? 0),
    }));
    return {
      logins_last_7_days: sum(logins_by_day),
      active_users_last_24_hours: Number(active.count),
      api_requests_last_24_hours: sum(requests_by_hour),
      top_endpoints_last_24_hours: byEndpoint.map(({ method, endpoint, count, total_ms }) => ({
        method,
        endpoint,
        count: Number(count),
        avg_response_ms: Math.round((Number(total_ms) / Number(count)) * 10) / 10,
      })),
      recent_events: recent,
      requests_by_hour,
      logins_by_day,
    };
  },

  /** The newest calls, and the number of all single calls that are kept, counted up to `CALLS_COUNTED`. */
  async recentCalls(limit: number): Promise<{ usage: ApiUsageRow[]; total: number }> {
    const rows = await db
      .selectFrom('api_calls')
      .leftJoin('users', 'users.id', 'api_calls.user_id')
      .select([
        'api_calls.id',
        'endpoint',
        'method',
        'status_code',
        'users.email as user_email',
        'auth_type',
        'response_ms as response_time_ms',
        'occurred_at as created_at',
      ])
      .orderBy('occurred_at', 'desc')
      .orderBy('api_calls.id', 'desc')
      .limit(limit)
      .execute();
    const counted = db.selectFrom('api_calls').select('id').limit(CALLS_COUNTED).as('counted');
    return { usage: rows, total: await rowCount(db.selectFrom(counted)) };
  },
});

/** Calls of strangers are only counted, because they could fill the disk. Our own failures are kept. */
const isWorthARow = ({ auth_type, status_code }: Omit<RowOf<'api_calls'>, 'id'>) =>
  auth_type !== 'none' || status_code >= 500;

/** The rows are one JSON parameter that the database reads: a statement built value by value would cost more than
 *  everything else. */
async function insertCalls(trx: Db, calls: readonly Omit<RowOf<'api_calls'>, 'id'>[]): Promise<void> {
  if (calls.length === 0) return;
  // Ids in the order of time add rows at the end of their index, and not all over it.
  const rows = JSON.stringify(
    calls.map((call) => [uuid7(new Date(call.occurred_at)), ...CALL_COLUMNS.map((column) => call[column])]),
  );
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter;
  const columns = ['id', ...CALL_COLUMNS];
  const values = columns.map((column, at) =>
    isPostgres ? sql.raw(`(value->>${at})::${TYPES[column] ?? 'text'}`) : sql.raw(`value->>${at}`),
  );
  const table = isPostgres ? sql`json_array_elements(${rows}::json)` : sql`json_each(${rows})`;
  await sql`insert into api_calls (${sql.raw(columns.join(', '))}) select ${sql.join(values)} from ${table}`.execute(
    trx,
  );
}

const CALL_COLUMNS = [
  'occurred_at',
  'method',
  'endpoint',
  'status_code',
  'response_ms',
  'auth_type',
  'user_id',
  'caller_id',
] as const satisfies (keyof RowOf<'api_calls'>)[];

/** Types on PostgreSQL; all others are text. */
const TYPES: Readonly<Record<string, string>> = { status_code: 'integer', response_ms: 'double precision' };

const hourOf = (at: string) => `${at.slice(0, 13)}:00:00.000Z`;

/** The starts of the last `count` hours or days (UTC), oldest first. The last one has not ended. */
function lastOf(count: number, unitMs: number, now: Date): Date[] {
  const current = Math.floor(now.getTime() / unitMs) * unitMs;
  return Array.from({ length: count }, (_, index) => new Date(current - (count - 1 - index) * unitMs));
}

const sum = (parts: readonly { count: number }[]) => parts.reduce((total, { count }) => total + count, 0);

function byHour(calls: readonly Omit<RowOf<'api_calls'>, 'id'>[]): RowOf<'api_calls_hourly'>[] {
  const sums = new Map<string, RowOf<'api_calls_hourly'>>();
  for (const { occurred_at, method, endpoint, status_code, response_ms } of calls) {
    const hour = hourOf(occurred_at);
    const key = `${hour} ${method} ${endpoint}`;
    const hourly = sums.get(key) ?? { hour, method, endpoint, count: 0, failed: 0, total_ms: 0 };
    hourly.count++;
    hourly.failed += Number(status_code >= 500);
    hourly.total_ms += response_ms;
    sums.set(key, hourly);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, hourly]) => hourly);
}

async function noteActive(db: Db, found: readonly { hour: string; user_id: string }[]): Promise<void> {
  const rows = [...new Map(found.map((row) => [`${row.hour} ${row.user_id}`, row])).values()];
  rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
  await insertNew(db, 'active_hours', rows, ['hour', 'user_id']);
}
