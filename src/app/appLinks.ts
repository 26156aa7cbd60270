/** What the manifest promises the system, and the app keeps. */

/** What the app's own icon opens. To a window that runs, it only means "come forward". */
export const START_URL = '/disruptions?start';

/** `web+clearway:/map?category=Music` opens that page of the app. */
export const LINK_PROTOCOL = 'web+clearway';
