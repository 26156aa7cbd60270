import { describe, expect, it } from 'vitest';
import { newestChanges } from '../../../server/db/changes.ts';
import { disruptions } from '../../../server/db/disruptions.ts';
import { filtered } from '../../../server/db/filtered.ts';
import { filters } from '../../../server/db/filters.ts';
import { teams } from '../../../server/db/teams.ts';
import { users } from '../../../server/db/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { poll, record } from '../feedsWorld.ts';
import { person } from './people.ts';

const at = (clock: string) => new Date(`2026-11-21T${clock}:00.000Z`);
const NOW = at('09:00');
const ids = (found: readonly { incident: { event_id: string }; number: number }[]) =>
  found.map(({ incident, number }) => `${incident.event_id} ${number}`);

describe.each(DATABASES)('filters on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('are kept for a team, with one address that lives', async () => {
    const { db } = database;
    await users(db).insert(person('ann'));
    const { id: teamId } = await teams(db, 'one').of('ann', NOW);
    const all = filters(db);
    const id = (await all.add({ teamId, userId: 'ann' }, { name: 'Roads', query: 'feed=roads-uk' }, NOW))!;
    expect(await all.change({ teamId, id, version: 2 }, { name: 'Late' })).toBe('stale');
    expect(await all.change({ teamId, id, version: 1 }, { name: 'Better' })).toBe('done');
    expect(await all.change({ teamId: 'other', id, version: undefined }, { name: 'X' })).toBe('unknown');

    expect(await all.addAddress({ teamId, id }, 'hash', NOW)).toMatchObject({ last_used_at: null });
    expect(await all.addAddress({ teamId, id }, 'another', NOW)).toBe('taken');
    expect(await all.opened('hash', at('10:00'))).toEqual({ id, team_id: teamId, query: 'feed=roads-uk' });
    expect(await all.byId(teamId, id, NOW)).toMatchObject({
      name: 'Better',
      version: 2,
      address: { last_used_at: at('10:00').toISOString() },
      goes_out: true,
    });
    expect(await all.revokeAddress({ teamId: 'other', id }, NOW)).toBe(false);
    expect(await all.revokeAddress({ teamId, id }, at('11:00'))).toBe(true);
    expect(await all.opened('hash', at('11:00'))).toBeUndefined();
    expect(await all.ofTeam(teamId, NOW)).toMatchObject([{ id, address: null, goes_out: false }]);
    await all.prune(at('12:00'));
    expect(await db.selectFrom('filter_addresses').selectAll().execute()).toEqual([]);
    expect(await all.remove({ teamId, id, version: undefined })).toBe('done');
  });

  it('find what matches, what changed last and what is planned, with the number of each version', async () => {
    const { db } = database;
    const road = (name: string, changes: Parameters<typeof record>[1] = {}) =>
      record(`national-highways:${name}`, changes);
    const planned = road('works', { phase: 'planned', start_time: '2026-11-23T20:00:00.000Z' });
    await poll(
      db,
      'national-highways',
      [road('a', { severity: 'high' }), road('odd', { metadata: { severity_unrated: true } }), planned],
      at('08:00'),
    );
    await poll(
      db,
      'national-highways',
      [road('odd', { metadata: { severity_unrated: true } }), { ...planned, phase: 'active' }],
      at('08:30'),
    );

    const one = filtered(db);
    const since = at('00:00');
    expect(ids(await one.newest({}, since, 10))).toEqual([
      'national-highways:works 2',
      'national-highways:a 2',
      'national-highways:odd 1',
    ]);
    expect(ids(await one.newest({}, since, 1))).toEqual(['national-highways:works 2']);
    expect(ids(await one.calendar({}, since, 10))).toEqual(['national-highways:works 2']);
    const all = ['national-highways:a', 'national-highways:odd', 'national-highways:works', 'gone'];
    expect([...(await one.matching({ min_severity: 'high' }, all))].toSorted()).toEqual([
      'national-highways:a',
      'national-highways:odd',
    ]);
    expect([...(await one.matching({ min_severity: 'high', hide_unrated: true }, all))]).toEqual([
      'national-highways:a',
    ]);
    expect([...(await one.some(all)).keys()].toSorted()).toEqual(all.slice(0, 3));
    const listed = async (query: Parameters<ReturnType<typeof disruptions>['page']>[0]) =>
      (await disruptions(db).page(query)).events.map(({ event_id }) => event_id);
    expect(await listed({ hide_unrated: true, phase: 'active' })).toEqual(['national-highways:works']);
    expect(await listed({ changed_since: at('08:15') })).toEqual(['national-highways:works']);
    expect(await listed({ touching: { watchIds: ['w1'], levels: ['certain'] } })).toEqual([]);

    const kinds = async (limit: number) =>
      (await newestChanges(db, 1000, limit)).map(({ kind }) => kind).toSorted();
    expect(await kinds(10)).toEqual(['began', 'began', 'began', 'ended', 'started']);
    // A batch comes whole or not at all.
    expect(await kinds(4)).toEqual(['ended', 'started']);
  });
});
