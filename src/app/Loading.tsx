import { useSession } from '../session/session.ts';
import styles from './Loading.module.css';

/** Shown until it is known who is signed in, or while a page's code loads. */
export function Loading() {
  const offline = useSession((session) => session.offline);

  return (
    <div className={styles.loading} data-stack data-text="lead" role="status">
      <p>Loading...</p>
      {offline && (
        <p data-text="line" data-tone="2">
          The server cannot be reached. Trying again.
        </p>
      )}
    </div>
  );
}
