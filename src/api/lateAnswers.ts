/** Answers that arrive after the worker stopped waiting and gave its stored copy. It passes them on as messages. */
import type { LateAnswer } from '../../sw/messages.ts';

/**
 * Listens for late answers from now on. Start it before the request: a late answer can overtake the copy. `of`
 * promises the late answer for `url`, or null when none comes within `patienceMs` or the signal aborts.
 */
export function lateAnswers() {
  const heard: LateAnswer[] = [];
  let tell = () => {};
  const hear = ({ data }: MessageEvent) => {
    if (data?.type !== 'LATE_ANSWER') return;
    heard.push(data as LateAnswer);
    tell();
  };
  navigator.serviceWorker.addEventListener('message', hear);
  const stop = () => navigator.serviceWorker.removeEventListener('message', hear);

  return {
    stop,
    of: (url: string, { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal | undefined }) =>
      new Promise<LateAnswer | null>((resolve) => {
        const end = (answer: LateAnswer | null) => {
          clearTimeout(timer);
          stop();
          resolve(answer);
        };
        const timer = setTimeout(() => end(null), Math.max(0, patienceMs));
        signal?.addEventListener('abort', () => end(null), { once: true });
        tell = () => {
          const answer = heard.find((candidate) => candidate.url === url);
          if (answer) end(answer);
        };
        tell();
      }),
  };
}
