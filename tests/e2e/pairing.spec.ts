import type { Browser, Page } from '@playwright/test';
import { DEVICE_CODE_GRANT } from '../../contract/displays/displays.ts';
import { expect, type Person, type Service, test, withSession } from '../support/browser.ts';

const WALL = '/disruptions?display=wall';

const codeOn = async (display: Page) => {
  const code = display.getByText(/^[B-Z]{4}-[B-Z]{4}$/);
  await expect(code).toBeVisible({ timeout: 30_000 }); // a first visit loads the whole app
  return (await code.textContent())!;
};
/** Advances the display's clock step by step until it shows this text: one jump would abort a call in progress. */
const until = (display: Page, shown: () => Promise<void>) =>
  expect(async () => {
    await display.clock.runFor(4000);
    await shown();
  }).toPass({ timeout: 40_000 });
const SOON = { timeout: 1000 };
const boardOn = (display: Page) => display.getByRole('heading', { name: 'Rail Network' });
const unpaired = (display: Page) => display.getByRole('heading', { name: 'Pair this display' });

/** The browser of another user. */
async function phoneOf(browser: Browser, service: Service): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.proxy.origin,
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  });
  return context.newPage();
}

/** Scans the code while signed out: the sign-in must lead back to it. */
async function scan(phone: Page, code: string, { email, password }: Person) {
  await phone.goto(`/pair?user_code=${code}`);
  await expect(phone).toHaveURL(/\/login\?/);
  await phone.getByLabel('Email').fill(email);
  await phone.getByLabel('Password').fill(password);
  await phone.getByRole('button', { name: 'Sign In' }).click();
  await expect(phone.getByText(code)).toBeVisible();
}

async function approve(phone: Page, name: string) {
  await phone.getByLabel('Name').fill(name);
  await phone.getByRole('button', { name: 'Approve' }).click();
  await expect(phone.getByRole('status').filter({ hasText: name })).toBeVisible();
}

/** Types the code into the form of /pair. */
async function enter(phone: Page, code: string) {
  await phone.goto('/pair');
  await phone.getByLabel('Code on the screen').fill(code);
  await phone.getByRole('button', { name: 'Continue' }).click();
}

test('a display is denied, paired from a user’s phone, revoked by an administrator, paired again, and blanked', async ({
  page: display,
  browser,
  service,
}) => {
  await display.clock.install();
  const polled: string[] = [];
  display.on('request', (request) => {
    if (request.url().endsWith('/displays/token')) polled.push(request.postData() ?? '');
  });
  await display.goto(WALL);
  const first = await codeOn(display);
  await expect(display.getByRole('img', { name: new RegExp(`/pair\\?user_code=${first}$`) })).toBeVisible();
  await expect(display.locator('input')).toHaveCount(0);

  const phone = await phoneOf(browser, service);
  await scan(phone, first, await service.newPerson());
  await expect(phone.getByText(/Chrome/)).toBeVisible();
  await phone.getByRole('button', { name: 'Deny' }).click();
  await expect(phone.getByText(/was denied/)).toBeVisible();
  await until(display, () => expect(display.getByText('The last code was denied.')).toBeVisible(SOON));
  const code = await codeOn(display);
  expect(code).not.toBe(first);
  await enter(phone, code);
  await approve(phone, 'Control room');
  await until(display, () => expect(boardOn(display)).toBeVisible(SOON));

  // The code no longer works, for the phone or for anyone who saw it on the display.
  await enter(phone, code.toLowerCase().replace('-', ' '));
  await expect(phone.getByRole('alert')).toHaveText(/This code has already been used/);
  const { device_code } = JSON.parse(polled.at(-1)!) as { device_code: string };
  const known = await display.evaluate(() => Object.keys(localStorage));
  expect(known.filter((name) => /^(access_token|refresh_token|session_id)$/.test(name))).toEqual([]);
  await display.reload();
  await expect(boardOn(display)).toBeVisible();
  await display.clock.runFor(31_000); // its first report

  const admin = await phoneOf(browser, service);
  await withSession(admin);
  const openFleet = async () => {
    await admin.goto('/admin/displays');
    return admin.getByRole('row').filter({ hasText: 'Control room' }).first();
  };
  await expect
    .poll(async () => (await openFleet()).textContent(), { timeout: 15_000 })
    .toMatch(/1366 × 768(Held|Refused)/);
  await admin.getByRole('button', { name: 'Revoke Control room' }).click();
  await expect(admin.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await admin.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(admin.getByRole('heading', { name: 'No longer paired' })).toBeVisible();

  // After one more refresh the display says so, still shows the board, and has a code in the corner.
  await until(display, () => expect(display.getByText(/Signed out \d\d:\d\d/)).toBeVisible(SOON));
  await expect(boardOn(display)).toBeVisible();
  await display.reload();
  await expect(boardOn(display)).toBeVisible();
  await enter(phone, await codeOn(display));
  await approve(phone, 'Control room');
  await until(display, () => expect(display.getByText(/Signed out/)).toHaveCount(0, SOON));
  await expect(boardOn(display)).toBeVisible();

  const revoke = (await openFleet()).getByRole('button', { name: 'Revoke Control room' });
  await revoke.click();
  await expect(admin.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await admin.keyboard.press('Escape');
  await expect(revoke).toBeFocused();
  await revoke.click();
  await admin.getByRole('button', { name: 'Revoke and blank' }).click();
  await expect(admin.getByText('Revoked, not blank yet')).toBeVisible();
  await expect(admin.locator(':focus')).toContainText('Revoked, not blank yet');
  await until(display, () => expect(unpaired(display)).toBeVisible(SOON));
  await expect(boardOn(display)).toHaveCount(0);
  await openFleet();
  await expect(admin.getByText('Revoked and blank')).toBeVisible();
  await display.reload();
  await expect(unpaired(display)).toBeVisible();

  const again = await fetch(`${service.server.origin}/api/v1/displays/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: DEVICE_CODE_GRANT, device_code }),
  });
  expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  await phone.context().close();
  await admin.context().close();
});
