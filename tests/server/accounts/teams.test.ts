import { describe, expect, it } from 'vitest';
import { EVERYONE, removeOwnTeam, teams } from '../../../server/accounts/teams.ts';
import { users } from '../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { clock } from '../incidents/incidents.ts';
import { person } from './people.ts';

const NOW = clock('12:00');

describe.each(DATABASES)('teams on $engine', ({ open }) => {
  const database = useDatabase(open);
  const one = () => teams(database.db, 'one');
  const many = () => teams(database.db, 'many');

  it('with one team everybody is in it, also those who come later', async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));

    expect(await one().of('ann', NOW)).toEqual({
      id: EVERYONE,
      name: 'Everyone',
      role: 'member',
      shift_starts: ['06:00', '14:00', '22:00'],
    });
    const [team, ...others] = await one().all(NOW);
    expect(others).toEqual([]);
    expect(team!.members.map(({ user_id }) => user_id)).toEqual(['ann', 'ben']);
  });

  it('with many, each user without a team leads one of their own', async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));

    expect(await many().of('ann', NOW)).toMatchObject({ id: 'ann', name: 'Team of one', role: 'lead' });
    expect(await many().of('ben', NOW)).toMatchObject({ id: 'ben', role: 'lead' });
    // Two calls of a new user at once make one team.
    await users(database.db).insert(person('cat'));
    const both = await Promise.all([
      many().of('cat', NOW),
      teams(await database.node(), 'many').of('cat', NOW),
    ]);
    expect(both.map(({ id }) => id)).toEqual(['cat', 'cat']);
  });

  it('a user is moved, and is in no other team from then on', async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));
    const { id } = await many().create('Leeds', NOW);
    await many().put('ann', id, 'lead', NOW);
    await many().put('ben', id, 'member', NOW);

    const all = await many().all(NOW);
    expect(
      all.map(({ name, members }) => [name, members.map(({ user_id, role }) => `${user_id} ${role}`)]),
    ).toEqual([
      ['Everyone', []],
      ['Leeds', ['ann lead', 'ben member']],
    ]);
  });

  it('has for members who were put into it, and with one team everybody', async () => {
    for (const id of ['ann', 'ben', 'cat']) await users(database.db).insert(person(id));
    const [leeds, hull] = [await many().create('Leeds', NOW), await many().create('Hull', NOW)];
    for (const id of ['ann', 'ben']) await many().put(id, leeds.id, 'member', NOW);
    await many().put('cat', hull.id, 'member', NOW);

    const members = async (team: string) => (await many().memberIds(team)).toSorted();
    expect([await members(leeds.id), await members(hull.id), await members(EVERYONE)]).toEqual([
      ['ann', 'ben'],
      ['cat'],
      [],
    ]);
    expect((await one().memberIds(EVERYONE)).toSorted()).toEqual(['ann', 'ben', 'cat']);
    const [everyone, ...others] = await one().all(NOW);
    expect(everyone!.members.map(({ user_id }) => user_id)).toEqual(['ann', 'ben', 'cat']);
    expect(others).toEqual([]);
    expect([await one().byId(leeds.id), (await one().byId(EVERYONE))?.id]).toEqual([undefined, EVERYONE]);
  });

  it('memberships do not count while there is one team, and are kept', async () => {
    await users(database.db).insert(person('ann'));
    const { id } = await many().create('Leeds', NOW);
    await many().put('ann', id, 'lead', NOW);

    expect(await one().of('ann', NOW)).toMatchObject({ id: EVERYONE });
    await one().put('ann', EVERYONE, 'member', NOW);
    expect(await many().of('ann', NOW)).toMatchObject({ id, role: 'member' });
    expect(await one().byId(id)).toBeUndefined();
  });

  it('keep together people who were together when there are more teams', async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));
    for (const id of ['ann', 'ben']) await one().of(id, NOW);

    expect((await many().of('ann', NOW)).id).toBe((await many().of('ben', NOW)).id);
  });

  it('whose team is deleted is a team of their own', async () => {
    await users(database.db).insert(person('ann'));
    const { id } = await many().create('Leeds', NOW);
    await many().put('ann', id, 'member', NOW);
    await many().remove(id);

    expect(await many().of('ann', NOW)).toMatchObject({ id: 'ann', role: 'lead' });
  });

  it('a team of one ends with its only member, a team with others does not', async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));
    await many().of('ann', NOW);
    await many().put('ben', 'ann', 'member', NOW);
    await users(database.db).change('ann', null);
    await removeOwnTeam(database.db, 'ann');
    expect((await many().of('ben', NOW)).id).toBe('ann');

    await users(database.db).change('ben', null);
    await removeOwnTeam(database.db, 'ann');
    expect((await many().all(NOW)).map(({ id }) => id)).toEqual([EVERYONE]);
  });

  it('a team keeps its own shift times', async () => {
    const { id } = await many().create('Leeds', NOW);
    await many().setShifts(id, ['05:30', '17:30']);
    await users(database.db).insert(person('ann'));
    await many().put('ann', id, 'lead', NOW);

    expect((await many().of('ann', NOW)).shift_starts).toEqual(['05:30', '17:30']);
  });
});
