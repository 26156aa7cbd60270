import { Link } from 'wouter';
import { buttonLook } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import styles from './ComingPage.module.css';

/** Stands where a screen will be, and says in words what it will do. */
export function ComingPage({ heading, promise }: { heading: string; promise: string }) {
  return (
    <Page heading={heading}>
      <section className={styles.coming} aria-label="Not ready yet">
        <h2>This page is not ready yet</h2>
        <p>{promise}</p>
        <Link href="/disruptions" {...buttonLook()}>
          Open the disruptions board
        </Link>
      </section>
    </Page>
  );
}
