import { expectAccessible } from '../support/accessible.ts';
import { expect, resize, signIn, storedTokens, test, workerReady } from '../support/browser.ts';

test.use({ serviceWorkers: 'allow' });

test('the documentation uses the session, stores it nowhere, and is accessible', async ({
  page,
  service,
}) => {
  test.slow(); // it is a large page
  await signIn(page);
  await workerReady(page);
  const { access_token: token } = await storedTokens(page);
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'View API docs' }).click();
  const docs = await opening;

  const complaints: string[] = [];
  docs.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  /** The page's own requests, after the one for the page itself. */
  const asked: { url: string; headers: Record<string, string> }[] = [];
  docs.on('request', (request) => {
    if (!request.isNavigationRequest()) asked.push({ url: request.url(), headers: request.headers() });
  });
  await expect(docs.getByRole('heading', { name: /Clearway API/ })).toBeVisible({ timeout: 30_000 }); // it is large
  expect(docs.url()).toBe(`${service.proxy.origin}/docs`);
  await expect(docs.getByText('Calls are sent with your session')).toBeVisible();

  // Only the calls in view are drawn, because there are so many.
  const showSessions = () => docs.getByPlaceholder('Filter by tag or path').fill('Sessions');
  await showSessions();
  await docs.getByRole('button', { name: 'GET /api/v1/auth/me Who is' }).click();
  const call = docs.locator('.opblock.is-open');
  await call.getByRole('button', { name: 'Try it out' }).click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await expect(call.locator('.live-responses-table .response-col_status').last()).toHaveText(/200/);
  await expect(call.locator('.live-responses-table')).toContainText('admin@clearway.example');

  const sent = asked.find(({ url }) => url.endsWith('/api/v1/auth/me'));
  // The ticket in the address was exchanged for a token of the same session.
  const claimsOf = (jwt = '') =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  expect(claimsOf(sent?.headers['authorization']).sid).toBe(claimsOf(token!).sid);
  expect(asked.filter(({ url, headers }) => (url + (headers['referer'] ?? '')).includes(token!))).toEqual([]);
  const kept = await docs.evaluate(async (secret) => {
    const addresses: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) addresses.push(url);
    }
    return {
      cached: addresses.filter((url) => url.includes(secret) || new URL(url).pathname.startsWith('/docs')),
      stored: Object.keys(localStorage).toSorted(),
      forTheTab: { ...sessionStorage },
      cookies: document.cookie,
      navigations: performance.getEntriesByType('resource').filter(({ name }) => name.includes(secret))
        .length,
    };
  }, token!);
  expect(kept.cached).toEqual([]);
  expect(kept.stored.filter((name) => /auth/i.test(name))).toEqual([]);
  expect(kept).toMatchObject({ forTheTab: {}, cookies: '', navigations: 0 });
  expect(complaints).toEqual([]);
  expect(service.server.output()).not.toContain(token!);

  // Axe, with one group of calls: the others look the same.
  await docs.getByPlaceholder('Filter by tag or path').fill('Administration');
  await expect(docs.locator('.opblock-tag')).toHaveCount(1);
  const making = docs.locator('.opblock', { hasText: 'Create a user' });
  await making.locator('.opblock-summary-control').click();
  await making.getByRole('button', { name: 'Try it out' }).click();
  await expect(making.getByLabel('Request body')).toBeVisible();
  await docs.getByRole('button', { name: 'Schemas' }).click();
  await expect(docs.getByText('AnalyticsOverview')).toBeVisible();
  for (const [colorScheme, size] of [
    ['light', { width: 1366, height: 768 }],
    ['dark', { width: 390, height: 844 }],
  ] as const) {
    await docs.emulateMedia({ colorScheme });
    await resize(docs, size);
    // The documentation's own styles change colours slowly.
    await docs.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    });
    await expectAccessible(docs, `documentation, ${colorScheme}`);
    await docs.getByRole('button', { name: 'Authorize' }).first().click();
    await expectAccessible(docs, `documentation, who is calling, ${colorScheme}`, '.modal-ux');
    await docs.getByRole('button', { name: 'Close' }).last().click();
  }

  await docs.reload();
  await expect(docs.getByText('To try calls out, open this page from the dashboard')).toBeVisible();
  await showSessions();
  await expect(docs.getByRole('button', { name: 'GET /api/v1/auth/me Who is' })).toBeVisible();
});
