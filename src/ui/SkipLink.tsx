import styles from './SkipLink.module.css';

/** The first stop of the tab key: past the navigation to the page's `#main`. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}
