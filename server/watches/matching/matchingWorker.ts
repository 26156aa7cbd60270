/** The matching thread: see matchingThread.ts. It has no network, no database and no secrets. */
import { parentPort } from 'node:worker_threads';
import { matchingState } from './matchingState.ts';
import type { Said, Step } from './matchingThread.ts';

/** The number of matches sent at a time. */
const FOUND_AT_ONCE = 500;

const port = parentPort!; // this file only ever runs as a thread
const state = matchingState();
let left: Said['found'] = [];

port.on('message', (step: Step) => {
  const { found, faults } = step.kind === 'more' ? { found: left, faults: [] } : state.take(step);
  left = found.slice(FOUND_AT_ONCE);
  const said: Said = { found: found.slice(0, FOUND_AT_ONCE), isLast: left.length === 0, faults };
  port.postMessage(said);
});
