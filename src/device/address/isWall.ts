import { pageAt, pageQuery } from '#contract/addresses.ts';

/** Whether an address is a wall display's, `/disruptions?display=wall`. Capitals and a trailing slash are accepted,
 *  because it is typed with a remote control, and any other address leads to a sign-in form. */
export const isWall = (path = location.pathname, search = location.search): boolean =>
  pageAt(path)?.page === 'board' && pageQuery('board', search).display?.trim().toLowerCase() === 'wall';
