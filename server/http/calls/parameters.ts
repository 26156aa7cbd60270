/** How parameters that several calls share are read, and what they mean. */
import { z } from 'zod';
import type { FastifyRequest } from 'fastify';
import { Refused } from '../../refusals.ts';

/** An empty parameter counts as absent. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

export const optional = <T extends z.ZodType>(schema: T) => unlessEmpty(schema.optional());

export const words = (max: number) => optional(z.string().max(max));

/** The id of a thing, by the word for that thing: "job". */
export const idOf = (what: string, example: string) =>
  z
    .string()
    .max(128)
    .meta({ description: `The ${what}’s id.`, example });

/** The router reads an id with slashes as the rest of the path, because a proxy may decode encoded slashes. */
export const eventId = (example: string) =>
  z.object({
    '*': z.string().max(1000).meta({ description: 'The `event_id`, percent-encoded.', example }),
  });

const WHOLE = z.coerce
  .number({ error: ({ code }) => (code === 'invalid_type' ? 'must be a whole number' : undefined) })
  .int();

export const wholeNumber = (max: number, standard: number) =>
  unlessEmpty(WHOLE.min(1).max(max).default(standard));

export const limit = (max: number, standard: number) =>
  wholeNumber(max, standard).meta({ description: 'How many at most.', example: 10 });

/** The number of a batch in the change log. */
export const batch = optional(WHOLE.min(0).max(Number.MAX_SAFE_INTEGER)).meta({
  description: 'The last batch that is known.',
  example: 4179,
});

/** Empty text is refused, because it would otherwise be read as 0. */
const degrees = (bound: number, description: string, example: number) =>
  unlessEmpty(
    z.coerce
      .number('must be a number of degrees')
      .min(-bound, `must be between -${bound} and ${bound}`)
      .max(bound, `must be between -${bound} and ${bound}`),
  ).meta({ description, example });

export const bounds = {
  north: degrees(90, 'Upper bound, degrees of latitude.', 51.7),
  south: degrees(90, 'Lower bound, degrees of latitude.', 51.3),
  east: degrees(180, 'Right bound, degrees of longitude.', -2.9),
  west: degrees(180, 'Left bound, degrees of longitude.', -3.4),
};

export const yesNo = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

const YEAR_10000 = Date.UTC(10_000, 0);
const NO_TIME = 'must be an ISO 8601 time such as 2026-11-21T08:00:00Z';

/** An ISO 8601 time with a zone. */
export const Time = z.preprocess(
  // In a query a plus sign is a space: "+01:00" arrives as " 01:00".
  (value) => (typeof value === 'string' ? value.replace(/ (\d\d:?\d\d)$/, '+$1') : value),
  z.iso
    .datetime({ offset: true, error: NO_TIME })
    // The zone can move the time into a year of five digits, which sorts before all others.
    .refine((time) => !(Date.parse(time) >= YEAR_10000), NO_TIME),
);

/** One of these words, in upper or lower case. Returns it in the spelling of `values`. */
export const oneOf = (values: readonly string[]) =>
  optional(
    z.string().refine((value) => values.includes(value.toLowerCase()), `must be one of ${values.join(', ')}`),
  ).meta({ enum: values });

/** Whether a parameter can be given several times. */
export const isList = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.type === 'array';

/** One or more of these words, in upper or lower case: separated by commas, in repeated parameters, or both.
 *  Undefined when there are none. */
export function severalOf(values: readonly string[]) {
  return z
    .preprocess(
      (value) => {
        const given = [value ?? []].flat().flatMap((one) => String(one).toLowerCase().split(','));
        const said = [...new Set(given.map((word) => word.trim()))].filter(Boolean);
        return said.length > 0 ? said : undefined;
      },
      z
        .array(z.string())
        .refine((said) => said.every((word) => values.includes(word)), `must be one of ${values.join(', ')}`)
        .optional(),
    )
    .meta({ type: 'array', items: { type: 'string', enum: values } });
}

export const NEXT = { description: 'The `next_cursor` of the answer before, for the rows after it.' };

/** The `next_cursor` of an earlier answer. */
export const cursor = (isCursor: (text: string) => boolean) =>
  optional(z.string().refine(isCursor, 'must be the next_cursor of an earlier answer')).meta(NEXT);

// The revision that an editor had loaded, from `If-Match`.

export const NO_REV = 'If-Match must be the rev that you loaded, such as 1.';

/** Undefined when the header is absent. Refuses a header that holds no revision. */
export function sentRev({ headers }: FastifyRequest): number | undefined {
  const rev = readRev(headers['if-match']);
  if (rev === undefined && headers['if-match'] !== undefined) throw new Refused(400, NO_REV);
  return rev;
}

/** The revision in the header. Throws 428 with these words when it is missing. */
export function revOf({ headers }: FastifyRequest, missing: string): number {
  const rev = readRev(headers['if-match']);
  if (rev === undefined) throw new Refused(428, missing);
  return rev;
}

/** Reads `7`, or the ETag `"7"`. */
function readRev(header = ''): number | undefined {
  const [, rev] = /^"?(\d{1,9})"?$/.exec(header.trim()) ?? [];
  return rev === undefined ? undefined : Number(rev);
}
