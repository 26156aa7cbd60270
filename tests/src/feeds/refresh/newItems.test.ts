import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../src/api/alerts/feeds.ts';
import { changesBetween } from '../../../../src/feeds/refresh/newItems.ts';
import { alert, minutesBefore, planned, row } from '../../screens/board/boardServer.ts';

const rail = (events = [alert('a'), alert('b')], feed = {}) => row('rail-network', events, feed);
const withSummary = (text: string | null): Row => ({ ...rail(), summary: text === null ? null : { text } });
const changed = (event: Parameters<typeof alert>[1]) => rail([alert('a', event), alert('b')]);

describe('the new alerts of a feed', () => {
  it.each<[what: string, before: Row, after: Row, items: number | null]>([
    ['nothing, when nothing changed', rail(), rail(), null],
    ['an alert that joined', rail(), rail([alert('a'), alert('b'), alert('c')]), 1],
    ['two of them, and one that went', rail(), rail([alert('b'), alert('c'), alert('d')]), 2],
    ['an alert that went', rail(), rail([alert('a')]), 0],
    ['its last alert going', rail([alert('a')]), rail([]), 0],
    ['another title', rail(), changed({ title: 'Closed' }), 1],
    ['another line', rail(), changed({ summary_line: 'Until 15:00' }), 1],
    ['another severity', rail(), changed({ severity: 'high' }), 1],
    ['a planned one that has begun', rail([planned('a')]), rail([alert('a')]), 1],
    [
      'a planned one that is put off',
      rail([planned('a')]),
      rail([planned('a', { start_time: minutesBefore(-9) })]),
      1,
    ],
    ['more alerts than are listed', rail(), rail([alert('a'), alert('b')], { alert_count: 31 }), 0],
    ['another summary', withSummary('One'), withSummary('Two'), 0],
    ['the first summary', withSummary(null), withSummary('One'), 0],
    ['nothing, when the order changed', rail(), rail([alert('b'), alert('a')]), null],
    ['nothing, when it was collected again', rail(), changed({ collected_at: minutesBefore(0) }), null],
    ['nothing, when the publisher touched it', rail(), changed({ updated_at: minutesBefore(0) }), null],
    ['nothing, when the summary went', withSummary('One'), withSummary(null), null],
    ['nothing, when white space in the summary changed', withSummary('One'), withSummary(' One '), null],
  ])('%s', (_, before, after, items) => {
    expect(changesBetween([before], [after]).get('rail-network')?.items ?? null).toBe(items);
  });

  it('is nothing in a feed that was not listed before', () => {
    expect(changesBetween([rail()], [rail(), row('aviation', [alert('x')])]).size).toBe(0);
  });

  it('is listed by feed', () => {
    const before = [rail(), row('aviation', [alert('x')])];
    const after = [rail(), row('aviation', [alert('x'), alert('y')])];
    expect([...changesBetween(before, after).keys()]).toEqual(['aviation']);
  });

  it('names alerts that have become critical, not those that were before', () => {
    const before = rail([alert('was', { severity: 'critical' }), alert('rose'), planned('soon')]);
    const after = rail([
      alert('was', { severity: 'critical', title: 'Longer' }),
      alert('rose', { severity: 'critical' }),
      alert('came', { severity: 'critical' }),
      planned('soon', { severity: 'critical' }),
      alert('guess', { severity: 'critical', metadata: { severity_unrated: true } }),
    ]);
    const criticals = changesBetween([before], [after]).get('rail-network')!.criticals;
    expect(criticals.map(({ event_id }) => event_id)).toEqual(['rose', 'came']);
  });
});
