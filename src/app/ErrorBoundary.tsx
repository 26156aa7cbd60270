import { Component, type ReactNode } from 'react';
import { isWall } from '../device/address/useAddress.ts';
import { retriesAtOnce, retryByItself } from '../screens/wall/kiosk/reloads.ts';
import { pageAddress } from '#contract/addresses.ts';
import { Link } from 'wouter';
import { useSession } from '../session/session.ts';
import { Brand } from '../ui/page/Brand.tsx';
import { Button, buttonLook } from '../ui/controls/Button.tsx';
import { SkipLink } from '../ui/page/SkipLink.tsx';
import { NavBar } from './NavBar.tsx';
import { PageArrival } from './PageArrival.tsx';

interface State {
  /** `reloading`: a wall that is about to reload and will then show its stored rows. */
  is: 'well' | 'failed' | 'reloading';
  /** The address of the page that failed. */
  address: string;
}

/** Shows the error page instead of a page that throws, until the address changes. On a wall, where nobody will
 *  change the address, it tries again by itself. */
export class ErrorBoundary extends Component<{ address: string; children: ReactNode }, State> {
  override state: State = { is: 'well', address: this.props.address };
  private stopRetrying = () => {};

  static getDerivedStateFromError(): Partial<State> {
    return { is: isWall() && retriesAtOnce() ? 'reloading' : 'failed' };
  }

  static getDerivedStateFromProps({ address }: { address: string }, before: State): State | null {
    return address === before.address ? null : { is: 'well', address };
  }

  override componentDidCatch() {
    if (!isWall()) return;
    this.stopRetrying();
    this.stopRetrying = retryByItself({
      redraw: () => this.setState({ is: 'well' }),
      wait: () => this.setState({ is: 'failed' }),
    });
  }

  override componentWillUnmount() {
    this.stopRetrying();
  }

  override render() {
    const { is } = this.state;
    if (is === 'reloading') return null;
    return is === 'failed' ? <ErrorPage reason="failed" /> : this.props.children;
  }
}

const ERROR_TITLE = 'Unexpected Application Error!';

/** The page for an unknown address, and for a page that failed. Only the first has the navigation: what failed may be
 *  part of it. */
export function ErrorPage({ reason }: { reason: 'notFound' | 'failed' }) {
  const signedIn = useSession((session) => session.status === 'signedIn');
  const isFramed = signedIn && reason === 'notFound';

  return (
    <>
      {isFramed && (
        <>
          <SkipLink />
          <NavBar />
        </>
      )}
      <main id="main" data-page data-stack="4" data-align="start" tabIndex={-1}>
        {!isFramed && <Brand href={pageAddress('landing')} />}
        <h1 data-top={isFramed ? undefined : '6'}>{ERROR_TITLE}</h1>
        <PageArrival title={ERROR_TITLE} />
        <p data-tone="2">
          {reason === 'notFound'
            ? 'There is no page at this address. It may be mistyped, or from an older version of Clearway.'
            : 'This page stopped working. Nothing that was saved is lost.'}
        </p>
        {reason === 'failed' && isWall() && (
          <p data-tone="2">This screen tries again by itself every 30 seconds.</p>
        )}
        <div data-top="3" data-row="3">
          <Link href={pageAddress(signedIn ? 'dashboard' : 'landing')} {...buttonLook({ kind: 'primary' })}>
            {signedIn ? 'Go to the dashboard' : 'Go to the start page'}
          </Link>
          {reason === 'failed' && <Button onClick={() => location.reload()}>Load this page again</Button>}
        </div>
      </main>
    </>
  );
}
