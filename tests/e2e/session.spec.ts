import type { Page } from '@playwright/test';
import {
  ADMIN,
  boardShown,
  expect,
  openedWhole,
  type Service,
  signIn,
  storedTokens,
  test,
} from '../support/browser.ts';

const LOGIN_FAILED = 'Login failed. Please check your credentials.';

const ADMIN_ROUTES = ['/admin/analytics', '/admin/users', '/admin/displays', '/admin/sources'];

async function fillIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** A browser that has the tokens of a new sign-in, and nothing else from it. */
async function withTokens(page: Page, service: Service, change: Record<string, string> = {}) {
  const answer = await fetch(`${service.server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { access_token, refresh_token, session_id } = (await answer.json()) as Record<string, string>;
  await page.goto('/favicon.svg');
  await page.evaluate(
    (tokens) => {
      for (const [name, value] of Object.entries(tokens)) localStorage.setItem(name, value!);
    },
    { access_token, refresh_token, session_id, ...change },
  );
}

test('a visitor finds the sign-in, signs in and arrives at the dashboard', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(/invitation/)).toBeVisible();

  await fillIn(page, ADMIN.email, ADMIN.password);

  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('3,183')).toBeVisible();
  await expect(page.getByText(/^158/)).toBeVisible(); // the port in the sample request can contain 158
  const tokens = await storedTokens(page);
  expect(Object.values(tokens).every(Boolean)).toBe(true);

  await page.goto('/');
  const bar = page.getByRole('navigation');
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  await expect(bar.getByRole('link', { name: 'API Keys' })).toHaveAttribute('href', '/api-keys');
});

test('a wrong password stays on the form, with the server’s message and what was typed', async ({ page }) => {
  await page.goto('/login');
  const answered = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
  await fillIn(page, ADMIN.email, 'not-the-password');

  const answer = await answered;
  expect(answer.status()).toBe(401);
  const { detail } = (await answer.json()) as { detail: string };
  await expect(page.getByRole('alert')).toHaveText(detail);
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email')).toHaveValue(ADMIN.email);
  await expect(page.getByLabel('Password')).toHaveValue('not-the-password');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
});

test('a server that cannot be reached says so on the form, and the next try can succeed', async ({
  page,
  service,
}) => {
  await page.goto('/login');
  service.proxy.set('html200', 'api');
  await fillIn(page, ADMIN.email, ADMIN.password);
  await expect(page.getByRole('alert')).toHaveText(LOGIN_FAILED);

  service.proxy.set('hang', 'api');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();

  service.proxy.set('status503', 'api');
  await expect(page.getByRole('alert')).toHaveText(LOGIN_FAILED);
  await expect(page.getByLabel('Password')).toHaveValue(ADMIN.password);

  service.proxy.set('pass');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('without a session a page leads to /login, and the landing page opens', async ({ page }) => {
  // The others: "who may see what" in tests/src/app/app.test.tsx.
  for (const path of ['/disruptions', '/events/perf-1', '/admin/users']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/login');
  }
  await page.goto('/');
  await expect(page).toHaveURL('/');
});

test('a user who is not an administrator sees no admin links and goes from admin pages to the dashboard', async ({
  page,
  service,
}) => {
  await signIn(page, await service.newPerson());
  const bar = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Dashboard', 'Map View', 'Disruptions Board', 'Routes', 'API Keys']) {
    await expect(bar.getByRole('link', { name })).toBeVisible();
  }
  await expect(bar.getByRole('link', { name: 'Admin Analytics' })).toHaveCount(0);
  await expect(bar.getByRole('link', { name: 'Manage Users' })).toHaveCount(0);
  // Switched off, as specified: only its address opens it.
  await expect(bar.getByRole('link', { name: 'Notifications' })).toHaveCount(0);

  for (const path of ADMIN_ROUTES) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/dashboard');
  }
});

test('logging out goes to the landing page, clears the tokens and ends the session on the server', async ({
  page,
  service,
}) => {
  await signIn(page);
  const { access_token } = await storedTokens(page);
  const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
  await page.getByRole('button', { name: 'Logout' }).click();

  await expect(page).toHaveURL('/');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
  expect((await ended).status()).toBe(204);
  const me = await fetch(`${service.server.origin}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(me.status).toBe(401);

  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
});

test('logging out works while the server cannot be reached', async ({ page, service }) => {
  await signIn(page);
  service.proxy.set('refused', 'api');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
});

test('says "Loading..." until it is known who is signed in', async ({ page, service }) => {
  await withTokens(page, service);
  service.proxy.set('hang', 'api');
  await page.goto('/disruptions');
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/disruptions');

  service.proxy.set('pass');
  await boardShown(page);
});

test('a sample page that is loaded again asks who is signed in, and nothing else', async ({ page }) => {
  await page.clock.install();
  await signIn(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  for (const path of ['/events', '/event-setup', '/events/perf-1/venue', '/notifications']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    calls.length = 0;
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.clock.runFor(180_000);
    expect(calls, path).toEqual(['GET /api/v1/auth/me']);
  }
});

test('an expired access token is renewed once for all calls', async ({ page, service }) => {
  await withTokens(page, service, { access_token: 'run.out.token' });
  const before = await storedTokens(page);
  const refreshes: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/auth/refresh')) refreshes.push(response.status());
  });

  await page.goto('/disruptions');
  await boardShown(page);

  expect(refreshes).toEqual([200]);
  const after = await storedTokens(page);
  expect(after.access_token).not.toBe(before.access_token);
  expect(after.refresh_token).not.toBe(before.refresh_token);
  expect(after.session_id).toBe(before.session_id);
});

test('a session that the server refuses to renew is cleared, and the browser goes to /login', async ({
  page,
  service,
}) => {
  await withTokens(page, service, { access_token: 'run.out.token', refresh_token: 'unknown' });
  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
});

test('after a session that ended the same person finds the way back on the dashboard', async ({
  page,
  service,
}) => {
  await signIn(page);
  await page.goto('/routes?new=route');
  await expect(page.getByRole('heading', { name: 'Routes and areas', level: 1 })).toBeVisible();
  const { access_token, session_id } = await storedTokens(page);
  await fetch(`${service.server.origin}/api/v1/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id }),
  });
  await page.goto('/routes');
  await expect(page).toHaveURL('/login');
  await fillIn(page, ADMIN.email, ADMIN.password);
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('link', { name: 'Back to Routes' }).click();
  await expect(page).toHaveURL('/routes');
});

test('a session that ends elsewhere closes the board at the next refresh', async ({ page, service }) => {
  await openedWhole(page); // a call of the board may close it before the button is pressed
  await service.proxy.settled();
  const { access_token, session_id } = await storedTokens(page);
  await fetch(`${service.server.origin}/api/v1/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id }),
  });

  await page.getByRole('button', { name: 'Refresh' }).click();

  await expect(page).toHaveURL('/login');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
});

test('a refresh that cannot reach the server ends no session', async ({ page, service }) => {
  await withTokens(page, service, { access_token: 'run.out.token' });
  service.proxy.set('status503', 'api');
  await page.goto('/disruptions');
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  service.proxy.set('pass');
  await boardShown(page);
});

test('an unknown address shows the error page, with a way back', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await page.getByRole('main').getByRole('link').last().click();
  await expect(page).toHaveURL('/');
});
