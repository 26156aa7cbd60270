import { beforeEach, describe, expect, it } from 'vitest';
import type { LayoutRequest } from '#contract/displays/layouts.ts';
import { displays } from '../../../../server/accounts/displays/displays.ts';
import { displaySelves, layouts } from '../../../../server/accounts/displays/layouts.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { inTransaction, removeBefore } from '../../../../server/db/statements.ts';
import type { Db } from '../../../../server/db/open.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { afterReading } from '../../../support/meanwhile.ts';
import { person } from '../people.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const TEAM = 'everyone';

describe.each(DATABASES)('what a display shows, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  let layout: string;

  const named = (name: string): LayoutRequest => ({
    name,
    pages: [{ type: 'map', dwell_s: 30 }],
    pin_criticals: true,
  });
  const change = (name: string, on = db) =>
    layouts(on).change(TEAM, { id: layout, rev: undefined }, named(name), NOW);
  const send = (text: string, until = later(30)) =>
    inTransaction(db, async (trx) => {
      const id = 'message';
      await layouts(trx).send(
        TEAM,
        'ann',
        { to: { all: true }, text, look: 'medium', cover: 'band', until: until.toISOString() },
        NOW,
        id,
      );
      await layouts(trx).ask(['wall'], NOW);
      return id;
    });

  beforeEach(async () => {
    ({ db } = database);
    await users(db).insert(person('ann'));
    await db
      .insertInto('displays')
      .values({
        id: 'wall',
        name: 'Control room',
        owner_id: 'ann',
        user_agent: '',
        address: '',
        paired_at: NOW.toISOString(),
      })
      .execute();
    layout = 'gate';
    await layouts(db).make(TEAM, named('first'), layout);
    await inTransaction(db, (trx) => layouts(trx).give(['wall'], layout, NOW));
  });

  it('is what another server of the database has just saved, sent or withdrawn', async () => {
    const other = await database.node();
    const [here, there] = [displaySelves(db, 'one'), displaySelves(other, 'one')];
    const both = async (at = NOW) => {
      const answers = [await here('wall', at), await there('wall', at)];
      expect(answers[1]).toEqual(answers[0]);
      return [answers[0]!.layout.name, answers[0]!.message?.text ?? null];
    };
    expect(await both()).toEqual(['first', null]);
    await change('second', other);
    expect(await both()).toEqual(['second', null]);
    const id = await send('Pump 2 is out of order.');
    expect(await both()).toEqual(['second', 'Pump 2 is out of order.']);
    expect(await both(later(31))).toEqual(['second', null]);
    await inTransaction(other, async (trx) => {
      await layouts(trx).withdraw(TEAM, id, NOW);
      await layouts(trx).ask(['wall'], NOW);
    });
    expect(await both()).toEqual(['second', null]);
    await layouts(other).remove(TEAM, layout, NOW);
    expect(await both()).toEqual(['All feeds', null]);
  });

  it('belongs to its own team: layouts and messages of another team cannot be read or changed', async () => {
    await teams(db, 'many').create('Other', NOW, 'other');
    await teams(db, 'many').put('ann', TEAM, 'member', NOW);
    await send('Pump 2 is out of order.');
    await layouts(db).make('other', named('theirs'), 'theirs');
    const [ours, theirs] = [layouts(db), 'other'];
    expect((await ours.ofTeam(theirs)).map(({ name }) => name)).toEqual(['theirs']);
    expect(await ours.byId(theirs, layout)).toBeUndefined();
    const put = { id: layout, rev: undefined };
    expect(await ours.change(theirs, put, named('taken'), NOW)).toBeUndefined();
    expect(await ours.change(theirs, { ...put, rev: 9 }, named('taken'), NOW)).toBeUndefined();
    expect(await ours.change(TEAM, { ...put, rev: 9 }, named('taken'), NOW)).toBe('changed');
    expect(await ours.remove(theirs, layout, NOW)).toBe(false);
    expect(await ours.messages(theirs, NOW)).toEqual([]);
    expect(await ours.withdraw(theirs, 'message', NOW)).toBeUndefined();
    const shown = await displaySelves(db, 'many')('wall', NOW);
    expect(shown).toMatchObject({ layout: { name: 'first' }, message: { text: 'Pump 2 is out of order.' } });

    await teams(db, 'many').put('ann', 'other', 'member', NOW);
    const moved = await displaySelves(db, 'many')('wall', NOW);
    expect(moved).toMatchObject({ layout: { name: 'All feeds' }, message: null });
  });

  it('is a message until it ends or is withdrawn, once, and then it is forgotten', async () => {
    await send('Pump 2 is out of order.');
    const [last, end] = [new Date(later(30).getTime() - 1), later(30)];
    const all = async (at: Date) => (await layouts(db).messages(TEAM, at)).length;
    const shown = async (at: Date) => (await displaySelves(db, 'one')('wall', at))!.message !== null;
    expect([await all(last), await shown(last)]).toEqual([1, true]);
    expect([await all(end), await shown(end)]).toEqual([0, false]);
    expect(await layouts(db).withdraw(TEAM, 'message', end)).toBeUndefined();
    expect(await layouts(db).withdraw(TEAM, 'message', last)).toEqual({ all: true });
    expect(await layouts(db).withdraw(TEAM, 'message', last)).toBeUndefined();
    expect([await all(NOW), await shown(NOW)]).toEqual([0, false]);
    const stored = async () => (await db.selectFrom('display_messages').select('id').execute()).length;
    await removeBefore(db, 'display_messages', 'until', end);
    expect(await stored()).toBe(1);
    await removeBefore(db, 'display_messages', 'until', new Date(end.getTime() + 1));
    expect(await stored()).toBe(0);
  });

  it('counts only paired displays, by what each was asked to show', async () => {
    const session = (changes: object) =>
      db
        .insertInto('sessions')
        .values({
          id: 'of-wall',
          user_id: 'ann',
          created_at: NOW.toISOString(),
          last_used_at: NOW.toISOString(),
          expires_at: later(60).toISOString(),
          revoked_at: null,
          revoked_reason: null,
          display_id: 'wall',
          ...changes,
        })
        .execute();
    const ids = async (at = NOW, owners = ['ann']) =>
      (await layouts(db).displaysOf(owners, at)).map(({ id }) => id);
    const counts = async (at: Date) => {
      const { paired, unseen, notTaken } = await layouts(db).condition(at);
      return [paired, unseen, notTaken];
    };
    await session({});
    // Its credential has not been fetched yet.
    expect(await counts(later(30))).toEqual([1, 0, 0]);
    expect([await ids(), await ids(later(60)), await ids(NOW, ['ben']), await ids(NOW, [])]).toEqual([
      ['wall'],
      [],
      [],
      [],
    ]);
    const at = (minutes: number, ms = 0) => new Date(later(minutes).getTime() + ms);
    await db.updateTable('displays').set({ last_seen_at: NOW.toISOString() }).execute();
    expect([await counts(at(5)), await counts(at(5, 1))]).toEqual([
      [1, 0, 0],
      [1, 0, 1],
    ]);
    expect([await counts(at(10)), await counts(at(10, 1)), await counts(at(60))]).toEqual([
      [1, 0, 1],
      [1, 1, 0], // a display that is not seen counts in only one of the two
      [0, 0, 0],
    ]);
    // More is asked for, and it counts as late from the first. Once it has taken all, it is not late.
    await layouts(db).ask(['wall'], later(4));
    expect(await counts(at(5, 1))).toEqual([1, 0, 1]);
    const { rev } = await db.selectFrom('displays').select('rev').executeTakeFirstOrThrow();
    await db.updateTable('displays').set({ taken_rev: rev }).execute();
    expect(await counts(at(9))).toEqual([1, 0, 0]);
    await layouts(db).ask(['wall'], later(9));
    expect(await counts(at(10))).toEqual([1, 0, 0]);

    await db
      .updateTable('displays')
      .set({ taken_rev: rev + 1, problem: 'A page says nothing' })
      .execute();
    expect(await counts(at(10))).toEqual([1, 0, 1]);
    await db.updateTable('displays').set({ problem: null }).execute();
    expect((await layouts(db).condition(at(10))).seen).toBe(1);

    await db.updateTable('users').set({ is_active: 0 }).execute();
    expect([await ids(), await counts(NOW)]).toEqual([[], [0, 0, 0]]);
    await db.updateTable('users').set({ is_active: 1 }).execute();
    await db.updateTable('displays').set({ blank_asked_at: NOW.toISOString() }).execute();
    expect(await ids()).toEqual([]);
    await db.updateTable('displays').set({ blank_asked_at: null }).execute();
    await db.updateTable('sessions').set({ revoked_at: NOW.toISOString() }).execute();
    expect([await ids(), await counts(NOW)]).toEqual([[], [0, 0, 0]]);
    expect((await layouts(db).condition(NOW)).seen).toBe(0);
  });

  it('is taken when the display first says so; what was asked since then counts from then on', async () => {
    const reports = async (rev: number, minutes: number) => {
      const showing = { rev, page: 'map', since: NOW.toISOString(), problem: null };
      const screen = { width: 1920, height: 1080, pixel_ratio: 1 };
      const rest = { build: 'abc', data_age_seconds: 1, heap_bytes: null };
      await displays(db).noteHeartbeat(
        'wall',
        { ...rest, screen, showing, wake_lock: 'held', visibility: 'visible' },
        later(minutes),
      );
    };
    const state = async () => {
      const row = await db
        .selectFrom('displays')
        .select(['rev', 'taken_rev', 'asked_at', 'taken_at'])
        .executeTakeFirstOrThrow();
      const minutes = (at: string | null | undefined) => at && (Date.parse(at) - NOW.getTime()) / 60_000;
      return [row.rev, row.taken_rev, minutes(row.asked_at), minutes(row.taken_at)];
    };
    await reports(1, 1);
    expect(await state()).toEqual([1, 1, 0, 1]);
    await layouts(db).ask(['wall'], later(2));
    await layouts(db).ask(['wall'], later(3));
    expect(await state()).toEqual([3, 1, 2, 1]);
    await reports(2, 4);
    expect(await state()).toEqual([3, 2, 4, 4]);
    await reports(2, 5);
    expect(await state()).toEqual([3, 2, 4, 4]);
    await reports(3, 6);
    expect(await state()).toEqual([3, 3, 4, 6]);
  });

  it('is read together with its revision, so that no change is missed', async () => {
    const slow = displaySelves(
      afterReading(db, 'layouts', () => change('third')),
      'one',
    );
    const asked = await slow('wall', NOW);
    const { rev } = await db
      .selectFrom('displays')
      .select('rev')
      .where('id', '=', 'wall')
      .executeTakeFirstOrThrow();
    expect([asked!.rev < rev, asked!.layout.name]).toEqual([true, 'first']);
    expect(await slow('wall', NOW)).toMatchObject({ rev, layout: { name: 'third' } });

    const late = displaySelves(
      afterReading(db, 'displays', () => change('fourth')),
      'one',
    );
    expect(await late('wall', NOW)).toMatchObject({ rev, layout: { name: 'fourth' } });
  });
});
