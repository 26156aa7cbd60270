/** A thread for work that takes long or much memory, one piece at a time. It ends when nobody has needed it for a while. */
import { Worker } from 'node:worker_threads';

const IDLE_MS = 30_000;
/** For one piece of work: on a small machine, with the start of the thread. */
const PATIENCE_MS = 30_000;

/** `file` answers each message with one. `late`: what is thrown when it takes too long. */
export function idleThread<Question, Answer>(file: URL, late: () => Error) {
  let worker: Worker | null = null;
  let asked: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function started(): Worker {
    const thread = new Worker(file);
    const fail = (error: Error) => {
      if (worker === thread) asked?.reject(error);
    };
    // One that was given up may still answer.
    thread.on('message', (answer: Answer) => worker === thread && asked?.resolve(answer));
    thread.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', () => fail(new Error(`The thread of ${file.pathname} has ended.`)));
    return thread;
  }

  function drop(): void {
    void worker?.terminate();
    worker = null;
  }

  async function askNow(question: Question): Promise<Answer> {
    clearTimeout(idle);
    const thread = (worker ??= started());
    thread.ref();
    const patience = setTimeout(() => asked?.reject(late()), PATIENCE_MS);
    try {
      return await new Promise<Answer>((resolve, reject) => {
        asked = { resolve, reject };
        thread.postMessage(question, []);
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

  return (question: Question): Promise<Answer> => {
    const turn = last.then(() => askNow(question));
    last = turn.catch(() => {});
    return turn;
  };
}
