/** The form of every refusal: one sentence, and for bad input a list of all problems. */
import { z } from 'zod/mini';

export const Refusal = z.object({
  detail: z.string(),
  /** For programs, where several refusals share a status. */
  reason: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Refusal = z.infer<typeof Refusal>;
