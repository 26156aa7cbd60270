/** Hides the cursor on a wall, and shows the way out to anyone who moves it. */

const CURSOR_MS = 3000;
const EXIT_MS = 5000;

/** Sets `data-cursor="hidden"` on the root 3 s after the last movement, and `data-exit="shown"` for 5 s after
 *  each. */
export function followPointer(): () => void {
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
