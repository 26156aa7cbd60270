/** Usage events that the app reports; their loss never matters to the user. */
import { z } from 'zod';

export const UsageEvent = z.object({
  event_type: z.string().min(1).max(64),
  event_category: z.string().min(1).max(64),
  session_id: z.string().max(128).nullish(),
});
export type UsageEvent = z.infer<typeof UsageEvent>;
