import { useEffect, useLayoutEffect } from 'react';
import { careForPanel } from './burnIn.ts';
import { obeyRemoteControl } from './remoteControl.ts';
import { keepAwake } from './wakeLock.ts';

/** Keeps a wall's screen awake, full, without a cursor and without burn-in. */
export function useScreenCare(): void {
  useEffect(keepAwake, []);
  useLayoutEffect(careForPanel, []); // before the first paint, or the picture would jump
  useEffect(followPointer, []);
  useEffect(obeyRemoteControl, []);
}

/** Hides the cursor on a wall, and shows the way out to anyone who moves it. */

const CURSOR_MS = 3000;
const EXIT_MS = 5000;

/** Sets `data-cursor="hidden"` on the root 3 s after the last movement, and `data-exit="shown"` for 5 s after
 *  each. */
function followPointer(): () => void {
  const { dataset } = document.documentElement;
  let cursorTimer: ReturnType<typeof setTimeout> | undefined;
  let exitTimer: ReturnType<typeof setTimeout> | undefined;
  let last = '';

  const hideCursorSoon = () => {
    clearTimeout(cursorTimer);
    delete dataset['cursor'];
    cursorTimer = setTimeout(() => (dataset['cursor'] = 'hidden'), CURSOR_MS);
  };
  const whenMoved = ({ type, screenX, screenY }: PointerEvent) => {
    // Browsers also report a move when the page changes under a cursor that does not move.
    const place = `${screenX} ${screenY}`;
    if (type === 'pointermove' && place === last) return;
    const isFirst = last === '' && type === 'pointermove';
    last = place;
    if (isFirst) return;
    hideCursorSoon();
    clearTimeout(exitTimer);
    dataset['exit'] = 'shown';
    exitTimer = setTimeout(() => delete dataset['exit'], EXIT_MS);
  };

  hideCursorSoon();
  addEventListener('pointermove', whenMoved);
  addEventListener('pointerdown', whenMoved);
  return () => {
    removeEventListener('pointermove', whenMoved);
    removeEventListener('pointerdown', whenMoved);
    clearTimeout(cursorTimer);
    clearTimeout(exitTimer);
    delete dataset['cursor'];
    delete dataset['exit'];
  };
}
