import type { ReactNode } from 'react';
import styles from './Page.module.css';

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
    <div className={styles.page}>
      <header className={styles.head} data-row data-align="end">
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
