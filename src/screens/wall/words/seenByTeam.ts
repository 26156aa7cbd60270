/** What the team knows beside its publishers: who has seen an alert, and its own reports. */
import { create } from 'zustand';
import type { Alert } from '../../../api/alerts/disruptions.ts';

/** "Seen by Rosa, 06:12", or "Seen 06:12" where names are not shown, by `event_id`. Of
 *  what nobody acknowledged there is none. */
export const useSeen = create<Record<string, string>>(() => ({}));

/** What drivers told the team and nobody has snoozed, worst first. */
export const useOurs = create<{ ours: readonly Alert[] }>(() => ({ ours: [] }));
