import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangesSummary } from '#contract/incidents/changes.ts';
import { disruptions } from '../../../server/incidents/list/disruptions.ts';
import { matches } from '../../../server/watches/matching/matchStore.ts';
import type { ResponseList } from '#contract/shift/responses.ts';
import { ownReports } from '../../../server/shift/ownReports.ts';
import { teams } from '../../../server/accounts/teams.ts';
import type { DisruptionRecord } from '../../../server/incidents/collector.ts';
import { changesSummary } from '../../../server/shift/changesSummary.ts';
import { factsOf } from '../../support/facts.ts';
import { afterReading } from '../../support/meanwhile.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';

const MINUTE = 60_000;

let test: TestApp;
let rosa: string;

beforeEach(async () => {
  test = await openTestApp();
  await test.addUser({ id: 'rosa', display_name: 'Rosa Jones' });
  rosa = (await test.signIn()).access_token;
});
afterEach(() => test.close());

/** All that the source lists now. */
const listed = (...records: DisruptionRecord[]) => poll(test.db, 'national-highways', records, test.now());
const lorry = (changes: Partial<DisruptionRecord> = {}) =>
  record('national-highways:lorry', { title: 'M62 closed', ...changes });
const queue = record('national-highways:queue', { severity: 'low' });
const delayed = (delay_minutes: number) => ({
  ...queue,
  summary_line: `Delays of ${delay_minutes} minutes`,
  facts: factsOf({ delay_minutes }),
});

const summary = async (query = '', token = rosa): Promise<ChangesSummary> => {
  const reply = await test.get(`/api/v1/changes/summary${query}`, token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ChangesSummary>();
};
const look = (batch: number, token = rosa, at?: string) =>
  test.app.inject({
    method: 'PUT',
    url: '/api/v1/changes/looks/board',
    headers: { authorization: `Bearer ${token}` },
    payload: { batch, at },
  });

const ROUTE = {
  kind: 'route',
  name: 'Leeds to Hull',
  made_by: 'junctions',
  legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
};

it('counts new, worse, cleared and no longer known incidents since a batch, each once', async () => {
  const ids = ['worse', 'cleared', 'same'].map((id) => `national-highways:${id}`);
  const before = ids.map((id) => record(id, { severity: 'medium' }));
  await listed(...before);
  const { batch } = await summary();

  test.pass(MINUTE);
  await listed({ ...before[0]!, severity: 'critical' }, before[2]!, lorry({ severity: 'high' }));
  const after = await summary(`?since=${batch}`);
  expect(after.counts).toEqual({ new: 1, worse: 1, cleared: 1, lost: 0 });
  expect(after.changes).toMatchObject([
    { event_id: ids[0], kind: 'worse', severity: 'critical', severity_from: 'medium' },
    { event_id: 'national-highways:lorry', kind: 'new', at: test.now().toISOString(), severity_from: null },
    { event_id: ids[1], kind: 'cleared', ended_reason: 'absent', at: test.now().toISOString() },
  ]);
});

it('counts new incidents that have got worse since as both, by their grade or their delay', async () => {
  const { batch } = await summary();
  await listed(lorry({ severity: 'medium' }), delayed(10));
  test.pass(MINUTE);
  await listed(lorry({ severity: 'high' }), delayed(40));
  const worse_at = test.now().toISOString();
  const after = await summary(`?since=${batch}`);
  expect(after.counts).toEqual({ new: 2, worse: 2, cleared: 0, lost: 0 });
  expect(after.changes).toMatchObject([
    { event_id: 'national-highways:lorry', kind: 'new', worse_at },
    { event_id: queue.event_id, kind: 'new', worse_at },
  ]);

  // An incident that has eased again no longer counts as worse.
  test.pass(MINUTE);
  await listed(lorry({ severity: 'low' }), delayed(5));
  expect((await summary(`?since=${batch}`)).counts).toMatchObject({ new: 2, worse: 0 });
});

it('counts a delay that grew as worse, even if its grade stayed', async () => {
  await listed(delayed(10));
  const { batch } = await summary();
  test.pass(MINUTE);
  await listed(delayed(40));
  const after = await summary(`?since=${batch}`);
  expect(after.counts).toMatchObject({ new: 0, worse: 1 });
  expect(after.changes).toMatchObject([{ kind: 'changed', worse_at: test.now().toISOString() }]);
});

it('counts 50 flaps in ten minutes once, and not at all if it has ended in the end', async () => {
  await listed(queue);
  const { batch } = await summary();
  for (let flap = 0; flap < 50; flap++) {
    test.pass(6000);
    await listed(queue, lorry());
    test.pass(6000);
    await listed(queue);
  }
  expect(await summary(`?since=${batch}`)).toMatchObject({ total: 0, counts: { new: 0, cleared: 0 } });
  await listed(queue, lorry());
  expect(await summary(`?since=${batch}`)).toMatchObject({ total: 1, counts: { new: 1 } });
  // An incident that was there before, ends and begins again is no change.
  const known = await summary();
  await listed(queue);
  await listed(queue, lorry());
  expect(await summary(`?since=${known.batch}`)).toMatchObject({ total: 0 });
});

it('says which end time changed, and nothing if it is as it was', async () => {
  await listed(lorry({ end_time: '2026-11-21T12:00:00.000Z' }));
  test.pass(MINUTE);
  const { batch } = await summary();
  await listed(lorry({ end_time: '2026-11-21T14:00:00.000Z' }));
  expect((await summary(`?since=${batch}`)).changes).toMatchObject([
    {
      kind: 'changed',
      fields: ['end_time'],
      end_time_from: '2026-11-21T12:00:00.000Z',
      end_time: '2026-11-21T14:00:00.000Z',
    },
  ]);
  test.pass(MINUTE);
  await listed(lorry({ end_time: '2026-11-21T12:00:00.000Z' }));
  expect((await summary(`?since=${batch}`)).changes).toEqual([]);
});

it('tells cleared incidents from incidents that are only no longer reported', async () => {
  await listed(lorry());
  const { batch } = await summary();
  const seen = test.now().toISOString();
  test.pass(300 * MINUTE);
  rosa = (await test.signIn()).access_token;
  await disruptions(test.db).expire({ source: 'national-highways', now: test.now(), maxAgeMinutes: 60 });
  const found = await summary(`?since=${batch}`);
  expect(found.counts).toEqual({ new: 0, worse: 0, cleared: 0, lost: 1 });
  expect(found.changes).toMatchObject([{ kind: 'lost', at: seen, ended_reason: 'expired' }]);
});

it('begins with the shift, the last look, the day, or a time', async () => {
  await listed(lorry()); // at 09:00
  expect(await summary()).toMatchObject({ since: '2026-11-21T06:00:00.000Z', total: 1, looked: null });
  // There was no look yet: it counts since the shift began.
  expect(await summary('?since=looked')).toMatchObject({ since: '2026-11-21T06:00:00.000Z', total: 1 });
  expect(await summary('?since=2026-11-21T09:00:01Z')).toMatchObject({ total: 0 });
  expect(await summary('?since=2026-11-21T08:59:59Z')).toMatchObject({ total: 1 });
  test.pass(5 * 60 * MINUTE); // 14:00: the next shift
  rosa = (await test.signIn()).access_token;
  expect(await summary()).toMatchObject({ since: '2026-11-21T14:00:00.000Z', total: 0 });
  expect(await summary('?since=day')).toMatchObject({ since: '2026-11-20T14:00:00.000Z', total: 1 });
  expect((await test.get('/api/v1/changes/summary?since=soon', rosa)).statusCode).toBe(422);
});

it('two devices of one user have the same look; a look never goes back, and belongs to one user', async () => {
  await test.addUser({ id: 'sam', email: 'sam@coaches.example' });
  const sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
  const other = (await test.signIn()).access_token;
  await listed(lorry());
  const { batch } = await summary();
  expect((await look(batch)).statusCode).toBe(204);
  expect(await summary('?since=looked', other)).toMatchObject({ looked: { batch }, total: 0 });
  await look(batch - 1, other);
  expect((await summary()).looked).toEqual({ batch, at: test.now().toISOString() });
  expect((await summary('', sam)).looked).toBeNull();
  // A device that has batches which this log never had.
  await look(batch + 1000, other);
  expect((await summary()).looked).toMatchObject({ batch });
  expect((await look(-1)).statusCode).toBe(422);
});

it('forgets a reading that failed, and reads again', async () => {
  await listed(lorry());
  await sql`alter table disruption_versions rename to not_now`.execute(test.db);
  try {
    expect((await test.get('/api/v1/changes/summary?since=0', rosa)).statusCode).toBe(500);
  } finally {
    await sql`alter table not_now rename to disruption_versions`.execute(test.db);
  }
  expect((await summary('?since=0')).total).toBe(1);
});

it('leaves changes that are written while it reads to the next answer', async () => {
  await listed(lorry());
  const asked = { userId: 'rosa', teamId: 'everyone', shiftStarts: ['06:00'], isPerson: true };
  const racing = afterReading(test.db, 'revisions', () => listed(lorry(), queue));
  const summaries = changesSummary(racing);
  const of = async () => {
    const { batch, changes } = await summaries.answer(
      asked,
      { since: { batch: 0 }, screen: 'board' },
      test.now(),
    );
    return [batch, changes.map(({ event_id }) => event_id)];
  };
  expect(await of()).toEqual([1, ['national-highways:lorry']]);
  expect(await of()).toEqual([2, ['national-highways:lorry', 'national-highways:queue']]);
});

it('has the same ETag while nothing changes', async () => {
  await listed(lorry());
  const headers = { authorization: `Bearer ${rosa}` };
  const first = await test.app.inject({ url: '/api/v1/changes/summary', headers });
  const again = await test.app.inject({
    url: '/api/v1/changes/summary',
    headers: { ...headers, 'if-none-match': String(first.headers['etag']) },
  });
  expect(again.statusCode).toBe(304);
});

it('counts own reports since a look, also those before the next public change', async () => {
  const report = async (title: string) => {
    const made = { id: randomUUID(), title, place: 'Leeds', severity: 'high' };
    expect((await test.post('/api/v1/reports/', made, rosa)).statusCode).toBe(201);
    test.pass(3 * MINUTE);
  };
  const titles = async (since: string | number) =>
    (await summary(`?since=${since}`)).changes.map(({ title }) => title).toSorted();
  await listed(lorry());
  const { batch } = await summary();
  test.pass(3 * MINUTE);
  await report('Seen');
  const seen = `${batch}&seen_at=${test.now().toISOString()}`;
  await look(batch);
  test.pass(3 * MINUTE);
  expect(await titles(seen)).toEqual([]);
  await report('Tree down');
  expect(await titles(seen)).toEqual(['Leeds: Tree down']);
  expect(await titles('looked')).toEqual(['Leeds: Tree down']);
  await listed(lorry(), queue);
  expect(await titles(seen)).toEqual(['Leeds: Tree down', queue.title].toSorted());
  expect(await titles(batch)).toEqual(['Leeds: Seen', 'Leeds: Tree down', queue.title].toSorted());
});

it('counts own reports from the answer that was looked at, and none that was in it', async () => {
  const report = async (title: string) => {
    const made = { id: randomUUID(), title, place: 'Leeds', severity: 'high' };
    expect((await test.post('/api/v1/reports/', made, rosa)).statusCode).toBe(201);
    test.pass(10_000);
  };
  const titles = async (query: string) => (await summary(query)).changes.map(({ title }) => title).toSorted();
  await listed(lorry());
  test.pass(MINUTE);
  await report('In the answer');
  const { batch } = await summary();
  const seen_at = test.now().toISOString();
  test.pass(1000);
  await report('After the answer');
  await look(batch, rosa, seen_at);
  expect(await titles('?since=looked')).toEqual(['Leeds: After the answer']);
  // A visit goes on with the look before it, even when there are newer ones.
  await listed(lorry(), queue);
  await look((await summary()).batch);
  const during = `?since=${batch}&seen_at=${seen_at}`;
  expect(await titles(during)).toEqual(['Leeds: After the answer', queue.title].toSorted());
  // The device's clock may be ahead.
  await look((await summary()).batch, rosa, '2099-01-01T00:00:00.000Z');
  expect((await summary()).looked!.at).toBe(test.now().toISOString());
});

it('counts the team’s own reports as any other, and for people alone', async () => {
  await listed();
  const send = async (method: 'POST' | 'PATCH', path: string, payload: object, rev?: number) => {
    test.pass(MINUTE);
    const headers = { authorization: `Bearer ${rosa}`, ...(rev && { 'if-match': String(rev) }) };
    const reply = await test.app.inject({ method, url: `/api/v1/reports${path}`, headers, payload });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
  };
  const report = async (title: string, place = 'Leeds') => {
    const id = randomUUID();
    await send('POST', '/', { id, title, place, severity: 'high' });
    const { reports } = (await test.get('/api/v1/responses', rosa)).json<ResponseList>();
    return `/${encodeURIComponent(reports.find((one) => one.disruption.event_id.endsWith(id))!.disruption.event_id)}`;
  };
  const [old, over] = [await report('Tree down'), await report('Crash')];
  test.pass(MINUTE);
  const since = `?since=${test.now().toISOString()}`;
  expect((await summary(since)).counts).toEqual({ new: 0, worse: 0, cleared: 0, lost: 0 });
  await send('PATCH', old, { severity: 'critical' }, 1);
  await send('PATCH', over, { ended: true }, 1);
  const fresh = await report('Flood');
  expect((await summary(since)).counts).toEqual({ new: 1, worse: 1, cleared: 1, lost: 0 });
  await send('PATCH', fresh, { severity: 'critical' }, 1);
  const { counts, changes } = await summary(since);
  expect(counts).toEqual({ new: 1, worse: 2, cleared: 1, lost: 0 });
  expect(changes.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
    'cleared Leeds: Crash',
    'new Leeds: Flood',
    'worse Leeds: Tree down',
  ]);
  const { key } = (await test.post('/api/v1/keys', { name: 'Program' }, rosa)).json<{ key: string }>();
  expect((await summary(since, key)).total).toBe(0);
  test.pass(24 * 60 * MINUTE);
  await ownReports(test.db).endDue(test.now());
  expect((await summary(since, (await test.signIn()).access_token)).counts).toMatchObject({ lost: 2 });
});

it('another team has its own shift, routes and looks, and nothing of ours', async () => {
  await test.close();
  test = await openTestApp({ config: { teams: 'many' } });
  const ids = { rosa: '', sam: '' };
  const tokens = { rosa: '', sam: '' };
  for (const id of ['rosa', 'sam'] as const) {
    await test.addUser({ id, display_name: id, email: `${id}@coaches.example` });
    ids[id] = (await teams(test.db, 'many').create(`Team of ${id}`, test.now())).id;
    await teams(test.db, 'many').put(id, ids[id], 'lead', test.now());
    tokens[id] = (await test.signIn({ email: `${id}@coaches.example` })).access_token;
  }
  const made = await test.app.inject({
    method: 'POST',
    url: '/api/v1/watches',
    headers: { authorization: `Bearer ${tokens.rosa}` },
    payload: ROUTE,
  });
  expect(made.statusCode, made.body).toBe(201);
  await listed(lorry({ severity: 'critical' }));
  const watch_id = made.json<{ id: string }>().id;
  await test.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', watchIds: [watch_id] },
      [
        {
          watch_id,
          subject: 'disruption',
          subject_id: 'national-highways:lorry',
          level: 'certain',
          why: 'names the M62',
          from_km: 1,
          to_km: 2,
          off_m: null,
        },
      ],
      { at: test.now(), batch: 1, endKind: () => 'ended' },
    ),
  );

  const onRoutes = (token: string) => summary('?since=day&screen=routes', token);
  expect(await onRoutes(tokens.rosa)).toMatchObject({ counts: { new: 1 }, total: 1, unseen: 1 });
  expect((await onRoutes(tokens.rosa)).changes).toMatchObject([{ watch_ids: [watch_id] }]);
  expect(await onRoutes(tokens.sam)).toMatchObject({ counts: { new: 0 }, changes: [], unseen: null });
  expect((await onRoutes(tokens.sam)).total).toBe(0);
  // Both are the same for the whole board.
  const board = (token: string) => summary('?since=day&screen=board', token);
  expect((await board(tokens.sam)).changes).toEqual((await board(tokens.rosa)).changes);
  await look((await board(tokens.rosa)).batch, tokens.rosa);
  expect((await board(tokens.rosa)).unseen).toBe(0);
  expect((await board(tokens.sam)).looked).toBeNull();
  expect(JSON.stringify(await board(tokens.rosa))).not.toContain(watch_id);
  await test.post(
    '/api/v1/reports',
    { id: randomUUID(), title: 'Tree', place: 'Leeds', severity: 'high' },
    tokens.rosa,
  );
  expect([(await board(tokens.rosa)).counts.new, (await board(tokens.sam)).counts.new]).toEqual([2, 1]);
});

it('counts as unseen only incidents that are critical, active and certainly on a route now', async () => {
  const made = await test.post('/api/v1/watches', ROUTE, rosa);
  expect(made.statusCode, made.body).toBe(201);
  const watch_id = made.json<{ id: string }>().id;
  const ids = ['now', 'planned', 'over', 'left'];
  const all = ids.map((id) =>
    record(`national-highways:${id}`, {
      severity: 'critical',
      ...(id === 'planned' && { phase: 'planned' as const, start_time: '2026-11-22T08:00:00.000Z' }),
    }),
  );
  await listed(...all);
  const touch = (some: string[]) =>
    test.db.transaction().execute((trx) =>
      matches(trx).settle(
        { subject: 'disruption', watchIds: [watch_id] },
        some.map((id) => ({
          watch_id,
          subject: 'disruption' as const,
          subject_id: `national-highways:${id}`,
          level: 'certain' as const,
          why: 'names the M62',
          from_km: 1,
          to_km: 2,
          off_m: null,
        })),
        { at: test.now(), batch: 1, endKind: () => 'ended' },
      ),
    );
  await touch(ids);
  expect(await summary('?screen=routes')).toMatchObject({ total: 4, counts: { new: 3 }, unseen: 3 });
  test.pass(MINUTE);
  await listed(...all.filter(({ event_id }) => !event_id.endsWith('over')));
  await touch(['now', 'planned', 'over']);
  expect(await summary('?screen=routes')).toMatchObject({ counts: { new: 2 }, unseen: 1 });
  // A deleted route belongs to nobody.
  await test.db.updateTable('watches').set({ archived_at: test.now().toISOString() }).execute();
  expect(await summary('?screen=routes')).toMatchObject({ total: 0, unseen: null });
});

it('counts planned incidents in no count, but lists them', async () => {
  await listed(lorry({ phase: 'planned', start_time: '2026-11-22T08:00:00.000Z' }));
  expect(await summary()).toMatchObject({ total: 1, counts: { new: 0 } });
});

it('counts two reports of one incident once', async () => {
  const nsi = { toc_code: 'SW', toc_name: 'SW', status: 'Minor delays' };
  await poll(
    test.db,
    'kb-incidents',
    [record('kb-incidents:A', { event_type: 'rail.incident' })],
    test.now(),
  );
  await poll(
    test.db,
    'nsi-service',
    [
      record('nsi-service:SW', {
        event_type: 'rail.operator_status',
        metadata: {
          related_event_ids: ['kb-incidents:A'],
          nsi: { ...nsi, service_groups: [{ current_disruption: 'A' }] },
        } as never,
      }),
    ],
    test.now(),
  );
  expect(await summary()).toMatchObject({ total: 1, counts: { new: 1 } });
});

it('says that older changes are not kept, and reads the day for a batch that the log never had', async () => {
  await listed(lorry());
  test.pass(MINUTE);
  await listed(lorry({ severity: 'critical' }));
  expect(await summary('?since=0')).toMatchObject({ complete: true, total: 1 });
  await test.db.deleteFrom('changes').where('kind', '=', 'began').execute();
  const cut = await summary('?since=0');
  expect(cut.complete).toBe(true); // the answer comes from memory: nothing has changed since
  test.pass(MINUTE);
  await listed(lorry({ severity: 'high' }));
  expect(await summary('?since=0')).toMatchObject({
    complete: false,
    kept_from: '2026-11-21T09:01:00.000Z',
  });
  expect(await summary('?since=999999')).toMatchObject({ since: '2026-11-20T09:02:00.000Z' });
});

it('reads 7 days at most, and says since when, whatever is asked', async () => {
  await listed(queue, lorry({ severity: 'medium' }));
  test.pass(8 * 24 * 60 * MINUTE);
  rosa = (await test.signIn()).access_token;
  expect(await summary('?since=0')).toMatchObject({ complete: false, total: 0 });
  await listed(queue, lorry({ severity: 'critical' }));
  for (const since of ['0', '2026-01-01T00:00:00Z'])
    expect(await summary(`?since=${since}`), since).toMatchObject({
      since: '2026-11-22T09:00:00.000Z',
      kept_from: '2026-11-22T09:00:00.000Z',
      complete: false,
      total: 1,
      counts: { new: 0, worse: 1 },
    });
  expect(await summary('?since=2026-11-22T09:00:00Z')).toMatchObject({ complete: true, total: 1 });
});

it('takes back a look that is from another database, such as before a backup was restored', async () => {
  await listed(lorry());
  const { batch } = await summary();
  await test.db
    .insertInto('looks')
    .values({ user_id: 'rosa', screen: 'board', batch: batch + 500, at: test.now().toISOString() })
    .execute();
  await look(batch);
  expect((await summary()).looked).toMatchObject({ batch });
});
