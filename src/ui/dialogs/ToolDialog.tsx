import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { type ReactNode, useId, useEffect, useEffectEvent } from 'react';
import { Button } from '../controls/Button.tsx';
import { Modal } from './Dialog.tsx';
import styles from './ToolDialog.module.css';

/** The wide dialog in which something is made: on phones the whole screen. Escape, Back and Close call `onClose`. */
export function ToolDialog({
  heading,
  step,
  footer,
  action,
  onClose,
  children,
}: {
  heading: string;
  /** "Step 1 of 2"; null where there is only one. */
  step?: string | null;
  footer: ReactNode;
  /** All of it is one form, which calls this. */
  action?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const Frame = action ? 'form' : 'div';
  useBackCloses(onClose);

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

const MARK = 'clearway_dialog';

/** The browser's Back, and Android's, call `onClose` instead of leaving the page, as long as this part is shown. */
function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const stay = () => history.pushState({ ...(history.state as object | null), [MARK]: true }, '');
    let isHere = true;
    const back = () => {
      close();
      // A dialog that is being saved stays open: the next Back closes it.
      requestAnimationFrame(() => isHere && stay());
    };
    stay();
    addEventListener('popstate', back);
    return () => {
      isHere = false;
      removeEventListener('popstate', back);
      // Closed in another way: the entry goes, unless another page was opened over it.
      if ((history.state as Record<string, unknown> | null)?.[MARK]) history.back();
    };
  }, []);
}
