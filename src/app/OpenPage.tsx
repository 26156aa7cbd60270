import { pageAddress } from '#contract/addresses.ts';
import { Redirect } from 'wouter';
import { usePageQuery } from '../device/address/useAddress.ts';
import { ErrorPage } from './ErrorBoundary.tsx';
import { pageOfLink } from './launch.ts';

/** Where the system opens a `web+clearway:` link. Goes on to the page that the link names. */
export function OpenPage() {
  const { link = '' } = usePageQuery('open');
  const page = pageOfLink(link);
  if (!page || page.startsWith(pageAddress('open'))) return <ErrorPage reason="notFound" />;
  return <Redirect to={page} replace />;
}
