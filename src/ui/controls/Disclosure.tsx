import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import type { ComponentProps } from 'react';
import styles from './Disclosure.module.css';

/** A row that opens what follows it. */
export function Disclosure({
  open,
  onOpen,
  className = '',
  children,
  ...button
}: { open: boolean; onOpen: (open: boolean) => void } & Omit<ComponentProps<'button'>, 'onClick'>) {
  return (
    <button
      {...button}
      type="button"
      className={`${styles.disclosure} ${className}`}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
    >
      {children}
      <CaretDownIcon weight="bold" aria-hidden />
    </button>
  );
}
