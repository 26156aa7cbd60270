/** Addresses without a page of their own. They lead to another page. */
import { pageAddress } from '#contract/addresses.ts';
import { Redirect } from 'wouter';
import { usePageQuery } from '../device/address/useAddress.ts';
import { ErrorPage } from './ErrorBoundary.tsx';
import { pageOfLink } from './launch.ts';

/** The page that the system opens for a `web+clearway:` link. It goes on to the page that the link names. */
export function OpenPage() {
  const { link = '' } = usePageQuery('open');
  const page = pageOfLink(link);
  if (!page || page.startsWith(pageAddress('open'))) return <ErrorPage reason="notFound" />;
  return <Redirect to={page} replace />;
}

/** `/filters` is an earlier address: filters are now whole feeds among the routes and areas. */
export function FiltersMoved() {
  const { new: conditions } = usePageQuery('filters');
  return (
    <Redirect
      to={pageAddress('routes', {
        kind: 'feeds',
        ...(conditions !== undefined && { new: 'feeds', conditions }),
      })}
      replace
    />
  );
}
