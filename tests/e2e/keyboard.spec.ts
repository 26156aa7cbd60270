/** Creating a user and setting up an event by keyboard alone. keys.spec.ts does the same for an API key. */
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

  // A busy machine takes some seconds to judge the first password.
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

test('Back closes only the dialog on top, keeps typed text, and the next page begins at its top', async ({
  page,
}) => {
  await withSession(page);
  await page.goto('/dashboard');
  await page.goto('/routes');
  const tells = page.getByRole('button', { name: 'A driver tells us' });
  await tells.click();
  await page.getByLabel('What it is').fill('Car on fire');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/routes');
  await expect(tells).toBeFocused();
  await tells.click();
  await expect(page.getByLabel('What it is')).toHaveValue('Car on fire');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.goto('/messages?tab=settings');
  const adds = page.getByRole('button', { name: 'Add a channel' });
  await adds.click();
  await page.getByRole('radio', { name: 'Slack' }).check();
  await page.getByLabel('Name', { exact: true }).fill('Night desk');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await adds.click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Night desk');
  await page.getByLabel('Address').fill('https://hooks.slack.com/services/T0/B0/night');
  await page.getByRole('button', { name: 'Add and send a test' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const row = page.getByRole('listitem').filter({ hasText: 'Night desk' });
  await row.getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Change Night desk' })).toBeVisible();
  // Both close at once.
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete channel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/routes');
});

test('a pressed button keeps the focus while its request is sent', async ({ page }) => {
  await withSession(page);
  const { id } = await page.evaluate(async () => {
    const answer = await fetch('/api/v1/watches/', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('access_token')}`,
      },
      body: JSON.stringify({
        kind: 'feeds',
        made_by: 'feeds',
        name: 'Night desk',
        which: { min_severity: 'critical' },
      }),
    });
    return (await answer.json()) as { id: string };
  });
  let answered = () => {};
  const held = (method: string) =>
    page.route('**/api/v1/**', async (route) => {
      if (route.request().method() === method) await new Promise<void>((go) => void (answered = go));
      await route.fallback();
    });
  for (const [tab, name, method] of [
    ['tell', 'Save', 'PATCH'],
    ['share', 'Make a public page', 'POST'],
  ] as const) {
    await page.goto(`/routes/${id}/${tab}`);
    const button = page.getByRole('button', { name, exact: true });
    if (tab === 'tell') await page.getByRole('radio', { name: 'Nothing' }).check();
    await expect(button).toBeEnabled();
    await held(method);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toBeFocused();
    answered();
    await page.unrouteAll({ behavior: 'wait' });
  }
});
