import { removeBefore } from '../../../../server/db/statements.ts';
import { describe, expect, it } from 'vitest';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import {
  type FoundMatch,
  lines,
  matches,
  noteMatched,
} from '../../../../server/watches/matching/matchStore.ts';
import type { Db } from '../../../../server/db/open.ts';
import { revision, WATCHES_REVISION } from '../../../../server/db/revisions.ts';
import type { NewRow } from '../../../../server/db/schema.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../../accounts/people.ts';
import { clock } from '../../incidents/incidents.ts';

const watch = (id: string, changes: Partial<NewRow<'watches'>> = {}): NewRow<'watches'> => ({
  id,
  team_id: EVERYONE,
  kind: 'route',
  name: id,
  made_by: 'junctions',
  legs: '[]',
  geometry: '{"type":"LineString","coordinates":[]}',
  length_km: 10,
  reach_m: null,
  sources: '[]',
  notify: '{}',
  created_by: null,
  created_at: clock('08:00').toISOString(),
  updated_by: null,
  updated_at: clock('08:00').toISOString(),
  rev: 1,
  matched_rev: 0,
  archived_at: null,
  ...changes,
});

const found = (watch_id: string, subject_id: string, changes: Partial<FoundMatch> = {}): FoundMatch => ({
  watch_id,
  subject: 'disruption',
  subject_id,
  level: 'certain',
  why: 'names the M62, J27 to J26',
  from_km: 14.25,
  to_km: 19,
  off_m: 12,
  ...changes,
});

const unmatched = (db: Db) =>
  lines(db).select(['id', 'rev']).whereRef('matched_rev', '<', 'rev').orderBy('id').execute();

describe.each(DATABASES)('matches on $engine', ({ open }) => {
  const database = useDatabase(open);
  const settle = (
    time: string,
    scope: object,
    those: readonly FoundMatch[],
    kind: 'ended' | 'lost' | 'moved' | 'edited' = 'ended',
  ) =>
    database.db.transaction().execute((trx) =>
      matches(trx).settle(
        { subject: 'disruption', ...scope } as Parameters<ReturnType<typeof matches>['settle']>[0],
        those,
        {
          at: clock(time),
          batch: 7,
          endKind: () => kind,
        },
      ),
    );
  const stored = async () =>
    (
      await database.db
        .selectFrom('matches')
        .selectAll()
        .orderBy('began_at')
        .orderBy('watch_id')
        .orderBy('subject_id')
        .execute()
    ).map(({ watch_id, subject_id, began_at, level, ended_at, end_kind }) =>
      [
        watch_id,
        subject_id,
        began_at.slice(11, 16),
        level,
        ended_at?.slice(11, 16) ?? '-',
        end_kind ?? '-',
      ].join(' '),
    );
  const add = (...rows: NewRow<'watches'>[]) => database.db.insertInto('watches').values(rows).execute();

  it('begin, change and end as the run says, and begin again as another', async () => {
    await add(watch('leeds'), watch('bath'));
    await settle('12:00', { all: true }, [found('leeds', 'a'), found('bath', 'a'), found('leeds', 'b')]);
    await settle('12:01', { subjectIds: ['a'] }, [found('leeds', 'a', { level: 'possible' })], 'moved');
    await settle('12:02', { subjectIds: ['a'] }, [], 'lost');
    await settle('12:03', { subjectIds: ['a'] }, [found('leeds', 'a')]);

    expect(await stored()).toEqual([
      'bath a 12:00 certain 12:01 moved',
      'leeds a 12:00 possible 12:02 lost',
      'leeds b 12:00 certain - -',
      'leeds a 12:03 certain - -',
    ]);
    expect(
      (await matches(database.db).inForce(['leeds'])).map(({ subject_id }) => subject_id).sort(),
    ).toEqual(['a', 'b']);
  });

  it('write nothing if they are found unchanged', async () => {
    await add(watch('leeds'));
    await settle('12:00', { all: true }, [found('leeds', 'a')]);
    const before = await revision(database.db, WATCHES_REVISION);

    await settle('12:01', { subjectIds: ['a'] }, [found('leeds', 'a')]);
    expect(await revision(database.db, WATCHES_REVISION)).toBe(before);
    await settle('12:02', { subjectIds: ['a'] }, [found('leeds', 'a', { why: 'names the M62' })]);
    expect(await revision(database.db, WATCHES_REVISION)).toBe(before + 1);
    // A closure that grows along the road, or that moves, is another match.
    const moved = { from_km: 15, to_km: 20, off_m: 30 };
    const [begun] = await matches(database.db).inForce(['leeds']);
    let known = found('leeds', 'a', { why: 'names the M62' });
    for (const [field, value] of Object.entries(moved)) {
      known = { ...known, [field]: value };
      await settle('12:03', { subjectIds: ['a'] }, [known]);
      const [stored] = await matches(database.db).inForce(['leeds']);
      expect(stored, field).toMatchObject({ ...known, began_at: begun!.began_at });
    }
  });

  it('end as edited if their watch was edited, and those of other watches stay', async () => {
    await add(watch('leeds'), watch('bath'));
    await settle('12:00', { all: true }, [found('leeds', 'a'), found('bath', 'a')]);
    await settle('12:01', { watchIds: ['leeds'] }, [], 'edited');

    expect(await stored()).toEqual(['bath a 12:00 certain - -', 'leeds a 12:00 certain 12:01 edited']);
    expect(await matches(database.db).inForce(['leeds'])).toEqual([]);
  });

  it('end alone, and the others of their watch stay', async () => {
    await add(watch('leeds'));
    for (const ended of ['a', 'b']) {
      const stays = ended === 'a' ? 'b' : 'a';
      await settle('12:00', { watchIds: ['leeds'] }, [found('leeds', 'a'), found('leeds', 'b')]);
      await settle('12:01', { watchIds: ['leeds'] }, [found('leeds', stays)]);
      expect(await matches(database.db).inForce(['leeds'])).toMatchObject([{ subject_id: stays }]);
    }
  });

  it('with incidents do not end those with events', async () => {
    await add(watch('leeds'));
    await settle('12:00', { subject: 'event', all: true }, [
      found('leeds', 'p1', { subject: 'event', level: 'near' }),
    ]);
    await settle('12:01', { all: true }, []);

    expect(await stored()).toEqual(['leeds p1 12:00 near - -']);
  });

  it('are not stored if their watch was deleted meanwhile', async () => {
    await add(watch('leeds', { archived_at: clock('11:00').toISOString() }));
    await settle('12:00', { all: true }, [found('leeds', 'a'), found('gone', 'a')]);

    expect(await stored()).toEqual([]);
  });

  it('that are over, and deleted watches, are kept as long as the history', async () => {
    await add(watch('leeds'), watch('old', { archived_at: clock('10:00').toISOString() }));
    await settle('11:00', { all: true }, [found('leeds', 'a'), found('leeds', 'b')]);
    await settle('11:30', { subjectIds: ['a'] }, []);
    for (const time of ['10:00', '11:30']) {
      await removeBefore(database.db, 'matches', 'ended_at', clock(time));
      await removeBefore(database.db, 'watches', 'archived_at', clock(time));
      expect(await stored()).toHaveLength(2);
    }
    expect(await database.db.selectFrom('watches').select('id').execute()).toEqual([{ id: 'leeds' }]);
    await removeBefore(database.db, 'matches', 'ended_at', clock('11:31'));
    expect(await stored()).toEqual(['leeds b 11:00 certain - -']);
  });

  it('are no news if their watch was matched already', async () => {
    await database.db.insertInto('watches').values(watch('leeds')).execute();
    const seen = await unmatched(database.db);
    const rises = async () => {
      const before = await revision(database.db, WATCHES_REVISION);
      await noteMatched(database.db, seen);
      return (await revision(database.db, WATCHES_REVISION)) - before;
    };
    expect([await rises(), await rises()]).toEqual([1, 0]);
  });

  it('a watch is unmatched until its last edit is matched', async () => {
    await add(watch('leeds'), watch('bath', { rev: 3, matched_rev: 3 }), watch('old', { archived_at: 'x' }));
    const ids = async () => (await unmatched(database.db)).map(({ id }) => id);
    expect(await ids()).toEqual(['leeds']);
    const seen = await unmatched(database.db);
    await database.db.updateTable('watches').set({ rev: 2 }).where('id', '=', 'leeds').execute();
    await noteMatched(database.db, seen);
    expect(await ids()).toEqual(['leeds']);
    await add(watch('york'));
    await noteMatched(database.db, [{ id: 'leeds', rev: 2 }]);
    expect(await ids()).toEqual(['york']);
    // A slower node finishes an older run: what the newer one has matched stays matched.
    await noteMatched(database.db, [{ id: 'bath', rev: 2 }]);
    expect(await ids()).toEqual(['york']);
    await noteMatched(database.db, await unmatched(database.db));
    expect(await ids()).toEqual([]);
    await add(watch('whole feeds', { kind: 'feeds' }));
    expect((await lines(database.db).select('id').orderBy('id').execute()).map(({ id }) => id)).toEqual([
      'bath',
      'leeds',
      'york',
    ]);
  });

  it('a reader goes on from its place, one node at a time', async () => {
    const one = cursors(database.db);
    const other = cursors(await database.node());
    expect(await one.batch('matcher')).toBe(0);
    const take = (of: typeof one, owner: string, time: string, until: string) =>
      of.takeLease('matcher', owner, clock(time), clock(until));
    expect(await take(one, 'one', '12:00', '12:01')).toBe(true);
    await one.move('matcher', 41);
    expect(await take(other, 'other', '12:00', '12:01')).toBe(false);
    expect(await take(one, 'one', '12:00', '12:02')).toBe(true);
    expect(await take(other, 'other', '12:02', '12:03')).toBe(true);
    await one.dropLease('matcher', 'one');
    expect(await take(one, 'one', '12:02', '12:03')).toBe(false);
    await other.dropLease('matcher', 'other');
    expect(await take(one, 'one', '12:02', '12:03')).toBe(true);
    expect(await other.batch('matcher')).toBe(41);
  });

  it('holds 20,000 of a team at a time, certain ones first, and leaves the other watches unmatched', async () => {
    const { db } = database;
    await db
      .insertInto('watches')
      .values([
        watch('a', { matched_rev: 1 }),
        watch('b', { matched_rev: 1 }),
        watch('c', { matched_rev: 1 }),
      ])
      .execute();
    const many = Array.from({ length: WATCH_LIMITS.matchesPerTeam - 1 }, (_, n) => found('a', `tfl:${n}`));
    expect(await settle('08:00', { watchIds: ['a'] }, many)).toEqual(new Set());
    const more = [
      found('b', 'tfl:x', { level: 'possible' }),
      found('b', 'tfl:y', { level: 'possible' }),
      found('c', 'tfl:z'),
    ];
    const subjectIds = ['tfl:x', 'tfl:y', 'tfl:z'];
    expect(await settle('08:01', { subjectIds }, more)).toEqual(new Set(['b']));
    expect((await stored()).filter((row) => !row.startsWith('a '))).toHaveLength(1);
    expect((await unmatched(db)).map(({ id }) => id)).toEqual(['b']);
    // Matches that end make room for matches that begin in the same run.
    expect(await settle('08:02', { subjectIds: ['tfl:0', 'tfl:x'] }, [more[0]!])).toEqual(new Set());
    expect(await settle('08:03', { subjectIds: ['tfl:y'] }, [more[1]!])).toEqual(new Set(['b']));
    // There may be more already, if the limit was higher: then none is added.
    const [one] = await matches(db).inForce(['c']);
    await db
      .insertInto('matches')
      .values({ ...one!, subject_id: 'tfl:more' })
      .execute();
    const two = [found('b', 'tfl:v'), found('b', 'tfl:w')];
    expect(await settle('08:04', { subjectIds: ['tfl:v', 'tfl:w'] }, two)).toEqual(new Set(['b']));
    expect(await matches(db).inForce(['b'])).toMatchObject([{ subject_id: 'tfl:x' }]);
  }, 60_000);
});

describe('the stored watches of a team', () => {
  const database = useDatabase(DATABASES[0]!.open);
  const who = { teamId: EVERYONE, userId: 'rosa' };
  const add = async (...rows: NewRow<'watches'>[]) => {
    await users(database.db).insert(person('rosa'));
    await database.db.insertInto('watches').values(rows).execute();
  };

  it('stay matched under a new name, and are changed only as they were seen', async () => {
    await add(
      watch('new'),
      watch('matched', { matched_rev: 1 }),
      watch('deleted', { archived_at: clock('08:00').toISOString() }),
    );
    const rename = (id: string, rev = 1, teamId: string = EVERYONE) =>
      watches(database.db).change({ ...who, teamId, id, rev }, { name: 'Renamed' }, clock('09:00'));
    expect(await rename('new', 1, 'another')).toMatchObject({ outcome: 'unknown' });
    expect(await rename('deleted')).toMatchObject({ outcome: 'unknown' });
    for (const id of ['new', 'matched']) expect(await rename(id)).toEqual({ outcome: 'done' });
    expect(await rename('matched')).toMatchObject({ outcome: 'stale' });
    const rows = await database.db
      .selectFrom('watches')
      .select(['id', 'rev', 'matched_rev'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: 'deleted', rev: 1, matched_rev: 0 },
      { id: 'matched', rev: 2, matched_rev: 2 },
      { id: 'new', rev: 2, matched_rev: 0 },
    ]);
  });

  it('come back as long as their deletion can be undone, for their team alone, and are matched again', async () => {
    const archived_at = clock('08:00').toISOString();
    await add(...['first', 'last'].map((id) => watch(id, { matched_rev: 1, archived_at })));
    const restore = (id: string, ms: number, teamId: string = EVERYONE) =>
      watches(database.db).restore(
        { ...who, teamId, id },
        new Date(clock('08:00').getTime() + WATCH_LIMITS.undoMinutes * 60_000 + ms),
      );
    expect(await restore('first', 0, 'another')).toBe('unknown');
    expect([await restore('first', 0), await restore('last', 1)]).toEqual(['done', 'unknown']);
    expect(await unmatched(database.db)).toMatchObject([{ id: 'first', rev: 2 }]);
    // Once more, as its answer may have been lost.
    expect(await restore('first', 1)).toBe('done');
    // Feeds are not matched.
    await database.db
      .insertInto('watches')
      .values(watch('all', { kind: 'feeds', matched_rev: 1, archived_at }))
      .execute();
    expect(await restore('all', 0)).toBe('done');
    expect(await watches(database.db).byId(EVERYONE, 'all')).toMatchObject({ rev: 2, checking: false });
  });

  it('are unknown again after each change of their line, and keep their departures by their ids', async () => {
    await add(watch('leeds', { matched_rev: 1 }), watch('bath', { matched_rev: 1 }));
    const of = watches(database.db);
    const change = (id: string, rev: number, fields: Parameters<typeof of.change>[1]) =>
      of.change({ ...who, id, rev }, fields, clock('09:00'));
    const lines: Parameters<typeof of.change>[1][] = [
      { legs: [] },
      { geometry: { type: 'LineString', coordinates: [] } },
      { reach_m: 500 },
    ];
    for (const [index, fields] of lines.entries()) {
      const rev = index + 1;
      await database.db.updateTable('watches').set({ matched_rev: rev }).where('id', '=', 'leeds').execute();
      expect(await change('leeds', rev, fields)).toEqual({ outcome: 'done' });
      expect((await of.byId(EVERYONE, 'leeds'))!.checking).toBe(true);
    }
    const daily = { days: 127, from_date: null, to_date: null, except: [], duration_min: null, name: null };
    const at = (...clocks: string[]) => clocks.map((at_local) => ({ ...daily, at_local }));
    const departures = async (id: string) => (await of.byId(EVERYONE, id))!.departures;
    await change('leeds', 4, { departures: at('07:00', '06:00') });
    await change('bath', 1, { departures: at('08:00') });
    const [six, seven] = await departures('leeds');
    const [eight] = await departures('bath');
    expect([six, seven, eight].map((one) => one!.at_local)).toEqual(['06:00', '07:00', '08:00']);
    await change('leeds', 5, { departures: [{ ...seven!, at_local: '05:00' }, eight!] });
    const changed = await departures('leeds');
    expect(changed.map(({ id, at_local }) => [id === seven!.id, at_local])).toEqual([
      [true, '05:00'],
      [false, '08:00'],
    ]);
    expect(changed[1]!.id).not.toBe(eight!.id);
    expect(await departures('bath')).toEqual([eight]);
  });

  it('are behind since their first change that was not read, or since their own edit if that is older', async () => {
    const { db } = database;
    const behind = () => watches(db).behindSince(EVERYONE);
    await add(watch('leeds', { updated_at: clock('09:30').toISOString() }));
    const change = (batch: number, time: string) => ({
      batch,
      n: 1,
      at: clock(time).toISOString(),
      event_id: 'tfl:1',
      source: 'tfl',
      kind: 'changed' as const,
      severity_from: 'low' as const,
      severity_to: 'low' as const,
      phase_to: 'active' as const,
    });
    await db
      .insertInto('changes')
      .values([change(7, '09:10'), change(6, '09:20'), change(5, '09:00')])
      .execute();
    await cursors(db).move('another', 7);
    await cursors(db).move('matcher', 5);
    // Nothing was matched yet, so that nothing is late.
    expect(await behind()).toBe(clock('09:30').toISOString());
    await db
      .insertInto('watches')
      .values(watch('bath', { matched_rev: 1 }))
      .execute();
    expect(await behind()).toBe(clock('09:20').toISOString());
    await db
      .updateTable('watches')
      .set({ updated_at: clock('09:05').toISOString() })
      .execute();
    expect(await behind()).toBe(clock('09:05').toISOString());
    await db.updateTable('watches').set({ matched_rev: 1 }).execute();
    expect(await behind()).toBe(clock('09:20').toISOString());
    await cursors(db).move('matcher', 7);
    expect(await behind()).toBeNull();
  });

  it('are of one team alone: no other makes them wait, forgets their lines or fills their places', async () => {
    await database.db
      .insertInto('teams')
      .values({ id: 'south', name: 'South', created_at: clock('07:00').toISOString(), shift_starts: '[]' })
      .execute();
    const south = (id: string, changes: Partial<NewRow<'watches'>> = {}) =>
      watch(id, { team_id: 'south', ...changes });
    const deleted = (time: string) => ({ archived_at: clock(time).toISOString(), legs: '[1]' });
    await add(
      watch('leeds', { matched_rev: 1 }),
      south('south', { list_place: 7 }),
      south('deleted', deleted('08:00')),
      ...Array.from({ length: WATCH_LIMITS.undoKept - 1 }, (_, n) => watch(`old ${n}`, deleted('09:00'))),
    );
    const of = watches(database.db);
    expect(await of.behindSince(EVERYONE)).toBeNull();
    expect(await of.behindSince('south')).toBe(clock('08:00').toISOString());
    await of.order(EVERYONE, ['south', 'leeds']);
    const place = database.db.selectFrom('watches').select('list_place').where('id', '=', 'south');
    expect(await place.executeTakeFirst()).toEqual({ list_place: 7 });

    await of.remove({ ...who, id: 'leeds', rev: 1 }, clock('09:01'));
    const kept = database.db.selectFrom('watches').select('legs').where('id', '=', 'deleted');
    expect(await kept.executeTakeFirst()).toEqual({ legs: '[1]' });
    const full = Array.from({ length: WATCH_LIMITS.perTeam.route }, (_, n) => south(`south ${n}`));
    await database.db.insertInto('watches').values(full).execute();
    expect(await of.restore({ ...who, id: 'leeds' }, clock('09:02'))).toBe('done');
  });
});
