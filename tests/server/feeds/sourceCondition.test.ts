import { describe, expect, it } from 'vitest';
import { FAILING_FROM, feedCondition, sourceState } from '../../../server/feeds/sourceCondition.ts';
import { freshCollection } from '../../../server/incidents/collectionState.ts';
import type { RowOf } from '../../../server/db/schema.ts';
import { CLOCK_SKEW_MS } from '../../../server/db/instant.ts';
import { missingSettings } from '../../../server/incidents/collector.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const TFL = { source: 'tfl', everyMinutes: 2, maxAgeMinutes: 15 };
const FLOODS = { source: 'ea-flood', everyMinutes: 15, maxAgeMinutes: 60 };

const row = (values: Partial<RowOf<'collections'>> = {}): RowOf<'collections'> => ({
  ...freshCollection('tfl', true),
  ...values,
});
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();
const collected = (seconds: number, values: Partial<RowOf<'collections'>> = {}) =>
  row({ last_success: secondsAgo(seconds), ...values });

describe('the state of a source', () => {
  it.each([
    ['no collector', collected(10), undefined, 'not_configured'],
    ['no collector and no row', undefined, undefined, 'not_configured'],
    ['a required setting missing', row({ enabled: 0 }), TFL, 'not_configured'],
    ['disconnected after it was collected', collected(10, { enabled: 0 }), TFL, 'not_configured'],
    ['not yet begun', undefined, TFL, 'idle'],
    ['entered, waiting for its first poll', row(), TFL, 'idle'],
    ['its first poll failed', row({ consecutive_failures: 1 }), TFL, 'failing'],
    ['good', collected(10), TFL, 'ok'],
    ['one failure since', collected(200, { consecutive_failures: 1 }), TFL, 'degraded'],
    ['failures in a row', collected(200, { consecutive_failures: FAILING_FROM }), TFL, 'failing'],
    ['read only in part', collected(10, { complete: 0 }), TFL, 'degraded'],
    ['a collapse that waits for its confirmation', collected(10, { suspect_polls: 1 }), TFL, 'degraded'],
    ['late, and nobody knows why', collected(6 * 60), TFL, 'degraded'],
    ['older than may be believed', collected(16 * 60), TFL, 'failing'],
  ] as const)('%s: %s', (_, collection, declared, state) => {
    expect(sourceState('tfl', collection, declared, NOW).state).toBe(state);
  });
});

describe('the freshness of a source', () => {
  it.each([
    // Two rhythms and a tenth of one: 4 min 12 s.
    [TFL, 0, 'fresh'],
    [TFL, 252, 'fresh'],
    [TFL, 253, 'late'],
    [TFL, 15 * 60, 'late'],
    [TFL, 15 * 60 + 1, 'stale'],
    [TFL, 7 * 24 * 3600, 'stale'],
    // The limit is three minutes at least, however quick the rhythm.
    [{ ...TFL, everyMinutes: 1 }, 180, 'fresh'],
    [{ ...TFL, everyMinutes: 1 }, 190, 'late'],
    [FLOODS, 31.5 * 60, 'fresh'],
    [FLOODS, 31.5 * 60 + 1, 'late'],
    [FLOODS, 60 * 60 + 1, 'stale'],
    // An answer that may not be believed is never fresh, whatever the rhythm says.
    [{ ...FLOODS, maxAgeMinutes: 20 }, 20 * 60, 'fresh'],
    [{ ...FLOODS, maxAgeMinutes: 20 }, 20 * 60 + 1, 'stale'],
  ] as const)('%o, %d s after its last collection: %s', (declared, seconds, freshness) => {
    expect(sourceState('tfl', collected(seconds), declared, NOW).freshness).toBe(freshness);
  });

  it('is late at best while the source was read only in part', () => {
    const part = sourceState('tfl', collected(10, { complete: 0 }), TFL, NOW);
    expect(part.freshness).toBe('late');
    expect(part.nextChangeAt).toBe(NOW.getTime() - 10_000 + 15 * 60_000 + 1);
    expect(sourceState('tfl', collected(16 * 60, { complete: 0 }), TFL, NOW).freshness).toBe('stale');
  });

  it('changes exactly at the moment that it announces', () => {
    let now = NOW;
    const seen: (string | null)[] = [];
    for (let step = 0; step < 3; step++) {
      const { freshness, nextChangeAt } = sourceState('tfl', collected(0), TFL, now);
      seen.push(freshness);
      if (nextChangeAt === null) break;

      const justBefore = new Date(nextChangeAt - 1);
      expect(sourceState('tfl', collected(0), TFL, justBefore).freshness).toBe(freshness);
      now = new Date(nextChangeAt);
    }
    expect(seen).toEqual(['fresh', 'late', 'stale']);
  });

  it('says nothing of a source that was never collected or is not connected', () => {
    for (const collection of [undefined, row(), collected(10, { enabled: 0 })]) {
      expect(sourceState('tfl', collection, TFL, NOW)).toMatchObject({
        freshness: null,
        last_collected: null,
        nextChangeAt: null,
      });
    }
  });
});

describe('a collection stamped ahead of our clock', () => {
  it('counts as just made within the normal skew of two clocks, and is never shown as later than now', () => {
    const condition = sourceState('tfl', collected(-60), TFL, NOW);
    expect(condition).toMatchObject({
      freshness: 'fresh',
      clock_ahead: false,
      last_collected: NOW.toISOString(),
    });
  });

  it('is flagged when it is further ahead, and does not stay fresh for ever', () => {
    const ahead = collected(-3 * 3600);
    const condition = sourceState('tfl', ahead, TFL, NOW);
    expect(condition).toMatchObject({
      state: 'failing',
      freshness: 'stale',
      clock_ahead: true,
      last_collected: null,
    });
    // Such a collection does not make its feed look newly updated either.
    expect(feedCondition([condition, late()])).toMatchObject({ freshness: 'late', mayBeCalm: false });
    expect(feedCondition([condition, late()]).last_updated).toBe(late().last_collected);
    expect(feedCondition([condition])).toMatchObject({ freshness: 'stale', last_updated: null });

    // Its age is known again when our clock gets there.
    const then = new Date(condition.nextChangeAt!);
    expect(then.getTime()).toBe(NOW.getTime() + 3 * 3600_000 - CLOCK_SKEW_MS);
    expect(sourceState('tfl', ahead, TFL, then)).toMatchObject({ freshness: 'fresh', clock_ahead: false });
  });
});

const fresh = () => sourceState('tfl', collected(10), TFL, NOW);
const late = () => sourceState('ea-flood', collected(40 * 60), FLOODS, NOW);
const stale = () => sourceState('tfl', collected(3600), TFL, NOW);
const idle = () => sourceState('tfl', row(), TFL, NOW);
const absent = () => sourceState('met-police', undefined, undefined, NOW);

describe('the freshness of a feed', () => {
  it.each([
    ['all fresh', [fresh(), fresh()], 'fresh', true],
    ['one late', [fresh(), late()], 'late', true],
    ['one stale', [fresh(), stale()], 'late', false],
    ['one never collected', [fresh(), idle()], 'late', false],
    ['all stale', [stale(), stale()], 'stale', false],
    ['stale, the rest never collected', [stale(), idle()], 'stale', false],
    ['never collected', [idle()], null, false],
    ['nothing connected', [absent()], null, false],
    ['those that are not connected count for nothing', [fresh(), absent()], 'fresh', true],
    ['stale beside one that is not connected', [stale(), absent()], 'stale', false],
    ['no sources at all', [], null, false],
  ] as const)('%s', (_, sources, freshness, mayBeCalm) => {
    expect(feedCondition(sources)).toMatchObject({ freshness, mayBeCalm });
  });

  it('names the newest and the oldest good collection of its connected sources', () => {
    expect(feedCondition([late(), absent(), fresh()])).toMatchObject({
      last_updated: secondsAgo(10),
      oldest_collected: secondsAgo(40 * 60),
    });
    expect(feedCondition([absent(), idle()])).toMatchObject({ last_updated: null, oldest_collected: null });
  });

  it('changes when the first of its sources does', () => {
    expect(feedCondition([fresh(), late(), stale(), absent()]).nextChangeAt).toBe(fresh().nextChangeAt);
    expect(feedCondition([stale(), absent()]).nextChangeAt).toBeNull();
  });
});

it('a collector lacks the required settings that are absent or blank', () => {
  const settings = [
    { name: 'A_URL', required: true, about: '' },
    { name: 'A_KEY', required: true, secret: true, about: '' },
    { name: 'A_REGION', required: false, about: '' },
  ];
  expect(missingSettings({ settings }, {})).toEqual(['A_URL', 'A_KEY']);
  expect(missingSettings({ settings }, { A_URL: 'https://a.example', A_KEY: '  ' })).toEqual(['A_KEY']);
  expect(missingSettings({ settings }, { A_URL: 'https://a.example', A_KEY: 'k' })).toEqual([]);
});
