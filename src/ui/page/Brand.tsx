import { Link } from 'wouter';
import styles from './Brand.module.css';
import { Mark } from './Mark.tsx';

/** The mark and the name, as a link. */
export function Brand({ href }: { href: string }) {
  return (
    <Link href={href} className={styles.brand}>
      <Mark />
      Clearway
    </Link>
  );
}
