import { Component, type ReactNode } from 'react';
import { ErrorPage } from './ErrorPage.tsx';

interface State {
  failed: boolean;
  /** Where it failed. */
  address: string;
}

/** Shows the error page in place of a page that throws, until the address changes to another one. */
export class ErrorBoundary extends Component<{ address: string; children: ReactNode }, State> {
  override state: State = { failed: false, address: this.props.address };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ address }: { address: string }, before: State): State | null {
    return address === before.address ? null : { failed: false, address };
  }

  override render() {
    return this.state.failed ? <ErrorPage reason="failed" /> : this.props.children;
  }
}
