/** The thread that hashes passwords: see passwords.ts. */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

export type HashQuestion = { password: string } & ({ kept: string } | { cost: Options });
/** A hash, or whether the password matches, or why the work failed. */
export type HashAnswer = { answer: string | boolean } | { failed: string };

/** With this lower priority, a hash gets a third of the processor time of another thread when all are busy. */
const LESS_PRIORITY = 5;
const LEAST_PRIORITY = 19;

// On a small machine a hash would otherwise delay everybody's answers.
try {
  const thread = Number(basename(readlinkSync('/proc/thread-self')));
  setPriority(thread, Math.min(LEAST_PRIORITY, getPriority() + LESS_PRIORITY));
} catch {
  /* Only Linux gives each thread a priority of its own. */
}

const port = parentPort!; // this file runs only as a thread

port.on('message', (question: HashQuestion) => port.postMessage(answerTo(question)));

function answerTo(question: HashQuestion): HashAnswer {
  try {
    if ('cost' in question) return { answer: hashSync(question.password, question.cost) };
    return { answer: verifySync(question.kept, question.password) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
