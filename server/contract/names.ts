/** Names that people give: to themselves, to keys and to displays. */
import { z } from 'zod/mini';

/** A text in which something can be seen: more than spaces and characters that draw nothing, such as the Hangul filler
 *  and the blank of braille. */
export const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A person's. */
export const PersonName = z
  .string()
  .check(z.trim(), z.regex(VISIBLE, { error: 'Display name is required', abort: true }), z.maxLength(120));
