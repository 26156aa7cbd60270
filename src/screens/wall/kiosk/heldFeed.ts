/**
 * The feed that somebody wants to read: the keys 1 to 5 of a remote control give it most of the screen for a minute.
 */
import { create } from 'zustand';
import { serverNow } from '../../../time/freshness.ts';

export const HOLD_MS = 60_000;

export interface Hold {
  /** The row on screen, from 1. */
  place: number;
  /** When the key was pressed, in milliseconds, by the server's clock. */
  at: number;
}

export const useHeldFeed = create<{ hold: Hold | null }>(() => ({ hold: null }));

/** Holds the feed in this row of the screen, from 1, for a minute. Without such a row it has no effect. */
export const holdFeed = (place: number) =>
  useHeldFeed.setState({ hold: { place, at: serverNow().getTime() } });

export const releaseFeed = () => useHeldFeed.setState({ hold: null });

/** Whether the feed is still held. A clock that was set back also ends the hold, because otherwise it could last for
 *  hours. */
export function isHeld({ at }: Hold, now: Date): boolean {
  const age = now.getTime() - at;
  return age >= 0 && age < HOLD_MS;
}
