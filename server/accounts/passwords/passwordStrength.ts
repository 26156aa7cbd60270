/**
 * How many guesses a password withstands, by zxcvbn. In a thread of its own, as its dictionaries take a second to load
 * and 70 MB; they are dropped again when nobody has chosen a password for a while.
 */
import { unavailable } from '../../refusals.ts';
import { idleThread } from '../idleThread.ts';

/** The time grows with the square of the length. What follows can only add to the guesses, but for repeats. */
const JUDGED_MAX = 40;
/** The same three characters or more, several times in a row. */
const REPEATED = /(.{3,64}?)\1+/gsu;
const WAITING_MAX = 20;

const busy = () => unavailable('Passwords cannot be judged at this moment. Try again in a few seconds.', 5);

const judge = idleThread<{ password: string; about: readonly string[] }, number>(
  new URL('strengthWorker.ts', import.meta.url),
  busy,
);

let waiting = 0;

/** Its decimal logarithm. `about`: words that those who know the account would try. 503 when too many ask at once, or
 *  when the machine is too busy to judge. */
export async function guessesLog10(password: string, about: readonly string[]): Promise<number> {
  if (waiting >= WAITING_MAX) throw busy();
  waiting++;
  try {
    // zxcvbn knows repeats, but not `about` in them, and not when they are cut off.
    const once = password.replaceAll(REPEATED, '$1');
    const guesses = await judge({ password: once.slice(0, JUDGED_MAX), about });
    return guesses + Math.log10(password.length / once.length);
  } finally {
    waiting--;
  }
}
