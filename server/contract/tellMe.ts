/** Which alerts of a route are sent, and when. Apart from messages, because the board's routes have it too. */
import { z } from 'zod/mini';

export const TellMe = z.object({
  /** The mildest that is sent at once. */
  threshold: z.enum(['critical', 'high', 'medium', 'nothing']),
  possible: z.enum(['digest', 'no']),
  /** From two hours before a departure until its arrival. Null: if the route has departures. */
  around_departures: z.nullable(z.boolean()),
});
export type TellMe = z.infer<typeof TellMe>;

export const TELL_ME: TellMe = { threshold: 'critical', possible: 'digest', around_departures: null };

/** A setting that cannot be read is the standard one. */
export function tellMeOf(said: unknown): TellMe {
  const read = TellMe.safeParse({ ...TELL_ME, ...(said as object) });
  return read.success ? read.data : TELL_ME;
}
