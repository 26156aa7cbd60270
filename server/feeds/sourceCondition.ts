/** The condition of a source, or of a feed made of several: whether it can be believed at a given time, by the
 *  collector's `maxAgeMinutes` (server/sources). Pure: the clock is an argument. */
import { MINUTE_MS } from '#contract/durations.ts';
import type { Freshness, Source, SourceState } from '#contract/incidents/disruptions.ts';
import type { Collector } from '../incidents/collector.ts';
import { CLOCK_SKEW_MS } from '../db/instant.ts';
import type { RowOf } from '../db/schema.ts';

/** A source is fresh for two of its intervals, so that one lost poll changes nothing. Its fresh time is never
 *  shorter than this. */
const FRESH_FOR_AT_LEAST_MS = 3 * MINUTE_MS;
/** Polls vary by up to a tenth of their interval, and a poll takes some time. */
const JITTER_SHARE = 0.1;

/** From this many failures in a row a source is failing, not merely degraded. */
export const FAILING_FROM = 3;

export type Declared = Pick<Collector, 'source' | 'everyMinutes' | 'maxAgeMinutes'>;

export interface Condition {
  source: string;
  state: SourceState;
  /** Null when the source was never collected or is not connected. */
  freshness: Freshness | null;
  /** ISO 8601, UTC, never in the future. Null when the source was never collected or is not connected, or when the
   *  time is not known. */
  last_collected: string | null;
  /** The last collection has a time in the future: our clock, or another node's clock, is or was wrong. */
  clock_ahead: boolean;
  /** The next time, in ms since 1970, when this answer changes without a write; null: never. */
  nextChangeAt: number | null;
}

/** The condition of a source, from its row of collection and its collector's declaration. A source is not connected
 *  when it has no collector or is turned off. */
export function sourceState(
  source: string,
  row: RowOf<'collections'> | undefined,
  declared: Declared | undefined,
  now: Date,
): Condition {
  const unknown = { source, freshness: null, last_collected: null, clock_ahead: false, nextChangeAt: null };
  if (!declared || row?.enabled === 0 || row?.off_at) return { ...unknown, state: 'not_configured' };
  if (!row) return { ...unknown, state: 'idle' };

  const last = row.last_success === null ? Number.NaN : Date.parse(row.last_success);
  if (Number.isNaN(last)) return { ...unknown, state: row.consecutive_failures > 0 ? 'failing' : 'idle' };

  const age = now.getTime() - last;
  const { freshMs, maxAgeMs } = spans(declared);
  if (age < -CLOCK_SKEW_MS) {
    return {
      source,
      // The age of the data is not known, and old data must not be believed. The next good poll corrects this.
      state: 'failing',
      freshness: 'stale',
      last_collected: null,
      clock_ahead: true,
      nextChangeAt: last - CLOCK_SKEW_MS,
    };
  }

  // After a poll that read only a part, the missing records may be hours old.
  const isFresh = age <= freshMs && row.complete === 1;
  const freshness: Freshness = isFresh ? 'fresh' : age <= maxAgeMs ? 'late' : 'stale';
  return {
    source,
    state: stateOf(row, freshness),
    freshness,
    last_collected: new Date(Math.min(last, now.getTime())).toISOString(),
    clock_ahead: false,
    nextChangeAt: freshness === 'stale' ? null : last + (freshness === 'fresh' ? freshMs : maxAgeMs) + 1,
  };
}

/** The condition of any source by name, from all collection rows and all collectors. */
export function conditionsAt(
  rows: readonly RowOf<'collections'>[],
  declared: readonly Declared[],
  now: Date,
): (source: string) => Condition {
  const rowOf = new Map(rows.map((row) => [row.source, row]));
  const declaredOf = new Map(declared.map((collector) => [collector.source, collector]));
  return (source) => sourceState(source, rowOf.get(source), declaredOf.get(source), now);
}

function stateOf(row: RowOf<'collections'>, freshness: Freshness): SourceState {
  // A source goes stale without failures when its collector does not run. The reader has the same loss.
  if (row.consecutive_failures >= FAILING_FROM || freshness === 'stale') return 'failing';
  const isImpaired =
    row.consecutive_failures > 0 || row.complete === 0 || row.suspect_polls > 0 || freshness === 'late';
  return isImpaired ? 'degraded' : 'ok';
}

/** How long a collection counts as fresh, and how long it can be believed at all. */
export function spans({ everyMinutes, maxAgeMinutes }: Declared): { freshMs: number; maxAgeMs: number } {
  const maxAgeMs = maxAgeMinutes * MINUTE_MS;
  const freshMs =
    Math.max(2 * everyMinutes * MINUTE_MS, FRESH_FOR_AT_LEAST_MS) + everyMinutes * MINUTE_MS * JITTER_SHARE;
  return { freshMs: Math.min(freshMs, maxAgeMs), maxAgeMs };
}

interface FeedCondition {
  /** `stale` when everything that was ever collected is stale; `late` when at least one source is late, stale or
   *  still missing. */
  freshness: Freshness | null;
  /** The newest and the oldest good collection among the connected sources. */
  last_updated: string | null;
  oldest_collected: string | null;
  /** True when an empty feed means that nothing is happening: no connected source is stale or missing. */
  mayBeCalm: boolean;
  nextChangeAt: number | null;
}

/** The combined condition of a feed's sources. Sources that are not connected are ignored. */
export function feedCondition(sources: readonly Condition[]): FeedCondition {
  const connected = sources.filter(({ state }) => state !== 'not_configured');
  const collected = connected.flatMap(({ last_collected }) => last_collected ?? []).sort();

  return {
    freshness: feedFreshness(connected.map(({ freshness }) => freshness)),
    last_updated: collected.at(-1) ?? null,
    oldest_collected: collected[0] ?? null,
    mayBeCalm:
      connected.length > 0 &&
      connected.every(({ freshness }) => freshness === 'fresh' || freshness === 'late'),
    nextChangeAt: soonest(sources.map(({ nextChangeAt }) => nextChangeAt)),
  };
}

function feedFreshness(connected: readonly (Freshness | null)[]): Freshness | null {
  const known = connected.filter((freshness) => freshness !== null);
  if (known.length === 0) return null;
  if (known.every((freshness) => freshness === 'stale')) return 'stale';
  return connected.every((freshness) => freshness === 'fresh') ? 'fresh' : 'late';
}

/** The source in the contract's form. `activeAlerts` is ignored while the source is not connected. */
export function toSource(condition: Condition, activeAlerts: number): Source {
  const { source, state, freshness, last_collected } = condition;
  const event_count = state === 'not_configured' ? 0 : activeAlerts;
  return { source, event_count, last_collected, state, freshness };
}

/** The earliest of these times; null when there is none. */
export function soonest(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length ? Math.min(...known) : null;
}
