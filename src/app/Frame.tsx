import type { ReactNode } from 'react';
import { OfflineNotice } from '../session/OfflineNotice.tsx';
import { SkipLink } from '../ui/page/SkipLink.tsx';
import styles from './Frame.module.css';
import { NavBar } from './NavBar.tsx';

/** The frame of every signed-in page: skip link, navigation, the app's sign, and the one `main`. */
export function Frame({
  ownSign,
  fills,
  children,
}: {
  ownSign: boolean;
  fills: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.frame} data-fills={fills || undefined}>
      <SkipLink />
      <NavBar />
      {!ownSign && <OfflineNotice />}
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
