import { useLayoutEffect, useRef, type FocusEvent } from 'react';

/**
 * For a place of controls that come and go: when the one that has the focus goes, the first that matches has it. A dialog
 * that one of them opened is part of the place.
 */
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
