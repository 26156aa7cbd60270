import { useEffect, useRef } from 'react';

/** Whether this part of the page still exists. A task that ends after the part was left must do nothing on the next
 *  page. */
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
