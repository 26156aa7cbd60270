/** The answer of one call, refreshed as often as the board and kept through every failure. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Refused, type Reply } from '../../api/http.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { loadSnapshot, saveSnapshot } from '../../offline/snapshot.ts';
import { type Manner, type Problem, type Progress, refreshOnce, startRefreshing } from './refreshSchedule.ts';

export interface Refreshed<T> extends Progress {
  /** The newest answer, or the worker's copy of it; null before the first. */
  data: T | null;
  /** When the server gave it. */
  at: Date | null;
  /** Null while the last refresh has succeeded, or none has ended. */
  problem: Problem | null;
  /** The server's refusal, such as that there is no such thing. */
  refused: string | null;
}

const NOTHING = {
  data: null,
  at: null,
  problem: null,
  refused: null,
  refreshing: false,
  askedAt: null,
  nextTryAt: null,
};

/** `key` names the request; with another key, the earlier answer is forgotten. Null: no request is made. `renew` is
 *  for use after a change: it promises that a new answer is shown, or that there was none. `isPartial`: the answer
 *  is not complete, so the next request comes soon. */
export function useRefreshed<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Reply<T>>,
  manner: Manner = 'attended',
  isPartial: (data: T) => boolean = () => false,
): Refreshed<T> & { refresh: () => void; renew: () => Promise<void> } {
  const [state, setState] = useState<{ key: string | null } & Refreshed<T>>({ key, ...NOTHING });
  const running = useRef({ refresh: () => {}, renew: async () => {} });
  const ask = useEffectEvent(load);
  const asksSoon = useEffectEvent(isPartial);

  useEffect(() => {
    if (key === null) return undefined;
    let isWhole = true;
    const show = (change: Partial<Refreshed<T>>) =>
      setState((before) => ({ ...(before.key === key ? before : NOTHING), ...change, key }));
    const showCopy = (data: T, at: Date, problem: Problem) =>
      setState((before) => {
        const known = before.key === key ? before : { ...NOTHING };
        return { ...known, problem, key, ...(!(known.at && known.at > at) && { data, at }) };
      });

    const run = startRefreshing(
      async (signal) => {
        let isGone = false;
        const isAnswered = await refreshOnce(
          async (stopped) => {
            try {
              return await ask(stopped);
            } catch (error) {
              if (error instanceof Refused && !stopped.aborted) {
                isGone = GONE.has(error.status);
                show({ refused: error.detail });
              }
              throw error;
            }
          },
          signal,
          {
            copied: showCopy,
            answered(data, at) {
              isWhole = !asksSoon(data);
              show({ data, at, problem: null, refused: null });
              return true;
            },
            failed: (problem) => show({ problem }),
          },
        );
        // That it is not there answers a question that is asked once.
        return isAnswered || (isGone && manner === 'once');
      },
      show,
      manner,
      { whileHidden: manner === 'unattended', isPartial: () => !isWhole },
    );
    running.current = run;
    return run.stop;
  }, [key, manner]);

  const { key: askedFor, ...known } = state;
  return {
    ...(askedFor === key ? known : NOTHING),
    refresh: () => running.current.refresh(),
    renew: () => running.current.renew(),
  };
}

interface Kept<T> {
  data: T;
  at: Date;
}

/** HTTP: not found, and gone. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Keeps the newest answer on this device, and returns the stored one until there is a new one. `read` checks it. */
export function useKept<T>(
  name: string | null,
  { data, at }: Pick<Refreshed<T>, 'data' | 'at'>,
  read: (stored: unknown) => T | null,
): Kept<T> | null {
  const { data: found } = useAnswer(
    name,
    async (): Promise<Kept<T> | null> => {
      const stored = await loadSnapshot(name!); // it asks only with a name
      const known = stored && read(stored.data);
      return stored && known && { data: known, at: stored.at };
    },
    '',
  );
  useEffect(() => {
    if (name && data && at) void saveSnapshot(name, data, at);
  }, [name, data, at]);
  return found ?? null;
}
