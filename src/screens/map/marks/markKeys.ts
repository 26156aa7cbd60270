/** The map's marks by keyboard. */
import type { Map as LibraryMap } from 'mapbox-gl';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useState } from 'react';

/** The same handlers for all marks, unchanged while the map exists. */
export interface MarkKeys {
  onFocus: (event: FocusEvent<HTMLButtonElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
  onMouseDown: (event: MouseEvent) => void;
  onDoubleClick: (event: MouseEvent) => void;
}

const orderOf = (button: HTMLButtonElement) => Number(button.dataset['order']);

/**
 * All marks together are one tab stop; the arrow keys, Home and End move between them in reading order. When the mark
 * in focus is removed, the map gets the focus.
 */
export function useRovingFocus(
  container: React.RefObject<HTMLDivElement | null>,
  map: LibraryMap | null,
  count: number,
): {
  /** The order of the mark that the Tab key reaches. */
  current: number;
  keys: MarkKeys;
} {
  const [current, setCurrent] = useState(0);

  useEffect(() => {
    const element = container.current;
    if (!map || !element) return;
    const keepFocus = new MutationObserver(() => {
      if (document.activeElement === document.body && hadFocus)
        map.getCanvas().focus({ preventScroll: true });
      hadFocus = element.contains(document.activeElement);
    });
    let hadFocus = false;
    const note = () => {
      hadFocus = element.contains(document.activeElement);
    };
    keepFocus.observe(map.getCanvasContainer(), { childList: true });
    document.addEventListener('focusin', note);
    return () => {
      keepFocus.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, [container, map]);

  const keys = useMemo(
    (): MarkKeys => ({
      onFocus: (event) => setCurrent(orderOf(event.currentTarget)),
      onKeyDown: go,
      onMouseDown: (event) => event.preventDefault(), // a click does not move the focus
      onDoubleClick: (event) => event.stopPropagation(),
    }),
    [],
  );
  return { current: Math.min(current, count - 1), keys }; // there can be fewer marks than before
}

function go(event: KeyboardEvent<HTMLButtonElement>) {
  const marks = event.currentTarget.parentElement?.parentElement; // each has its own positioned parent
  const buttons = [...(marks?.querySelectorAll<HTMLButtonElement>('button[data-order]') ?? [])].sort(
    (a, b) => orderOf(a) - orderOf(b),
  );
  const order = orderOf(event.currentTarget);
  const to = {
    ArrowRight: order + 1,
    ArrowDown: order + 1,
    ArrowLeft: order - 1,
    ArrowUp: order - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation(); // otherwise the map would pan
  buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
}
