/** London's clock, whatever zone the device or the server has. */

export const LONDON = 'Europe/London';

/** A format for times in London, in British English. */
export const london = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: LONDON });

/** `15:10`. */
export const LONDON_CLOCK = london({ timeStyle: 'short' });

// Canadian English writes dates as ISO 8601 does.
const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: LONDON, dateStyle: 'short' });

/** The day in London, `YYYY-MM-DD`. */
export const londonDay = (at: Date): string => DAY.format(at);
