/** The current address, not decoded. Wouter's own hooks decode it in part, which cannot be undone. */
import { pageAt, type PageName, pageQuery, type PageQuery, type PageWithQuery } from '#contract/addresses.ts';
import { useLocation, useRouter } from 'wouter';

export function usePath(): string {
  const router = useRouter();
  return router.hook(router)[0];
}

/** The query, without the question mark. */
export function useSearch(): string {
  const router = useRouter();
  return router.searchHook(router).replace(/^\?/, '');
}

export const usePageQuery = <P extends PageWithQuery>(page: P): PageQuery<P> => pageQuery(page, useSearch());

/** The id of the record that the page shows. */
export const usePageId = (): string => pageAt(usePath())?.id ?? '';

/** The name of the page; null when there is none at this address. */
export const usePageName = (): PageName | null => pageAt(usePath())?.page ?? null;

/** Goes to an address of the app. */
export const useNavigate = () => useLocation()[1];

/** Whether an address is a wall display's, `/disruptions?display=wall`. Capitals and a trailing slash are accepted,
 *  because it is typed with a remote control, and any other address leads to a sign-in form. */
export const isWall = (path = location.pathname, search = location.search): boolean =>
  pageAt(path)?.page === 'board' && pageQuery('board', search).display?.trim().toLowerCase() === 'wall';
