import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AskedJob, type Job, JOB_LIMITS, type JobChange } from '#contract/watches/jobs.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { chunks, ROWS_PER_STATEMENT } from '../../../../server/db/batches.ts';
import { iso } from '../../../../server/db/instant.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import { jobs, planSheet, storeSheet, undoSheet } from '../../../../server/watches/jobs/jobStore.ts';
import { person } from '../../accounts/people.ts';

const { jobRequest } = example;

const ROWS = 300;
/** The most reads of a job: a few for its keys, and a few for its stored fields. */
const READS_MAX = 20;

it.each([
  { what: 'without references, all at one time', ref: null },
  { what: 'all of one reference', ref: 'A1' },
])('reads each row a few times, however alike they are: $what', ({ ref }) => {
  let reads = 0;
  const row = (trip: string) => ({
    ref,
    leaves_local: '06:10',
    deadline_local: null,
    cancelled_at: null,
    arrived_at: null,
    get trip() {
      reads++;
      return trip;
    },
  });
  const rows = (town: string) => Array.from({ length: ROWS }, (_, at) => row(`${town} ${at} to Hull`));
  const plan = planSheet(
    rows('Leeds') as unknown as Job[], // it reads nothing else of them
    [...rows('York'), ...rows('Leeds').slice(1)] as unknown as AskedJob[],
  );
  expect(plan.added).toHaveLength(ROWS);
  expect(plan.updated.map(({ job, asked }) => `${job.trip} ${asked.trip}`)).toHaveLength(ROWS - 1);
  expect(plan.missing.map(({ trip }) => trip)).toEqual(['Leeds 0 to Hull']);
  expect(reads).toBeLessThan(3 * ROWS * READS_MAX);
});

it('matches a job once, and none if several fit', () => {
  const job = (id: string, trip: string, ref: string | null = null) =>
    ({
      id,
      ref,
      trip,
      leaves_local: '06:10',
      deadline_local: null,
      cancelled_at: null,
      arrived_at: null,
    }) as unknown as Job;
  const asked = (trip: string, ref: string | null = null, leaves_local = '06:10') =>
    ({ ref, trip, leaves_local }) as unknown as AskedJob;
  const of = (existing: Job[], sheet: AskedJob[]) => {
    const plan = planSheet(existing, sheet);
    return {
      added: plan.added.map(({ trip }) => trip),
      updated: plan.updated.map((one) => one.job.id),
      missing: plan.missing.map(({ id }) => id),
    };
  };
  expect(of([job('1', 'A')], [asked('a'), asked('A')])).toEqual({
    added: ['A'],
    updated: ['1'],
    missing: [],
  });
  expect(of([job('1', 'A'), job('2', 'A')], [asked('A')])).toEqual({
    added: ['A'],
    updated: [],
    missing: ['1', '2'],
  });
  // The reference counts first with its trip and time, then with its trip, then alone.
  const three = [job('1', 'A', 'R'), job('2', 'B', 'R'), job('3', 'C', 'S')];
  expect(of(three, [asked('B', 'R', '07:00'), asked('A', 'R'), asked('Z', 'S')])).toEqual({
    added: [],
    updated: ['2', '1', '3'],
    missing: [],
  });
  expect(of([job('1', 'A', 'R')], [asked('Y', 'R'), asked('Z', 'R')]).updated).toEqual([]);
});

it('names no arrived or cancelled job as missing, and cancels none that a row still has', () => {
  const job = (trip: string, changes: Partial<Job> = {}) =>
    ({ ...jobRequest, trip, ref: null, cancelled_at: null, arrived_at: null, ...changes }) as Job;
  const [open, arrived] = [job('open'), job('arrived', { arrived_at: '2026-11-21T09:00:00.000Z' })];
  const [off, back] = ['off', 'back'].map((trip) => job(trip, { cancelled_at: '2026-11-21T09:00:00.000Z' }));
  expect(planSheet([open, arrived, off!, back!], [back!])).toEqual({
    added: [],
    updated: [],
    missing: [open],
    staysCancelled: [back],
  });
});

it('keeps the words of a deadline only as long as the deadline is the same', () => {
  const deadline = { deadline_local: '11:20', deadline_what: 'Check-in closes' };
  const job = { ...jobRequest, ...deadline, cancelled_at: null, arrived_at: null } as unknown as Job;
  const whatOf = (deadline_local: string | null) => {
    const said = { ...jobRequest, deadline_local, deadline_what: null } as AskedJob;
    return planSheet([job], [said]).updated[0]!.asked.deadline_what;
  };
  expect(['11:20', null, '17:00'].map(whatOf)).toEqual(['Check-in closes', 'Check-in closes', null]);
});

describe('the stored jobs of a team', () => {
  const NOW = Date.parse('2026-11-21T09:00:00.000Z');
  const at = (minutes: number) => new Date(NOW + minutes * 60_000);
  const DAY = 24 * 60;
  const rosa = { teamId: EVERYONE, userId: 'rosa' };
  const sam = { teamId: 'south', userId: 'sam' };
  let db: Db;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ db, close } = await openMemoryDatabase());
    for (const id of ['rosa', 'sam']) await users(db).insert(person(id));
    await db
      .insertInto('teams')
      .values({ id: 'south', name: 'South', created_at: iso(at(0)), shift_starts: '[]' })
      .execute();
  });
  afterEach(() => close());

  /** A job that leaves this many minutes after `NOW`, and is stored under its words. */
  const add = async (id: string, minutes = 0, { who = rosa, made = at(-3 * DAY) } = {}) => {
    const [day, clock] = iso(at(minutes)).split('T') as [string, string];
    const asked = { ...jobRequest, watch_id: null, trip: id, day, leaves_local: clock.slice(0, 5) };
    expect(await jobs(db).add(who, asked, made, id)).toBe(true);
  };
  const mark = (id: string, what: 'left' | 'arrived' | 'cancelled', minutes: number, more: object = {}) =>
    jobs(db).mark(rosa, { id, mark: what, at: at(minutes), undo: false, ...more }, at(minutes));
  const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);

  it('that may be on the way left two days ago at most, or leave within a day, and are not over', async () => {
    const leaving = {
      long: -2 * DAY - 1,
      first: -2 * DAY,
      last: DAY - 1,
      late: DAY,
      arrived: 0,
      cancelled: 0,
    };
    for (const [id, minutes] of Object.entries(leaving)) await add(id, minutes);
    await mark('arrived', 'arrived', 0);
    await mark('cancelled', 'cancelled', 0);
    await add('elsewhere');
    const route = {
      id: 'route',
      team_id: EVERYONE,
      kind: 'route' as const,
      name: 'Leeds to Hull',
      made_by: 'junctions' as const,
      legs: '[]',
      geometry: '{}',
      length_km: 90,
      reach_m: null,
      sources: '[]',
      notify: '{}',
      created_by: null,
      created_at: iso(at(0)),
      updated_by: null,
      updated_at: iso(at(0)),
      rev: 1,
      matched_rev: 1,
      archived_at: null,
    };
    await db
      .insertInto('watches')
      .values([route, { ...route, id: 'other' }])
      .execute();
    await db.updateTable('jobs').set({ watch_id: 'route' }).where('id', '<>', 'elsewhere').execute();
    expect(ids(await jobs(db).onRoutes(['route'], at(0)))).toEqual(['first', 'last']);
    expect(await jobs(db).onRoutes(['other'], at(0))).toEqual([]);
  });

  it('stood then as they were marked by then, and those that were added later did not stand', async () => {
    await add('old', 0, { made: at(-60) });
    await add('new', 0, { made: at(-59) });
    await mark('old', 'left', -60);
    await mark('old', 'arrived', -59);
    expect(await jobs(db).asOf(EVERYONE, at(-60))).toMatchObject([
      { id: 'old', left_at: iso(at(-60)), arrived_at: null },
    ]);
  });

  it('are on the list of the next day as long as they run', async () => {
    const midnight = 15 * 60;
    await add('evening', midnight - 60);
    await add('home', midnight - 50);
    await add('morning', -120);
    await mark('home', 'arrived', midnight - 1);
    const [asked] = await jobs(db).ofDay(EVERYONE, '2026-11-21');
    await jobs(db).add(rosa, { ...asked!, trip: 'night', leaves_local: '25:15' }, at(0), 'night');
    await add('tomorrow', midnight + 30);
    expect(ids(await jobs(db).asOf(EVERYONE, at(midnight)))).toEqual(['evening', 'tomorrow', 'night']);
    // The longest: it leaves at the end of the next day, and takes two.
    const far = { trip: 'far', leaves_local: '47:59', duration_min: 2880 };
    await jobs(db).add(rosa, { ...asked!, ...far }, at(0), 'far');
    const running = async (days: number) => ids(await jobs(db).asOf(EVERYONE, at(midnight + days * 24 * 60)));
    expect(await running(3)).toEqual(['far']);
    expect(await running(4)).toEqual([]);
  });

  it('that arrived since then count if an arrival was predicted and they were not cancelled', async () => {
    const told = { earliest: at(0), latest: at(0) };
    for (const id of ['early', 'told', 'off', 'untold']) {
      await add(id);
      await mark(id, 'left', 0, id === 'untold' ? {} : { told });
      await mark(id, 'arrived', id === 'early' ? 9 : 10);
    }
    await mark('off', 'cancelled', 20);
    expect(await jobs(db).arrived(EVERYONE, at(10))).toEqual([
      { arrived_at: iso(at(10)), told_from: iso(at(0)), told_to: iso(at(0)) },
    ]);
    expect(await jobs(db).arrived('south', at(10))).toEqual([]);
    await mark('told', 'left', 0, { undo: true });
    expect(await jobs(db).arrived(EVERYONE, at(10))).toEqual([]);
  });

  it('can be changed and can leave a full day, which takes no job from another day', async () => {
    await add('here');
    const [row] = await db.selectFrom('jobs').selectAll().execute();
    const full = Array.from({ length: JOB_LIMITS.jobsPerDay }, (_, n) => ({
      ...row!,
      id: `${n}`,
      day: '2026-11-22',
    }));
    for (const rows of chunks(full, ROWS_PER_STATEMENT / 2))
      await db
        .insertInto('jobs')
        .values([...rows])
        .execute();
    const change = (id: string, asked: JobChange) => jobs(db).change(rosa, { id, rev: 1 }, asked, at(0));
    expect(await change('here', { day: '2026-11-22' })).toEqual({ outcome: 'full' });
    const another = { ...jobRequest, watch_id: null, day: '2026-11-22' };
    expect(await jobs(db).add(rosa, another, at(0))).toBe(false);
    expect(await change('0', { note: 'At the back' })).toEqual({ outcome: 'done' });
    expect(await change('1', { day: '2026-11-21' })).toEqual({ outcome: 'done' });
    expect(await change('here', { day: '2026-11-22' })).toEqual({ outcome: 'done' });
    expect(await jobs(db).change(sam, { id: '2', rev: 1 }, { note: 'Theirs' }, at(0))).toEqual({
      outcome: 'unknown',
    });
    expect(await jobs(db).add(sam, another, at(0))).toBe(true); // another team's day
    expect(await change('0', { note: 'In front' })).toMatchObject({ outcome: 'stale' });
  });

  it('are marked, cancelled and taken back by their own team alone', async () => {
    const by = { id: 'ours', mark: 'left' as const, at: at(0), undo: false };
    await add('ours');
    await add('before');
    expect(await jobs(db).mark(sam, by, at(0))).toEqual({ outcome: 'unknown' });
    expect(await jobs(db).byId('south', 'ours')).toBeUndefined();
    const day = '2026-11-21';
    const store = async (who: typeof rosa, trip: string, id = trip) => {
      const ours = await jobs(db).byId(EVERYONE, 'ours');
      const asked = { ...jobRequest, watch_id: null, trip, day, leaves_local: '10:00' };
      const changed = {
        job: ours!,
        said: asked,
        asked: { ...asked, trip: 'changed', leaves_local: '09:00' },
      };
      // A plan that names a job of another team, as a bug or an attack would.
      const plan = { added: [asked], updated: [changed], missing: [ours!], staysCancelled: [] };
      const sheet = { id, day, plan, trips: new Map([['key', null]]), columns: {}, cancel: ['ours'] };
      await storeSheet(db, who, sheet, at(0));
    };
    const stands = async () => {
      const job = await jobs(db).byId(EVERYONE, 'ours');
      return [job?.trip, job?.cancelled_at === null];
    };
    await store(sam, 'theirs');
    expect(await stands()).toEqual(['ours', true]);
    expect([await jobs(db).trips(EVERYONE), await jobs(db).trips('south')]).toEqual([
      new Map(),
      new Map([['key', null]]),
    ]);
    expect(await undoSheet(db, rosa, undefined, at(1))).toBeNull();
    await store(rosa, 'added');
    expect((await stands())[1]).toBe(false);
    expect(await undoSheet(db, sam, undefined, at(1))).toMatchObject({ removed: 1 });
    expect(await undoSheet(db, sam, undefined, at(1))).toBeNull();
    const open = async () =>
      (await jobs(db).ofDay(EVERYONE, day))
        .filter(({ cancelled_at }) => cancelled_at === null)
        .map(({ trip }) => trip);
    expect(await open()).toEqual(['before', 'added']);
    expect(await undoSheet(db, rosa, undefined, at(61))).toBeNull();
    expect(await undoSheet(db, rosa, undefined, at(60))).toMatchObject({ removed: 1 });
    expect(await open()).toEqual(['before']);
  });

  it('are marked again at another time by the same person, and taken back only where they are marked', async () => {
    await add('one');
    await mark('one', 'left', 0);
    await mark('one', 'left', -5);
    expect(await jobs(db).byId(EVERYONE, 'one')).toMatchObject({ left_at: iso(at(-5)), rev: 3 });
    await mark('one', 'arrived', 0, { undo: true });
    expect(await jobs(db).byId(EVERYONE, 'one')).toMatchObject({ left_at: iso(at(-5)), rev: 3 });
  });

  it('keep who marked them, and the predicted arrival, if only their words are changed', async () => {
    await add('one');
    await mark('one', 'left', 0, { told: { earliest: at(60), latest: at(70) } });
    await users(db).insert(person('kay'));
    const kay = { ...rosa, userId: 'kay' };
    const change = (rev: number, asked: JobChange) => jobs(db).change(kay, { id: 'one', rev }, asked, at(1));
    const stored = async () => (await db.selectFrom('jobs').selectAll().execute())[0];
    await change(2, { left_at: iso(at(0)), note: 'At the back' });
    expect(await stored()).toMatchObject({ left_by: 'rosa', told_from: iso(at(60)), note: 'At the back' });
    await change(3, { left_at: iso(at(-1)) });
    expect(await stored()).toMatchObject({ left_by: 'kay', told_from: null });
  });
});
