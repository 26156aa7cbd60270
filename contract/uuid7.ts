/**
 * An id that nobody else makes (RFC 9562, version 7). Ids of one process sort by `at`, and ids of the same
 * millisecond in the order in which they were made: the twelve random bits count on from a random start (method 1 of
 * 6.2).
 */
export function uuid7(at: Date): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  const ms = at.getTime();
  count = ms === last && count < COUNT_MAX ? count + 1 : view.getUint16(6) & START_MAX;
  last = ms;
  view.setUint16(0, Math.floor(ms / 2 ** 32));
  view.setUint32(2, ms % 2 ** 32);
  view.setUint16(6, 0x7000 | count);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The start leaves at least this much room above it for further ids of its millisecond. */
const START_MAX = 0x7ff;
const COUNT_MAX = 0xfff;

let last = Number.NaN;
let count = 0;
