import { beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../../../server/incidents/collectionState.ts';
import type { Db } from '../../../server/db/open.ts';
import { revision } from '../../../server/db/revisions.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { clock } from './incidents.ts';

describe.each(DATABASES)('collections on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  it('have one row for each source, which keeps what it knows when it is entered again', async () => {
    await collections(db).ensure('tfl', true);
    await collections(db).ensure('ea-flood', false);
    await collections(db).noteAttempt('tfl', clock('12:00'));
    await collections(db).ensure('tfl', true);
    await collections(db).ensure('ea-flood', true);

    expect((await collections(db).all()).map(({ source, enabled }) => [source, enabled])).toEqual([
      ['ea-flood', 1],
      ['tfl', 1],
    ]);
    expect((await collections(db).of('tfl'))?.last_attempt).toBe(clock('12:00').toISOString());
    expect(await collections(db).of('nobody')).toBeUndefined();
  });

  it('tell successes from failures', async () => {
    await collections(db).ensure('tfl', true);
    await collections(db).noteFailure('tfl', {
      now: clock('12:00'),
      nextRun: clock('12:02'),
      error: 'HTTP 500',
    });
    await collections(db).noteFailure('tfl', {
      now: clock('12:02'),
      nextRun: clock('12:06'),
      error: 'HTTP 503',
    });
    expect(await collections(db).of('tfl')).toMatchObject({
      last_attempt: clock('12:02').toISOString(),
      last_success: null,
      next_run: clock('12:06').toISOString(),
      consecutive_failures: 2,
      last_error: 'HTTP 503',
    });

    await collections(db).noteSuccess('tfl', {
      now: clock('12:06'),
      nextRun: clock('12:08'),
      skipped: 1,
      problems: ['Line 3 has no id'],
      complete: false,
    });
    expect(await collections(db).of('tfl')).toMatchObject({
      last_success: clock('12:06').toISOString(),
      next_run: clock('12:08').toISOString(),
      consecutive_failures: 0,
      last_error: null,
      skipped: 1,
      problems: '["Line 3 has no id"]',
      complete: 0,
    });
  });

  it('raise the feeds’ revision with every success and failure', async () => {
    await collections(db).ensure('tfl', true);
    const seen = [await revision(db, 'feeds')];
    await collections(db).ensure('tfl', true);
    seen.push(await revision(db, 'feeds'));
    const poll = { now: clock('12:00'), nextRun: null, skipped: 0, problems: [], complete: true };
    await collections(db).noteSuccess('tfl', poll);
    seen.push(await revision(db, 'feeds'));
    await collections(db).noteFailure('tfl', { now: clock('12:00'), nextRun: null, error: 'HTTP 500' });
    seen.push(await revision(db, 'feeds'));
    await collections(db).noteAttempt('tfl', clock('12:05'));
    seen.push(await revision(db, 'feeds'));

    expect(seen).toEqual([1, 1, 2, 3, 3]);
  });

  it('keep the first problems of a source that has thousands', async () => {
    await collections(db).ensure('tfl', true);
    const problems = Array.from({ length: 10_000 }, (_, n) => `${n} ${'x'.repeat(1000)}`);
    const poll = { now: clock('12:00'), nextRun: null, skipped: 10_000, problems, complete: true };
    await collections(db).noteSuccess('tfl', poll);

    const kept = JSON.parse((await collections(db).of('tfl'))!.problems) as string[];
    expect(kept).toHaveLength(20);
    expect(kept[1]).toMatch(/^1 x{498}$/);

    await collections(db).noteFailure('tfl', {
      now: clock('12:05'),
      nextRun: null,
      error: 'x'.repeat(100_000),
    });
    expect((await collections(db).of('tfl'))!.last_error).toMatch(/^x{500}$/);
  });
});
