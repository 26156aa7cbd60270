/** The plan of a day sheet: whatever it holds, its rows are not compared each with each. */
import { expect, it } from 'vitest';
import type { AskedJob, Job } from '#contract/watches/jobs.ts';
import { planSheet } from '../../../../server/watches/jobs/jobStore.ts';

const ROWS = 300;
/** A few for its keys, and for what is stored of it. */
const READS_MAX = 20;

it.each([
  { what: 'without references, all at one time', ref: null },
  { what: 'all of one reference', ref: 'A1' },
])('reads each row a few times, however alike they are: $what', ({ ref }) => {
  let reads = 0;
  const row = (trip: string) => ({
    ref,
    leaves_local: '06:10',
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

it('takes a job once, and none where several fit', () => {
  const job = (id: string, trip: string, ref: string | null = null) =>
    ({ id, ref, trip, leaves_local: '06:10', cancelled_at: null, arrived_at: null }) as unknown as Job;
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
  // The reference first with its trip and time, then with its trip, then alone.
  const three = [job('1', 'A', 'R'), job('2', 'B', 'R'), job('3', 'C', 'S')];
  expect(of(three, [asked('B', 'R', '07:00'), asked('A', 'R'), asked('Z', 'S')])).toEqual({
    added: [],
    updated: ['2', '1', '3'],
    missing: [],
  });
  expect(of([job('1', 'A', 'R')], [asked('Y', 'R'), asked('Z', 'R')]).updated).toEqual([]);
});
