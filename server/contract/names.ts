/** Names that people give: to themselves, to keys and to displays. */
import { z } from 'zod/mini';

/** A text in which something can be seen: more than spaces and characters that draw nothing, such as the Hangul filler
 *  and the blank of braille. */
export const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Not over two lines, and without what no text may hold. */
export const isOneLine = (text: string) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);

/** Without what turns round the words that stand beside it. Of the controls of bidirectional text these are the
 *  embeddings, overrides and isolates; the marks U+200E and U+200F only take sides, and names of two scripts need them. */
export const keepsItsDirection = (text: string) => !/[\u202a-\u202e\u2066-\u2069]/u.test(text);

/** As people count. */
export const hasAtMost = (most: number) => (text: string) => [...text].length <= most;

const PERSON_NAME_MAX = 120;

/** A person's. */
export const PersonName = z
  .string({
    error: ({ input }) => `Display name ${input === undefined ? 'is required' : 'must be a string'}`,
  })
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Display name is required', abort: true }),
    z.refine(hasAtMost(PERSON_NAME_MAX), `Display name must have at most ${PERSON_NAME_MAX} characters`),
    z.refine(isOneLine, 'Display name must be one line of text'),
    z.refine(keepsItsDirection, 'Display name must not hold characters that turn the direction of text'),
  );
