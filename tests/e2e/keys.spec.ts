import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test, withSession } from '../support/browser.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Presses Tab until `place` has the focus. */
async function tabTo(page: Page, place: Locator) {
  await expect(place).toBeVisible();
  for (let step = 0; step < 40; step++) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

async function expectAccessibleIn(
  page: Page,
  what: string,
  themes: ('light' | 'dark')[] = ['light', 'dark'],
) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${what}, ${colorScheme}`);
  }
}

/** The status that a program with this key gets. */
const statusWith = (page: Page, key: string) =>
  page.evaluate(async (bearer) => {
    const reply = await fetch('/api/v1/feeds/?include_events=true', {
      headers: { authorization: `Bearer ${bearer}` },
    });
    return [reply.status, reply.headers.get('ratelimit')?.replace(/;t=\d+$/, '')];
  }, key);

test('a key is made, copied, used and deleted without a mouse', async ({ page, service }) => {
  test.slow(); // each check takes seconds on a busy machine
  await withSession(page, await service.newPerson());
  await page.goto('/api-keys');
  await expect(page.getByRole('heading', { name: 'No API Keys Yet' })).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: 'Create New Key' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter'); // nothing happens without a name
  await expect(page.getByLabel('Tier')).toBeDisabled();
  await expectAccessibleIn(page, 'the form', ['light']);
  await page.keyboard.type('Coach planner');
  await page.keyboard.press('Enter');

  const card = page.getByRole('region', { name: 'Coach planner is ready' });
  await expect(card.getByRole('heading')).toBeFocused();
  await tabTo(page, card.getByRole('button', { name: 'Copy' }));
  await page.keyboard.press('Enter');
  await expect(card.getByRole('button', { name: 'Copied' })).toBeFocused();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^cw_live_\w{32}$/);
  await expect(card.locator('code')).toHaveText(key);

  const row = page.getByRole('row', { name: /Coach planner/ });
  await tabTo(page, row.getByRole('button', { name: 'Reveal Coach planner' }));
  await page.keyboard.press('Enter');
  await expect(row.locator('code')).toHaveText(key);
  await expectAccessibleIn(page, 'a new key and the list');
  for (const width of [1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width} px`).toBe(width);
  }
  await page.setViewportSize({ width: 1366, height: 768 });
  await tabTo(page, row.getByRole('button', { name: 'Hide Coach planner' }));
  await page.keyboard.press('Shift+Tab');
  await expect(card.getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card).toBeHidden();

  expect(await statusWith(page, key)).toEqual([200, '"day";r=999']);
  await page.reload();
  await expect(row.getByRole('cell', { name: '1 999 of 1,000 left' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key.slice(12));

  const remove = row.getByRole('button', { name: 'Delete Coach planner' });
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete Coach planner?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessibleIn(page, 'the question before deleting');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Delete key' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'No API Keys Yet' })).toBeVisible();
  await expect(page.locator(':focus')).toContainText('Your keys');
  expect(await statusWith(page, key)).toEqual([401, undefined]);
});
