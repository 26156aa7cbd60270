/**
 * On each answer to a display, 304 too: when its value changes, the display asks what it is to show. In a file of its
 * own, because every page of the app reads it.
 */
export const DISPLAY_REV_HEADER = 'x-clearway-display';
