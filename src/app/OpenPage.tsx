import { Redirect, useSearch } from 'wouter';
import { ErrorPage } from './ErrorPage.tsx';
import { pageOfLink } from './launch.ts';

/** Where the system brings a `web+clearway:` link: on to the page that it names. */
export function OpenPage() {
  const page = pageOfLink(new URLSearchParams(useSearch()).get('link') ?? '');
  if (!page || page.startsWith('/open')) return <ErrorPage reason="notFound" />;
  return <Redirect to={page} replace />;
}
