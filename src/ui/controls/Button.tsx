import type { ComponentProps, MouseEvent } from 'react';
import styles from './Button.module.css';

type Kind = 'default' | 'primary' | 'quiet' | 'danger' | 'sign';

interface Look {
  /** `sign` is yellow; only the landing page's call to action uses it. */
  kind?: Kind;
  small?: boolean;
}

/** A button. While it is `busy` it does nothing more, but keeps the focus, which a disabled button would lose. */
export function Button({
  kind = 'default',
  small,
  type = 'button',
  busy = false,
  ...rest
}: Look & ComponentProps<'button'> & { busy?: boolean }) {
  const waits = busy && {
    'aria-disabled': true,
    // Enter in a field of the form also makes a click.
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
  return (
    <button {...rest} {...waits} {...buttonLook({ kind, small, className: rest.className })} type={type} />
  );
}

/** The subject of a button, for people who hear it. A name written right to left must not reorder the text beside
 *  it. */
export function Named({ children }: { children: string }) {
  return (
    <span data-hidden>
      <bdi>{children}</bdi>
    </span>
  );
}

/** The look of a button for a link: `<Link href="/map" {...buttonLook({ kind: 'primary' })}>`. */
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
