import type { WatchKind } from '#contract/watches/watches.ts';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { type ReactNode, useId } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useBackCloses } from '../../../ui/useBackCloses.ts';
import styles from './RouteDialog.module.css';

/** The wide dialog in which a route or area is made: on phones the whole screen. Escape, Back and Close call `onClose`. */
export function RouteDialog({
  heading,
  about,
  step,
  footer,
  onClose,
  children,
}: {
  heading: string;
  about: WatchKind;
  /** "Step 1 of 2"; null where there is only one. */
  step: string | null;
  footer: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  useBackCloses(onClose);

  return (
    <Modal className={styles.dialog} aria-labelledby={id} onClose={onClose}>
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
          {about === 'route' && <p>This is the line to watch, not directions to drive.</p>}
          {about === 'area' && <p>This is the area to watch.</p>}
          {about === 'feeds' && <p>Without a place: of all the country.</p>}
          {footer}
        </footer>
      </div>
    </Modal>
  );
}
