/** From a route that is posted to what is answered of it: the calls, the matcher, the collections and the clock together. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Watch, WatchList, WatchRecord } from '#contract/watches.ts';
import type { CursorWorker } from '../../../server/db/cursorWorker.ts';
import { knownOf, stateOf, stateWords } from '../../../src/watches/state.ts';
import { NEXT_DEPARTURE } from '../../../src/watches/window.ts';
import type { Watches } from '../../../src/api/watches.ts';
import { nationalHighways } from '../../../server/collectors/national-highways.ts';
import { disruptions } from '../../../server/db/disruptions.ts';
import { watchRequest } from '../../../server/docs/examples.ts';
import { readFacts } from '../../../server/facts/readFacts.ts';
import type { DisruptionRecord } from '../../../server/incidents/collector.ts';
import { startMatching } from '../../../server/matching/matching.ts';
import { matchingState } from '../../../server/matching/matchingState.ts';
import { DATABASES } from '../../support/databases.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';
import { roadLeg } from '../roads/matchingWorld.ts';

const WATCHES = '/api/v1/watches';
const SOURCE = 'national-highways';
const ID = `${SOURCE}:1`;
const MINUTE_MS = 60_000;

function closure(title: string): DisruptionRecord {
  const made = record(ID, { title, severity: 'critical' });
  return { ...made, facts: readFacts(made) };
}

describe.each(DATABASES)('a route, from the call to the answer, on $engine', ({ open }) => {
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
  /** And what follows from it. */
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

  it('an incident of the next poll is listed with its evidence, and is gone when it is over', async () => {
    const watch = await create('M62 J18 to J27');
    expect(await touching(watch)).toEqual([]);
    await report(closure('M62 J26 to J27: closed'));
    expect(await touching(watch)).toEqual(['certain: names the M62, J26 to J27']);
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

  it('a route is matched with what was there before it', async () => {
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

  it('a route that is edited away from an incident ends its match as edited', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    test.pass(MINUTE_MS);
    await call('PATCH', `${WATCHES}/${watch.id}`, { legs: [roadLeg('M62 J18 to J22')] });
    await matching.changed();

    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['edited']);
  });

  it('a new name or departure ends and begins no match', async () => {
    const watch = await create('M62 J18 to J27');
    await report(closure('M62 J26 to J27: closed'));
    const before = await test.db.selectFrom('matches').selectAll().execute();
    test.pass(MINUTE_MS);
    await call('PATCH', `${WATCHES}/${watch.id}`, { name: 'Another', departures: [] });
    await matching.changed();

    expect(await touching(watch)).toHaveLength(1);
    expect(await test.db.selectFrom('matches').selectAll().execute()).toEqual(before);
  });

  it('a source that falls silent is said to be stale from its maximum age on, and its incidents are lost, not over', async () => {
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
    // Until its incidents are given up, a certain match stands beside that.
    expect(await touching(watch)).toHaveLength(1);

    await disruptions(test.db).expire({ source: SOURCE, now: test.now(), maxAgeMinutes });
    await matching.changed();
    expect(await touching(watch)).toEqual([]);
    expect(await ends()).toEqual(['lost']);
    expect(await source()).toMatchObject({ freshness: 'stale' });
  });

  it('what a screen says of it turns from clear to not to be relied on, beside a certain match too', async () => {
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
    expect(await said()).toEqual([expect.stringMatching(/^No trouble reported\. We cannot see: /)]);
    await collectAll(SOURCE, ...others);
    expect(await said()).toEqual(['Clear as far as we know']);

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

  it('while the matcher stands still, it is said since when', async () => {
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
