import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import styles from './NewKeyCard.module.css';

/** A new key's full value, until it is dismissed. It takes the focus, so that it is read out. */
export function NewKeyCard({
  name,
  value,
  onDismiss,
}: {
  name: string;
  value: string;
  onDismiss: () => void;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const code = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <CheckCircleIcon weight="fill" aria-hidden />
        <h2 ref={heading} id={id} tabIndex={-1}>
          <bdi>{name}</bdi> is ready
        </h2>
      </header>
      <p>Make sure to copy your API key now. You won't be able to see it again!</p>
      <div className={styles.key}>
        <code ref={code}>{value}</code>
        <CopyButton kind="primary" text={value} from={code} />
      </div>
      <Button kind="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  );
}
