/** Who has seen an alert. */
import { create } from 'zustand';

/** "Seen by Rosa, 06:12", or "Seen 06:12" where names are not shown, by `event_id`. Of
 *  what nobody acknowledged there is none. */
export const useSeen = create<Record<string, string>>(() => ({}));
