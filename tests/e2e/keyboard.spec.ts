/** Creating a user and setting up an event with the keyboard only. keys.spec.ts does the same for an API key. */
import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test, withSession } from '../support/browser.ts';

/** Presses Tab until `place` has the focus. */
async function tabTo(page: Page, place: Locator) {
  await expect(place).toBeVisible();
  for (let step = 0; step < 60; step++) {
    if (await place.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

async function type(page: Page, label: string, words: string) {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(words);
}

test('a user is made, demoted and deleted without a mouse', async ({ page }) => {
  await signIn(page);
  await page.goto('/admin/users');
  const email = `keyboard-${Date.now()}@clearway.example`;
  await type(page, 'Email', email);
  await type(page, 'Display name', 'Keys Only');
  await type(page, 'Password', 'platform-four-Didcot');
  await tabTo(page, page.getByLabel('Role'));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByLabel('Verified'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');

  // The first password that is judged takes a busy machine some seconds.
  await expect(page.getByText(`${email} can sign in now.`)).toBeVisible({ timeout: 30_000 });
  const row = page.getByRole('listitem').filter({ hasText: email });
  await expect(row).toContainText('Administrator');
  await expect(row.getByText('Verified', { exact: true })).toBeVisible();
  await tabTo(page, row.getByRole('button', { name: `Demote to User, ${email}` }));
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Standard User');

  const remove = row.getByRole('button', { name: `Delete, ${email}` });
  await tabTo(page, remove);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete user' });
  await expect(dialog).toContainText(`Delete ${email}? This cannot be undone.`);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Users' })).toBeFocused();
});

test('an account and a source are looked after without a mouse', async ({ page, browser, service }) => {
  const person = await service.newPerson();
  const elsewhere = await browser.newPage({ baseURL: service.proxy.origin });
  await withSession(elsewhere, person);
  await withSession(page, person);
  await page.goto('/account');
  const begin = page.getByRole('button', { name: 'Set up a second factor' });
  await tabTo(page, begin);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab'); // the focus stayed in its place
  await expect(begin).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Sign out everywhere else' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 other browser signed out.')).toBeVisible();
  await elsewhere.close();

  const admin = await browser.newPage({ baseURL: service.proxy.origin });
  await withSession(admin);
  await admin.goto('/admin/sources');
  const more = admin.getByRole('button', { name: /^More: / }).first();
  await tabTo(admin, more);
  await admin.keyboard.press('Enter');
  await expect(admin.getByRole('dialog')).toBeVisible();
  await admin.keyboard.press('Escape');
  await expect(admin.getByRole('dialog')).toBeHidden();
  await expect(more).toBeFocused();
  await admin.close();
});

test('an event is set up without a mouse, also through a reload', async ({ page }) => {
  await signIn(page);
  await page.goto('/event-setup');
  const next = async (step: string) => {
    await tabTo(page, page.getByRole('button', { name: 'Next' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 2, name: step })).toBeFocused();
  };
  await type(page, 'Event name', 'Cup final');
  await tabTo(page, page.getByLabel('Event type'));
  await page.keyboard.press('s'); // for Sports
  await type(page, 'Attendance', '74500');
  await next('Location');

  await type(page, 'Venue name', 'Hampden Park');
  await tabTo(page, page.getByLabel('Rail'));
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Rail')).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Save Draft' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Draft saved successfully'); // it is on the device now
  await page.reload();
  await expect(page.getByText('Step 2 of 4')).toBeVisible();
  await expect(page.getByLabel('Venue name')).toHaveValue('Hampden Park');
  await expect(page.getByLabel('Rail')).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Back' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Event type')).toHaveValue('Sports');
  await expect(page.getByLabel('Attendance')).toHaveValue('74500');
  await next('Location');
  await next('Schedule');

  await tabTo(page, page.getByLabel('3 days before'));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Event day only')).toBeChecked();
  await next('Settings');
  await tabTo(page, page.getByLabel('Weather sensitivity'));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('Weather sensitivity')).toHaveValue('55');
  await tabTo(page, page.getByRole('button', { name: 'Start Watching This Event' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Event Watch Activated' })).toBeFocused();
  await expect(page.getByText(/^Cup final, Hampden Park\. Watching from/)).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Add Another Event' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Step 1 of 4')).toBeVisible();
  await expect(page.getByLabel('Event name')).toHaveValue('');
});
