import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import type { ComponentProps } from 'react';
import styles from './Disclosure.module.css';

/** A row that opens the part below it. */
export function Disclosure({
  open,
  onOpen,
  inList = false,
  children,
  ...button
}: {
  open: boolean;
  onOpen: (open: boolean) => void;
  /** True: a row of a list as wide as the page, with the same rules between rows. */
  inList?: boolean;
} & Omit<ComponentProps<'button'>, 'onClick' | 'className'>) {
  return (
    <button
      {...button}
      data-press
      type="button"
      className={styles.disclosure}
      data-line
      data-text="strong"
      data-in-list={inList || undefined}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
    >
      {children}
      <CaretDownIcon weight="bold" data-only="screen" aria-hidden />
    </button>
  );
}
