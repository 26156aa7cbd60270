import { Suspense, type ComponentType } from 'react';
import { matchRoute, Route, useLocation, useRouter, useSearch } from 'wouter';
import { useBoardTheme } from '../wall/useBoardTheme.ts';
import { isWall } from '../wall/wallAddress.ts';
import { Arrival } from './Arrival.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { Frame } from './Frame.tsx';
import { Guard, type Audience } from './guards.tsx';
import { lazyPage } from './lazyPage.ts';
import { Loading } from './Loading.tsx';

interface AppRoute {
  path: string;
  /** What the browser's tab says, before the name of the product. */
  title: string;
  audience: Audience;
  Page: ComponentType;
  /** True for a page with a place for signs of its own: the app's sign is shown there. */
  ownSign?: boolean;
  /** True for a page that is as high as the screen, with parts that scroll by themselves. */
  fills?: boolean;
}

const ROUTES: readonly AppRoute[] = [
  {
    path: '/',
    title: 'UK events and travel disruption',
    audience: 'anyone',
    Page: lazyPage('landing', async () => (await import('../landing/LandingPage.tsx')).LandingPage),
  },
  {
    path: '/login',
    title: 'Sign In',
    audience: 'anyone',
    Page: lazyPage('login', async () => (await import('../login/LoginPage.tsx')).LoginPage),
  },
  {
    path: '/dashboard',
    title: 'Dashboard',
    audience: 'user',
    Page: lazyPage('dashboard', async () => (await import('../dashboard/DashboardPage.tsx')).DashboardPage),
  },
  {
    path: '/disruptions',
    title: 'Live Disruptions Board',
    audience: 'user',
    Page: lazyPage('board', async () => (await import('../board/BoardPage.tsx')).BoardPage),
    ownSign: true,
  },
  {
    path: '/open',
    title: 'Opening',
    audience: 'anyone',
    Page: lazyPage('open', async () => (await import('./OpenPage.tsx')).OpenPage),
  },
  {
    path: '/map',
    title: 'Map View',
    audience: 'user',
    Page: lazyPage('map', async () => (await import('../map/MapPage.tsx')).MapPage),
    fills: true,
  },
  {
    path: '/api-keys',
    title: 'API Keys',
    audience: 'user',
    Page: lazyPage('keys', async () => (await import('../keys/KeysPage.tsx')).KeysPage),
  },
  {
    path: '/events',
    title: 'Events',
    audience: 'user',
    Page: lazyPage('events', async () => (await import('../watch/EventsPage.tsx')).EventsPage),
    ownSign: true,
  },
  {
    path: '/event-setup',
    title: 'Event setup',
    audience: 'user',
    Page: lazyPage('setup', async () => (await import('../watch/SetupPage.tsx')).SetupPage),
    ownSign: true,
  },
  {
    path: '/events/:id/venue',
    title: 'Venue impact',
    audience: 'user',
    Page: lazyPage('venue', async () => (await import('../watch/VenuePage.tsx')).VenuePage),
    ownSign: true,
  },
  {
    path: '/events/:id',
    title: 'Event',
    audience: 'user',
    Page: lazyPage('event', async () => (await import('../map/EventPage.tsx')).EventPage),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    audience: 'user',
    Page: lazyPage(
      'notifications',
      async () => (await import('../watch/NotificationsPage.tsx')).NotificationsPage,
    ),
    ownSign: true,
  },
  {
    path: '/admin/analytics',
    title: 'Admin Analytics',
    audience: 'admin',
    Page: lazyPage('analytics', async () => (await import('../admin/AnalyticsPage.tsx')).AnalyticsPage),
  },
  {
    path: '/admin/users',
    title: 'Manage Users',
    audience: 'admin',
    Page: lazyPage('users', async () => (await import('../admin/UsersPage.tsx')).UsersPage),
  },
  {
    path: '/admin/displays',
    title: 'Displays',
    audience: 'admin',
    Page: lazyPage('displays', async () => (await import('../admin/DisplaysPage.tsx')).DisplaysPage),
  },
  {
    path: '/pair',
    title: 'Pair a display',
    audience: 'user',
    Page: lazyPage('pair', async () => (await import('../pair/PairPage.tsx')).PairPage),
  },
];

/** `/disruptions?display=wall`: a screen of its own, without navigation, and never a sign-in form. */
const WALL: AppRoute = {
  path: '/disruptions',
  title: 'Live Disruptions Board',
  audience: 'anyone',
  Page: lazyPage('wall', async () => (await import('../wall/WallPage.tsx')).WallPage),
};

/** The route table: every path, each to one page. The first match wins. */
export function App() {
  const [location] = useLocation();
  const { parser } = useRouter();
  const search = useSearch();
  const wall = isWall(location, search);
  const route = wall ? WALL : ROUTES.find(({ path }) => matchRoute(parser, path, location)[0]);
  useBoardTheme(wall);

  return (
    <ErrorBoundary address={location}>{route ? show(route) : <ErrorPage reason="notFound" />}</ErrorBoundary>
  );
}

function show({ path, title, audience, Page, ownSign = false, fills = false }: AppRoute) {
  const page = (
    <Route key={path} path={path}>
      <Suspense fallback={<Loading />}>
        <Page />
        <Arrival title={title} />
      </Suspense>
    </Route>
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
