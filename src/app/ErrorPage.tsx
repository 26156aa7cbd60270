import { pageAddress } from '#contract/addresses.ts';
import { Link } from 'wouter';
import { useSession } from '../session/session.ts';
import { Brand } from '../ui/page/Brand.tsx';
import { Button, buttonLook } from '../ui/controls/Button.tsx';
import { isWall } from '../device/address/isWall.ts';
import { Arrival } from './Arrival.tsx';
import styles from './ErrorPage.module.css';

const ERROR_TITLE = 'Unexpected Application Error!';

/** For an address that leads nowhere, and for a page that failed. */
export function ErrorPage({ reason }: { reason: 'notFound' | 'failed' }) {
  const signedIn = useSession((session) => session.status === 'signedIn');

  return (
    <main id="main" className={styles.page} data-stack="4" data-align="start">
      <Brand href={pageAddress('landing')} />
      <h1>{ERROR_TITLE}</h1>
      <Arrival title={ERROR_TITLE} />
      <p>
        {reason === 'notFound'
          ? 'There is no page at this address.'
          : 'This page stopped working. Nothing that was saved is lost.'}
      </p>
      {reason === 'failed' && isWall() && <p>This screen tries again by itself every 30 seconds.</p>}
      <div className={styles.ways} data-row="3">
        <Link href={pageAddress(signedIn ? 'dashboard' : 'landing')} {...buttonLook({ kind: 'primary' })}>
          {signedIn ? 'Go to the dashboard' : 'Go to the start page'}
        </Link>
        {reason === 'failed' && <Button onClick={() => location.reload()}>Load this page again</Button>}
      </div>
    </main>
  );
}
