import { useLayoutEffect } from 'react';

/** White on black, whatever the system setting: a wall is seen in the dark, also while it loads. For that reason
 *  it is part of the app's first load. */
export function useBoardTheme(isWall: boolean): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { dataset } = document.documentElement;
    dataset['theme'] = 'board'; // first.js has already set it, unless the app started on another page
    return () => {
      delete dataset['theme'];
    };
  }, [isWall]);
}
