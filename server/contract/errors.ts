/** How every refusal looks: one sentence, and for bad input all problems beside it. */
import { z } from 'zod/mini';

export const Refusal = z.object({
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Refusal = z.infer<typeof Refusal>;
