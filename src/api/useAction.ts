import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from './failureText.ts';

/**
 * What a person asked for, one at a time: whether it is on its way, what was done, or why it failed. `after` follows
 * each, done or not, so that the page shows what is there; only after one that was done is it waited for.
 */
export function useAction(after?: () => Promise<void>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState('');
  const isRunning = useRef(false);
  const latest = useRef(after);
  useEffect(() => {
    latest.current = after;
  });

  /** Forgets what the last one said. */
  const clear = useCallback(() => {
    setFailure(null);
    setDone('');
  }, []);

  /** Promises whether it was done; words that it promises itself become `done`. A second at a time is not begun. */
  const run = useCallback(
    async (action: () => Promise<string | void>, otherwise: string): Promise<boolean> => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setIsBusy(true);
      clear();
      try {
        const words = await action();
        await latest.current?.();
        setDone(words ?? '');
        return true;
      } catch (error) {
        setFailure(failureText(error, otherwise));
        void latest.current?.();
        return false;
      } finally {
        isRunning.current = false;
        setIsBusy(false);
      }
    },
    [clear],
  );

  return { run, isBusy, failure, done, clear };
}
