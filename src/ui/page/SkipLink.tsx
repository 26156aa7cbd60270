import styles from './SkipLink.module.css';

/** The first tab stop: skips the navigation and goes to the page's `#main`. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}
