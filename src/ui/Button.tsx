import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type Kind = 'default' | 'primary' | 'quiet' | 'danger' | 'sign';

interface Look {
  /** `sign` is yellow, for the landing page's call to action alone. */
  kind?: Kind;
  small?: boolean;
}

export function Button({
  kind = 'default',
  small,
  type = 'button',
  ...rest
}: Look & ComponentProps<'button'>) {
  return <button {...rest} {...buttonLook({ kind, small, className: rest.className })} type={type} />;
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
