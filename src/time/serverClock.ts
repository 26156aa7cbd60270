/** The server's clock, estimated from its answers. A wall display may have been without power or network for weeks.
 *  Every age on screen is counted by this clock, so that it is right even on a device whose own clock is wrong. */

import { browserStore } from '../device/browserStorage.ts';

const KEY = 'clearway_clock_offset_ms';
/** The newest `Date` header of any answer, in milliseconds. */
const NEWEST_KEY = 'clearway_newest_answer_ms';

/** A `Date` header has whole seconds: the true time is up to this much later. */
const HEADER_STEP_MS = 1000;

let offsetMs = storedOffset();

/** The milliseconds to add to the device's clock to get the server's. */
export const clockOffsetMs = () => offsetMs;

/** A smaller step is an ordinary clock correction. */
const SET_FROM_MS = 2000;
const LOOK_MS = 1000;

/** The last readings of both clocks of the device. */
let before: { clock: number; steady: number; awake: boolean } | null = null;

let isKeptAwake = false;

/** Notes that the screen cannot go to sleep: then a clock that leaps forward was set. */
export const noteKeptAwake = (is: boolean): void => void (isKeptAwake = is);

/**
 * Notices when the device's clock is set, until the returned function is called. Without an answer from the server
 * the time is unknown, but the steady clock shows how much time has passed, and no age may become smaller. A clock
 * that was set forward looks like a sleep, which the steady clock of some devices does not count, so ages grow by it.
 * On a screen that is kept awake they do not.
 */
export function watchDeviceClock(): () => void {
  const timer = setInterval(noticeSet, LOOK_MS);
  noticeSet();
  return () => {
    clearInterval(timer);
    before = null;
  };
}

function noticeSet(): void {
  const now = { clock: Date.now(), steady: performance.now(), awake: isKeptAwake };
  const lost = before ? now.steady - before.steady - (now.clock - before.clock) : 0;
  const couldSleep = !before?.awake || !now.awake;
  before = now;
  if (lost >= SET_FROM_MS || (lost <= -SET_FROM_MS && !couldSleep)) setOffset(offsetMs + lost);
}

/** The offset is stored, like the newest date, for a reload without a network, when the page has only old copies. */
function setOffset(ms: number): void {
  offsetMs = ms;
  browserStore.set(KEY, String(ms));
}

/** The last date that was rejected as old. */
let doubted: number | null = null;

/** Answers can arrive out of order, by up to the longest time that one can take. */
const OVERTAKING_MS = 30_000;

/**
 * Learns from the `Date` header of an answer that came from the network just now; never from a stored copy, whose
 * header is as old as the copy. The offset moves only as far as the answer proves it wrong, so that a correct device
 * clock is left alone and a slow answer does not look like a difference. False when the date has gone back, because a
 * proxy repeats an old answer. If later dates advance from there, the server's clock was set back, and they are
 * believed.
 */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): boolean {
  const date = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(date)) return true;
  if (before) noticeSet(); // otherwise a clock that was just set would change the result of this answer a second later

  const newest = Number(browserStore.get(NEWEST_KEY) ?? date);
  const goesOn = doubted !== null && date > doubted;
  if (date < newest - OVERTAKING_MS && !goesOn) {
    doubted = date;
    return false;
  }
  doubted = null;
  if (date >= newest || goesOn) browserStore.set(NEWEST_KEY, String(date));

  const least = date - receivedAt;
  const most = date + HEADER_STEP_MS - sentAt;
  // The two contradict each other if the device's clock was set back while the answer was under way.
  if (least > most || (offsetMs >= least && offsetMs <= most)) return true;

  setOffset(offsetMs < least ? least : most);
  return true;
}

function storedOffset(): number {
  const stored = Number(browserStore.get(KEY) ?? 0);
  return Number.isFinite(stored) ? stored : 0;
}
