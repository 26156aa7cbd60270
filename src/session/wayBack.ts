/** Where a sign-in leads: to /dashboard, or back to /pair with the code in its address (decision 8b). */
import { pageAddress, pageAt, pageQuery } from '#contract/addresses.ts';
import { readUserCode, showUserCode } from '#contract/userCode.ts';

/** The sign-in page for a visitor who may not see this address. */
export const signInAddress = ({
  pathname,
  search,
}: { pathname: string; search: string } = location): string =>
  pageAddress('login', pageAt(pathname)?.page === 'pair' ? { pair: codeAtPair(search) } : {});

export function addressAfterSignIn(search: string = location.search): string {
  const { pair } = pageQuery('login', search);
  return pair === undefined
    ? pageAddress('dashboard')
    : pageAddress('pair', { user_code: shown(pair) || undefined });
}

/** The code in the address of /pair, as it is shown; an empty string if there is none. */
export const codeAtPair = (search: string) => shown(pageQuery('pair', search).user_code);

/** Only a valid code is passed from one address to the next. */
function shown(text = ''): string {
  const code = readUserCode(text);
  return code ? showUserCode(code) : '';
}
