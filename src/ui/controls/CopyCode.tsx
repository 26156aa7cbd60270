import { type ComponentProps, type ReactNode, useRef } from 'react';
import { CopyButton } from './CopyButton.tsx';
import styles from './CopyCode.module.css';

/** A text to be copied, such as a key or an address, with its copy button. */
export function CopyCode({
  text,
  shown = text,
  children,
  ...button
}: {
  text: string;
  /** As it is shown, where that is easier to read. */
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
