import { useEffect } from 'react';

let first = true;
let byHistory = false;
let shown = '';
addEventListener('popstate', () => {
  // Closing a dialog also goes back, but stays on its page.
  byHistory = location.pathname !== shown;
});

/** Rendered with a page when its code is loaded. Sets the document's title. After a navigation inside the app it
 *  scrolls to the top, as a browser does on a new document, and focuses the page's heading for screen readers. */
export function PageArrival({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} – Clearway`;
    // An installed window adds the app's name itself.
    document.querySelector('meta[name=application-title]')?.setAttribute('content', title);
    if (!first) {
      if (!byHistory) scrollTo(0, 0);
      const heading = document.querySelector<HTMLElement>('h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    }
    first = false;
    byHistory = false;
    shown = location.pathname;
  }, [title]);

  return null;
}
