import { useLayoutEffect, useRef } from 'react';

/** For a place of controls that come and go: when the one that has the focus goes, the first that matches has it. */
export function useKeptFocus(next: string) {
  const ref = useRef<HTMLSpanElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      ref.current?.querySelector<HTMLElement>(next)?.focus();
  });
  return {
    ref,
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
}
