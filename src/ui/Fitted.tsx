import { useEffect, useRef } from 'react';

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
  const key = forms.join('\n');

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const all = key.split('\n');
    const fit = () => {
      for (const form of all) {
        if (element.textContent !== form) element.textContent = form;
        if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight + 1)
          return;
      }
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    return () => observer.disconnect();
  }, [key]);

  return (
    <span ref={place} className={className}>
      {forms[0]}
    </span>
  );
}
