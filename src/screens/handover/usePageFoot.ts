import { useEffect } from 'react';

/** Puts these words and "Page 1 of 2." at the foot of each printed page while the page is open. */
export function usePageFoot(words: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    const before = document.adoptedStyleSheets;
    sheet.replaceSync(pageFoot(words));
    document.adoptedStyleSheets = [...before, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [words]);
}

/** The words as a CSS string. A name can hold any character, so all but plain letters and figures are written as
 *  code points. */
export function pageFoot(words: string): string {
  const safe = words.replace(/[^A-Za-z0-9 .:]/gu, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `);
  return `@page {
    size: A4;
    margin: 12mm 12mm 16mm;
    @bottom-left {
      content: "${safe} Page " counter(page) " of " counter(pages) ".";
      font: 600 9pt var(--font-sign, sans-serif);
    }
  }`;
}
