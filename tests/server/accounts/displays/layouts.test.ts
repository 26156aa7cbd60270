import { beforeEach, describe, expect, it } from 'vitest';
import type { LayoutRequest } from '#contract/displays/layouts.ts';
import { displaySelves, layouts } from '../../../../server/accounts/displays/layouts.ts';
import { users } from '../../../../server/accounts/users.ts';
import { inTransaction } from '../../../../server/db/inTransaction.ts';
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

  it('never has the revision of a change without the change, which nothing would ask for again', async () => {
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
