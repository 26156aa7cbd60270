import { useEffect } from 'react';

/** Scrolling or tabbing to an element stops with it below the sticky `header`, never behind it. */
export function useScrollPadding(header: { current: HTMLElement | null }): void {
  useEffect(() => {
    const root = document.documentElement;
    const observer = new ResizeObserver(() => {
      root.style.scrollPaddingTop = `${header.current?.offsetHeight ?? 0}px`;
    });
    if (header.current) observer.observe(header.current);
    return () => {
      observer.disconnect();
      root.style.scrollPaddingTop = '';
    };
  }, [header]);
}
