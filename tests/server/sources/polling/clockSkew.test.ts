import { expect, it } from 'vitest';
import { flagAhead } from '../../../../server/sources/polling/readSource.ts';
import { collected, record } from '../../feedsWorld.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const minutes = (ahead: number) => new Date(NOW.getTime() + ahead * 60_000).toISOString();

it.each([
  ['changed an hour from now', { updated_at: minutes(60) }, true],
  ['changed just beyond the skew of two clocks', { updated_at: minutes(2.01) }, true],
  ['changed within that skew', { updated_at: minutes(2) }, false],
  ['changed now', { updated_at: minutes(0) }, false],
  ['planned, and changed an hour from now', { updated_at: minutes(60), phase: 'planned' }, true],
  ['active since an hour from now', { start_time: minutes(60) }, true],
  ['planned for an hour from now', { start_time: minutes(60), phase: 'planned' }, false],
  ['ending an hour from now', { end_time: minutes(60) }, false],
  ['of another zone', { updated_at: '2026-11-21T13:00:00+01:00' }, false],
  ['without times', { updated_at: null, start_time: null }, false],
  ['of no time that can be read', { updated_at: 'tomorrow' }, false],
] as const)('flags what is %s: %o %s', (_, changes, isFlagged) => {
  const before = collected([record('tfl:a', { ...changes, metadata: { upstream_severity: '9' } })]);
  const { records, problems, skipped, complete } = flagAhead(before, NOW);
  expect(records[0]).toEqual({
    ...before.records[0],
    metadata: { upstream_severity: '9', ...(isFlagged && { clock_skew: true }) },
  });
  expect(problems).toHaveLength(isFlagged ? 1 : 0);
  expect({ skipped, complete }).toEqual({ skipped: 0, complete: true });
});

it('reports any number of them in one line, and keeps the other problems', () => {
  const records = [
    record('tfl:now'),
    ...Array.from({ length: 500 }, (_, n) => record(`tfl:${n}`, { updated_at: minutes(180) })),
  ];
  expect(flagAhead(collected(records, { problems: ['Line 3 has no id'] }), NOW).problems).toEqual([
    '500 of 501 records are dated ahead of our clock, among them tfl:0: updated_at 2026-11-21T15:00:00.000Z',
    'Line 3 has no id',
  ]);
});
