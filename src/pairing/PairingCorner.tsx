import styles from './PairingCorner.module.css';
import { addressOf } from './PairingPage.tsx';
import { usePairingCode } from './pairingCode.ts';

/** For a display that was signed out: how to pair it again, shown beside the board that it keeps. */
export function PairingCorner() {
  const { shown } = usePairingCode();

  return (
    <section className={styles.plate} aria-label="Pair this display again">
      {shown ? (
        <>
          <p>To pair again, enter at {addressOf(shown.verification_uri)}</p>
          <p className={styles.code} data-testid="code">
            {shown.user_code}
          </p>
        </>
      ) : (
        <p>To pair again, wait for a code. This display asks for one by itself.</p>
      )}
    </section>
  );
}
