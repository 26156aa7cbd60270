import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import styles from './Confirm.module.css';
import { Notice } from './Notice.tsx';

/**
 * Asks before something that cannot be undone. The safe answer has the focus, and Escape gives it; afterwards the focus
 * is where it was. While `busy` neither can be given.
 */
export function Confirm({
  heading,
  act,
  busy = false,
  failure,
  onAct,
  onCancel,
  children,
}: {
  heading: string;
  /** What the button says that does it. */
  act: string;
  busy?: boolean;
  /** Why it could not be done. */
  failure?: string | null;
  onAct: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const safe = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    const shown = dialog.current!; // both are drawn below
    shown.showModal();
    safe.current!.focus();
    // Before it leaves the page, or the browser would not give the focus back.
    return () => shown.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-question`}
      onCancel={(event) => {
        event.preventDefault(); // it closes by being taken away
        if (!busy) onCancel();
      }}
    >
      <h2 id={id}>{heading}</h2>
      <div id={`${id}-question`}>{children}</div>
      {failure && <Notice>{failure}</Notice>}
      <div className={styles.buttons}>
        <Button ref={safe} aria-disabled={busy} onClick={() => !busy && onCancel()}>
          Cancel
        </Button>
        <Button kind="danger" aria-disabled={busy} onClick={() => !busy && onAct()}>
          {act}
        </Button>
      </div>
    </dialog>
  );
}
