/** What a remote control or a keyboard does on a wall: R refreshes, F is full screen, 1 to 5 hold a feed, Esc lets it
 *  go and leaves. */
import { pageAddress } from '#contract/addresses.ts';
import { navigate } from 'wouter/use-browser-location';
import { refreshBoards } from '../feeds/useBoard.ts';
import { useSession } from '../session/session.ts';
import { holdFeed, releaseFeed } from './heldFeed.ts';

/** Obeys keys until the returned function is called, and fills the screen at the first key or tap: a browser wants
 *  somebody's hand for that. */
export function obeyRemoteControl(): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  /** Full screen was granted, or somebody has left it: it is not asked for again by itself. */
  let settled = false;

  const fill = () => {
    settled = true;
    // Refused, for lack of a hand or of permission: the next key or tap tries again.
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
  addEventListener('pointerup', fillOnce, { signal }); // of a tap, the part that counts as somebody's act
  return () => {
    listeners.abort();
    void emptyScreen();
  };
}

/** To the interactive board; from a screen that nobody is signed in on, it would lead to a sign-in form. */
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
    /* it has been left already */
  }
}
