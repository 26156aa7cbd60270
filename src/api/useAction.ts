import { useActionState, useCallback, useEffect, useRef, useState } from 'react';
import { failureText, Refused } from './http.ts';

/** Actions of a person, one at a time: whether one is on its way, its result, or why it failed. `after` runs after
 *  each action, done or not, so that the page shows the present state. It is awaited only after an action that was
 *  done. */
export function useAction(after?: () => Promise<void>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isConflict, setConflict] = useState(false);
  const [done, setDone] = useState('');
  const isRunning = useRef(false);
  const latest = useRef(after);
  useEffect(() => {
    latest.current = after;
  });

  /** Says why an action cannot begin, or was not understood. */
  const fail = useCallback((words: string | null) => {
    setFailure(words);
    setConflict(false);
    setDone('');
  }, []);
  /** Forgets the result of the last action. */
  const clear = useCallback(() => fail(null), [fail]);

  /** Promises whether the action was done. Words that the action promises become `done`. A second action at the same
   *  time does not begin. */
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
        fail(failureText(error, otherwise));
        setConflict(error instanceof Refused && error.status === 409);
        void latest.current?.();
        return false;
      } finally {
        isRunning.current = false;
        setIsBusy(false);
      }
    },
    [clear, fail],
  );

  return {
    run,
    isBusy,
    failure,
    /** True: it failed because somebody else's change came first. */
    isConflict,
    done,
    fail,
    clear,
  };
}

/** React resets a form after each action, also a refused one. A select and a tick would then show their first value,
 *  while the state keeps the chosen one. All forms are controlled, so nothing is left to reset. */
document.addEventListener('reset', (event) => event.preventDefault());

/** The sending of a form, which has this `action`. `send` promises words that say what is wrong with the form, or, as
 *  `done`, what was done. While the form is being sent, it is not sent a second time. */
export function useSubmit(
  send: (form?: FormData) => Promise<string | { done: string } | void>,
  otherwise: string,
) {
  const isRunning = useRef(false);
  const [said, begin, isBusy] = useActionState(async (_before: unknown, form: FormData | undefined) => {
    try {
      return await send(form);
    } catch (error) {
      return failureText(error, otherwise);
    } finally {
      isRunning.current = false;
    }
  }, undefined);
  const action = (form?: FormData) => {
    if (isRunning.current) return;
    isRunning.current = true;
    begin(form);
  };
  const shown = isBusy ? undefined : said;
  return {
    action,
    isBusy,
    failure: typeof shown === 'string' ? shown : null,
    done: typeof shown === 'object' ? shown.done : '',
  };
}
