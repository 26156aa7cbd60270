/**
 * The server's clock, as far as its answers have told it. A wall display may have been without power or network for
 * weeks; every age on screen is counted by this clock, so that a device with a wrong one still tells the truth.
 */

const KEY = 'clearway_clock_offset_ms';

/** A `Date` header has whole seconds: the true time lies up to this much later. */
const HEADER_STEP_MS = 1000;

let offsetMs = storedOffset();

/** Add to the device's clock to get the server's, in milliseconds. */
export const clockOffsetMs = () => offsetMs;

/**
 * Learns from the `Date` header of an answer that came from the network just now; never from a kept copy, whose header
 * is as old as the copy. Moves the offset only as far as the answer proves it wrong, so that a correct device's clock
 * is left alone and the delay of a slow answer is not taken for a difference.
 */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number) {
  const date = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(date)) return;

  const least = date - receivedAt;
  const most = date + HEADER_STEP_MS - sentAt;
  if (offsetMs >= least && offsetMs <= most) return;

  offsetMs = offsetMs < least ? least : most;
  // Kept for a reload without network, when the page has nothing but old copies to judge by.
  localStorage.setItem(KEY, String(offsetMs));
}

function storedOffset(): number {
  const stored = Number(localStorage.getItem(KEY) ?? 0);
  return Number.isFinite(stored) ? stored : 0;
}
