import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnReport, ResponseList, ResponseRecord } from '#contract/shift/responses.ts';
import type { CursorWorker } from '../../../server/db/cursorWorker.ts';
import { split, unsplit } from '../../../server/incidents/merging/mergedIdentity.ts';
import { responses } from '../../../server/shift/responses.ts';
import { startLapses } from '../../../server/shift/lapseWorker.ts';
import { DATABASES } from '../../support/databases.ts';
import { factsOf } from '../../support/facts.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';

const ONE = 'national-highways:pair';
const OTHER = 'tfl:pair';
const MINUTE_MS = 60_000;

describe.each(DATABASES)('the responses of two teams, on $engine', ({ open, once }) => {
  let test: TestApp;
  let lapses: CursorWorker;
  let rosa: string;
  let sam: string;

  const facts = factsOf({
    place: 'M62 eastbound, J26 to J27',
    effect: 'closed',
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
    direction: 'E',
  });
  const said = { facts, event_type: 'road.closure', start_time: '2026-11-21T08:31:00.000Z' };
  const publish = async (id: string, ...is: ('there' | 'critical')[]) => {
    test.pass(MINUTE_MS);
    const source = id.split(':', 1)[0]!;
    const severity = is.includes('critical') ? 'critical' : 'high';
    const records = is.length > 0 ? [record(id, { ...said, severity })] : [];
    await poll(test.db, source, records, test.now());
    await lapses.changed();
  };
  const act = async (change: typeof split | typeof unsplit) => {
    test.pass(MINUTE_MS);
    await test.db.transaction().execute(async (trx) => void (await change(trx, [ONE, OTHER], test.now())));
    await lapses.changed();
  };
  const take = async (token: string, id: string, disposition: string) => {
    const reply = await test.app.inject({
      method: 'PUT',
      url: `/api/v1/responses/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${token}`, 'if-match': '0' },
      payload: { id: randomUUID(), disposition },
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  /** The incidents for which a team has a response in hand. */
  const inHand = async (token: string) =>
    (await test.get('/api/v1/responses', token))
      .json<ResponseList>()
      .responses.map(({ event_id, disposition }) => `${event_id} ${disposition}`)
      .toSorted();
  const logged = async (token: string, id: string) =>
    (await test.get(`/api/v1/responses/${encodeURIComponent(id)}`, token))
      .json<ResponseRecord>()
      .log.map(({ detail }) => detail['disposition']);

  beforeEach(async () => {
    test = await openTestApp({ open, config: { teams: 'many' } });
    rosa = (await test.signIn(await test.addUser({ email: 'rosa@example.org' }))).access_token;
    sam = (await test.signIn(await test.addUser({ email: 'sam@example.org' }))).access_token;
    lapses = startLapses({
      db: test.db,
      now: test.now,
      owner: 'this node',
      log: { error: (fields) => expect.unreachable(JSON.stringify(fields)) },
    });
    await lapses.changed();
  });
  afterEach(async () => {
    await lapses.stop();
    await test.close();
  });

  it('one team’s response stays its own through a split, a merge and a new id', async () => {
    await publish(ONE, 'there');
    await publish(OTHER, 'there');
    await take(rosa, ONE, 'diverted');
    expect(await inHand(rosa)).toEqual([`${ONE} diverted`]);
    expect(await inHand(sam)).toEqual([]);

    await act(split);
    expect(await inHand(rosa)).toEqual([`${ONE} diverted`]);
    expect(await inHand(sam)).toEqual([]);
    // Each has one of the two in hand.
    await take(sam, OTHER, 'dealing_with_it');
    await act(unsplit);
    expect(await inHand(rosa)).toEqual([`${ONE} diverted`]);
    expect(await inHand(sam)).toEqual([`${ONE} dealing_with_it`]);

    // The report that gave the incident its id ends: the incident goes on under the other's id.
    await publish(ONE);
    expect(await inHand(rosa)).toEqual([`${OTHER} diverted`]);
    expect(await inHand(sam)).toEqual([`${OTHER} dealing_with_it`]);
    for (const id of [ONE, OTHER]) {
      expect(await logged(rosa, id), id).toEqual(['diverted']);
      expect(await logged(sam, id), id).toEqual(['dealing_with_it']);
    }
  });

  once('if a team has responses to both incidents, the one to the incident that goes on stays', async () => {
    await publish(ONE, 'there');
    await publish(OTHER, 'there');
    await act(split);
    await take(rosa, ONE, 'diverted');
    await take(rosa, OTHER, 'dealing_with_it');
    await act(unsplit);
    expect(await inHand(rosa)).toContain(`${ONE} diverted`);
  });

  it('an acknowledgement ends when its incident becomes part of a graver one', async () => {
    await publish(ONE, 'there');
    await publish(OTHER, 'there');
    await act(split);
    await publish(ONE, 'critical');
    await take(rosa, OTHER, 'diverted');
    await act(unsplit);
    expect((await test.get('/api/v1/responses', rosa)).json<ResponseList>().responses).toMatchObject([
      { event_id: ONE, lapsed: 'worse' },
    ]);
  });

  it('a response stays for as long as the incident is stored', async () => {
    await publish(ONE, 'there');
    await take(rosa, ONE, 'diverted');
    const prune = () => responses(test.db).prune(new Date(test.now().getTime() + MINUTE_MS));
    await prune();
    expect(await inHand(rosa)).toEqual([`${ONE} diverted`]);
    await test.db.deleteFrom('disruptions').execute();
    await prune();
    expect(await test.db.selectFrom('responses').selectAll().execute()).toEqual([]);
  });

  it('a response to a team’s own report stays for as long as the report is stored', async () => {
    const seen = { id: randomUUID(), title: 'Lorry across both lanes', place: 'Leeds', severity: 'high' };
    const { disruption } = (await test.post('/api/v1/reports/', seen, rosa)).json<OwnReport>();
    await take(rosa, disruption.event_id, 'diverted');
    const prune = () => responses(test.db).prune(new Date(test.now().getTime() + MINUTE_MS));
    await prune();
    expect(await inHand(rosa)).toEqual([`${disruption.event_id} diverted`]);
    await test.db.deleteFrom('own_reports').execute();
    await prune();
    expect(await test.db.selectFrom('responses').selectAll().execute()).toEqual([]);
  });

  once('an action that its person sends again from another team does not count there', async () => {
    await publish(ONE, 'there');
    const done = { eventId: ONE, rev: 0, id: randomUUID(), at: test.now().toISOString(), severity: null };
    const as = (teamId: string) =>
      responses(test.db).act(
        { teamId, userId: users[0]! },
        done,
        { action: 'acknowledged', disposition: 'diverted' },
        test.now(),
      );
    // Both have called once, and are in teams of their own.
    await Promise.all([inHand(rosa), inHand(sam)]);
    const users = (await test.db.selectFrom('team_members').select('user_id').execute()).map(
      ({ user_id }) => user_id,
    );
    const [own, other] = users as [string, string];
    expect((await as(own)).outcome).toBe('done');
    expect((await as(own)).outcome).toBe('done');
    expect((await as(other)).outcome).toBe('used');
  });
});
