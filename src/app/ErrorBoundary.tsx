import { Component, type ReactNode } from 'react';
import { isWall } from '../device/address/isWall.ts';
import { retriesAtOnce, retryByItself } from '../screens/wall/kiosk/reloads.ts';
import { ErrorPage } from './ErrorPage.tsx';

interface State {
  /** `reloading`: a wall that is about to reload, and will then show its stored rows. */
  is: 'well' | 'failed' | 'reloading';
  /** Where it failed. */
  address: string;
}

/** Shows the error page in place of a page that throws, until the address changes. On a wall, where nobody will
 *  change it, it tries again by itself. */
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
