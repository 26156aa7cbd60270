import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditTrail } from '#contract/accounts/admin.ts';
import type { SourceList } from '#contract/incidents/disruptions.ts';
import type { SourceReport, SourceReports } from '#contract/feeds/sourceReports.ts';
import type { z } from 'zod';
import { collections } from '../../../../server/incidents/collectionState.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import { demoteSources } from '../../../../server/watches/demoteSources.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { LETS_ALL } from '../../../support/watchDraft.ts';

const SOURCES = '/api/v1/admin/sources';
const MINUTE_MS = 60_000;

let test: TestApp;
let admin: RowOf<'users'>;
let token: string;
let asked: number;

const call = (method: 'GET' | 'POST' | 'PATCH', path = '', payload?: object) =>
  test.app.inject({
    method,
    url: `${SOURCES}${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const list = async () => (await call('GET')).json<SourceReports>().sources;
const report = async (source: string): Promise<SourceReport> =>
  (await list()).find((one) => one.source === source)!;
const fail = (source: string, error: string, error_kind: string) =>
  collections(test.db).noteFailure(source, {
    now: test.now(),
    nextRun: null,
    error,
    figures: { ms: 800, records: 0, changed: 0, error_kind },
  });

beforeEach(async () => {
  asked = 0;
  test = await openTestApp({ onSourceAsked: () => (asked += 1) });
  admin = await test.addUser({ email: 'ada@clearway.example', display_name: 'Ada', role: 'admin' });
  token = (await test.signIn(admin)).access_token;
});
afterEach(() => test.close());

describe('how a source stands', () => {
  it('waiting, working, failing: the page says five different things about five sources', async () => {
    await poll(test.db, 'tfl', [record('tfl:1')], test.now());
    await collections(test.db).ensure('ea-flood', true);
    await fail('ea-flood', 'getaddrinfo ENOTFOUND environment.data.gov.uk', 'dns');
    await collections(test.db).ensure('sepa-flood', true);

    expect(await report('tfl')).toMatchObject({ standing: 'working', why: null, alerts: 1, off: null });
    // This source needs no key, and its host cannot be reached: "not connected" would be wrong.
    expect(await report('ea-flood')).toMatchObject({
      standing: 'failing',
      why: 'getaddrinfo ENOTFOUND environment.data.gov.uk',
      last_success: null,
      polls: [{ ok: false, records: 0 }],
      last_ms: 800,
    });
    expect(await report('sepa-flood')).toMatchObject({ standing: 'waiting', why: null, polls: [] });
    const missing = (await list()).find(({ standing }) => standing === 'not_set_up')!;
    expect(missing.why).toBe(`Needs ${missing.missing_settings.join(' and ')}`);
    expect(missing.settings.filter(({ required }) => required)).not.toEqual([]);
  });

  it('one lost poll is a note beside it; the third makes it failing, with their number', async () => {
    await collections(test.db).ensure('tfl', true);
    await collections(test.db).noteSuccess('tfl', {
      now: test.now(),
      nextRun: null,
      skipped: 0,
      problems: [],
      complete: true,
      figures: { ms: 100, records: 4, changed: 0 },
    });
    for (const times of [1, 2, 3]) {
      test.pass(MINUTE_MS);
      await fail('tfl', '503 Service Unavailable', 'status');
      expect(await report('tfl')).toMatchObject(
        times < 3
          ? { standing: 'faltering', why: expect.stringMatching(/^The last poll failed: 503/) }
          : { standing: 'failing', why: '503 Service Unavailable, 3 times' },
      );
    }
    expect((await report('tfl')).polls.map(({ ok }) => ok)).toEqual([true, false, false, false]);
  });

  it('silent if it answers with nothing to rely on, or if nobody asks it any more', async () => {
    await poll(test.db, 'tfl', [record('tfl:1')], test.now());
    await poll(test.db, 'ea-flood', [record('ea-flood:1')], test.now());
    test.pass(MINUTE_MS);
    await fail('tfl', 'The source lists nothing, although it is never empty.', 'empty');
    expect(await report('tfl')).toMatchObject({ standing: 'silent', alerts: 1 });

    test.pass(24 * 60 * MINUTE_MS);
    token = (await test.signIn(admin)).access_token;
    expect(await report('ea-flood')).toMatchObject({
      standing: 'silent',
      freshness: 'stale',
      why: 'Nobody has asked it since then',
    });
  });

  it('sources in trouble are first', async () => {
    await poll(test.db, 'tfl', [], test.now());
    await collections(test.db).ensure('ea-flood', true);
    await fail('ea-flood', 'no answer', 'timeout');
    const standings = (await list()).map(({ standing }) => standing);
    expect(standings[0]).toBe('failing');
    expect(standings.at(-1)).toBe('working');
  });
});

it('its reliability is calculated once a minute for each span, and again after the clock was set back', async () => {
  const named = async (days = 7) => {
    const reply = await test.get(`/api/v1/stats/sources?days=${days}`, token);
    return reply.json<{ sources: { source: string }[] }>().sources.map(({ source }) => source);
  };
  const ask = async (source = '') => {
    await collections(test.db).ensure(source, true);
    await fail(source, 'No answer', 'network');
  };
  const all = ['met-police', 'national-highways', 'tfl'];
  await ask(all[0]);
  expect(await named()).toEqual(all.slice(0, 1));
  await ask(all[1]);
  expect([await named(), await named(8)]).toEqual([all.slice(0, 1), all.slice(0, 2)]);
  test.pass(-1);
  expect(await named()).toEqual(all.slice(0, 2));
  await ask(all[2]);
  test.pass(MINUTE_MS - 1);
  expect(await named()).toEqual(all.slice(0, 2));
  test.pass(1);
  expect(await named()).toEqual(all);
});

describe('turned off', () => {
  it('it says by whom and since when, counts as not connected, and the trail has it once', async () => {
    await poll(test.db, 'tfl', [record('tfl:1')], test.now());
    expect((await call('PATCH', '/tfl', { off: true })).statusCode).toBe(204);
    expect((await call('PATCH', '/tfl', { off: true })).statusCode).toBe(204);

    expect(await report('tfl')).toMatchObject({
      standing: 'off',
      off: { at: test.now().toISOString(), by: 'Ada' },
      next_run: null,
    });
    const sources = (await test.get('/api/v1/disruptions/sources', token)).json<z.infer<typeof SourceList>>();
    expect(sources.sources.find(({ source }) => source === 'tfl')).toMatchObject({
      state: 'not_configured',
      event_count: 0,
      freshness: null,
    });
    const trail = (await test.get('/api/v1/admin/audit', token)).json<AuditTrail>();
    expect(trail.entries).toMatchObject([
      { action: 'source.turned_off', actor: 'ada@clearway.example', subject: 'Transport for London' },
    ]);

    expect((await call('PATCH', '/tfl', { off: false })).statusCode).toBe(204);
    expect(await report('tfl')).toMatchObject({
      standing: 'working',
      off: null,
      asked_at: test.now().toISOString(),
    });
    expect(asked).toBe(3);
  });

  it('the name of a deleted account is removed from it', async () => {
    const second = await test.addUser({ email: 'ben@clearway.example', role: 'admin' });
    const own = token;
    token = (await test.signIn(second)).access_token;
    await call('PATCH', '/tfl', { off: true });
    token = own;
    await test.app.inject({
      method: 'DELETE',
      url: `/api/v1/admin/users/${second.id}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await report('tfl')).off).toEqual({ at: test.now().toISOString(), by: null });
  });
});

describe('asked now', () => {
  it('it is noted for the node that collects it, and not twice in ten seconds', async () => {
    await poll(test.db, 'tfl', [], test.now());
    test.pass(11_000);
    const reply = await call('POST', '/tfl/try');
    expect([reply.statusCode, reply.json()]).toEqual([202, { asked_at: test.now().toISOString() }]);
    expect(asked).toBe(1);
    expect((await report('tfl')).asked_at).toBe(test.now().toISOString());

    const again = await call('POST', '/tfl/try');
    expect([again.statusCode, again.headers['retry-after']]).toEqual([429, '10']);
    await collections(test.db).noteAttempt('tfl', test.now());
    expect((await report('tfl')).asked_at).toBeNull();
  });

  it.each([
    ['nowhere', 404, /no such source/],
    ['kb-incidents', 409, /not set up: it needs/],
  ])('%s: refused with %i', async (source, status, words) => {
    const reply = await call('POST', `/${source}/try`);
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
      status,
      expect.stringMatching(words),
    ]);
  });

  it('a source that is off is refused', async () => {
    await call('PATCH', '/tfl', { off: true });
    expect((await call('POST', '/tfl/try')).statusCode).toBe(409);
  });
});

it('is for administrators', async () => {
  token = (await test.signIn(await test.addUser({ email: 'cat@clearway.example' }))).access_token;
  expect((await call('GET')).statusCode).toBe(403);
  expect((await call('PATCH', '/tfl', { off: true })).statusCode).toBe(403);
  expect((await call('POST', '/tfl/try')).statusCode).toBe(403);
});

describe('marked as not ours', () => {
  const SOURCE = 'national-highways';
  const message = (n: number): RowOf<'messages'> => ({
    id: `msg_${n}`,
    channel_id: null,
    watch_id: watch,
    bundle: `${n}`,
    created_at: test.now().toISOString(),
    body: JSON.stringify({ event_ids: [`${SOURCE}:${n}`] }),
    reason: 'Sent',
    state: 'sent',
    attempts: 1,
    next_at: null,
    last_status: 201,
    valid_until: test.now().toISOString(),
    sent_at: test.now().toISOString(),
    seen_at: null,
    about: null,
    place: null,
    team_id: null,
  });
  let watch: string;
  /** Marks these incidents as not on the route. Before, they touched it for certain. */
  const mark = async (...numbers: number[]) => {
    for (const n of numbers) {
      await test.db
        .insertInto('matches')
        .values({
          watch_id: watch,
          subject: 'disruption',
          subject_id: `${SOURCE}:${n}`,
          level: 'certain',
          why: 'names the M62',
          from_km: 1,
          to_km: 2,
          off_m: 0,
          began_at: test.now().toISOString(),
          batch: n,
          ended_at: test.now().toISOString(),
          end_kind: 'ended',
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const reply = await test.app.inject({
        method: 'POST',
        url: `/api/v1/watches/${watch}/feedback`,
        headers: { authorization: `Bearer ${token}` },
        payload: { subject_id: `${SOURCE}:${n}`, verdict: 'not_ours' },
      });
      expect(reply.statusCode).toBe(204);
    }
  };
  beforeEach(async () => {
    await poll(test.db, SOURCE, [record(`${SOURCE}:1`)], test.now());
    const team = await teams(test.db, 'one').of(admin.id, test.now());
    const draft = { kind: 'area', name: 'Leeds', made_by: 'circle', reach_m: 1000 } as const;
    watch = (
      await watches(test.db).add(
        team.id,
        admin.id,
        {
          ...draft,
          ...LETS_ALL,
          legs: [],
          geometry: { type: 'Point', coordinates: [-1.5, 53.8] },
          length_km: 0,
          sources: [SOURCE],
          departures: [],
        },
        test.now(),
      )
    ).id;
    const messages = Array.from({ length: 40 }, (_, n) => message(n + 1));
    await test.db.insertInto('messages').values(messages).execute();
  });

  it('trusted with 5 % of its messages; demoted with more, and the page and the trail say so', async () => {
    await mark(1, 2);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
    await mark(2, 2);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
    await mark(3);
    expect(await report(SOURCE)).toMatchObject({
      demoted: {
        at: test.now().toISOString(),
        why: '3 of 40 messages in 7 days were marked as not ours',
      },
    });
    await mark(4);
    const trail = (await test.get('/api/v1/admin/audit', token)).json<AuditTrail>();
    expect(trail.entries).toMatchObject([
      { action: 'source.demoted', actor: 'The server', subject: 'National Highways' },
    ]);
  });

  it('an administrator restores it, and what was marked before no longer counts', async () => {
    await mark(1, 2, 3);
    expect((await call('POST', '/nowhere/restore')).statusCode).toBe(404);
    test.pass(MINUTE_MS);
    expect((await call('POST', `/${SOURCE}/restore`)).statusCode).toBe(204);
    expect((await call('POST', `/${SOURCE}/restore`)).statusCode).toBe(204);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
    const later = Array.from({ length: 10 }, (_, n) => message(n + 50));
    await test.db.insertInto('messages').values(later).execute();
    await mark(4, 50);
    expect(await demoteSources(test.db, test.now())).toEqual([]);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
    await mark(51);
    expect(await report(SOURCE)).toMatchObject({ demoted: { why: expect.stringMatching(/^2 of 10 /) } });
    const trail = (await test.get('/api/v1/admin/audit', token)).json<AuditTrail>();
    expect(trail.entries.map(({ action }) => action).sort()).toEqual([
      'source.demoted',
      'source.demoted',
      'source.restored',
    ]);
  });

  it('marks of messages that nobody was sent demote no source', async () => {
    await test.db.deleteFrom('messages').execute();
    await mark(1, 2, 3);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
  });

  it('one mark alone demotes no source: it may be a slip of the finger', async () => {
    await test.db.deleteFrom('messages').where('id', '<>', 'msg_1').execute();
    await mark(1);
    expect(await report(SOURCE)).toMatchObject({ demoted: null });
  });
});
