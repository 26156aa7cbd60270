/** How the query parameters of several calls are read. */
import { z } from 'zod';

/** An empty parameter counts as absent. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

export const optional = <T extends z.ZodType>(schema: T) => unlessEmpty(schema.optional());

export const words = (max: number) => optional(z.string().max(max));

const WHOLE = z.coerce
  .number({ error: ({ code }) => (code === 'invalid_type' ? 'must be a whole number' : undefined) })
  .int();

export const wholeNumber = (max: number, standard: number) =>
  unlessEmpty(WHOLE.min(1).max(max).default(standard));

/** Empty text is refused; it would otherwise be read as 0. */
export const degrees = (bound: number) =>
  unlessEmpty(
    z.coerce
      .number('must be a number of degrees')
      .min(-bound, `must be between -${bound} and ${bound}`)
      .max(bound, `must be between -${bound} and ${bound}`),
  );

export const yesNo = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

/** One of these words, upper or lower case; returned as it was given. */
export const oneOf = (values: readonly string[]) =>
  optional(
    z.string().refine((value) => values.includes(value.toLowerCase()), `must be one of ${values.join(', ')}`),
  );

/** Parameters that can be given several times. */
const LISTS = new WeakSet<object>();

export const isList = (schema: z.ZodType) => LISTS.has(schema);

/** One or more of these words, upper or lower case: separated by commas, in repeated parameters, or both. Undefined
 *  when there are none. */
export function severalOf(values: readonly string[]) {
  const several = z.preprocess(
    (value) => {
      const given = [value ?? []].flat().flatMap((one) => String(one).toLowerCase().split(','));
      const said = [...new Set(given.map((word) => word.trim()))].filter(Boolean);
      return said.length > 0 ? said : undefined;
    },
    z
      .array(z.string())
      .refine((said) => said.every((word) => values.includes(word)), `must be one of ${values.join(', ')}`)
      .optional(),
  );
  LISTS.add(several);
  return several;
}

/** The `next_cursor` of an answer. */
export const cursor = (isOne: (text: string) => boolean) =>
  optional(z.string().refine(isOne, 'must be the next_cursor of an earlier answer'));
