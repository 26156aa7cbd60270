/** The reading thread: see readingThreads.ts. It has no network and no database, and only the secrets of its current
 *  step. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { Collector, DisruptionRecord, Tools } from '../../incidents/collector.ts';
import { type Answered, readingGet } from '../../http/documents/download.ts';
import { readSource } from './readSource.ts';
import { errorOf, faultFor, type Asked, type Said, type Step } from './readingMessages.ts';

/** The number of records sent at a time, because receiving them blocks the service. */
const RECORDS_AT_ONCE = 100;

/** An idle thread collects no garbage, so after this many bytes it is made to. */
const LITTER_MAX = 1024 * 1024;

const port = parentPort!; // this file runs only as a thread
const { COLLECTORS } = (await import(workerData as string)) as { COLLECTORS: readonly Collector[] };

// With NODE_COMPILE_CACHE set, the next thread starts sooner and without the compiler's 20 MB.
flushCompileCache();
// Node offers only this flag. It affects only code that runs after it. Only a collection of the last resort gives the
// freed pages back, which are half of this thread's 75 MB after a large document.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void;

const calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
const found = new Map<number, DisruptionRecord[]>();
let lastCall = 0;
/** Bytes of documents read since the last garbage collection. */
let litter = 0;

const say = (said: Said) => port.postMessage(said);

function ask(job: number, asked: Asked): Promise<unknown> {
  const call = ++lastCall;
  say({ kind: 'call', job, call, asked });
  return new Promise((resolve, reject) => calls.set(call, { resolve, reject }));
}

async function read({ job, source, now, settings }: Extract<Step, { kind: 'begin' }>): Promise<void> {
  const { get, problems } = readingGet(async (url, headers) => {
    const answered = (await ask(job, { tool: 'get', url, headers })) as Pick<Answered, 'bytes' | 'headers'>;
    litter += answered.bytes.length;
    return { ...answered, isKept: false, forget: () => say({ kind: 'forget' }) };
  });
  const facts: Tools['facts'] = {
    get: (key) => ask(job, { tool: 'factOf', key }) as Promise<string | null>,
    set: (key, value) => ask(job, { tool: 'setFact', key, value }) as Promise<void>,
  };
  try {
    const collector = COLLECTORS.find((one) => one.source === source);
    if (!collector) throw new Error(`There is no collector for "${source}".`);
    const { records, ...collected } = await readSource(collector, { get, now, settings, facts });
    found.set(job, records);
    say({
      kind: 'collected',
      job,
      collected: { ...collected, problems: [...collected.problems, ...problems()] },
    });
  } catch (error) {
    say({ kind: 'failed', job, fault: faultFor(error) });
  }
}

function sendMore(job: number): void {
  const records = found.get(job)?.splice(0, RECORDS_AT_ONCE) ?? [];
  const isLast = !found.get(job)?.length;
  if (isLast) found.delete(job);
  say({ kind: 'records', job, records, isLast });
}

function clearUp(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' });
  litter = 0;
}

port.on('message', (step: Step) => {
  if (step.kind === 'begin') void read(step);
  else if (step.kind === 'more') sendMore(step.job);
  else {
    const waiting = calls.get(step.call);
    calls.delete(step.call);
    if (step.kind === 'answer') waiting?.resolve(step.value);
    else waiting?.reject(errorOf(step.fault));
  }
  // At this point everything that follows from the step is done.
  setImmediate(() => {
    if (litter > LITTER_MAX && found.size === 0) clearUp();
    say({ kind: 'isDone' });
  });
});
say({ kind: 'isDone' });
