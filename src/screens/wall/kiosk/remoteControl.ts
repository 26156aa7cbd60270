/** The keys of a remote control or keyboard on a wall: R refreshes, F is full screen, 1 to 5 hold a feed, Esc
 *  releases it and leaves. */
import { pageAddress } from '#contract/addresses.ts';
import { navigate } from 'wouter/use-browser-location';
import { refreshBoards } from '../../../feeds/refresh/useBoard.ts';
import { useSession } from '../../../session/session.ts';
import { create } from 'zustand';
import { serverNow } from '../../../time/freshness.ts';

/** Handles keys until the returned function is called. Goes full screen at the first key or tap, because browsers
 *  allow that only after a user's action. */
export function obeyRemoteControl(): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  /** True: full screen was granted, or the user has left it, so it is no longer requested automatically. */
  let settled = false;

  const fill = () => {
    settled = true;
    // If it is refused, because there was no user's action or no permission, the next key or tap tries again.
    void fillScreen().then((granted) => (settled = granted));
  };
  const fillOnce = () => {
    if (!settled) fill();
  };

  const obey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === 'escape') {
      releaseFeed();
      leaveWall();
      return;
    }
    if (key === 'f') {
      if (document.fullscreenElement) void emptyScreen();
      else fill();
      return;
    }
    fillOnce();
    if (key === 'r') refreshBoards();
    else if (/^[1-5]$/.test(key)) holdFeed(Number(key));
  };

  addEventListener('keydown', obey, { signal });
  addEventListener('pointerup', fillOnce, { signal }); // the part of a tap that counts as a user's action
  return () => {
    listeners.abort();
    void emptyScreen();
  };
}

/** Goes to the interactive board. Does nothing when nobody is signed in, because a sign-in form would appear. */
export function leaveWall(): void {
  if (useSession.getState().status === 'signedIn') navigate(pageAddress('board'));
}

async function fillScreen(): Promise<boolean> {
  if (document.fullscreenElement) return true;
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
    return true;
  } catch {
    return false;
  }
}

async function emptyScreen(): Promise<void> {
  if (!document.fullscreenElement) return;
  try {
    await document.exitFullscreen();
  } catch {
    /* By design: full screen has already ended. */
  }
}

/**
 * The feed that somebody wants to read: the keys 1 to 5 of a remote control give it most of the screen for a minute.
 */
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
