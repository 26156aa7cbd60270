import { describe, expect, it } from 'vitest';
import {
  ageText,
  alertAge,
  alertTime,
  dateOf,
  sinceText,
  sourcesOf,
  titleOf,
} from '../../../../src/feeds/alerts/alerts.ts';
import { alert, minutesBefore, START } from '../../screens/board/boardServer.ts';

const at = (minutes: number) => new Date(minutesBefore(minutes));

describe('the age of an alert', () => {
  it.each([
    [0, 'Just now'],
    [0.99, 'Just now'],
    [1, '1 minute ago'],
    [59, '59 minutes ago'],
    [60, '1 hour ago'],
    [23 * 60, '23 hours ago'],
    [24 * 60, '1 day ago'],
    [72 * 60, '3 days ago'],
    [-1, 'at 12:00'],
    [-26 * 60, '22 Nov 2026, 13:59'],
  ])('%f minutes old', (minutes, words) => {
    expect(ageText(at(minutes), START)).toBe(words);
  });

  it('is a time if the publisher’s clock was ahead, even after that time', () => {
    const ahead = alert('a', { updated_at: minutesBefore(-60), metadata: { clock_skew: true } });
    const age = (minutes: number) => alertAge(ahead, at(minutes));
    expect([age(0), age(-60), age(-61), age(-62 - 24 * 60)]).toEqual([
      'at 12:59',
      'at 12:59',
      'at 12:59',
      '21 Nov 2026, 12:59',
    ]);
    expect(alertAge(alert('a', { updated_at: minutesBefore(0) }), START)).toBe('Just now');
    expect(alertAge({ event_id: 'a' }, START)).toBeNull();
  });

  it('allows for a clock that is a second ahead of ours', () => {
    expect(ageText(new Date(START.getTime() + 900), START)).toBe('Just now');
  });

  it('is counted from what the publisher last said, otherwise from the start', () => {
    expect(alertTime(alert('a'))).toEqual(at(6));
    expect(alertTime(alert('a', { updated_at: null }))).toEqual(at(30));
    expect(alertTime(alert('a', { updated_at: null, start_time: undefined }))).toEqual(at(1));
    expect(alertTime({ event_id: 'a' })).toBeNull();
  });
});

it.each([
  ['Northern', 'Major delays on some routes', 'Northern: Major delays on some routes'],
  ['Great Western Railway', 'Custom', 'Great Western Railway: Disruption'],
  ['Northern: Minor delays', 'Minor delays', 'Northern: Minor delays'],
  ['Merseyrail', '', 'Merseyrail'],
])('gives the operator %s, "%s", a title that says something', (title, status, expected) => {
  const nsi = { toc_code: 'XX', toc_name: title, status, service_groups: [] };
  expect(titleOf(alert('nsi-service:XX', { title, metadata: { phase: 'active', nsi } }))).toBe(expected);
});

it('gives a time of today in London time, and an older one with its date', () => {
  expect(sinceText(new Date('2026-07-01T09:05:00Z'), new Date('2026-07-01T12:00:00Z'))).toBe('10:05');
  expect(sinceText(new Date('2026-06-30T09:05:00Z'), new Date('2026-07-01T12:00:00Z'))).toBe(
    '30 Jun 2026, 10:05',
  );
  expect(sinceText(new Date('2025-08-01T09:05:00Z'), new Date('2026-07-01T12:00:00Z'))).toBe(
    '1 Aug 2025, 10:05',
  );
});

it('gives no text for an invalid time', () => {
  expect([null, undefined, '', 'soon', '2026-13-45'].map(dateOf)).toEqual([null, null, null, null, null]);
});

describe('the sources that report an alert', () => {
  const by = (...titles: string[]) =>
    titles.map((title) => ({ source: 'nsi-service', event_id: `nsi-service:${title}`, title }));
  const sourcesText = (titles: string[]) =>
    sourcesOf({
      ...alert('kb-incidents:A'),
      source: 'kb-incidents',
      metadata: { phase: 'active', also_reported_by: by(...titles) },
    });

  it('names both sources of an incident that came from two', () => {
    expect(sourcesText(['Southern'])).toBe(
      'Reported by Knowledgebase incidents and National Rail service indicators (Southern)',
    );
    expect(sourcesText(['A', 'B', 'C', 'D', 'E'])).toMatch(/\(A, B, C and 2 more\)$/);
  });

  it('is left out where one source reports it', () => {
    expect(sourcesText([])).toBe('');
  });
});
