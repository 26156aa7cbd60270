import { pageAt, type PageName } from '#contract/addresses.ts';
import { Suspense } from 'react';
import { usePath, useSearch } from '../addresses/useAddress.ts';
import { useBoardTheme } from '../wall/useBoardTheme.ts';
import { isWall } from '../addresses/isWall.ts';
import { Arrival } from './Arrival.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { Frame } from './Frame.tsx';
import { Guard, type Audience } from './guards.tsx';
import { type LazyPage, lazyPage } from './lazyPage.tsx';
import { Loading } from './Loading.tsx';

interface AppRoute {
  /** The title of the browser's tab, before the product's name. */
  title: string;
  audience: Audience;
  Page: LazyPage;
  /** True for a page with its own place for signs: the app's sign is shown there. */
  ownSign?: boolean;
  /** True for a page that is as high as the screen, with parts that scroll by themselves. */
  fills?: boolean;
}

/** One page for the list and the chosen route: the list stays as it is. */
const ROUTES_PAGE: AppRoute = {
  title: 'Routes',
  audience: 'user',
  Page: lazyPage('routes', async () => (await import('../routes/RoutesPage.tsx')).RoutesPage),
  ownSign: true,
};

const ROUTES: Readonly<Record<PageName, AppRoute>> = {
  landing: {
    title: 'UK events and travel disruption',
    audience: 'anyone',
    Page: lazyPage('landing', async () => (await import('../landing/LandingPage.tsx')).LandingPage),
  },
  login: {
    title: 'Sign In',
    audience: 'anyone',
    Page: lazyPage('login', async () => (await import('../login/LoginPage.tsx')).LoginPage),
  },
  dashboard: {
    title: 'Dashboard',
    audience: 'user',
    Page: lazyPage('dashboard', async () => (await import('../dashboard/DashboardPage.tsx')).DashboardPage),
  },
  board: {
    title: 'Live Disruptions Board',
    audience: 'user',
    Page: lazyPage('board', async () => (await import('../board/BoardPage.tsx')).BoardPage),
    ownSign: true,
  },
  list: {
    title: 'All alerts',
    audience: 'user',
    Page: lazyPage('list', async () => (await import('../list/ListPage.tsx')).ListPage),
    ownSign: true,
  },
  alert: {
    title: 'Alert',
    audience: 'user',
    Page: lazyPage('alert', async () => (await import('../alert/AlertPage.tsx')).AlertPage),
    ownSign: true,
  },
  alertNumber: {
    title: 'Alert by number',
    audience: 'user',
    Page: lazyPage('alert', async () => (await import('../alert/NumberPage.tsx')).NumberPage),
  },
  open: {
    title: 'Opening',
    audience: 'anyone',
    Page: lazyPage('open', async () => (await import('./OpenPage.tsx')).OpenPage),
  },
  map: {
    title: 'Map View',
    audience: 'user',
    Page: lazyPage('map', async () => (await import('../map/MapPage.tsx')).MapPage),
    fills: true,
  },
  routes: ROUTES_PAGE,
  route: ROUTES_PAGE,
  messages: {
    title: 'Messages',
    audience: 'user',
    Page: lazyPage('messages', async () => (await import('../messages/MessagesPage.tsx')).MessagesPage),
    ownSign: true,
  },
  team: {
    title: 'Team',
    audience: 'user',
    Page: lazyPage('team', async () => (await import('../admin/TeamPage.tsx')).TeamPage),
  },
  history: {
    title: 'History',
    audience: 'user',
    Page: lazyPage('history', async () => (await import('../history/HistoryPage.tsx')).HistoryPage),
    ownSign: true,
  },
  filters: {
    title: 'Filters',
    audience: 'user',
    Page: lazyPage('filters', async () => (await import('../filters/FiltersPage.tsx')).FiltersPage),
  },
  handover: {
    title: 'Handover',
    audience: 'user',
    Page: lazyPage('handover', async () => (await import('../handover/HandoverPage.tsx')).HandoverPage),
    ownSign: true,
  },
  keys: {
    title: 'API Keys',
    audience: 'user',
    Page: lazyPage('keys', async () => (await import('../keys/KeysPage.tsx')).KeysPage),
  },
  account: {
    title: 'Account',
    audience: 'user',
    Page: lazyPage('account', async () => (await import('../account/AccountPage.tsx')).AccountPage),
  },
  events: {
    title: 'Events',
    audience: 'user',
    Page: lazyPage('events', async () => (await import('../preview/EventsPage.tsx')).EventsPage),
  },
  eventSetup: {
    title: 'Event setup',
    audience: 'user',
    Page: lazyPage('setup', async () => (await import('../preview/SetupPage.tsx')).SetupPage),
  },
  venue: {
    title: 'Venue impact',
    audience: 'user',
    Page: lazyPage('venue', async () => (await import('../preview/VenuePage.tsx')).VenuePage),
  },
  event: {
    title: 'Event',
    audience: 'user',
    Page: lazyPage('event', async () => (await import('../map/EventPage.tsx')).EventPage),
  },
  notifications: {
    title: 'Notifications',
    audience: 'user',
    Page: lazyPage(
      'notifications',
      async () => (await import('../preview/NotificationsPage.tsx')).NotificationsPage,
    ),
  },
  analytics: {
    title: 'Admin Analytics',
    audience: 'admin',
    Page: lazyPage('analytics', async () => (await import('../admin/AnalyticsPage.tsx')).AnalyticsPage),
  },
  users: {
    title: 'Manage Users',
    audience: 'admin',
    Page: lazyPage('users', async () => (await import('../admin/UsersPage.tsx')).UsersPage),
  },
  displays: {
    title: 'Displays',
    audience: 'admin',
    Page: lazyPage('displays', async () => (await import('../admin/DisplaysPage.tsx')).DisplaysPage),
  },
  sources: {
    title: 'Sources',
    audience: 'admin',
    Page: lazyPage('sources', async () => (await import('../admin/SourcesPage.tsx')).SourcesPage),
  },
  pair: {
    title: 'Pair a display',
    audience: 'user',
    Page: lazyPage('pair', async () => (await import('../pairing/PairPage.tsx')).PairPage),
  },
};

/** `/disruptions?display=wall`: a separate screen, without navigation, and never a sign-in form. */
const WALL: AppRoute = {
  title: 'Live Disruptions Board',
  audience: 'anyone',
  Page: lazyPage('wall', async () => (await import('../wall/WallPage.tsx')).WallPage),
};

function routeAt(path: string, search?: string): AppRoute | null {
  const found = pageAt(path);
  return isWall(path, search) ? WALL : found && ROUTES[found.page];
}

/** While it is asked who is signed in, the code of the page at this address is on its way. */
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

function show({ title, audience, Page, ownSign = false, fills = false }: AppRoute) {
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
