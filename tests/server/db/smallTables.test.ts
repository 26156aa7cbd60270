import { describe, expect, it } from 'vitest';
import { facts } from '../../../server/http/documents/fetchedFacts.ts';
import { loginFailures } from '../../../server/accounts/passwords/loginLimits.ts';
import {
  ACTS_A_DAY,
  ACTS_FULL,
  type Actor,
  auditTrail,
  OPERATOR,
  SERVER,
} from '../../../server/accounts/auditTrail.ts';
import { users } from '../../../server/accounts/users.ts';
import { chunks } from '../../../server/db/batches.ts';
import type { Db } from '../../../server/db/open.ts';
import { cursors } from '../../../server/db/cursors.ts';
import { insertNew, putRow, rowsWith, removeBefore } from '../../../server/db/statements.ts';
import { raiseRevision, revision, untilRaised } from '../../../server/db/revisions.ts';
import type { RowOf } from '../../../server/db/schema.ts';
import { summaries } from '../../../server/feeds/summaries/summaryStore.ts';
import { usage } from '../../../server/http/usage/usage.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from '../accounts/people.ts';
import { clock } from '../incidents/incidents.ts';

const summary = (changes: Partial<RowOf<'summaries'>> = {}): RowOf<'summaries'> => ({
  feed: 'roads-uk',
  text: 'The M6 is closed.',
  model: 'clearway-extractive',
  prompt_version: '1',
  generated_at: clock('12:00').toISOString(),
  expires_at: clock('13:00').toISOString(),
  event_ids: '["a"]',
  event_count: 1,
  last_event_at: null,
  tokens_prompt: 0,
  tokens_completion: 0,
  metadata: '{}',
  input_hash: 'x',
  ...changes,
});

describe.each(DATABASES)('on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('finds, changes and removes no rows without a value that names them', () => {
    expect(() => rowsWith(database.db, 'summaries', {})).toThrow('No value names the rows of summaries');
  });

  describe('wrong passwords', () => {
    it('are listed by subject since a given time, oldest first', async () => {
      const failures = loginFailures(database.db);
      for (const time of ['12:10', '12:00', '12:05']) await failures.note('account:x', clock(time));
      await failures.note('account:x', clock('12:05'));
      await failures.note('address:y', clock('12:06'));

      expect((await failures.since('account:x', clock('12:05'))).map((at) => at.slice(11, 16))).toEqual([
        '12:05',
        '12:05',
        '12:10',
      ]);
    });

    it('are deleted by subject, and by age', async () => {
      const failures = loginFailures(database.db);
      for (const time of ['12:00', '12:10']) await failures.note('account:x', clock(time));
      await failures.note('address:y', clock('12:00'));
      await removeBefore(database.db, 'login_failures', 'failed_at', clock('12:10'));
      expect(await failures.since('account:x', clock('00:00'))).toHaveLength(1);
      expect(await failures.since('address:y', clock('00:00'))).toHaveLength(0);
      await failures.clear('account:x');
      expect(await failures.since('account:x', clock('00:00'))).toHaveLength(0);
    });
  });

  describe('summaries', () => {
    it('keeps what it said when it says something else', async () => {
      const at = (minute: number) => `2026-11-21T09:0${minute}:00.000Z`;
      const put = (minute: number, text: string) =>
        summaries(database.db).put(summary({ generated_at: at(minute), text }));
      await put(0, 'Calm.');
      await put(1, 'Calm.');
      await put(2, 'Delays.');
      const said = () =>
        database.db
          .selectFrom('summary_versions')
          .select(['generated_at', 'text'])
          .orderBy('generated_at')
          .execute();
      expect(await said()).toEqual([
        { generated_at: at(0), text: 'Calm.' },
        { generated_at: at(2), text: 'Delays.' },
      ]);

      await removeBefore(database.db, 'summary_versions', 'generated_at', at(1));
      expect(await said()).toEqual([{ generated_at: at(2), text: 'Delays.' }]);
    });

    it('are replaced by newer ones, each feed by itself', async () => {
      await summaries(database.db).put(summary());
      await summaries(database.db).put(summary({ feed: 'aviation', text: 'Calm.' }));
      await summaries(database.db).put(
        summary({ text: 'The M6 is open.', last_event_at: clock('12:01').toISOString() }),
      );

      expect((await summaries(database.db).all()).map(({ feed, text }) => [feed, text])).toEqual([
        ['aviation', 'Calm.'],
        ['roads-uk', 'The M6 is open.'],
      ]);
      expect(await summaries(database.db).of('aviation')).toEqual(
        summary({ feed: 'aviation', text: 'Calm.' }),
      );
      expect(await summaries(database.db).of('rail-network')).toBeUndefined();
    });

    it('raise the feeds’ revision only when they differ', async () => {
      expect(await summaries(database.db).put(summary())).toBe(true);
      expect(await summaries(database.db).put(summary())).toBe(false);
      expect(await revision(database.db, 'feeds')).toBe(1);
      expect(await summaries(database.db).put(summary({ input_hash: 'y' }))).toBe(true);
      expect(await revision(database.db, 'feeds')).toBe(2);
    });
  });

  it('facts are kept, and may change', async () => {
    const known = facts(database.db, () => clock('12:00'));
    expect(await known.get('ea-flood:123')).toBeNull();
    await known.set('ea-flood:123', '[51,0]');
    await known.set('ea-flood:123', '[51,0]');
    await known.set('ea-flood:456', '[52,0]');
    await known.set('ea-flood:123', '[51,1]');
    expect([await known.get('ea-flood:123'), await known.get('ea-flood:456')]).toEqual(['[51,1]', '[52,0]']);
  });

  it('usage is noted, and deleted by age', async () => {
    const event = {
      user_id: 'ann',
      event_type: 'map_viewed',
      event_category: 'navigation',
      session_id: null,
    };
    await usage(database.db).noteEvent({ ...event, occurred_at: clock('12:00') });
    await usage(database.db).noteEvent({
      ...event,
      session_id: 's',
      occurred_at: clock('12:05').toISOString(),
    });
    await removeBefore(database.db, 'usage_events', 'occurred_at', clock('12:05'));

    const kept = await database.db.selectFrom('usage_events').selectAll().execute();
    expect(kept).toEqual([
      { ...event, id: expect.any(String), session_id: 's', occurred_at: clock('12:05').toISOString() },
    ]);
  });

  it('the audit trail takes a hundred of one action a day of one member, and any number of the operator', async () => {
    const [ann, ben] = ['ann', 'ben'].map((id) => ({ id, email: `${id}@example.org` })) as [Actor, Actor];
    const boss = { id: 'boss', email: 'boss@example.org' };
    for (const { id } of [ann, ben]) await users(database.db).insert(person(id!));
    await users(database.db).insert(person('boss', { role: 'admin' }));
    const start = clock('12:00').getTime();
    const hundred = (actor: Actor) =>
      database.db
        .insertInto('audit_trail')
        .values(
          Array.from({ length: ACTS_A_DAY }, (_, n) => ({
            id: `${actor.email} ${n}`,
            at: new Date(start).toISOString(),
            actor_id: actor.id,
            actor: actor.email,
            action: 'key.made',
            subject_id: 'one',
            subject: 'One',
            detail: '',
          })),
        )
        .execute();
    for (const actor of [ann, boss, OPERATOR, SERVER]) await hundred(actor);
    const isNoted = async (actor: Actor, { ms = 0, action = 'key.made', subject = 'one' } = {}) => {
      const count = async () => (await database.db.selectFrom('audit_trail').select('id').execute()).length;
      const before = await count();
      const at = new Date(start + ms);
      await auditTrail(database.db).note(actor, action, { id: subject, name: subject }, at);
      return (await count()) > before;
    };
    await expect(isNoted(ann)).rejects.toThrow(ACTS_FULL);
    await expect(isNoted(ann, { subject: 'other' })).rejects.toThrow(ACTS_FULL);
    const day = 24 * 60 * 60_000;
    await expect(isNoted(ann, { ms: day - 1 })).rejects.toThrow(ACTS_FULL);
    // A row from a clock that was ahead keeps nobody out.
    expect(await isNoted(ann, { ms: -1 })).toBe(true);
    expect(await isNoted(ann, { ms: day })).toBe(true);
    expect(await isNoted(ann, { action: 'key.deleted' })).toBe(true);
    expect([await isNoted(ben), await isNoted(boss), await isNoted(OPERATOR)]).toEqual([true, true, true]);
    // An entry that a stranger can cause is written once for each subject.
    expect([await isNoted(SERVER), await isNoted(SERVER, { subject: 'other' })]).toEqual([false, true]);
  });

  it('rows are named by their values, an empty column by null', async () => {
    const { db } = database;
    const place = { lease_owner: null, lease_until: null };
    const add = (name: string) => insertNew(db, 'cursors', { name, batch: 1, ...place }, ['name']);
    expect([await add('a'), await add('b'), await add('a')]).toEqual([true, true, false]);
    expect(await rowsWith(db, 'cursors', { name: 'a', lease_owner: null }).set({ lease_owner: 'n1' })).toBe(
      1,
    );
    expect(await rowsWith(db, 'cursors', { name: 'a', lease_owner: null }).set({ batch: 9 })).toBe(0);
    expect(await rowsWith(db, 'cursors', { lease_owner: null }).remove()).toBe(1);
    const left = rowsWith(db, 'cursors', { lease_owner: 'n1', lease_until: null });
    expect(await left.all('name', 'lease_owner')).toEqual([{ name: 'a', lease_owner: 'n1' }]);
    expect(await left.first()).toEqual({ name: 'a', batch: 1, lease_owner: 'n1', lease_until: null });
    expect(await rowsWith(db, 'cursors', { name: 'b' }).first()).toBeUndefined();
    await putRow(db, 'cursors', { name: 'a', batch: 2, ...place }, ['name']);
    expect(await rowsWith(db, 'cursors', { name: 'a' }).all()).toEqual([{ name: 'a', batch: 2, ...place }]);
    expect(await rowsWith(db, 'cursors', { name: undefined as never }).remove()).toBe(0);
  });

  it('revisions rise one at a time, whichever node raises them', async () => {
    const other = await database.node();
    expect(await revision(database.db, 'feeds')).toBe(0);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => raiseRevision(n % 2 ? other : database.db, 'feeds')),
    );
    expect(await revision(database.db, 'feeds')).toBe(20);
    expect(await revision(database.db, 'other')).toBe(0);
  });

  it('loads a value once until a revision rises, and again after a failure', async () => {
    let loads = 0;
    const loaded = untilRaised(database.db, 'feeds', async () => {
      loads++;
      if (loads === 1) throw new Error('no database');
      return loads;
    });
    await expect(loaded()).rejects.toThrow('no database');
    expect([await loaded(), await loaded()]).toEqual([2, 2]);
    await raiseRevision(database.db, 'other');
    expect(await loaded()).toBe(2);
    await raiseRevision(database.db, 'feeds');
    expect(await loaded()).toBe(3);
  });

  it('a cursor is read on by one node, and its lease is taken over only from a clock that was ahead', async () => {
    const take = (owner: string, at: number) =>
      cursors(database.db).takeLease('work', owner, new Date(at), new Date(at + 20_000));
    const now = clock('12:00').getTime();
    expect(await take('one', now + 10 * 60_000)).toBe(true);
    expect(await take('other', now)).toBe(false);
    expect(await take('one', now + 10 * 60_000 + 1)).toBe(true);
    expect(await take('other', now)).toBe(true);
    expect([await take('one', now + 19_999), await take('one', now + 20_000)]).toEqual([false, true]);
    await cursors(database.db).move('work', 7);
    expect([await cursors(database.db).batch('work'), await cursors(database.db).batch('other')]).toEqual([
      7, 0,
    ]);
    expect(await take('other', now + 20_000)).toBe(false);
    await cursors(database.db).dropLease('work', 'other');
    expect(await take('other', now + 20_000)).toBe(false);
    await cursors(database.db).dropLease('work', 'one');
    expect(await take('other', now + 20_000)).toBe(true);
  });

  it('a lease is won by exactly one of many nodes that ask at once', async () => {
    const at = (db: Db, owner: string, now: string, until: string) =>
      cursors(db).takeLease('work', owner, clock(now), clock(until));
    const nodes = [database.db, await database.node(), await database.node()];
    for (let round = 0; round < 20; round += 1) {
      const now = `12:${String(round).padStart(2, '0')}`;
      const until = `12:${String(round + 1).padStart(2, '0')}`;
      const won = await Promise.all(
        Array.from({ length: 9 }, (_, n) => at(nodes[n % 3]!, `node ${round}.${n}`, now, until)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const lease = await rowsWith(database.db, 'cursors', { name: 'work' }).first();
      expect(lease?.lease_owner).toBe(`node ${round}.${won.indexOf(true)}`);
    }
  });

  it('a failed transaction raises no revision', async () => {
    const failed = database.db.transaction().execute(async (trx) => {
      await raiseRevision(trx, 'feeds');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await revision(database.db, 'feeds')).toBe(0);
  });
});

it('a long list is taken in parts, each once, and an empty list in none', () => {
  expect([...chunks([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...chunks([1, 2, 3, 4], 2)]).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect([...chunks([], 2)]).toEqual([]);
});
