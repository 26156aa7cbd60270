import { useId, type ReactNode } from 'react';
import { Modal } from './Modal.tsx';
import styles from './Dialog.module.css';

/**
 * A question over the page, open while it is rendered. Its first control gets the focus and should be the safe
 * answer. Escape and a click outside call `onClose`. Afterwards the focus returns to where it was.
 */
export function Dialog({
  heading,
  role,
  about,
  wide,
  onClose,
  children,
}: {
  heading: ReactNode;
  /** `alertdialog`: a warning that interrupts. */
  role?: 'alertdialog';
  /** The id of what is read out with the heading. */
  about?: string;
  /** With room for two columns. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();

  return (
    <Modal
      className={styles.dialog}
      role={role}
      aria-labelledby={id}
      aria-describedby={about}
      data-wide={wide || undefined}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.inner} data-stack="3">
        <h2 id={id}>{heading}</h2>
        {children}
      </div>
    </Modal>
  );
}
