import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handover } from '#contract/shift/handover.ts';
import type { WatchHistory } from '#contract/history/history.ts';
import type { Explanation, Watch, WatchList, WatchMatches, WatchRecord } from '#contract/watches/watches.ts';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { chunks } from '../../../../server/db/batches.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import { knownOf, stateOf } from '../../../../src/watches/watchState.ts';
import { stateWords } from '../../../../src/watches/stateWords.ts';
import { NEXT_DEPARTURE } from '../../../../src/watches/timeWindow.ts';
import type { Watches } from '../../../../src/api/watches/watches.ts';
import { nationalHighways } from '../../../../server/sources/national-highways.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { factsOf } from '../../../support/readAs.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { startMatching } from '../../../../server/watches/matching/matching.ts';
import { matchingState } from '../../../../server/watches/matching/matchingState.ts';
import { DATABASES } from '../../../support/databases.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { roadLeg } from './rules/matchingWorld.ts';

const { watchRequest } = example;

const WATCHES = '/api/v1/watches';
const SOURCE = 'national-highways';
const ID = `${SOURCE}:1`;
const MINUTE_MS = 60_000;

function closure(title: string): DisruptionRecord {
  const made = record(ID, { title, severity: 'critical' });
  return { ...made, facts: factsOf(made) };
}

describe.each(DATABASES)('a route, from the call to the answer, on $engine', ({ open, once }) => {
  let test: TestApp;
  let matching: CursorWorker;
  let token: string;
  const faults: unknown[] = [];

  beforeEach(async () => {
    test = await openTestApp({ open });
    token = (await test.signIn(await test.addUser())).access_token;
    matching = startMatching({
      db: test.db,
      now: test.now,
      log: { error: (fields) => void faults.push(fields) },
      owner: 'this node',
      open() {
        const state = matchingState();
        return { ask: async (step) => state.take(step), close: async () => {} };
      },
    });
  });
  afterEach(async () => {
    await matching.stop();
    await test.close();
    expect(faults.splice(0)).toEqual([]);
  });

  const call = (method: 'POST' | 'PATCH', url: string, payload: object, rev = 1) =>
    test.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, 'if-match': String(rev) },
      payload,
    });
  const create = async (leg: string) => {
    const reply = await call('POST', WATCHES, { ...watchRequest, legs: [roadLeg(leg)] });
    expect(reply.statusCode, reply.body).toBe(201);
    await matching.changed();
    return reply.json<Watch>();
  };
  /** A poll with these records, and everything that follows from it. */
  const report = async (...records: DisruptionRecord[]) => {
    await poll(test.db, SOURCE, records, test.now());
    await matching.changed();
  };
  const touching = async ({ id }: Watch) => {
    const { matches, behind_since } = (await test.get(`${WATCHES}/${id}`, token)).json<WatchRecord>();
    expect(behind_since).toBeNull();
    return matches.map(({ level, why }) => `${level}: ${why}`);
  };
  const ends = async () => {
    const rows = await test.db.selectFrom('matches').select(['ended_at', 'end_kind']).execute();
    return rows.map(({ end_kind }) => end_kind);
  };

  it('beyond the bound of a team’s matches, the rest is called unknown until there is room', async () => {
    const wide = await create('M1 J1 to J6A');
    const rows = Array.from({ length: WATCH_LIMITS.matchesPerTeam }, (_, n) => ({
      watch_id: wide.id,
      subject: 'disruption' as const,
      subject_id: `tfl:${n}`,
      began_at: test.now().toISOString(),
      level: 'possible' as const,
      why: '',
      from_km: null,
      to_km: null,
      off_m: null,
      batch: 1,
      ended_at: null,
      end_kind: null,
    }));
    await test.db.deleteFrom('matches').execute();
    const watch = await create('M62 J18 to J27');
    for (const values of chunks(rows, 500)) await test.db.insertInto('matches').values(values).execute();
    await report(closure('M62 J26 to J27: closed'));
    const read = async () => (await test.get(`${WATCHES}/${watch.id}`, token)).json<WatchRecord>();
    expect(await read()).toMatchObject({ watch: { checking: true }, matches: [] });
    await test.app.inject({
      method: 'DELETE',
      url: `${WATCHES}/${wide.id}`,
      headers: { authorization: `Bearer ${token}`, 'if-match': '1' },
    });
    await matching.changed();
    expect(await read()).toMatchObject({ watch: { checking: false }, matches: [{ level: 'certain' }] });
  }, 60_000);

  it('an incident of the next poll is listed with its evidence, and is gone when it is over', async () => {
    const watch = await create('M62 J18 to J27');
    expect(await touching(watch)).toEqual([]);
    await report(closure('M62 J26 to J27: closed'));
    expect(await touching(watch)).toEqual(['certain: names the M62, J26 to J27, eastbound']);
    const list = (await test.get(WATCHES, token)).json<WatchList>();
    expect(list).toMatchObject({
      watches: [{ matches: [{ subject_id: ID }] }],
      incidents: [{ event_id: ID }],
    });

    test.pass(MINUTE_MS);
    await report(record(`${SOURCE}:2`));
    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['ended']);
  });

  once('a route is matched with incidents that were there before it', async () => {
    await report(closure('M62 J26 to J27: closed'));
    expect(await touching(await create('M62 J18 to J27'))).toHaveLength(1);
  });

  it('an incident that moves off the route ends its match as moved', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    test.pass(MINUTE_MS);
    await report(closure('M62 J36 to J37: closed'));

    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['moved']);
  });

  once('a route that is edited away from an incident ends its match as edited', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    test.pass(MINUTE_MS);
    await call('PATCH', `${WATCHES}/${watch.id}`, { legs: [roadLeg('M62 J18 to J22')] });
    await matching.changed();

    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['edited']);
  });

  once('a new name or departure ends and begins no match', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    const before = await test.db.selectFrom('matches').selectAll().execute();
    test.pass(MINUTE_MS);
    await call('PATCH', `${WATCHES}/${watch.id}`, { name: 'Another', departures: [] });
    await matching.changed();

    expect(await touching(watch)).toHaveLength(1);
    expect(await test.db.selectFrom('matches').selectAll().execute()).toEqual(before);
  });

  it('a source that falls silent is stale from its maximum age on; its incidents are lost, not over', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    const source = async () => {
      const { sources } = (await test.get(WATCHES, token)).json<WatchList>();
      return sources.find((one) => one.source === SOURCE);
    };
    const collected = test.now().toISOString();
    expect(await source()).toMatchObject({ freshness: 'fresh', last_collected: collected });

    const { maxAgeMinutes } = nationalHighways;
    test.pass(maxAgeMinutes * MINUTE_MS);
    token = (await test.signIn()).access_token;
    expect(await source()).toMatchObject({ freshness: 'late' });
    test.pass(MINUTE_MS);
    expect(await source()).toMatchObject({ freshness: 'stale', last_collected: collected });
    // A certain match exists too, until its incidents are given up.
    expect(await touching(watch)).toHaveLength(1);

    await disruptions(test.db).expire({ source: SOURCE, now: test.now(), maxAgeMinutes });
    await matching.changed();
    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['lost']);
    expect(await source()).toMatchObject({ freshness: 'stale' });
  });

  once('on a screen turns from clear to "Do not rely on this", even beside a certain match', async () => {
    await create('M62 J18 to J27');
    const said = async () => {
      token = (await test.signIn()).access_token;
      const list = (await test.get(WATCHES, token)).json<WatchList>() as Watches;
      const state = stateOf(list.watches[0]!, knownOf(list, test.now()), NEXT_DEPARTURE, test.now());
      return stateWords(state, test.now());
    };
    const { watches } = (await test.get(WATCHES, token)).json<WatchList>();
    const others = watches[0]!.sources.filter((source) => source !== SOURCE);
    const collectAll = async (...sources: string[]) => {
      for (const source of sources) await poll(test.db, source, [], test.now());
      await matching.changed();
    };
    expect(await said()).toEqual([
      expect.stringMatching(/^No trouble reported for 23 Nov 06:10\. We cannot see: /),
    ]);
    await collectAll(SOURCE, ...others);
    expect(await said()).toEqual(['Clear for 23 Nov 06:10, as far as we know']);

    test.pass((nationalHighways.maxAgeMinutes + 1) * MINUTE_MS);
    await collectAll(...others);
    const warning = 'Do not rely on this: no information from National Highways since 09:00';
    expect(await said()).toEqual([warning]);

    await report(closure('M62 J26 to J27: closed'));
    expect(await said()).toEqual([expect.stringMatching(/^Critical: /)]);
    test.pass((nationalHighways.maxAgeMinutes + 1) * MINUTE_MS);
    await collectAll(...others);
    expect(await said()).toEqual([expect.stringMatching(/^Critical: /), warning.replace('09:00', '09:31')]);
  });

  it('is being checked after a change of its line until it is matched, and never clear meanwhile', async () => {
    const made = (
      await call('POST', WATCHES, { ...watchRequest, legs: [roadLeg('M62 J18 to J27')] })
    ).json<Watch>();
    const checking = async () => {
      const get = async <T>(path: string) => (await test.get(path, token)).json<T>();
      const { watches, behind_since } = await get<WatchList>(WATCHES);
      const one = `${WATCHES}/${made.id}`;
      const { watch } = await get<WatchRecord>(one);
      const now = await get<WatchMatches>(`${one}/matches`);
      const past = await get<WatchHistory>(`/api/v1/history/watches/${made.id}`);
      const sheet = await get<Handover>('/api/v1/handover/');
      const all = [
        watches[0]!.checking,
        watch.checking,
        now.checking,
        past.watch.checking,
        sheet.checking.length > 0,
        behind_since !== null,
      ];
      expect(new Set(all).size, all.join()).toBe(1);
      return all[0];
    };
    expect(made.checking).toBe(true);
    expect(await checking()).toBe(true);
    // Nothing touches it, so the answer changes by this alone.
    await matching.changed();
    expect(await checking()).toBe(false);

    test.pass(MINUTE_MS);
    await call('PATCH', `${WATCHES}/${made.id}`, { name: 'Another' });
    expect(await checking()).toBe(false);
    await call('PATCH', `${WATCHES}/${made.id}`, { legs: [roadLeg('M62 J18 to J22')] }, 2);
    expect(await checking()).toBe(true);
    await matching.changed();
    expect(await checking()).toBe(false);
  });

  it('an area is touched by a rail incident that only words place; unplaced incidents are counted', async () => {
    const request = {
      kind: 'area',
      name: 'Within 30 km of Leeds',
      made_by: 'circle',
      legs: [],
      geometry: { type: 'Point', coordinates: [-1.55, 53.8] },
      reach_m: 30_000,
    };
    const { id, sources } = (await call('POST', WATCHES, request)).json<Watch>();
    expect(sources).toEqual(
      expect.arrayContaining([
        'national-highways',
        'met-office',
        'ea-flood',
        'kb-incidents',
        'nsi-service',
        'bods-bus',
        'airport-status',
        'news-rss',
      ]),
    );
    expect(sources).not.toContain('tfl');
    const rail = (own: string, fields: Partial<DisruptionRecord>) =>
      record(`kb-incidents:${own}`, { event_type: 'rail.incident', ...fields });
    const section = rail('1', {
      title: 'Trains suspended between Leeds and Huddersfield',
      latitude: 53.72,
      longitude: -1.66,
      metadata: {
        location_method: 'line_section',
        location_names: ['Leeds', 'Huddersfield'],
        location_reach_km: 12,
      },
    });
    const nowhere = rail('2', { title: 'Ticket machines out of order' });
    await poll(test.db, 'kb-incidents', [section, nowhere], test.now());
    await matching.changed();

    expect(await touching({ id } as Watch)).toEqual(['possible: names Leeds and Huddersfield']);
    const explained = await test.get(`${WATCHES}/${id}/explain/kb-incidents%3A1`, token);
    expect(explained.json<Explanation>()).toMatchObject({
      level: 'possible',
      why: 'names Leeds and Huddersfield',
    });
    const list = (await test.get(WATCHES, token)).json<WatchList>();
    const one = (await test.get(`${WATCHES}/${id}`, token)).json<WatchRecord>();
    const sheet = (await test.get('/api/v1/handover/', token)).json<Handover>();
    expect([list.unplaced, one.unplaced, sheet.unplaced]).toEqual([1, 1, 1]);
  });

  once('a team with routes only gets no count of incidents without a place', async () => {
    await create('M62 J18 to J27');
    await poll(test.db, 'kb-incidents', [record('kb-incidents:2', { title: 'Ticket machines' })], test.now());
    const list = (await test.get(WATCHES, token)).json<WatchList>();
    const sheet = (await test.get('/api/v1/handover/', token)).json<Handover>();
    expect([list.unplaced, sheet.unplaced]).toEqual([0, 0]);
  });

  once('while the matcher is behind, the answer says since when', async () => {
    const watch = await create('M62 J18 to J27');
    await matching.stop();
    test.pass(MINUTE_MS);
    const since = test.now().toISOString();
    await poll(test.db, SOURCE, [closure('M62 J26 to J27: closed')], test.now());
    test.pass(5 * MINUTE_MS);
    const { behind_since, matches } = (await test.get(`${WATCHES}/${watch.id}`, token)).json<WatchRecord>();
    expect([behind_since, matches]).toEqual([since, []]);
  });
});
