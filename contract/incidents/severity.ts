/** The grades of incidents. */
import { z } from 'zod/mini';

/** Worst first, the order of every list. Each source grades its own incidents (server/sources); headlines and posts are
 *  graded by their words in server/sources/parts/travelNews.ts. */
export const Severity = z.enum(['critical', 'high', 'medium', 'low']);
export type Severity = z.infer<typeof Severity>;

/** 0 is the worst. Throws on anything that is not a severity. */
export function severityRank(severity: Severity): number {
  const rank = Severity.options.indexOf(severity);
  if (rank === -1) throw new Error(`Not a severity: "${severity}"`);
  return rank;
}
