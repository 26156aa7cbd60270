import { FeedCategory, FEEDS } from '#contract/feeds/feeds.ts';
import { expect, it } from 'vitest';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { countsByGrade } from '../../../../src/feeds/alerts/alerts.ts';
import { demoFeeds } from '../../../../src/screens/board/demoFeeds.ts';
import { START } from './boardServer.ts';

const rows = demoFeeds(START);

it('has the five feeds in their order, with counts that agree with their alerts', () => {
  expect(rows.map(({ feed }) => feed.slug)).toEqual(FEEDS.map(({ slug }) => slug));
  for (const { feed, events, summary } of rows) {
    expect(FeedCategory.options).toContain(feed.category);
    expect(feed.alert_count).toBe(countsByGrade(events).reduce((sum, { count }) => sum + count, 0));
    expect(summary?.text).toBeTruthy();
  }
});

it('is current: no active alert begins later, and no planned one has begun', () => {
  for (const event of rows.flatMap(({ events }) => events)) {
    const start = Date.parse(event.start_time!);
    if (isPlanned(event)) expect(start).toBeGreaterThan(START.getTime());
    else expect(start).toBeLessThan(START.getTime());
  }
});

it('shows what a board can have: a critical alert, a planned one, and a quiet feed', () => {
  const events = rows.flatMap((row) => row.events);
  expect(events.some(({ severity }) => severity === 'critical')).toBe(true);
  expect(events.some(isPlanned)).toBe(true);
  expect(rows.some((row) => row.events.length === 0)).toBe(true);
});

it('gives every sample an id that no source could have', () => {
  const ids = rows.flatMap((row) => row.events.map(({ event_id }) => event_id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => id.startsWith('demo:'))).toBe(true);
});
