import type { Page } from '@playwright/test';
import { ADMIN, boardShown, expect, type Service, storedTokens, test } from '../support/browser.ts';

async function fillIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** A browser that has the tokens of a new sign-in, and nothing else from it. */
async function withTokens(page: Page, service: Service, change: Record<string, string>) {
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

test('a visitor is led to the sign-in, signs in after a wrong password, and out again', async ({
  page,
  service,
}) => {
  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText(/invitation/)).toBeVisible();

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

  await fillIn(page, ADMIN.email, ADMIN.password);
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('3,183')).toBeVisible();
  await expect(page.getByText(/^158/)).toBeVisible(); // the port in the sample request can contain 158
  const tokens = await storedTokens(page);
  expect(Object.values(tokens).every(Boolean)).toBe(true);

  const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);
  expect((await ended).status()).toBe(204);
  const me = await fetch(`${service.server.origin}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(me.status).toBe(401);
  await page.goto('/disruptions');
  await expect(page).toHaveURL('/login');
});

test('an expired token is renewed once for all calls; a session that ends elsewhere closes the board, with a way back', async ({
  page,
  service,
}) => {
  await withTokens(page, service, { access_token: 'run.out.token' });
  const before = await storedTokens(page);
  const refreshes: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/auth/refresh')) refreshes.push(response.status());
  });
  await page.goto('/disruptions');
  await boardShown(page);
  await page.waitForLoadState('networkidle'); // a call of the board may close it before the button is pressed
  expect(refreshes).toEqual([200]);
  const { access_token, refresh_token, session_id } = await storedTokens(page);
  expect(access_token).not.toBe(before.access_token);
  expect(refresh_token).not.toBe(before.refresh_token);
  expect(session_id).toBe(before.session_id);

  await fetch(`${service.server.origin}/api/v1/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id }),
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page).toHaveURL('/login');
  expect(Object.values(await storedTokens(page))).toEqual([null, null, null]);

  await fillIn(page, ADMIN.email, ADMIN.password);
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('link', { name: 'Back to Live Disruptions Board' }).click();
  await expect(page).toHaveURL('/disruptions');
});
