import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import styles from './Modal.module.css';

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
