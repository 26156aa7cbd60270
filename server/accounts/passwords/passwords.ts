/** Passwords: which ones are accepted, how they are stored (argon2id), and how many are hashed at a time. */
import { randomInt } from 'node:crypto';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/accounts/auth.ts';
import { unavailable } from '../../refusals.ts';
import { fairQueue } from '../fairQueue.ts';
import type { HashAnswer, HashQuestion } from './hashWorker.ts';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Each hash takes 19 MiB and a thread for about 30 ms (OWASP's parameters for argon2id, the library's defaults). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Two threads: one hashes while the other reads or writes the database. */
const AT_ONCE = 2;
const MAX_WAITING = 200;

/** The hash of a password that nobody knows, with the same cost, so that an unknown address takes as long as a known
 *  one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$RPA2BBSQSRbWu2SXaMnHZA$ne4B5Efwf9T6vbHkXzkgcJN1wjUyddcWueGftQVDpRw';

const TOO_COMMON = 'Password is too common: choose one that nobody would guess';

/** The guesses that a person's own password must resist. Wrong guesses are limited to some hundreds a day, so a
 *  million is far out of reach. */
const OWN_GUESSES_LOG10 = 6;
/** The guesses that a password must resist when an administrator types it for somebody else. */
const GIVEN_GUESSES_LOG10 = 5;

/** The owner of the password. */
interface Owner {
  email: string;
  display_name: string;
}

/** Why a new password is not accepted: the reasons of `passwordProblem`, or because people who know its owner would
 *  guess it too soon. */
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

/** Why a new password is not accepted, as a sentence for its owner; null when it is accepted. It knows only the most
 *  common passwords. */
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

/** Letters and digits without those that are easily misread on a screen: 0 and o, 1, l and i. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of five characters: about 99 bits, and easy to copy from a terminal. */
export function generatePassword(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)];
  const group = () => Array.from({ length: 5 }, letter).join('');
  return Array.from({ length: 4 }, group).join('-');
}

const TEMPORARY_DAYS = 7;

/** Until when a password that somebody else has set can be exchanged for one's own. */
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
  /** Queues a task that hashes. Few run at once, so that a flood of sign-ins cannot use up the memory. Refuses with
   *  503 when the queue is full. `from`: the network of a person who is not signed in. The networks take turns, so
   *  that no network can keep the others waiting. */
  inTurn<T>(task: () => Promise<T>, from?: string): Promise<T>;
  hash(password: string): Promise<string>;
  /** `kept` is undefined for an unknown user: the check takes as long as any other, and never matches. */
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

/** One form for texts that look the same, because keyboards compose an é in different ways. */
function normal(password: string): string {
  return password.normalize('NFKC');
}

// Passwords like `Manchester2024`: a place near the person and a year, which many people think of first.

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

/** Place names, read when the first password has a year. */
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

/** The passwords that attackers try first, of 8 characters or more, in lower case. */
const WORDS = `
00000000 000000000 0000000000 01234567 012345678 0123456789 0987654321 1029384756 11111111 111111111 1111111111
11223344 112233445566 12121212 12131415 123123123 123123123a 123321123 1234567890 12345678 123456789 12345678910
123456789a 123456780 12345679 1234abcd 12341234 1234512345 123qweasd 123qweasdzxc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 21212121 22222222 222222222 23232323 33333333 3333333333 44444444 55555555
555555555 5555555555 66666666 666666666 69696969 77777777 777777777 7777777777 78787878 87654321 88888888 888888888
8888888888 98765432 987654321 9876543210 99999999 999999999 9999999999 a1234567 a12345678 a123456789 a1b2c3d4
a1b2c3d4e5 aa123456 aa12345678 aaaaaaaa aaaaaaaaaa abc12345 abc123456 abc123abc abcd1234 abcd12345 abcdefgh
abcdefghi abcdefghij abcdef123 access14 admin123 admin1234 admin12345 admin123456 adminadmin administrator
alexander alexandra arsenal1 arsenal123 asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl1 asd123456 asdasdasd
azerty123 azertyuiop barcelona baseball baseball1 basketball batman123 benjamin blink182 bollocks butterfly
california capslock caroline celtic1888 changeme changeme1 changeme123 changethis charlie1 charlie123 charlotte
chelsea1 chelsea123 chocolate christian christine christmas clearway clearway1 clearway123 computer computer1
coventry cristina danielle december default1 default123 dolphins dragon123 einstein elephant elizabeth england1
everton1 everton1878 everything fernando flower123 football football1 football123 freedom1 friends1 fuckyou1
gabriela garfield gateway1 google123 guest123 guestguest hardcore harrypotter hello123 hello1234 hellohello
iloveyou iloveyou1 iloveyou2 iloveyou123 iloveyouu internet jennifer jessica1 jonathan jordan23 kimberly
lalalala letmein1 letmein12 letmein123 letmeinnow liverpool liverpool1 liverpool123 london123 london2012 login123
loveyou1 lovelove manchester manchester1 manutd123 marlboro master123 maverick mercedes metallica michael1
michelle midnight mickeymouse minecraft monkey123 motorola mustang1 mypassword myspace1 natalie1 nicholas nicole123
november nothing1 p4ssw0rd p4ssword pa55w0rd pa55word pakistan pass1234 pass12345 passpass passw0rd passw0rd1
passw0rd123 password password! password0 password01 password1 password1! password10 password11 password12 password123
password123! password1234 password12345 password2 password3 password99 passwordpassword passwort patricia
pineapple pokemon1 pokemon123 portugal precious princess princess1 princess123 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
qazwsx123 qazwsxed qazwsxedc qwaszx12 qwer1234 qwerasdf qwerqwer qwert123 qwert1234 qwert12345 qwerty01 qwerty12
qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyui qwertyuiop qwertyuiop1 qwe123qwe qweasdzxc
qweqweqwe rainbow1 rangers1 samantha samsung1 scotland secret123 september shadow123 sheffield slipknot snowball
snoopdog sophie123 southampton spiderman spiderman1 starwars starwars1 steelers stephanie summer123 summer2020
summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 sunderland sunflower sunshine sunshine1 superman
superman1 superman123 sweetheart swordfish test1234 test12345 testtest testtest1 testing1 testing123 thomas123
tottenham tottenham1 trustno1 undertaker valentina valentine vanessa1 veronica victoria victoria1 volleyball
webmaster welcome1 welcome12 welcome123 welcome1234 westham1 whatever whatever1 william1 winter123 winter2024
winter2025 woaini1314 xxxxxxxx yankees1 yellow123 zaq12wsx zaq1zaq1 zaq1xsw2 zxcvbnm1 zxcvbnm123 zxcvbnma zzzzzzzz
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

// How many guesses a password resists, by zxcvbn. It runs in a thread of its own, because its dictionaries take a
// second to load and 70 MB. They are dropped when nobody has chosen a password for a while.

/** The most characters that are judged, because the time grows with the square of the length. Further characters can
 *  only add guesses, except for repeats. */
const JUDGED_MAX = 40;
/** The same three or more characters, several times in a row. */
const REPEATED = /(.{3,64}?)\1+/gsu;
const WAITING_MAX = 20;

const busy = () => unavailable('Passwords cannot be checked at this moment. Try again in a few seconds.', 5);

const judge = idleThread<{ password: string; about: readonly string[] }, number>(
  new URL('strengthWorker.ts', import.meta.url),
  busy,
);

let waiting = 0;

/** The decimal logarithm of the guesses. `about`: words that people who know the account would try. Throws 503 when
 *  too many ask at once, or when the machine is too busy to judge. */
async function guessesLog10(password: string, about: readonly string[]): Promise<number> {
  if (waiting >= WAITING_MAX) throw busy();
  waiting++;
  try {
    // zxcvbn finds repeats, but not when they hold a word of `about` or are cut off.
    const once = password.replaceAll(REPEATED, '$1');
    const guesses = await judge({ password: once.slice(0, JUDGED_MAX), about });
    return guesses + Math.log10(password.length / once.length);
  } finally {
    waiting--;
  }
}

/** How long a thread waits for more work before it ends. */
const IDLE_MS = 30_000;
/** The most time for one piece of work: enough for a small machine, with the start of the thread. */
const PATIENCE_MS = 30_000;

/** A thread for work that takes long or needs much memory, one piece at a time. `file` answers each message with
 *  one. `late`: the error when a piece takes too long. */
export function idleThread<Question, Answer>(file: URL, late: () => Error) {
  let worker: Worker | null = null;
  let asked: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function started(): Worker {
    const thread = new Worker(file);
    const fail = (error: Error) => {
      if (worker === thread) asked?.reject(error);
    };
    // A thread that was given up may still answer.
    thread.on('message', (answer: Answer) => worker === thread && asked?.resolve(answer));
    thread.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => fail(new Error(`The thread of ${file.pathname} has ended.`)));
    return thread;
  }

  function drop(): void {
    void worker?.terminate();
    worker = null;
  }

  async function askNow(question: Question): Promise<Answer> {
    clearTimeout(idle);
    const thread = (worker ??= started());
    thread.ref();
    const patience = setTimeout(() => asked?.reject(late()), PATIENCE_MS);
    try {
      return await new Promise<Answer>((resolve, reject) => {
        asked = { resolve, reject };
        thread.postMessage(question, []);
      });
    } catch (error) {
      drop();
      throw error;
    } finally {
      clearTimeout(patience);
      thread.unref();
      idle = setTimeout(drop, IDLE_MS).unref();
    }
  }

  return (question: Question): Promise<Answer> => {
    const turn = last.then(() => askNow(question));
    last = turn.catch(() => {});
    return turn;
  };
}
