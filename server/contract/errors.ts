/** How every refusal looks: one sentence, and for bad input all problems beside it. */
import { z } from 'zod';

export const Refusal = z.object({
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Refusal = z.infer<typeof Refusal>;
