import { pageAddress } from '#contract/addresses.ts';
import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { usePath } from '../device/address/useAddress.ts';
import { isAdmin, useSession } from '../session/session.ts';
import { signInAddress } from '../session/wayBack.ts';
import { Loading } from './Loading.tsx';

/** Whom a route is for. */
export type Audience = 'anyone' | 'user' | 'admin';

/** Who may see a route. Others go to /login, or to /dashboard when only the role is missing. */
export function Guard({ audience, children }: { audience: 'user' | 'admin'; children: ReactNode }) {
  const status = useSession((session) => session.status);
  const admin = useSession(isAdmin);
  const must = useSession((session) => session.user?.must);
  const account = pageAddress('account');
  const path = usePath();

  if (status === 'loading') return <Loading />;
  if (status === 'signedOut') return <Redirect to={signInAddress()} replace />;
  // The server refuses all else until they have done it.
  if (must && path !== account) return <Redirect to={account} replace />;
  if (audience === 'admin' && !admin) return <Redirect to={pageAddress('dashboard')} replace />;
  return children;
}
