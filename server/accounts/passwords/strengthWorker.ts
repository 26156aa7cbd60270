/** The thread that judges passwords: see passwords.ts. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

const port = parentPort!; // this file runs only as a thread

const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  // Each further way to read a character multiplies the time that a hostile password costs.
  l33tMaxSubstitutions: 10,
});

port.on('message', ({ password, about }: { password: string; about: string[] }) => {
  port.postMessage(judge.check(password, about).guessesLog10);
});
