import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from './failureText.ts';

export type Load<T> =
  | { state: 'loading' }
  /** `data`: from the previous load, if there was one. */
  | { state: 'failed'; message: string; data?: T }
  | { state: 'ready'; data: T };

/**
 * One call for one screen, made when the screen opens and again on `reload`. `load` can be a new function on every
 * render: the first is used until `reload`, which uses the latest. A reload keeps what is shown until its answer.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  otherwise: string,
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
        ...('data' in before && { data: before.data }),
      }));
    }
  }, []);

  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [reload]);

  return { ...result, reload };
}
