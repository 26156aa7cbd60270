import { useEffect, useId, useRef, type ReactNode } from 'react';
import styles from './Dialog.module.css';

/** A question over the page, open while it is drawn. Escape and a click beside it answer with `onClose`; what holds
 *  `autoFocus` inside should be the safe answer. */
export function Dialog({
  heading,
  onClose,
  children,
}: {
  heading: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
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
