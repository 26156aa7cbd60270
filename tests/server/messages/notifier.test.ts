import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MESSAGE_LENGTH } from '#contract/messages.ts';
import { bodyOf, messages } from '../../../server/db/messages.ts';
import { receivers } from '../../../server/db/receivers.ts';
import { users } from '../../../server/db/users.ts';
import { toListed } from '../../../server/messages/listed.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from '../db/people.ts';
import { poll } from '../feedsWorld.ts';
import { ownReports } from '../../../server/db/ownReports.ts';
import { EVERYONE } from '../../../server/db/teams.ts';
import { collections } from '../../../server/db/collections.ts';
import { closure, SOURCE, type NotifierWorld, notifierWorld } from './notifierWorld.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe.each(DATABASES)('notifying of what touches a route, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let world: NotifierWorld;
  beforeEach(async () => {
    world = await notifierWorld(database.db);
  });
  afterEach(() => world.stop());

  /** The clock goes on by steps, and the source goes on listing the same. */
  const later = async (ms: number, records = [closure()], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };
  const incident = `Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry`;

  it('waits 30 s, says what, where, when and by whom, and then sends nothing more', async () => {
    await world.watch('leeds');
    const [push, app] = [await world.receiver('push'), await world.receiver('app')];
    await world.listed([closure()]);
    expect(await world.messages(push)).toEqual([]);
    await later(10 * MINUTE);
    const said = `${incident} | Leeds–Heathrow. National Highways, 07:58.`;
    expect(await world.messages(push)).toEqual([`waiting | ${said}`]);
    expect(await world.messages(app)).toEqual([`sent | ${said}`]);
  });

  it('notifies nobody who is disabled, signed out or unconfirmed', async () => {
    const { db } = database;
    await users(db).insert(person('gone', { is_active: 0 }));
    await db
      .insertInto('team_members')
      .values({ user_id: 'gone', team_id: EVERYONE, role: 'member', joined_at: '2026-11-01T08:00:00.000Z' })
      .execute();
    const at = '2026-11-21T07:00:00.000Z';
    await db
      .insertInto('sessions')
      .values({
        id: 's1',
        user_id: 'rosa',
        created_at: at,
        last_used_at: at,
        expires_at: '2026-12-21T07:00:00.000Z',
        revoked_at: at,
        revoked_reason: 'logout',
        display_id: null,
      })
      .execute();
    await world.watch('leeds');
    await world.receiver('push', {}, { user_id: 'gone' });
    await world.receiver('push', {}, { session_id: 's1' });
    await world.receiver('email', {}, { confirmed_at: null });
    await world.listed([closure()]);
    await later(2 * MINUTE);
    expect(await db.selectFrom('messages').selectAll().execute()).toEqual([]);
    await receivers(db).prune(world.now());
    expect((await db.selectFrom('receivers').select('kind').execute()).map(({ kind }) => kind)).toEqual([
      'email',
    ]);
  });

  it('lists messages in the app for everybody who has signed in, whatever page they have open', async () => {
    const { db } = database;
    await users(db).insert(person('sam', { last_login: '2026-11-21T06:00:00.000Z' }));
    await users(db).insert(person('gone', { last_login: '2026-11-21T06:00:00.000Z', is_active: 0 }));
    await world.watch('leeds');
    await world.listed([closure()]);
    await later(2 * MINUTE);
    expect(await world.messages('app-sam')).toEqual([
      expect.stringContaining('sent | Critical: M62 eastbound between J26 and J27 closed'),
    ]);
    expect(await messages(db).unseen('sam', EVERYONE)).toBe(1);
    const who = { userId: 'sam', teamId: EVERYONE, appId: 'app-sam' };
    const list = (was_seen: 0 | 1, asOf = world.now().toISOString()) =>
      messages(db).ofUser(who, { asOf, after: { was_seen, created_at: '~', bundle: '' } }, 9);
    expect(await list(0)).toMatchObject([{ was_seen: 0, kind: 'app' }]);
    expect(await list(1)).toEqual([]);
    await messages(db).see('sam', undefined, world.now());
    world.pass(1);
    expect(await list(0)).toMatchObject([{ was_seen: 1, kind: 'app' }]);
    const apps = await db.selectFrom('receivers').select('id').where('kind', '=', 'app').execute();
    expect(apps).toEqual([{ id: 'app-sam' }]);
  });

  it('sends one message by two nodes, whichever looks', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    const other = world.begin(await database.node(), 'the other node');
    await world.listed([closure()]);
    for (let look = 0; look < 20; look++) {
      world.pass(10 * SECOND);
      await poll(database.db, SOURCE, [closure()], world.now());
      await Promise.all([world.notifier.changed(), other.changed()]);
    }
    expect(await world.messages(push)).toHaveLength(1);
    await world.notifier.stop();
    await later(30 * MINUTE, []);
    for (let look = 0; look < 30; look++) {
      world.pass(MINUTE);
      await poll(database.db, SOURCE, [], world.now());
      await other.changed();
    }
    expect((await world.messages(push)).map((one) => one.split(' | ')[1]!.split(':')[0])).toEqual([
      'Critical',
      'Cleared',
    ]);
  });
});

/** What is still in use, in bytes. */
function heapKept(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('notifying of what touches a route', () => {
  const database = useDatabase(DATABASES[0]!.open);
  let world: NotifierWorld;
  beforeEach(async () => {
    world = await notifierWorld(database.db);
  });
  afterEach(() => world.stop());

  /** The clock goes on by steps, and the source goes on listing the same. */
  const later = async (ms: number, records = [closure()], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };
  const incident = `Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry`;

  it('says when the next vehicle is there, and nothing while none is near', async () => {
    await world.watch('leeds', { departures: [{ at_local: '09:00' }] });
    const push = await world.receiver('push');
    world.set('2026-11-21T06:30:00Z');
    await world.listed([closure()]);
    await later(5 * MINUTE);
    expect(await world.messages(push)).toEqual([]);
    expect(await world.messages(null)).toEqual([
      `Held: no departure is near | ${incident} | Leeds–Heathrow. National Highways, 07:58.`,
    ]);
    world.set('2026-11-21T07:00:00Z');
    await world.listed([closure()]);
    await later(MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[2])).toEqual([
      'Leeds–Heathrow, reached about 09:07. National Highways, 07:58.',
    ]);
  });

  it('holds what is below the threshold, possible or planned, and says why', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.receiver('push');
    await world.listed([
      closure('medium', { severity: 'medium' }),
      closure('planned', { phase: 'planned', start_time: '2026-11-22T08:00:00.000Z' }),
    ]);
    await later(MINUTE, []);
    await world.listed([closure('maybe')], { level: 'possible' });
    await later(10 * MINUTE, []);
    expect(await world.messages(push)).toEqual([]);
    expect((await world.messages(null)).map((one) => one.split(' | ')[0]).sort()).toEqual([
      'Held: below your threshold',
      'Held: planned, not yet in force',
      'Held: possible, not certain',
    ]);
  });

  it('says cleared once its publisher no longer lists it, 10 min later, and by what rule', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    await world.listed([closure()]);
    await later(MINUTE);
    await later(30 * MINUTE, []);
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      incident,
      'Cleared: M62 eastbound between J26 and J27 closed due to an overturned lorry (no longer listed, 08:01)',
    ]);
  });

  it('never says cleared while its source is dead, and says once that it is blind, and once that it sees again', async () => {
    await world.watch('leeds');
    await world.watch('york', { name: 'York–Hull', tellMe: { threshold: 'nothing' } });
    const push = await world.receiver('push');
    await world.listed([closure()]);
    await later(MINUTE);
    for (let minute = 0; minute < 90; minute++) {
      world.pass(MINUTE);
      await world.notifier.changed();
    }
    await world.restart();
    await world.listed([closure()]);
    await later(5 * MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ').slice(1).join(' '))).toEqual([
      `${incident} Leeds–Heathrow. National Highways, 07:58.`,
      'No information from National Highways since 08:01. 1 of your routes depends on it.',
      'National Highways answers again. Its information is from 09:31.',
    ]);
  });

  it('sends a rise to critical at once, also out of a snooze', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.receiver('push');
    await respond({ snooze_until: '2026-11-21T09:30:00.000Z', snoozed_at: '2026-11-21T07:59:00.000Z' });
    const high = closure('a', { severity: 'high' });
    await world.listed([high]);
    await later(10 * MINUTE, [high]);
    expect(await world.messages(push)).toEqual([]);
    expect((await world.messages(null)).map((one) => one.split(' | ')[0])).toEqual([
      'Held: snoozed until 09:30',
    ]);
    world.pass(SECOND);
    await database.db.updateTable('responses').set({ snooze_until: null }).execute();
    await world.listed([closure()]);
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([incident]);
  });

  it('sends at once what becomes critical after hundreds of other changes', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'critical' } });
    const push = await world.receiver('push');
    const high = closure('a', { severity: 'high' });
    await world.listed([high]);
    await world.listed([high, closure('b', { severity: 'low' })]);
    world.pass(SECOND);
    const others = Array.from({ length: 600 }, (_, index) => closure(`other${index}`));
    await poll(database.db, 'tfl', others, world.now());
    await world.listed([closure()]);
    expect((await world.messages(push)).map((one) => one.split(' | ')[0])).toHaveLength(1);
  });

  it('repeats what is critical and not acknowledged after 4 h, and is silent once it is', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    await world.listed([closure()]);
    await later(5 * HOUR, [closure()], 5 * MINUTE);
    await respond({ disposition: 'diverted' });
    await later(9 * HOUR, [closure()], 5 * MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[2])).toEqual([
      'Leeds–Heathrow. National Highways, 07:58.',
      'Leeds–Heathrow. National Highways, 07:58. Not acknowledged.',
    ]);
  });

  it('holds in quiet hours and while paused, notes it once, and sends it afterwards in one message', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const quiet = { from: '22:00', to: '06:00', critical: false };
    const push = await world.receiver('push', { quiet });
    const loud = await world.receiver('email', { quiet: { ...quiet, critical: true } });
    const app = await world.receiver('app');
    world.set('2026-11-21T23:00:00Z');
    const all = ['a', 'b', 'c'].map((id) => closure(id, { severity: 'medium' }));
    await world.listed(all);
    await later(7 * HOUR + 10 * MINUTE, all, 5 * MINUTE);
    const titles = async (id: string) =>
      (await world.messages(id)).map((one) => one.split(' | ').slice(0, 2).join(' | '));
    const group = '3 on Leeds–Heathrow: 3 medium';
    expect(await titles(push)).toEqual([`Held: quiet hours | ${group}`, `waiting | ${group}`]);
    expect(await titles(app)).toEqual([`sent | ${group}`]);
    // In the list it is one row, which says that the device did not get it.
    const who = { userId: 'rosa', teamId: EVERYONE, appId: app };
    const rows = await messages(database.db).ofUser(
      who,
      { asOf: world.now().toISOString(), after: null },
      20,
    );
    const listed = toListed(
      rows.filter(({ kind }) => kind !== 'email'),
      { notOurs: new Map() },
    );
    expect(listed.map(({ title, reason, is_seen }) => [title, reason, is_seen])).toEqual([
      [group, 'Held: quiet hours', false],
      [group, 'Waiting to be sent', true],
    ]);
    const sent = await database.db
      .selectFrom('messages')
      .selectAll()
      .where('state', '=', 'waiting')
      .execute();
    expect(sent.map(({ created_at }) => created_at)).toEqual(
      Array.from({ length: 2 }, () => '2026-11-22T06:00:00.000Z'),
    );

    world.set('2026-11-22T23:00:00Z');
    await world.listed([...all, closure('worst')]);
    await later(MINUTE, [...all, closure('worst')]);
    expect(await titles(loud)).toContain('waiting | 4 on Leeds–Heathrow: 1 critical');
    expect((await titles(push)).at(-1)).toBe('Held: quiet hours | 4 on Leeds–Heathrow: 1 critical');

    world.set('2026-11-23T09:00:00Z');
    await receivers(database.db).pause('rosa', '2026-11-23T10:00:00.000Z');
    await world.listed([closure('new')]);
    await later(30 * MINUTE, [closure('new')], 5 * MINUTE);
    expect((await titles(push)).at(-1)).toContain('Held: paused until 10:00');
    await later(40 * MINUTE, [closure('new')], 5 * MINUTE);
    expect((await titles(push)).at(-1)).toContain('waiting');
  });

  it('sends what the team reports itself, as Ours, and that it is over by whom', async () => {
    const app = await world.receiver('app');
    await world.watch('leeds');
    const author = { teamId: EVERYONE, userId: 'rosa' };
    const report = async (id: string) => {
      const added = await ownReports(database.db).add(
        author,
        {
          id,
          at: world.now().toISOString(),
          title: 'M62 J26: lorry across both lanes',
          severity: 'critical',
          note: 'A driver tells us',
          latitude: null,
          longitude: null,
          geometry: null,
          metadata: '{}',
          facts: '{"roads":["M62"],"stretch":[]}',
          end_time: '2026-11-21T10:00:00.000Z',
        },
        world.now(),
      );
      return typeof added === 'object' ? added.event_id : expect.fail(added);
    };
    const [one, two] = [await report('1'), await report('2')];
    await world.touch(one, two);
    world.pass(30 * SECOND);
    await world.notifier.changed();
    expect(await world.messages(app)).toEqual([
      'sent | 2 on Leeds–Heathrow: 2 critical | Critical: M62 J26: lorry across both lanes. Ours, 08:00.',
    ]);

    world.pass(10 * MINUTE);
    await ownReports(database.db).change(author, { eventId: one, rev: 1 }, { ended: true }, world.now());
    for (let minute = 0; minute < 20; minute++) {
      world.pass(MINUTE);
      await world.touch(two);
    }
    expect(await world.messages(app)).toHaveLength(1);
    world.set('2026-11-21T10:00:00.000Z');
    await ownReports(database.db).endDue(world.now());
    await world.touch();
    await later(11 * MINUTE, []);
    expect((await world.messages(app)).slice(1)).toEqual([
      'sent | 2 cleared on Leeds–Heathrow | M62 J26: lorry across both lanes; M62 J26: lorry across both lanes.',
    ]);
  });

  it('holds what a demoted source reports, and never says cleared of it', async () => {
    const app = await world.receiver('app');
    await world.watch('leeds');
    await world.listed([closure()]);
    world.pass(30_000);
    await world.notifier.changed();
    await collections(database.db).demote(SOURCE, '3 of 40 messages', world.now());
    await world.listed([closure(), closure('b')]);
    world.pass(30 * 60_000);
    await world.listed([closure(), closure('b')]);
    expect(await world.messages(app)).toHaveLength(1);
    expect(await world.messages(null)).toEqual([
      expect.stringMatching(/^Held: National Highways is demoted to possible \| Critical: /),
      expect.stringMatching(/^Held: National Highways is demoted to possible \| Critical: /),
    ]);
  });

  it('leaves a queue inside a certain closure to the closure', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const push = await world.receiver('push');
    const facts = {
      place: 'M62 eastbound, J26 to J27',
      cause: null,
      advice: [],
      expected_clear: null,
      expected_clear_from: null,
      lanes: null,
      delay_minutes: null,
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E' as const,
    };
    const all = [
      closure('closed', { facts: { ...facts, effect: 'closed' } }),
      closure('queue', { severity: 'medium', facts: { ...facts, effect: 'queues of 3 miles' } }),
    ];
    await world.listed(all);
    await later(20 * MINUTE, all);
    expect(await world.messages(push)).toEqual([
      'waiting | Critical: M62 eastbound, J26 to J27: closed | Leeds–Heathrow, M62 J26 to J27. National Highways, 07:58.',
    ]);
    expect((await world.messages(null)).map((one) => one.split(' | ')[0])).toEqual([
      'Held: inside a closed stretch',
    ]);
    // Once the road is open the queue is news.
    await later(6 * MINUTE, all.slice(1));
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      'Critical: M62 eastbound, J26 to J27: closed',
      'Medium: M62 eastbound, J26 to J27: queues of 3 miles',
    ]);
  });

  it('repeats what was acknowledged and got worse since, as nobody has it in hand', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await respond({ disposition: 'diverted', lapsed: 'worse' });
    await later(4 * HOUR, [closure()], 5 * MINUTE);
    expect(await world.messages(push)).toHaveLength(2);
  });

  it('says that a source is silent only to teams that it matters to', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'nothing' } });
    const push = await world.receiver('push');
    await world.listed([closure()]);
    for (let gone = 0; gone < 2 * HOUR; gone += 5 * MINUTE) {
      world.pass(5 * MINUTE);
      await world.notifier.changed();
    }
    expect(await world.messages(push)).toEqual([]);
  });

  it('makes the digest of what is possible and planned, once, at its time', async () => {
    await world.watch('leeds');
    world.set('2026-11-22T05:50:00Z');
    const push = await world.receiver('push', { digest: '06:00' });
    const off = await world.receiver('email');
    const planned = closure('planned', { phase: 'planned', start_time: '2026-11-22T20:00:00.000Z' });
    await world.listed([planned]);
    await later(30 * MINUTE, [planned], MINUTE);
    expect(await world.messages(push)).toEqual([
      'waiting | Digest 06:00: 1 planned | Leeds–Heathrow: M62 eastbound between J26 and J27 closed due to an overturned lorry.',
    ]);
    expect(await world.messages(off)).toEqual([]);
  });

  it('names what is possible in a digest, unless its route wants none of it', async () => {
    await world.watch('leeds');
    world.set('2026-11-22T05:50:00Z');
    const push = await world.receiver('push', { digest: '06:00' });
    await world.listed([closure()], { level: 'possible' });
    world.pass(12 * MINUTE);
    await world.listed([closure()], { level: 'possible' });
    await database.db.updateTable('watches').set({ notify: '{"possible":"no"}' }).execute();
    world.set('2026-11-23T06:02:00Z');
    await world.listed([closure()], { level: 'possible' });
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      'Digest 06:00: 1 possible',
    ]);
  });

  it('makes the digest of a time in a pause when the pause is over, and none of what its route does not want', async () => {
    await world.watch('leeds', { tellMe: { possible: 'no' } });
    world.set('2026-11-22T05:50:00Z');
    const push = await world.receiver('push', { digest: '06:00' });
    await receivers(database.db).pause('rosa', new Date('2026-11-22T06:20:00Z'));
    const planned = closure('planned', { phase: 'planned', start_time: '2026-11-22T20:00:00.000Z' });
    const far = closure('far', { phase: 'planned', start_time: '2026-11-24T20:00:00.000Z' });
    await world.listed([planned, far]);
    await later(28 * MINUTE, [planned, far], MINUTE);
    expect(await world.messages(push)).toEqual([]);
    await later(5 * MINUTE, [planned, far], MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      'Digest 06:00: 1 planned',
    ]);
  });

  it('sends what a route touches since it was edited, as what is new, and says nothing cleared of what it left', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    const both = [closure('left'), closure('reached')];
    await world.listed(both);
    await world.touch('national-highways:left');
    world.pass(30 * SECOND);
    await world.notifier.changed();
    expect(await world.messages(push)).toHaveLength(1);
    world.pass(HOUR);
    await poll(database.db, SOURCE, both, world.now());
    await world.touch('national-highways:reached');
    world.pass(30 * SECOND);
    await world.notifier.changed();
    world.pass(20 * MINUTE);
    await poll(database.db, SOURCE, both, world.now());
    await world.notifier.changed();
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([incident, incident]);
  });

  it('makes one message a group of 10,000 matches at once', async () => {
    for (let route = 0; route < 20; route++) await world.watch(`route ${route}`);
    const push = await world.receiver('push');
    const all = Array.from({ length: 500 }, (_, index) => closure(`i${index}`));
    await world.listed(all);
    world.pass(31 * SECOND);
    await world.listed(all);
    await world.restart();
    const made = await world.messages(push);
    expect(made).toHaveLength(20);
    expect(made[0]).toContain('500 on Leeds–Heathrow: 500 critical');
    const bodies = await database.db.selectFrom('messages').select('body').execute();
    for (const row of bodies) {
      const { title, text } = bodyOf(row);
      expect(`${title} ${text}`.length).toBeLessThanOrEqual(MESSAGE_LENGTH);
    }

    const lookAgain = async () => {
      world.pass(MINUTE);
      await world.notifier.changed();
      return heapKept();
    };
    const before = await lookAgain();
    expect((await lookAgain()) - before).toBeLessThan(2_000_000);
    expect(await world.messages(push)).toHaveLength(20);
  });

  it('sends at most 2 messages of what comes and goes 50 times in 10 min', async () => {
    await world.watch('leeds');
    const push = await world.receiver('push');
    for (let flap = 0; flap < 50; flap++) {
      await world.listed([closure()]);
      world.pass(6 * SECOND);
      await world.listed([]);
      world.pass(6 * SECOND);
      await world.notifier.changed();
    }
    await later(2 * HOUR, [], 5 * MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      incident,
      expect.stringMatching(/^Cleared: M62 eastbound/),
    ]);
  });

  async function respond(changes: object) {
    await database.db
      .insertInto('responses')
      .values({
        team_id: EVERYONE,
        event_id: `${SOURCE}:a`,
        disposition: null,
        by_user: 'rosa',
        at: world.now().toISOString(),
        severity_rank: 0,
        version_seen_at: world.now().toISOString(),
        snooze_until: null,
        snooze_change: 0,
        snoozed_by: null,
        snoozed_at: null,
        lapsed: null,
        lapsed_at: null,
        rev: 1,
        change: 'acknowledged',
        changed_by: null,
        changed_at: world.now().toISOString(),
        ...changes,
      })
      .execute();
    await database.db
      .insertInto('revisions')
      .values({ name: 'responses', value: 1 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({ value: eb('revisions.value', '+', 1) })),
      )
      .execute();
  }
});
