import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnReport } from '#contract/shift/responses.ts';
import { type NewSharedAddress, SHARING_LIMITS, type SharedAddressList } from '#contract/watches/sharing.ts';
import type { Watch } from '#contract/watches/watches.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { addresses } from '../../../../server/watches/sharedAddresses.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { event } from '../../geography/events/import/oneEvent.ts';
import { events } from '../../../../server/geography/events/events.ts';
import { poll, record } from '../../feedsWorld.ts';
import {
  type FormatsWorld,
  MINUTE_MS,
  openFormatsWorld,
  roads,
} from '../../delivery/formats/formatsWorld.ts';

const { reportRequest } = example;

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ROADS = {
  kind: 'feeds',
  made_by: 'feeds',
  which: { feeds: ['roads-uk'] },
};
const AREA = {
  kind: 'area',
  made_by: 'circle',
  geometry: { type: 'Point', coordinates: [-1.549, 53.8] },
  reach_m: 30_000,
  place: 'Leeds',
  which: {},
};

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
});
afterEach(() => world.close());

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { payload, as = world.token, rev }: { payload?: object; as?: string; rev?: number } = {},
) =>
  world.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${as}`, ...(rev && { 'if-match': String(rev) }) },
    ...(payload && { payload }),
  });

async function watch(changes: object = {}, as = world.token): Promise<Watch> {
  const reply = await call('POST', '/watches', { payload: { ...ROADS, ...changes }, as });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Watch>();
}

const within = (ms: number) => new Date(world.now().getTime() + ms).toISOString();

async function address(about: object, form = 'ics', expires_at: string | null = null) {
  const reply = await call('POST', '/addresses', { payload: { ...about, form, expires_at } });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<NewSharedAddress>();
}

const page = (about: object, ms = DAY_MS) => address(about, 'page', within(ms));

const touches = (watch_id: string, ids: Record<string, 'certain' | 'possible' | 'near'>) =>
  world.db.transaction().execute(async (trx) => {
    for (const subject of ['disruption', 'event'] as const)
      await matches(trx).settle(
        { subject, watchIds: [watch_id] },
        Object.entries(ids)
          .filter(([, level]) => (level === 'near') === (subject === 'event'))
          .map(([subject_id, level]) => ({
            watch_id,
            subject,
            subject_id,
            level,
            why: '',
            from_km: null,
            to_km: null,
            off_m: null,
          })),
        { at: world.now(), batch: 1, endKind: () => 'ended' },
      );
  });

describe('a secret address', () => {
  it('is made once if the answer is lost: the first random part opens nothing', async () => {
    const { id } = await watch();
    const asked = { id: randomUUID(), watch_id: id, form: 'json' };
    const make = (changes: object = {}) => call('POST', '/addresses', { payload: { ...asked, ...changes } });
    const [lost, heard] = [await make(), await make()];
    expect([lost.statusCode, heard.statusCode], heard.body).toEqual([201, 201]);
    const [before, now] = [lost, heard].map((reply) => reply.json<NewSharedAddress>());
    expect(now!.id).toBe(before!.id);
    const status = async (path: string) => (await world.app.inject({ url: path })).statusCode;
    expect([await status(before!.path), await status(now!.path)]).toEqual([404, 200]);
    // The address is in use: somebody was shown it.
    expect((await make()).statusCode).toBe(409);
    expect((await make({ form: 'csv' })).statusCode).toBe(409);
    const { addresses: open } = (await call('GET', `/addresses?watch_id=${id}`)).json<SharedAddressList>();
    expect(open).toHaveLength(1);
  });

  it('is one of 200 that a team may have open', async () => {
    const { id } = await watch();
    await address({ watch_id: id });
    const [one] = await world.db.selectFrom('addresses').selectAll().execute();
    const more = Array.from({ length: 199 }, (_, n) => ({ ...one!, id: `${n}`, hash: `${n}` }));
    await world.db.insertInto('addresses').values(more).execute();
    const asked = { watch_id: id, form: 'ics', expires_at: null };
    expect((await call('POST', '/addresses', { payload: asked })).statusCode).toBe(409);
    await call('DELETE', '/addresses/7');
    await address({ watch_id: id });
  });

  it('has 256 random bits, is shown once, and only its hash is stored', async () => {
    const { id } = await watch();
    const { path } = await address({ watch_id: id });
    const random = path.slice('/f/'.length, -'.ics'.length);
    expect(Buffer.from(random, 'base64url')).toHaveLength(32);
    expect((await call('GET', `/addresses?watch_id=${id}`)).body).not.toContain(random);
    expect(JSON.stringify(await world.db.selectFrom('addresses').selectAll().execute())).not.toContain(
      random,
    );
  });

  it('answers without a credential in its form alone, without a typed name or a person', async () => {
    const { id } = await watch({ name: 'Rosa’s run' });
    for (const form of ['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'badge']) {
      const { path } = await address({ watch_id: id }, form);
      const reply = await world.get(path);
      expect(reply.statusCode, `${form} ${reply.body}`).toBe(200);
      expect(reply.body, form).not.toMatch(/Rosa|everyone/);
      expect(reply.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-clearway-complete': 'true',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('X-Clearway-Stale') as string,
      });
      const again = await world.app.inject({
        url: path,
        headers: { 'if-none-match': String(reply.headers.etag) },
      });
      expect([again.statusCode, again.headers['referrer-policy']]).toEqual([304, 'no-referrer']);
      const others = ['json', 'csv', 'ics'].filter((one) => one !== form);
      for (const other of others)
        expect((await world.get(path.replace(/\w+$/, other))).statusCode, `${form} as ${other}`).toBe(404);
      if (form !== 'cap') continue;
      expect((await world.get(`${path}/national-highways:m62`)).statusCode).toBe(200);
      // This incident is not let through.
      expect((await world.get(`${path}/tfl:victoria`)).statusCode).toBe(404);
    }
    const { path } = await address({ watch_id: id });
    expect((await world.get(`${path}?feed=aviation`)).statusCode).toBe(422);
    // An address is no page, nor a page an address.
    const ending = await address({ watch_id: id }, 'ics', within(DAY_MS));
    expect((await world.get(ending.path.replace(/^\/f\/(.+)\.ics$/, '/p/$1'))).statusCode).toBe(404);
    const open = await page({ watch_id: id });
    expect((await world.get(`${open.path.replace('/p/', '/f/')}.ics`)).statusCode).toBe(404);
  });

  it('has the same entries as with a key, events nearby included, under its made name', async () => {
    const concert = event({ id: 'concert', name: 'A concert', start: '2026-11-22T19:30:00.000Z' });
    await events(world.db).store({ source: 'hall', arriving: [concert], now: world.now() });
    const { id } = await watch({ ...AREA, name: 'Rosa’s patch' });
    await touches(id, { 'national-highways:works': 'possible', concert: 'near' });
    const { path } = await address({ watch_id: id });
    const [byKey, secret] = [await world.ask(`/watches/${id}.ics`), await world.get(path)];
    const entries = (body: string) => [...body.matchAll(/^UID:(.*)$/gm)].map(([, uid]) => uid!.trim());
    const title = (body: string) => /^X-WR-CALNAME:(.*?)\r$/m.exec(body)?.[1];
    expect([entries(byKey.body), title(byKey.body)]).toEqual([
      ['national-highways:works', 'concert'],
      'Rosa’s patch',
    ]);
    expect([entries(secret.body), title(secret.body)]).toEqual([
      ['national-highways:works', 'concert'],
      'Within 30 km of Leeds',
    ]);
  });

  it('is 404 when it is ended or over, or its content is deleted, even if that is taken back', async () => {
    const made = await watch();
    const [ended, over, gone] = [
      await address({ watch_id: made.id }),
      await address({ watch_id: made.id }, 'csv', within(HOUR_MS)),
      await address({ watch_id: made.id }, 'rss'),
    ];
    expect((await call('DELETE', `/addresses/${ended.id}`)).statusCode).toBe(204);
    expect((await call('DELETE', `/addresses/${ended.id}`)).statusCode).toBe(404);
    expect((await world.get(ended.path)).statusCode).toBe(404);
    world.pass(HOUR_MS - 1);
    expect((await world.get(over.path)).statusCode).toBe(200);
    world.pass(1);
    expect((await world.get(over.path)).statusCode).toBe(404);
    const { access_token: as } = await world.signIn();
    expect((await world.get(gone.path)).statusCode).toBe(200);
    expect((await call('DELETE', `/watches/${made.id}`, { rev: made.rev, as })).statusCode).toBe(204);
    expect((await world.get(gone.path)).statusCode).toBe(404);
    expect((await call('POST', `/watches/${made.id}/restore`, { as })).statusCode).toBe(200);
    expect((await world.get(gone.path)).statusCode).toBe(404);
  });

  it(`is 404 after ${SHARING_LIMITS.unusedDays} days without use, counted from the last use`, async () => {
    const { id } = await watch();
    const { path } = await address({ watch_id: id });
    const days = SHARING_LIMITS.unusedDays * DAY_MS;
    const diesAt = async () => {
      const { access_token: as } = await world.signIn(); // the one before has expired
      const list = (await call('GET', `/addresses?watch_id=${id}`, { as })).json<SharedAddressList>();
      return list.addresses.map(({ dies_at }) => dies_at);
    };
    expect(await diesAt()).toEqual([within(days)]);
    world.pass(days - DAY_MS);
    expect((await world.get(path)).statusCode).toBe(200);
    expect(await diesAt()).toEqual([within(days)]);
    world.pass(days - DAY_MS);
    await addresses(world.db).prune(world.now());
    expect((await world.get(path)).statusCode).toBe(200);
    world.pass(days);
    expect((await world.get(path)).statusCode).toBe(404);
    await addresses(world.db).prune(world.now());
    expect(await world.db.selectFrom('addresses').selectAll().execute()).toEqual([]);
  });

  it('is kept until its time, its end or its disuse is long past; disuse never ends a page', async () => {
    const { id: watch_id } = await watch();
    await address({ watch_id });
    const [{ made_at: _, ...one } = {}] = await world.db.selectFrom('addresses').selectAll().execute();
    const unused = within(-SHARING_LIMITS.unusedDays * DAY_MS);
    const later = new Date(Date.parse(unused) + 1).toISOString();
    const [now, before] = [within(0), within(-1)];
    const rows = {
      ended: { ended_at: before },
      'ended now': { ended_at: now },
      over: { expires_at: before },
      'over now': { expires_at: now },
      unused: { made_at: unused },
      'unused since': { made_at: unused, last_used_at: unused },
      'made just in time': { made_at: later },
      'used just in time': { made_at: unused, last_used_at: later },
      page: { form: 'page' as const, made_at: unused, expires_at: within(1) },
    };
    const all = Object.entries(rows).map(([id, changes]) => ({
      ...one,
      id,
      hash: id,
      made_at: later,
      ...changes,
    }));
    await world.db.deleteFrom('addresses').execute();
    await world.db
      .insertInto('addresses')
      .values(all as RowOf<'addresses'>[])
      .execute();
    const stored = addresses(world.db);
    const opened = async (id: string) => (await stored.opened(id, world.now()))?.id;
    const open = ['made just in time', 'page', 'used just in time'];
    const found = await stored.open('everyone', { watch_id }, world.now());
    expect(found.map(({ id }) => id).toSorted()).toEqual(open);
    expect(await stored.open('everyone', { watch_id: 'another' }, world.now())).toEqual([]);
    expect(await stored.open('everyone', { event_id: 'another' }, world.now())).toEqual([]);
    const again = { expires_at: within(DAY_MS) };
    for (const id of ['ended', 'over', 'unused', 'used just in time']) {
      // An ended address stays ended, whether an answer was lost or another time is given. An address in use stays as
      // it is.
      expect(await stored.sayAgain({ id, hash: `${id} again`, ...again }, world.now()), id).toBe(false);
      const isOpen = await stored.change({ teamId: 'everyone', id }, again, world.now());
      expect(isOpen, id).toBe(id === 'used just in time');
    }
    await stored.prune(world.now());
    const kept = (await world.db.selectFrom('addresses').select('id').execute()).map(({ id }) => id);
    expect(kept.toSorted()).toEqual([...open, 'ended now', 'over now'].toSorted());
    expect(await opened('page')).toBe('page');
    const used = async () =>
      (await world.db.selectFrom('addresses').select('last_used_at').where('id', '=', 'page').execute())[0]!
        .last_used_at;
    const first = await used();
    // Its use is stored once an hour.
    world.pass(HOUR_MS - 1);
    await stored.change({ teamId: 'everyone', id: 'page' }, again, new Date(first!));
    await opened('page');
    expect(await used()).toBe(first);
    world.pass(1);
    await opened('page');
    expect(await used()).toBe(within(0));
  });

  it('is masked in the log, as a page is, however it is written', async () => {
    const { id } = await watch();
    const randoms = [];
    for (const made of [await address({ watch_id: id }), await page({ watch_id: id })]) {
      const [, kind, random] = /^\/(\w)\/([\w-]+)/.exec(made.path)!;
      randoms.push(random!);
      const hex = kind === 'f' ? '%66' : '%70';
      for (const path of [
        made.path,
        `/${hex}/${random}.ics`,
        `//${kind}/${random}.xls`,
        `/${kind}/${random}/x`,
      ])
        await world.get(path);
    }
    for (const random of randoms) expect(world.logged()).not.toContain(random);
    expect(world.logged()).toContain('/f/[hidden].ics');
    expect(world.logged()).toContain('/p/[hidden]');
  });

  it('is answered only so often a minute, and cannot be guessed at speed from one network', async () => {
    const { path } = await address({ watch_id: (await watch()).id }, 'badge');
    for (let at = 0; at < SHARING_LIMITS.requestsPerAddress; at++) await world.get(path);
    const refused = await world.get(path);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    world.pass(MINUTE_MS);
    expect((await world.get(path)).statusCode).toBe(200);
    for (let at = 0; at < SHARING_LIMITS.requestsPerNetwork; at++) await world.get(`/p/guess${at}`);
    expect((await world.get('/p/another')).statusCode).toBe(429);
    for (let at = 1; at < SHARING_LIMITS.requestsPerNetwork; at++) await world.get(`/f/guess${at}.ics`);
    expect((await world.get('/f/another.ics')).statusCode).toBe(429);
  });
});

describe('the people who share', () => {
  it('leads make, change and end addresses, and only they change what is let through', async () => {
    const made = await watch();
    const { id } = await address({ watch_id: made.id });
    const me = (await world.get('/api/v1/auth/me', world.token)).json<{ id: string }>();
    await teams(world.db, 'one').put(me.id, 'everyone', 'member', world.now());
    const status = async (...args: Parameters<typeof call>) => (await call(...args)).statusCode;
    expect([
      await status('POST', '/addresses', { payload: { watch_id: made.id, form: 'csv' } }),
      await status('PATCH', `/addresses/${id}`, { payload: { expires_at: null } }),
      await status('DELETE', `/addresses/${id}`),
      await status('PUT', '/addresses/frame-hosts', { payload: { frame_hosts: [] } }),
      await status('PATCH', `/watches/${made.id}`, { payload: { which: {} }, rev: 1 }),
      await status('DELETE', `/watches/${made.id}`, { rev: 1 }),
      await status('PATCH', `/watches/${made.id}`, { payload: { name: 'Ours' }, rev: 1 }),
      await status('GET', `/addresses?watch_id=${made.id}`),
    ]).toEqual([403, 403, 403, 403, 403, 403, 200, 200]);
  });

  it('another team’s addresses, and the things to share, do not exist', async () => {
    await world.close();
    world = await openFormatsWorld({ config: { teams: 'many' } });
    const sam = await world.addUser({ email: 'sam@coaches.example' });
    await teams(world.db, 'many').place(sam.id, world.now());
    const { access_token: as } = await world.signIn(sam);
    const made = await watch();
    const { id, path } = await page({ watch_id: made.id });
    const status = async (...args: Parameters<typeof call>) => (await call(...args)).statusCode;
    expect([
      await status('GET', `/addresses?watch_id=${made.id}`, { as }),
      await status('POST', '/addresses', { payload: { watch_id: made.id, form: 'ics' }, as }),
      await status('PATCH', `/addresses/${id}`, { payload: { expires_at: within(DAY_MS) }, as }),
      await status('DELETE', `/addresses/${id}`, { as }),
      await status('GET', `/watches/${made.id}.json`, { as }),
      await status('PATCH', `/watches/${made.id}`, { payload: { which: {} }, rev: 1, as }),
    ]).toEqual(Array(6).fill(404));
    expect((await call('GET', '/addresses', { as })).json<SharedAddressList>().total).toBe(0);
    expect((await world.get(path)).statusCode).toBe(200);
    // Each team has its own hosts.
    await call('PUT', '/addresses/frame-hosts', { payload: { frame_hosts: ['other.example'] }, as });
    expect((await world.get(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('a page has to end within 1 hour to 90 days, and an alert has only a page', async () => {
    const { id: watch_id } = await watch();
    const refusal = async (payload: object) =>
      (await call('POST', '/addresses', { payload })).json<{ detail: string }>().detail;
    const ends = 'A public page ends within 1 hour to 90 days.';
    expect(await refusal({ watch_id, form: 'page' })).toBe(ends);
    expect(await refusal({ watch_id, form: 'page', expires_at: within(30 * MINUTE_MS) })).toBe(ends);
    expect(await refusal({ watch_id, form: 'page', expires_at: within(91 * DAY_MS) })).toBe(ends);
    expect(await refusal({ watch_id, form: 'ics', expires_at: within(-1) })).toBe('expires_at is over.');
    expect(await refusal({ event_id: 'tfl:victoria', form: 'ics' })).toBe('An alert has only a public page.');
    expect(await refusal({ form: 'ics' })).toBe('Give watch_id or event_id.');
    for (const ms of [HOUR_MS, 90 * DAY_MS]) expect((await page({ watch_id }, ms)).path).toMatch(/^\/p\//);
    const { id } = await page({ watch_id });
    const moved = async (expires_at: string | null) =>
      (await call('PATCH', `/addresses/${id}`, { payload: { expires_at } })).statusCode;
    expect([await moved(null), await moved(within(91 * DAY_MS)), await moved(within(2 * DAY_MS))]).toEqual([
      422, 422, 200,
    ]);
  });
});

describe('a public page', () => {
  it('is at most 15 KB, asks only its own address, and is framed only on hosts of the team', async () => {
    const { path } = await page({ watch_id: (await watch()).id });
    const reply = await world.get(path);
    expect(Buffer.byteLength(reply.body)).toBeLessThan(15_000);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
    });
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; connect-src 'self'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(reply.body).toContain('<meta name="robots" content="noindex">');
    expect(reply.body).not.toMatch(/<a |<img|<link|src="|https?:/);

    await call('PUT', '/addresses/frame-hosts', { payload: { frame_hosts: ['intranet.coaches.example'] } });
    const framed = (await world.get(path)).headers;
    expect(framed['content-security-policy']).toContain('frame-ancestors https://intranet.coaches.example');
    expect(framed['x-frame-options']).toBeUndefined();
  });

  it('has the incidents that count now, its age and its end', async () => {
    const { path } = await page({
      watch_id: (await watch({ which: { feeds: ['roads-uk'], min_severity: 'high' } })).id,
    });
    const { body } = await world.get(path);
    expect(body).toContain('<h1>Roads, high and worse</h1>');
    expect(body).toContain('<h2>Critical: M62 closed</h2>');
    expect(body).toContain('<span>2 now</span>'); // one is unrated: such incidents are left out only on request
    expect(body).toContain('As of 09:00');
    expect(body).toContain('ends on Sunday 22 November at 09:00');
    expect(body).not.toContain('Roadworks on the A1(M)');
  });

  it('begins with its blind spots when a source is silent', async () => {
    const { path } = await page({ watch_id: (await watch()).id });
    world.pass(2 * HOUR_MS);
    const { body } = await world.get(path);
    expect(body).toContain('<b>Do not rely on this.</b>National Highways has not answered since 09:00.');
    expect(body.indexOf('Do not rely')).toBeLessThan(body.indexOf('<li'));
  });

  it('counts nothing outside its hours', async () => {
    const when = { days: 0b0011111, from: '06:00', to: '20:00' };
    const { path } = await page({ watch_id: (await watch({ when })).id }, 3 * DAY_MS);
    const { body } = await world.get(path); // a Saturday
    expect(body).toContain('<span>Not watching now</span><span>Mon to Fri 06:00–20:00</span>');
    expect(body).toContain('It is looked at again from 23 Nov, 06:00.');
    expect(body).not.toMatch(/M62|\d now/);
  });

  it('gives an alert’s state, and says that the alert is over when it has ended', async () => {
    const { path } = await page({ event_id: 'national-highways:m62' });
    expect((await world.get(path)).body).toMatch(/<div class="pl critical"><h1>M62 closed<\/h1><p>Critical/);
    world.pass(MINUTE_MS);
    await poll(world.db, 'national-highways', roads().slice(1), world.now());
    const { body } = await world.get(path);
    expect(body).toContain('<b>Over since 09:01</b><span>National Highways no longer reports it.</span>');
    expect(body).toContain('It was: M62 closed');
  });

  it('never says that an alert is over if it was given up because its source fell silent', async () => {
    const { path } = await page({ event_id: 'national-highways:m62' });
    await world.db
      .updateTable('disruptions')
      .set({ ended_at: world.now().toISOString(), ended_reason: 'expired' })
      .where('event_id', '=', 'national-highways:m62')
      .execute();
    const { body } = await world.get(path);
    expect(body).not.toContain('Over since');
    expect(body).toContain('Do not rely on this.');
  });

  it.each(['ended', 'over', 'deleted'])(
    'that is %s is 404, and says so on a page of its own',
    async (how) => {
      const made = await watch();
      const { id, path } = await page({ watch_id: made.id }, HOUR_MS);
      expect((await world.get(path)).statusCode).toBe(200);
      if (how === 'ended') await call('DELETE', `/addresses/${id}`);
      if (how === 'over') world.pass(HOUR_MS);
      if (how === 'deleted') await call('DELETE', `/watches/${made.id}`, { rev: 1 });
      const reply = await world.get(path);
      expect([reply.statusCode, reply.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(reply.body).toContain('<h1>This page has ended.</h1>');
    },
  );

  it('text of a feed is text', async () => {
    await poll(
      world.db,
      'national-highways',
      [
        record('national-highways:m62', {
          title: '</h2><script>alert(1)</script> & “M62”',
          summary_line: '<img src=x>',
        }),
      ],
      world.now(),
    );
    for (const about of [{ watch_id: (await watch()).id }, { event_id: 'national-highways:m62' }]) {
      const { body } = await world.get((await page(about)).path);
      expect(body).not.toMatch(/<script>alert|<img/);
      expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62; &#38; “M62”');
    }
  });

  describe('shows nothing but its own incidents', () => {
    const SECRET = 'Sighthill';
    /** Everything else that a team has, each with a word that no publisher uses. */
    async function others(): Promise<string> {
      await watch({ ...AREA, name: `${SECRET} patch`, place: SECRET });
      const report = await call('POST', '/reports', {
        payload: { ...reportRequest, severity: 'critical', title: `${SECRET} depot shut`, note: SECRET },
      });
      const response = await world.app.inject({
        method: 'PUT',
        url: '/api/v1/responses/national-highways:m62',
        headers: { authorization: `Bearer ${world.token}`, 'if-match': '0' },
        payload: { id: '0192f0c4-7d7a-7c3e-9a55-3d1f5b7e9a01', disposition: 'diverted' },
      });
      const note = await call('POST', '/responses/national-highways:m62/notes', {
        payload: { id: '0192f0c4-7d7a-7c3e-9a55-3d1f5b7e9a02', text: `${SECRET}: told the driver` },
      });
      expect([report.statusCode, response.statusCode, note.statusCode]).toEqual([201, 200, 201]);
      return report.json<OwnReport>().disruption.event_id;
    }

    it.each([
      ['feeds', ROADS, { m62: true, victoria: false, headline: false }],
      [
        'feeds by words',
        { ...ROADS, which: { words: 'victoria' } },
        { m62: false, victoria: true, headline: false },
      ],
      ['an area', AREA, { m62: true, victoria: false, headline: false }],
      [
        'an area, certain only',
        { ...AREA, which: { level: 'certain' } },
        { m62: true, victoria: false, headline: false },
      ],
    ])('%s', async (_, what, shown) => {
      const own = await others();
      const made = await watch({ ...what, name: `${SECRET} run` });
      if (made.kind === 'area')
        await touches(made.id, {
          'national-highways:m62': 'certain',
          'news-rss:one': 'possible',
          [own]: 'certain',
        });
      const isPossibleIn = made.kind === 'area' && made.which.level === 'possible';
      const forms = ['page', 'json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'badge'];
      for (const form of forms) {
        const { path } =
          form === 'page' ? await page({ watch_id: made.id }) : await address({ watch_id: made.id }, form);
        const { body } = await world.get(path);
        expect(body, form).not.toContain(SECRET);
        expect(body, form).not.toMatch(/Rosa|everyone|diverted/);
        if (form === 'ics' || form === 'badge') continue;
        expect(
          {
            m62: body.includes('M62 closed'),
            victoria: body.includes('Victoria line'),
            headline: body.includes('A headline'),
          },
          form,
        ).toEqual({ ...shown, headline: isPossibleIn });
      }
    });
  });
});
