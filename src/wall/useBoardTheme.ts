import { useLayoutEffect } from 'react';

/** White on black, whatever the system is set to: a wall is looked at in the dark, also while
 *  it loads. Part of the app's first load for that. */
export function useBoardTheme(isWall: boolean): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { dataset } = document.documentElement;
    dataset['theme'] = 'board'; // first.js has seen to it before, unless the app was on another page then
    return () => {
      delete dataset['theme'];
    };
  }, [isWall]);
}
