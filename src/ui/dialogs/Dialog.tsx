import {
  useId,
  type ReactNode,
  type ComponentProps,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../signs/Notice.tsx';
import styles from './Dialog.module.css';

/**
 * A question over the page, open while it is rendered. Its first control gets the focus and should be the safe
 * answer. Escape, Back and a click outside call `onClose`. Afterwards the focus returns to where it was.
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

/** A dialog that is one form, and stays open while it is sent. */
export function FormDialog({
  form: { action, isBusy, failure },
  act,
  kind = 'primary',
  safe = false,
  onCancel,
  more,
  className,
  children,
  ...dialog
}: {
  heading: ReactNode;
  wide?: boolean;
  form: { action: () => void; isBusy: boolean; failure: string | null };
  /** Words of the button that sends it. */
  act: ReactNode;
  kind?: 'primary' | 'danger';
  /** Cancel stands first, and has the focus. */
  safe?: boolean;
  onClose: () => void;
  /** For Cancel, where that is more than closing: what was typed is forgotten. */
  onCancel?: () => void;
  /** Further buttons. */
  more?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  const cancel = (
    <Button busy={isBusy} onClick={onCancel ?? dialog.onClose}>
      Cancel
    </Button>
  );
  return (
    <Dialog {...dialog} onClose={() => !isBusy && dialog.onClose()}>
      <form action={action} className={className} data-stack="4">
        {children}
        {failure && <Notice>{failure}</Notice>}
        <div data-row>
          {safe && cancel}
          <Button type="submit" kind={kind} busy={isBusy}>
            {act}
          </Button>
          {!safe && cancel}
          {more}
        </div>
      </form>
    </Dialog>
  );
}

/** A dialog that is open while it is rendered. Escape and Back call `onClose`. Afterwards the focus returns to where it was. */
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
  useBackCloses(onClose);

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

const MARK = 'clearway_dialogs';
/** How to close each open dialog, the topmost last: the browser's Back, and Android's, is for that one alone. */
const opened: (() => void)[] = [];
/** We went back ourselves, and the browser has not said so yet. */
let isOurs = false;

/** How many dialogs this entry of the history is for. */
const depth = () => (history.state as Record<string, number> | null)?.[MARK] ?? 0;

/** Gives each open dialog an entry of the history, and takes away those of closed ones. */
function agree() {
  if (isOurs) return;
  if (depth() > opened.length) {
    isOurs = true;
    history.go(opened.length - depth());
  }
  while (depth() < opened.length)
    history.pushState({ ...(history.state as object | null), [MARK]: depth() + 1 }, '');
}

function wentBack() {
  if (isOurs) {
    isOurs = false;
    agree();
  } else if (depth() < opened.length) {
    opened.at(-1)!(); // there is one
    // One that is being saved stays open: the next Back closes it.
    requestAnimationFrame(agree);
  } else agree();
}

function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const own = () => close();
    opened.push(own);
    addEventListener('popstate', wentBack); // the first time
    // After both where one dialog takes another's place.
    queueMicrotask(agree);
    return () => {
      opened.splice(opened.indexOf(own), 1);
      queueMicrotask(agree);
    };
  }, []);
}
