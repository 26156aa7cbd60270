import { useLayoutEffect } from 'react';

/** White on black, whatever the system or the user of this browser likes: a wall is looked at in the dark, also while
 *  it loads. Part of the app's first load for that. */
export function useBoardTheme(isWall: boolean): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { dataset } = document.documentElement;
    const before = dataset['theme'];
    dataset['theme'] = 'board';
    return () => {
      if (before === undefined) delete dataset['theme'];
      else dataset['theme'] = before;
    };
  }, [isWall]);
}
