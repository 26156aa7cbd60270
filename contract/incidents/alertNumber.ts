/** The number of an alert, short enough to be read from a wall and typed elsewhere: `/a/48213`. */

const LOWEST = 10_000;
const COUNT = 90_000;

/** Made from the id alone, so that every screen has the same number without asking. Among a thousand alerts, a given
 *  one shares its number in 1 of 90 cases: the answer to a number has all alerts with it. */
export function alertNumber(eventId: string): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = 0; at < eventId.length; at++) hash = Math.imul(hash ^ eventId.charCodeAt(at), 0x01000193);
  return String(LOWEST + ((hash >>> 0) % COUNT));
}

/** "48 213" is 48213; null if it cannot be the number of an alert. */
export function readAlertNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, '');
  return /^[1-9]\d{4}$/.test(digits) ? digits : null;
}
