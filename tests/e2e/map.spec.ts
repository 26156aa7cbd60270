/** The map in a browser that draws it, with tiles, events and places from loopback. */
import type { Page } from '@playwright/test';
import { expect, signIn, test as base, workerReady } from '../support/browser.ts';
import { expectAccessible } from '../support/accessible.ts';
import { anEvent, type EventsApi, startEventsApi, startTiles } from '../support/mapWorld.ts';
import type { RunningServer } from '../support/server.ts';

type Tiles = Awaited<ReturnType<typeof startTiles>>;

interface World {
  api: EventsApi;
  tiles: Tiles;
  server: RunningServer;
}

const test = base.extend<{ restored: void }, { tiles: Tiles; world: World }>({
  tiles: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
    async ({}, use) => {
      const tiles = await startTiles();
      await use(tiles);
      await tiles.close();
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ tiles }, use) => use({ TILE_URL: `${tiles.origin}/{z}/{x}/{y}.png` }),
    { scope: 'worker' },
  ],
  world: [
    async ({ tiles, service: { server } }, use) => {
      const api = await startEventsApi(server.origin);
      await use({ api, tiles, server });
      await api.close();
    },
    { scope: 'worker' },
  ],
  restored: [
    async ({ world: { api, tiles } }, use) => {
      api.on();
      tiles.on();
      api.gate = Promise.resolve();
      api.categories = ['Arts & crafts', 'Music'];
      api.events = EVENTS;
      api.places = { leeds: [LEEDS] };
      await use();
    },
    { auto: true },
  ],
  baseURL: async ({ world }, use) => use(world.api.origin),
});

// All run in one worker with one server: a second server would cost more time than it saves.
test.describe.configure({ mode: 'default' });

test.use({ viewport: { width: 1000, height: 600 } }); // small, because software draws the map

const LEEDS = {
  label: 'Leeds, West Yorkshire',
  latitude: 53.8,
  longitude: -1.55,
  type: 'city',
  bounding_box: null,
  raw: { address: {} },
};
const EVENTS = [
  anEvent({ performance_id: 'hall', name: 'Town Hall concert', booking_url: 'https://tickets.example/1' }),
  anEvent({ performance_id: 'hall-2', name: 'Town Hall talk', category: 'Arts & crafts' }),
  anEvent({ performance_id: 'ship', name: 'Music on the ship', latitude: 59.5, longitude: 1.5 }),
  anEvent({ performance_id: 'null', name: 'Nobody knows where', latitude: 0, longitude: 0 }),
  anEvent({ performance_id: 'nowhere', name: 'Place to be announced', latitude: null, longitude: null }),
];

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('listitem');
const marks = (page: Page) => page.locator('[data-order]');
const plate = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Map', exact: true }).getByText(text);
const canvas = (page: Page) => page.getByRole('region', { name: 'Map of events' });

/** Chromium asks for an icon, and the page for its refresh, at any time. */
const ofViews = (urls: readonly string[]) => urls.filter((url) => url.includes('/events/viewport'));

async function openMap(page: Page, query = '') {
  await signIn(page);
  await page.goto(`/map${query}`);
  await expect(marks(page).first()).toBeVisible({ timeout: 30_000 });
}

test('finds, selects and filters, by keyboard as well, and keeps it all in the address', async ({
  page,
  world,
}) => {
  const usage: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/analytics/events')) usage.push(request.postDataJSON().event_type as string);
  });
  await openMap(page);

  // Disruptions are above events, and each has a switch.
  await expect(page.getByRole('list', { name: 'Disruptions' }).getByRole('listitem').first()).toContainText(
    'Critical',
  );
  const disruptions = page.getByRole('button', { name: 'Disruptions', exact: true });
  await disruptions.click();
  await expect(page).toHaveURL('/map?disruptions=off');

  // Two events in one place are one cluster; the ship is at sea; incidents without a place are listed but not drawn.
  await expect(rows(page)).toHaveCount(5);
  await expect(marks(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Music on the ship', exact: false }).last()).toBeVisible();
  // They are beside the map, because on it they would hide marks.
  await expect(canvas(page)).toBeVisible();
  const { y: top, height } = (await canvas(page).boundingBox())!;
  const zoomIn = page.getByRole('button', { name: 'Zoom in', exact: true });
  for (const beside of [plate(page, '5 events'), zoomIn, plate(page, 'under 100')]) {
    await expect(beside).toBeVisible();
    const box = (await beside.boundingBox())!;
    expect(box.y + box.height <= top || box.y >= top + height).toBe(true);
  }
  await rows(page).filter({ hasText: 'Nobody knows where' }).getByRole('button').click();
  await expect(page.getByText('Not on the map: its position is not known.')).toBeVisible();

  // With the map's keys, a mark selects its row; pressed again, it deselects the row.
  await marks(page).first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect(marks(page).first()).toBeFocused();
  await page.keyboard.press('Enter');
  const ship = rows(page).filter({ hasText: 'Music on the ship' });
  await expect(ship.getByRole('button')).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('dialog', { name: 'Selected event' }).getByRole('link')).toHaveAttribute(
    'href',
    '/events/event-ship',
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(ship.getByRole('button')).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(marks(page).first()).toBeFocused();

  // A cluster in one place lists its events.
  await page.getByRole('button', { name: '2 events, list them' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show all' }).click();

  // A place by name: the map flies there at the zoom of a city.
  await page.getByRole('combobox', { name: 'Location' }).fill('leeds');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/lat=53\.8&lng=-1\.55&zoom=11$/);
  await expect(page.getByText('© OpenStreetMap contributors · Places by the test')).toBeVisible();

  // A category with an ampersand.
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Arts & crafts');
  await expect(rows(page)).toHaveCount(1);
  await expect(plate(page, '1 event')).toBeVisible();
  await expect(page).toHaveURL(/category=Arts\+%26\+crafts/);
  expect(ofViews(world.api.asked).at(-1)).toContain('category=Arts+%26+crafts');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Arts & crafts');
  await expect(marks(page)).toHaveCount(1);

  // The closure and the concert are both shown.
  await disruptions.click();
  await expect(page.getByRole('list', { name: 'Disruptions' })).toContainText('M62');
  // The address has the selection, so a reload selects the same again.
  const closure = page.getByRole('button', { name: /^Critical: M62/ });
  await closure.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/alert=national-highways%3A/);
  await page.reload();
  await expect(closure).toHaveAttribute('aria-pressed', 'true', { timeout: 30_000 });
  await expect(page.getByRole('dialog', { name: 'Selected disruption' })).toContainText('Approximate place');
  await closure.focus();
  // The last mark goes, and the Tab key still reaches another.
  await disruptions.click();
  await expect(page).not.toHaveURL(/alert=/);
  await expect(marks(page)).toHaveCount(1);
  await expect(marks(page).and(page.locator('[tabindex="0"]'))).toHaveCount(1);

  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL('/map');
  await expect(rows(page)).toHaveCount(5);

  await rows(page).filter({ hasText: 'Town Hall concert' }).getByRole('button').click();
  await expect(page.getByRole('link', { name: 'Book tickets' })).toHaveAttribute(
    'href',
    'https://tickets.example/1',
  );
  await page.getByRole('link', { name: 'View full details' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Town Hall concert' })).toBeVisible();
  await expect(page.getByText('£24.50 to £32.00')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Not a link' })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Disruptions' })).toContainText('M62');
  expect(usage).toEqual(['map_viewed', 'map_viewed', 'map_viewed']); // one per visit, and a reload is a visit
});

test.describe('the map’s pictures', () => {
  test.use({ drawsMap: true });

  test('a drag is no click, twenty fast pans leave one result, lost tiles and a lost drawing context come back', async ({
    page,
    world: { api, tiles },
  }) => {
    await openMap(page, '?disruptions=off');
    await expect(marks(page)).toHaveCount(2);
    const mark = page.getByRole('button', { name: '2 events, list them' });
    const { x, y, width, height } = (await mark.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height / 2 - 40, { steps: 8 });
    await page.mouse.up();
    await expect(page).toHaveURL(/lat=.*lng=/);
    const after = (await mark.boundingBox())!;
    expect([after.x - x, after.y - y].map(Math.round)).toEqual([60, -40]);
    await expect(rows(page)).toHaveCount(5); // the dragged cluster stays closed
    await expect(page.getByText('in one place')).toHaveCount(0);

    await page.goto('/map?disruptions=off');
    await expect(plate(page, '5 events')).toBeVisible();
    const finished: string[] = [];
    const cancelled: string[] = [];
    page.on('requestfinished', (request) => finished.push(request.url()));
    page.on('requestfailed', (request) => cancelled.push(request.url()));

    let open = () => {};
    api.gate = new Promise((resolve) => (open = resolve));
    await canvas(page).focus();
    const before = api.asked.length;
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => ofViews(api.asked.slice(before)).length).toBe(1);
    for (let pan = 1; pan < 20; pan += 1) await page.keyboard.press(pan % 2 ? 'ArrowRight' : 'ArrowDown');
    await expect.poll(() => ofViews(cancelled).length).toBeGreaterThan(0);
    await expect(plate(page, 'Loading events…')).toBeVisible();
    const url = new URL(page.url());
    open();

    await expect(plate(page, '2 events')).toBeVisible(); // the events without a place
    await expect.poll(() => ofViews(finished).length).toBe(1);
    const { searchParams } = new URL(ofViews(finished)[0]!);
    const middle = (Number(searchParams.get('east')) + Number(searchParams.get('west'))) / 2;
    expect(middle).toBeCloseTo(Number(url.searchParams.get('lng')), 3);

    tiles.off();
    await page.goto('/map?disruptions=off');
    await expect(page.getByText('Street map unavailable')).toBeVisible({ timeout: 30_000 });
    tiles.on();
    await expect(page.getByText('Street map unavailable')).toHaveCount(0, { timeout: 30_000 });

    await expect.poll(() => tiles.asked.length).toBeGreaterThan(5);
    const seen = tiles.asked.length;
    await page.evaluate(() => {
      const gl = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = gl.getExtension('WEBGL_lose_context')!;
      Object.assign(globalThis, { restore: () => extension.restoreContext() });
      extension.loseContext();
    });
    await expect(page.getByText('The browser stopped drawing the map.')).toBeVisible();
    await page.evaluate(() => (globalThis as unknown as { restore(): void }).restore());
    await expect(marks(page)).toHaveCount(2);
    await expect(page.getByText('The browser stopped drawing the map.')).toHaveCount(0);
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(seen);

    // The browser never restores this drawing context: a new map replaces the old one.
    await page.evaluate(() =>
      document
        .querySelector('canvas')!
        .getContext('webgl2')!
        .getExtension('WEBGL_lose_context')!
        .loseContext(),
    );
    await expect(page.getByText('The browser stopped drawing the map.')).toBeVisible();
    await expect(page.getByText('The browser stopped drawing the map.')).toHaveCount(0, { timeout: 20_000 });
    await expect(marks(page)).toHaveCount(2);
  });
});

test('without WebGL2 the list works alone, and the map says why', async ({ page }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      ...[kind, ...rest]: unknown[]
    ) {
      return kind === 'webgl2' ? null : original.apply(this, [kind, ...rest] as never);
    } as typeof original;
  });
  await signIn(page);
  await page.goto('/map?disruptions=off');
  await expect(page.getByText('it has no WebGL2. The list works without it.')).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await page.setViewportSize({ width: 1000, height: 320 });
  await rows(page).last().scrollIntoViewIfNeeded();
  await expect(rows(page).first()).not.toBeInViewport();
  await page.getByRole('combobox', { name: 'Location' }).fill('leeds');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(rows(page)).toHaveCount(4); // the ship is not near Leeds
  await expect(rows(page).first()).toBeInViewport(); // a new list starts at its top
});

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow', hearsWorker: true });

  test('a viewed area works offline, with movement and filters; the tiles come back by themselves', async ({
    page,
    context,
    world: { api, tiles },
  }) => {
    const forbidden: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) forbidden.push(message.text());
    });
    await signIn(page);
    await workerReady(page);
    await page.goto('/map?disruptions=off');
    await expect(rows(page)).toHaveCount(5, { timeout: 30_000 });
    await expect(marks(page)).toHaveCount(2);
    await expect.poll(() => keptTiles(page)).toBeGreaterThan(5);
    const kept = await keptTiles(page);

    api.off();
    tiles.off();
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/^Showing events saved at \d\d:\d\d$/)).toBeVisible({ timeout: 30_000 });
    await expect(rows(page)).toHaveCount(5);
    await expect(marks(page)).toHaveCount(2);

    // This part of the stored area was never requested by itself.
    await page.goto('/map?disruptions=off&lat=54.5&lng=-1.8&zoom=7');
    await expect(page.getByText(/^Showing events saved at \d\d:\d\d$/)).toBeVisible();
    await expect(rows(page)).toHaveCount(4); // the ship is outside
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Arts & crafts');
    await expect(rows(page)).toHaveCount(1);
    expect(await keptTiles(page)).toBe(kept);

    // The page of an event that was never opened shows the data that the map has.
    await rows(page).getByRole('button').click();
    await page.getByRole('link', { name: 'View full details' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Town Hall talk' })).toBeVisible();
    await expect(page.getByText(/^Showing this event as saved from the map at \d\d:\d\d\./)).toBeVisible();
    await page.getByRole('link', { name: 'Back to the map' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(marks(page)).toHaveCount(1);

    api.on();
    tiles.on();
    await context.setOffline(false);
    await expect(page.getByText(/^Showing events saved/)).toHaveCount(0, { timeout: 20_000 });
    await expect.poll(() => keptTiles(page), { timeout: 30_000 }).toBeGreaterThan(kept);
    expect(forbidden).toEqual([]); // only the configured tiles

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    expect(await keptTiles(page)).toBe(0);
  });
});

const HEATHROW = '?lat=51.47&lng=-0.45&zoom=13';

const disruptionsShown = (page: Page) => page.getByRole('group').filter({ hasText: 'Disruptions in view' });
const unplaced = (page: Page) =>
  page.getByRole('button', { name: /^and \d+ disruptions? without a known place$/ });

/** The delayed line comes into view. Incidents without a known place are listed by keyboard, and the focus returns. */
async function expectPiccadilly(page: Page) {
  const line = disruptionsShown(page).getByRole('listitem').filter({ hasText: 'Piccadilly' });
  await expect(line).toContainText('High');
  await unplaced(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^\d+ disruptions? without a known place$/ });
  await expect(dialog).toBeVisible();
  expect(await dialog.getByRole('listitem').count()).toBe(
    Number(/\d+/.exec((await dialog.getByRole('heading', { level: 2 }).textContent())!)![0]),
  );
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `disruptions without a known place, ${colorScheme}`, 'dialog');
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(unplaced(page)).toBeFocused();
}

test.describe('the disruptions without a network', () => {
  test.use({ serviceWorkers: 'allow', hearsWorker: true });

  test('Heathrow is never clear while a line that reaches it is delayed, online and offline', async ({
    page,
    context,
    world: { api },
  }) => {
    await signIn(page);
    await workerReady(page);
    const area = page.waitForResponse((answer) => /disruptions\/\?.*north=/.test(answer.url()));
    const list = page.waitForResponse((answer) => /disruptions\/\?position=none/.test(answer.url()));
    await page.goto(`/map${HEATHROW}`);
    const { total_without_position: count } = await (await area).json();
    await list;
    expect(count).toBeGreaterThan(0);
    const unplacedText = `and ${count} ${count === 1 ? 'disruption' : 'disruptions'} without a known place`;
    const shown = disruptionsShown(page);
    await expect(shown).toContainText(unplacedText, { timeout: 30_000 });
    await expect(shown).toContainText('Live');
    const words = /No disruptions reported here(?!, and)/;
    await expect(shown).not.toContainText(words);
    await expectPiccadilly(page);

    // The banner makes the map lower, so a reload asks for a different view.
    await context.setOffline(true);
    await expect(page.getByText(/^Offline\. Showing the copy/)).toBeVisible();
    await expect(shown).toContainText('Offline: showing the list as it was');
    await expect(shown).toContainText(unplacedText);
    api.off();
    await page.reload();
    await expect(shown).toContainText('Unable to load disruptions for this area. ', {
      timeout: 30_000,
    });
    await expect(shown).toContainText(unplacedText);
    await expect(shown).not.toContainText(words);
    await expectPiccadilly(page);

    api.on();
    await context.setOffline(false);
    await expect(shown).toContainText('Live', { timeout: 30_000 });
    await expect(shown).not.toContainText('Unable to load');
  });
});

function keptTiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((cache) => cache.endsWith('tiles'));
    return name ? (await (await caches.open(name)).keys()).length : 0;
  });
}
