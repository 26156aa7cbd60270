import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { idleThread } from '../../../server/accounts/passwords/passwords.ts';
import type { Question } from './echoThread.ts';

const PATIENCE_MS = 30_000;

afterEach(() => {
  vi.useRealTimers();
});

const asking = (text: string): Question => ({
  text,
  answered: new Int32Array(new SharedArrayBuffer(4)),
});

it('a late answer is given only to its own caller', async () => {
  const file = new URL('echoThread.ts', import.meta.url);
  const ask = idleThread<Question, string>(file, () => new Error('too late'));
  expect(await ask(asking('begin'))).toBe('begin');

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const question = asking('first');
  const first = ask(question).catch((error: Error) => error.message);
  const second = ask(asking('second'));
  // The thread is asked now, and answers before this thread has the time to read that.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  expect(Atomics.wait(question.answered, 0, 0, PATIENCE_MS)).not.toBe('timed-out');
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(await first).toBe('too late');
  await setImmediate();
  expect(await second).toBe('second');
});
