import { pageAt, type PageName, pageAddress } from '#contract/addresses.ts';
import { Suspense, type ReactNode, useLayoutEffect } from 'react';
import { PAGE_TITLES } from '../device/address/pageTitles.ts';
import { usePath, useSearch, isWall } from '../device/address/useAddress.ts';
import { PageArrival } from './PageArrival.tsx';
import { ErrorBoundary, ErrorPage } from './ErrorBoundary.tsx';
import { type LazyPage, lazyPage, Loading } from './lazyPage.tsx';
import { Redirect } from 'wouter';
import { isAdmin, useSession } from '../session/session.ts';
import { signInAddress } from '../session/wayBack.ts';
import styles from './App.module.css';
import { OfflineNotice } from '../session/OfflineNotice.tsx';
import { SkipLink } from '../ui/page/SkipLink.tsx';
import { NavBar } from './NavBar.tsx';

interface AppRoute {
  /** Who may see it; if it is not given, every signed-in user. */
  audience?: 'anyone' | 'admin';
  Page: LazyPage;
  /** True for a page with a place of its own for signs, which then also shows the app's sign. */
  ownSign?: boolean;
  /** True for a page that is as high as the screen, with parts that scroll by themselves. */
  fills?: boolean;
}

/** The list and the chosen route are one page, whichever tab is open, so that the list stays as it is. */
const ROUTES_PAGE: AppRoute = {
  Page: lazyPage('RoutesPage', () => import('../screens/watches/RoutesPage.tsx')),
  ownSign: true,
};

/** The same of jobs. */
const TODAY_PAGE: AppRoute = {
  Page: lazyPage('TodayPage', () => import('../screens/today/TodayPage.tsx')),
  ownSign: true,
};

const ROUTES: Readonly<Record<PageName, AppRoute>> = {
  landing: {
    audience: 'anyone',
    Page: lazyPage('LandingPage', () => import('../screens/landing/LandingPage.tsx')),
  },
  login: { audience: 'anyone', Page: lazyPage('LoginPage', () => import('../screens/login/LoginPage.tsx')) },
  dashboard: { Page: lazyPage('DashboardPage', () => import('../screens/dashboard/DashboardPage.tsx')) },
  board: { Page: lazyPage('BoardPage', () => import('../screens/board/BoardPage.tsx')), ownSign: true },
  list: { Page: lazyPage('ListPage', () => import('../screens/list/ListPage.tsx')), ownSign: true },
  alert: { Page: lazyPage('AlertPage', () => import('../screens/alert/AlertPage.tsx')), ownSign: true },
  alertNumber: { Page: lazyPage('NumberPage', () => import('../screens/alert/NumberPage.tsx')) },
  open: { audience: 'anyone', Page: lazyPage('OpenPage', () => import('./Redirects.tsx')) },
  map: { Page: lazyPage('MapPage', () => import('../screens/map/MapPage.tsx')), fills: true },
  routes: ROUTES_PAGE,
  route: ROUTES_PAGE,
  routeTell: ROUTES_PAGE,
  routeShare: ROUTES_PAGE,
  today: TODAY_PAGE,
  job: TODAY_PAGE,
  dayImport: { Page: lazyPage('ImportPage', () => import('../screens/today/ImportPage.tsx')) },
  messages: {
    Page: lazyPage('MessagesPage', () => import('../screens/messages/MessagesPage.tsx')),
    ownSign: true,
  },
  briefs: { Page: lazyPage('BriefsPage', () => import('../screens/briefs/BriefsPage.tsx')) },
  brief: { Page: lazyPage('BriefPage', () => import('../screens/briefs/BriefPage.tsx')) },
  team: { Page: lazyPage('TeamPage', () => import('../screens/admin/TeamPage.tsx')) },
  history: {
    Page: lazyPage('HistoryPage', () => import('../screens/history/HistoryPage.tsx')),
    ownSign: true,
  },
  filters: { Page: lazyPage('FiltersMoved', () => import('./Redirects.tsx')) },
  handover: {
    Page: lazyPage('HandoverPage', () => import('../screens/handover/HandoverPage.tsx')),
    ownSign: true,
  },
  keys: { Page: lazyPage('KeysPage', () => import('../screens/keys/KeysPage.tsx')) },
  account: { Page: lazyPage('AccountPage', () => import('../screens/account/AccountPage.tsx')) },
  events: { Page: lazyPage('EventsPage', () => import('../screens/preview/EventsPage.tsx')) },
  eventSetup: { Page: lazyPage('SetupPage', () => import('../screens/preview/SetupPage.tsx')) },
  venue: { Page: lazyPage('VenuePage', () => import('../screens/preview/EventsPage.tsx')) },
  event: { Page: lazyPage('EventPage', () => import('../screens/map/events/EventPage.tsx')) },
  notifications: {
    Page: lazyPage('NotificationsPage', () => import('../screens/preview/EventsPage.tsx')),
  },
  analytics: {
    audience: 'admin',
    Page: lazyPage('AnalyticsPage', () => import('../screens/admin/AnalyticsPage.tsx')),
  },
  users: { audience: 'admin', Page: lazyPage('UsersPage', () => import('../screens/admin/UsersPage.tsx')) },
  displays: {
    audience: 'admin',
    Page: lazyPage('DisplaysPage', () => import('../screens/admin/DisplaysPage.tsx')),
  },
  // Also for leads of a team: the server refuses others.
  layouts: { Page: lazyPage('LayoutsPage', () => import('../screens/layouts/LayoutsPage.tsx')) },
  sources: {
    audience: 'admin',
    Page: lazyPage('SourcesPage', () => import('../screens/admin/SourcesPage.tsx')),
  },
  pair: { Page: lazyPage('PairPage', () => import('../screens/pairing/PairPage.tsx')) },
};

/** `/disruptions?display=wall`: a separate screen, without navigation, and never a sign-in form. */
const WALL: AppRoute = {
  audience: 'anyone',
  Page: lazyPage('WallPage', () => import('../screens/wall/WallPage.tsx')),
};

function routeAt(path: string, search?: string): (AppRoute & { title: string }) | null {
  const found = pageAt(path);
  if (!found) return null;
  return {
    ...(isWall(path, search) ? WALL : ROUTES[found.page]),
    title: PAGE_TITLES[found.page],
  };
}

/** Loads the code of the page at this address while the session is still being restored. */
export const preloadPage = () => routeAt(location.pathname)?.Page.preload();

/** The page at the current address, with its frame. */
export function App() {
  const path = usePath();
  const search = useSearch();
  const route = routeAt(path, search);
  useBoardTheme(isWall(path, search));

  return (
    <ErrorBoundary address={path}>{route ? show(route) : <ErrorPage reason="notFound" />}</ErrorBoundary>
  );
}

function show({ title, audience, Page, ownSign = false, fills = false }: AppRoute & { title: string }) {
  const page = (
    <Suspense key={title} fallback={<Loading />}>
      <Page>
        <PageArrival title={title} />
      </Page>
    </Suspense>
  );
  if (audience === 'anyone') return page;

  return (
    <Guard audience={audience}>
      <Frame ownSign={ownSign} fills={fills}>
        {page}
      </Frame>
    </Guard>
  );
}

/** Who may see a route. Others go to /login, or to /dashboard when only the role is missing. */
function Guard({ audience, children }: { audience: AppRoute['audience']; children: ReactNode }) {
  const status = useSession((session) => session.status);
  const admin = useSession(isAdmin);
  const must = useSession((session) => session.user?.must);
  const account = pageAddress('account');
  const path = usePath();

  if (status === 'loading') return <Loading />;
  if (status === 'signedOut') return <Redirect to={signInAddress()} replace />;
  // The server refuses everything else until they have done it.
  if (must && path !== account) return <Redirect to={account} replace />;
  if (audience === 'admin' && !admin) return <Redirect to={pageAddress('dashboard')} replace />;
  return children;
}

/** The frame of every signed-in page: skip link, navigation, the app's sign, and the one `main`. */
function Frame({ ownSign, fills, children }: { ownSign: boolean; fills: boolean; children: ReactNode }) {
  return (
    <div className={styles.frame} data-fills={fills || undefined}>
      <SkipLink />
      <NavBar />
      {!ownSign && <OfflineNotice />}
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** White on black, whatever the system setting, because a wall is seen in the dark, also while it loads. So this is
 *  part of the app's first load. */
function useBoardTheme(isWall: boolean): void {
  useLayoutEffect(() => {
    if (!isWall) return;
    const { dataset } = document.documentElement;
    dataset['theme'] = 'board'; // first.js has already set it, unless the app started on another page
    return () => {
      delete dataset['theme'];
    };
  }, [isWall]);
}
