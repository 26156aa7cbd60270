/** The thread that matches, as the service sees it: one step at a time, and an end where it fails. */
import { Worker } from 'node:worker_threads';
import type { FoundMatch, MatchedWatch } from './matchStore.ts';
import type { Crowd, MatchedIncident } from './matchInput.ts';
import type { Demoted } from './demotedMatch.ts';

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

// The messages between the service's thread and the one that matches.

/** To the matching thread. It answers each with one `Said`. */
export type Step =
  /** `put`: kept from now on; `drop`: ids that it no longer keeps. */
  | { kind: 'watches'; put: readonly MatchedWatch[]; drop: readonly string[] }
  | { kind: 'incidents'; put: readonly MatchedIncident[]; drop: readonly string[] }
  /** All that there are, and which alerts others stand for. */
  | { kind: 'merged'; into: ReadonlyMap<string, string> }
  /** All sources that are possible at best, and for whom. */
  | { kind: 'demoted'; sources: Demoted }
  | { kind: 'crowds'; all: readonly Crowd[] }
  /** These watches against every incident, or against every event. */
  | { kind: 'matchWatches' | 'matchEvents'; ids: readonly string[] }
  /** These incidents against every watch. */
  | { kind: 'matchIncidents'; ids: readonly string[] }
  | { kind: 'more' };

export interface Said {
  /** The next part of what was found; `more` fetches the following ones: receiving them holds up the service. */
  found: FoundMatch[];
  isLast: boolean;
  /** Watches that could not be read, and why. */
  faults: { id: string; message: string }[];
}
