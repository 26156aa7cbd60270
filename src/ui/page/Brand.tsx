import { Link } from 'wouter';
import styles from './Brand.module.css';

/** The mark and the name, as a link. */
export function Brand({ href }: { href: string }) {
  return (
    <Link href={href} className={styles.brand}>
      <Mark />
      Clearway
    </Link>
  );
}

/** The mark alone: a route round a diamond. The name or title beside it says what it means. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="40 40 432 432" aria-hidden="true">
      <path fill="var(--sign-yellow)" d="M40 40h432v432H40z" />
      <path fill="none" stroke="var(--sign-ink)" strokeWidth="60" d="M298 472v-80L186 280v-48l112-112V40" />
      <path fill="var(--sign-ink)" d="m308 184 72 72-72 72-72-72z" />
    </svg>
  );
}
