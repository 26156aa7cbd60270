import { runHousekeeping } from '../../../../server/operate/housekeeping.ts';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../../server/http/usage/usage.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';

const NOW = new Date('2026-11-21T09:30:00.000Z');
const HOUR = 60 * 60_000;
const before = (hours: number) => new Date(NOW.getTime() - hours * HOUR).toISOString();

const call = (over: Partial<RowOf<'api_calls'>> = {}): Omit<RowOf<'api_calls'>, 'id'> => ({
  occurred_at: NOW.toISOString(),
  method: 'GET',
  endpoint: '/api/v1/feeds',
  status_code: 200,
  response_ms: 10,
  auth_type: 'session',
  user_id: 'rosa',
  caller_id: null,
  ...over,
});

describe.each(DATABASES)('usage on $engine', ({ open }) => {
  const database = useDatabase(open);
  const overview = () => usage(database.db).overview(NOW);

  it('adds up the calls of each hour, however many batches and nodes they come in', async () => {
    const other = await database.node();
    const batch = Array.from({ length: 1500 }, () => call());
    await Promise.all([database.db, other].map((db) => usage(db).noteCalls(batch)));
    await usage(database.db).noteCalls([
      call({ status_code: 503, response_ms: 2000, endpoint: '/api/v1/keys' }),
      call({ occurred_at: before(3), user_id: 'tom' }),
      call({ occurred_at: before(30), user_id: 'ada' }),
    ]);

    const found = await overview();
    expect(found.api_requests_last_24_hours).toBe(3002);
    expect(found.active_users_last_24_hours).toBe(2);
    expect(found.requests_by_hour.filter(({ count }) => count > 0)).toEqual([
      { hour: '2026-11-21T06:00:00.000Z', count: 1, failed: 0 },
      { hour: '2026-11-21T09:00:00.000Z', count: 3001, failed: 1 },
    ]);
    expect(found.top_endpoints_last_24_hours).toEqual([
      { method: 'GET', endpoint: '/api/v1/feeds', count: 3001, avg_response_ms: 10 },
      { method: 'GET', endpoint: '/api/v1/keys', count: 1, avg_response_ms: 2000 },
    ]);
  });

  it('counts as failed what the service could not answer, never what it refused', async () => {
    const statuses = [200, 204, 304, 400, 401, 403, 404, 422, 429, 499, 500, 503];
    await usage(database.db).noteCalls(statuses.map((status_code) => call({ status_code })));
    expect((await overview()).requests_by_hour.at(-1)).toMatchObject({ count: 12, failed: 2 });
  });

  it('keeps strangers’ calls only if the service could not answer them', async () => {
    const strange = { auth_type: 'none' as const, user_id: null };
    const statuses = [200, 401, 404, 499, 503];
    await usage(database.db).noteCalls(statuses.map((status_code) => call({ ...strange, status_code })));
    const { usage: rows } = await usage(database.db).recentCalls(10);
    expect(rows.map(({ status_code }) => status_code)).toEqual([503]);
  });

  it('counts sign-ins by the day', async () => {
    for (const hours of [0, 1, 30, 6 * 24, 8 * 24]) {
      await usage(database.db).noteEvent({
        user_id: 'rosa',
        event_type: 'login',
        event_category: 'session',
        session_id: null,
        occurred_at: before(hours),
      });
    }
    const found = await overview();
    expect(found.logins_last_7_days).toBe(4);
    expect(found.logins_by_day.map(({ day, count }) => `${day} ${count}`)).toEqual([
      '2026-11-15 1',
      '2026-11-16 0',
      '2026-11-17 0',
      '2026-11-18 0',
      '2026-11-19 0',
      '2026-11-20 1',
      '2026-11-21 2',
    ]);
  });

  it('deletes single calls and who was active, and keeps the sums', async () => {
    await usage(database.db).noteCalls([call()]);
    const now = () => new Date(NOW.getTime() + HOUR);
    await runHousekeeping({
      db: database.db,
      usageDays: 0,
      collectors: [],
      now,
      log: { error: (fields) => expect.unreachable(JSON.stringify(fields)) },
    });
    expect((await usage(database.db).recentCalls(10)).total).toBe(0);
    const found = await overview();
    expect([found.api_requests_last_24_hours, found.active_users_last_24_hours]).toEqual([1, 0]);
  });
});
