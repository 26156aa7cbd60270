import { useEffect, useEffectEvent, useState } from 'react';
import { failureText } from './http.ts';

/** The answer for this key. It is requested when the key has stayed the same for `settleMs`, and given to `take`.
 *  Another key, or null, ends the request. `last`: the newest answer for any key. */
export function useAnswer<T>(
  key: string | object | null,
  load: (signal: AbortSignal) => Promise<T>,
  otherwise: string,
  { settleMs = 0, take }: { settleMs?: number; take?: (data: T) => void } = {},
): { data: T | undefined; failure: string | null; isLoading: boolean; last: T | undefined } {
  const [found, setFound] = useState<{ key: string | object; failure: string | null } | null>(null);
  const [last, setLast] = useState<T>();
  const latest = useEffectEvent(() => ({ load, otherwise, settleMs, take }));
  useEffect(() => {
    if (key === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const ask = async () => {
      const { load, otherwise, settleMs } = latest();
      if (settleMs > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
      if (signal.aborted) return;
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        setLast(() => data); // it can be a function
        setFound({ key, failure: null });
        latest().take?.(data);
      } catch (error) {
        if (!signal.aborted) setFound({ key, failure: failureText(error, otherwise) });
      }
    };
    void ask();
    return () => stop.abort();
  }, [key]);

  const isFound = found !== null && found.key === key;
  const failure = isFound ? found.failure : null;
  return {
    data: isFound && failure === null ? last : undefined,
    failure,
    isLoading: key !== null && !isFound,
    last,
  };
}

/** The answers for these keys that have arrived. When the keys have stayed the same for `settleMs`, each answer is
 *  requested once, one after another. */
export function useAnswers<T>(
  keys: readonly string[],
  load: (key: string, signal: AbortSignal) => Promise<T>,
  settleMs = 0,
): ReadonlyMap<string, T> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, T>>(new Map());
  const latest = useEffectEvent(() => ({ load, answers }));
  const asked = JSON.stringify(keys);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const { load, answers } = latest();
      for (const key of new Set(JSON.parse(asked) as string[])) {
        if (answers.has(key)) continue;
        const answer = await load(key, stop.signal);
        if (stop.signal.aborted) return;
        setAnswers((known) => new Map(known).set(key, answer));
      }
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, settleMs]);
  return answers;
}
