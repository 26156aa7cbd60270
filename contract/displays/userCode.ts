/** The short code that a display shows, and how people type it. */

/** Only consonants, as in RFC 8628, 6.1: no code is a word, and no letter looks like a digit. M and W are left out:
 *  from a distance they look like N and V, and they take twice the space. */
export const USER_CODE_LETTERS = 'BCDFGHJKLNPQRSTVXZ';
export const USER_CODE_LENGTH = 8;

/** "bcdf ghjk" and "BCDF-GHJK" to "BCDFGHJK"; null if it cannot be a code. */
export const readUserCode = (text: string): string | null =>
  userCodeProblem(text) === null ? lettersOf(text) : null;

/** Why this cannot be a code, as a sentence for the person who typed it; null when it can be one. */
export function userCodeProblem(text: string): string | null {
  const letters = lettersOf(text);
  if (letters.length !== USER_CODE_LENGTH)
    return `A code has ${USER_CODE_LENGTH} letters, such as BCDF-GHJK. Look at the screen again.`;
  const foreign = [...new Set(letters)].filter((letter) => !USER_CODE_LETTERS.includes(letter));
  if (foreign.length === 0) return null;
  const named = foreign.every((letter) => /[A-Z\d]/.test(letter)) ? foreign.join(' or ') : 'such a character';
  return `No code has ${named} in it, only letters of ${USER_CODE_LETTERS}. Look at the screen again.`;
}

const lettersOf = (text: string) => text.toUpperCase().replaceAll(/[\s\p{P}]/gu, '');

/** "BCDFGHJK" to "BCDF-GHJK", the form shown. */
export const showUserCode = (code: string) =>
  `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
