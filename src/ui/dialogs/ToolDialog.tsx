import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { type ReactNode, useId } from 'react';
import { Button } from '../controls/Button.tsx';
import { Modal } from './Dialog.tsx';
import styles from './ToolDialog.module.css';

/** A wide dialog for making something; on phones it fills the screen. Close also calls `onClose`. */
export function ToolDialog({
  heading,
  step,
  footer,
  action,
  onClose,
  children,
}: {
  heading: string;
  /** "Step 1 of 2"; null when there is only one step. */
  step?: string | null;
  footer: ReactNode;
  /** Makes the whole dialog one form, which calls this. */
  action?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const Frame = action ? 'form' : 'div';

  return (
    <Modal className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <Frame className={styles.frame} {...(action && { action })}>
        <header data-line="4">
          <h2 id={id}>{heading}</h2>
          {step && (
            <p data-text="line" data-tone="2">
              {step}
            </p>
          )}
          <Button kind="quiet" aria-label="Close" onClick={onClose}>
            <XIcon weight="bold" aria-hidden />
          </Button>
        </header>
        <div className={styles.body}>{children}</div>
        <footer data-row>{footer}</footer>
      </Frame>
    </Modal>
  );
}
