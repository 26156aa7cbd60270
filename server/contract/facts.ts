/** What a publisher says of an incident, read out of its words and fields once, on the server. */
import { z } from 'zod/mini';

/** `from` and `to` as signs name them: "J26", "J4A". They are equal at a single junction. */
export const Stretch = z.object({ road: z.string(), from: z.string(), to: z.string() });
export type Stretch = z.infer<typeof Stretch>;

/** As signs on the road have it: compass points; clockwise and anti-clockwise on a ring. */
export const Direction = z.enum(['N', 'E', 'S', 'W', 'CW', 'AC']);
export type Direction = z.infer<typeof Direction>;

/** Null or empty: the publisher does not say. Nothing here is guessed. All texts are plain, in sentence case. */
export const Facts = z.object({
  /** Where, in words: "M62 eastbound, J26 to J27". Null where the title has no form that we know. */
  place: z.nullable(z.string()),
  /** What it does, lower case, the strongest first: "closed", "no trains", "20 minutes late". */
  effect: z.nullable(z.string()),
  /** Why, lower case: "overturned lorry". */
  cause: z.nullable(z.string()),
  /** Whole sentences on what to do: diversions, tickets, buses. */
  advice: z.array(z.string()),
  /** When it is expected to be over, UTC. */
  expected_clear: z.nullable(z.iso.datetime()),
  /** `end_time`: a field of the record; `words`: its text. */
  expected_clear_from: z.nullable(z.enum(['end_time', 'words'])),
  lanes: z.nullable(z.object({ closed: z.int(), of: z.nullable(z.int()) })),
  delay_minutes: z.nullable(z.int()),
  /** Normal forms: "M62", "A1(M)", "M6 Toll". */
  roads: z.array(z.string()),
  stretch: z.array(Stretch),
  direction: z.nullable(Direction),
});
export type Facts = z.infer<typeof Facts>;
