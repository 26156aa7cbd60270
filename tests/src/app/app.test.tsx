import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { saveTokens } from '../../../src/api/tokens.ts';
import { changeActions, clearActions } from '../../../src/offline/actionStore.ts';
import { App } from '../../../src/app/App.tsx';
import { ErrorBoundary } from '../../../src/app/ErrorBoundary.tsx';
import { useSession, type Session } from '../../../src/session/session.ts';
import { ANNA as ANNA_OF_SERVER, startFakeServer } from '../api/fakeServer.ts';

// A real map needs a browser that draws.
vi.mock('../../../src/screens/map/marks/EventMap.tsx', () => ({ EventMap: () => null }));

const ANNA = { id: '1', email: 'anna@example.co.uk', displayName: 'Anna', role: 'user' as const };
const LOADING: Session = { status: 'loading', user: null, offline: false };
const SIGNED_OUT: Session = { status: 'signedOut', user: null, offline: false };
const USER: Session = { status: 'signedIn', user: ANNA, offline: false };
const ADMIN: Session = { status: 'signedIn', user: { ...ANNA, role: 'admin' }, offline: false };

let server: ReturnType<typeof startFakeServer>;

/** A token: without one, a page's first call would end the session, perhaps only that of the next test. */
function signIn({ status, user }: Session) {
  const known = {
    ...ANNA_OF_SERVER,
    is_admin: user?.role === 'admin',
    ...(user?.must && { must: user.must }),
  };
  if (status === 'signedIn') saveTokens(server.signedIn(known));
}

function open(path: string, session: Session) {
  history.replaceState(null, '', path);
  signIn(session);
  useSession.setState(session);
  return render(<App />);
}

const waiting = (kind: string, at: number) => ({
  id: String(at),
  event_id: 'tfl:1',
  title: 'Tree down',
  doing: { kind, disposition: 'seen', report: { title: 'Tree down' } },
  rev: 1,
  at: '2026-11-21T12:00:00.000Z',
  refused: null,
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

// A busy machine takes longer to read its modules than a test waits for a heading.
beforeAll(() => import('../../../src/screens/map/MapPage.tsx'), 60_000);
beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('uses the dark theme on a wall, even while it loads or fails, and only there', async () => {
  const { dataset } = document.documentElement;
  open('/disruptions?display=wall', LOADING);
  expect(screen.getByText('Loading...')).toBeTruthy();
  expect(dataset['theme']).toBe('board');
  act(() => navigate('/disruptions'));
  expect(dataset['theme']).toBeUndefined();
});

it.each(['/disruptions/?display=wall', '/Disruptions?display=Wall'])(
  'takes %s for a wall, which has no sign-in form',
  (address) => {
    open(address, SIGNED_OUT);
    expect(document.documentElement.dataset['theme']).toBe('board');
    expect(location.pathname + location.search).toBe(address);
  },
);

describe('who may see what', () => {
  const PAGES = [
    '/dashboard',
    '/map',
    '/disruptions',
    '/api-keys',
    '/events',
    '/events/7',
    '/events/7/venue',
    '/event-setup',
    '/notifications',
    '/team',
    '/admin/analytics',
    '/admin/users',
    '/admin/displays',
    '/admin/displays/layouts',
    '/admin/sources',
  ];

  it.each(PAGES)('%s shows "Loading..." until it is known who is signed in', (path) => {
    open(path, LOADING);
    expect(screen.getByText('Loading...')).toBeTruthy();
    expect(location.pathname).toBe(path);
  });

  it.each(PAGES)('%s sends a visitor to /login', async (path) => {
    open(path, SIGNED_OUT);
    await heading('Sign In');
    expect(location.pathname).toBe('/login');
  });

  it.each(['/admin/analytics', '/admin/users', '/admin/displays'])(
    '%s sends users without the role to /dashboard',
    async (path) => {
      open(path, USER);
      await heading('Dashboard');
      expect(location.pathname).toBe('/dashboard');
    },
  );

  it.each([
    ['/admin/users', 'Manage Users'],
    ['/admin/analytics', 'Admin Analytics'],
  ])('%s opens for administrators', async (path, name) => {
    open(path, ADMIN);
    await heading(name);
    expect(location.pathname).toBe(path);
    await waitFor(() => expect(document.title).toBe(`${name} – Clearway`));
  });

  it('/ opens for everybody, with other links when signed in', async () => {
    open('/', SIGNED_OUT);
    await heading('Know before the coach leaves.');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
    for (const start of screen.getAllByRole('link', { name: 'Start Trial' }))
      expect(start.getAttribute('href')).toBe('/login');

    signIn(USER);
    act(() => useSession.setState(USER));
    const main = within(screen.getByRole('navigation', { name: 'Main' }));
    expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard',
      '/api-keys',
    ]);
  });

  it('a page closes when its session ends', async () => {
    open('/dashboard', USER);
    await heading('Dashboard');
    act(() => useSession.setState(SIGNED_OUT));
    await heading('Sign In');
  });
});

describe('an unknown address', () => {
  it.each([
    ['signed out', SIGNED_OUT, '/'],
    ['signed in', USER, '/dashboard'],
  ])('is "Unexpected Application Error!" with the reason and a way back, %s', async (_, session, way) => {
    open('/no/such/page', session);
    await heading('Unexpected Application Error!');
    expect(screen.getByText(/^There is no page at this address\./)).toBeTruthy();
    expect(screen.getByRole('link', { name: /^Go to/ }).getAttribute('href')).toBe(way);
    expect(document.title).toBe('Unexpected Application Error! – Clearway');
  });

  it('is shown for a page that throws, too, until another address is opened', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const Broken = () => {
      throw new Error('broken');
    };
    history.replaceState(null, '', '/broken');
    const { rerender } = render(
      <ErrorBoundary address="/broken">
        <Broken />
      </ErrorBoundary>,
    );
    await heading('Unexpected Application Error!');
    rerender(
      <ErrorBoundary address="/other">
        <p>Another page</p>
      </ErrorBoundary>,
    );
    expect(screen.getByText('Another page')).toBeTruthy();
  });
});

describe('a person who has something to do first', () => {
  it.each(['change_password', 'set_up_second_factor'] as const)(
    'sees only their account: %s',
    async (must) => {
      open('/map', { ...USER, user: { ...USER.user!, must } });

      await heading('Account');
      expect(location.pathname).toBe('/account');
      const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent);
      expect(alerts).toContainEqual(expect.stringMatching(/first\./));
    },
  );
});

describe('the navigation bar', () => {
  const linkTexts = () =>
    within(screen.getByRole('navigation', { name: 'Main' }))
      .getAllByRole('link')
      .map((link) => link.textContent);

  it('has no administration for users, and no events or notifications for anybody', async () => {
    open('/map', USER);
    await heading('Events in view');
    expect(linkTexts()).toEqual([
      'Clearway',
      'Dashboard',
      'Today',
      'Map View',
      'Disruptions Board',
      'Routes',
      'Messages',
      'API Keys',
      'Account',
    ]);
  });

  it('has administration for administrators, and marks the current page', async () => {
    open('/map', ADMIN);
    await heading('Events in view');
    expect(linkTexts().slice(-5)).toEqual([
      'Admin Analytics',
      'Manage Users',
      'Displays',
      'Sources',
      'Account',
    ]);
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Map View');
  });

  it('opens and closes its menu, by keyboard as well', async () => {
    const user = userEvent.setup();
    open('/map', USER);
    const menu = await screen.findByRole('button', { name: 'Menu' });
    expect(menu.getAttribute('aria-expanded')).toBe('false');
    await user.click(menu);
    expect(menu.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Escape}');
    expect(menu.getAttribute('aria-expanded')).toBe('false');
  });

  it.each([
    [['report'], '1 report is not sent yet. Sign out and lose it?'],
    [['acknowledge', 'acknowledge'], '2 acknowledgements are not sent yet. Sign out and lose them?'],
    [['acknowledge', 'report'], '2 actions are not sent yet. Sign out and lose them?'],
  ])('asks before it signs out while %j waits, and names it', async (kinds, question) => {
    const user = userEvent.setup();
    open('/map', USER);
    await changeActions(() => kinds.map((kind, at) => waiting(kind, at)));
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    const asked = await screen.findByRole('alertdialog');
    expect(within(asked).getByText(question)).toBeTruthy();
    await clearActions();
  });

  it('signs out and goes to the landing page', async () => {
    const user = userEvent.setup();
    localStorage.setItem('access_token', 'access');
    open('/map', USER);
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await heading('Know before the coach leaves.');
    expect(location.pathname).toBe('/');
    expect(localStorage.getItem('access_token')).toBeNull();
  });
});

it('a navigation inside the app focuses the new page’s heading', async () => {
  open('/map', USER);
  await heading('Events in view');
  act(() => navigate('/notifications'));
  const next = await heading('Notifications');
  await waitFor(() => expect(document.activeElement).toBe(next));
  expect(document.title).toBe('Notifications – Clearway');
});

it('pages without a state of their own say that they are offline', async () => {
  open('/map', { ...USER, offline: true });
  await heading('Events in view');
  expect(screen.getByText(/^Offline\./)).toBeTruthy();
  act(() => useSession.setState({ offline: false }));
  expect(screen.queryByText(/^Offline\./)).toBeNull();
});

it.each(['/notifications', '/events', '/events/7/venue'])(
  'says over %s that it is offline, and below that its data is invented',
  async (path) => {
    open(path, { ...USER, offline: true });
    expect(await screen.findByText('Demo data. Not live.')).toBeTruthy();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
      'Offline. Showing the copy on this device; it may be out of date.',
      'Demo data. Not live.',
    ]);
  },
);

it('the event set-up says once that it is offline', async () => {
  open('/event-setup', { ...USER, offline: true });
  await heading('Watch a new event');
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Offline. Showing the copy on this device; it may be out of date.',
  ]);
});

it('says when no offline copy is possible', async () => {
  // The simulated page has no workers, like a browser on plain http.
  open('/map', USER);
  expect(await screen.findByText('No offline copy: open this address by https')).toBeTruthy();
});
