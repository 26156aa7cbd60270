/** The feed that somebody wants to read now: keys 1 to 5 of a remote control give it most of the screen for a minute. */
import { create } from 'zustand';
import { serverNow } from '../time/freshness.ts';

export const HOLD_MS = 60_000;

export interface Hold {
  /** Which row of those on screen, from 1. */
  place: number;
  /** When it was asked for, in the server's clock, in milliseconds. */
  at: number;
}

export const useHeldFeed = create<{ hold: Hold | null }>(() => ({ hold: null }));

/** Holds the feed in this row of the screen, from 1, for a minute from now. A place without a row changes nothing. */
export const holdFeed = (place: number) =>
  useHeldFeed.setState({ hold: { place, at: serverNow().getTime() } });

export const releaseFeed = () => useHeldFeed.setState({ hold: null });

/** A clock that was set back ends it as well: nobody waits an hour for the other feeds. */
export function isHeld({ at }: Hold, now: Date): boolean {
  const age = now.getTime() - at;
  return age >= 0 && age < HOLD_MS;
}
