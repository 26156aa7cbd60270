/** The short code that a display shows, and how it is typed. */

/** As in RFC 8628, 6.1, consonants alone: no code is a word, and no letter passes for a digit. Without its M and W, which
 *  pass for N and V from afar, and take twice the room. */
export const USER_CODE_LETTERS = 'BCDFGHJKLNPQRSTVXZ';
export const USER_CODE_LENGTH = 8;

/** "bcdf ghjk" and "BCDF-GHJK" to "BCDFGHJK"; null for what cannot be a code. */
export function readUserCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s\p{P}]/gu, '');
  const isCode =
    letters.length === USER_CODE_LENGTH && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return isCode ? letters : null;
}

/** "BCDFGHJK" to "BCDF-GHJK", as it is shown. */
export const showUserCode = (code: string) =>
  `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
