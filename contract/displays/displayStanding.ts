/** Whether a display was seen lately, and whether it shows what it was asked to show. */
import { MINUTE_MS } from '../durations.ts';
import type { TeamDisplay } from './displays.ts';

const NOT_TAKEN_MINUTES = 5;
const NOT_SEEN_MINUTES = 10;

export const wasSeen = ({ last_seen_at }: Proven, now: Date): boolean =>
  !!last_seen_at && now.getTime() - Date.parse(last_seen_at) <= NOT_SEEN_MINUTES * MINUTE_MS;

type Proven = {
  [F in 'last_seen_at' | 'asked_at' | 'rev' | 'taken_rev' | 'problem']?: TeamDisplay[F] | null;
};

/** The standing of a display, for its list, the handover sheet, health and metrics. `unseen`: not seen for ten minutes.
 *  `not_taken`: asked more than five minutes ago, it does not show that yet. `not_all`: it cannot show all of it.
 *  `new`: it has not yet said what it shows. `asked`: it was asked a moment ago. `taken`: it shows what it was asked
 *  to. The first three need attention. */
export function standingOfDisplay(
  display: Proven,
  now: Date,
): 'unseen' | 'not_taken' | 'not_all' | 'new' | 'asked' | 'taken' {
  const { last_seen_at, asked_at, rev, taken_rev, problem } = display;
  if (!last_seen_at) return 'new';
  if (!wasSeen(display, now)) return 'unseen';
  if (taken_rev == null && !rev) return 'new';
  if (taken_rev !== rev) {
    const owedMs = now.getTime() - Date.parse(asked_at ?? '');
    return owedMs <= NOT_TAKEN_MINUTES * MINUTE_MS ? 'asked' : 'not_taken';
  }
  return problem ? 'not_all' : 'taken';
}
