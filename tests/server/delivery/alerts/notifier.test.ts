import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GROUP_LENGTH, HELD_A_DAY } from '#contract/messages/messages.ts';
import { jobs } from '../../../../server/watches/jobs/jobStore.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { bodyOf, messages } from '../../../../server/delivery/outbox/outboxStore.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { incidentOf } from '../../../../server/incidents/list/duplicates.ts';
import { split, unsplit } from '../../../../server/incidents/merging/mergedIdentity.ts';
import { channels as channelsIn } from '../../../../server/delivery/outbox/channelStore.ts';
import { users } from '../../../../server/accounts/users.ts';
import { chunks } from '../../../../server/db/batches.ts';
import { toListed } from '../../../../server/delivery/outbox/listedMessages.ts';
import { factsOf } from '../../../support/facts.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../../accounts/people.ts';
import type { AlertWatch } from '../../../../server/delivery/alerts/alertStore.ts';
import { notifyOfSilence } from '../../../../server/delivery/alerts/silentSources.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import type { Look } from '../../../../server/delivery/outbox/notifierRun.ts';
import { COLLECTORS, poll, record } from '../../feedsWorld.ts';
import { ownReports } from '../../../../server/shift/ownReports.ts';
import { heldRow, putIn } from '../../../../server/delivery/outbox/outbox.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { demotions } from '../../../../server/watches/matching/demotionStore.ts';
import { closure, SOURCE, type NotifierWorld, notifierWorld } from './notifierWorld.ts';

const { jobRequest } = example;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe.each(DATABASES)('notifying of what touches a route, on $engine', ({ open, once }) => {
  const database = useDatabase(open);
  let world: NotifierWorld;
  beforeEach(async () => {
    world = await notifierWorld(database.db);
  });
  afterEach(() => world.stop());

  /** Moves the clock on in steps, while the source lists the same. */
  const later = async (ms: number, records = [closure()], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };
  const incident = `Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry`;

  it('waits 30 s, says what, where, when and by whom, and then sends nothing more', async () => {
    await world.watch('leeds');
    const [push, app] = [await world.channel('device'), await world.channel('app')];
    await world.listed([closure()]);
    expect(await world.messages(push)).toEqual([]);
    await later(10 * MINUTE);
    const said = `${incident} | Leeds–Heathrow. National Highways, 07:58.`;
    expect(await world.messages(push)).toEqual([`waiting | ${said}`]);
    expect(await world.messages(app)).toEqual([`sent | ${said}`]);
  });

  describe('an incident that two sources report', () => {
    const facts = factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    });
    const official = closure('a', { facts, start_time: '2026-11-21T07:58:00.000Z' });
    const other = { ...official, event_id: 'tfl:same', title: 'A62 and M62 closed' };
    const elsewhere = {
      ...other,
      facts: { ...facts, stretch: [{ road: 'M62', from: 'J30', to: 'J31' }] },
    };
    const both = [official.event_id, other.event_id] as [string, string];

    /** Lists of the sources, and what the matcher finds in them for ten minutes. */
    async function goesOn(lists: { roads: boolean; tfl: typeof other | null }, touching: string[]) {
      for (let minute = 0; minute < 12; minute++) {
        world.pass(MINUTE);
        await poll(database.db, SOURCE, lists.roads ? [official] : [], world.now());
        await poll(database.db, 'tfl', lists.tfl ? [lists.tfl] : [], world.now());
        await world.touch(...touching);
      }
    }

    once(
      'is sent once, even under another id, and is reported open when the last report is over',
      async () => {
        await world.watch('leeds');
        const push = await world.channel('device');
        await goesOn({ roads: true, tfl: other }, [official.event_id]);
        expect(await world.messages(push)).toHaveLength(1);
        // The matcher has not looked yet.
        await goesOn({ roads: false, tfl: other }, [official.event_id]);
        expect(await world.messages(push)).toHaveLength(1);
        await goesOn({ roads: false, tfl: other }, [other.event_id]);
        expect(await world.messages(push)).toHaveLength(1);
        await goesOn({ roads: false, tfl: null }, []);
        const said = await world.messages(push);
        expect(said).toHaveLength(2);
        expect(said[1]).toContain('Cleared: M62 eastbound, J26 to J27');
      },
    );

    once.each(['route', 'feeds'] as const)(
      'sends one message by %s, and none when it splits or merges',
      async (kind) => {
        await world.watch('leeds', { kind });
        const push = await world.channel('device');
        await goesOn({ roads: true, tfl: other }, [official.event_id]);
        expect(await world.messages(push)).toHaveLength(1);
        await database.db.transaction().execute((trx) => split(trx, both, world.now()));
        await goesOn({ roads: true, tfl: other }, both);
        expect(await world.messages(push)).toHaveLength(1);
        await database.db.transaction().execute(async (trx) => void (await unsplit(trx, both, world.now())));
        await goesOn({ roads: true, tfl: other }, both);
        await goesOn({ roads: true, tfl: other }, [official.event_id]);
        expect(await world.messages(push)).toHaveLength(1);
      },
    );

    it('is no news for feeds if a report is separate again after the others went on without it', async () => {
      await world.watch('rail', { kind: 'feeds' });
      const push = await world.channel('device');
      const trains = record('tfl:a', { severity: 'critical', title: 'Leeds to Shipley: no trains' });
      const late = { ...trains, severity: 'medium' as const, title: 'Leeds to Shipley: residual delays' };
      const other = record('tfl:b', { severity: 'critical', title: 'York to Hull: no trains' });
      const operator = (incident: DisruptionRecord) =>
        record('nsi-service:NT', {
          title: 'Northern: residual delays',
          metadata: { related_event_ids: [incident.event_id] },
        });
      const lists = async (tfl: readonly DisruptionRecord[], nsi: readonly DisruptionRecord[]) => {
        world.pass(40 * SECOND);
        await poll(database.db, 'tfl', [other, ...tfl], world.now());
        await poll(database.db, 'nsi-service', [...nsi], world.now());
        await world.touch();
      };
      for (let lap = 0; lap < 4; lap++) {
        for (let look = 0; look < 3; look++) await lists([trains], []);
        await lists([late], [operator(trains)]);
        await lists([], [operator(trains)]);
        await lists([], [operator(other)]);
        await lists([{ ...late, severity: 'high' }], [operator(other)]);
      }
      const titles = async () => (await world.messages(push)).map((one) => one.split(' | ')[1]);
      expect(await titles()).toEqual(['2 new on Leeds–Heathrow: 2 critical']);
      // It was over for longer than the notifier waits for incidents that come and go.
      await lists([trains], []);
      await lists([late], [operator(trains)]);
      await lists([], [operator(trains)]);
      for (let look = 0; look < 16; look++) await lists([], [operator(other)]);
      for (let look = 0; look < 3; look++) await lists([trains], [operator(other)]);
      expect((await titles()).slice(1)).toEqual([
        'Cleared: Leeds to Shipley: residual delays (no longer listed, 08:20)',
        'Critical: Leeds to Shipley: no trains',
      ]);
    });

    it('is reported open once if its report is separate again after the vehicle has passed', async () => {
      await world.watch('leeds', { departures: [{ at_local: '08:05', duration_min: 20 }] });
      const [push, hook] = [await world.channel('device'), await world.channel('webhook')];
      for (let lap = 0; lap < 4; lap++) await goesOn({ roads: true, tfl: other }, [official.event_id]);
      const reopened = {
        ...other,
        severity: 'medium' as const,
        title: 'M62: reopened, long delays remain',
        facts: { ...facts, effect: 'reopened' },
      };
      await poll(database.db, 'tfl', [reopened], world.now());
      await database.db.transaction().execute((trx) => split(trx, both, world.now()));
      await goesOn({ roads: true, tfl: reopened }, both);
      for (const channel of [push, hook]) {
        const titles = (await world.messages(channel)).map((one) => one.split(' | ')[1]);
        expect(titles.slice(1)).toEqual([expect.stringMatching(/^Open again: .* reopened/)]);
      }
    });

    once.each(['after', 'before'] as const)(
      'is news for feeds when a report that was milder as a part of it is as grave, %s a look',
      async (when) => {
        await world.watch('rail', { kind: 'feeds' });
        const push = await world.channel('device');
        await goesOn({ roads: true, tfl: { ...other, severity: 'high' } }, []);
        await database.db.transaction().execute((trx) => split(trx, both, world.now()));
        if (when === 'after') await world.touch();
        expect(await world.messages(push)).toHaveLength(1);
        world.pass(MINUTE);
        await poll(database.db, 'tfl', [other], world.now());
        await world.touch();
        expect(await world.messages(push)).toHaveLength(2);
      },
    );

    once('is news when a report that has long been separate touches the route again', async () => {
      await world.watch('leeds');
      const push = await world.channel('device');
      await goesOn({ roads: true, tfl: other }, [official.event_id]);
      await database.db.transaction().execute((trx) => split(trx, both, world.now()));
      await goesOn({ roads: true, tfl: other }, [official.event_id]);
      expect(await world.messages(push)).toHaveLength(1);
      await goesOn({ roads: true, tfl: other }, both);
      expect(await world.messages(push)).toHaveLength(2);
    });

    once('is news although a report of it was part of another, which was sent', async () => {
      await world.watch('leeds');
      const push = await world.channel('device');
      await goesOn({ roads: true, tfl: other }, both);
      const next = closure('b', { facts: elsewhere.facts, start_time: official.start_time });
      for (let look = 0; look < 3; look++) {
        await poll(database.db, SOURCE, [official, next], world.now());
        await poll(database.db, 'tfl', [elsewhere], world.now());
        await world.touch(...both, next.event_id);
        world.pass(MINUTE);
      }
      expect(await incidentOf(database.db, other.event_id)).toBe(next.event_id);
      expect(await world.messages(push)).toHaveLength(2);
    });

    once('is news when a report of it was over for ten minutes and comes back elsewhere', async () => {
      await world.watch('leeds');
      const push = await world.channel('device');
      await goesOn({ roads: true, tfl: other }, [official.event_id]);
      await goesOn({ roads: true, tfl: null }, [official.event_id]);
      expect(await world.messages(push)).toHaveLength(1);
      await goesOn({ roads: true, tfl: elsewhere }, both);
      expect(await world.messages(push)).toHaveLength(2);
    });

    once('is no news when a separate report is as grave again as it was minutes ago', async () => {
      await world.watch('rail', { kind: 'feeds' });
      const push = await world.channel('device');
      await goesOn({ roads: true, tfl: other }, []);
      await poll(database.db, 'tfl', [{ ...other, severity: 'high' }], world.now());
      world.pass(MINUTE);
      await database.db.transaction().execute((trx) => split(trx, both, world.now()));
      await world.touch();
      await goesOn({ roads: true, tfl: other }, []);
      expect(await world.messages(push)).toHaveLength(1);
    });

    once('sends no end of a report that is separate and no longer touches the route', async () => {
      await world.watch('leeds');
      const push = await world.channel('device');
      await goesOn({ roads: true, tfl: other }, both);
      await database.db.transaction().execute((trx) => split(trx, both, world.now()));
      await goesOn({ roads: true, tfl: other }, [official.event_id]);
      await goesOn({ roads: true, tfl: null }, [official.event_id]);
      expect(await world.messages(push)).toHaveLength(1);
    });

    once(
      'says nothing of a report that was separate only until its end, if the matcher is late',
      async () => {
        await world.watch('leeds');
        const push = await world.channel('device');
        await goesOn({ roads: true, tfl: other }, [official.event_id]);
        await database.db.transaction().execute((trx) => split(trx, both, world.now()));
        await poll(database.db, 'tfl', [], world.now());
        await goesOn({ roads: true, tfl: null }, both);
        expect(await world.messages(push)).toHaveLength(1);
      },
    );

    once(
      'is sent once if it becomes part of a report that has not yet waited long enough to be sent',
      async () => {
        await world.watch('leeds', { tellMe: { threshold: 'high' } });
        const push = await world.channel('device');
        const high = { severity: 'high', start_time: '2026-11-21T07:50:00.000Z' } as const;
        const look = async (ms: number, tfl: (typeof other)[]) => {
          world.pass(ms);
          await poll(database.db, SOURCE, [{ ...official, severity: 'high' }], world.now());
          await poll(database.db, 'tfl', tfl, world.now());
          await world.touch(official.event_id, ...tfl.map(({ event_id }) => event_id));
        };
        for (let minute = 0; minute < 12; minute++) await look(MINUTE, []);
        expect(await world.messages(push)).toHaveLength(1);
        await look(MINUTE, [{ ...elsewhere, ...high }]);
        for (let again = 0; again < 24; again++) await look(30 * SECOND, [{ ...other, ...high }]);
        expect(await incidentOf(database.db, official.event_id)).toBe(other.event_id);
        expect(await world.messages(push)).toHaveLength(1);
      },
    );

    once('is news if the other report is graver', async () => {
      await world.watch('leeds', { tellMe: { threshold: 'high' } });
      const push = await world.channel('device');
      const mild = { ...official, severity: 'high' as const };
      for (let minute = 0; minute < 12; minute++) {
        world.pass(MINUTE);
        await poll(database.db, SOURCE, [mild], world.now());
        await poll(database.db, 'tfl', [elsewhere], world.now());
        await world.touch(official.event_id);
      }
      expect(await world.messages(push)).toHaveLength(1);
      for (let minute = 0; minute < 12; minute++) {
        world.pass(MINUTE);
        await poll(database.db, 'tfl', [other], world.now());
        await world.touch(official.event_id);
      }
      const said = await world.messages(push);
      expect(said).toHaveLength(2);
      expect(said[1]).toContain('Critical');
    });
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
    await world.channel('device', {}, { user_id: 'gone' });
    await world.channel('device', {}, { session_id: 's1' });
    await world.channel('email', {}, { state: 'unconfirmed' });
    await world.listed([closure()]);
    await later(2 * MINUTE);
    expect(await db.selectFrom('messages').selectAll().execute()).toEqual([]);
    await channelsIn(db).prune(world.now());
    expect((await db.selectFrom('channels').select('kind').execute()).map(({ kind }) => kind)).toEqual([
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
    expect((await list(0)).rows).toMatchObject([{ kind: 'app' }]);
    expect((await list(1)).rows).toEqual([]);
    await messages(db).see('sam', undefined, world.now());
    world.pass(1);
    expect((await list(1)).rows).toMatchObject([{ kind: 'app' }]);
    const apps = await db.selectFrom('channels').select('id').where('kind', '=', 'app').execute();
    expect(apps).toEqual([{ id: 'app-sam' }]);
  });

  it('sends one message by two nodes, whichever looks', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
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

/** Heap that is still in use, in bytes. */
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

  /** Moves the clock on in steps, while the source lists the same. */
  const later = async (ms: number, records = [closure()], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };
  const incident = `Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry`;

  it('says when the next vehicle is there, and nothing while none is near', async () => {
    await world.watch('leeds', { departures: [{ at_local: '09:00' }] });
    const push = await world.channel('device');
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

  it('names the time at which the vehicle meets an incident in force only if it is there then', async () => {
    await world.watch('leeds', { departures: [{ at_local: '09:00' }] });
    const push = await world.channel('device');
    world.set('2026-11-21T08:30:00Z');
    // The incident is there each morning from a quarter past nine; the coach is on that stretch at about 09:07.
    const daily = closure('a', { windows: [{ start: null, end: null, from: '09:15', to: '11:00' }] });
    await world.listed([daily]);
    await later(MINUTE, [daily]);
    expect((await world.messages(push)).map((one) => one.split(' | ')[2])).toEqual([
      'Leeds–Heathrow, from 09:15. National Highways, 07:58.',
    ]);
  });

  it('names the jobs ahead of it in one message, and a route without departures stays watched', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const job = (leaves_local: string, more: object = {}) => ({
      ...jobRequest,
      day: '2026-11-21',
      leaves_local,
      trip: 'Leeds Stn → Heathrow T5',
      watch_id: 'leeds',
      duration_min: 240,
      deadline_local: null,
      ...more,
    });
    const store = jobs(database.db);
    for (const one of [
      job('09:10'),
      job('09:40'),
      job('10:10'),
      job('11:00'),
      // These coaches have passed it, or are not on this route.
      job('05:00'),
      job('09:20', { watch_id: null }),
    ])
      await store.add({ teamId: EVERYONE, userId: 'rosa' }, one, world.now());
    await world.listed([closure()]);
    await later(2 * MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[2])).toEqual([
      'Leeds–Heathrow, reached about 09:17. National Highways, 07:58. 09:10, 09:40 and 2 more for Heathrow T5.',
    ]);
  });

  it.each([1, 2])(
    'says that the only coach may be past it when it has passed by plan alone, of %i',
    async (count) => {
      await world.watch('leeds', { departures: [{ at_local: '09:00' }] }); // there at about 09:07
      const push = await world.channel('device');
      world.set('2026-11-21T09:12:00Z');
      const all = Array.from({ length: count }, (_, at) => closure(String(at)));
      await world.listed(all);
      await later(MINUTE, all);
      const [said] = await world.messages(push);
      expect(said).toContain(
        count === 1 ? 'Leeds–Heathrow, may be behind it. National' : '. May be behind it. National',
      );
    },
  );

  it('sends nothing at once about an incident that the only coach has passed for certain', async () => {
    await world.watch('leeds', { departures: [{ at_local: '09:00' }] }); // there at about 09:07
    const push = await world.channel('device');
    world.set('2026-11-21T09:35:00Z');
    await world.listed([closure()]);
    await later(5 * MINUTE);
    expect(await world.messages(push)).toEqual([]);
    expect(await world.messages(null)).toEqual([expect.stringMatching(/^Held: no departure is near \|/)]);
  });

  it('holds back planned and milder incidents, and says why; possible ones are only counted', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.channel('device');
    await world.listed([
      closure('medium', { severity: 'medium' }),
      closure('planned', { phase: 'planned', start_time: '2026-11-22T08:00:00.000Z' }),
    ]);
    await later(MINUTE, []);
    await world.listed([closure('maybe')], { level: 'possible' });
    expect(await matches(database.db).possibleOf(EVERYONE)).toBe(1);
    expect(await matches(database.db).possibleAt('leeds')).toBe(1);
    await later(10 * MINUTE, []);
    expect(await world.messages(push)).toEqual([]);
    expect((await world.messages(null)).map((one) => one.split(' | ')[0]).sort()).toEqual([
      'Held: below your threshold',
      'Held: planned, not yet in force',
    ]);
    expect(await matches(database.db).possibleOf(EVERYONE)).toBe(0);
  });

  it('tells a person only what their own grade lets through, which can be stricter but not milder', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const strict = await world.channel('device', { threshold: 'critical' });
    const mild = await world.channel('email', { threshold: 'medium' });
    const grades = ['medium', 'high', 'critical'] as const;
    const records = grades.map((severity) => closure(severity, { severity, title: `M62 ${severity}` }));
    await world.listed(records);
    for (let minute = 0; minute < 10; minute++) await later(MINUTE, records);
    const told = async (id: string) => {
      const all = (await world.messages(id)).join();
      return grades.filter((grade) => all.includes(`M62 ${grade}`));
    };
    expect(await told(strict)).toEqual(['critical']);
    expect(await told(mild)).toEqual(['high', 'critical']);
    expect((await world.messages(null)).join()).toMatch(/Held: below your threshold \| Medium: M62 medium/);
  });

  it('stores a held back incident again if it has got worse', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'critical' } });
    for (const severity of ['medium', 'high'] as const) await later(MINUTE, [closure('1', { severity })]);
    expect((await world.messages(null)).map((one) => one.split(' | ')[1]!.split(':')[0])).toEqual([
      'Medium',
      'High',
    ]);
  });

  it('stores a thousand held back messages of a team in a day, and all sent ones', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const [push, appId] = [await world.channel('device'), await world.channel('app')];
    const earlier = Array.from({ length: HELD_A_DAY - 1 }, (_, at): RowOf<'messages'> => ({
      id: `msg_${at}`,
      channel_id: null,
      watch_id: 'leeds',
      bundle: `bundle ${at}`,
      created_at: world.now().toISOString(),
      body: '{}',
      reason: 'Held: below your threshold',
      state: 'held',
      attempts: 0,
      next_at: null,
      last_status: null,
      valid_until: world.now().toISOString(),
      sent_at: null,
      seen_at: null,
      about: null,
      place: null,
      team_id: EVERYONE,
    }));
    for (const rows of chunks(earlier, 100)) await database.db.insertInto('messages').values(rows).execute();
    const mild = (id: string) => closure(id, { severity: 'medium', title: `M62 ${id}` });
    const all = () => messages(database.db).heldOf(EVERYONE, new Date(0));
    const counted = async () =>
      (await world.messages(null))
        .filter((one) => one.startsWith('Held: too many'))
        .map((one) => one.split(' | ')[1]);
    const held = async () => (await all()) - (await counted()).length - earlier.length;
    const listed = async () => {
      const of = { userId: 'rosa', teamId: EVERYONE, appId };
      const { rows } = await messages(database.db).ofUser(
        of,
        { asOf: world.now().toISOString(), after: null },
        5,
      );
      return rows.map(({ reason }) => reason);
    };
    expect(await listed()).not.toContain('Held: too many');
    await later(MINUTE, [closure(), mild('one'), mild('two'), mild('three')]);
    expect(await held()).toBe(1);
    expect(await counted()).toEqual(['About 2 more were held back']);
    expect(await listed()).toContain('Held: too many');
    expect(await world.messages(push)).toHaveLength(1);
    // Alerts that are there already take no room from new ones.
    await world.restart();
    await world.listed([closure(), mild('one'), mild('two'), mild('three')]);
    expect(await held()).toBe(1);
    world.pass(24 * HOUR);
    await world.restart();
    await later(MINUTE, [closure(), mild('one'), mild('two'), mild('three'), mild('four')]);
    expect(await held()).toBe(4);
  });

  it('counts a held back message once beyond that, however often it is made', async () => {
    await world.watch('leeds');
    const at = world.now();
    const body = { kind: 'alert' as const, title: 'x', text: '', hidden: '', severity: null, event_ids: [] };
    const watch = { id: 'leeds', team_id: EVERYONE };
    const whole = { ...body, tag: '', is_news: false, address: '/' };
    const rows = Array.from({ length: HELD_A_DAY + 1 }, (_, n) =>
      heldRow(at, { channel: null, watch, body: whole, reason: 'Held: quiet hours', what: `${n}` }),
    );
    const noted = new Set<string>();
    await putIn(database.db, rows, { at, noted });
    for (let n = 0; n < 2; n++) await putIn(database.db, rows.slice(-1), { at, noted });
    const counted = async () =>
      (await world.messages(null))
        .filter((one) => one.startsWith('Held: too many'))
        .map((one) => one.split(' | ')[1]);
    expect(await counted()).toEqual(['About 1 more were held back']);
    await putIn(database.db, [{ ...rows[0]!, id: 'another' }], { at, noted });
    expect(await counted()).toEqual(['About 2 more were held back']);
  });

  it('says cleared 10 minutes after its publisher drops it, and by which rule, even if alerts are off', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE);
    const what = JSON.stringify({ alerts: false, changes: false, digest: true, brief: false });
    await channelsIn(database.db).change(push, { what }, world.now());
    await later(30 * MINUTE, []);
    expect((await world.messages(push)).map((one) => one.split(' | ')[1])).toEqual([
      incident,
      'Cleared: M62 eastbound between J26 and J27 closed due to an overturned lorry (no longer listed, 08:01)',
    ]);
  });

  it('never says cleared while its source is dead; says once that it is blind, and once that it sees', async () => {
    await world.watch('leeds');
    await world.watch('york', { name: 'York–Hull', tellMe: { threshold: 'nothing' } });
    const push = await world.channel('device');
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

  it('sends a rise to critical at once, even out of a snooze', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.channel('device');
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
    const push = await world.channel('device');
    const high = closure('a', { severity: 'high' });
    await world.listed([high]);
    await world.listed([high, closure('b', { severity: 'low' })]);
    world.pass(SECOND);
    const others = Array.from({ length: 600 }, (_, index) => closure(`other${index}`));
    await poll(database.db, 'tfl', others, world.now());
    await world.listed([closure()]);
    expect((await world.messages(push)).map((one) => one.split(' | ')[0])).toHaveLength(1);
  });

  it('repeats unacknowledged critical alerts after 4 h, and stops when somebody acknowledges them', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(5 * HOUR, [closure()], 5 * MINUTE);
    await respond({ disposition: 'diverted' });
    await later(9 * HOUR, [closure()], 5 * MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ')[2])).toEqual([
      'Leeds–Heathrow. National Highways, 07:58.',
      'Leeds–Heathrow. National Highways, 07:58. Not acknowledged by 12:05.',
    ]);
  });

  it('repeats nothing in quiet hours and notes nothing; repeats it when they are over', async () => {
    await world.watch('leeds');
    const push = await world.channel('device', { quiet: { from: '11:00', to: '13:00', critical: false } });
    await world.listed([closure()]);
    await later(4 * HOUR + 30 * MINUTE, [closure()], 5 * MINUTE);
    expect(await world.messages(push)).toHaveLength(1);
    await later(40 * MINUTE, [closure()], 5 * MINUTE);
    const [, repeat, ...more] = await world.messages(push);
    expect(repeat).toMatch(/^waiting .* Not acknowledged by 13:00\.$/);
    expect(more).toEqual([]);
  });

  it('holds in quiet hours and pauses, notes it once, and sends it afterwards in one message', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const quiet = { from: '22:00', to: '06:00', critical: false };
    const push = await world.channel('device', { quiet });
    const loud = await world.channel('email', { quiet: { ...quiet, critical: true } });
    const app = await world.channel('app');
    world.set('2026-11-21T23:00:00Z');
    const all = ['a', 'b', 'c'].map((id) => closure(id, { severity: 'medium' }));
    await world.listed(all);
    await later(7 * HOUR + 10 * MINUTE, all, 5 * MINUTE);
    const titles = async (id: string) =>
      (await world.messages(id)).map((one) => one.split(' | ').slice(0, 2).join(' | '));
    const group = '3 new on Leeds–Heathrow: 3 medium';
    expect(await titles(push)).toEqual([`Held: quiet hours | ${group}`, `waiting | ${group}`]);
    expect(await titles(app)).toEqual([`sent | ${group}`]);
    // The list has one row for it, which says that the device did not get it.
    const who = { userId: 'rosa', teamId: EVERYONE, appId: app };
    const { rows } = await messages(database.db).ofUser(
      who,
      { asOf: world.now().toISOString(), after: null },
      20,
    );
    const listed = toListed(
      rows.filter(({ kind }) => kind !== 'email'),
      { notOurs: new Map(), now: world.now() },
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
    expect(await titles(loud)).toContain(
      'waiting | Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry',
    );
    expect((await titles(push)).at(-1)).toBe(
      'Held: quiet hours | Critical: M62 eastbound between J26 and J27 closed due to an overturned lorry',
    );

    world.set('2026-11-23T09:00:00Z');
    await channelsIn(database.db).pause('rosa', '2026-11-23T10:00:00.000Z');
    await world.listed([closure('new')]);
    await later(30 * MINUTE, [closure('new')], 5 * MINUTE);
    expect((await titles(push)).at(-1)).toContain('Held: paused until 10:00');
    await later(40 * MINUTE, [closure('new')], 5 * MINUTE);
    expect((await titles(push)).at(-1)).toContain('waiting');
  });

  it('sends the team’s own reports as Ours, and says who ended them', async () => {
    const app = await world.channel('app');
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
          ask_again_at: '2026-11-21T10:00:00.000Z',
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
      'sent | 2 new on Leeds–Heathrow: 2 critical | Critical: M62 J26: lorry across both lanes; Critical: M62 J26: lorry across both lanes. Ours, 08:00.',
    ]);

    world.pass(10 * MINUTE);
    await ownReports(database.db).change(author, { eventId: one, rev: 1 }, { ended: true }, world.now());
    for (let minute = 0; minute < 20; minute++) {
      world.pass(MINUTE);
      await world.touch(two);
    }
    expect((await world.messages(app)).slice(1)).toEqual([
      'sent | Cleared: M62 J26: lorry across both lanes (ours, 08:10) | Leeds–Heathrow.',
    ]);
    world.set('2026-11-21T10:30:00.000Z');
    await ownReports(database.db).endDue(world.now());
    await world.touch();
    await later(11 * MINUTE, []);
    // The other incident is only no longer known: no publisher said that it is over.
    expect((await world.messages(app)).slice(2)).toEqual([
      expect.stringMatching(
        /^sent \| No longer known: M62 J26: lorry across both lanes \(not confirmed, 10:\d\d\) \| Leeds–Heathrow\.$/,
      ),
    ]);
  });

  it('holds what a demoted source reports, and never says that it is cleared', async () => {
    const app = await world.channel('app');
    await world.watch('leeds');
    await world.listed([closure()]);
    world.pass(30_000);
    await world.notifier.changed();
    await demotions(database.db).demote(null, SOURCE, '3 of 40 messages', world.now());
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
    const push = await world.channel('device');
    const facts = {
      place: 'M62 eastbound, J26 to J27',
      cause: null,
      advice: [],
      expected_clear: null,
      expected_clear_from: null,
      lanes: null,
      delay_minutes: null,
      roads: ['M62'],
      aside: [],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E' as const,
      slip: null,
      closed: 'full' as const,
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

  it('repeats an acknowledged alert that got worse, because nobody has it in hand', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await respond({ disposition: 'diverted', lapsed: 'worse' });
    await later(4 * HOUR, [closure()], 5 * MINUTE);
    expect(await world.messages(push)).toHaveLength(2);
  });

  it('says that a source is silent only to teams whose routes depend on it', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'nothing' } });
    const push = await world.channel('device');
    await world.listed([closure()]);
    for (let gone = 0; gone < 2 * HOUR; gone += 5 * MINUTE) {
      world.pass(5 * MINUTE);
      await world.notifier.changed();
    }
    expect(await world.messages(push)).toEqual([]);
  });

  it('gives a source its ten minutes again after a pause of ours, and calls none silent before', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([]);
    await world.notifier.stop();
    world.pass(3 * HOUR);
    await world.restart();
    world.pass(10 * MINUTE - 1);
    await world.notifier.changed();
    expect(await world.messages(push)).toEqual([]);
    world.pass(1);
    await world.notifier.changed();
    // The look of the next minute says so.
    world.pass(MINUTE);
    await world.notifier.changed();
    expect(await world.messages(push)).toEqual([expect.stringContaining('No information from National')]);
  });

  it('says once that a source is silent, and once that it is back, to the teams of its routes alone', async () => {
    const { db } = database;
    const south = { id: 'south', name: 'South', shift_starts: '[]', created_at: world.now().toISOString() };
    await db.insertInto('teams').values(south).execute();
    const ours = await world.channel('webhook', {}, { user_id: null });
    const theirs = await world.channel('webhook', {}, { user_id: null, team_id: 'south' });
    const elsewhere = await world.channel('webhook', {}, { user_id: null, watch_ids: '["york"]' });
    const all = await db.selectFrom('channels').selectAll().where('kind', '=', 'webhook').execute();
    const collector = COLLECTORS.find(({ source }) => source === SOURCE)!;
    const answered = world.now().getTime();
    const blindAt = answered + collector.maxAgeMinutes * MINUTE + 10 * MINUTE;
    const route = {
      id: 'leeds',
      team_id: EVERYONE,
      sources: [SOURCE],
      tellMe: { threshold: 'high' },
      when: null,
    };
    const told = async (now: number, condition: object, routes: object[] = [route]) => {
      const look = {
        at: new Date(now),
        now,
        upSince: answered,
        conditionOf: (source: string) =>
          source === SOURCE
            ? { last_collected: new Date(answered).toISOString(), ...condition }
            : { freshness: null, last_collected: null },
        byTeam: Map.groupBy(all, ({ team_id }) => team_id),
        noted: new Set(),
      } as unknown as Look; // it reads nothing else
      return db
        .transaction()
        .execute((trx) => notifyOfSilence(trx, routes as unknown as AlertWatch[], look, COLLECTORS));
    };
    const [stale, fresh] = [{ freshness: 'stale' }, { freshness: 'fresh' }];
    expect(await told(blindAt - 1, stale)).toBe(0);
    expect(await told(blindAt, { freshness: null })).toBe(0);
    expect(await told(blindAt, { ...stale, last_collected: null })).toBe(0);
    expect(await told(blindAt, fresh)).toBe(0);
    expect(await told(blindAt, stale, [{ ...route, tellMe: { threshold: 'nothing' } }])).toBe(0);
    expect(await told(blindAt, stale, [{ ...route, sources: ['tfl'] }])).toBe(0);
    // The route of another team depends on it.
    const ofNorth = { ...route, id: 'hull', team_id: 'north' };
    expect(await told(blindAt, stale, [{ ...route, sources: ['tfl'] }, ofNorth])).toBe(0);
    expect(await told(blindAt, stale)).toBe(1);
    // A disconnected source does not count as back.
    expect(await told(blindAt, { freshness: null })).toBe(0);
    expect(await told(blindAt + MINUTE, stale)).toBe(0);
    expect(await told(blindAt + 2 * MINUTE, fresh)).toBe(1);
    expect(await told(blindAt + 3 * MINUTE, fresh)).toBe(0);
    // When no route depends on a source any more, no message says that it is back.
    expect(await told(blindAt + 4 * MINUTE, { ...stale, last_collected: '2026-11-21T08:00:01.000Z' })).toBe(
      1,
    );
    expect(await told(blindAt + 5 * MINUTE, fresh, [{ ...route, tellMe: { threshold: 'nothing' } }])).toBe(0);
    expect(await told(blindAt + 6 * MINUTE, fresh)).toBe(0);
    expect((await world.messages(ours)).map((one) => one.split(' | ')[1])).toEqual([
      'No information from National Highways since 08:00.',
      'National Highways answers again.',
      'No information from National Highways since 08:00.',
    ]);
    expect([await world.messages(theirs), await world.messages(elsewhere)]).toEqual([[], []]);
  });

  it('says that a source is silent by the routes that are watched now, and nothing if there are none', async () => {
    const push = await world.channel('device');
    const silent = async () => {
      await poll(database.db, SOURCE, [], world.now());
      for (let gone = 0; gone < 2 * HOUR; gone += 5 * MINUTE) {
        world.pass(5 * MINUTE);
        await world.notifier.changed();
      }
      return (await world.messages(push)).map((one) => one.split(' | ')[2]);
    };
    await world.watch('leeds');
    const night = JSON.stringify({ days: 127, from: '22:00', to: '04:00' });
    await database.db.updateTable('watches').set({ when: night }).execute();
    expect(await silent()).toEqual([]);
    await world.watch('york');
    expect(await silent()).toEqual(['1 of your routes depends on it.']);
  });

  it('makes the digest of possible and planned incidents, once, at its time', async () => {
    await world.watch('leeds');
    world.set('2026-11-22T05:50:00Z');
    const push = await world.channel('device', { digest: '06:00' });
    const off = await world.channel('email');
    const planned = closure('planned', { phase: 'planned', start_time: '2026-11-22T20:00:00.000Z' });
    await world.listed([planned]);
    await later(30 * MINUTE, [planned], MINUTE);
    expect(await world.messages(push)).toEqual([
      'waiting | Digest 06:00: 1 planned | Leeds–Heathrow: M62 eastbound between J26 and J27 closed due to an overturned lorry.',
    ]);
    expect(await world.messages(off)).toEqual([]);
  });

  it('names in a digest certain incidents that are too mild to be sent at once', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'critical' } });
    world.set('2026-11-22T05:50:00Z');
    const push = await world.channel('device', { digest: '06:00' });
    const all = [closure(), closure('mild', { severity: 'high' })];
    await world.listed(all);
    await later(30 * MINUTE, all, MINUTE);
    const [atOnce, digest, ...more] = (await world.messages(push)).map((one) => one.split(' | ')[1]);
    expect(atOnce).toContain('Critical');
    expect([digest, ...more]).toEqual(['Digest 06:00: 1 now']);
  });

  it('names possible incidents in a digest, unless the route wants none of them', async () => {
    await world.watch('leeds');
    world.set('2026-11-22T05:50:00Z');
    const push = await world.channel('device', { digest: '06:00' });
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

  it('makes a digest that fell into a pause when the pause is over, without what its route excludes', async () => {
    await world.watch('leeds', { tellMe: { possible: 'no' } });
    world.set('2026-11-22T05:50:00Z');
    const push = await world.channel('device', { digest: '06:00' });
    await channelsIn(database.db).pause('rosa', new Date('2026-11-22T06:20:00Z'));
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

  it('sends incidents as new that touch an edited route, and never calls cleared what it left', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
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

  it('says in messages of an area, never of a route, how many incidents have no known place', async () => {
    await world.watch('around', { kind: 'area', name: 'Within 30 km of Leeds' });
    await world.watch('leeds');
    const push = await world.channel('device');
    const nowhere = (id: string) =>
      closure(id, { title: 'Trains suspended', severity: 'low', latitude: null, longitude: null });
    const all = [nowhere('x'), nowhere('y')];
    const list = async (...placed: ReturnType<typeof closure>[]) => {
      await poll(database.db, SOURCE, [...all, ...placed], world.now());
      await world.touch(...placed.map(({ event_id }) => event_id));
      world.pass(31 * SECOND);
      await poll(database.db, SOURCE, [...all, ...placed], world.now());
      await world.notifier.changed();
    };
    const here = { latitude: 53.8, longitude: -1.5 };
    await list(closure('a', here));
    const words = '2 incidents have no place, and may be here.';
    const told = async () => (await world.messages(push)).toSorted();
    expect(await told()).toEqual([
      `waiting | ${incident} | Leeds–Heathrow. National Highways, 07:58.`,
      `waiting | ${incident} | Within 30 km of Leeds. National Highways, 07:58. ${words}`,
    ]);

    world.pass(20 * MINUTE);
    await list(closure('a', here), closure('b', here), closure('c', here));
    const groups = (await told()).filter((one) => one.includes('2 new on'));
    expect(groups.map((one) => one.includes('no place'))).toEqual([false, true]);
    expect(groups[1]).toMatch(/ 2 incidents have no place, and may be here\.$/);
  });

  it('makes one message for a group of 10,000 matches at once', async () => {
    for (let route = 0; route < 20; route++)
      await world.watch(`route ${route}`, { name: `Leeds–Hull ${route}` });
    const push = await world.channel('device');
    const all = Array.from({ length: 500 }, (_, index) => closure(`i${index}`));
    await world.listed(all);
    world.pass(31 * SECOND);
    await world.listed(all);
    await world.restart();
    const made = await world.messages(push);
    expect(made).toHaveLength(20);
    expect(made[0]).toMatch(/500 new on Leeds–Hull \d+: 500 critical/);
    expect(made[0]).toContain('; and 497 more. ');
    const bodies = await database.db.selectFrom('messages').select('body').execute();
    for (const row of bodies) {
      const { title, text } = bodyOf(row);
      expect(`${title} ${text}`.length).toBeLessThanOrEqual(GROUP_LENGTH);
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

  it('sends at most 2 messages about what comes and goes 50 times in 10 min', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
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

  it('sends at most 2 messages about a delay that changes 50 times in 10 min, on the way of a job', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const who = { teamId: EVERYONE, userId: 'rosa' };
    await jobs(database.db).add(
      who,
      { ...jobRequest, day: '2026-11-21', leaves_local: '08:30', watch_id: 'leeds' },
      world.now(),
    );
    const delayed = (minutes: number, severity: 'medium' | 'critical') =>
      closure('a', {
        title: `M62 eastbound between J26 and J27: delays of ${minutes} minutes after a collision`,
        severity,
      });
    for (let flap = 0; flap < 50; flap++) {
      await world.listed([delayed(15, 'medium')]);
      world.pass(6 * SECOND);
      await world.listed([delayed(60, 'critical')]);
      world.pass(6 * SECOND);
      await world.notifier.changed();
    }
    await later(2 * HOUR, [delayed(60, 'critical')], 5 * MINUTE);
    const made = (await world.messages(push)).map((one) => one.split(' | ')[1]);
    expect(made.length).toBeLessThanOrEqual(2);
    expect(made[0]).toMatch(/M62 eastbound/);
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
