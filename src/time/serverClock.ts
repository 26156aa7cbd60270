/**
 * The server's clock, as far as its answers have told it. A wall display may have been without power or network for
 * weeks; every age on screen is counted by this clock, so that a device with a wrong one still tells the truth.
 */

import { browserStore } from '../device/browserStorage.ts';

const KEY = 'clearway_clock_offset_ms';
/** The newest date that an answer has borne, in milliseconds. */
const NEWEST_KEY = 'clearway_newest_answer_ms';

/** A `Date` header has whole seconds: the true time lies up to this much later. */
const HEADER_STEP_MS = 1000;

let offsetMs = storedOffset();

/** Add to the device's clock to get the server's, in milliseconds. */
export const clockOffsetMs = () => offsetMs;

/** By less than that a clock is not set back but put right by a hair. */
const SET_BACK_FROM_MS = 2000;
const LOOK_MS = 1000;

/** What both clocks of the device said last. */
let before: { clock: number; steady: number } | null = null;

/**
 * Notices when the device's clock is set back, until the returned function is called: without an answer of the server
 * nobody can tell what time it is, but the steady clock tells how much has passed, and no age may shrink. One that is
 * set forward looks like a sleep, which the steady clock of some devices leaves out; ages only grow by it.
 */
export function watchDeviceClock(): () => void {
  const timer = setInterval(noticeSetBack, LOOK_MS);
  noticeSetBack();
  return () => {
    clearInterval(timer);
    before = null;
  };
}

function noticeSetBack(): void {
  const now = { clock: Date.now(), steady: performance.now() };
  const lost = before ? now.steady - before.steady - (now.clock - before.clock) : 0;
  before = now;
  if (lost >= SET_BACK_FROM_MS) setOffset(offsetMs + lost);
}

/** Kept, like the newest date, for a reload without network, when the page has nothing but old copies to judge by. */
function setOffset(ms: number): void {
  offsetMs = ms;
  browserStore.set(KEY, String(ms));
}

/** The last date that was doubted. */
let doubted: number | null = null;

/** Answers may overtake each other by as much as one may take. */
const OVERTAKING_MS = 30_000;

/**
 * Learns from the `Date` header of an answer that came from the network just now; never from a kept copy, whose header
 * is as old as the copy. Moves the offset only as far as the answer proves it wrong, so that a correct device's clock
 * is left alone and the delay of a slow answer is not taken for a difference. False when the date has gone back: then
 * something on the way repeats an old answer. A server whose clock was set back goes on from there, and is believed.
 */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): boolean {
  const date = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(date)) return true;
  if (before) noticeSetBack(); // or what this answer teaches would be moved by it a second later

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
  if (offsetMs >= least && offsetMs <= most) return true;

  setOffset(offsetMs < least ? least : most);
  return true;
}

function storedOffset(): number {
  const stored = Number(browserStore.get(KEY) ?? 0);
  return Number.isFinite(stored) ? stored : 0;
}
