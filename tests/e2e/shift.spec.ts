/** Two people and a wall: who has an alert in hand, what is not sent yet, and what is snoozed. */
import type { Browser, Page } from '@playwright/test';
import { pageAddressOf } from '../../server/contract/addresses.ts';
import type { DisruptionPage } from '../../server/contract/disruptions.ts';
import type { z } from 'zod/mini';
import { expectAccessible } from '../support/accessible.ts';
import {
  expect,
  openBoard,
  rowOf,
  test,
  type Service,
  withSession,
  workerReady,
} from '../support/browser.ts';

test.use({ serviceWorkers: 'allow', server: 'shift' });

const MINUTE_MS = 60_000;

/** The browser of another person. */
async function anotherOf(browser: Browser, service: Service): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.proxy.origin, serviceWorkers: 'block' });
  return context.newPage();
}

/** The UK Roads row, opened, with the buttons of its alerts. */
async function opened(page: Page) {
  await page.getByText('Compact', { exact: true }).click();
  const row = rowOf(page, 'UK Roads');
  await row.getByRole('button', { name: /^UK Roads/ }).click();
  return row;
}
/** The critical closure on the M62. */
let m62 = '';
test.beforeEach(async ({ service }) => {
  const { events } = await service.read<z.infer<typeof DisruptionPage>>('disruptions/?limit=200');
  m62 = events.find(
    ({ facts, severity }) => severity === 'critical' && facts?.roads.includes('M62'),
  )!.event_id;
});
const lorryIn = (page: Page) => page.locator(`[data-event="${m62}"]`);

test('what one person acknowledges the other sees, and the wall', async ({ page, browser, service }) => {
  await openBoard(page);
  await opened(page);
  const lorry = lorryIn(page);
  await lorry.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(lorry.getByText(/ · Dealing with it · \d\d:\d\d$/)).toBeVisible();
  await expect(lorry.getByRole('button', { name: /^Undo, \d+ s$/ })).toBeVisible();
  await lorry.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Diverted' }).click();
  const who = lorry.getByText(/ · Diverted · \d\d:\d\d$/);
  await expect(who).toBeVisible();
  const words = (await who.textContent())!.trim();
  await expectAccessible(page, 'board, an alert in hand');

  // The other has an older page open.
  const sam = await anotherOf(browser, service);
  await openBoard(sam, await service.newPerson());
  await opened(sam);
  await expect(lorryIn(sam)).toContainText(words);
  await expect(sam.getByRole('region', { name: 'Worst now' })).toContainText(words);
  // Sam's page hears nothing more until Sam has acted.
  let isDeaf = true;
  await sam.route('**/api/v1/responses/**', async (route) => {
    const isAction = route.request().method() !== 'GET';
    isDeaf &&= !isAction;
    await (isDeaf ? route.abort() : route.continue());
  });
  await lorry.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Watching' }).click();
  await expect(lorry).toContainText(' · Watching · ');
  const [name] = words.split(' · ');
  await lorryIn(sam).getByRole('button', { name: 'Change' }).click();
  await sam.getByRole('dialog').getByRole('button', { name: 'No effect on us' }).click();
  await expect(lorryIn(sam)).toContainText(new RegExp(`${name} acknowledged this at \\d\\d:\\d\\d\\.`));
  await lorryIn(sam).getByRole('button', { name: 'No effect on us all the same' }).click();
  await expect(lorryIn(sam)).toContainText('A driver · No effect on us · ');

  const wall = await anotherOf(browser, service);
  await withSession(wall);
  await wall.goto('/disruptions?display=wall');
  await expect(wall.getByText(/^Seen \d\d:\d\d$/).first()).toBeVisible();
  await expect(wall.getByText('A driver')).toHaveCount(0);

  // The alert's page tells how it went, with a note.
  await sam.goto(pageAddressOf('alert', m62));
  const steps = sam.locator('section', { has: sam.getByRole('heading', { name: 'How it went' }) });
  await expect(steps).toContainText('Acknowledged · No effect on us');
  await sam.getByRole('button', { name: 'Add a note' }).click();
  await sam.getByRole('textbox').fill('Told the 06:10 driver.');
  await sam.getByRole('button', { name: 'Add the note' }).click();
  await expect(steps).toContainText('Told the 06:10 driver.');
  await steps.getByRole('button', { name: 'Strike out' }).click();
  await expect(steps.locator('s')).toHaveText('Told the 06:10 driver.');
  await expect(steps).toContainText(/Struck out \d\d:\d\d/);
  await expectAccessible(sam, 'alert, with what our team did');
});

test('without a network it waits, is sent once, and is asked about at the logout', async ({
  page,
  context,
  service,
}) => {
  await page.clock.install();
  await openBoard(page);
  await workerReady(page);
  await opened(page);
  await expect(
    lorryIn(page)
      .getByRole('button', { name: /Acknowledge|Change/ })
      .first(),
  ).toBeVisible();

  await context.setOffline(true);
  await lorryIn(page)
    .getByRole('button', { name: /Acknowledge|Change/ })
    .first()
    .focus();
  await page.keyboard.press('a');
  await expect(lorryIn(page)).toContainText(' · Dealing with it · ');
  const sign = page.getByRole('button', { name: /^Not sent yet \(1\)/ });
  await expect(sign).toBeVisible();
  await sign.click();
  await expect(page.getByRole('dialog')).toContainText('Dealing with it');
  await expectAccessible(page, 'board, not sent yet');
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  // It outlives the page.
  await page.reload();
  await expect(sign).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('1 acknowledgement is not sent yet. Sign out and lose it?');
  await question.getByRole('button', { name: 'Cancel' }).click();

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url());
  });
  await context.setOffline(false);
  await expect
    .poll(async () => {
      await page.clock.runFor(1000);
      return sign.count();
    })
    .toBe(0);
  expect(sent).toHaveLength(1);
  const { responses } = await service.read<{ responses: { event_id: string; disposition: string }[] }>(
    'responses/',
  );
  expect(responses.find(({ event_id }) => event_id === m62)).toMatchObject({
    disposition: 'dealing_with_it',
  });
});

test('a snoozed alert is hidden, counted, and comes back', async ({ page }) => {
  await page.clock.install();
  await openBoard(page);
  await opened(page);
  const lorry = lorryIn(page);
  await expect(lorry.getByRole('button', { name: /Acknowledge|Change/ }).first()).toBeVisible();
  await lorry.getByRole('link').focus();
  await page.keyboard.press('s');
  await page.getByRole('dialog').getByRole('button', { name: '1 h', exact: true }).click();
  await expect(lorry).toHaveCount(0);
  const snoozed = page.getByRole('button', { name: '1 snoozed' });
  await expect(snoozed).toBeVisible();

  // Also on the next visit, and in the list.
  await page.goto('/disruptions/list');
  await expect(page.getByRole('button', { name: '1 snoozed' })).toBeVisible();
  await expect(lorry).toHaveCount(0);
  await page.clock.runFor(MINUTE_MS);
  await snoozed.click();
  await expect(page.getByRole('dialog')).toContainText(/Snoozed until \d\d:\d\d/);
  await expectAccessible(page, 'list, what is snoozed');
  await page.getByRole('button', { name: 'Bring back' }).click();
  await expect(lorry).toHaveCount(1);
  await expect(snoozed).toHaveCount(0);
});
