/** The way on after a sign-in: to /dashboard, or back to /pair with the code in its address (decision 8b). After a
 *  session has ended, the dashboard offers the page where the person was. */
import { pageAddress, pageAt, type PageName, pageQuery } from '#contract/addresses.ts';
import { readUserCode, showUserCode } from '#contract/displays/userCode.ts';
import { z } from 'zod/mini';
import { create } from 'zustand';
import { browserStore } from '../device/browserStorage.ts';

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

/** The code if it is valid: only a valid code is passed from one address to the next. */
function shown(text = ''): string {
  const code = readUserCode(text);
  return code ? showUserCode(code) : '';
}

/**
 * The key of a record: the person whose session ended, and the path where it ended. It never holds a query or a hash.
 */
const KEPT = 'clearway_way_back';
const Kept = z.object({ user: z.string(), path: z.nullable(z.string()) });

function kept(): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(browserStore.get(KEPT) ?? ''));
  } catch {
    return null; // there is none, or it is of another version of the app
  }
}

const keep = (user: string, path: string | null) => browserStore.set(KEPT, JSON.stringify({ user, path }));

/** Pages that nobody needs to go back to: they are for anyone, or a sign-in leads there anyway. */
const NO_WAY_BACK: ReadonlySet<PageName> = new Set(['landing', 'login', 'dashboard', 'open', 'pair']);

/** The page that the dashboard offers since the last sign-in in this tab; null: none. */
export const useWayBack = create<{ place: { page: PageName; path: string } | null }>(() => ({ place: null }));

/** Notes that this person is signed in, and deletes a place that was kept before. */
export const notePerson = (user: string): void => void keep(user, null);

/** Call it when a person has just signed in. The same person as before is offered the page where the session ended. */
export function takeWayBack(user: string): void {
  const before = kept();
  const path = before?.user === user ? before.path : null;
  const page = path === null ? null : pageAt(path)?.page;
  useWayBack.setState({ place: path !== null && page ? { page, path } : null });
}

/** Call it when the session has ended without the person asking for it. */
export function keepWayBack(path: string = location.pathname): void {
  const page = pageAt(path)?.page;
  const user = kept()?.user;
  if (user !== undefined && page && !NO_WAY_BACK.has(page)) keep(user, path);
}

/** Call it when the person has reached the page, or does not want it. */
export const leaveWayBack = (): void => useWayBack.setState({ place: null });

/** Call it when the person has signed out. */
export const forgetWayBack = (): void => browserStore.remove(KEPT);
