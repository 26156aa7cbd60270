import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/** For a place whose controls come and go: when the control with the focus goes, the first one that matches gets it.
 *  A dialog that one of them opened belongs to the place. */
export function useKeptFocus<T extends HTMLElement>(next: string) {
  const ref = useRef<T>(null);
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
    onBlur: ({ relatedTarget }: FocusEvent) => {
      hasFocus.current = relatedTarget?.closest('dialog') != null;
    },
  };
}
