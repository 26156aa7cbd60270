import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** The keys of a page with a list: arrows, `j` and `k` move along the rows, `/` goes to the search, `w` opens the
 *  reason, and the page can add others. `letters`: false switches off all keys of one character. */
export function useKeys(
  page: RefObject<HTMLElement | null>,
  letters: boolean,
  actions: Readonly<Record<string, () => void>>,
) {
  usePressed(
    (event) => {
      const { key } = event;
      const steps: Partial<Record<string, number>> = {
        ArrowDown: 1,
        ArrowUp: -1,
        ...(letters && { j: 1, k: -1 }),
      };
      const step = steps[key];
      if (step !== undefined) {
        const rows = [...(page.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
        const at = rows.findIndex((row) => row === document.activeElement);
        const isFree = at !== -1 || document.activeElement === document.body || key.length === 1;
        const open = rows.findIndex((row) => row.hasAttribute('aria-current'));
        const next = at === -1 ? rows[Math.max(0, open)] : rows[at + step];
        if (!isFree || !next) return;
        event.preventDefault();
        next.focus();
        next.scrollIntoView({ block: 'nearest' });
        return;
      }
      if (!letters) return;
      const action = actions[key];
      if (key === '/') page.current?.querySelector<HTMLElement>('[data-search]')?.focus();
      else if (key === 'w') whyOf(page.current)?.click();
      else if (action) action();
      else return;
      event.preventDefault();
    },
    (event, field) => {
      if (event.key !== 'Escape') return;
      event.preventDefault(); // a browser would empty the search
      field.blur();
    },
  );
}

/** Calls `press` for a key that is pressed while nothing is typed and no dialog is open, and `type` for a key that is
 *  pressed in a field. Shortcuts of the browser are left to it. */
export function usePressed(
  press: (event: KeyboardEvent) => void,
  type: (event: KeyboardEvent, field: HTMLElement) => void = () => {},
) {
  const take = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const field = event.target instanceof Element && event.target.closest<HTMLElement>(TYPED);
    if (field) type(event, field);
    else press(event);
  });
  // A layout effect, so that the keys work as soon as the page is drawn: on a busy machine a key pressed before a
  // later effect would be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => take(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Elements that take typed text; a switch takes none. */
const TYPED = 'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable]';

/** The "Why?" of the match with the focus, otherwise of the first. */
function whyOf(page: HTMLElement | null): HTMLElement | null {
  const near = document.activeElement?.closest('[data-match]');
  return (near ?? page)?.querySelector<HTMLElement>('[data-why]') ?? null;
}
