import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CursorWorker } from '../../../server/db/cursorWorker.ts';
import { type Act, responses } from '../../../server/shift/responses.ts';
import { EVERYONE, teams } from '../../../server/accounts/teams.ts';
import { users } from '../../../server/accounts/users.ts';
import type { DisruptionRecord } from '../../../server/incidents/collector.ts';
import { startLapses } from '../../../server/shift/lapseWorker.ts';
import { snoozeUntil } from '#contract/shift/snoozes.ts';
import { amount } from '../../support/long.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { factsOf } from '../../support/facts.ts';
import { afterReading } from '../../support/meanwhile.ts';
import { clock, collect, incident } from '../incidents/incidents.ts';
import { person } from '../accounts/people.ts';

const ID = 'tfl:1';
const DIVERTED: Act = { action: 'acknowledged', disposition: 'diverted' };

const RACES = amount('RACES', { whole: 100, part: 20 });

describe.each(DATABASES)('in hand on $engine', ({ open, once }) => {
  const database = useDatabase(open);
  let lapses: CursorWorker | undefined;
  let time = '08:00';

  beforeEach(async () => {
    time = '08:00';
    for (const [id, display_name] of [
      ['rosa', 'Rosa Jones'],
      ['sam', 'Sam Lee'],
    ] as const)
      await users(database.db).insert(person(id, { display_name }));
    await report('08:00');
  });
  afterEach(() => lapses?.stop());

  const report = (at: string, changes: Partial<DisruptionRecord> = {}) =>
    collect(database.db, (time = at), [incident({ event_id: ID, ...changes })]);

  const does = (userId: string, rev: number, act: Act, at = time, id: string = randomUUID()) =>
    responses(database.db).act(
      { teamId: EVERYONE, userId },
      { id, eventId: ID, rev, severity: null, at: clock(at).toISOString() },
      act,
      clock(time),
    );
  const state = () => responses(database.db).byEvent(EVERYONE, ID);
  const actions = async () =>
    (await responses(database.db).log(EVERYONE, { eventId: ID })).map(({ action, by }) => [
      action,
      by?.name ?? null,
    ]);

  /** The reader of the log, as far as it is known now. */
  async function read(): Promise<void> {
    lapses ??= startLapses({
      db: database.db,
      now: () => clock(time),
      log: {
        error(fields) {
          throw new Error(JSON.stringify(fields));
        },
      },
      owner: 'one',
    });
    await lapses.changed();
  }
  beforeEach(async () => {
    lapses = undefined;
    await read();
  });

  it('goes with an incident that gets another id, and lapses if that is graver', async () => {
    const { db } = database;
    const facts = factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    });
    const said = { facts, start_time: '2026-11-21T07:58:00.000Z' };
    const other = 'national-highways:1';
    const reportOther = (at: string, all: DisruptionRecord[]) =>
      collect(db, (time = at), all, { source: 'national-highways' });
    await report('08:01', { severity: 'medium', ...said });
    await does('rosa', 0, DIVERTED);
    await responses(db).note(
      { teamId: EVERYONE, userId: 'rosa' },
      { id: randomUUID(), eventId: ID, text: 'By A64', at: clock('08:01').toISOString() },
      clock(time),
    );
    await reportOther('08:02', [incident({ event_id: other, severity: 'medium', ...said })]);
    // Nobody else reports it under its first id from now on.
    await collect(db, (time = '08:03'), []);
    await read();
    expect(await responses(db).byEvent(EVERYONE, other)).toMatchObject({
      event_id: other,
      disposition: 'diverted',
      lapsed: null,
    });
    expect(await state()).toMatchObject({ event_id: other, disposition: 'diverted' });
    expect((await actions()).toSorted()).toEqual([
      ['acknowledged', 'Rosa Jones'],
      ['note', 'Rosa Jones'],
    ]);
    // The page was still open, so the first id is used too.
    expect(await does('sam', 1, DIVERTED)).toEqual({ outcome: 'done' });
    await report('08:04', { severity: 'critical', ...said });
    await read();
    expect(await state()).toMatchObject({ event_id: other, lapsed: 'worse' });
  });

  once('lapses when it gets worse, and stays when it changes or eases', async () => {
    await report('08:01', { severity: 'medium' });
    await does('rosa', 0, DIVERTED);
    await report('08:10', { severity: 'medium', title: 'Other words' });
    await report('08:11', { severity: 'low' });
    await read();
    expect(await state()).toMatchObject({ lapsed: null, rev: 1 });

    await report('08:20', { severity: 'high' });
    await read();
    expect(await state()).toMatchObject({
      disposition: 'diverted',
      by: { name: 'Rosa Jones' },
      at: '2026-11-21T08:01:00.000Z',
      lapsed: 'worse',
      lapsed_at: '2026-11-21T08:20:00.000Z',
      rev: 2,
    });
    time = '08:21';
    expect(await does('sam', 1, DIVERTED)).toMatchObject({ outcome: 'stale', by: null, change: 'lapsed' });
    expect(await does('sam', 2, DIVERTED)).toEqual({ outcome: 'done' });
    await read();
    expect(await state()).toMatchObject({ lapsed: null, by: { name: 'Sam Lee' }, rev: 3 });
    expect(await actions()).toEqual([
      ['acknowledged', 'Rosa Jones'],
      ['lapsed', null],
      ['acknowledged', 'Sam Lee'],
    ]);
  });

  it('lapses even if more changes came meanwhile than are read at once', async () => {
    await does('rosa', 0, DIVERTED);
    const others = (title: string) =>
      Array.from({ length: 300 }, (_, n) => incident({ event_id: `tfl:other-${n}`, title }));
    const mine = (changes: Partial<DisruptionRecord> = {}) => incident({ event_id: ID, ...changes });
    await collect(database.db, (time = '08:05'), [mine(), ...others('First')]);
    await collect(database.db, (time = '08:06'), [mine(), ...others('Second')]);
    await collect(database.db, (time = '08:07'), [mine({ severity: 'critical' }), ...others('Second')]);
    await read();
    expect(await state()).toMatchObject({ lapsed: 'worse' });
  });

  once('lapses when a planned one starts, and when one that had ended begins again', async () => {
    await report('08:01', { phase: 'planned' });
    await does('rosa', 0, DIVERTED);
    await report('08:10', { phase: 'active' });
    await read();
    expect(await state()).toMatchObject({ lapsed: 'started' });

    await does('rosa', 2, DIVERTED);
    await collect(database.db, (time = '08:20'), []);
    await read();
    expect(await state()).toMatchObject({ lapsed: null });
    await report('08:30');
    await read();
    expect(await state()).toMatchObject({ lapsed: 'began' });
  });

  once('brings a snoozed one back within one poll when it turns critical or starts', async () => {
    const until = clock('10:00').toISOString();
    await report('08:01', { severity: 'low' });
    await does('rosa', 0, { action: 'snoozed', snooze: '2_h', change: false, until });
    await report('08:05', { severity: 'high', title: 'Other words' });
    await read();
    expect(await state()).toMatchObject({ snooze: { until, by: { name: 'Rosa Jones' } } });
    await report('08:06', { severity: 'critical' });
    await read();
    expect(await state()).toMatchObject({ snooze: null });
    expect(await actions()).toEqual([
      ['snoozed', 'Rosa Jones'],
      ['returned', null],
    ]);
  });

  it('brings nothing back whose snooze was over before', async () => {
    const until = clock('08:05').toISOString();
    await does('rosa', 0, { action: 'snoozed', snooze: '30_min', change: false, until });
    await report('08:06', { severity: 'critical' });
    await read();
    expect(await state()).toMatchObject({ snooze: { until }, rev: 1 });
    expect(await actions()).toEqual([['snoozed', 'Rosa Jones']]);
  });

  once('brings one back at once that was snoozed as milder than it had just become', async () => {
    await report('08:01', { severity: 'high' });
    await report('08:05', { severity: 'critical' });
    const snooze: Act = {
      action: 'snoozed',
      snooze: '2_h',
      change: false,
      until: clock('10:00').toISOString(),
    };
    const sees = (severity: 'high' | 'critical', rev: number) =>
      responses(database.db).act(
        { teamId: EVERYONE, userId: 'rosa' },
        { id: randomUUID(), eventId: ID, rev, severity, at: clock('08:06').toISOString() },
        snooze,
        clock((time = '08:07')),
      );
    expect(await sees('high', 0)).toEqual({ outcome: 'done' });
    expect(await state()).toMatchObject({ snooze: null });
    const { rev } = (await state())!;
    expect(await sees('critical', rev)).toEqual({ outcome: 'done' });
    expect(await state()).toMatchObject({ snooze: { by: { name: 'Rosa Jones' } } });
  });

  once('brings a snoozed one back on any change if that was requested', async () => {
    const until = snoozeUntil('until_it_changes', clock('08:00'), []).toISOString();
    await does('rosa', 0, { action: 'snoozed', snooze: 'until_it_changes', change: true, until });
    await report('08:05', { severity: 'medium' });
    await read();
    expect(await state()).toMatchObject({ snooze: null });
  });

  once('goes on where it was after a restart, and applies a change once', async () => {
    await does('rosa', 0, DIVERTED);
    await lapses!.stop();
    lapses = undefined;
    await report('08:20', { severity: 'critical' });
    await read();
    await lapses!.stop();
    lapses = undefined;
    await read();
    expect((await actions()).filter(([action]) => action === 'lapsed')).toHaveLength(1);
  });

  once('misses no change if somebody acts for the first time while the log is passed over', async () => {
    await lapses!.stop();
    const racing = afterReading(database.db, 'responses', async () => {
      await does('rosa', 0, DIVERTED);
      await report('08:20', { severity: 'critical' });
    });
    lapses = startLapses({
      db: racing,
      now: () => clock(time),
      log: { error: (fields) => expect(fields).toBeUndefined() },
      owner: 'one',
    });
    await read();
    await read();
    expect(await state()).toMatchObject({ disposition: 'diverted', lapsed: 'worse' });
  });

  describe('the log', () => {
    const OTHER = 'tfl:2';
    const rosas = { teamId: EVERYONE, userId: 'rosa' };
    const sams = { teamId: EVERYONE, userId: 'sam' };
    const START = clock('08:00').getTime();
    const note = (line: { id?: string; eventId?: string | null; text?: string }, actor = rosas, ms = 0) => {
      const now = new Date(START + ms);
      const all = { id: randomUUID(), eventId: ID, text: 'By A64', at: now.toISOString(), ...line };
      return responses(database.db).note(actor, all, now);
    };
    const strike = (
      line: { noteId: string; id?: string; eventId?: string | null },
      { actor = rosas, ms = 0 } = {},
    ) => {
      const now = new Date(START + ms);
      const all = { id: randomUUID(), eventId: ID, at: now.toISOString(), ...line };
      return responses(database.db).strike(actor, all, now);
    };
    beforeEach(() =>
      collect(database.db, '08:00', [incident({ event_id: ID }), incident({ event_id: OTHER })]),
    );

    it('takes an id again only for the same person, incident and action', async () => {
      const [acted, noted, struck] = [randomUUID(), randomUUID(), randomUUID()];
      expect(await does('rosa', 0, DIVERTED, '08:00', acted)).toEqual({ outcome: 'done' });
      expect(await does('sam', 0, DIVERTED, '08:00', acted)).toEqual({ outcome: 'used' });
      expect(await note({ id: acted, text: '' })).toBe('used');

      expect([await note({ id: noted }), await note({ id: noted })]).toEqual(['done', 'done']);
      expect(await note({ id: noted, eventId: OTHER })).toBe('used');
      expect(await note({ id: noted, eventId: null })).toBe('used');

      expect(await strike({ noteId: noted, id: acted })).toBe('used');
      expect(await strike({ noteId: noted, id: struck })).toBe('done');
      expect(await strike({ noteId: noted, id: struck }, { actor: sams })).toBe('used');
      expect(await actions()).toHaveLength(3);
    });

    it('strikes out only notes of its own incident, for ten minutes', async () => {
      const [acted, noted, late] = [randomUUID(), randomUUID(), randomUUID()];
      await does('rosa', 0, DIVERTED, '08:00', acted);
      await note({ id: noted });
      await note({ id: late });
      const outcomes = [
        await strike({ noteId: acted }),
        await strike({ noteId: noted, eventId: OTHER }),
        await strike({ noteId: noted, eventId: null }),
        await strike({ noteId: noted }, { actor: sams }),
        await strike({ noteId: noted }, { ms: 10 * 60_000 }),
        await strike({ noteId: late }, { ms: 10 * 60_000 + 1 }),
      ];
      expect(outcomes).toEqual(['unknown', 'unknown', 'unknown', 'foreign', 'done', 'late']);
    });

    it('takes 30 lines of a team in any minute, and 500 in a day for the next shift', async () => {
      const other = await teams(database.db, 'many').create('Other', clock('07:00'));
      const lines = (count: number, team_id: string, event_id: string | null, ms: number) =>
        database.db
          .insertInto('response_log')
          .values(
            Array.from({ length: count }, () => ({
              id: randomUUID(),
              team_id,
              event_id,
              at: clock('08:00').toISOString(),
              received_at: new Date(START + ms).toISOString(),
              user_id: 'rosa',
              action: 'note' as const,
              text: 'By A64',
              detail: '{}',
            })),
          )
          .execute();
      await lines(500, other.id, ID, 0);
      await lines(500, other.id, null, 0);
      await lines(29, EVERYONE, ID, 0);
      await lines(30, EVERYONE, OTHER, 0);
      expect([await note({}), await note({}), await note({}, rosas, 59_999)]).toEqual([
        'done',
        'busy',
        'busy',
      ]);
      expect(await does('rosa', 0, DIVERTED)).toEqual({ outcome: 'busy' });
      expect(await note({}, rosas, 60_000)).toBe('done');

      await lines(499, EVERYONE, null, -5 * 60_000);
      expect([await note({ eventId: null }), await note({ eventId: null })]).toEqual(['done', 'full']);
      const day = 24 * 60 * 60_000 - 5 * 60_000;
      expect(await note({ eventId: null }, rosas, day - 1)).toBe('full');
      expect(await note({ eventId: null }, rosas, day)).toBe('done');
    });

    it('is kept from that time on, as are responses to incidents that are no longer stored', async () => {
      await does('rosa', 0, DIVERTED);
      await note({}, rosas, 1);
      await database.db.deleteFrom('disruptions').execute();
      await responses(database.db).prune(new Date(START));
      expect(await responses(database.db).isAny()).toBe(true);
      expect(await actions()).toHaveLength(2);
      await responses(database.db).prune(new Date(START + 1));
      expect(await responses(database.db).isAny()).toBe(false);
      expect(await actions()).toEqual([['note', 'Rosa Jones']]);
    });
  });

  it(`if two act at once, one wins and the other learns who, ${RACES} times`, async () => {
    const other = await database.node();
    for (let run = 0; run < RACES; run++) {
      // An incident accepts only a limited number of actions a minute.
      const now = new Date(clock('08:12').getTime() + run * 4000);
      const rev = (await state())?.rev ?? 0;
      const both = await Promise.all(
        [database.db, other].map((db, index) =>
          responses(db).act(
            { teamId: EVERYONE, userId: index ? 'sam' : 'rosa' },
            { id: randomUUID(), eventId: ID, rev, severity: null, at: now.toISOString() },
            DIVERTED,
            now,
          ),
        ),
      );
      const [winner, loser] = both[0]!.outcome === 'done' ? ['Rosa Jones', both[1]] : ['Sam Lee', both[0]];
      expect(both.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
      expect(loser).toMatchObject({ outcome: 'stale', by: { name: winner }, change: 'acknowledged' });
      expect(await state()).toMatchObject({ by: { name: winner }, rev: rev + 1 });
    }
    expect(await actions()).toHaveLength(RACES);
  });
});

it('ends a snooze with the shift on both clock nights, and never after more than 24 hours', () => {
  const until = (at: string, starts: string[]) =>
    snoozeUntil('end_of_shift', new Date(at), starts).toISOString();
  const starts = ['06:00', '14:00', '22:00'];
  expect(until('2026-10-24T21:30:00Z', starts)).toBe('2026-10-25T06:00:00.000Z');
  expect(until('2027-03-27T22:30:00Z', starts)).toBe('2027-03-28T05:00:00.000Z');
  expect(until('2026-11-21T06:00:00Z', ['06:00'])).toBe('2026-11-22T06:00:00.000Z');
  expect(until('2026-10-24T05:30:00Z', ['06:30'])).toBe('2026-10-25T05:30:00.000Z');
});
