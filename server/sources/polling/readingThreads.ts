/** Reads sources in separate threads. One thread reads all sources, because each thread costs about 40 MB. A source
 *  whose document takes long keeps that thread to itself, and the others continue in another one. */
import type { Read, ReadingTools } from './readSource.ts';
import { Worker } from 'node:worker_threads';
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';
import { errorOf, faultFor, type Asked, type Said, type Step } from './readingMessages.ts';

/** The most processor time for one step. The largest genuine document takes a tenth of it on a small machine. */
const STEP_MS_MAX = 15_000;
/** By the clock a step may take this many times as long, because on a busy machine every document takes long. */
const CLOCK_FACTOR = 4;
/** After this time the other sources no longer wait for a document. Genuine documents take less, because another
 *  thread costs memory. */
const PATIENCE_MS = 3000;
/** How many threads may read one slow source each, beside the common thread. When all are in use, the others wait. */
const APART_MAX = 2;

export interface ReadingThreads {
  read: Read;
  /** Ends the threads. Everything that is being read fails. */
  close(): Promise<void>;
}

export function readingThreads({
  stepMsMax = STEP_MS_MAX,
  patienceMs = PATIENCE_MS,
  directory,
}: Pick<ReadingThreadParts, 'directory'> & Partial<ReadingThreadParts>): ReadingThreads {
  const apart = new Set<ReadingThread>();
  /** Sources that took long the last time. They begin in a thread of their own. */
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

// One thread that reads documents. A document that takes too long or too much memory ends the thread: that source's
// reading fails, and the others begin again in a new thread. The network, the database and the secrets stay in the
// service's own thread. This thread gets one step at a time (for example the answer to a collector's request) and
// reports when the step is done, so we always know whose document it is reading.

/** The longest time for the start of the thread, including its modules. */
const START_MS_MAX = 60_000;
/** Enough memory for a large document as a tree. */
const MEMORY_MAX_MB = 160;
/** After this time without work the thread ends, and its memory is freed. */
const IDLE_MS = 20_000;

/** One reading of a source. */
interface Job {
  id: number;
  source: string;
  tools: ReadingTools;
  collected: Omit<Collected, 'records'> | null;
  records: DisruptionRecord[];
  resolve(collected: Collected): void;
  reject(error: Error): void;
}

interface ReadingThread {
  /** Reads the job from its beginning. */
  take(job: Job): void;
  /** Drops a job that nothing waits for any more. */
  drop(job: Job): void;
  /** Gives away all jobs except the one that is being read. */
  giveOthers(): Job[];
  /** Ends the thread. The jobs that it reads fail. */
  close(): Promise<void>;
}

/** A step to send, the buffers to transfer with it, and how to forget an answer that cannot be read. */
interface Due {
  job: Job;
  step: Step;
  transfer?: ArrayBuffer[];
  forget?: () => void;
}

/** One run of the thread. */
interface Life {
  worker: Worker;
  /** The job that is being read; `null` while the thread starts. */
  at: Job | null;
  isBusy: boolean;
  /** Forgets the answer that is being read now. */
  forget?: () => void;
  timer?: ReturnType<typeof setTimeout>;
  patience?: ReturnType<typeof setInterval>;
}

interface ReadingThreadParts {
  /** The module whose COLLECTORS are read. */
  directory: URL;
  /** Processor time. */
  stepMsMax: number;
  /** The time of `onLong` in ms, roughly, on an idle machine. */
  patienceMs: number;
}

const tookLonger = (ms: number) => `Reading took longer than ${ms / 1000} s and was stopped.`;

function readingThread({
  directory,
  stepMsMax,
  patienceMs,
  onLong,
  onEmpty,
}: ReadingThreadParts & {
  /** Called when a step of this job has taken longer than `patienceMs`, most of it processor time. */
  onLong: (job: Job) => void;
  /** No job is left. */
  onEmpty: () => void;
}): ReadingThread {
  const jobs = new Map<number, Job>();
  let steps: Due[] = [];
  let life: Life | null = null;
  let ending: Promise<unknown> | null = null;
  let isClosed = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function begin(job: Job): void {
    const { now, settings } = job.tools;
    job.records = [];
    job.collected = null;
    send({ job, step: { kind: 'begin', job: job.id, source: job.source, now, settings } });
  }

  function send(due: Due): void {
    steps.push(due);
    goOn();
  }

  function goOn(): void {
    if (ending || isClosed || steps.length === 0) return;
    clearTimeout(idle);
    if (!life) {
      life = open();
      return;
    }
    if (life.isBusy) return;

    const { job, step, transfer, forget } = steps.shift()!; // there is one
    // The job was given up meanwhile, so nothing waits for it.
    if (!jobs.has(job.id)) return goOn();
    life.at = job;
    life.forget = forget;
    occupy(life, stepMsMax * CLOCK_FACTOR, tookLonger(stepMsMax * CLOCK_FACTOR));
    watch(life, job);
    life.worker.postMessage(step, transfer);
  }

  function occupy(of: Life, ms: number, message: string): void {
    of.isBusy = true;
    of.timer = setTimeout(() => end(of, message), ms);
  }

  function stopWatching(of: Life): void {
    clearInterval(of.patience);
    of.patience = undefined;
  }

  /** Watches how much processor time a step takes. */
  function watch(of: Life, job: Job): void {
    let before: number | undefined;
    let isLong = false;
    const timer = setInterval(
      async () => {
        const usage = await of.worker.cpuUsage().catch(() => null); // null: it has ended
        if (!usage || of.patience !== timer) return;
        const sinceStart = (usage.user + usage.system) / 1000;
        before ??= sinceStart;
        const usedMs = sinceStart - before;
        if (usedMs >= stepMsMax) return end(of, tookLonger(stepMsMax));
        if (isLong || usedMs < patienceMs / 3) return;
        isLong = true;
        if (jobs.has(job.id)) onLong(job);
        else end(of, 'Nobody waits for it.');
      },
      Math.min(patienceMs, stepMsMax) / 2,
    );
    of.patience = timer;
  }

  function open(): Life {
    const worker = new Worker(new URL('readingWorker.ts', import.meta.url), {
      workerData: directory.href,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB, maxYoungGenerationSizeMb: 2 },
    });
    const opened: Life = { worker, at: null, isBusy: true };
    occupy(opened, START_MS_MAX, 'The thread that reads documents did not start.');
    let last: NodeJS.ErrnoException | undefined;
    worker.on('message', (said: Said) => {
      if (life === opened) hear(opened, said);
    });
    worker.on('error', (error) => (last = error));
    worker.on('exit', () => {
      const isMemory = last?.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end(
        opened,
        isMemory
          ? 'Reading needed more memory than a source may use and was stopped.'
          : `The thread that reads documents ended: ${last?.message ?? 'no reason given'}`,
      );
    });
    return opened;
  }

  /** Ends the thread. The current job fails. If the thread could not start, there is no current job, and all fail.
   *  The others start again. */
  function end(of: Life, message: string): void {
    if (life !== of) return;
    clearTimeout(of.timer);
    stopWatching(of);
    life = null;
    steps = [];
    ending = of.worker.terminate().finally(() => {
      ending = null;
      goOn();
    });
    const failing = of.at ? [of.at] : [...jobs.values()];
    for (const job of failing) finish(job, () => job.reject(new Error(message)));
    for (const job of jobs.values()) begin(job);
  }

  function hear(of: Life, said: Said): void {
    if (said.kind === 'isDone') {
      clearTimeout(of.timer);
      stopWatching(of);
      of.isBusy = false;
      of.at = null;
      return goOn();
    }
    if (said.kind === 'forget') return of.forget?.();
    const job = jobs.get(said.job);
    if (!job) return;
    if (said.kind === 'call') return void answer(of, job, said.call, said.asked);
    if (said.kind === 'failed') return finish(job, () => job.reject(errorOf(said.fault)));
    if (said.kind === 'collected') job.collected = said.collected;
    else job.records = job.records.concat(said.records);
    if (said.kind === 'records' && said.isLast) {
      const { collected, records } = job;
      // `collected` arrives before the records.
      return finish(job, () => job.resolve({ ...collected!, records }));
    }
    send({ job, step: { kind: 'more', job: job.id } });
  }

  async function answer(of: Life, job: Job, call: number, asked: Asked): Promise<void> {
    let due: Due;
    try {
      due = { job, ...(await answerOf(job.tools, call, asked)) };
    } catch (error) {
      due = { job, step: { kind: 'refusal', call, fault: faultFor(error) } };
    }
    // A newer thread did not ask for this answer.
    if (life === of && jobs.has(job.id)) send(due);
  }

  function finish(job: Job, tell: () => void): void {
    jobs.delete(job.id);
    tell();
    if (jobs.size > 0) return;
    onEmpty();
    clearTimeout(idle);
    idle = setTimeout(() => {
      const resting = life;
      if (resting && jobs.size === 0) end(resting, 'Nothing is left to read.');
    }, IDLE_MS);
    idle.unref();
  }

  return {
    take(job) {
      jobs.set(job.id, job);
      begin(job);
    },

    drop(job) {
      if (jobs.has(job.id)) finish(job, () => {});
    },

    giveOthers() {
      const others = [...jobs.values()].filter((job) => job !== life?.at);
      for (const { id } of others) jobs.delete(id);
      return others;
    },

    async close() {
      isClosed = true;
      const last = life;
      for (const job of jobs.values()) finish(job, () => job.reject(new Error(CLOSED)));
      clearTimeout(idle);
      if (last) end(last, CLOSED);
      await ending;
    },
  };
}

const CLOSED = 'The reading thread is closed.';

async function answerOf(
  { download, facts }: ReadingTools,
  call: number,
  asked: Asked,
): Promise<Omit<Due, 'job'>> {
  if (asked.tool === 'factOf') return { step: { kind: 'answer', call, value: await facts.get(asked.key) } };
  if (asked.tool === 'setFact') {
    await facts.set(asked.key, asked.value);
    return { step: { kind: 'answer', call, value: undefined } };
  }
  const { bytes, headers, isKept, forget } = await download.getBytes(asked.url, asked.headers);
  const step: Step = { kind: 'answer', call, value: { bytes, headers } };
  return isKept ? { step, forget } : { step, transfer: [bytes.buffer] };
}
