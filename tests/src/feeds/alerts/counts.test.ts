import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import type { FeedEntry } from '../../../../src/api/alerts/feeds.ts';
import {
  countsText,
  feedCounts,
  feedGrades,
  totalCounts,
  totalGrades,
  withOurs,
} from '../../../../src/feeds/alerts/counts.ts';

const row = (feed: Partial<FeedEntry>, ...events: Alert[]) => ({
  feed: { slug: 'roads-uk', ...feed },
  events,
});
const one = (event_id: string, severity: Alert['severity'], fields: Partial<Alert> = {}): Alert => ({
  event_id,
  severity,
  ...fields,
});
const planned = (event_id: string) => one(event_id, 'critical', { metadata: { phase: 'planned' } });
const elsewhere = one('see', 'critical', { see: { event_id: 'x', feed: 'rail-network' } });

describe('the counts of a feed', () => {
  it.each([
    [13, 4, '13 active, 4 planned'],
    [5, 0, '5 active'],
    [0, 2, '0 active, 2 planned'],
    [1204, 0, '1,204 active'],
  ])('are one sentence: %i and %i', (active, plannedOnes, text) => {
    expect(countsText({ active, planned: plannedOnes })).toBe(text);
  });

  it('are those of the server, which may be more than it lists', () => {
    const counted = row({ alert_count: 13, planned_count: 4 }, one('a', 'high'), planned('b'));
    expect(feedCounts(counted)).toEqual({ active: 13, planned: 4 });
  });

  it('are counted here if the server does not, without planned ones and those of another feed', () => {
    const later = { ...planned('c'), see: elsewhere.see };
    const bare = row({}, one('a', 'high'), planned('b'), elsewhere, later);
    expect(feedCounts(bare)).toEqual({ active: 1, planned: 1 });
    expect(feedGrades(bare)).toEqual([{ grade: 'high', count: 1 }]);
  });

  it('by grade are the server’s if it lists only some, with the unrated ones apart', () => {
    const unrated = one('b', 'medium', { metadata: { severity_unrated: true } });
    const cut = row(
      { alert_count: 30, by_severity: { critical: 1, high: 4, medium: 20, low: 5 } },
      one('a', 'critical'),
      unrated,
    );
    expect(feedGrades(cut)).toEqual([
      { grade: 'critical', count: 1 },
      { grade: 'high', count: 4 },
      { grade: 'medium', count: 19 },
      { grade: 'low', count: 5 },
      { grade: 'unrated', count: 1 },
    ]);
  });

  it('by grade are those of its list if that is whole, and keep rated ones of a list that is cut', () => {
    const whole = row({ alert_count: 1, by_severity: { critical: 3 } }, one('a', 'high'));
    expect(feedGrades(whole)).toEqual([{ grade: 'high', count: 1 }]);
    const cut = row({ alert_count: 20, by_severity: { medium: 20 } }, one('a', 'medium'));
    expect(feedGrades(cut)).toEqual([{ grade: 'medium', count: 20 }]);
  });

  it('include the team’s own reports, which are in no feed', () => {
    const rows = withOurs([row({ alert_count: 45 }, one('a', 'high'))], [one('own:1', 'critical')]);
    expect(totalCounts(rows)).toEqual({ active: 46, planned: 0 });
    expect(totalGrades(rows)).toEqual([
      { grade: 'critical', count: 1 },
      { grade: 'high', count: 1 },
    ]);
  });

  it('for all feeds are the sums of the feeds', () => {
    const rows = [
      row({}, one('a', 'high'), planned('p')),
      row({}, one('b', 'high'), one('c', 'low'), elsewhere),
    ];
    expect(totalCounts(rows)).toEqual({ active: 3, planned: 1 });
    expect(totalGrades(rows)).toEqual([
      { grade: 'high', count: 2 },
      { grade: 'low', count: 1 },
    ]);
  });
});
