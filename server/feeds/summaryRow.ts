/** What a stored summary's row says about it. */
import type { SummaryFallback, SummaryMetadata } from '#contract/feeds/feeds.ts';
import type { SummariesTable } from '../db/schema.ts';

const RETRIED: ReadonlySet<SummaryFallback> = new Set([
  'pending',
  'rate_limited',
  'timeout',
  'unreachable',
  'server_error',
]);

/** Whether the model is asked again soon; the summary counts as stale until then. */
export const isRetried = (fallback: SummaryFallback | undefined): fallback is SummaryFallback =>
  fallback !== undefined && RETRIED.has(fallback);

export const metadataOf = ({ metadata }: SummariesTable): SummaryMetadata => JSON.parse(metadata);

/** True when its input has changed since, or its writer is only standing in for the model. */
export function isStale(row: SummariesTable, inputHash: string): boolean {
  const { fallback } = metadataOf(row);
  return row.input_hash !== inputHash || isRetried(fallback);
}
