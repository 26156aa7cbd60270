import { pageAddress } from '#contract/addresses.ts';
import { Redirect } from 'wouter';
import { usePageQuery } from '../addresses/useAddress.ts';
import { ErrorPage } from './ErrorPage.tsx';
import { pageOfLink } from './launch.ts';

/** Where the system brings a `web+clearway:` link: on to the page that it names. */
export function OpenPage() {
  const { link = '' } = usePageQuery('open');
  const page = pageOfLink(link);
  if (!page || page.startsWith(pageAddress('open'))) return <ErrorPage reason="notFound" />;
  return <Redirect to={page} replace />;
}
