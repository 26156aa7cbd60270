/** Where a sign-in leads: to /dashboard, and back to /pair alone, with the code that it was opened with (decision 8b). */
import { readUserCode, showUserCode } from '#contract/userCode.ts';

const PAIR = '/pair';

/** The sign-in for whoever is at this address and may not be. */
export function signInAddress({ pathname, search }: { pathname: string; search: string } = location): string {
  return pathname === PAIR
    ? `/login?${new URLSearchParams({ pair: codeIn(search, 'user_code') })}`
    : '/login';
}

/** Where this sign-in leads to. */
export function addressAfterSignIn(search: string = location.search): string {
  return new URLSearchParams(search).has('pair') ? pairAddress(codeIn(search, 'pair')) : '/dashboard';
}

/** The code in the address of /pair, as it is shown; an empty text without one. */
export const codeAtPair = (search: string) => codeIn(search, 'user_code');

const pairAddress = (code: string) => (code ? `${PAIR}?${new URLSearchParams({ user_code: code })}` : PAIR);

/** Nothing but a code goes from one address to the next. */
function codeIn(search: string, name: string): string {
  const code = readUserCode(new URLSearchParams(search).get(name) ?? '');
  return code ? showUserCode(code) : '';
}
