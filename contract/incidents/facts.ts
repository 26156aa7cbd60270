/** The facts that a publisher gives about an incident, read once from its words and fields, on the server. */
import { z } from 'zod/mini';

/** `from` and `to` as signs name them: "J26", "J4A"; if another road or a place is the end, "M62 J27", "A43" or
 *  "Grantham". They are equal at a single junction. */
export const Stretch = z.object({ road: z.string(), from: z.string(), to: z.string() });
export type Stretch = z.infer<typeof Stretch>;

/** As signs on the road say it: compass points; clockwise and anti-clockwise on a ring. */
export const Direction = z.enum(['N', 'E', 'S', 'W', 'CW', 'AC']);
export type Direction = z.infer<typeof Direction>;

/** How much is closed: the whole carriageway, some lanes, nothing (the road is open, even if traffic is slow), or
 *  unknown. */
export const Closed = z.enum(['full', 'lanes', 'none', 'unknown']);
export type Closed = z.infer<typeof Closed>;

/** The slip road; `slip`: the text does not say which. */
export const Slip = z.enum(['entry', 'exit', 'both', 'slip']);
export type Slip = z.infer<typeof Slip>;

/** Null or empty: the publisher does not say. Nothing here is guessed. All texts are plain, in sentence case. */
export const Facts = z.object({
  /** The place, in words: "M62 eastbound, J26 to J27". Null if the title has no form that we know. */
  place: z.nullable(z.string()),
  /** Effect, lower case, the strongest first: "closed", "no trains", "20 minutes late". */
  effect: z.nullable(z.string()),
  /** The cause, lower case: "overturned lorry". */
  cause: z.nullable(z.string()),
  /** Whole sentences with advice: diversions, tickets, buses. */
  advice: z.array(z.string()),
  /** When it is expected to be over, UTC. */
  expected_clear: z.nullable(z.iso.datetime()),
  /** `end_time`: a field of the record; `words`: its text. */
  expected_clear_from: z.nullable(z.enum(['end_time', 'words'])),
  lanes: z.nullable(z.object({ closed: z.int(), of: z.nullable(z.int()) })),
  /** The longest delay that is stated. */
  delay_minutes: z.nullable(z.int()),
  /** Only if the delay is a range: 0 for "up to 40 minutes", 20 for "20 to 30 minutes". */
  delay_least: z.optional(z.int()),
  /** The roads that are affected, in normal form: "M62", "A1(M)", "M6 Toll". The fields below are about the first. */
  roads: z.array(z.string()),
  /** Other roads that the text names, with their role: a limit, a diversion, the end of a queue. */
  aside: z.array(z.string()),
  stretch: z.array(Stretch),
  /** As the road's signs say it, even if the words are "coastbound" or "towards Hull". Null: unknown, or both. */
  direction: z.nullable(Direction),
  slip: z.nullable(Slip),
  closed: Closed,
});
export type Facts = z.infer<typeof Facts>;
