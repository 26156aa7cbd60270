/** How long to wait before another try: used by the app for its server, and by the server for its sources. */

/** The first wait is doubled with each further failure in a row, up to the longest. `failures`: before the last. */
export const backOff = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures, 30), longestMs);

/** Up to a quarter shorter, at random: many screens lose their server at the same time, and must not return at the
 *  same time. */
export const spreadOut = (ms: number): number => ms * (1 - Math.random() / 4);
