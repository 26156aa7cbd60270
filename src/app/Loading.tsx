import { useSession } from '../session/session.ts';
import styles from './Loading.module.css';

/** While it is not known who is signed in, or a page's code is on its way. */
export function Loading() {
  const offline = useSession((session) => session.offline);

  return (
    <div className={styles.loading} role="status">
      <p>Loading...</p>
      {offline && <p className={styles.why}>The server cannot be reached. Trying again.</p>}
    </div>
  );
}
