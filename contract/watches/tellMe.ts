/** Which alerts of a route are sent, and when. In a file of its own, because the board shows these settings too. */
import { z } from 'zod/mini';
import { type Severity, severityRank } from '../incidents/severity.ts';

export const TellMe = z.object({
  /** The mildest grade that is sent at once. */
  threshold: z.enum(['critical', 'high', 'medium', 'nothing']),
  possible: z.enum(['digest', 'no']),
  /** Only from two hours before a departure until its arrival. Null: yes, if the route has departures. */
  around_departures: z.nullable(z.boolean()),
});
export type TellMe = z.infer<typeof TellMe>;

export const TELL_ME: TellMe = { threshold: 'critical', possible: 'digest', around_departures: null };

/** The mildest grade whose alerts one person gets at once, if the watch sends alerts from the grade `all` on: a
 *  person's own setting can only be stricter. */
export const toldFrom = (own: Severity | null, all: Severity): Severity =>
  own && severityRank(own) < severityRank(all) ? own : all;

/** If a setting cannot be read, it is the standard one. */
export function tellMeOf(said: unknown): TellMe {
  const read = TellMe.safeParse({ ...TELL_ME, ...(said as object) });
  return read.success ? read.data : TELL_ME;
}
