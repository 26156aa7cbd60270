import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Dialog.module.css';

/**
 * A question over the page, open while it is drawn. Its first control has the focus, which should be the safe answer;
 * Escape and a click beside it answer with `onClose`. Afterwards the focus is where it was.
 */
export function Dialog({
  heading,
  role,
  about,
  onClose,
  children,
}: {
  heading: ReactNode;
  /** `alertdialog`: one that interrupts, to warn. */
  role?: 'alertdialog';
  /** The id of what is read out with the heading. */
  about?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!; // it is drawn below
    shown.showModal();
    // Before it leaves the page, or the browser would not give the focus back.
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
        event.preventDefault(); // it closes by being taken away
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
