import { pageAt, type PageName, pageAddress } from '#contract/addresses.ts';
import { Suspense, type ReactNode, useLayoutEffect } from 'react';
import { PAGE_TITLES } from '../device/address/pageTitles.ts';
import { usePath, useSearch, isWall } from '../device/address/useAddress.ts';
import { Arrival } from './Arrival.tsx';
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
  audience: Audience;
  Page: LazyPage;
  /** True for a page with a place of its own for signs, which then also shows the app's sign. */
  ownSign?: boolean;
  /** True for a page that is as high as the screen, with parts that scroll by themselves. */
  fills?: boolean;
}

/** The list and the chosen route are one page, whichever tab is open, so that the list stays as it is. */
const ROUTES_PAGE: AppRoute = {
  audience: 'user',
  Page: lazyPage('routes', async () => (await import('../screens/watches/RoutesPage.tsx')).RoutesPage),
  ownSign: true,
};

/** The same of jobs. */
const TODAY_PAGE: AppRoute = {
  audience: 'user',
  Page: lazyPage('today', async () => (await import('../screens/today/TodayPage.tsx')).TodayPage),
  ownSign: true,
};

const ROUTES: Readonly<Record<PageName, AppRoute>> = {
  landing: {
    audience: 'anyone',
    Page: lazyPage('landing', async () => (await import('../screens/landing/LandingPage.tsx')).LandingPage),
  },
  login: {
    audience: 'anyone',
    Page: lazyPage('login', async () => (await import('../screens/login/LoginPage.tsx')).LoginPage),
  },
  dashboard: {
    audience: 'user',
    Page: lazyPage(
      'dashboard',
      async () => (await import('../screens/dashboard/DashboardPage.tsx')).DashboardPage,
    ),
  },
  board: {
    audience: 'user',
    Page: lazyPage('board', async () => (await import('../screens/board/BoardPage.tsx')).BoardPage),
    ownSign: true,
  },
  list: {
    audience: 'user',
    Page: lazyPage('list', async () => (await import('../screens/list/ListPage.tsx')).ListPage),
    ownSign: true,
  },
  alert: {
    audience: 'user',
    Page: lazyPage('alert', async () => (await import('../screens/alert/AlertPage.tsx')).AlertPage),
    ownSign: true,
  },
  alertNumber: {
    audience: 'user',
    Page: lazyPage('alert', async () => (await import('../screens/alert/NumberPage.tsx')).NumberPage),
  },
  open: {
    audience: 'anyone',
    Page: lazyPage('open', async () => (await import('./OpenPage.tsx')).OpenPage),
  },
  map: {
    audience: 'user',
    Page: lazyPage('map', async () => (await import('../screens/map/MapPage.tsx')).MapPage),
    fills: true,
  },
  routes: ROUTES_PAGE,
  route: ROUTES_PAGE,
  routeTell: ROUTES_PAGE,
  routeShare: ROUTES_PAGE,
  today: TODAY_PAGE,
  job: TODAY_PAGE,
  dayImport: {
    audience: 'user',
    Page: lazyPage('dayImport', async () => (await import('../screens/today/ImportPage.tsx')).ImportPage),
  },
  messages: {
    audience: 'user',
    Page: lazyPage(
      'messages',
      async () => (await import('../screens/messages/MessagesPage.tsx')).MessagesPage,
    ),
    ownSign: true,
  },
  briefs: {
    audience: 'user',
    Page: lazyPage('briefs', async () => (await import('../screens/briefs/BriefsPage.tsx')).BriefsPage),
  },
  brief: {
    audience: 'user',
    Page: lazyPage('brief', async () => (await import('../screens/briefs/BriefPage.tsx')).BriefPage),
  },
  team: {
    audience: 'user',
    Page: lazyPage('team', async () => (await import('../screens/admin/TeamPage.tsx')).TeamPage),
  },
  history: {
    audience: 'user',
    Page: lazyPage('history', async () => (await import('../screens/history/HistoryPage.tsx')).HistoryPage),
    ownSign: true,
  },
  filters: {
    audience: 'user',
    Page: lazyPage('filters', async () => (await import('./FiltersMoved.tsx')).FiltersMoved),
  },
  handover: {
    audience: 'user',
    Page: lazyPage(
      'handover',
      async () => (await import('../screens/handover/HandoverPage.tsx')).HandoverPage,
    ),
    ownSign: true,
  },
  keys: {
    audience: 'user',
    Page: lazyPage('keys', async () => (await import('../screens/keys/KeysPage.tsx')).KeysPage),
  },
  account: {
    audience: 'user',
    Page: lazyPage('account', async () => (await import('../screens/account/AccountPage.tsx')).AccountPage),
  },
  events: {
    audience: 'user',
    Page: lazyPage('events', async () => (await import('../screens/preview/EventsPage.tsx')).EventsPage),
  },
  eventSetup: {
    audience: 'user',
    Page: lazyPage('setup', async () => (await import('../screens/preview/SetupPage.tsx')).SetupPage),
  },
  venue: {
    audience: 'user',
    Page: lazyPage('venue', async () => (await import('../screens/preview/VenuePage.tsx')).VenuePage),
  },
  event: {
    audience: 'user',
    Page: lazyPage('event', async () => (await import('../screens/map/events/EventPage.tsx')).EventPage),
  },
  notifications: {
    audience: 'user',
    Page: lazyPage(
      'notifications',
      async () => (await import('../screens/preview/NotificationsPage.tsx')).NotificationsPage,
    ),
  },
  analytics: {
    audience: 'admin',
    Page: lazyPage(
      'analytics',
      async () => (await import('../screens/admin/AnalyticsPage.tsx')).AnalyticsPage,
    ),
  },
  users: {
    audience: 'admin',
    Page: lazyPage('users', async () => (await import('../screens/admin/UsersPage.tsx')).UsersPage),
  },
  displays: {
    audience: 'admin',
    Page: lazyPage('displays', async () => (await import('../screens/admin/DisplaysPage.tsx')).DisplaysPage),
  },
  layouts: {
    audience: 'user', // also for leads of a team: the server refuses others
    Page: lazyPage('layouts', async () => (await import('../screens/layouts/LayoutsPage.tsx')).LayoutsPage),
  },
  sources: {
    audience: 'admin',
    Page: lazyPage('sources', async () => (await import('../screens/admin/SourcesPage.tsx')).SourcesPage),
  },
  pair: {
    audience: 'user',
    Page: lazyPage('pair', async () => (await import('../screens/pairing/PairPage.tsx')).PairPage),
  },
};

/** `/disruptions?display=wall`: a separate screen, without navigation, and never a sign-in form. */
const WALL: AppRoute = {
  audience: 'anyone',
  Page: lazyPage('wall', async () => (await import('../screens/wall/WallPage.tsx')).WallPage),
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
        <Arrival title={title} />
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

/** The people whom a route is for. */
type Audience = 'anyone' | 'user' | 'admin';

/** Who may see a route. Others go to /login, or to /dashboard when only the role is missing. */
function Guard({ audience, children }: { audience: 'user' | 'admin'; children: ReactNode }) {
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
