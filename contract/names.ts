/** Names that people choose for themselves, for keys and for displays. */
import { z } from 'zod/mini';

/** A text with something visible: more than spaces and invisible characters, such as the Hangul filler and the
 *  Braille blank. */
export const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** No line breaks, control characters or lone surrogates. */
export const isOneLine = (text: string) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);

/** Without characters that reverse the text beside them: bidirectional embeddings, overrides and isolates. The marks
 *  U+200E and U+200F are allowed: they reverse nothing, and names in two scripts need them. */
export const keepsItsDirection = (text: string) => !/[\u202a-\u202e\u2066-\u2069]/u.test(text);

/** Counts code points, not UTF-16 units. */
export const hasAtMost = (most: number) => (text: string) => [...text].length <= most;

const PERSON_NAME_MAX = 120;

/** The name of a person. */
export const PersonName = z
  .string({
    error: ({ input }) => `Display name ${input === undefined ? 'is required' : 'must be a string'}`,
  })
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Display name is required', abort: true }),
    z.refine(hasAtMost(PERSON_NAME_MAX), `Display name must have at most ${PERSON_NAME_MAX} characters`),
    z.refine(isOneLine, 'Display name must be one line of text'),
    z.refine(keepsItsDirection, 'Display name must not contain characters that change the text direction'),
  );
