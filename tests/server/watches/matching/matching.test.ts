import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Leg } from '#contract/watches/watches.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import { pruneChanges } from '../../../../server/db/changeLog.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { demotions } from '../../../../server/watches/matching/demotionStore.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { events } from '../../../../server/geography/events/events.ts';
import { MATCHER } from '../../../../server/watches/matching/matchStore.ts';
import { split } from '../../../../server/incidents/merging/mergedIdentity.ts';
import type { Db } from '../../../../server/db/open.ts';
import { raiseRevision, revision, WATCHES_REVISION } from '../../../../server/db/revisions.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { factsOf } from '../../../support/readAs.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { startMatching } from '../../../../server/watches/matching/matching.ts';
import { matchingState } from '../../../../server/watches/matching/matchingState.ts';
import type { MatchingThread } from '../../../../server/watches/matching/matchingThread.ts';
import { pointsShape } from '../../../../server/geography/shapes/shape.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { clock, collect, incident } from '../../incidents/incidents.ts';
import { event } from '../../geography/events/import/oneEvent.ts';
import { roadLeg, spot } from './rules/matchingWorld.ts';

const SOURCE = 'national-highways';

/** A closure with this title, and the facts that are read from it. */
function closure(title: string, at?: string, changes: Partial<DisruptionRecord> = {}): DisruptionRecord {
  const record = incident({ event_id: `${SOURCE}:1`, title, summary_line: '', ...changes });
  const [longitude = 0, latitude = 0] = at ? spot(at) : [];
  const place = at ? { latitude, longitude, shape: pointsShape([{ latitude, longitude }]) } : {};
  return { ...record, ...place, facts: factsOf(record) };
}

/** The work of the thread, without the thread. */
function inThisThread(): MatchingThread {
  const state = matchingState();
  return { ask: async (step) => state.take(step), close: async () => {} };
}

describe.each(DATABASES)('matching on $engine', ({ open, once }) => {
  const database = useDatabase(open);
  let running: CursorWorker[] = [];
  let time = '12:00';
  let opened: string[] = [];
  const faults: unknown[] = [];

  let tests = 0;
  // The groups of reports are remembered by this number, which starts again with each test.
  beforeEach(async () => {
    await database.db
      .insertInto('revisions')
      .values({ name: 'feeds', value: 1000 * ++tests })
      .execute();
  });

  afterEach(async () => {
    await Promise.all(running.map((matching) => matching.stop()));
    running = [];
    opened = [];
    time = '12:00';
    expect(faults.splice(0)).toEqual([]);
  });

  function start(db: Db, owner = 'one', thread: () => MatchingThread = inThisThread): CursorWorker {
    const matching = startMatching({
      db,
      now: () => clock(time),
      log: { error: (fields) => void faults.push(fields) },
      owner,
      open() {
        opened.push(owner);
        return thread();
      },
    });
    running.push(matching);
    return matching;
  }

  async function addRoute(db: Db, id: string, ...legs: (string | Leg)[]): Promise<void> {
    const at = clock(time).toISOString();
    const row = {
      team_id: EVERYONE,
      kind: 'route' as const,
      name: id,
      made_by: 'junctions' as const,
      geometry: 'null',
      length_km: 0,
      reach_m: null,
      sources: '[]',
      notify: '{}',
      created_by: null,
      created_at: at,
      updated_by: null,
      updated_at: at,
      matched_rev: 0,
      archived_at: null,
    };
    const own = JSON.stringify(legs.map((leg) => (typeof leg === 'string' ? roadLeg(leg) : leg)));
    await db
      .insertInto('watches')
      .values({ ...row, id, legs: own, rev: 1 })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ legs: own, rev: eb('watches.rev', '+', 1) })),
      )
      .execute();
    await raiseRevision(db, WATCHES_REVISION);
  }

  async function removeRoute(db: Db, id: string): Promise<void> {
    await db
      .updateTable('watches')
      .set({ archived_at: clock(time).toISOString() })
      .where('id', '=', id)
      .execute();
    await raiseRevision(db, WATCHES_REVISION);
  }

  /** Lines such as `leeds national-highways:1 certain: names the M62, J26 to J27; moved`. */
  const stored = async (db: Db) => {
    const rows = await db
      .selectFrom('matches')
      .selectAll()
      .orderBy('watch_id')
      .orderBy('subject_id')
      .execute();
    return rows.map(
      ({ watch_id, subject_id, level, why, end_kind }) =>
        `${watch_id} ${subject_id} ${level}: ${why}${end_kind ? `; ${end_kind}` : ''}`,
    );
  };

  const inForce = async (db: Db) => (await stored(db)).filter((line) => !line.includes('; moved'));

  once(
    'finds nothing certain from a demoted source until it is restored; other sources stay certain',
    async () => {
      const { db } = database;
      await collect(db, '12:00', [closure('M62 J26 to J27: Accident')], { source: SOURCE });
      await collect(db, '12:00', [closure('M62 J20: Roadworks', undefined, { event_id: 'tomtom:1' })], {
        source: 'tomtom',
      });
      await addRoute(db, 'leeds', 'M62 J18 to J27');
      const matching = start(db);
      await matching.changed();
      expect(await stored(db)).toEqual([
        'leeds national-highways:1 certain: names the M62, J26 to J27, eastbound',
        'leeds tomtom:1 certain: names the M62, J20',
      ]);

      await demotions(db).demote(null, SOURCE, '3 of 40 messages', clock('12:05'));
      await matching.changed();
      const POSSIBLE =
        'leeds national-highways:1 possible: names the M62, J26 to J27, eastbound; its source was marked as not ours too often';
      expect(await inForce(db)).toEqual([POSSIBLE, 'leeds tomtom:1 certain: names the M62, J20']);

      await demotions(db).restore(SOURCE, clock('12:10'));
      await matching.changed();
      expect(await inForce(db)).toEqual([
        'leeds national-highways:1 certain: names the M62, J26 to J27, eastbound',
        'leeds tomtom:1 certain: names the M62, J20',
      ]);
    },
  );

  it('matches a new route with all incidents, and new incidents with all routes', async () => {
    const { db } = database;
    await collect(db, '12:00', [closure('M62 J26 to J27: Accident')], { source: SOURCE });
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const matching = start(db);
    await matching.changed();

    expect(await stored(db)).toEqual([
      'leeds national-highways:1 certain: names the M62, J26 to J27, eastbound',
    ]);

    await collect(
      db,
      '12:05',
      [closure('M62 J26 to J27: Accident'), closure('M62: Delays', undefined, { event_id: `${SOURCE}:2` })],
      { source: SOURCE },
    );
    await addRoute(db, 'hull', 'M62 J36 to J38');
    await matching.changed();

    expect(await stored(db)).toEqual([
      'hull national-highways:2 possible: names the M62, but not where',
      'leeds national-highways:1 certain: names the M62, J26 to J27, eastbound',
      'leeds national-highways:2 possible: names the M62, but not where',
    ]);
    expect(await cursors(db).batch(MATCHER)).toBe(await revision(db, 'changes'));
    const unmatched = await db
      .selectFrom('watches')
      .select('id')
      .whereRef('matched_rev', '<', 'rev')
      .execute();
    expect(unmatched).toEqual([]);
  });

  it('says why a match is over: ended, lost, moved away or the route edited', async () => {
    const { db } = database;
    const at = (id: string, where = 'M62 J26+0.5') =>
      closure('M62: Accident', where, { event_id: `${SOURCE}:${id}` });
    const lost = { ...at('lost', 'M62 J22+0.5'), event_id: 'traffic-wales:lost' };
    await collect(db, '12:00', [at('ended'), at('moved'), at('edited', 'M62 J19+0.5')], { source: SOURCE });
    await collect(db, '12:00', [lost], { source: 'tomtom' });
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const matching = start(db);
    await matching.changed();
    expect(await stored(db)).toHaveLength(4);

    time = '13:05';
    await collect(db, '13:05', [at('moved', 'M62 J36+0.5'), at('edited', 'M62 J19+0.5')], { source: SOURCE });
    await disruptions(db).expire({ source: 'tomtom', now: clock('13:05'), maxAgeMinutes: 60 });
    await matching.changed();
    await addRoute(db, 'leeds', 'M62 J25 to J27');
    await matching.changed();

    expect((await stored(db)).map((row) => row.replace(/^leeds (\S+):(\S+) .*; /, '$2: '))).toEqual([
      'edited: edited',
      'ended: ended',
      'moved: moved',
      'lost: lost',
    ]);
  });

  once('says why a match is over, even after a restart', async () => {
    const { db } = database;
    const at = (id: string, where = 'M62 J26+0.5') =>
      closure('M62: Accident', where, { event_id: `${SOURCE}:${id}` });
    await collect(db, '12:00', [at('ended'), at('moved')], { source: SOURCE });
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const before = start(db);
    await before.changed();
    await before.stop();

    await collect(db, '12:05', [at('moved', 'M62 J36+0.5')], { source: SOURCE });
    await start(db).changed();

    expect((await stored(db)).map((row) => row.replace(/^leeds (\S+):(\S+) .*; /, '$2: '))).toEqual([
      'ended: ended',
      'moved: moved',
    ]);
  });

  it('matches reports of one incident once, by the best evidence, and apart when they are split', async () => {
    const { db } = database;
    const times = { start_time: '2026-11-21T11:31:00.000Z', event_type: 'road.closure' };
    const words = 'M62 eastbound J26 to J27: Closed';
    const one = closure(words, undefined, { severity: 'medium', ...times });
    const other = { ...one, event_id: 'met-police:p', event_type: 'police.road_closure' };
    await collect(db, '12:00', [one], { source: SOURCE });
    await collect(db, '12:00', [other], { source: 'met-police' });
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const matching = start(db);
    const certain = ['leeds national-highways:1 certain: names the M62, J26 to J27, eastbound'];
    await matching.changed();
    expect(await stored(db)).toEqual(certain);
    // Whichever of the two says less.
    for (const source of [SOURCE, 'met-police']) {
      await demotions(db).demote(EVERYONE, source, 'Often wrong', clock('12:00'));
      await matching.changed();
      expect(await stored(db), source).toEqual(certain);
      await demotions(db).restore(source, clock('12:00'));
    }

    await db
      .transaction()
      .execute((trx) => split(trx, ['met-police:p', 'national-highways:1'], clock('12:01')));
    await matching.changed();
    expect(await stored(db)).toEqual([
      'leeds met-police:p certain: names the M62, J26 to J27, eastbound',
      'leeds national-highways:1 certain: names the M62, J26 to J27, eastbound',
    ]);
  });

  it('opens its thread only while there are routes', async () => {
    const { db } = database;
    await collect(db, '12:00', [closure('M62: Accident', 'M62 J26')], { source: SOURCE });
    const matching = start(db);
    await matching.changed();
    expect(opened).toEqual([]);

    await addRoute(db, 'leeds', 'M62 J18 to J27');
    await matching.changed();
    expect(opened).toEqual(['one']);

    await removeRoute(db, 'leeds');
    await matching.changed();
    expect((await stored(db))[0]).toMatch(/; edited$/);
    await matching.changed();
    expect(opened).toEqual(['one']);
  });

  it('works on one node of a database, and on the other when that one stops', async () => {
    const { db } = database;
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const first = start(db, 'one');
    await first.changed();
    const second = start(await database.node(), 'two');
    await collect(db, '12:05', [closure('M62: Accident', 'M62 J26')], { source: SOURCE });
    await Promise.all([first.changed(), second.changed()]);

    expect(opened).toEqual(['one']);
    expect(await stored(db)).toHaveLength(1);

    await first.stop();
    await collect(db, '12:10', [], { source: SOURCE });
    await second.changed();
    expect(opened).toEqual(['one', 'two']);
    expect((await stored(db))[0]).toMatch(/; ended$/);
  });

  it('stores nothing after another node has taken over', async () => {
    const { db } = database;
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    await collect(db, '12:00', [closure('M62: Accident', 'M62 J26')], { source: SOURCE });
    const thread = (): MatchingThread => {
      const own = inThisThread();
      return {
        ...own,
        async ask(step) {
          // The node was away for longer than its lease.
          if (step.kind === 'matchWatches')
            await cursors(db).takeLease(MATCHER, 'two', clock('12:01'), clock('12:02'));
          return own.ask(step);
        },
      };
    };
    await start(db, 'one', thread).changed();

    expect(await stored(db)).toEqual([]);
  });

  it('reads everything again if the change log no longer reaches back, or its thread failed', async () => {
    const { db } = database;
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    let isBroken = false;
    const thread = (): MatchingThread => {
      const own = inThisThread();
      return {
        ...own,
        async ask(step) {
          if (isBroken) throw new Error('The matching thread has ended.');
          return own.ask(step);
        },
      };
    };
    const matching = start(db, 'one', thread);
    await matching.changed();

    await collect(db, '12:05', [closure('M62: Accident', 'M62 J26')], { source: SOURCE });
    await collect(db, '12:06', [closure('M62: Accident', 'M62 J25')], { source: SOURCE });
    await pruneChanges(db, clock('12:30'));
    await collect(db, '12:40', [closure('M62: Accident', 'M62 J24')], { source: SOURCE });
    await matching.changed();
    expect(opened).toEqual(['one', 'one']);
    expect(await stored(db)).toEqual([expect.stringContaining('at J24 by its position')]);

    isBroken = true;
    await collect(db, '12:45', [], { source: SOURCE });
    await matching.changed();
    expect(faults.splice(0)).toHaveLength(1);
    expect((await stored(db))[0]).not.toContain('ended');

    isBroken = false;
    time = '12:59';
    await matching.changed();
    expect((await stored(db))[0]).toMatch(/; ended$/);
  });

  once('leaves a route that it cannot read as it was, and matches the others', async () => {
    const { db } = database;
    await collect(db, '12:00', [closure('M62: Accident', 'M62 J26')], { source: SOURCE });
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    await addRoute(db, 'nowhere', { type: 'road', road: 'M62', from: 'J18', to: 'J99', sense: 1 });
    await start(db).changed();

    expect(await stored(db)).toHaveLength(1);
    expect(faults.splice(0)).toEqual([{ watch: 'nowhere' }]);
    const unmatched = await db
      .selectFrom('watches')
      .select('id')
      .whereRef('matched_rev', '<', 'rev')
      .execute();
    expect(unmatched).toEqual([{ id: 'nowhere' }]);
  });

  it('lists events for a crowd near the route, and none for a few', async () => {
    const { db } = database;
    const [longitude, latitude] = spot('M62 J26+0.5');
    const place = { latitude, longitude, capacity: 9000 };
    await addRoute(db, 'leeds', 'M62 J18 to J27');
    const matching = start(db);
    await matching.changed();
    await events(db).store({
      source: 'box-office',
      now: clock('12:01'),
      arriving: [
        event({ id: 'big', place: { ...place, venue_id: 'big' } }),
        event({ id: 'small', place: { ...place, venue_id: 'small', capacity: 500 } }),
        event({ id: 'later', start: '2027-03-01T19:30:00.000Z', place: { ...place, venue_id: 'big' } }),
        event({ id: 'far', place: { ...place, venue_id: 'far', latitude: 55 } }),
      ],
    });
    await matching.changed();

    expect(await stored(db)).toEqual(['leeds big near: 0.0 km from the route']);
  });
});
