import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../signs/Notice.tsx';
import styles from './Page.module.css';
import toolPage from './ToolPage.module.css';

/** The frame of an ordinary page: its heading, a line about it, and what is shown beside them. */
export function Page({
  heading,
  about,
  aside,
  children,
}: {
  heading: string;
  about?: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div data-page>
      <header className={styles.head} data-bottom="6" data-row data-align="end">
        <div>
          <h1>{heading}</h1>
          {about && <p>{about}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}

/** A section of a page below a heavy rule, with its heading and what is shown beside it. */
export function Panel({
  heading,
  aside,
  sheet,
  children,
}: {
  heading: string;
  aside?: ReactNode;
  /** On a white background, for forms. */
  sheet?: boolean;
  children: ReactNode;
}) {
  const id = useId();

  return (
    <section className={styles.panel} aria-labelledby={id} data-sheet={sheet || undefined}>
      <header data-bottom="4" data-split="4" data-tight="2" data-align="baseline">
        <h2 id={id}>{heading}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Stands in a tool page where its rows or its pane will be. */
export const Loading = (place: { 'data-gutter'?: boolean; 'data-pad'?: string }) => (
  <p data-pad="4" {...place} data-text="line" data-tone="2">
    Loading...
  </p>
);

/** Stands before the data of a page or a panel: that it is loading, or why it could not be loaded. With `again` a
 *  failure has a button for another try. */
export function LoadState({
  load,
  again,
  children,
}: {
  load: { state: 'loading' | 'ready' } | { state: 'failed'; message: string };
  again?: () => Promise<void>;
  /** Shown below a failure: its consequence here. */
  children?: ReactNode;
}) {
  if (load.state === 'loading') return <p role="status">Loading...</p>;
  if (load.state !== 'failed') return null;
  return (
    <div data-stack="4" data-align="start">
      <Notice>{load.message}</Notice>
      {children}
      {again && <Button onClick={() => void again()}>Try again</Button>}
    </div>
  );
}

/** A row of numbers, each below its name. */
export function Figures({
  figures,
}: {
  figures: readonly { key: string; name: ReactNode; value: ReactNode; note?: ReactNode }[];
}) {
  return (
    <dl className={styles.figures} data-bottom="4">
      {figures.map(({ key, name, value, note }) => (
        <div key={key} className={styles.figure} data-part>
          <dt data-text="strong" data-tone="2">
            {name}
          </dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A page of rows under a header that stays: its title, state and tools. With few rows it is as high as the window.
 *  On an upright tablet and on phones a chosen row has the page to itself: elements with `data-listed` belong only
 *  to the list and are hidden then. */
export function ToolPage({
  header,
  className = '',
  chosen = false,
  children,
  ...page
}: {
  header: ReactNode;
  /** The header's own. */
  className?: string | undefined;
  chosen?: boolean;
} & Omit<ComponentProps<'div'>, 'className'>) {
  return (
    <div {...page} className={toolPage.page} data-chosen={chosen || undefined}>
      <header className={`${toolPage.header} ${className}`}>{header}</header>
      {children}
    </div>
  );
}
