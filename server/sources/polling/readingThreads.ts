/**
 * Reads sources in separate threads. One thread reads all sources, because each thread costs about 40 MB; but a source
 * whose document takes long keeps its thread for itself, and the others go on in another.
 */
import {
  CLOSED,
  readingThread,
  type Job,
  type ReadingThread,
  type ReadingThreadParts,
} from './readingThread.ts';
import type { Read } from './readSource.ts';

/** The largest genuine document takes a tenth of it on a small machine. */
const STEP_MS_MAX = 15_000;
/** After this the others no longer wait for a document. Genuine ones take less: another thread costs memory. */
const PATIENCE_MS = 3000;
/** Threads with one source each, beside the common one. When there are so many, the others wait. */
const APART_MAX = 2;

export interface ReadingThreads {
  read: Read;
  /** Whatever is being read fails. */
  close(): Promise<void>;
}

export function readingThreads({
  stepMsMax = STEP_MS_MAX,
  patienceMs = PATIENCE_MS,
  directory,
}: Pick<ReadingThreadParts, 'directory'> & Partial<ReadingThreadParts>): ReadingThreads {
  const apart = new Set<ReadingThread>();
  /** Sources that took long the last time: they begin in a thread of their own. */
  const slow = new Set<string>();
  let common = open();
  let isClosed = false;
  let lastId = 0;

  function open(): ReadingThread {
    const thread = readingThread({
      directory,
      stepMsMax,
      patienceMs,
      onLong(job) {
        slow.add(job.source);
        if (thread !== common || apart.size === APART_MAX) return;
        apart.add(thread);
        common = open();
        for (const other of thread.giveOthers()) common.take(other);
      },
      onEmpty() {
        if (apart.delete(thread)) void thread.close();
      },
    });
    return thread;
  }

  function threadFor({ source }: Job): ReadingThread {
    if (!slow.delete(source) || apart.size === APART_MAX) return common;
    const thread = open();
    apart.add(thread);
    return thread;
  }

  return {
    read: ({ source }, tools) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(CLOSED));
        const job: Job = { id: ++lastId, source, tools, collected: null, records: [], resolve, reject };
        const giveUp = () => {
          for (const thread of [common, ...apart]) thread.drop(job);
          reject(tools.signal?.reason as Error);
        };
        tools.signal?.addEventListener('abort', giveUp, { once: true });
        threadFor(job).take(job);
      }),

    async close() {
      isClosed = true;
      await Promise.all([common, ...apart].map((thread) => thread.close()));
    },
  };
}
