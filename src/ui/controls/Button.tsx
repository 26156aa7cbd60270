import type { ComponentProps, MouseEvent } from 'react';
import styles from './Button.module.css';

type Kind = 'default' | 'primary' | 'quiet' | 'danger' | 'sign';

interface Look {
  /** `sign` is yellow, for the landing page's call to action alone. */
  kind?: Kind;
  small?: boolean;
}

/** While it is `busy` it does nothing more, and keeps the focus: a disabled button would lose it. */
export function Button({
  kind = 'default',
  small,
  type = 'button',
  busy = false,
  ...rest
}: Look & ComponentProps<'button'> & { busy?: boolean }) {
  const waits = busy && {
    'aria-disabled': true,
    // A click also comes of Enter in a field of its form.
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
  return (
    <button {...rest} {...waits} {...buttonLook({ kind, small, className: rest.className })} type={type} />
  );
}

/** The same look for a link: `<Link href="/map" {...buttonLook({ kind: 'primary' })}>`. */
export function buttonLook({
  kind = 'default',
  small,
  className,
}: Look & { className?: string | undefined } = {}) {
  return {
    className: className ? `${styles.button} ${className}` : styles.button,
    'data-kind': kind,
    'data-small': small || undefined,
  };
}
