import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import styles from './RouteDialog.module.css';

/** The wide dialog in which a route is made: on phones the whole screen. Escape and Close call `onClose`. */
export function RouteDialog({
  heading,
  step,
  footer,
  onClose,
  children,
}: {
  heading: string;
  /** "Step 1 of 2"; null where there is only one. */
  step: string | null;
  footer: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!; // it is rendered below
    shown.showModal();
    return () => shown.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file chooser that is closed without choosing cancels too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.frame}>
        <header className={styles.header}>
          <h2 id={id}>{heading}</h2>
          {step && <p>{step}</p>}
          <Button kind="quiet" aria-label="Close" onClick={onClose}>
            <XIcon weight="bold" aria-hidden />
          </Button>
        </header>
        <div className={styles.body}>{children}</div>
        <footer className={styles.footer}>
          <p>This is the line to watch, not directions to drive.</p>
          {footer}
        </footer>
      </div>
    </dialog>
  );
}
