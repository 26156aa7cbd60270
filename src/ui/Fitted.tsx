import { type RefObject, useEffect, useRef } from 'react';

/** One line of text, in the first of its forms that fits the width; the last form ends in an ellipsis where even that
 *  one does not. Several lines, where the style sheet gives them room, take the fullest form. */
export function Fitted({
  forms,
  className,
}: {
  /** The fullest first; at least one. */
  forms: readonly string[];
  className?: string | undefined;
}) {
  const place = useRef<HTMLSpanElement>(null);
  useFitting(place, forms, (element, form) => (element.textContent = form));

  return (
    <span ref={place} className={className}>
      {forms[0]}
    </span>
  );
}

/** Shows the first of the forms that fits the element, and looks again when its size changes. */
export function useFitting(
  place: RefObject<HTMLElement | null>,
  forms: readonly string[],
  show: (element: HTMLElement, form: string) => void,
) {
  const key = forms.join('\n');

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const all = key.split('\n');
    const fit = () => {
      for (const form of all) {
        show(element, form);
        if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight + 1)
          return;
      }
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    return () => observer.disconnect();
    // `show` only writes; another one writes the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, place]);
}
