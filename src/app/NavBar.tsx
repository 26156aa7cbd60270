import { pageAddress, pageAt, type PageName } from '#contract/addresses.ts';
import { ListIcon } from '@phosphor-icons/react/dist/csr/List';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'wouter';
import { usePath } from '../device/address/useAddress.ts';
import { waitingActions } from '../offline/actionStore.ts';
import { isAdmin, signOut, useSession } from '../session/session.ts';
import type { WaitingAction } from '../shift/inHand/sendActions.ts';
import { Brand } from '../ui/page/Brand.tsx';
import styles from './NavBar.module.css';

const LINKS = [
  { href: pageAddress('dashboard'), text: 'Dashboard' },
  { href: pageAddress('today'), text: 'Today' },
  { href: pageAddress('map'), text: 'Map View' },
  { href: pageAddress('board'), text: 'Disruptions Board' },
  { href: pageAddress('routes'), text: 'Routes' },
  { href: pageAddress('messages'), text: 'Messages' },
];
const KEYS = { href: pageAddress('keys'), text: 'API Keys' };
/** False on the board, which makes no call beside its own. From the next page on the number is loaded. */
let isCounting = false;
const UnseenCount = lazy(() => import('./UnseenCount.tsx'));
/** Pages with samples, which ask the server for nothing. Their frame does not either. */
const SAMPLES: ReadonlySet<PageName> = new Set(['events', 'eventSetup', 'venue', 'notifications']);
const ACCOUNT = pageAddress('account');
/** A thin rule separates these from the links before them. */
const ADMIN_LINKS = [
  { href: pageAddress('analytics'), text: 'Admin Analytics' },
  { href: pageAddress('users'), text: 'Manage Users' },
  { href: pageAddress('displays'), text: 'Displays' },
  { href: pageAddress('sources'), text: 'Sources' },
];

const ShiftMenu = lazy(() => import('./ShiftMenu.tsx'));
const LeaveUnsent = lazy(() => import('./LeaveUnsent.tsx'));

/** Briefs are a part of Messages with an address of their own. */
const isBelow = (path: string, href: string): boolean =>
  `${path}/`.startsWith(`${href}/`) ||
  (href === pageAddress('messages') && isBelow(path, pageAddress('briefs')));

/** The black navigation bar of signed-in pages. On narrow screens its links are behind Menu. */
export function NavBar() {
  const admin = useSession(isAdmin);
  const path = usePath();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const listId = useId();
  isCounting ||= path !== pageAddress('board');
  const at = pageAt(path);
  const isSample = at !== null && SAMPLES.has(at.page);
  const open = openAt === path; // any navigation closes the menu
  const [unsent, setUnsent] = useState<readonly string[]>([]);

  const leave = async () => {
    const waiting = await waitingActions<WaitingAction>();
    if (waiting.length === 0) await signOut();
    else setUnsent(waiting.map(({ doing }) => doing.kind));
  };

  const link = ({ href, text }: { href: string; text: string }) => (
    <li key={href} className={href === ADMIN_LINKS[0]?.href ? styles.ruled : undefined}>
      <Link
        href={href}
        className={styles.link}
        aria-current={path === href ? 'page' : isBelow(path, href) ? 'true' : undefined}
      >
        {text}
        {isCounting && !isSample && href === pageAddress('messages') && (
          <Suspense fallback={null}>
            <UnseenCount />
          </Suspense>
        )}
      </Link>
    </li>
  );

  return (
    <header className={styles.fascia} data-tone="1" data-theme="board" data-only="screen">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, wherever inside the focus is */}
      <nav
        className={styles.inner}
        data-line="5"
        data-align="stretch"
        aria-label="Main"
        onKeyDown={(event) => event.key === 'Escape' && setOpenAt(null)}
      >
        <Brand href={pageAddress('dashboard')} />
        <button
          type="button"
          className={styles.menu}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpenAt(open ? null : path)}
        >
          {open ? (
            <XIcon weight="bold" size="1.25em" aria-hidden />
          ) : (
            <ListIcon weight="bold" size="1.25em" aria-hidden />
          )}
          Menu
        </button>
        <ul
          id={listId}
          className={styles.links}
          data-line="0"
          data-align="stretch"
          data-open={open || undefined}
        >
          {LINKS.map(link)}
          <Suspense fallback={null}>
            <ShiftMenu path={path} />
          </Suspense>
          {link(KEYS)}
          {admin && ADMIN_LINKS.map(link)}
          <li className={styles.end}>
            <Link href={ACCOUNT} className={styles.link} aria-current={path === ACCOUNT ? 'page' : undefined}>
              Account
            </Link>
          </li>
          <li>
            <button type="button" className={styles.link} onClick={() => void leave()}>
              Logout
            </button>
            {unsent.length > 0 && (
              <Suspense fallback={null}>
                <LeaveUnsent waiting={unsent} onCancel={() => setUnsent([])} />
              </Suspense>
            )}
          </li>
        </ul>
      </nav>
    </header>
  );
}
