import { useEffect, useRef } from 'react';

/** Whether this part of the page is still there: what ends after it was left does nothing on the next page. */
export function useHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return () => here.current;
}
