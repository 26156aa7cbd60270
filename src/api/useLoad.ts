import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText, Refused } from './http.ts';

/** For a page that stays open: how long after no answer it asks again. */
const AGAIN_MS = 30_000;

export type Load<T> =
  | { state: 'loading'; data?: undefined }
  /** `data`: from the previous load, if there was one. */
  | { state: 'failed'; message: string; refused: boolean; data?: T }
  | { state: 'ready'; data: T };

/** One call for one screen, made when the screen opens and again on `reload`. `load` can be a new function on every
 *  render: the first is used until `reload`, which uses the latest. During a reload the old data stays. With `until:
 *  'answered'` it asks again while there is no answer. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  otherwise: string,
  { until }: { until?: 'answered' } = {},
): Load<T> & { reload: () => Promise<void> } {
  const [result, setResult] = useState<Load<T>>({ state: 'loading' });
  const latest = useRef({ load, otherwise });
  useEffect(() => {
    latest.current = { load, otherwise };
  });
  const running = useRef<AbortController | undefined>(undefined);

  const reload = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    try {
      const data = await latest.current.load(controller.signal);
      if (!controller.signal.aborted) setResult({ state: 'ready', data });
    } catch (error) {
      if (controller.signal.aborted) return;
      const message = failureText(error, latest.current.otherwise);
      setResult((before) => ({
        state: 'failed',
        message,
        refused: error instanceof Refused,
        ...('data' in before && { data: before.data }),
      }));
    }
  }, []);

  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [reload]);

  const isUnanswered = result.state === 'failed' && !result.refused;
  useEffect(() => {
    if (!isUnanswered || until !== 'answered') return undefined;
    const again = () => void reload();
    const timer = setInterval(again, AGAIN_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [isUnanswered, until, reload]);

  return { ...result, reload };
}
