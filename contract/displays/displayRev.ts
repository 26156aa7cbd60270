/** Every answer to a display has this header, a 304 too: when its value changes, the display asks for its layout and
 *  messages. It is in a file of its own, because every page of the app reads it. */
export const DISPLAY_REV_HEADER = 'x-clearway-display';
