/** The form of every refusal: one sentence, the request's id, and for bad input a list of all problems. */
import { z } from 'zod/mini';

export const Refusal = z.object({
  detail: z.string(),
  /** The number of the request, which the operator can find in the log. Every answer has it as `X-Request-Id`; a
   *  refusal before the request could be read has none. */
  request_id: z.optional(z.string()),
  /** For programs, if several refusals share a status. */
  reason: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Refusal = z.infer<typeof Refusal>;
