import styles from './DiversionSign.module.css';

/** The yellow panel with a route round an obstruction; it fills its container. */
export function DiversionSign() {
  return (
    <svg
      className={styles.sign}
      viewBox="0 0 340 350"
      role="img"
      aria-label="A route that diverts around an obstruction"
    >
      <rect className={styles.ground} width="340" height="350" rx="16" />
      <rect className={styles.border} x="8" y="8" width="324" height="334" rx="10" />
      <path className={styles.route} d="M188 318v-38l-80-80v-28l80-80V78" />
      <path className={styles.ink} d="M188 26l52 58h-104z" />
      <path className={styles.ink} d="m196 138 48 48-48 48-48-48z" />
    </svg>
  );
}
