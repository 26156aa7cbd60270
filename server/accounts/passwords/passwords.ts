/** Passwords: which are accepted, how they are stored (argon2id), and how many are hashed at a time. */
import { randomInt } from 'node:crypto';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/accounts/auth.ts';
import { unavailable } from '../../refusals.ts';
import { COMMON_PASSWORDS } from './commonPasswords.ts';
import { fairQueue } from '../fairQueue.ts';
import type { HashAnswer, HashQuestion } from './hashWorker.ts';
import { idleThread } from '../idleThread.ts';
import { guessesLog10 } from './passwordStrength.ts';
import { readFileSync } from 'node:fs';

/** Each hash takes 19 MiB and a thread for about 30 ms (OWASP's parameters for argon2id, the library's defaults). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** One hashes, and one reads or writes the database meanwhile. */
const AT_ONCE = 2;
const MAX_WAITING = 200;

/** The hash of an unknown password, at the same cost: an unknown address takes as long as a known one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$RPA2BBSQSRbWu2SXaMnHZA$ne4B5Efwf9T6vbHkXzkgcJN1wjUyddcWueGftQVDpRw';

const TOO_COMMON = 'Password is too common: choose one that nobody would guess';

/** Wrong guesses are limited to some hundreds a day, so a million is far out of reach. */
const OWN_GUESSES_LOG10 = 6;
/** The guesses that a password must stand which an administrator types for somebody else. */
const GIVEN_GUESSES_LOG10 = 5;

/** Whose password it is. */
interface Owner {
  email: string;
  display_name: string;
}

/** Why a new password is not accepted: as below, and where it is guessed too soon by those who know its owner. */
export async function guessProblem(
  password: string,
  { email, display_name }: Owner,
  chosenBy: 'owner' | 'administrator' = 'owner',
): Promise<string | null> {
  const problem = passwordProblem(password);
  if (problem) return problem;

  const names = display_name.split(/\s+/);
  const together = ['', '.', '-', '_', ' '].map((between) => names.join(between));
  const words = [email, ...email.split('@'), ...email.split(/[^\p{L}\p{N}]+/u), ...together, ...names];
  const about = [...new Set(['clearway', ...words.filter((word) => word.length > 2)])].slice(0, 20);
  const guesses = await guessesLog10(normal(password), about);
  return guesses < (chosenBy === 'owner' ? OWN_GUESSES_LOG10 : GIVEN_GUESSES_LOG10) ? TOO_COMMON : null;
}

/** Why a new password is not accepted, as a sentence for its owner; null when it is. Knows only the commonest. */
export function passwordProblem(password: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `Password must have at least ${PASSWORD_MIN} characters`;
  if (length > PASSWORD_MAX) return `Password must have at most ${PASSWORD_MAX} characters`;

  const plain = normal(password).toLowerCase();
  if (COMMON_PASSWORDS.has(plain) || new Set(plain).size < 3 || isPlaceAndYear(plain)) {
    return TOO_COMMON;
  }
  return null;
}

/** Without characters that are easily misread on a screen: 0 and o, 1, l and i. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of five characters: about 99 bits, and easy to copy from a terminal. */
export function generatePassword(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)];
  const group = () => Array.from({ length: 5 }, letter).join('');
  return Array.from({ length: 4 }, group).join('-');
}

const TEMPORARY_DAYS = 7;

/** Until when a password that was set by somebody else can be exchanged for one's own. */
export const temporaryUntil = (now: Date): Date =>
  new Date(now.getTime() + TEMPORARY_DAYS * 24 * 60 * 60 * 1000);

const thread = idleThread<HashQuestion, HashAnswer>(new URL('hashWorker.ts', import.meta.url), () =>
  unavailable('Passwords cannot be checked at this moment. Try again in a few seconds.', 5),
);

async function inThread(question: HashQuestion): Promise<string | boolean> {
  const done = await thread(question);
  if ('failed' in done) throw new Error(`A password could not be hashed: ${done.failed}`);
  return done.answer;
}

const verify = async (kept: string, password: string) => (await inThread({ kept, password })) === true;

export interface Passwords {
  /** Queues a task that hashes. Few run at once, so that a flood of sign-ins cannot use up the memory.
   *  Refuses with 503 when the queue is full. `from`: the network of one who is not signed in; each has its turn, so that
   *  none can keep the others waiting. */
  inTurn<T>(task: () => Promise<T>, from?: string): Promise<T>;
  hash(password: string): Promise<string>;
  /** `kept` is undefined for an unknown user: takes as long, and never matches. */
  matches(password: string, kept: string | undefined): Promise<boolean>;
}

/** `verifyHash` is argon2's; tests replace it to count calls. */
export function passwords(
  verifyHash: (kept: string, password: string) => Promise<boolean> = verify,
): Passwords {
  const queue = fairQueue({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    full: () => unavailable('Too many people are signing in at this moment. Try again in a few seconds.', 5),
  });

  return {
    inTurn: (task, from = '') => queue(from, task),

    hash: async (password) => String(await inThread({ password: normal(password), cost: COST })),

    async matches(password, kept) {
      const matches = await verifyHash(kept ?? NOBODYS_HASH, normal(password));
      return kept !== undefined && matches;
    },
  };
}

/** One form for text that looks the same: keyboards compose an é in different ways. */
function normal(password: string): string {
  return password.normalize('NFKC');
}

// Passwords of the kind `Manchester2024`: a place near the person, and a year. Everybody's first idea.

const YEAR = /(?:19|20)\d\d/;
const LETTERS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** Read when the first password has a year. */
let names: ReadonlySet<string> | undefined;

function isPlaceAndYear(password: string): boolean {
  if (!YEAR.test(password)) return false;
  names ??= placeNames();
  const rest = password.replace(YEAR, '').replaceAll(/[01345@$]/g, (sign) => LETTERS_LIKE[sign]!);
  return names.has(lettersOf(rest));
}

function placeNames(): Set<string> {
  const file = readFileSync(new URL('../../geography/names/places.json', import.meta.url), 'utf8');
  const { places } = JSON.parse(file) as { places: [name: string][] };
  return new Set(places.map(([name]) => lettersOf(name)));
}

const lettersOf = (words: string) =>
  words
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Script=Latin}]/gu, '');
