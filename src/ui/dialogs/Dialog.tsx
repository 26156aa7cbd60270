import { useId, type ReactNode, type ComponentProps, useLayoutEffect, useRef } from 'react';
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

/** A dialog that is open while it is rendered. Escape calls `onClose`. Afterwards the focus returns to where it was. */
export function Modal({
  onClose,
  className,
  ...props
}: Omit<ComponentProps<'dialog'>, 'onCancel' | 'onClose'> & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!; // it is rendered below
    shown.showModal();
    // Close it before it is removed, or the browser would not return the focus.
    return () => shown.close();
  }, []);

  return (
    <dialog
      {...props}
      ref={dialog}
      className={`${styles.modal} ${className}`}
      onCancel={(event) => {
        // A file chooser that is closed without choosing cancels too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault(); // it closes when it is removed
        onClose();
      }}
    />
  );
}
