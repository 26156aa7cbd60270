import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Filter, FilterList, FilterPreview, NewSecretAddress } from '#contract/filters.ts';
import { FILTER_LIMITS } from '#contract/filters.ts';
import { events } from '../../../server/db/events.ts';
import { filters } from '../../../server/db/filters.ts';
import * as cleanFilters from '../../../server/db/migrations/0033-clean-filters.ts';
import { EVERYONE, teams } from '../../../server/db/teams.ts';
import { watches } from '../../../server/db/watches.ts';
import { watchRequest } from '../../../server/docs/examples.ts';
import { event } from '../events/oneEvent.ts';
import { poll } from '../feedsWorld.ts';
import { MINUTE_MS, openFormatsWorld, type FormatsWorld } from '../formats/formatsWorld.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
});
afterEach(() => world.close());

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) =>
  world.app.inject({
    method,
    url: `/api/v1/filters${path}`,
    headers: { authorization: `Bearer ${world.token}`, ...headers },
    ...(payload && { payload }),
  });

async function make(query = 'feed=roads-uk', name = 'Roads'): Promise<Filter> {
  const reply = await call('POST', '', { name, query });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Filter>();
}

it('a calendar has the events near its place with a key, and incidents only at its secret address', async () => {
  const concert = event({ id: 'concert', name: 'A concert', start: '2026-11-22T19:30:00.000Z' });
  await events(world.db).store({ source: 'hall', arriving: [concert], now: world.now() });
  const { id } = await make('near=Leeds');
  const { path } = (await call('POST', `/${id}/address`)).json<NewSecretAddress>();
  expect((await world.ask(`/filters/${id}.ics`)).body).toContain('A concert');
  const secret = await world.get(`${path}.ics`);
  expect(secret.statusCode).toBe(200);
  expect(secret.body).toContain('BEGIN:VCALENDAR');
  expect(secret.body).not.toContain('A concert');
});

describe('saved filters', () => {
  it('are listed for the team, in the order in which they were made', async () => {
    const first = await make('min_severity=high&feed=roads-uk', 'Worst roads');
    expect(first).toMatchObject({
      name: 'Worst roads',
      query: 'feed=roads-uk&min_severity=high',
      version: 1,
      address: null,
      created_by: { display_name: 'Rosa' },
    });
    world.pass(MINUTE_MS);
    const second = await make('source=tfl');
    const list = (await call('GET', '')).json<FilterList>();
    expect([list.total, list.filters.map(({ id }) => id)]).toEqual([2, [first.id, second.id]]);
    expect((await call('GET', `/${first.id}`)).json()).toEqual(first);
  });

  it('are changed and deleted by leads alone once others read what they find', async () => {
    const [read, posted, plain] = [await make(), await make(), await make()];
    await call('POST', `/${read.id}/address`);
    await call('POST', `/${posted.id}/webhooks`, { name: 'Office', url: 'https://hooks.example/1' });
    const { filters } = (await call('GET', '')).json<FilterList>();
    const going = filters.filter(({ goes_out }) => goes_out).map(({ id }) => id);
    expect(new Set(going)).toEqual(new Set([read.id, posted.id]));
    const change = { query: 'min_severity=low' };
    const asMember = async ({ id }: Filter) => [
      (await call('PATCH', `/${id}`, change)).statusCode,
      (await call('PATCH', `/${id}`, { name: 'Roads of ours' })).statusCode,
      (await call('DELETE', `/${id}`)).statusCode,
    ];
    const rosa = plain.created_by!.id!;
    await teams(world.db, 'one').put(rosa, EVERYONE, 'member', world.now());
    expect(await asMember(read)).toEqual([403, 200, 403]);
    expect(await asMember(posted)).toEqual([403, 200, 403]);
    expect(await asMember(plain)).toEqual([200, 200, 204]);

    await teams(world.db, 'one').put(rosa, EVERYONE, 'lead', world.now());
    expect((await call('PATCH', `/${read.id}`, change)).statusCode).toBe(200);
    await call('DELETE', `/${read.id}/address`);
    await teams(world.db, 'one').put(rosa, EVERYONE, 'member', world.now());
    expect(await asMember(read)).toEqual([200, 200, 204]);
  });

  it('take their conditions as an object as well', async () => {
    const { query } = (
      await call('POST', '', { name: 'X', query: { near: 'Leeds', radius_km: 40, hide_unrated: true } })
    ).json<Filter>();
    expect(query).toBe('hide_unrated=true&near=Leeds&radius_km=40');
  });

  it.each([
    ['sevrity=high', 'sevrity'],
    ['min_severity=huge', 'min_severity'],
    ['source=nobody', 'source'],
    ['near=Xyzzyqwv', 'near'],
    ['watch=unknown', 'watch'],
    ['limit=5', 'limit'],
    ['feed=roads-uk&feed=aviation', 'feed'],
    ['north=1', 'north'],
    ['__proto__=1', '__proto__'],
  ])('%s is refused, naming the parameter', async (query, named) => {
    const reply = await call('POST', '', { name: 'X', query });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain(named);
    expect((await call('GET', '')).json()).toMatchObject({ total: 0 });
  });

  it('that hold control characters of earlier days are readable, without them', async () => {
    const { id } = await make('road=M62');
    world.pass(MINUTE_MS);
    const other = await make('feed=roads-uk&road=M62');
    const { path } = (await call('POST', `/${id}/address`)).json<NewSecretAddress>();
    const save = (one: string, query: string) =>
      world.db.updateTable('filters').set({ query }).where('id', '=', one).execute();
    await save(id, 'q=M62%00%0Aclosed%7F&road=M62%C2%85');
    await save(other.id, 'feed=roads-uk&road=%00');
    expect((await world.get(`${path}.json`)).statusCode).toBe(422);

    await cleanFilters.up(world.db);
    const { filters: saved } = (await call('GET', '')).json<FilterList>();
    expect(saved.map(({ query, version }) => [query, version])).toEqual([
      ['q=M62+closed&road=M62', 1],
      ['feed=roads-uk', 1],
    ]);
    const rows = (await world.get(`${path}.json`)).json<{ events: { event_id: string }[] }>();
    expect(rows.events.map(({ event_id }) => event_id)).toEqual(['national-highways:m62']);
  });

  it('change only from the version that their editor saw', async () => {
    const { id } = await make();
    const changed = await call('PATCH', `/${id}`, { name: 'Better' }, { 'if-match': '1' });
    expect(changed.json()).toMatchObject({ name: 'Better', query: 'feed=roads-uk', version: 2 });
    expect((await call('PATCH', `/${id}`, { name: 'Late' }, { 'if-match': '1' })).statusCode).toBe(409);
    expect((await call('DELETE', `/${id}`, undefined, { 'if-match': '1' })).statusCode).toBe(409);
    expect((await call('DELETE', `/${id}`, undefined, { 'if-match': '"2"' })).statusCode).toBe(204);
    expect((await call('GET', `/${id}`)).statusCode).toBe(404);
  });

  it('are of one team only', async () => {
    await world.close();
    world = await openFormatsWorld({ config: { teams: 'many' } });
    const { id } = await make();
    const other = await world.addUser({ email: 'sam@coaches.example' });
    await teams(world.db, 'many').place(other.id, world.now());
    const { access_token } = await world.signIn(other);
    for (const path of [`/${id}`, `/${id}.json`, `/${id}.csv`, `/${id}.cap/national-highways:m62`])
      expect((await world.get(`/api/v1/filters${path}`, access_token)).statusCode, path).toBe(404);
    expect((await world.get('/api/v1/filters', access_token)).json()).toEqual({ filters: [], total: 0 });
  });

  it(`are at most ${FILTER_LIMITS.filtersPerTeam} a team`, async () => {
    const team = await teams(world.db, 'one').of(
      (await world.addUser({ email: 'x@x.example' })).id,
      world.now(),
    );
    for (let at = 0; at < FILTER_LIMITS.filtersPerTeam; at++)
      await filters(world.db).add(
        { teamId: team.id, userId: (await whoAmI()).id },
        { name: 'F', query: '' },
        world.now(),
      );
    expect((await call('POST', '', { name: 'One more', query: '' })).statusCode).toBe(409);
  });

  const whoAmI = async () => (await world.get('/api/v1/auth/me', world.token)).json<{ id: string }>();
});

describe('the preview', () => {
  it('counts what matches now and what the filter hides', async () => {
    const { matching, hidden, complete, silent } = (
      await call('GET', '/preview?min_severity=high')
    ).json<FilterPreview>();
    expect({ matching, hidden, complete, silent }).toEqual({
      matching: 3,
      hidden: 2,
      complete: true,
      silent: [],
    });
  });

  it('never hides fewer than none: what has ended is not in force', async () => {
    world.pass(MINUTE_MS);
    for (const source of ['national-highways', 'tfl', 'news-rss'])
      await poll(world.db, source, [], world.now());
    const preview = (await call('GET', '/preview?state=ended')).json<FilterPreview>();
    expect([preview.matching, preview.hidden]).toEqual([5, 0]);
  });

  it('names the silent sources that the filter would cover', async () => {
    world.pass(120 * MINUTE_MS);
    const all = (await world.ask('/filters/preview?feed=roads-uk')).json<FilterPreview>();
    expect(all).toMatchObject({ complete: false, silent: [{ source: 'national-highways' }] });
  });
});

describe('min_severity', () => {
  const ids = async (query: string) =>
    (await world.ask(`/disruptions.json?${query}`))
      .json<{ events: { event_id: string }[] }>()
      .events.map(({ event_id }) => event_id);

  it('never hides what its publisher does not rate, unless that is asked', async () => {
    expect(await ids('min_severity=high')).toEqual([
      'national-highways:m62',
      'tfl:victoria',
      'national-highways:odd',
    ]);
    expect(await ids('min_severity=high&hide_unrated=true')).toEqual([
      'national-highways:m62',
      'tfl:victoria',
    ]);
  });

  it.each([
    ['phase=planned', ['national-highways:works']],
    ['phase=active&source=national-highways', ['national-highways:m62', 'national-highways:odd']],
    ['near=53.7,-1.6&radius_km=10', ['national-highways:m62']],
    ['road=m62', ['national-highways:m62']],
    ['hide_unrated=true&phase=active&source=national-highways', ['national-highways:m62']],
  ])('%s finds %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('changes_only leaves out what has not changed for a day', async () => {
    world.pass(25 * 60 * MINUTE_MS);
    expect(await ids('changes_only=true')).toEqual([]);
  });

  it('watch and level take what touches a route of the team', async () => {
    const made = await world.app.inject({
      method: 'POST',
      url: '/api/v1/watches',
      headers: { authorization: `Bearer ${world.token}` },
      payload: watchRequest,
    });
    const { id } = made.json<{ id: string }>();
    await world.db
      .insertInto('matches')
      .values({
        watch_id: id,
        subject: 'disruption',
        subject_id: 'national-highways:m62',
        level: 'possible',
        why: '',
        from_km: 0,
        to_km: 1,
        off_m: 0,
        began_at: world.now().toISOString(),
        batch: 1,
        ended_at: null,
        end_kind: null,
      })
      .execute();
    expect(await ids(`watch=${id}`)).toEqual(['national-highways:m62']);
    expect(await ids(`watch=${id}&level=certain`)).toEqual([]);
    expect(await ids('level=possible')).toEqual(['national-highways:m62']);
    const { id: filterId } = await make(`watch=${id}`);
    expect((await call('GET', `/${filterId}.csv`)).body).toContain('national-highways:m62');
    await watches(world.db).remove(
      {
        teamId: 'everyone',
        id,
        rev: 1,
        userId: (await world.get('/api/v1/auth/me', world.token)).json<{ id: string }>().id,
      },
      world.now(),
    );
    // Not an empty answer, which would look calm.
    expect((await call('GET', `/${filterId}.csv`)).statusCode).toBe(422);
  });
});

describe('a secret address', () => {
  async function withAddress(query?: string, name?: string) {
    const { id } = await make(query, name);
    const reply = await call('POST', `/${id}/address`);
    expect(reply.statusCode, reply.body).toBe(201);
    return { id, ...reply.json<NewSecretAddress>() };
  }

  it('has 256 random bits, is said once, and only its hash is stored', async () => {
    const { id, path } = await withAddress();
    const random = path.slice('/f/'.length);
    expect(Buffer.from(random, 'base64url')).toHaveLength(32);
    expect((await call('GET', `/${id}`)).body).not.toContain(random);
    expect(JSON.stringify(await world.db.selectFrom('filter_addresses').selectAll().execute())).not.toContain(
      random,
    );
    expect((await call('POST', `/${id}/address`)).statusCode).toBe(409);
  });

  it('answers in every format without a credential, and without names', async () => {
    const { path } = await withAddress('feed=roads-uk', 'Rosa’s run');
    for (const ext of ['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'badge']) {
      const reply = await world.get(`${path}.${ext}`);
      expect(reply.statusCode, `${ext} ${reply.body}`).toBe(200);
      expect(reply.body, ext).not.toMatch(/Rosa|everyone/);
      expect(reply.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-clearway-complete': 'true',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('X-Clearway-Stale') as string,
      });
      const again = await world.app.inject({
        url: `${path}.${ext}`,
        headers: { 'if-none-match': String(reply.headers.etag) },
      });
      expect([again.statusCode, again.headers['referrer-policy']]).toEqual([304, 'no-referrer']);
    }
    expect((await world.get(`${path}.cap/national-highways:m62`)).statusCode).toBe(200);
    // Not among what the filter lets through.
    expect((await world.get(`${path}.cap/tfl:victoria`)).statusCode).toBe(404);
    expect((await world.get(`${path}.ics?feed=aviation`)).statusCode).toBe(422);
  });

  it('is 404 once it is revoked, and a new one can be made', async () => {
    const { id, path } = await withAddress();
    expect((await call('DELETE', `/${id}/address`)).statusCode).toBe(204);
    expect((await world.get(`${path}.ics`)).statusCode).toBe(404);
    expect((await call('DELETE', `/${id}/address`)).statusCode).toBe(404);
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ address: null });
    const next = (await call('POST', `/${id}/address`)).json<NewSecretAddress>();
    expect(next.path).not.toBe(path);
    expect((await world.get(`${next.path}.ics`)).statusCode).toBe(200);
  });

  it('is 404 once its filter is deleted', async () => {
    const { id, path } = await withAddress();
    await call('DELETE', `/${id}`);
    expect((await world.get(`${path}.ics`)).statusCode).toBe(404);
  });

  it(`is dead after ${FILTER_LIMITS.unusedDays} days without use, counted from the last`, async () => {
    const { path } = await withAddress();
    world.pass((FILTER_LIMITS.unusedDays - 1) * DAY_MS);
    expect((await world.get(`${path}.ics`)).statusCode).toBe(200);
    world.pass((FILTER_LIMITS.unusedDays - 1) * DAY_MS);
    await filters(world.db).prune(world.now());
    expect((await world.get(`${path}.ics`)).statusCode).toBe(200);
    world.pass(FILTER_LIMITS.unusedDays * DAY_MS);
    expect((await world.get(`${path}.ics`)).statusCode).toBe(404);
    await filters(world.db).prune(world.now());
    expect(await world.db.selectFrom('filter_addresses').selectAll().execute()).toEqual([]);
  });

  it('is masked in the log, however it is written', async () => {
    const { path } = await withAddress();
    const random = path.slice('/f/'.length);
    for (const address of [
      `${path}.ics`,
      `${path}.xls`,
      `/%66/${random}.ics`,
      `//f/${random}.ics`,
      `/f/${random}`,
      `/f/${random}.cap/national-highways:m62`,
    ])
      await world.get(address);
    expect(world.logged()).not.toContain(random);
    expect(world.logged()).toContain('/f/[hidden].ics');
  });

  it('is asked at most so often a minute', async () => {
    const { path } = await withAddress();
    for (let at = 0; at < FILTER_LIMITS.requestsPerAddress; at++) await world.get(`${path}.badge`);
    const refused = await world.get(`${path}.badge`);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    world.pass(MINUTE_MS);
    expect((await world.get(`${path}.badge`)).statusCode).toBe(200);
  });

  it('cannot be guessed at speed from one network', async () => {
    for (let at = 0; at < FILTER_LIMITS.requestsPerNetwork; at++) await world.get(`/f/guess${at}.ics`);
    expect((await world.get('/f/another.ics')).statusCode).toBe(429);
  });
});
