/**
 * The code for pairing this display. It is requested, polled with, and renewed before it expires, as long as needed.
 */
import { backOff, spreadOut } from '#contract/backOff.ts';
import type { DeviceAuthorization } from '#contract/displays/displays.ts';
import { useEffect, useState } from 'react';
import { askForCode, fetchCredential, refusalOf } from '../../../api/displays/displays.ts';
import { Refused } from '../../../api/http.ts';
import { adopt } from './displayCredential.ts';

/** How long before the old code expires a new one is shown. Anyone who has just read the old one can still use it. */
const RENEW_BEFORE_MS = 60_000;
const SLOW_DOWN_MS = 5000;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 60_000;
const LOOK_MS = 1000;

export interface PairingCode {
  /** Null before the first answer, and when the last code has expired without a new one. */
  shown: DeviceAuthorization | null;
  /** Why there is no new code: the server could not be reached, or its message. */
  problem: 'unreachable' | { detail: string } | null;
  /** True: somebody has rejected the previous code. */
  denied: boolean;
  /** How many codes have been shown so far. */
  count: number;
}

interface Open {
  authorization: DeviceAuthorization;
  expiresAt: number;
  intervalMs: number;
  pollAt: number;
  polling: boolean;
}

const NOTHING: PairingCode = { shown: null, problem: null, denied: false, count: 0 };

export function usePairingCode(): PairingCode {
  const [code, setCode] = useState(NOTHING);
  useEffect(() => askToPair(setCode), []);
  return code;
}

/** Runs until the display is paired or the returned function is called. */
export function askToPair(publish: (code: PairingCode) => void): () => void {
  const { signal, abort } = abortable();
  let code = NOTHING;
  let open: Open[] = [];
  let asking = false;
  let askAt = Date.now();
  let failures = 0;

  const show = (change: Partial<PairingCode>) => {
    if (!signal.aborted) publish((code = { ...code, ...change }));
  };

  const patience = () => spreadOut(backOff(failures++, FIRST_RETRY_MS, LONGEST_RETRY_MS));

  const problemOf = (error: unknown): PairingCode['problem'] =>
    error instanceof Refused ? { detail: error.detail } : 'unreachable';

  const ask = async () => {
    asking = true;
    try {
      const authorization = await askForCode(signal);
      const now = Date.now();
      const expiresAt = now + authorization.expires_in * 1000;
      const intervalMs = authorization.interval * 1000;
      open.push({ authorization, expiresAt, intervalMs, pollAt: now + intervalMs, polling: false });
      askAt = Math.max(expiresAt - RENEW_BEFORE_MS, now + FIRST_RETRY_MS);
      failures = 0;
      const denied = code.denied && code.shown === null;
      show({ shown: authorization, problem: null, denied, count: code.count + 1 });
    } catch (error) {
      askAt = Date.now() + patience();
      show({ problem: problemOf(error) });
    }
    asking = false;
  };

  const poll = async (one: Open) => {
    one.polling = true;
    try {
      adopt(await fetchCredential(one.authorization.device_code, signal));
      abort();
    } catch (error) {
      if (signal.aborted) return;
      one.pollAt = Date.now() + one.intervalMs;
      switch (refusalOf(error).error) {
        case 'slow_down':
          one.intervalMs += SLOW_DOWN_MS;
          one.pollAt = Date.now() + one.intervalMs;
          show({ problem: null });
          break;
        case 'authorization_pending':
          failures = 0;
          show({ problem: null });
          break;
        case 'access_denied':
        case 'expired_token':
        case 'invalid_grant':
          drop(one, { denied: refusalOf(error).error === 'access_denied' });
          break;
        default:
          one.pollAt = Date.now() + Math.max(one.intervalMs, patience());
          show({ problem: problemOf(error) });
      }
    }
    one.polling = false;
  };

  /** Drops a code that no longer works. If it is the one on screen, a new one is requested at once. */
  const drop = (one: Open, change: Partial<PairingCode> = {}) => {
    open = open.filter((other) => other !== one);
    if (code.shown !== one.authorization) return;
    show({ ...change, shown: null });
    if (!asking) void ask();
  };

  const look = () => {
    const now = Date.now();
    // The clock was set back: the next request does not wait until the clock has caught up.
    if (askAt - now > LONGEST_RETRY_MS && open.length === 0) askAt = now;
    for (const one of open) {
      if (one.pollAt - now > LONGEST_RETRY_MS) one.pollAt = now;
      if (now >= one.expiresAt) drop(one);
      else if (now >= one.pollAt && !one.polling) void poll(one);
    }
    if (now >= askAt && !asking) void ask();
  };

  const timer = setInterval(look, LOOK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  look();
  return abort;
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
