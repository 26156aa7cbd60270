/** On each answer to a display, 304 too: at a new value it asks what it shows now. Apart from the layouts, as every page of
 *  the app reads it. */
export const DISPLAY_REV_HEADER = 'x-clearway-display';
