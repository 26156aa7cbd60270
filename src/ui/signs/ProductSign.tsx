import type { ReactNode } from 'react';
import styles from './ProductSign.module.css';
import { FlaskIcon } from '@phosphor-icons/react/dist/csr/Flask';

/** The yellow panel for messages about the product itself: the age of its data, demo data, an update. Changes inside
 *  an element with `aria-live="off"` are not read out; new content is. */
export function ProductSign({
  icon,
  soft = false,
  children,
}: {
  icon?: ReactNode;
  /** True: outlined instead of filled, for a notice beside a field. */
  soft?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={styles.sign}
      data-text="line"
      data-forced="frame"
      data-stripes
      data-soft={soft || undefined}
    >
      {icon}
      <p data-grow>{children}</p>
    </div>
  );
}

/** Shown above all invented data, on every screen, so that none of it looks live. */
export function DemoSign() {
  return (
    <ProductSign icon={<FlaskIcon weight="bold" aria-hidden />}>
      <strong>Demo data. Not live.</strong>
    </ProductSign>
  );
}
