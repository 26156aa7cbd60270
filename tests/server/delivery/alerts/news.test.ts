import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { ownReports } from '../../../../server/shift/ownReports.ts';
import { demotions } from '../../../../server/watches/matching/demotionStore.ts';
import { bodyOf, messages } from '../../../../server/delivery/outbox/outboxStore.ts';
import { channels as channelsIn } from '../../../../server/delivery/outbox/channelStore.ts';
import { notices } from '../../../../server/delivery/outbox/notices.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { factsOf } from '../../../support/facts.ts';
import { isLong } from '../../../support/long.ts';
import { COLLECTORS, poll } from '../../feedsWorld.ts';
import { closure, type NotifierWorld, notifierWorld, SOURCE } from './notifierWorld.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const QUIET = { from: '22:00', to: '06:00', critical: true };
const named = (id: string, title: string, changes: Partial<DisruptionRecord> = {}) =>
  closure(id, { title, ...changes });

describe('news', () => {
  const database = useDatabase(DATABASES[0]!.open);
  let world: NotifierWorld;
  beforeEach(async () => {
    world = await notifierWorld(database.db);
  });
  afterEach(() => world.stop());

  const later = async (ms: number, records: readonly DisruptionRecord[], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };
  const titles = async (id: string) => (await world.messages(id)).map((one) => one.split(' | ')[1]);
  const bodies = async (id: string) => {
    const made = database.db.selectFrom('messages').selectAll().where('channel_id', '=', id);
    return (await made.orderBy('created_at').execute()).map(bodyOf);
  };

  it('alone is named in a message, and its grade alone breaks the quiet', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const push = await world.channel('device', { quiet: QUIET });
    world.set('2026-11-21T21:50:00Z');
    await world.listed([named('old', 'M62 closed at J26')]);
    await later(2 * MINUTE, [named('old', 'M62 closed at J26')]);
    world.set('2026-11-21T23:00:00Z');
    const both = [
      named('old', 'M62 closed at J26'),
      named('wind', 'Strong winds on the M62', { severity: 'medium' }),
    ];
    await world.listed(both);
    await later(20 * MINUTE, both, MINUTE);
    expect((await world.messages(push)).map((one) => one.split(' | ').slice(0, 2).join(' | '))).toEqual([
      'waiting | Critical: M62 closed at J26',
      'Held: quiet hours | Medium: Strong winds on the M62',
    ]);
  });

  it('breaks the quiet if it is critical, and its end waits for the morning', async () => {
    await world.watch('leeds');
    const push = await world.channel('device', { quiet: QUIET });
    const states = async () => (await world.messages(push)).map((one) => one.split(':')[0]);
    world.set('2026-11-21T23:00:00Z');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    expect(await states()).toEqual(['waiting | Critical']);
    await later(20 * MINUTE, [], MINUTE);
    expect((await states()).slice(1)).toEqual(['Held']);
    world.set('2026-11-22T06:01:00Z');
    await world.listed([]);
    expect((await states()).slice(2)).toEqual(['waiting | Cleared']);
  });

  it('is known to the nightly clean-up until its end was sent, and listed for its time', async () => {
    await world.watch('leeds');
    const [push, hook] = [await world.channel('device'), await world.channel('webhook')];
    const inDays = (days: number) => new Date(world.now().getTime() + days * 24 * HOUR);
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    const { id } = await database.db
      .selectFrom('messages')
      .select('id')
      .where('channel_id', '=', hook)
      .executeTakeFirstOrThrow();
    await messages(database.db).settle(id, { state: 'sent', next_at: null });
    await messages(database.db).prune(new Date(0), inDays(2));
    expect(await titles(hook)).toHaveLength(1);
    await world.listed([]);
    await messages(database.db).prune(inDays(1), world.now());
    await later(MINUTE, []);
    await later(MINUTE, [closure()]);
    expect(await titles(push)).toHaveLength(1);
    await later(20 * MINUTE, [], MINUTE);
    expect((await titles(push)).slice(1)).toEqual([expect.stringMatching(/^Cleared: /)]);
  });

  it('is sent at once when planned works begin, even just after another message', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const queue = named('a', 'M62 closed at J26');
    const works = named('works', 'M1 closed at J40', { start_time: '2026-11-21T08:03:00.000Z' });
    const both = [queue, { ...works, phase: 'planned' as const }];
    await world.listed(both);
    await later(3 * MINUTE, both);
    expect(await titles(push)).toEqual(['Critical: M62 closed at J26']);
    await world.listed([queue, works]);
    expect(await titles(push)).toEqual(['Critical: M62 closed at J26', 'Critical: M1 closed at J40']);
  });

  it('is named up to three, and how many more', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const app = await world.channel('app');
    const all = [
      named('a', 'M62 closed at J26'),
      named('b', 'A64 flooded at Tadcaster', { severity: 'high' }),
      named('c', 'M1 queues at J40', { severity: 'high' }),
      named('d', 'A1 queues at J41', { severity: 'medium' }),
      named('e', 'A2 queues at J42', { severity: 'medium' }),
    ];
    await world.listed(all.slice(1));
    await later(10 * MINUTE, all.slice(1));
    await later(10 * MINUTE, all);
    expect(await world.messages(app)).toEqual([
      'sent | 2 new on Leeds–Heathrow: 2 high | High: A64 flooded at Tadcaster; High: M1 queues at J40. National Highways, 07:58.',
      'sent | 2 new on Leeds–Heathrow: 2 medium | Medium: A1 queues at J41; Medium: A2 queues at J42. National Highways, 07:58.',
      'sent | Critical: M62 closed at J26 | Leeds–Heathrow. National Highways, 07:58.',
    ]);
    world.pass(10 * HOUR);
    const more = ['f', 'g', 'h', 'i', 'j'].map((id) => named(id, `B${id} closed`));
    await world.listed([...all, ...more]);
    await later(MINUTE, [...all, ...more]);
    expect((await world.messages(app)).at(-1)).toBe(
      'sent | 5 new on Leeds–Heathrow: 5 critical | Critical: Bf closed; Critical: Bg closed; Critical: Bh closed; and 2 more. National Highways, 07:58.',
    );
  });

  it('names three, however long their publishers’ titles are', async () => {
    await world.watch('leeds');
    const app = await world.channel('app');
    const all = ['one', 'two', 'six'].map((id) => named(id, `${id} ${'words of a long title '.repeat(9)}`));
    await world.listed(all);
    await later(MINUTE, all);
    const [said] = await world.messages(app);
    expect(said).toMatch(/Critical: one words.*; Critical: six words.*; Critical: two words/);
    expect(said!.length).toBeLessThanOrEqual(GROUP_AND_STATE);
  });

  it('has its end sent, whatever else is on the route', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const [one, two] = [named('one', 'M62 closed at J26'), named('two', 'M1 closed at J40')];
    await world.listed([one, two]);
    await later(MINUTE, [one, two]);
    await later(20 * MINUTE, [two]);
    expect(await titles(push)).toEqual([
      '2 new on Leeds–Heathrow: 2 critical',
      'Cleared: M62 closed at J26 (no longer listed, 08:01)',
    ]);
    await later(20 * MINUTE, []);
    expect((await titles(push)).at(-1)).toBe('Cleared: M1 closed at J40 (no longer listed, 08:21)');
  });

  it('says open again if it eases below the threshold, and says nothing when it ends', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.channel('device');
    const eased = named('a', 'M62 east at J26: lane 1 closed, all other lanes open again', {
      severity: 'medium',
      updated_at: '2026-11-21T08:01:00.000Z',
      facts: factsOf({ roads: ['M62'], effect: 'lane 1 closed' }),
    });
    await world.listed([named('a', 'M62 east closed at J26')]);
    await later(MINUTE, [named('a', 'M62 east closed at J26')]);
    await later(20 * MINUTE, [eased]);
    const said = [
      'Critical: M62 east closed at J26',
      expect.stringMatching(/^Open again: .*lane 1 closed.* \(National Highways, 08:01\)$/),
    ];
    expect(await titles(push)).toEqual(said);
    await later(30 * MINUTE, []);
    expect(await titles(push)).toEqual(said);
    expect((await bodies(push)).at(-1)).toMatchObject({ kind: 'eased', is_news: false });
  });

  it('says open again once if it is still at the threshold, and then its end', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const push = await world.channel('device');
    const eased = named('a', 'M62 east at J26: lane 1 closed, all other lanes open again', {
      severity: 'high',
      facts: factsOf({ roads: ['M62'], effect: 'lane 1 closed' }),
    });
    const closed = named('a', 'M62 east closed at J26');
    await world.listed([closed]);
    await later(MINUTE, [closed]);
    await later(30 * MINUTE, [eased]);
    const said = ['Critical: M62 east closed at J26', expect.stringMatching(/^Open again: .*lane 1 closed/)];
    expect(await titles(push)).toEqual(said);
    await later(30 * MINUTE, []);
    expect(await titles(push)).toEqual([...said, expect.stringMatching(/^Cleared: /)]);
  });

  it('says open again if our own report says so in its title, and is as grave as the threshold', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.channel('device');
    const reports = ownReports(database.db);
    const by = { teamId: EVERYONE, userId: 'rosa' };
    const place = { latitude: 53.87, longitude: -1.26, geometry: null, metadata: '{"phase":"active"}' };
    const draft = {
      id: 'tree',
      at: world.now().toISOString(),
      severity: 'critical' as const,
      note: '',
      ...place,
    };
    const facts = JSON.stringify(factsOf({ place: 'A64 at Tadcaster bar', effect: null }));
    const ask_again_at = '2026-11-21T20:00:00.000Z';
    const title = 'A64 at Tadcaster bar closed by a tree';
    const made = await reports.add(by, { ...draft, title, facts, ask_again_at }, world.now());
    const { event_id: eventId } = made as { event_id: string };
    const wait = async (ms: number) => {
      for (let gone = 0; gone < ms; gone += 30 * SECOND) {
        world.pass(30 * SECOND);
        await world.touch(eventId);
      }
    };
    await wait(MINUTE);
    const change = { title: 'A64 at Tadcaster bar: lanes reopened', severity: 'high' as const };
    await reports.change(by, { eventId, rev: 1 }, change, world.now());
    await wait(20 * MINUTE);
    expect(await titles(push)).toEqual([
      'Critical: A64 at Tadcaster bar closed by a tree',
      expect.stringMatching(/^Open again: A64 at Tadcaster bar: lanes reopened/),
    ]);
  });

  it('is reported open after ten minutes, even if the route has other news meanwhile', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'medium' } });
    const push = await world.channel('device');
    const closed = named('a', 'M62 east closed at J26');
    const eased = named('a', 'M62 east at J26: lane 1 closed', {
      severity: 'high',
      facts: factsOf({ roads: ['M62'], effect: 'lane 1 closed' }),
    });
    await world.listed([closed]);
    await later(MINUTE, [closed]);
    const others: DisruptionRecord[] = [];
    for (let more = 0; more < 4; more++) {
      others.push(named(`other${more}`, `A6${more} crash`, { event_type: 'road.incident' }));
      await later(3 * MINUTE, [eased, ...others]);
    }
    expect((await titles(push)).filter((title) => title!.startsWith('Open again: '))).toHaveLength(1);
  });

  it.each([
    ['its place is less certain', 'high' as const, {}, { level: 'possible' as const }],
    ['it touches the route no longer', 'high' as const, {}, null],
    ['what is left is planned', 'high' as const, { phase: 'planned' as const }, {}],
    ['it touches the route no longer', 'medium' as const, {}, null],
  ])('is reported open when %s; over too, if it is at the threshold %s', async (...one) => {
    const [, threshold, changes, found] = one;
    await world.watch('leeds', { tellMe: { threshold } });
    const push = await world.channel('device');
    const closed = named('a', 'M62 east closed at J26');
    await world.listed([closed]);
    await later(MINUTE, [closed]);
    const eased = named('a', 'M62 east: lane 1 closed', {
      severity: 'medium',
      facts: factsOf({ roads: ['M62'], effect: 'lane 1 closed' }),
      ...changes,
    });
    for (let look = 0; look < 24; look++) {
      world.pass(30 * SECOND);
      await poll(database.db, SOURCE, [eased], world.now());
      await (found ? world.listed([eased], found) : world.touch());
    }
    const opened = expect.stringMatching(/^Open again: M62 east/);
    expect((await titles(push)).slice(1)).toEqual([opened]);
    world.pass(MINUTE);
    await poll(database.db, SOURCE, [], world.now());
    await world.touch();
    const over = threshold === 'medium' ? [expect.stringMatching(/^Cleared: M62 east/)] : [];
    expect((await titles(push)).slice(1)).toEqual([opened, ...over]);
  });

  it('says eased only if the alert was sent, and is not critical again within ten minutes', async () => {
    await world.watch('leeds', { tellMe: { threshold: 'high' } });
    const push = await world.channel('device');
    const low = named('b', 'A64 queues', { severity: 'medium' });
    const eased = named('a', 'M62 east at J26: lane 1 closed', { severity: 'medium' });
    const closed = named('a', 'M62 east closed at J26');
    await later(MINUTE, [closed, low]);
    await later(5 * MINUTE, [eased, low]);
    await later(20 * MINUTE, [closed, low]);
    expect(await titles(push)).toEqual(['Critical: M62 east closed at J26']);
  });

  it('has its end sent even if its route was left by then', async () => {
    await world.watch('leeds', { departures: [{ at_local: '09:00', duration_min: 60 }] });
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    world.set('2026-11-21T12:00:00Z');
    await world.listed([closure()]);
    await later(20 * MINUTE, [closure()], MINUTE);
    expect(await world.messages(push)).toHaveLength(1);
    await later(20 * MINUTE, [], MINUTE);
    expect((await titles(push)).slice(1)).toEqual([expect.stringMatching(/^Cleared: M62 .*12:2[01]\)$/)]);
  });

  it('is no longer known, never cleared, once its source was silent for too long', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await database.db
      .updateTable('disruptions')
      .set({ ended_at: '2026-11-21T08:10:00.000Z', ended_reason: 'expired' })
      .execute();
    for (let minute = 0; minute < 30; minute++) {
      world.pass(MINUTE);
      await world.notifier.changed();
    }
    expect((await world.messages(push)).slice(1).map((one) => one.split(' | ').slice(1))).toEqual([
      [
        'No longer known: M62 eastbound between J26 and J27 closed due to an overturned lorry (source silent, 08:10)',
        'Leeds–Heathrow.',
      ],
    ]);
    // For a person who hides details, the lock screen must not say "cleared" either.
    expect((await bodies(push)).at(-1)).toMatchObject({
      kind: 'lost',
      hidden: 'No longer known on one of your routes',
    });
  });

  it('is not repeated when its source is back, if the route was not touched meanwhile', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    for (let gone = 0; gone < 4 * HOUR; gone += 10 * MINUTE) {
      world.pass(10 * MINUTE);
      await world.notifier.changed();
      // The matcher runs again, and finds no match.
      if (gone === 3 * HOUR) await world.touch();
    }
    await later(5 * MINUTE, [closure()]);
    const kinds = (await bodies(push)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'blind')).toHaveLength(1);
    // An unacknowledged alert gets no reminder here.
    expect((await titles(push)).filter((title) => title!.startsWith('Critical'))).toHaveLength(
      kinds.filter((kind) => kind === 'alert').length,
    );
    expect((await world.messages(push)).filter((one) => one.includes('Again from'))).toEqual([]);
  });

  it('says again, and since when, if the same words were sent before', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await later(20 * MINUTE, []);
    await later(2 * MINUTE, [closure()]);
    const said = await world.messages(push);
    expect(said).toHaveLength(3);
    expect(said[2]).toBe(said[0]!.replace('07:58.', '07:58. Again from 08:22.'));
  });

  it('is said once on two routes of one name', async () => {
    await world.watch('one');
    await world.watch('two');
    const app = await world.channel('app');
    await world.listed([closure()]);
    await later(5 * MINUTE, [closure()]);
    expect(await world.messages(app)).toHaveLength(1);
  });

  it('is said once on two routes of one name, even if it touches the second later', async () => {
    await world.watch('one');
    const app = await world.channel('app');
    await world.listed([closure()]);
    await later(5 * MINUTE, [closure()]);
    await world.watch('two');
    await later(10 * MINUTE, [closure()]);
    const firing = await database.db.selectFrom('notification_log').select('firing').execute();
    expect(firing.map((one) => one.firing)).toEqual(Array(2).fill(`["${SOURCE}:a"]`));
    expect(await world.messages(app)).toHaveLength(1);
  });

  it('rings, and its end does not', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await later(20 * MINUTE, []);
    expect((await bodies(push)).map(({ kind, is_news }) => `${kind} ${is_news}`)).toEqual([
      'alert true',
      'cleared false',
    ]);
  });

  it('goes with a notification of its own, which its end replaces', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const [one, two] = [named('one', 'M62 closed'), named('two', 'M1 closed')];
    await world.listed([one]);
    await later(MINUTE, [one]);
    await later(10 * MINUTE, [one, two]);
    await later(20 * MINUTE, [two]);
    const tags = (await bodies(push)).map(({ tag }) => tag);
    expect(tags).toHaveLength(3);
    expect(tags[1]).not.toBe(tags[0]);
    expect(tags[2]).toBe(tags[0]);
  });

  it('is the queue inside a closed stretch as soon as the road is open, without ten minutes’ wait', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const closed = named('closed', 'M62 closed', { facts: factsOf({ effect: 'closed' }) });
    const queue = named('queue', 'M62 queues', {
      event_type: 'road.congestion',
      facts: factsOf({ effect: 'queues of 3 miles' }),
    });
    await world.listed([closed, queue]);
    await later(10 * MINUTE, [closed, queue]);
    expect(await titles(push)).toEqual(['Critical: M62 closed']);
    for (let look = 0; look < 4; look++) {
      world.pass(30 * SECOND);
      await poll(database.db, SOURCE, [queue], world.now());
      // The matcher has not yet seen that the closure is over.
      await world.touch(`${SOURCE}:closed`, `${SOURCE}:queue`);
    }
    expect(await titles(push)).toEqual(['Critical: M62 closed', 'Critical: M62 queues']);
  });

  it('is in no digest while its source is silent', async () => {
    await world.watch('leeds', { tellMe: { possible: 'digest' } });
    const push = await world.channel('device', { digest: '06:00' });
    world.set('2026-11-22T01:00:00Z');
    const planned = closure('planned', { phase: 'planned', start_time: '2026-11-22T20:00:00.000Z' });
    await world.listed([planned]);
    world.set('2026-11-22T06:01:00Z');
    await world.notifier.changed();
    expect((await bodies(push)).filter(({ kind }) => kind === 'digest')).toEqual([]);
  });

  it('waits ten minutes longer than the source’s maximum age before it says that the source is silent', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([]);
    const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === SOURCE)!;
    world.pass((maxAgeMinutes + 9) * MINUTE);
    await world.notifier.changed();
    expect(await titles(push)).toEqual([]);
    world.pass(2 * MINUTE);
    await world.notifier.changed();
    expect(await titles(push)).toEqual(['No information from National Highways since 08:00.']);
  });

  it('is said after a pause of our own only if the source stays silent ten minutes after the start', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([]);
    world.pass(2 * HOUR);
    await world.restart();
    expect(await titles(push)).toEqual([]);
    await world.listed([]);
    world.pass(2 * HOUR);
    await world.restart();
    world.pass(-HOUR); // the clock was ahead, and is set back
    await world.notifier.changed();
    world.pass(11 * MINUTE);
    await world.notifier.changed();
    expect(await titles(push)).toEqual(['No information from National Highways since 10:00.']);
  });

  it('joins others in a notification, which stays when one of them ends', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    const [one, two] = [named('one', 'M62 closed'), named('two', 'M1 closed')];
    await world.listed([one, two]);
    await later(MINUTE, [one, two]);
    await later(20 * MINUTE, [two]);
    const said = (await bodies(push)).map(({ kind, tag, event_ids }) => ({
      kind,
      tag,
      count: event_ids.length,
    }));
    expect(said.map(({ kind, count }) => `${kind} ${count}`)).toEqual(['alert 2', 'cleared 1']);
    expect(said[1]!.tag).not.toBe(said[0]!.tag);
  });

  it('ends without a word if the incident is no longer stored', async () => {
    await world.watch('leeds');
    const push = await world.channel('device');
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await world.touch();
    await database.db.deleteFrom('disruptions').execute();
    world.pass(20 * MINUTE);
    await world.notifier.changed();
    world.pass(20 * MINUTE);
    await world.notifier.changed();
    const { firing } = await database.db
      .selectFrom('notification_log')
      .select('firing')
      .where('channel_id', '=', push)
      .executeTakeFirstOrThrow();
    expect(firing).toBe('[]');
  });
});

/** The words of a state, and those of a group. */
const GROUP_AND_STATE = 320 + 'sent |  |'.length;

describe('two teams with one incident', () => {
  const database = useDatabase(DATABASES[0]!.open);
  let world: NotifierWorld;
  const ids: Record<'rosa' | 'sam', string> = { rosa: '', sam: '' };
  beforeEach(async () => {
    world = await notifierWorld(database.db, 'many');
    await world.watch('leeds', { team_id: 'rosa', name: 'Leeds–Heathrow' });
    await world.watch('york', { team_id: 'sam', name: 'York–Hull' });
    const digest = '06:00' as const;
    ids.rosa = await world.channel('device', { digest }, { team_id: 'rosa' });
    ids.sam = await world.channel('email', { digest }, { team_id: 'sam', user_id: 'sam' });
  });
  afterEach(() => world.stop());

  const later = async (ms: number, records: readonly DisruptionRecord[], step = 30 * SECOND) => {
    for (let gone = 0; gone < ms; gone += step) {
      world.pass(step);
      await world.listed(records);
    }
  };

  it('each get the messages of their own route, and its end', async () => {
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    await later(20 * MINUTE, []);
    const routes = async (id: string) =>
      (await world.messages(id)).map((one) => /Leeds–Heathrow|York–Hull/.exec(one)?.[0]);
    expect(await routes(ids.rosa)).toEqual(['Leeds–Heathrow', 'Leeds–Heathrow']);
    expect(await routes(ids.sam)).toEqual(['York–Hull', 'York–Hull']);
  });

  it('demote a source for themselves alone', async () => {
    await demotions(database.db).demote('rosa', SOURCE, '3 of 40 messages', world.now());
    await world.listed([closure()]);
    await later(MINUTE, [closure()]);
    expect(await world.messages(ids.rosa)).toEqual([]);
    expect(await world.messages(ids.sam)).toHaveLength(1);
    expect(await world.messages(null)).toEqual([
      expect.stringMatching(/^Held: National Highways is demoted to possible \| Critical: .*Leeds–Heathrow/),
    ]);
  });

  it('each read that it is held back from them', async () => {
    await world.listed([closure('a', { severity: 'medium' })]);
    const rows = await database.db.selectFrom('messages').select(['team_id', 'watch_id']).execute();
    expect(rows.map(({ team_id, watch_id }) => `${team_id} ${watch_id}`).sort()).toEqual([
      'rosa leeds',
      'sam york',
    ]);
  });

  it('snooze and acknowledge for themselves alone', async () => {
    const response = {
      team_id: 'sam',
      event_id: `${SOURCE}:a`,
      disposition: 'diverted' as const,
      by_user: 'sam',
      at: world.now().toISOString(),
      severity_rank: 0,
      version_seen_at: world.now().toISOString(),
      snooze_until: '2026-11-21T09:00:00.000Z',
      snooze_change: 0 as const,
      snoozed_by: 'sam',
      snoozed_at: world.now().toISOString(),
      lapsed: null,
      lapsed_at: null,
      rev: 1,
      change: 'acknowledged' as const,
      changed_by: null,
      changed_at: world.now().toISOString(),
    };
    await database.db.insertInto('responses').values(response).execute();
    await world.listed([closure()]);
    await later(5 * MINUTE, [closure()]);
    expect(await world.messages(ids.rosa)).toHaveLength(1);
    expect(await world.messages(ids.sam)).toEqual([]);
    // The person who did not acknowledge it is reminded, and nobody else.
    await later(5 * HOUR, [closure()], 5 * MINUTE);
    expect(await world.messages(ids.rosa)).toHaveLength(2);
    expect(await world.messages(ids.sam)).toHaveLength(1);
  });

  it('have digests of their own routes', async () => {
    world.set('2026-11-22T05:50:00Z');
    const planned = closure('planned', { phase: 'planned', start_time: '2026-11-22T20:00:00.000Z' });
    await world.listed([planned]);
    await later(20 * MINUTE, [planned], MINUTE);
    const title = 'M62 eastbound between J26 and J27 closed due to an overturned lorry';
    expect(await world.messages(ids.rosa)).toEqual([
      `waiting | Digest 06:00: 1 planned | Leeds–Heathrow: ${title}.`,
    ]);
    expect(await world.messages(ids.sam)).toEqual([
      `waiting | Digest 06:00: 1 planned | York–Hull: ${title}.`,
    ]);
  });

  it('hear of a silence by how many of their own routes depend on it', async () => {
    await world.watch('hull', { team_id: 'sam', name: 'Hull–Goole' });
    await poll(database.db, SOURCE, [], world.now());
    for (let gone = 0; gone < 2 * HOUR; gone += 5 * MINUTE) {
      world.pass(5 * MINUTE);
      await world.notifier.changed();
    }
    const texts = async (id: string) => (await world.messages(id)).map((one) => one.split(' | ')[2]);
    expect(await texts(ids.rosa)).toEqual(['1 of your routes depends on it.']);
    expect(await texts(ids.sam)).toEqual(['2 of your routes depend on it.']);
  });

  it('have channels that have ended in the lists of their own people alone', async () => {
    await channelsIn(database.db).addApps('many', world.now());
    const hook = await database.db
      .selectFrom('channels')
      .selectAll()
      .where('id', '=', ids.sam)
      .executeTakeFirstOrThrow();
    for (const name of ['rosa', 'sam']) await channelsIn(database.db).appOf(name, name, world.now());
    await notices(database.db).off(
      { ...hook, user_id: null, team_id: 'sam', name: 'Depot' },
      'It answered 410',
      'many',
      world.now(),
    );
    expect((await world.messages('app-sam')).map((one) => one.split(' | ')[1])).toEqual(['Depot is off']);
    expect(await world.messages('app-rosa')).toEqual([]);
  });
});

/** Minutes of the shift: eight hours in `npm run test:long`, and four in the command. */
const SHIFT = isLong ? 480 : 240;

describe('a shift with 14 routes in two teams', () => {
  const database = useDatabase(DATABASES[0]!.open);

  it('sends no words twice to one receiver, and the end of every closure that it sent', async () => {
    const world = await notifierWorld(database.db, 'many');
    try {
      const quarters = Array.from({ length: 96 }, (_, at) => ({
        at_local: `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`,
        duration_min: 240,
      }));
      for (let route = 0; route < 14; route++) {
        const team_id = route % 2 === 0 ? 'rosa' : 'sam';
        await world.watch(`route${route}`, { team_id, name: `Route ${route}`, departures: quarters });
      }
      const own = [
        await world.channel('device', {}, { team_id: 'rosa' }),
        await world.channel('email', {}, { team_id: 'sam', user_id: 'sam' }),
      ];
      // Closures begin, overlap, come back and end. The last ends an hour before the shift does.
      const standing = (minute: number) =>
        ['a', 'b', 'c', 'd', 'e'].filter((_, index) => {
          const into = minute - index * 35;
          return into >= 0 && minute < SHIFT - 60 && into % (90 + index * 20) < 50 + index * 10;
        });
      for (let minute = 0; minute < SHIFT; minute += 2) {
        world.pass(2 * MINUTE);
        await world.listed(standing(minute).map((id) => named(id, `M62 closed at junction ${id}`)));
      }
      for (const id of own) {
        const all = await world.messages(id);
        const said = all.map((one) => one.split(' | ').slice(1).join(' | '));
        expect(all.length).toBeGreaterThan(50);
        expect(new Set(said).size).toBe(said.length);
      }
      const logs = await database.db.selectFrom('notification_log').select('firing').execute();
      expect(logs.length).toBeGreaterThanOrEqual(14);
      expect(logs.filter(({ firing }) => firing !== '[]')).toEqual([]);
      const bodies = await database.db
        .selectFrom('messages')
        .select(['channel_id', 'watch_id', 'body'])
        .where('channel_id', 'in', own)
        .orderBy('created_at')
        .execute();
      const told = new Map<string, boolean>();
      for (const { channel_id, watch_id, body } of bodies) {
        const { kind, event_ids } = JSON.parse(body) as { kind: string; event_ids: string[] };
        for (const id of event_ids) told.set(`${channel_id} ${watch_id} ${id}`, kind === 'cleared');
      }
      expect(told.size).toBe(14 * 5);
      expect([...told].filter(([, isOver]) => !isOver)).toEqual([]);
    } finally {
      await world.stop();
    }
  }, 120_000);
});
