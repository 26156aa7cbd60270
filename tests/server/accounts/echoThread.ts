/** A thread that answers with the message that it gets, and then sets a flag for which the other thread can wait. */
import { parentPort } from 'node:worker_threads';

export interface Question {
  text: string;
  answered: Int32Array<SharedArrayBuffer>;
}

const port = parentPort!; // this file only ever runs as a thread

port.on('message', ({ text, answered }: Question) => {
  port.postMessage(text);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});
