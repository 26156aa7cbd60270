import { useEffect, useEffectEvent } from 'react';

const MARK = 'clearway_dialog';

/** The browser's Back, and Android's, call `onClose` instead of leaving the page, as long as this part is shown. */
export function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const stay = () => history.pushState({ ...(history.state as object | null), [MARK]: true }, '');
    let isHere = true;
    const back = () => {
      close();
      // A dialog that is being saved stays open: the next Back closes it.
      requestAnimationFrame(() => isHere && stay());
    };
    stay();
    addEventListener('popstate', back);
    return () => {
      isHere = false;
      removeEventListener('popstate', back);
      // Closed in another way: the entry goes, unless another page was opened over it.
      if ((history.state as Record<string, unknown> | null)?.[MARK]) history.back();
    };
  }, []);
}
