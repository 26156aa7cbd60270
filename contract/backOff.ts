/** How long to wait before another try: the app of its server, the server of its sources. */

/** The first wait is doubled with each further failure in a row, up to the longest. `failures`: before the last. */
export const backOff = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures, 30), longestMs);

/** Up to a quarter shorter: many screens lose their server together, and must not return together. */
export const spreadOut = (ms: number): number => ms * (1 - Math.random() / 4);
