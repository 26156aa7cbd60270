import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { COLLECTORS, poll } from '../../feedsWorld.ts';

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
    expect(ready.json()).toMatchObject({ detail: 'The database is not migrated to this version yet.' });
  });

  it('is alive but not ready when the database is gone, and says no more', async () => {
    // A database has nothing to close before its first query.
    expect((await test.get('/readyz')).statusCode).toBe(200);
    await test.db.destroy();
    const ready = await test.get('/readyz');

    expect((await test.get('/healthz')).statusCode).toBe(200);
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ detail: 'The database does not answer.' });
  });
});

describe('the health of the sources', () => {
  const HOUR_MS = 3_600_000;
  const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === 'tfl')!;

  async function openWith(alarmSources?: string[]): Promise<void> {
    await test.close();
    test = await openTestApp({ collectors: COLLECTORS, config: { alarmSources } });
    // Sources without settings are marked as off when the schedule starts.
    for (const { source } of COLLECTORS)
      await collections(test.db).ensure(source, source === 'tfl' || source === 'met-office');
  }
  const health = async () => {
    const reply = await test.get('/healthz/sources');
    const { status, sources } = reply.json<{
      status: string;
      sources: { source: string; silent: boolean }[];
    }>();
    return [
      reply.statusCode,
      status,
      sources.map(({ source, silent }) => `${source}${silent ? ' silent' : ''}`),
    ];
  };

  it('is good until one that is set up is past its maximum age', async () => {
    await openWith();
    expect(await health()).toEqual([200, 'ok', ['tfl', 'met-office']]); // not collected yet
    await poll(test.db, 'met-office', [], test.now());
    await poll(test.db, 'tfl', [], test.now());
    expect(await health()).toEqual([200, 'ok', ['tfl', 'met-office']]);

    test.pass(maxAgeMinutes * 60_000);
    expect((await health())[0]).toBe(200);
    test.pass(1);
    await poll(test.db, 'met-office', [], test.now());
    expect(await health()).toEqual([503, 'silent', ['tfl silent', 'met-office']]);
    expect((await test.get('/readyz')).statusCode).toBe(200);

    await poll(test.db, 'tfl', [], test.now());
    expect((await health())[0]).toBe(200);
  });

  it('counts a source that has failed since the start, from the third failure on', async () => {
    await openWith();
    const fail = () =>
      collections(test.db).noteFailure('tfl', { now: test.now(), nextRun: null, error: 'gone' });
    await fail();
    await fail();
    expect(await health()).toEqual([200, 'ok', ['tfl', 'met-office']]);
    await fail();
    expect(await health()).toEqual([503, 'silent', ['tfl silent', 'met-office']]);
  });

  it('is that of the sources named in the settings, even of one that is not set up', async () => {
    await openWith(['met-office']);
    await poll(test.db, 'met-office', [], test.now());
    await poll(test.db, 'tfl', [], test.now());
    test.pass(24 * HOUR_MS);
    await poll(test.db, 'met-office', [], test.now());
    expect(await health()).toEqual([200, 'ok', ['met-office']]);

    await openWith(['kb-incidents']);
    expect(await health()).toEqual([503, 'silent', ['kb-incidents silent']]);
  });
});
