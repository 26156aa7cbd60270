/** The service's side of the matching thread: one step at a time, and its end if it fails. */
import { Worker } from 'node:worker_threads';
import type { FoundMatch, MatchedWatch } from './matchStore.ts';
import type { Crowd, MatchedIncident } from './matchInput.ts';
import type { Demoted } from './demotedMatch.ts';

export interface MatchingThread {
  /** Resolves with everything that the thread found. Rejects when the thread has ended. One step at a time. */
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

// The messages between the service's thread and the matching thread.

/** A message to the matching thread, which answers each with one `Said`. */
export type Step =
  /** `put`: watches to keep from now on; `drop`: ids of watches to forget. */
  | { kind: 'watches'; put: readonly MatchedWatch[]; drop: readonly string[] }
  | { kind: 'incidents'; put: readonly MatchedIncident[]; drop: readonly string[] }
  /** All merged alerts: from each id to the id of the alert that stands for it. */
  | { kind: 'merged'; into: ReadonlyMap<string, string> }
  /** All sources that are possible at best, and the teams to which this applies. */
  | { kind: 'demoted'; sources: Demoted }
  | { kind: 'crowds'; all: readonly Crowd[] }
  /** Compare these watches with every incident, or with every event. */
  | { kind: 'matchWatches' | 'matchEvents'; ids: readonly string[] }
  /** Compare these incidents with every watch. */
  | { kind: 'matchIncidents'; ids: readonly string[] }
  | { kind: 'more' };

export interface Said {
  /** The next part of the matches; `more` fetches the following parts, because receiving them holds up the service. */
  found: FoundMatch[];
  isLast: boolean;
  /** Watches that could not be read, and why. */
  faults: { id: string; message: string }[];
}
