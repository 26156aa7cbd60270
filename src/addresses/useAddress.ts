/** The address that is open, as it stands there. The hooks of wouter decode it by half, which nothing can undo. */
import { pageAt, pageQuery, type PageQuery, type PageWithQuery } from '#contract/addresses.ts';
import { useLocation, useRouter } from 'wouter';

export function usePath(): string {
  const router = useRouter();
  return router.hook(router)[0];
}

/** Without its question mark. */
export function useSearch(): string {
  const router = useRouter();
  return router.searchHook(router).replace(/^\?/, '');
}

export const usePageQuery = <P extends PageWithQuery>(page: P): PageQuery<P> => pageQuery(page, useSearch());

/** The id of what the page shows. */
export const usePageId = (): string => pageAt(usePath())?.id ?? '';

/** Goes to an address of the app. */
export const useNavigate = () => useLocation()[1];
