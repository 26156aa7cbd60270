/** The keys of a remote control or keyboard on a wall: R refreshes, F is full screen, 1 to 5 hold a feed, Esc
 *  releases it and leaves. */
import { pageAddress } from '#contract/addresses.ts';
import { navigate } from 'wouter/use-browser-location';
import { refreshBoards } from '../../../feeds/refresh/useBoard.ts';
import { useSession } from '../../../session/session.ts';
import { holdFeed, releaseFeed } from './heldFeed.ts';

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
