/** The place in a list where its next page begins: the values of the last row by which the list is sorted, as one word
 *  that only the server reads. */
import type { z } from 'zod';
import { badInput } from '../refusals.ts';

export const OTHER_CURSOR = 'cursor must be the next_cursor of an earlier answer';

export function pageCursor<Values extends readonly unknown[]>(schema: z.ZodType<Values>) {
  const parse = (text: string): Values | null => {
    try {
      return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data ?? null;
    } catch {
      return null;
    }
  };
  return {
    isCursor: (text: string) => parse(text) !== null,
    write: (values: Values) => Buffer.from(JSON.stringify(values)).toString('base64url'),
    /** Throws 400 for any other word. */
    read(text: string): Values {
      const values = parse(text);
      if (!values) throw badInput(OTHER_CURSOR, 'cursor');
      return values;
    },
  };
}
