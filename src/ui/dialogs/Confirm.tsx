import { useId, type ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import styles from './Confirm.module.css';
import { Dialog } from './Dialog.tsx';
import { Notice } from '../signs/Notice.tsx';

/** Asks before an action that cannot be undone. While `busy` no answer can be given. */
export function Confirm({
  heading,
  act,
  busy = false,
  failure,
  onAct,
  onCancel,
  children,
}: {
  heading: ReactNode;
  /** The label of the button that confirms. */
  act: string;
  busy?: boolean;
  /** Why it could not be done. */
  failure?: string | null;
  onAct: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const question = useId();
  const cancel = () => {
    if (!busy) onCancel();
  };

  return (
    <Dialog heading={heading} role="alertdialog" about={question} onClose={cancel}>
      <div id={question}>{children}</div>
      {failure && <Notice>{failure}</Notice>}
      <div className={styles.buttons} data-justify="end" data-row="3">
        <Button aria-disabled={busy} onClick={cancel}>
          Cancel
        </Button>
        <Button kind="danger" aria-disabled={busy} onClick={() => !busy && onAct()}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
