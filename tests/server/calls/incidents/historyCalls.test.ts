import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayAfter } from '#contract/watches/departures.ts';
import type { HistoryBoard, HistoryTimeline, WatchHistory } from '#contract/history/history.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';

const MINUTE = 60_000;

let test: TestApp;
let token: string;

async function start(teams: 'one' | 'many' = 'one') {
  test = await openTestApp({ config: { teams } });
  await test.addUser();
  token = (await test.signIn()).access_token;
}
afterEach(() => test.close());

const get = async <T>(path: string, status = 200, as = token) => {
  const reply = await test.get(`/api/v1/history/${path}`, as);
  expect(reply.statusCode, reply.body).toBe(status);
  return reply.json<T>();
};
const boardAt = (at: string) => get<HistoryBoard>(`board?at=${at}`);
const titles = ({ feeds }: HistoryBoard) => feeds.flatMap(({ events }) => events.map(({ title }) => title));

/** A poll that is noted in the poll log as well. */
async function noted(source: string, records: Parameters<typeof poll>[2], at: Date, ok = true) {
  if (ok) await poll(test.db, source, records, at);
  const figures = { ms: 1, records: records.length, changed: 0 };
  if (ok)
    await collections(test.db).noteSuccess(source, {
      now: at,
      nextRun: null,
      skipped: 0,
      problems: [],
      complete: true,
      figures,
    });
  else
    await collections(test.db).noteFailure(source, {
      now: at,
      nextRun: null,
      error: 'No answer',
      figures: { ...figures, error_kind: 'unreachable' },
    });
}
const at = (time: string) => new Date(time);

describe('the board of a time', () => {
  beforeEach(() => start());

  it('is refused before anything was recorded, in words with the day', async () => {
    expect(await get('board?at=2026-11-21T08:00:00Z', 404)).toMatchObject({
      detail: 'Nothing was recorded yet.',
    });
    await noted('tfl', [record('tfl:one')], at('2026-08-23T06:00:00Z'));
    expect(await get('board?at=2026-08-22T08:00:00Z', 404)).toMatchObject({
      detail: 'Nothing was recorded before 23 August.',
    });
    expect(await get('board?at=2026-08-23T05:59:00Z', 404)).toMatchObject({
      detail: 'Nothing was recorded before 07:00 on 23 August.',
    });
    expect(await get('board?at=2020-01-01T00:00:00Z', 404)).toMatchObject({
      detail: 'Nothing was recorded before 23 August.',
    });
  });

  it('is refused for the future and for words that are not a time', async () => {
    await noted('tfl', [], test.now());
    expect(await get('board?at=2027-01-01T00:00:00Z', 422)).toMatchObject({
      detail: 'at must not be in the future',
    });
    for (const bad of ['', '?at=', '?at=yesterday', '?at=2026-11-21', '?when=2026-11-21T08:00:00Z'])
      await get(`board${bad}`, 422);
  });

  it('has an incident in the words that it had then, and says since when a source had not answered', async () => {
    await noted('tfl', [record('tfl:one', { title: 'Minor delays' })], at('2026-11-21T07:00:00Z'));
    await noted(
      'tfl',
      [record('tfl:one', { title: 'Severe delays', severity: 'high' })],
      at('2026-11-21T07:02:00Z'),
    );
    await noted('tfl', [], at('2026-11-21T08:30:00Z'), false);
    await noted('tfl', [], at('2026-11-21T08:40:00Z'));

    expect(titles(await boardAt('2026-11-21T07:01:00Z'))).toEqual(['Minor delays']);
    const silent = await boardAt('2026-11-21T08:35:00Z');
    expect(titles(silent)).toEqual(['Severe delays']);
    const [rail] = silent.feeds;
    expect(rail!.feed.sources.find(({ source }) => source === 'tfl')).toMatchObject({
      freshness: 'stale',
      last_collected: '2026-11-21T07:02:00.000Z',
    });
    expect(titles(await boardAt('2026-11-21T08:45:00Z'))).toEqual([]);
  });

  it('has the jobs of its day for people, never for a key', async () => {
    await noted('tfl', [record('tfl:one')], test.now());
    const job = { day: test.now().toISOString().slice(0, 10), leaves_local: '09:00', trip: 'Leeds to York' };
    await test.post('/api/v1/jobs', job, token);
    const night = { ...job, day: dayAfter(job.day, -1), leaves_local: '23:30' };
    await test.post('/api/v1/jobs', night, token);
    const key = (await test.post('/api/v1/keys', { name: 'Reader' }, token)).json<{ key: string }>().key;
    test.pass(MINUTE);
    const board = `board?at=${test.now().toISOString()}`;
    const jobsFor = async (as: string) =>
      (await get<HistoryBoard>(board, 200, as)).jobs?.map(({ time }) => time);
    expect([await jobsFor(token), await jobsFor(key)]).toEqual([['20 Nov 23:30', '09:00'], undefined]);
  });

  it('is limited to a place by positions of that time, and counts incidents without one', async () => {
    await noted(
      'tfl',
      [
        record('tfl:here', { title: 'Here', latitude: 53.8, longitude: -1.55 }),
        record('tfl:moves', { title: 'Moves', latitude: 53.81, longitude: -1.5 }),
        record('tfl:far', { title: 'Far', latitude: 51.5, longitude: -0.1 }),
        record('tfl:nowhere', { title: 'Nowhere', latitude: null, longitude: null }),
      ],
      at('2026-11-21T07:00:00Z'),
    );
    await noted(
      'tfl',
      [
        record('tfl:here', { title: 'Here', latitude: 53.8, longitude: -1.55 }),
        record('tfl:moves', { title: 'Moves', latitude: 52.0, longitude: -1.5 }),
      ],
      at('2026-11-21T07:10:00Z'),
    );
    const near = '&near=53.8,-1.55&radius_km=20';
    const then = await boardAt(`2026-11-21T07:05:00Z${near}`);
    expect(titles(then).sort()).toEqual(['Here', 'Moves']);
    expect(then.near).toEqual({ label: '53.8, -1.55', radius_km: 20, without_position: 1 });
    expect(then.feeds.flatMap(({ feed }) => feed.alert_count).reduce((a, b) => a + b)).toBe(2);
    expect(titles(await boardAt(`2026-11-21T07:11:00Z${near}`))).toEqual(['Here']);
    expect((await boardAt('2026-11-21T07:05:00Z')).near).toBeUndefined();
    await get('board?at=2026-11-21T07:05:00Z&near=Xyzzyqwv', 422);
  });

  it('shows a source that no longer exists in the feed of its incidents', async () => {
    await noted(
      'old-motorways',
      [record('old-motorways:one', { title: 'M6 closed' })],
      at('2026-11-20T07:00:00Z'),
    );
    await noted(
      'old-motorways',
      [record('old-motorways:one', { title: 'M6 closed' })],
      at('2026-11-20T07:05:00Z'),
    );
    await noted('tfl', [], at('2026-11-20T07:05:00Z'));
    await test.db
      .updateTable('disruptions')
      .set({ ended_at: '2026-11-20T12:00:00.000Z', ended_reason: 'expired' })
      .execute();

    const then = await boardAt('2026-11-20T07:06:00Z');
    const roads = then.feeds.find(({ feed }) => feed.slug === 'roads-uk')!;
    expect(roads.events.map(({ title }) => title)).toEqual(['M6 closed']);
    expect(roads.feed.alert_count).toBe(1);
    expect(roads.feed.sources).toContainEqual(
      expect.objectContaining({ source: 'old-motorways', event_count: 1, freshness: 'fresh' }),
    );
    const later = await boardAt('2026-11-20T13:00:00Z');
    const then2 = later.feeds.find(({ feed }) => feed.slug === 'roads-uk')!;
    expect(then2.feed.sources.map(({ source }) => source)).not.toContain('old-motorways');
  });

  it('is known again after the clocks went back, with two times 01:30', async () => {
    await noted('tfl', [record('tfl:one', { title: 'In summer' })], at('2026-10-25T00:20:00Z'));
    await noted('tfl', [record('tfl:two', { title: 'In winter' })], at('2026-10-25T01:20:00Z'));
    await noted('tfl', [record('tfl:two', { title: 'In winter' })], at('2026-10-25T01:21:00Z'));
    expect(titles(await boardAt('2026-10-25T01:30:00%2B01:00'))).toEqual(['In summer']);
    expect(titles(await boardAt('2026-10-25T01:30:00Z'))).toEqual(['In winter']);
    const night = await get<HistoryTimeline>('timeline?from=2026-10-25&to=2026-10-25');
    expect(night).toMatchObject({ from: '2026-10-24T23:00:00.000Z', to: '2026-10-26T00:00:00.000Z' });
    expect(night.changes.map((change) => change.at.slice(11, 16))).toEqual(['00:20', '01:20']);
  });

  it('ends where the record was pruned', async () => {
    await noted('tfl', [record('tfl:one')], at('2026-08-01T06:00:00Z'));
    await noted('tfl', [record('tfl:two')], at('2026-09-10T06:00:00Z'));
    expect(titles(await boardAt('2026-08-02T06:00:00Z'))).toHaveLength(1);
    await disruptions(test.db).prune(at('2026-09-01T00:00:00Z'));
    expect(await get('board?at=2026-08-02T06:00:00Z', 404)).toMatchObject({
      detail: 'Nothing was recorded before 10 September.',
    });
    expect(titles(await boardAt('2026-09-10T07:00:00Z'))).toHaveLength(1);
    const left = await test.db.selectFrom('content_versions').select('event_id').execute();
    expect(left).toEqual([]);
  });

  it('knows the freshness of a folded hour by its sums', async () => {
    await noted('tfl', [record('tfl:one')], at('2026-09-01T06:00:00Z'));
    await test.db.deleteFrom('polls').execute();
    const hour = { source: 'tfl', polls: 60, failed: 0, ms_p50: 1, ms_p95: 1 };
    await test.db
      .insertInto('polls_hourly')
      .values([
        { ...hour, hour: '2026-09-01T06:00:00.000Z', fresh_s: 3600 },
        { ...hour, hour: '2026-09-01T07:00:00.000Z', fresh_s: 600 },
      ])
      .execute();
    const tfl = async (time: string) =>
      (await boardAt(time)).feeds[0]!.feed.sources.find(({ source }) => source === 'tfl');
    expect(await tfl('2026-09-01T06:30:00Z')).toMatchObject({ freshness: 'fresh' });
    expect(await tfl('2026-09-01T09:00:00Z')).toMatchObject({
      freshness: 'stale',
      last_collected: '2026-09-01T07:10:00.000Z',
    });
  });
});

describe('the timeline', () => {
  beforeEach(() => start());

  it('marks each minute with changes once, and when a source was silent', async () => {
    await noted('tfl', [record('tfl:one'), record('tfl:two')], at('2026-11-21T06:00:10Z'));
    await noted('tfl', [record('tfl:one')], at('2026-11-21T06:00:50Z'));
    for (const time of ['08:30', '08:40', '08:50'])
      await noted('tfl', [record('tfl:one')], at(`2026-11-21T${time}:00Z`));
    const { changes, silent, from, to } = await get<HistoryTimeline>('timeline');
    expect({ from, to }).toEqual({ from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' });
    expect(changes).toEqual([{ at: '2026-11-21T06:00:50.000Z', count: 3 }]);
    expect(silent).toEqual([
      { source: 'tfl', from: '2026-11-21T06:00:50.000Z', to: '2026-11-21T08:30:00.000Z' },
    ]);
  });

  it('refuses a span that is backwards or longer than a week', async () => {
    expect(await get('timeline?from=2026-11-21&to=2026-11-20', 422)).toMatchObject({
      detail: 'from must be before to',
    });
    expect(await get('timeline?from=2026-11-01&to=2026-11-20', 422)).toMatchObject({
      detail: 'from and to must be at most a week apart',
    });
    await get('timeline?from=2026-02-30', 422);
  });
});

describe('the incidents that touched a route', () => {
  const ROUTE = {
    kind: 'route',
    name: 'Leeds–Heathrow',
    made_by: 'junctions',
    legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
    geometry: null,
    reach_m: null,
    departures: [],
  };
  const create = async (as = token) =>
    (
      await test.app.inject({
        method: 'POST',
        url: '/api/v1/watches',
        headers: { authorization: `Bearer ${as}` },
        payload: ROUTE,
      })
    ).json<Watch>();
  const settle = (watch_id: string, found: { id: string; level: 'certain' | 'possible' }[]) =>
    test.db.transaction().execute((trx) =>
      matches(trx).settle(
        { subject: 'disruption', watchIds: [watch_id] },
        found.map(({ id, level }) => ({
          watch_id,
          subject: 'disruption' as const,
          subject_id: id,
          level,
          why: 'names the M62, J27 to J28',
          from_km: 1,
          to_km: 2,
          off_m: 10,
        })),
        { at: test.now(), batch: 1, endKind: () => 'ended' },
      ),
    );
  const NH = 'national-highways';

  it('is listed certain and possible apart, each as grave as it was at worst, in the words of then', async () => {
    await start();
    const bad = record(`${NH}:1`, { title: '=HYPERLINK("x"), M62', severity: 'critical' });
    await noted(NH, [bad, record(`${NH}:2`)], test.now());
    const watch = await create();
    await settle(watch.id, [
      { id: `${NH}:1`, level: 'certain' },
      { id: `${NH}:2`, level: 'possible' },
    ]);
    test.pass(5 * MINUTE);
    await noted(
      NH,
      [
        {
          ...bad,
          severity: 'low',
          title: 'M62 open again',
        },
        record(`${NH}:2`),
      ],
      test.now(),
    );
    test.pass(5 * MINUTE);
    await settle(watch.id, [{ id: `${NH}:2`, level: 'possible' }]);

    const month = await get<WatchHistory>(`watches/${watch.id}?from=2026-11-01&to=2026-11-30`);
    expect(month).toMatchObject({
      watch: { id: watch.id, name: 'Leeds–Heathrow' },
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      total: 2,
      complete: true,
    });
    expect(month.certain).toMatchObject([
      { event_id: `${NH}:1`, severity: 'critical', ended_at: '2026-11-21T09:10:00.000Z', end_kind: 'ended' },
    ]);
    expect(month.possible).toMatchObject([{ event_id: `${NH}:2`, severity: 'medium', ended_at: null }]);

    const none = await get<WatchHistory>(`watches/${watch.id}?from=2026-11-01&to=2026-11-20`);
    expect(none.total).toBe(0);

    const csv = await test.get(`/api/v1/history/watches/${watch.id}?format=csv`, token);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expect(csv.headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''Leeds-Heathrow-2026-10-22.csv",
    );
    expect(csv.body.split('\r\n')).toEqual([
      '\uFEFFlevel,severity,title,source,source_name,why,from_km,to_km,began_at,ended_at,end_kind,event_id',
      `certain,critical,"'=HYPERLINK(""x""), M62",${NH},National Highways,"names the M62, J27 to J28",1,2,2026-11-21T09:00:00.000Z,2026-11-21T09:10:00.000Z,ended,${NH}:1`,
      `possible,medium,Incident ${NH}:2,${NH},National Highways,"names the M62, J27 to J28",1,2,2026-11-21T09:00:00.000Z,,,${NH}:2`,
      '',
    ]);
  });

  it('is as grave as it was while it touched the route, whatever it has become since', async () => {
    await start();
    await noted(NH, [record(`${NH}:1`, { severity: 'low' })], test.now());
    const watch = await create();
    await settle(watch.id, [{ id: `${NH}:1`, level: 'certain' }]);
    test.pass(5 * MINUTE);
    await settle(watch.id, []);
    test.pass(5 * MINUTE);
    await noted(NH, [record(`${NH}:1`, { severity: 'critical' })], test.now());
    expect((await get<WatchHistory>(`watches/${watch.id}`)).certain).toMatchObject([{ severity: 'low' }]);
  });

  it('is not there for another team', async () => {
    await start('many');
    const watch = await create();
    await test.addUser({ id: 'sam', email: 'sam@ferries.example' });
    const sam = (await test.signIn({ email: 'sam@ferries.example' })).access_token;
    expect(await get(`watches/${watch.id}`, 404, sam)).toMatchObject({
      detail: 'There is no such route. It may have been deleted.',
    });
    await get(`watches/${watch.id}?format=csv`, 404, sam);
    await get(`watches/${watch.id}?from=2026-11-30&to=2026-11-01`, 422);
    expect((await get<WatchHistory>(`watches/${watch.id}`)).total).toBe(0);
  });
});
