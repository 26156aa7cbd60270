/** Where a sign-in leads: to /dashboard, and back to /pair alone, with the code that it was opened with (decision 8b). */
import { pageAddress, pageAt, pageQuery } from '#contract/addresses.ts';
import { readUserCode, showUserCode } from '#contract/userCode.ts';

/** The sign-in for whoever is at this address and may not be. */
export const signInAddress = ({
  pathname,
  search,
}: { pathname: string; search: string } = location): string =>
  pageAddress('login', pageAt(pathname)?.page === 'pair' ? { pair: codeAtPair(search) } : {});

/** Where this sign-in leads to. */
export function addressAfterSignIn(search: string = location.search): string {
  const { pair } = pageQuery('login', search);
  return pair === undefined
    ? pageAddress('dashboard')
    : pageAddress('pair', { user_code: shown(pair) || undefined });
}

/** The code in the address of /pair, as it is shown; an empty text without one. */
export const codeAtPair = (search: string) => shown(pageQuery('pair', search).user_code);

/** Nothing but a code goes from one address to the next. */
function shown(text = ''): string {
  const code = readUserCode(text);
  return code ? showUserCode(code) : '';
}
