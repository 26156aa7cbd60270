import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { User } from '../../../contract/accounts/auth.ts';
import { toUser, users } from '../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from './people.ts';

describe.each(DATABASES)('users on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('are found by id, and by address in any case', async () => {
    await users(database.db).insert(person('ann', { email: 'Ann@Example.org' }));

    const expected = person('ann', { email: 'ann@example.org' });
    expect(await users(database.db).byId('ann')).toEqual(expected);
    expect(await users(database.db).byEmail('ANN@example.ORG')).toEqual(expected);
    expect(await users(database.db).byEmail('bob@example.org')).toBeUndefined();
    expect(await users(database.db).byEmail("' or 1=1 --")).toBeUndefined();
    expect(await users(database.db).byEmail('a\u0000@example.org')).toBeUndefined();
  });

  it('cannot share an address, also when two register at once', async () => {
    const other = await database.node();
    const taken = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id, n) =>
        users(n % 2 ? other : database.db).insert(
          person(id, { email: n % 2 ? 'X@example.org' : 'x@example.org' }),
        ),
      ),
    );

    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await database.db.selectFrom('users').select('email').execute()).toEqual([
      { email: 'x@example.org' },
    ]);
  });

  it('remember their last login and a changed password', async () => {
    await users(database.db).insert(person('ann'));
    await users(database.db).noteLogin('ann', new Date('2026-11-21T12:00:00Z'));
    expect(await users(database.db).setPasswordHash('ann', 'new')).toBe(true);
    expect(await users(database.db).setPasswordHash('nobody', 'new')).toBe(false);

    expect(await users(database.db).byId('ann')).toEqual(
      person('ann', { last_login: '2026-11-21T12:00:00.000Z', password_hash: 'new' }),
    );
  });

  it('are counted as administrators only while they are active', async () => {
    expect(await users(database.db).countAdmins()).toBe(0);
    await users(database.db).insert(person('ann', { role: 'admin' }));
    await users(database.db).insert(person('bob', { role: 'admin', is_active: 0 }));
    await users(database.db).insert(person('cat'));
    expect(await users(database.db).countAdmins()).toBe(1);
  });

  it('keep one active administrator, however many go at the same time', async () => {
    for (const id of ['ann', 'bob', 'cat']) await users(database.db).insert(person(id, { role: 'admin' }));
    const nodes = [database.db, await database.node(), await database.node()];
    const change = (id: string, to: Parameters<ReturnType<typeof users>['change']>[1], node: number) =>
      nodes[node]!.transaction().execute(async (trx) => (await users(trx).change(id, to)).outcome);

    const outcomes = await Promise.all([
      change('ann', { role: 'user' }, 0),
      change('bob', { is_active: 0 }, 1),
      change('cat', null, 2),
    ]);
    expect(outcomes.toSorted()).toEqual(['done', 'done', 'last_admin']);
    expect(await users(database.db).countAdmins()).toBe(1);
  });
});

it('a user is shown without the password, in the shape of the contract', () => {
  const shown = toUser(person('ann', { role: 'admin', is_verified: 1 }));
  expect(z.strictObject(User.shape).parse(shown)).toMatchObject({
    role: 'admin',
    is_admin: true,
    is_verified: true,
  });
  expect(toUser(person('bob', { is_active: 0 }))).toMatchObject({ is_admin: false, is_active: false });
});
