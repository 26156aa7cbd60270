/** Actions without a network: they wait in the browser. The shift with two people is in wholeShift.spec.ts. */
import type { Page } from '@playwright/test';
import type { DisruptionPage } from '../../contract/incidents/disruptions.ts';
import type { z } from 'zod/mini';
import { expectAccessible } from '../support/accessible.ts';
import { expect, openBoard, rowOf, test, workerReady } from '../support/browser.ts';

test.use({ serviceWorkers: 'allow', hearsWorker: true });

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

test('an action without a network waits, is sent once, and is asked about at the logout', async ({
  page,
  context,
  service,
}) => {
  const person = await service.newPerson();
  await page.clock.install();
  await openBoard(page, person);
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
  // The switch makes room for it.
  await expect(page.getByRole('radiogroup', { name: 'Compare with' })).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = await page.locator('article p', { hasText: ' · Dealing with it · ' }).evaluateAll((all) =>
    all
      .filter((mark) => mark.checkVisibility())
      .map((mark) => {
        const words = document.createRange();
        words.selectNodeContents(mark);
        return mark.getBoundingClientRect().left - words.getBoundingClientRect().left;
      }),
  );
  expect(Math.max(...cut), 'px of a mark on a phone').toBeLessThan(1);
  await page.setViewportSize({ width: 1280, height: 720 });
  await sign.click();
  await expect(page.getByRole('dialog')).toContainText('Dealing with it');
  await expectAccessible(page, 'board, not sent yet');
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  // The action outlives the page.
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
    .poll(
      async () => {
        await page.clock.runFor(1000);
        return sign.count();
      },
      { timeout: 30_000 },
    )
    .toBe(0);
  expect(sent).toHaveLength(1);
  const { responses } = await service.read<{ responses: { event_id: string; disposition: string }[] }>(
    'responses/',
    person,
  );
  expect(responses.find(({ event_id }) => event_id === m62)).toMatchObject({
    disposition: 'dealing_with_it',
  });
});
