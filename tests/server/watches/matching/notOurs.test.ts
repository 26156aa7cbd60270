import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Explanation, Watch, WatchList, WatchRecord } from '#contract/watches/watches.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { factsOf } from '../../../support/readAs.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { startMatching } from '../../../../server/watches/matching/matching.ts';
import { marksOf, saidAt, saidSince } from '../../../../server/watches/matching/notOurs.ts';
import { matchingState } from '../../../../server/watches/matching/matchingState.ts';
import { DATABASES } from '../../../support/databases.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { roadLeg } from './rules/matchingWorld.ts';

const { watchRequest } = example;

const WATCHES = '/api/v1/watches';
const SOURCE = 'national-highways';
const ID = `${SOURCE}:1`;

function closure(title: string, fields: Partial<DisruptionRecord> = {}): DisruptionRecord {
  const made = record(ID, { title, severity: 'medium', ...fields });
  return { ...made, facts: factsOf(made) };
}

describe.each(DATABASES)('"Not on our route" on $engine', ({ open, once }) => {
  let test: TestApp;
  let matching: CursorWorker;
  let ours: string;
  let others: string;
  let route: string;

  const start = () =>
    startMatching({
      db: test.db,
      now: test.now,
      log: { error: (fields) => expect.unreachable(JSON.stringify(fields)) },
      owner: 'this node',
      open() {
        const state = matchingState();
        return { ask: async (step) => state.take(step), close: async () => {} };
      },
    });

  beforeEach(async () => {
    test = await openTestApp({ open, config: { teams: 'many' } });
    ours = (await test.signIn(await test.addUser({ email: 'rosa@example.org' }))).access_token;
    others = (await test.signIn(await test.addUser({ email: 'sam@example.org' }))).access_token;
    matching = start();
    route = await create(ours);
    await create(others);
    await report(closure('M62 J26 to J27: closed'));
  });
  afterEach(async () => {
    await matching.stop();
    await test.close();
  });

  const post = (url: string, token: string, payload: object) =>
    test.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` }, payload });
  const create = async (token: string) => {
    const reply = await post(WATCHES, token, { ...watchRequest, legs: [roadLeg('M62 J18 to J27')] });
    await matching.changed();
    return reply.json<Watch>().id;
  };
  const report = async (...records: DisruptionRecord[]) => {
    test.pass(1000);
    await poll(test.db, SOURCE, records, test.now());
    await matching.changed();
  };
  const say = async (verdict: 'not_ours' | 'ours', id = randomUUID(), token = ours) => {
    test.pass(1000);
    const said = await post(`${WATCHES}/${route}/feedback`, token, {
      id,
      subject_id: ID,
      verdict,
      text: null,
    });
    return said.statusCode;
  };
  /** How many matches each team lists. */
  const listed = async () =>
    Promise.all(
      [ours, others].map(async (token) => {
        const { watches } = (await test.get(WATCHES, token)).json<WatchList>();
        return watches[0]!.matches.length;
      }),
    );
  const notOurs = async () =>
    (await test.get(`${WATCHES}/${route}`, ours))
      .json<WatchRecord>()
      .not_ours.map(({ subject_id }) => subject_id);

  it('removes it at once from the route of that team alone, and explains it', async () => {
    expect(await listed()).toEqual([1, 1]);
    expect(await say('not_ours')).toBe(204);
    // This happens without the matcher.
    expect(await listed()).toEqual([0, 1]);
    await matching.changed();
    expect(await listed()).toEqual([0, 1]);
    expect(await notOurs()).toEqual([ID]);
    const explained = (await test.get(`${WATCHES}/${route}/explain/${ID}`, ours)).json<Explanation>();
    expect(explained).toMatchObject({ level: 'certain', not_ours: { at: test.now().toISOString() } });
    expect(await say('not_ours', randomUUID(), others)).toBe(404);
  });

  once('stays away when the incident changes or gets worse, and when the matcher begins again', async () => {
    await say('not_ours');
    await report(closure('M62 J26 to J27: still closed', { severity: 'critical' }));
    expect(await listed()).toEqual([0, 1]);
    await matching.stop();
    matching = start();
    await matching.changed();
    expect(await listed()).toEqual([0, 1]);
    expect(await notOurs()).toEqual([ID]);
  });

  once('stays away if somebody says of the same incident that a message was missed', async () => {
    await say('not_ours');
    test.pass(1000);
    const missed = { subject_id: ID, verdict: 'missed', text: 'Nobody told us.' };
    expect((await post(`${WATCHES}/${route}/feedback`, ours, missed)).statusCode).toBe(204);
    await report(closure('M62 J26 to J27: still closed'));
    expect(await listed()).toEqual([0, 1]);
    expect(await notOurs()).toEqual([ID]);
  });

  once('comes back when it is taken back', async () => {
    await say('not_ours');
    await matching.changed();
    expect(await say('ours')).toBe(204);
    await matching.changed();
    expect(await listed()).toEqual([1, 1]);
    expect(await notOurs()).toEqual([]);
  });

  once('stays away, and comes back when the mark is taken back, even if the clock was set back', async () => {
    const hourBack = () => test.pass(-60 * 60_000);
    hourBack(); // since the incident began
    await say('not_ours');
    await report(closure('M62 J26 to J27: still closed'));
    expect(await listed()).toEqual([0, 1]);
    expect(await notOurs()).toEqual([ID]);
    hourBack(); // since it was said, by a colleague as well
    const colleague = await test.addUser({ email: 'kay@example.org' });
    const { id } = (await test.get('/api/v1/team', ours)).json<{ id: string }>();
    await teams(test.db, 'many').put(colleague.id, id, 'member', test.now());
    await say('ours', randomUUID(), (await test.signIn(colleague)).access_token);
    await matching.changed();
    expect(await listed()).toEqual([1, 1]);
    expect(await notOurs()).toEqual([]);
  });

  /** A mark as another node stores it. */
  const store = (subject_id: string, at: number, verdict: 'ours' | 'not_ours' = 'ours', id = '') =>
    test.db
      .insertInto('match_feedback')
      .values({
        id: `${id} ${subject_id} ${at}`,
        watch_id: route,
        subject_id,
        level: 'certain',
        why: '',
        user_id: null,
        at: new Date(at).toISOString(),
        verdict,
        text: null,
      })
      .execute();

  once('counts as it was said last, whichever of the marks was stored first', async () => {
    const at = test.now().getTime();
    const last = async (subject_id: string) =>
      (await marksOf(test.db, 'subject_id', [subject_id])).map((mark) => mark.subject_id);
    await store('tfl:1', at + 1, 'ours', 'a');
    await store('tfl:1', at, 'not_ours', 'b');
    await store('tfl:2', at + 1, 'not_ours', 'a');
    await store('tfl:2', at, 'ours', 'b');
    // Two nodes may store marks of one instant.
    await store('tfl:3', at, 'not_ours', 'b');
    await store('tfl:3', at, 'ours', 'a');
    expect([await last('tfl:1'), await last('tfl:2'), await last('tfl:3')]).toEqual([
      [],
      ['tfl:2'],
      ['tfl:3'],
    ]);
  });

  once('counts after all earlier marks, but not for years after a clock that was ahead', async () => {
    const now = test.now().getTime();
    const said = async (...ahead: number[]) => {
      await test.db.deleteFrom('match_feedback').execute();
      for (const ms of ahead) await store(ID, now + ms);
      return Date.parse(await saidAt(test.db, 'another', new Date(now))) - now;
    };
    const day = 24 * 60 * 60_000;
    expect([await said(-2), await said(0), await said(day - 1), await said(day)]).toEqual([0, 1, day, 0]);
    expect([await said(5, 70), await said(70, 5)]).toEqual([71, 71]);
  });

  it('is read once, also if two nodes store marks at one instant', async () => {
    const at = test.now().getTime();
    await store('tfl:1', at);
    const first = await saidSince(test.db, { at: '', count: 0 });
    expect(first.subjectIds).toEqual(['tfl:1']);
    expect((await saidSince(test.db, first.last)).subjectIds).toEqual([]);
    await store('tfl:2', at);
    const second = await saidSince(test.db, first.last);
    expect(second.subjectIds).toContain('tfl:2');
    await store('tfl:3', at + 1);
    const third = await saidSince(test.db, second.last);
    expect(third.subjectIds).toContain('tfl:3');
    expect(third.last).toEqual({ at: new Date(at + 1).toISOString(), count: 1 });
    expect((await saidSince(test.db, third.last)).subjectIds).toEqual([]);
  });

  it('comes back when the incident ends and begins again', async () => {
    await say('not_ours');
    await matching.changed();
    await report(record(`${SOURCE}:2`));
    await report(record(`${SOURCE}:2`));
    await report(closure('M62 J26 to J27: closed'), record(`${SOURCE}:2`));
    expect(await listed()).toEqual([1, 1]);
    expect(await notOurs()).toEqual([]);
  });

  once('comes back when a match that was only possible becomes certain', async () => {
    await report(closure('M62: long delays'));
    await say('not_ours');
    await matching.changed();
    expect(await listed()).toEqual([0, 1]);
    await report(closure('M62 J26 to J27: closed'));
    expect(await listed()).toEqual([1, 1]);
  });

  once('counts an action that arrives again, late, only once', async () => {
    const id = randomUUID();
    await say('not_ours', id);
    await say('ours');
    await matching.changed();
    expect(await say('not_ours', id)).toBe(204);
    await matching.changed();
    expect(await listed()).toEqual([1, 1]);
  });

  it('reads two marks of one instant', async () => {
    const at = () => post(`${WATCHES}/${route}/feedback`, ours, { subject_id: ID, verdict: 'not_ours' });
    const other = `${SOURCE}:3`;
    await report(closure('M62 J26 to J27: closed'), {
      ...closure('M62 J20 to J21: closed'),
      event_id: other,
    });
    expect(await listed()).toEqual([2, 2]);
    await at();
    await matching.changed();
    await post(`${WATCHES}/${route}/feedback`, ours, { subject_id: other, verdict: 'not_ours' });
    await matching.changed();
    expect(await listed()).toEqual([0, 2]);
    expect(await notOurs()).toEqual([other, ID]);
    test.pass(1000);
    await post(`${WATCHES}/${route}/feedback`, ours, { subject_id: ID, verdict: 'ours' });
    await matching.changed();
    await post(`${WATCHES}/${route}/feedback`, ours, { subject_id: other, verdict: 'ours' });
    await matching.changed();
    expect(await listed()).toEqual([2, 2]);
  });
});
