import { useEffect } from 'react';

let first = true;
let byHistory = false;
addEventListener('popstate', () => {
  byHistory = true;
});

/**
 * Drawn with a page once its code is there: names the document, and after a navigation inside the app does what a
 * browser does on a new document: begins at the top, with the page's heading in focus for those who listen.
 */
export function Arrival({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} – Clearway`;
    // An installed window puts the app's name before it by itself.
    document.querySelector('meta[name=application-title]')?.setAttribute('content', title);
    if (!first) {
      if (!byHistory) scrollTo(0, 0);
      const heading = document.querySelector<HTMLElement>('h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    }
    first = false;
    byHistory = false;
  }, [title]);

  return null;
}
