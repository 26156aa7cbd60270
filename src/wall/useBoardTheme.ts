import { useLayoutEffect } from 'react';

/** White on black, whatever the system or the user of this browser likes: a wall is looked at in the dark. */
export function useBoardTheme(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset['theme'];
    dataset['theme'] = 'board';
    return () => {
      if (before === undefined) delete dataset['theme'];
      else dataset['theme'] = before;
    };
  }, []);
}
