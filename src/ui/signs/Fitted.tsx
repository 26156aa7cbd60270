import { type RefObject, useEffect, useRef } from 'react';

/** Text in the first of its forms that fits the room that the style sheet gives it, one line or several. If none
 *  fits, the last form gets `data-wraps`: the style sheet lets it wrap or hides it. No text ends in an ellipsis. */
export function Fitted({
  forms,
  className,
}: {
  /** The forms, the fullest first; at least one. */
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

/** Shows the first form that fits the element, and checks again when its size changes. */
export function useFitting(
  place: RefObject<HTMLElement | null>,
  forms: readonly string[],
  show: (element: HTMLElement, form: string, index: number) => void,
) {
  const key = forms.join('\n');

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const all = key.split('\n');
    const fits = (form: string, index: number) => {
      show(element, form, index);
      return element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight + 1;
    };
    const fit = () => {
      delete element.dataset.wraps;
      if (!all.some(fits)) element.dataset.wraps = '';
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    void document.fonts?.ready.then(fit);
    return () => observer.disconnect();
    // `show` only writes; another one writes the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, place]);
}
