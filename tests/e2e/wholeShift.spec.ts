import { writeFile } from 'node:fs/promises';
import { test as base, type BrowserContext, expect, type Page } from '@playwright/test';
import { pageAddressOf } from '../../contract/addresses.ts';
import { record } from '../server/feedsWorld.ts';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf, withSession } from '../support/browser.ts';
import { openShiftWorld, type ShiftWorld } from '../support/shiftWorld.ts';

const NH = 'national-highways';
const LORRY = `${NH}:lorry`;
const QUEUE = `${NH}:queue`;
const WORKS = `${NH}:works`;
const TFL = 'tfl:district';

const test = base.extend<{ world: ShiftWorld }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from here
  world: async ({}, use) => {
    const world = await openShiftWorld('2026-11-21T05:50:00.000Z');
    await use(world);
    await world.close();
  },
  baseURL: async ({ world }, use) => use(world.origin),
});

const motorway = (id: string, title: string, changes: Parameters<typeof record>[1] = {}) =>
  record(id, {
    title,
    event_type: 'road.incident',
    updated_at: '2026-11-21T05:45:00.000Z',
    start_time: '2026-11-21T05:40:00.000Z',
    ...changes,
  });
const lorry = (severity: 'high' | 'critical') =>
  motorway(LORRY, 'M62 eastbound between J27 and J28: closed, overturned lorry', { severity });
const queue = (severity: 'medium' | 'critical') =>
  motorway(QUEUE, 'M62 eastbound between J28 and J29: queue', { severity });
const works = motorway(WORKS, 'M62 eastbound at J28: roadworks', {
  phase: 'planned',
  start_time: '2026-11-21T16:00:00.000Z',
});
const district = record(TFL, { title: 'District line: severe delays', event_type: 'rail.line_status' });

const alertIn = (page: Page, id: string) => page.locator(`[data-event="${id}"]`).first();
const strip = (page: Page) => page.getByRole('region', { name: 'What changed' });

declare global {
  interface Window {
    /** Calls of the page without an answer, or with one that has not ended. */
    asked?: Set<unknown>;
  }
}

/** Counts requests in the page: the browser's tools lose the end of calls that begin as its network comes back. */
function countAsked() {
  const asked = (window.asked = new Set<unknown>());
  const { fetch } = window;
  window.fetch = async (...call) => {
    asked.add(call);
    try {
      const answer = await fetch(...call);
      void answer
        .clone()
        .arrayBuffer()
        .catch(() => {})
        .finally(() => asked.delete(call));
      return answer;
    } catch (error) {
      asked.delete(call);
      throw error;
    }
  };
}

test.setTimeout(240_000); // half a minute on a quiet machine

test('a shift: two people, a wall, an outage at 09:30, a handover at 14:00', async ({
  world,
  browser,
}, info) => {
  const rosaIs = await world.addPerson('Rosa Jones');
  const samIs = await world.addPerson('Sam Lee');
  const pages: Page[] = [];
  const contexts: BrowserContext[] = [];
  const open = async (person: typeof rosaIs, address: string) => {
    const context = await browser.newContext({ baseURL: world.origin, serviceWorkers: 'block' });
    const page = await context.newPage();
    contexts.push(context);
    await page.addInitScript(countAsked);
    await page.clock.install({ time: world.now() });
    await withSession(page, person);
    await page.goto(address);
    pages.push(page);
    return page;
  };
  let isDown = false;
  const setDown = async (down: boolean) => {
    world.setDown((isDown = down));
    await Promise.all(contexts.map((context) => context.setOffline(down)));
  };
  const timeOf = (clock: string) => Date.parse(`2026-11-21T${clock}:00.000Z`);
  /** The server alone has this time of the day. */
  const onServer = (clock: string) => world.goTo(timeOf(clock));
  /** Moves the clock of all pages; each asks again meanwhile. The clock waits for the answers, because a request
   *  would time out in a leap. */
  const at = async (clock: string) => {
    await onServer(clock);
    await world.settled();
    for (const page of pages) {
      await expect.poll(() => page.evaluate(() => window.asked?.size ?? 0)).toBe(0);
      const ahead = timeOf(clock) - (await page.evaluate(() => Date.now()));
      if (ahead > 0) await page.clock.fastForward(ahead);
    }
    for (const page of pages)
      if (!isDown && page.url().endsWith('/disruptions'))
        // A call made in the moment of a leap has run out of time: the page asks again within 20 s of its clock.
        await expect
          .poll(
            async () => {
              await page.clock.runFor(5000);
              return page.getByText(`Last refresh ${clock.slice(0, 4)}`).isVisible();
            },
            { timeout: 20_000 },
          )
          .toBe(true);
  };

  await world.reported('tfl', [district]);
  await world.reported(NH, [lorry('high'), works]);
  const rosa = await open(rosaIs, '/disruptions');
  await rosa.getByText('Compact', { exact: true }).click();
  await expect(rowOf(rosa, 'UK Roads')).toContainText('overturned lorry');
  const made = await rosa.request.post('/api/v1/watches', {
    headers: { authorization: `Bearer ${await rosa.evaluate(() => localStorage.getItem('access_token'))}` },
    data: {
      kind: 'route',
      name: 'Leeds to Hull',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
    },
  });
  expect(made.status(), await made.text()).toBe(201);

  // 06:00: nothing is new yet. At 06:20 a queue is, and Rosa has the lorry in hand.
  await onServer('06:20');
  await world.reported('tfl', [district]);
  await world.reported(NH, [lorry('high'), queue('medium'), works]);
  await at('06:30');
  await expect(strip(rosa)).toContainText('Since 06:00:');
  await strip(rosa).getByRole('button', { name: '1 new' }).click();
  await expect(rowOf(rosa, 'UK Roads')).toContainText('queue');
  await expect(rowOf(rosa, 'UK Roads')).not.toContainText('overturned lorry');
  await expect(rowOf(rosa, 'Rail Network')).toContainText('Nothing is new');
  await expectAccessible(rosa, 'board, a chosen count');
  await strip(rosa).getByRole('button', { name: '1 new' }).click();
  await rowOf(rosa, 'UK Roads')
    .getByRole('button', { name: /^UK Roads/ })
    .click();
  await alertIn(rosa, LORRY).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alertIn(rosa, LORRY)).toContainText('Rosa Jones · Dealing with it · 06:30');
  await expect(alertIn(rosa, LORRY).getByRole('button', { name: /^Undo, \d+ s$/ })).toBeVisible();

  // Sam comes, sees it, and snoozes the queue for an hour. The wall names nobody.
  const sam = await open(samIs, '/disruptions');
  await sam.getByText('Compact', { exact: true }).click();
  await rowOf(sam, 'UK Roads')
    .getByRole('button', { name: /^UK Roads/ })
    .click();
  await expect(alertIn(sam, LORRY)).toContainText('Rosa Jones · Dealing with it · 06:30');
  await alertIn(sam, QUEUE).getByRole('link').focus();
  await sam.keyboard.press('s');
  await sam.getByRole('dialog').getByRole('button', { name: '1 h', exact: true }).click();
  await expect(alertIn(sam, QUEUE)).toHaveCount(0);
  // The snoozed queue is in the list too; it is brought back there, and snoozed again.
  await sam.goto('/disruptions/list');
  const snoozed = sam.getByRole('button', { name: '1 snoozed' });
  await expect(snoozed).toBeVisible();
  const picture = (await snoozed.locator('svg').boundingBox())!;
  expect(picture.height, 'its picture is as high as its words').toBeLessThan(24);
  await expect(alertIn(sam, LORRY)).toBeVisible();
  await expect(alertIn(sam, QUEUE)).toHaveCount(0);
  await snoozed.click();
  await expect(sam.getByRole('dialog')).toContainText('Snoozed until 07:30');
  await expectAccessible(sam, 'list, what is snoozed');
  await sam.getByRole('button', { name: 'Bring back' }).click();
  await expect(alertIn(sam, QUEUE)).toHaveCount(1);
  await alertIn(sam, QUEUE).getByRole('link').first().focus();
  await sam.keyboard.press('s');
  await sam.getByRole('dialog').getByRole('button', { name: '1 h', exact: true }).click();
  await expect(snoozed).toBeVisible();
  await sam.goto('/disruptions');
  await rowOf(sam, 'UK Roads')
    .getByRole('button', { name: /^UK Roads/ })
    .click();
  await expect(alertIn(sam, QUEUE)).toHaveCount(0);
  await expect(snoozed).toBeVisible();
  const wall = await open(samIs, '/disruptions?display=wall');
  await expect(wall.getByText(/^Seen 06:30$/).first()).toBeVisible();
  await expect(wall.getByText('Rosa')).toHaveCount(0);
  await expect(wall.getByText(/, 1 snoozed$/)).toBeVisible();

  // 06:50: a snoozed alert turns critical and is back with the next answer, on both screens.
  await onServer('06:50');
  await world.reported('tfl', [district]);
  await world.reported(NH, [lorry('high'), queue('critical'), works]);
  await at('06:52');
  for (const page of [rosa, sam]) {
    await expect(alertIn(page, QUEUE)).toContainText('worse since 06:50');
    await expect(page.getByRole('button', { name: '1 snoozed' })).toHaveCount(0);
  }

  // Both take it at the same time: one is first, and the other sees who.
  let isDeaf = true;
  await sam.route('**/api/v1/responses/**', async (route) => {
    isDeaf &&= route.request().method() === 'GET';
    await (isDeaf ? route.abort() : route.continue());
  });
  await alertIn(rosa, QUEUE).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alertIn(rosa, QUEUE)).toContainText('Rosa Jones · Dealing with it · 06:5');
  await alertIn(sam, QUEUE).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alertIn(sam, QUEUE)).toContainText(/Rosa Jones acknowledged this at 06:5\d\./);
  await expect(alertIn(sam, QUEUE)).toContainText('Rosa Jones · Dealing with it');
  await alertIn(sam, QUEUE).getByRole('button', { name: 'Dealing with it all the same' }).click();
  await expect(alertIn(sam, QUEUE)).toContainText('Sam Lee · Dealing with it');

  // 08:00: a driver tells Rosa of a fire; it is on Sam's board with the next answer.
  await at('08:00');
  await world.reported('tfl', [district]);
  await world.reported(NH, [lorry('high'), queue('critical'), works]);
  await rosa.goto('/routes');
  await rosa.getByRole('button', { name: 'A driver tells us' }).click();
  await rosa.getByLabel('What it is').fill('Car on fire');
  await rosa.getByLabel('Road', { exact: true }).fill('M62');
  await rosa.getByLabel('From junction').fill('J27');
  await rosa.getByLabel('To junction').fill('J28');
  await rosa.getByLabel('Ask us again in').selectOption('8');
  await rosa.getByRole('button', { name: 'Save' }).click();
  await expect(rosa.getByRole('dialog')).toHaveCount(0);
  await at('08:02');
  const ours = sam.getByRole('region', { name: 'Ours', exact: true });
  await expect(ours).toContainText('Car on fire');
  await expect(ours).toContainText('Rosa Jones');
  await expect(sam.getByRole('link', { name: '1 ours' })).toBeVisible();
  await expectAccessible(sam, 'board, our own report');

  // A note is written on the alert's page, and struck out again.
  await rosa.goto(pageAddressOf('alert', LORRY));
  const steps = rosa.locator('section', { has: rosa.getByRole('heading', { name: 'How it went' }) });
  for (const text of ['Recovery is there.', 'Told the 08:10 driver.']) {
    await rosa.getByRole('button', { name: 'Add a note' }).click();
    await rosa.getByRole('textbox').fill(text);
    await rosa.getByRole('button', { name: 'Add the note' }).click();
    await expect(steps).toContainText(text);
  }
  await steps.getByRole('button', { name: 'Strike out' }).first().click();
  await expect(steps.locator('s')).toHaveCount(1);
  await expect(steps).toContainText(/Struck out 08:0\d/);
  await expectAccessible(rosa, 'alert, with what our team did');

  // 09:30 to 10:20: the server and all sources are down. Sam goes on.
  await at('09:30');
  await setDown(true);
  await at('09:40');
  await expect(sam.getByText(/since 09:3\d/).first()).toBeVisible();
  await alertIn(sam, LORRY).getByRole('link').focus();
  await sam.keyboard.press('Escape');
  await rowOf(sam, 'UK Roads')
    .getByRole('button', { name: /^UK Roads/ })
    .click();
  await alertIn(sam, LORRY).getByRole('button', { name: 'Change' }).click();
  await sam.getByRole('dialog').getByRole('button', { name: 'Diverted' }).click();
  // The time is by the server's clock, which the page last heard some seconds ago.
  await expect(alertIn(sam, LORRY)).toContainText(/Sam Lee · Diverted · 09:(39|4\d)/);
  const unsent = sam.getByRole('button', { name: /^Not sent yet \(1\)/ });
  await expect(unsent).toBeVisible();
  await onServer('10:20');
  await setDown(false);
  await world.reported('tfl', [district]);
  await world.reported(NH, [lorry('high'), queue('critical'), works]);
  await at('10:25');
  await expect(unsent).toHaveCount(0);
  await at('10:30');
  await expect(wall.getByText(/^Seen 06:5\d$/).first()).toBeVisible();

  // 11:00: the lorry is worse, so nobody has it in hand any more. 12:00: the line in London is clear.
  await onServer('11:00');
  await world.reported(NH, [lorry('critical'), queue('critical'), works]);
  await at('11:02');
  await expect(alertIn(sam, LORRY)).toContainText(/Acknowledged by Sam Lee at 09:(39|4\d)\. Worse since\./);
  await expect(alertIn(sam, LORRY)).toContainText('Worse: was High');
  await onServer('12:00');
  await world.reported('tfl', []);
  await world.reported(NH, [lorry('critical'), queue('critical'), works]);
  await at('12:02');
  await expect(rowOf(sam, 'Rail Network')).toContainText(/Cleared 12:0\d.*District line/);
  await strip(sam).getByRole('button', { name: '1 cleared' }).click();
  await expect(rowOf(sam, 'Rail Network')).toContainText('District line');
  await expect(rowOf(sam, 'UK Roads')).toContainText('Nothing is cleared');

  // 13:50: a line for the next shift. 14:00: Sam takes over, and prints the sheet.
  await at('13:50');
  await world.reported(NH, [lorry('critical'), queue('critical'), works]);
  await rosa.goto('/handover?from=06:00&to=14:00');
  await rosa.getByLabel('For the next shift: add a line').fill('Recovery comes back at 15:00.');
  await rosa.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(rosa.locator('article')).toContainText('Recovery comes back at 15:00.');
  await at('14:01');
  await sam.goto('/handover?from=06:00&to=14:00');
  const sheet = sam.locator('article');
  await expect(sheet.getByRole('heading', { level: 1, name: 'Handover 06:00–14:00' })).toBeVisible();
  await sam.getByRole('button', { name: 'Take over' }).click();
  await expect(sheet).toContainText('In: Sam Lee');
  await expect(sheet).toContainText(/Taken over by Sam Lee at 14:0\d/);
  const lines = (await sheet.getByRole('row').allTextContents()).join('\n');
  expect(lines).toMatch(
    /J27.*Leeds to Hull.*Open again\. Acknowledged by Sam Lee at 09:(39|4\d)\. Worse since\./,
  );
  expect(lines).toMatch(/J28.*queue.*Leeds to Hull.*Sam Lee · Dealing with it/);
  expect(lines).toMatch(/Car on fire.*Leeds to Hull/);
  expect(lines).toMatch(/M62.*roadworks.*16:00/);
  expect(lines).toMatch(/National Highways09:2\d10:2\d/);
  await expect(sheet).toContainText('Recovery is there.');
  await expectAccessible(sam, 'handover, taken over');
  const pdf = await sam.pdf({ preferCSSPageSize: true });
  await writeFile(info.outputPath('handover.pdf'), pdf);
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(world.errors()).toBe('');
  await Promise.all(contexts.map((context) => context.close()));
});

test('a coach over midnight is the same on every screen, even after the clock was set back', async ({
  world,
  browser,
}) => {
  await world.goTo(Date.parse('2026-11-21T23:30:00.000Z'));
  const person = await world.addPerson('Rosa Jones');
  await world.reported(NH, [lorry('critical')]);
  const open = async (address: string) => {
    const context = await browser.newContext({ baseURL: world.origin, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.clock.install({ time: world.now() });
    await withSession(page, person);
    await page.goto(address);
    return page;
  };
  const routes = await open('/routes');
  const daily = { name: null, days: 127, from_date: null, to_date: null, except: [], duration_min: 50 };
  const made = await routes.request.post('/api/v1/watches', {
    headers: { authorization: `Bearer ${await routes.evaluate(() => localStorage.getItem('access_token'))}` },
    data: {
      kind: 'route',
      name: 'Leeds to Hull',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J26', to: 'J29', sense: 1 }],
      departures: [{ ...daily, at_local: '23:50' }],
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  await world.settled();
  const board = await open('/disruptions');
  const handover = await open('/handover');
  const wall = await open('/disruptions?display=wall');

  for (const [time, row, line, sheet] of [
    ['2026-11-21T23:45:00.000Z', '23:50, in 5 min', 'for 23:50', '23:50'],
    [
      '2026-11-22T00:20:00.000Z',
      'left 23:50 yesterday',
      'on the way, left 23:50 yesterday',
      'left 23:50 yesterday',
    ],
    // The clock was set back.
    ['2026-11-21T23:58:00.000Z', 'left 23:50', 'on the way, left 23:50', 'left 23:50'],
  ] as const) {
    const at = Date.parse(time);
    await world.goTo(at);
    await world.settled();
    for (const [page, words] of [
      [routes, row],
      [board, `1 disruption ${line}`],
      [wall, `1 disruption ${line}`],
    ] as const) {
      await page.clock.setSystemTime(at);
      await page.reload();
      const shown = page.getByRole('listitem').filter({ hasText: 'Leeds to Hull' });
      // The page believes an older date only when a second answer has it.
      await expect(async () => {
        await page.clock.runFor(5000);
        await expect(shown.filter({ hasText: words }).first()).toBeVisible({ timeout: 1000 });
        await expect(page.getByText('Live', { exact: true }).first()).toBeVisible({ timeout: 1000 });
      }, `${page.url()} at ${time}`).toPass({ timeout: 30_000 });
    }
    await handover.clock.setSystemTime(at);
    await handover.reload();
    await expect(handover.getByText(`Leeds to Hull (${sheet})`, { exact: true })).toBeVisible();
  }
});
