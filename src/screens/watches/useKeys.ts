import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** The keys of the page: arrows move along the rows, `w` opens the reason, and the page can add others. Letters work
 *  only while nothing is typed and no dialog is open. */
export function useKeys(
  page: RefObject<HTMLElement | null>,
  letters: boolean,
  actions: Readonly<Record<string, () => void>>,
) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const field = target instanceof Element && target.closest(TYPED);
    if (field) {
      if (key !== 'Escape' || !(field instanceof HTMLElement)) return;
      event.preventDefault(); // a browser would empty the search
      field.blur();
      return;
    }
    const rows = [...(page.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const isFree = document.activeElement === document.body || at !== -1;
      const open = rows.findIndex((row) => row.hasAttribute('aria-current'));
      const next = at === -1 ? rows[Math.max(0, open)] : rows[at + (key === 'ArrowDown' ? 1 : -1)];
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
  });
  // A layout effect, so that the keys work as soon as the page is drawn: on a busy machine a key pressed before a
  // later effect would be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
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
