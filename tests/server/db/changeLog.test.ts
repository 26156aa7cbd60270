import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changesSince, logChanges, newestChanges, pruneChanges } from '../../../server/db/changeLog.ts';
import { disruptions } from '../../../server/incidents/list/disruptions.ts';
import { netChanges } from '../../../server/shift/netChangesStore.ts';
import { pointsShape } from '../../../server/geography/shapes/shape.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { afterReading } from '../../support/meanwhile.ts';
import { clock, collect, incident, rowsOf } from '../incidents/incidents.ts';

const began = (event_id: string) =>
  ({ event_id, kind: 'began', severity_from: null, severity_to: 'high', phase_to: 'active' }) as const;

describe.each(DATABASES)('the change log on $engine', ({ open }) => {
  const database = useDatabase(open);
  const all = async () => (await changesSince(database.db, 0, 1000)).changes;
  /** `1.2 12:05 a worse medium-high active` */
  const inWords = async () =>
    (await all()).map(
      ({ batch, n, at, event_id, kind, severity_from, severity_to, phase_to }) =>
        `${batch}.${n} ${at.slice(11, 16)} ${event_id} ${kind} ${severity_from ?? ''}-${severity_to} ${phase_to}`,
    );

  it('has a batch for each poll that changed something, and none for the others', async () => {
    const { db } = database;
    const [a, b] = [incident({ event_id: 'a' }), incident({ event_id: 'b', severity: 'low' })];
    await collect(db, '12:00', [a, b]);
    await collect(db, '12:05', [a, b]);
    await collect(db, '12:10', [{ ...a, severity: 'critical' }]);
    await collect(db, '12:15', [{ ...a, severity: 'critical', updated_at: clock('12:12').toISOString() }]);
    await collect(db, '12:20', [{ ...a, end_time: clock('12:18').toISOString() }, b]);

    expect(await inWords()).toEqual([
      '1.1 12:00 a began -high active',
      '1.2 12:00 b began -low active',
      '2.1 12:10 a worse high-critical active',
      '2.2 12:10 b ended low-low active',
      '3.1 12:20 a ended critical-high active',
      '3.2 12:20 b began -low active',
    ]);
  });

  it('says that an incident ended by its time, and that an incident of a silent source is lost', async () => {
    const { db } = database;
    const end_time = clock('12:30').toISOString();
    await collect(db, '12:00', [
      incident({ event_id: 'a', end_time }),
      incident({ event_id: 'b' }),
      incident({ event_id: 'runs', kind: 'status' }),
    ]);
    for (const time of ['12:29', '12:31', '13:01', '13:02'])
      await disruptions(db).expire({ source: 'tfl', now: clock(time), maxAgeMinutes: 60 });

    expect((await inWords()).slice(2)).toEqual([
      '2.1 12:31 a ended high-high active',
      '3.1 13:01 b lost high-high active',
    ]);
  });

  it('says once, at the announced minute, that a planned incident started, even in a silence', async () => {
    const { db } = database;
    const planned = incident({
      event_id: 'a',
      phase: 'planned',
      start_time: clock('12:30').toISOString(),
    });
    const undated = incident({ event_id: 'b', phase: 'planned', start_time: null });
    await collect(db, '12:00', [planned, undated]);
    const begin = (time: string) => disruptions(db).begin({ source: 'tfl', now: clock(time) });
    expect([await begin('12:29'), await begin('12:30'), await begin('12:31')]).toEqual([0, 1, 0]);
    expect((await disruptions(db).byId('a'))?.metadata.phase).toBe('active');
    expect((await disruptions(db).byId('b'))?.metadata.phase).toBe('planned');
    expect((await disruptions(db).history('a'))?.history).toMatchObject([
      { phase: 'planned', seen_at: clock('12:00').toISOString() },
      { phase: 'active', seen_at: clock('12:30').toISOString(), changed: ['phase'] },
    ]);

    // The next poll says the same, which is no further change.
    await collect(db, '12:32', [{ ...planned, phase: 'active' }, undated]);
    expect((await inWords()).slice(2)).toEqual(['2.1 12:30 a started high-high active']);
    expect((await disruptions(db).history('a'))?.versions).toBe(2);

    // A publisher that still calls it planned is believed.
    await collect(db, '12:33', [planned, undated]);
    expect(await begin('12:34')).toBe(0);
  });

  it('says that an incident moved, and leaves out that it was given a shape', async () => {
    const { db } = database;
    const shapeAt = (latitude: number) => pointsShape([{ latitude, longitude: -1.5 }]);
    const a = incident({ event_id: 'a' });
    await collect(db, '12:00', [a]);
    const updated_at = (await rowsOf(db))[0]!.updated_at;
    await collect(db, '12:05', [{ ...a, shape: shapeAt(53.8) }]);
    expect(await inWords()).toEqual(['1.1 12:00 a began -high active']);
    expect(await rowsOf(db)).toMatchObject([
      { updated_at, geometry: '{"type":"Point","coordinates":[-1.5,53.8]}', north: 53.8, west: -1.5 },
    ]);

    await collect(db, '12:10', [{ ...a, shape: shapeAt(53.9) }]);
    await collect(db, '12:15', [{ ...a, shape: shapeAt(53.9) }]);
    expect((await inWords()).slice(1)).toEqual(['2.1 12:10 a changed high-high active']);
    expect(await rowsOf(db)).toMatchObject([{ updated_at, north: 53.9 }]);
    const versions = await db.selectFrom('disruption_versions').select(['event_id', 'north']).execute();
    expect(versions).toEqual([{ event_id: 'a', north: 53.8 }]);
  });

  it('leaves out an incident whose id another source uses', async () => {
    const { db } = database;
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:05', [incident({ event_id: 'a' }), incident({ event_id: 'b' })], {
      source: 'other',
    });
    expect((await inWords()).slice(1)).toEqual(['2.1 12:05 b began -high active']);
  });

  it('is written together with the incidents, or neither is', async () => {
    const { db } = database;
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    const before = { rows: await rowsOf(db), log: await all() };
    await sql`alter table changes rename to not_now`.execute(db);
    try {
      await expect(collect(db, '12:05', [incident({ event_id: 'b' })])).rejects.toThrow('changes');
      const expired = disruptions(db).expire({ source: 'tfl', now: clock('14:00'), maxAgeMinutes: 60 });
      await expect(expired).rejects.toThrow('changes');
    } finally {
      await sql`alter table not_now rename to changes`.execute(db);
    }
    expect({ rows: await rowsOf(db), log: await all() }).toEqual(before);

    await collect(db, '12:10', [incident({ event_id: 'b' })]);
    expect((await inWords()).slice(1)).toEqual([
      '2.1 12:10 b began -high active',
      '2.2 12:10 a ended high-high active',
    ]);
  });

  it('answers in whole batches, at least one', async () => {
    const { db } = database;
    await collect(
      db,
      '12:00',
      ['a', 'b', 'c'].map((event_id) => incident({ event_id })),
    );
    await collect(db, '12:05', []);
    await collect(db, '12:10', [incident({ event_id: 'a' })]);

    const read = async (since: number | undefined, limit: number) => {
      const { changes, batch, complete } = await changesSince(db, since, limit);
      return [changes.length, batch, complete];
    };
    expect(await read(0, 2)).toEqual([3, 1, true]);
    expect(await read(0, 3)).toEqual([3, 1, true]);
    expect(await read(0, 4)).toEqual([6, 2, true]);
    expect(await read(0, 7)).toEqual([7, 3, true]);
    expect(await read(1, 100)).toEqual([4, 3, true]);
    expect(await read(3, 100)).toEqual([0, 3, true]);
    expect(await read(undefined, 100)).toEqual([0, 3, true]);
  });

  it('keeps new changes while older ones are deleted, even if nothing newer followed', async () => {
    const { db } = database;
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    const racing = afterReading(db, 'changes', () =>
      collect(db, '13:00', [incident({ event_id: 'a' }), incident({ event_id: 'b' })]),
    );
    await pruneChanges(racing, clock('12:30'));
    expect((await all()).map(({ batch, event_id }) => [batch, event_id])).toEqual([[2, 'b']]);
  });

  it('gives the newest changes in whole batches, and says if the first are missing', async () => {
    const { db } = database;
    const some = ['a', 'b', 'c'].map((event_id) => incident({ event_id }));
    await collect(db, '12:00', some);
    await collect(db, '12:05', [...some, incident({ event_id: 'd' })]);
    await collect(db, '12:10', some);
    const newest = async (until: number, limit: number) =>
      (await newestChanges(db, until, limit)).map(({ batch, n }) => `${batch}.${n}`);
    expect(await newest(3, 4)).toEqual(['2.1', '3.1']);
    expect(await newest(3, 5)).toEqual(['1.1', '1.2', '1.3', '2.1', '3.1']);
    expect(await newest(3, 2)).toEqual(['2.1', '3.1']);
    expect(await newest(2, 9)).toEqual(['1.1', '1.2', '1.3', '2.1']);
  });

  it('finds the content just before a time, even among several versions of that time', async () => {
    const { db } = database;
    await collect(db, '12:00', [incident({ event_id: 'a', title: 'First' })]);
    // A long poll: another version was there first.
    for (const [title, seen, replaced] of [
      ['Later', '12:01', '12:10'],
      ['Sooner', '12:00', '12:05'],
      ['Latest', '12:01', '12:20'],
      ['Over', '11:00', '12:01'],
    ] as const)
      await db
        .insertInto('disruption_versions')
        .values({
          event_id: 'a',
          seen_at: clock(seen).toISOString(),
          replaced_at: clock(replaced).toISOString(),
          severity: 'high',
          title,
          summary_line: '',
          phase: 'active',
          kind: 'alert',
          updated_at: clock('11:00').toISOString(),
          start_time: clock('11:00').toISOString(),
          end_time: null,
          ended_at: null,
          ended_reason: null,
          details: '{}',
        })
        .execute();
    const before = await netChanges(db).contentBefore(['a'], clock('12:02'));
    expect(before.get('a')?.title).toBe('Sooner');
  });

  it('says if changes that a reader has not seen are no longer kept', async () => {
    const { db } = database;
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:10', []);
    // The changes of a long poll are later in the log and earlier by their time.
    await collect(db, '12:05', [incident({ event_id: 'b' })], { source: 'other' });
    const complete = async (since: number) => (await changesSince(db, since, 100)).complete;

    await pruneChanges(db, clock('12:07'));
    expect((await all()).map(({ batch }) => batch)).toEqual([2, 3]);
    expect([await complete(0), await complete(1), await complete(3)]).toEqual([false, true, true]);

    await pruneChanges(db, clock('13:00'));
    expect(await all()).toEqual([]);
    expect([await complete(2), await complete(3)]).toEqual([false, true]);
    // The cursor is from another database, or from after the backup that was restored.
    expect(await changesSince(db, 4, 100)).toEqual({ changes: [], batch: 3, complete: false });
  });
});

describe.each(DATABASES.filter(({ engine }) => engine === 'postgres'))(
  'two writers on $engine',
  ({ open }) => {
    const database = useDatabase(open);
    const all = async () => (await changesSince(database.db, 0, 1000)).changes;

    it('numbers batches in the order in which they are committed', async () => {
      const [first, second] = [database.db, await database.node()];
      const order: string[] = [];
      const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>();
      const { promise: hasLogged, resolve: logged } = Promise.withResolvers<void>();
      const slow = first.transaction().execute(async (trx) => {
        await logChanges(trx, { source: 'tfl', at: clock('12:00').toISOString() }, [began('slow')]);
        logged();
        await mayEnd;
        order.push('slow');
      });
      await hasLogged;
      const quick = second.transaction().execute(async (trx) => {
        await logChanges(trx, { source: 'tfl', at: clock('12:00').toISOString() }, [began('quick')]);
        order.push('quick');
      });
      expect(await all()).toEqual([]);
      letEnd();
      await Promise.all([slow, quick]);

      expect(order).toEqual(['slow', 'quick']);
      expect((await all()).map(({ event_id }) => event_id)).toEqual(['slow', 'quick']);
    });
  },
);
