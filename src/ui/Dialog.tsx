import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Dialog.module.css';

/**
 * A question over the page, open while it is rendered. Its first control gets the focus and should be the safe
 * answer. Escape and a click outside call `onClose`. Afterwards the focus returns to where it was.
 */
export function Dialog({
  heading,
  role,
  about,
  onClose,
  children,
}: {
  heading: ReactNode;
  /** `alertdialog`: a warning that interrupts. */
  role?: 'alertdialog';
  /** The id of what is read out with the heading. */
  about?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!; // it is rendered below
    shown.showModal();
    // Close it before it is removed, or the browser would not return the focus.
    return () => shown.close();
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog
      ref={dialog}
      className={styles.dialog}
      role={role}
      aria-labelledby={id}
      aria-describedby={about}
      onCancel={(event) => {
        event.preventDefault(); // it closes when it is removed
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.inner}>
        <h2 id={id}>{heading}</h2>
        {children}
      </div>
    </dialog>
  );
}
