import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { CopyCode } from '../controls/CopyButton.tsx';
import styles from './Reveal.module.css';

/** A text that is shown only once, with its copy button. It takes the focus, so that it is read out. */
export function Reveal({
  heading,
  as: Heading = 'h3',
  value,
  about,
  actions,
  children,
}: {
  heading: ReactNode;
  /** One level below the heading above it. */
  as?: 'h2' | 'h3';
  value: string;
  /** Name of the copied text, for screen readers. */
  about?: string;
  /** Beside "Copy". */
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);

  return (
    <section className={styles.reveal} data-stack="2" aria-labelledby={id}>
      <header data-line="3">
        <CheckCircleIcon weight="fill" size="2rem" aria-hidden />
        <Heading ref={head} id={id} tabIndex={-1} data-text="lead">
          {heading}
        </Heading>
      </header>
      <p data-text="line">{children}</p>
      <CopyCode kind="primary" text={value} about={about}>
        {actions}
      </CopyCode>
    </section>
  );
}
