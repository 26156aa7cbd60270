/** The thread that matches, as the service sees it: one step at a time, and an end where it fails. */
import { Worker } from 'node:worker_threads';
import type { Said, Step } from './matchingMessages.ts';

export interface MatchingThread {
  /** Everything that it found. Rejects when the thread has ended. One step at a time. */
  ask(step: Exclude<Step, { kind: 'more' }>): Promise<Pick<Said, 'found' | 'faults'>>;
  close(): Promise<void>;
}

export function matchingThread(): MatchingThread {
  const worker = new Worker(new URL('matchingWorker.ts', import.meta.url));
  let waiting: { resolve(said: Said): void; reject(error: Error): void } | null = null;
  let ended: Error | null = null;

  const end = (error: Error) => {
    ended ??= error;
    waiting?.reject(ended);
    waiting = null;
  };
  worker.on('message', (said: Said) => {
    const asked = waiting;
    waiting = null;
    asked?.resolve(said);
  });
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => end(new Error('The matching thread has ended.')));

  const send = (step: Step) =>
    new Promise<Said>((resolve, reject) => {
      if (ended) return reject(ended);
      waiting = { resolve, reject };
      worker.postMessage(step, []);
    });

  return {
    async ask(step) {
      const first = await send(step);
      const found = first.found;
      for (let said = first; !said.isLast;) {
        said = await send({ kind: 'more' });
        for (const match of said.found) found.push(match);
      }
      return { found, faults: first.faults };
    },

    async close() {
      await worker.terminate();
    },
  };
}
