/** Lapses: changes of an incident that end its acknowledgement or its snooze. Time alone ends no acknowledgement. */
import { z } from 'zod/mini';
import type { Change } from '../incidents/changes.ts';
import { severityRank } from '../incidents/severity.ts';

/** The reason why an acknowledgement ends: the incident is worse, a planned one has started, or an ended one began
 *  again. */
export const Lapse = z.enum(['worse', 'started', 'began']);
export type Lapse = z.infer<typeof Lapse>;

/** The state after a change of its incident; acknowledgement and snooze are each judged by the time of their action. */
export interface Judged {
  disposition: string | null;
  at: string;
  /** The grade of the incident that the person saw; 0 is the worst. */
  severity_rank: number;
  lapsed: string | null;
  snooze_until: string | null;
  snooze_change: number;
  snoozed_at: string | null;
}

const LAPSES: readonly string[] = Lapse.options;

/** Whether this change ends the acknowledgement, and whether it ends the snooze. */
export function endedBy(
  state: Judged,
  { kind, severity_to, at }: Pick<Change, 'kind' | 'severity_to' | 'at'>,
): { lapse: Lapse | null; returns: boolean } {
  const rank = severityRank(severity_to);
  // Somebody who acts a moment after the change may not have seen it.
  const isUnseen = kind === 'worse' && rank < state.severity_rank;
  const counts = state.disposition !== null && state.lapsed === null && (at > state.at || isUnseen);
  const lapse = counts && LAPSES.includes(kind) ? (kind as Lapse) : null;

  const sleeps =
    state.snooze_until !== null &&
    state.snooze_until > at &&
    (state.snoozed_at === null || at > state.snoozed_at || isUnseen);
  const isUrgent = kind === 'started' || kind === 'began' || (kind === 'worse' && rank === 0);
  return { lapse, returns: sleeps && (isUrgent || state.snooze_change === 1) };
}
