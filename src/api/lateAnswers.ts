/** Answers that arrive after the worker stopped waiting and gave its stored copy. The worker passes them on as
 *  messages. */
import type { LateAnswer } from '../../sw/workerMessages.ts';

let last = 0;

/** Listens for the late answer to one request from now on. Start it before the request, which carries `asked`,
 *  because a late answer can overtake the copy. `of` promises the late answer for `url`, or null when none comes
 *  within `patienceMs` or the signal aborts. */
export function lateAnswers() {
  const asked = String((last += 1));
  const heard: LateAnswer[] = [];
  let tell = () => {};
  const hear = ({ data }: MessageEvent) => {
    // A worker of an older version gives no number.
    if (data?.type !== 'LATE_ANSWER' || (data.asked ?? asked) !== asked) return;
    heard.push(data as LateAnswer);
    tell();
  };
  navigator.serviceWorker.addEventListener('message', hear);
  const stop = () => navigator.serviceWorker.removeEventListener('message', hear);

  return {
    asked,
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
