import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { problems, readRecords } from '../../../../server/http/documents/records.ts';
import { withoutDuplicates } from '../../../../server/incidents/listedTwice.ts';

const Item = z.object({ id: z.string(), size: z.number() });

const record = (over: Partial<DisruptionRecord>): DisruptionRecord => ({
  event_id: 'x:1',
  severity: 'medium',
  event_type: 'any.thing',
  title: 'Title',
  summary_line: 'Summary',
  updated_at: null,
  start_time: null,
  end_time: null,
  phase: 'active',
  kind: 'alert',
  latitude: null,
  longitude: null,
  metadata: {},
  ...over,
});

describe('readRecords', () => {
  it('skips, counts and describes a bad record and keeps the others in order', () => {
    const found = problems();
    const items = [{ id: 'a', size: 1 }, { id: 'b', size: 'big' }, null, { id: 'd', size: 4 }];

    const read = readRecords(
      Item,
      items,
      found,
      (item, index) => `Item ${(item as { id: string }).id ?? index}`,
    );

    expect(read).toEqual([
      { id: 'a', size: 1 },
      { id: 'd', size: 4 },
    ]);
    expect(found.skipped).toBe(2);
    expect(found.list).toEqual([
      'Item b left out: size: Invalid input: expected number, received string',
      // Even its name could not be read.
      'Record 3 left out: Invalid input: expected object, received null',
    ]);
  });

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [{ items: [] }, 'an object'],
    ['[]', 'a string'],
    [3, 'a number'],
  ])('throws when there is %j instead of a list', (items, kind) => {
    expect(() => readRecords(Item, items, problems(), () => 'Item')).toThrow(
      `The document contains ${kind} instead of a list of records.`,
    );
  });
});

describe('problems', () => {
  it('keeps notes short, plain and bounded, and goes on counting', () => {
    const found = problems();
    for (let at = 1; at <= 60; at++) found.skip(`<b>${at}</b>\n\u202e${'x'.repeat(400)}`);

    expect(found.skipped).toBe(60);
    expect(found.list).toHaveLength(51);
    expect(found.list[0]).toMatch(/^1 x+$/);
    expect(found.list[0]).toHaveLength(300);
    expect(found.list.at(-1)).toBe('and 10 more');
  });

  it('notes what did not cost a record, without counting it', () => {
    const found = problems();
    found.note('odd');

    expect([found.list, found.skipped]).toEqual([['odd'], 0]);
  });
});

describe('withoutDuplicates', () => {
  it('keeps the latest one and says so', () => {
    const found = problems();
    const older = record({ title: 'older', updated_at: '2026-03-14T10:00:00.000Z', severity: 'critical' });
    const newer = record({ title: 'newer', updated_at: '2026-03-14T11:00:00.000Z', severity: 'low' });
    const other = record({ event_id: 'x:2', title: 'other' });

    const kept = withoutDuplicates([newer, other, older], found);

    expect(kept.map(({ title }) => title)).toEqual(['newer', 'other']);
    expect(found.list).toEqual(['x:1 appears more than once; the newest or worst is kept']);
    expect(found.skipped).toBe(0);
  });

  it('keeps the worst if no time is given, and prefers an alert to a status', () => {
    const status = record({ title: 'status', kind: 'status', severity: 'low' });
    const low = record({ title: 'low', severity: 'low' });
    const high = record({ title: 'high', severity: 'high' });

    expect(withoutDuplicates([status, low, high], problems()).map(({ title }) => title)).toEqual(['high']);
    expect(withoutDuplicates([status, low], problems()).map(({ title }) => title)).toEqual(['low']);
  });
});
