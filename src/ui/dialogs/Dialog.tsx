import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../signs/Notice.tsx';
import styles from './Dialog.module.css';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';

/** A question over the page, open while it is rendered. Its first control gets the focus, so that should be the safe
 *  answer. Escape, Back and a click outside call `onClose`. Afterwards the focus returns to where it was. */
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
  /** The id of the text that is read out with the heading. */
  about?: string;
  /** True: wide enough for two columns. */
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

/** A dialog that is one form. It stays open while the form is sent. */
export function FormDialog({
  form: { action, isBusy, failure },
  act,
  safe = false,
  forget,
  more,
  children,
  ...dialog
}: {
  heading: ReactNode;
  form: { action: () => void; isBusy: boolean; failure: string | null };
  /** The words of the button that sends the form. */
  act: ReactNode;
  /** True: Cancel comes before the other buttons, and has the focus if the form has no field. */
  safe?: boolean;
  onClose: () => void;
  /** Forgets the typed text. Cancel calls it before `onClose`. */
  forget?: () => void;
  /** Further buttons. */
  more?: ReactNode;
  children: ReactNode;
}) {
  const cancel = (
    <Button
      busy={isBusy}
      onClick={() => {
        forget?.();
        dialog.onClose();
      }}
    >
      Cancel
    </Button>
  );
  return (
    <Dialog {...dialog} onClose={() => !isBusy && dialog.onClose()}>
      <form action={action} data-stack="4">
        {children}
        {failure && <Notice>{failure}</Notice>}
        <div data-row>
          {safe && cancel}
          <Button type="submit" kind="primary" busy={isBusy}>
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
function Modal({
  onClose,
  className,
  ...props
}: Omit<ComponentProps<'dialog'>, 'onCancel' | 'onClose'> & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!; // it is rendered below
    shown.showModal();
    // The dialog is closed before it is removed, because otherwise the browser would not return the focus.
    return () => shown.close();
  }, []);
  useBackCloses(onClose);

  return (
    <dialog
      {...props}
      ref={dialog}
      className={`${styles.modal} ${className}`}
      onCancel={(event) => {
        // Closing a file chooser without choosing also sends `cancel`.
        if (event.target !== event.currentTarget) return;
        event.preventDefault(); // it closes when it is removed
        onClose();
      }}
    />
  );
}

const MARK = 'clearway_dialogs';
/** Functions that close the open dialogs, the topmost last. The Back of the browser and of Android closes only the
 *  topmost. */
const opened: (() => void)[] = [];
/** True: we called `history.go`, and the browser has not reported it yet. */
let isOurs = false;

/** The number of dialogs that this entry of the history stands for. */
const depth = () => (history.state as Record<string, number> | null)?.[MARK] ?? 0;

/** Gives each open dialog an entry of the history, and removes the entries of closed ones. */
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
    // A dialog that is being saved stays open; the next Back closes it.
    requestAnimationFrame(agree);
  } else agree();
}

function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const own = () => close();
    opened.push(own);
    addEventListener('popstate', wentBack); // the first time
    // It waits until both have run when one dialog replaces another.
    queueMicrotask(agree);
    return () => {
      opened.splice(opened.indexOf(own), 1);
      queueMicrotask(agree);
    };
  }, []);
}

/** Asks before an action that cannot be undone. While `busy` no answer can be given. */
export function Confirm({
  heading,
  act,
  keep = 'Cancel',
  busy = false,
  failure,
  onAct,
  onCancel,
  children,
}: {
  heading: ReactNode;
  /** The label of the button that confirms. */
  act: string;
  /** The label of the other one. */
  keep?: string;
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
      <div data-top="3" data-justify="end" data-row="3">
        <Button aria-disabled={busy} onClick={cancel}>
          {keep}
        </Button>
        <Button kind="danger" aria-disabled={busy} onClick={() => !busy && onAct()}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}

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
    <Modal className={styles.tool} aria-labelledby={id} onClose={onClose}>
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
