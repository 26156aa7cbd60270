import { describe, expect, it } from 'vitest';
import { Freshness, SourceState } from '#contract/incidents/disruptions.ts';
import { type Condition, feedCondition, toSource } from '../../../../server/feeds/sourceCondition.ts';
import type { FeedEntry } from '../../../../src/api/alerts/feeds.ts';
import type { SourceEntry } from '../../../../src/api/alerts/disruptions.ts';
import { statusOf } from '../../../../src/feeds/alerts/sourceLine.ts';
import { quietLine } from '../../../../src/feeds/alerts/sourceStatus.ts';
import { minutesBefore, row, source, START } from '../../screens/board/boardServer.ts';

const CALM = /^(No active alerts|All operators good service)$/;
const EVERY = {
  freshness: [...Freshness.options, null],
  state: SourceState.options,
  last_collected: [minutesBefore(1), minutesBefore(71), minutesBefore(-180), null],
};

const every = EVERY.state.flatMap((state) =>
  EVERY.freshness.flatMap((freshness) =>
    EVERY.last_collected.map((last_collected) => ({ state, freshness, last_collected })),
  ),
);

describe('the status line of a source', () => {
  const line = (name: string, declared: Partial<SourceEntry>, count: number, boardStale = false) =>
    statusOf(
      {
        source: name,
        outcome: 'answered',
        answer: {
          source: name,
          ...declared,
          events: [],
          event_count: count,
          ...(name === 'nsi-service' && { operators_total: 28, operators_disrupted: count }),
        },
        entry: null,
        directoryDeclares: true,
      },
      { boardStale, now: START },
    );

  it.each(every)('$state, $freshness, collected at $last_collected', (declared) => {
    for (const name of ['tfl', 'nsi-service']) {
      for (const count of [0, 1, 9]) {
        for (const boardStale of [false, true]) {
          const { status, text } = line(name, declared, count, boardStale);
          const isConnected =
            declared.state !== 'not_configured' && (declared.last_collected ?? declared.freshness) !== null;

          if (!isConnected) expect(text).toBe('Not connected');
          else if (declared.freshness === 'stale') expect(text).toMatch(/^No recent information/);
          else if (count === 0 && !boardStale) expect(text).toMatch(CALM);
          else if (count === 0) expect(text).toMatch(/^No recent information/);
          else expect(status).toMatch(/^(minor|moderate|severe)$/);
          expect(status === 'good').toBe(CALM.test(text));
          // A time that lies ahead makes nothing old.
          if (declared.last_collected === minutesBefore(-180)) expect(text).not.toContain('since');
        }
      }
    }
  });

  it('gives the time of the stale source, not of a later one', () => {
    const stale = source('tfl', { freshness: 'stale', last_collected: minutesBefore(71) });
    const detail = { source: 'tfl', outcome: 'answered', entry: null, directoryDeclares: true } as const;
    const newest = source('tfl', { last_collected: minutesBefore(0) });
    expect(
      statusOf({ ...detail, answer: { ...stale, events: [] } }, { newest, boardStale: false, now: START }),
    ).toEqual({ status: 'none', text: 'No recent information since 10:48' });
  });
});

describe('a feed without alerts', () => {
  const condition = (over: Partial<Condition> = {}): Condition => ({
    source: 'tfl',
    state: 'ok',
    freshness: 'fresh',
    last_collected: minutesBefore(1),
    clock_ahead: false,
    nextChangeAt: null,
    ...over,
  });
  const CONDITIONS = {
    fresh: condition(),
    late: condition({ freshness: 'late', state: 'degraded' }),
    failing: condition({ freshness: 'late', state: 'failing' }),
    stale: condition({ freshness: 'stale', state: 'failing', last_collected: minutesBefore(71) }),
    stampedAhead: condition({ freshness: 'stale', state: 'failing', last_collected: null }),
    waiting: condition({ freshness: null, state: 'idle', last_collected: null }),
    neverSucceeded: condition({ freshness: null, state: 'failing', last_collected: null }),
    off: condition({ freshness: null, state: 'not_configured', last_collected: null }),
  };
  type Name = keyof typeof CONDITIONS;
  const names = Object.keys(CONDITIONS) as Name[];
  /** The feed's words are the same in whatever order three sources come. */
  const triples = names.flatMap((a, first) =>
    names.slice(first).flatMap((b, second) => names.slice(first + second).map((c) => [a, b, c] as const)),
  );

  it.each(triples)('%s, %s, %s', (...these) => {
    const conditions = these.map((name) => CONDITIONS[name]);
    const { freshness, last_updated, mayBeCalm } = feedCondition(conditions);
    const sources = conditions.map((one) => toSource(one, 0));
    const { feed } = row('rail-network', [], { sources, freshness, last_updated });

    const { status, text } = quietLine(feed, { boardStale: false, at: START, now: START });
    expect(status === 'good').toBe(text === 'No active alerts');
    // The feed is calm only when everything that is set up was asked, and lately.
    expect(status === 'good').toBe(mayBeCalm);
    if (conditions.some((one) => one.freshness === 'stale')) expect(text).toMatch(/^No recent information/);
    if (freshness === null) expect(text).toBe('Not connected');
    if (freshness === 'stale' && last_updated === null) expect(text).toBe('No recent information');

    const old = quietLine(feed, { boardStale: true, at: START, now: START });
    expect(old.text).toMatch(/^(No recent information|Not connected)/);
    expect(old.status).toBe('none');
  });

  it('names what was read late, or only in part, beside the tick', () => {
    const late = toSource({ ...CONDITIONS.late, source: 'ea-flood' }, 0);
    const { feed } = row('weather-flood', [], { sources: [source('met-office'), late], freshness: 'late' });
    expect(quietLine(feed, { boardStale: false, at: START, now: START }).note).toBe(
      'Late: Environment Agency floods',
    );
  });

  it('is never calm if it is silent and its server names no source, and says since when', () => {
    const line = (declared: Partial<FeedEntry>, boardStale = false) =>
      quietLine({ slug: 'rail-network', ...declared }, { boardStale, at: START, now: START });
    const last_updated = minutesBefore(71);
    expect(line({ freshness: 'stale', last_updated }).text).toBe('No recent information since 10:48');
    expect(line({ freshness: 'fresh', last_updated })).toEqual({ status: 'good', text: 'No active alerts' });
    expect(line({ freshness: 'fresh', last_updated }, true).text).toBe('No recent information since 10:48');
    expect(line({ freshness: 'fresh' }, true).text).toMatch(/^No recent information since 11:59/);
    const stale = (name: string, minutes: number) =>
      source(name, { freshness: 'stale', last_collected: minutesBefore(minutes) });
    const sources = [stale('kb-incidents', 20), stale('nsi-service', 71), source('tfl')];
    expect(line({ freshness: 'late', last_updated, sources })).toMatchObject({
      text: 'No recent information since 10:48',
      note: 'Knowledgebase incidents, National Rail service indicators',
    });
    const off = source('nsi-service', { state: 'not_configured', freshness: null, last_collected: null });
    expect(line({ freshness: 'fresh', last_updated, sources: [source('tfl'), off] }).note).toBe(
      '1 of 2 sources connected',
    );
  });

  it('names sources that were never collected beside those that were', () => {
    const waiting = toSource({ ...CONDITIONS.waiting, source: 'ea-flood' }, 0);
    const sources = [source('met-office'), waiting];
    const { feed } = row('weather-flood', [], { sources, freshness: 'late' });
    expect(quietLine(feed, { boardStale: false, at: START, now: START })).toEqual({
      status: 'none',
      text: 'Not connected',
      note: 'Environment Agency floods',
    });
  });
});
