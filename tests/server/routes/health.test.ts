import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../app/testApp.ts';

let test: TestApp;
beforeEach(async () => (test = await openTestApp()));
afterEach(() => test.close());

describe('the health of the server', () => {
  it('is good when it runs and its database answers', async () => {
    const alive = await test.get('/healthz');
    const ready = await test.get('/readyz');

    expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'ok' }]);
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
    expect(ready.headers['cache-control']).toBe('no-store');
  });

  it('is alive but not ready while a migration is missing', async () => {
    await test.db.deleteFrom('kysely_migration' as never).execute();
    const ready = await test.get('/readyz');

    expect((await test.get('/healthz')).statusCode).toBe(200);
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ detail: 'The database is not migrated to this version yet.' });
  });

  it('is alive but not ready when the database is gone, and says no more', async () => {
    await test.db.destroy();
    const ready = await test.get('/readyz');

    expect((await test.get('/healthz')).statusCode).toBe(200);
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ detail: 'The database does not answer.' });
  });
});
