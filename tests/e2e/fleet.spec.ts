/** Pages of a paired display, with its worker: every page type, builds older and newer than its layout, and the proof. */
import type { Page } from '@playwright/test';
import type { TeamDisplay } from '../../contract/displays/displays.ts';
import type { LayoutPage } from '../../contract/displays/layouts.ts';
import { expect, type Service, test, workerReady } from '../support/browser.ts';
import { buildOf, deploy } from '../support/deploy.ts';

test.use({ serviceWorkers: 'allow', viewport: { width: 1920, height: 1080 } });

const BOARD = 'Live Disruptions Board';

async function asLead(service: Service) {
  const send = async <T>(method: string, path: string, body?: object, token?: string) => {
    const answer = await fetch(`${service.server.origin}/api/v1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: status ${answer.status}: ${await answer.text()}`);
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  const { access_token } = await send<{ access_token: string }>(
    'POST',
    'auth/login',
    await service.newPerson(),
  );
  return <T>(method: string, path: string, body?: object) => send<T>(method, path, body, access_token);
}
type Lead = Awaited<ReturnType<typeof asLead>>;

/** A display that is opened, approved and has its worker; its clock is the test's. */
async function paired(display: Page, lead: Lead, name: string): Promise<string> {
  await display.clock.install();
  await display.goto('/disruptions?display=wall');
  const code = display.getByText(/^[B-Z]{4}-[B-Z]{4}$/);
  await expect(code).toBeVisible({ timeout: 30_000 });
  const user_code = await code.textContent();
  const { id } = await lead<{ id: string }>('POST', 'displays/pairing/approve', { user_code, name });
  await shows(display, BOARD);
  await workerReady(display);
  return id;
}

/** These are the refreshes of a minute. The clock goes on in steps: in a leap a call in progress would be given up. */
const shows = (display: Page, heading: string | RegExp) =>
  expect(async () => {
    await display.clock.runFor(4000);
    await expect(display.getByRole('heading', { level: 1, name: heading })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });

const give = async (lead: Lead, id: string, types: readonly LayoutPage['type'][], dwell_s = 30) => {
  const layout = await lead<{ id: string }>('POST', 'displays/layouts', {
    name: types.join(' '),
    pages: types.map((type) => ({ type, dwell_s })),
    pin_criticals: false, // a pinned alert would fill the screen
  });
  await lead('POST', 'displays/assignments', { to: { displays: [id] }, layout_id: layout.id });
};
const proofOf = async (lead: Lead, id: string) =>
  (await lead<{ displays: TeamDisplay[] }>('GET', 'displays')).displays.find((one) => one.id === id)!;

test('a display draws every page type from what it may read itself, and a message with one very long word', async ({
  page: display,
  service,
}) => {
  test.setTimeout(240_000);
  const lead = await asLead(service);
  const id = await paired(display, lead, 'Every page');
  const { id: route } = await lead<{ id: string }>('POST', 'watches', {
    kind: 'route',
    name: 'Manchester to Leeds',
    made_by: 'junctions',
    legs: [{ type: 'road', road: 'M62', from: 'J18', to: 'J29', sense: 1 }],
  });
  await lead('PUT', `displays/${id}/routes`, { watch_ids: [route] });
  const refused: string[] = [];
  display.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });

  await display.setViewportSize({ width: 2560, height: 1080 });
  await give(lead, id, ['routes', 'route', 'jobs', 'changes', 'map', 'board'], 10);
  const missing = new Set([
    'our routes',
    'manchester to leeds',
    'job',
    'changes',
    'map',
    BOARD.toLowerCase(),
  ]);
  await expect(async () => {
    await display.clock.runFor(4000);
    const main = display.locator('main');
    const heading = await display.getByRole('heading', { level: 1 }).textContent({ timeout: 500 });
    const isWhole = (await display.getByText('not known yet').count()) === 0;
    // A wide screen has no bars at its sides.
    const isWide = Math.abs((await main.boundingBox({ timeout: 500 }))!.width - 2560) < 0.05;
    for (const one of missing)
      if (heading!.toLowerCase().includes(one) && isWhole && isWide) missing.delete(one);
    expect([...missing]).toEqual([]);
  }).toPass({ timeout: 120_000 });
  await expect
    .poll(async () => {
      const { rev, taken_rev } = await proofOf(lead, id);
      return taken_rev === rev;
    })
    .toBe(true);
  expect(refused).toEqual([]);

  // Its routes are there after a reload without a server too, and in time old.
  service.proxy.set('refused');
  await display.clock.fastForward('03:00');
  await display.reload();
  const routes = display.locator('main', { has: display.getByRole('heading', { name: 'Our routes' }) });
  await expect(async () => {
    await display.clock.runFor(4000);
    await expect(routes).toContainText('Manchester to Leeds', { timeout: 500 });
    await expect(routes.locator('[data-fresh="stale"]').first()).toBeAttached({ timeout: 500 });
  }).toPass({ timeout: 90_000 });
  service.proxy.set('pass');

  const until = new Date(Date.now() + 30 * 60_000).toISOString();
  const about = { to: { displays: [id] }, look: 'high', until };
  for (const cover of ['screen', 'band']) {
    const text = `${cover}${'W'.repeat(190)}`;
    const { id: sent } = await lead<{ id: string }>('POST', 'displays/messages', { ...about, cover, text });
    const shown = display.getByText(text);
    await expect(async () => {
      await display.clock.runFor(4000);
      await expect(shown).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 90_000 });
    expect(await shown.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await lead('DELETE', `displays/messages/${sent}`);
  }
});

test('a build older than its layout shows all feeds and says so; a newer one shows it, without a server too', async ({
  page: display,
  service,
}) => {
  test.setTimeout(180_000);
  const lead = await asLead(service);
  // An update waits for a quiet moment.
  service.proxy.replace('/api/v1/feeds/', (text) => text.replaceAll('"critical"', '"high"'));
  service.proxy.replace('/api/v1/displays/me', (text) => text.replace('"type":"map"', '"type":"hologram"'));
  const id = await paired(display, lead, 'An older build');
  await give(lead, id, ['changes']);
  await shows(display, 'Changes');
  await give(lead, id, ['map']);
  await shows(display, BOARD);
  await expect
    .poll(async () => (await proofOf(lead, id)).problem)
    .toBe('This build does not know pages of type hologram');

  // Without a server the older build shows all feeds, never the earlier layout.
  service.proxy.set('refused');
  await display.reload();
  await shows(display, BOARD);
  service.proxy.set('pass');

  service.proxy.replace('/api/v1/displays/me', (text) => text);
  deploy(service.proxy, 'newer');
  await expect(async () => {
    await display.clock.fastForward('00:30');
    expect(await buildOf(display)).toBe('newer');
  }).toPass({ timeout: 90_000 });
  await give(lead, id, ['map']);
  await shows(display, 'Map');
  await expect.poll(async () => (await proofOf(lead, id)).problem).toBeNull();

  // The layout in the form of the first build: without name, tags and pins, and with a field that no longer exists.
  await display.evaluate(() => {
    const { scope, self } = JSON.parse(localStorage.getItem('clearway_taken')!);
    const { rev, layout } = self;
    const older = { rev, layout: { id: layout.id, pages: [{ type: 'map', seconds: 20 }] } };
    localStorage.setItem('clearway_taken', JSON.stringify({ scope, build: 'first', self: older }));
  });
  service.proxy.set('refused');
  await display.reload();
  await shows(display, 'Map');
  await expect(display.getByText('No connection.')).toBeVisible();
});
