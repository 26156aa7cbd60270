import { describe, expect, it } from 'vitest';
import { collections } from '../../../server/incidents/collectionState.ts';
import { foldedHours, foldPolls } from '../../../server/incidents/pollLog.ts';
import type { RowOf } from '../../../server/db/schema.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { clock } from './incidents.ts';

const MINUTE_MS = 60_000;
const at = (time: string) => clock(time).toISOString();
const poll = (time: string, changes: Partial<RowOf<'polls'>> = {}): RowOf<'polls'> => ({
  source: 'tfl',
  at: at(time),
  ok: 1,
  ms: 100,
  records: 3,
  changed: 0,
  error_kind: null,
  ...changes,
});
const failed = (time: string) => poll(time, { ok: 0, error_kind: 'upstream' });

describe('the hourly sums of polls', () => {
  it('have the number of polls, of failures, and how long they took', () => {
    const polls = Array.from({ length: 20 }, (_, minute) =>
      poll(`12:${10 + minute}`, { ms: 10 * (20 - minute) }),
    );
    expect(foldedHours('tfl', [...polls, failed('13:00')], MINUTE_MS)).toMatchObject([
      { hour: at('12:00'), polls: 20, failed: 0, ms_p50: 100, ms_p95: 190 },
      { hour: at('13:00'), polls: 1, failed: 1, ms_p50: 100, ms_p95: 100 },
    ]);
  });

  const FRESH: { rule: string; polls: RowOf<'polls'>[]; seconds: number[] }[] = [
    { rule: 'fresh from a good poll on', polls: [poll('12:00')], seconds: [600] },
    { rule: 'overlapping times count once', polls: [poll('12:00'), poll('12:05')], seconds: [900] },
    { rule: 'a gap does not count', polls: [poll('12:00'), poll('12:20')], seconds: [1200] },
    { rule: 'nor does a failed poll', polls: [failed('12:00')], seconds: [0] },
    { rule: 'no more than the hour', polls: [poll('12:55')], seconds: [300] },
    { rule: 'the rest is in the next hour', polls: [poll('12:55'), failed('13:30')], seconds: [300, 300] },
  ];
  it.each(FRESH)('$rule', ({ polls, seconds }) => {
    expect(foldedHours('tfl', polls, 10 * MINUTE_MS).map(({ fresh_s }) => fresh_s)).toEqual(seconds);
  });
});

describe.each(DATABASES)('the poll log on $engine', ({ open }) => {
  const database = useDatabase(open);
  const rows = (table: 'polls' | 'polls_hourly') =>
    database.db
      .selectFrom(table as 'polls')
      .selectAll()
      .orderBy('source')
      .orderBy(table === 'polls' ? 'at' : ('hour' as 'at'))
      .execute() as Promise<object[]>;

  it('has a row for each poll, good or bad', async () => {
    const { db } = database;
    await collections(db).ensure('tfl', true);
    const figures = { ms: 420, records: 7, changed: 2 };
    await collections(db).noteSuccess('tfl', {
      now: clock('12:00'),
      nextRun: null,
      skipped: 0,
      problems: [],
      complete: true,
      figures,
    });
    await collections(db).noteFailure('tfl', {
      now: clock('12:02'),
      nextRun: null,
      error: 'tfl.example: answered 503',
      figures: { ms: 9, records: 0, changed: 0, error_kind: 'upstream' },
    });
    expect(await rows('polls')).toEqual([
      { source: 'tfl', at: at('12:00'), ok: 1, ...figures, error_kind: null },
      { source: 'tfl', at: at('12:02'), ok: 0, ms: 9, records: 0, changed: 0, error_kind: 'upstream' },
    ]);
  });

  it('folds whole hours once, however often, and goes on from the last good poll', async () => {
    const { db } = database;
    const all = [
      poll('10:55'),
      failed('10:58'),
      failed('11:30'),
      poll('11:40'),
      poll('12:10'),
      poll('10:00', { source: 'ea-flood' }),
    ];
    await db.insertInto('polls').values(all).execute();
    const fold = (time: string) => foldPolls(db, clock(time), () => 10 * MINUTE_MS);
    for (const time of ['11:05', '11:59', '12:30', '12:30', '13:00']) await fold(time);

    const hour = { failed: 0, ms_p50: 100, ms_p95: 100 };
    expect(await rows('polls_hourly')).toEqual([
      { source: 'ea-flood', hour: at('10:00'), ...hour, polls: 1, fresh_s: 600 },
      { source: 'tfl', hour: at('10:00'), ...hour, polls: 2, failed: 1, fresh_s: 300 },
      { source: 'tfl', hour: at('11:00'), ...hour, polls: 2, failed: 1, fresh_s: 300 + 600 },
      { source: 'tfl', hour: at('12:00'), ...hour, polls: 1, fresh_s: 600 },
    ]);
    expect(await rows('polls')).toEqual([poll('10:00', { source: 'ea-flood' }), poll('12:10')]);
  });
});
