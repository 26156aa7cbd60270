import { useState } from 'react';
import { useClock } from '../../../time/tickingClock.ts';
import { browserStore } from '../../../device/browserStorage.ts';
import { Mark } from '../../../ui/page/Brand.tsx';
import { ProductSign } from '../../../ui/signs/ProductSign.tsx';
import { formatClock } from '../../../time/london.ts';
import { type PairingCode, usePairingCode } from './pairingCode.ts';
import styles from './PairingPage.module.css';
import { QrCode } from '../../../ui/signs/QrCode.tsx';

/** The code that a display shows until it is paired. */
export function PairingPage() {
  const code = usePairingCode();
  const { shown, count } = code;
  const [storesNothing] = useState(() => !browserStore.keeps());
  const time = useClock((now) => formatClock(now));

  return (
    <main className={styles.page} data-tone="1" data-text="sign">
      {/* Each new code is on the other side, because otherwise it would burn into an unpaired screen. */}
      <div className={styles.stage} data-mirrored={count % 2 === 0 || undefined}>
        <header data-across data-justify="between" data-line>
          <p className={styles.brand} data-line>
            <Mark />
            Clearway
          </p>
          <time className={styles.clock} data-tone="2">
            {time}
          </time>
        </header>
        <div className={styles.ways}>
          <h1>Pair this display</h1>
          {shown ? (
            <>
              <p className={styles.step} data-tone="2">
                On a phone or a computer, open
              </p>
              <p className={styles.address}>{addressOf(shown.verification_uri)}</p>
              <p className={styles.step} data-tone="2">
                and enter this code
              </p>
              <p className={styles.code} data-nowrap data-testid="code">
                {shown.user_code}
              </p>
            </>
          ) : (
            <p className={styles.step} data-tone="2">
              The code will appear here.
            </p>
          )}
        </div>
        {shown && (
          <figure className={styles.qr}>
            <QrCode text={shown.verification_uri_complete} />
            <figcaption>or scan this</figcaption>
          </figure>
        )}
        <div className={styles.foot} data-across role="status">
          <Progress code={code} storesNothing={storesNothing} />
        </div>
      </div>
    </main>
  );
}

function Progress({
  code: { shown, problem, denied },
  storesNothing,
}: {
  code: PairingCode;
  /** True: the browser cannot store anything. */
  storesNothing: boolean;
}) {
  if (problem) {
    return (
      <ProductSign>
        <strong>{problem === 'unreachable' ? 'The server cannot be reached.' : problem.detail}</strong>{' '}
        {shown && problem === 'unreachable'
          ? 'This display tries again by itself. Its code may have to be entered later.'
          : 'This display tries again by itself.'}
      </ProductSign>
    );
  }
  if (!shown)
    return (
      <p className={styles.waiting} data-line>
        Asking for a code…
      </p>
    );
  return (
    <p className={styles.waiting} data-line>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
      </svg>
      Waiting…
      {denied && <span>The last code was denied. This is a new one.</span>}
      {storesNothing && (
        <span>
          This browser stores nothing: after a restart or an update, this display asks for a code again.
        </span>
      )}
    </p>
  );
}

/** "https://clearway.example/pair" becomes "clearway.example/pair", because nobody types the rest. */
export const addressOf = (uri: string) => uri.replace(/^https?:\/\//, '');
