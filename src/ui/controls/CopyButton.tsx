import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy';
import { useEffect, useState, type ComponentProps, type RefObject, type ReactNode, useRef } from 'react';
import { Button } from './Button.tsx';
import styles from './CopyButton.module.css';

/** How long the check mark stays. */
const COPIED_MS = 2000;

/**
 * Copies the text in `from`, which is on the page. If the browser refuses, the text is selected for the user to copy.
 */
export function CopyButton({
  text,
  from,
  about,
  label = 'Copy',
  ...button
}: {
  text: string;
  from: RefObject<HTMLElement | null>;
  /** The name of the copied text for screen readers, when there are several buttons. */
  about?: string;
  label?: string;
} & Pick<ComponentProps<typeof Button>, 'kind' | 'small'>) {
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null);
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copied = outcome === 'copied';

  return (
    <span className={styles.place}>
      <Button {...button} onClick={async () => setOutcome(await copy(text, from.current))}>
        {copied ? <CheckIcon weight="bold" aria-hidden /> : <CopyIcon weight="bold" aria-hidden />}
        {copied ? 'Copied' : label}
        {about && <span data-hidden> {about}</span>}
      </Button>
      <span role="status">
        {copied && <span data-hidden>Copied to the clipboard</span>}
        {outcome === 'selected' && (
          <span className={styles.words}>Selected. Press Ctrl+C or ⌘C to copy it.</span>
        )}
      </span>
    </span>
  );
}

/** Browsers offer the clipboard only on https and localhost; elsewhere a selection can still be copied. */
async function copy(text: string, from: HTMLElement | null): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    if (from) getSelection()?.selectAllChildren(from);
    // This is deprecated, but the only way on plain http.
    const done = document.execCommand?.('copy') ?? false;
    if (done) getSelection()?.removeAllRanges();
    return done ? 'copied' : 'selected';
  }
}

/** A text to be copied, such as a key or an address, with its copy button. */
export function CopyCode({
  text,
  shown = text,
  children,
  ...button
}: {
  text: string;
  /** The text as it is shown, if another form is easier to read. */
  shown?: string;
  /** Beside "Copy". */
  children?: ReactNode;
} & Pick<ComponentProps<typeof CopyButton>, 'about' | 'kind' | 'small'>) {
  const code = useRef<HTMLElement>(null);
  return (
    <div data-row className={styles.copied}>
      <code ref={code}>{shown}</code>
      <CopyButton text={text} from={code} {...button} />
      {children}
    </div>
  );
}
