import { pageAt, pageQuery } from '#contract/addresses.ts';

/** Whether an address is a wall display's, `/disruptions?display=wall`: in capitals and with a last slash too, for it is
 *  typed by a remote control, and any other address would lead to a sign-in form. */
export const isWall = (path = location.pathname, search = location.search): boolean =>
  pageAt(path)?.page === 'board' && pageQuery('board', search).display?.trim().toLowerCase() === 'wall';
