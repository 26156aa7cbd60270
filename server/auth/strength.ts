/**
 * How many guesses a password withstands, by zxcvbn. In a thread of its own, as its dictionaries take a second to load
 * and 70 MB; they are dropped again when nobody has chosen a password for a while.
 */
import { Worker } from 'node:worker_threads';
import { unavailable } from '../refusals.ts';

/** The time grows with the square of the length. What follows can only add to the guesses, but for repeats. */
const JUDGED_MAX = 40;
/** The same three characters or more, several times in a row. */
const REPEATED = /(.{3,64}?)\1+/gsu;
/** On a small machine, with its start. */
const PATIENCE_MS = 30_000;
const IDLE_MS = 30_000;
const WAITING_MAX = 20;

const busy = () => unavailable('Passwords cannot be judged at this moment. Try again in a few seconds.', 5);

let worker: Worker | null = null;
let asked: { resolve(guesses: number): void; reject(error: Error): void } | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Its decimal logarithm. `about`: words that those who know the account would try. 503 when too many ask at once, or
 *  when the machine is too busy to judge. */
export async function guessesLog10(password: string, about: readonly string[]): Promise<number> {
  if (waiting >= WAITING_MAX) throw busy();
  waiting++;
  try {
    const turn = last.then(() => guessesOf(password, about));
    last = turn.catch(() => {});
    return await turn;
  } finally {
    waiting--;
  }
}

/** zxcvbn knows repeats, but not `about` in them, and not when they are cut off. */
async function guessesOf(password: string, about: readonly string[]): Promise<number> {
  const once = password.replaceAll(REPEATED, '$1');
  const guesses = await ask(once.slice(0, JUDGED_MAX), about);
  return guesses + Math.log10(password.length / once.length);
}

async function ask(password: string, about: readonly string[]): Promise<number> {
  clearTimeout(idle);
  const thread = (worker ??= started());
  thread.ref();
  const patience = setTimeout(() => asked?.reject(busy()), PATIENCE_MS);
  try {
    return await new Promise<number>((resolve, reject) => {
      asked = { resolve, reject };
      thread.postMessage({ password, about }, []);
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

function started(): Worker {
  const thread = new Worker(new URL('strengthWorker.ts', import.meta.url));
  const fail = (error: Error) => {
    if (worker === thread) asked?.reject(error);
  };
  thread.on('message', (guesses: number) => asked?.resolve(guesses));
  thread.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  thread.on('exit', () => fail(new Error('The thread that judges passwords has ended.')));
  return thread;
}

function drop(): void {
  void worker?.terminate();
  worker = null;
}
