/** A travel manager's job: "Leeds 30 km, high or worse, Monday to Friday 06:00 to 20:00, all modes, to Teams and a calendar". */
import { expectAccessible } from '../support/accessible.ts';
import { expect, test, withSession } from '../support/browser.ts';

const AT_MOST = 12;

test('a city is watched, told to Teams and put into a calendar in twelve clicks', async ({ page }) => {
  await page.addInitScript(() => {
    const presses = { count: 0 };
    Object.assign(globalThis, { presses });
    addEventListener('pointerdown', () => presses.count++, true);
  });
  const presses = () =>
    page.evaluate(() => (globalThis as unknown as { presses: { count: number } }).presses.count);
  await withSession(page);
  await page.goto('/routes');

  await page.getByRole('button', { name: 'New area' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New area' });
  await dialog.getByLabel('Place, station, venue or postcode').focus();
  await page.keyboard.type('Leeds');
  await page.keyboard.press('Enter');
  await dialog.getByRole('list', { name: 'Places' }).getByRole('button').first().click();
  await dialog.getByText('High and worse').click();
  await dialog.getByText('Days and hours').click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Within 30 km of Leeds');
  await dialog.getByRole('button', { name: 'Save area' }).click();

  // It opens with the people who are told.
  await expect(page).toHaveURL(/\/routes\/[\w-]+\/tell$/);
  const area = page.getByRole('region', { name: 'Within 30 km of Leeds' });
  await area.getByRole('button', { name: 'Add a channel' }).click();
  const channel = page.getByRole('dialog', { name: 'Add a channel' });
  await channel.getByText('Teams', { exact: true }).click();
  await channel.getByLabel('Name').focus();
  await page.keyboard.type('Travel desk');
  await channel.getByLabel('Address').focus();
  await page.keyboard.type('https://teams.invalid/flows/1');
  await channel.getByRole('button', { name: 'Add and send a test' }).click();
  await expect(channel).toHaveCount(0);
  await expect(area.getByRole('checkbox', { name: /^Travel desk/ })).toBeChecked();
  await expect(
    area.getByText(/Travel desk.* told at once of certain high and critical, Mon to Fri 06:00–20:00;/),
  ).toBeVisible();
  await area.getByRole('button', { name: 'Save' }).click();
  await expect(area.getByText('Saved.')).toBeVisible();

  await area.getByRole('tab', { name: /^Share/ }).click();
  await area.getByRole('button', { name: 'New address' }).click();
  await area.getByRole('button', { name: /^iCalendar/ }).click();
  await expect(area.getByRole('heading', { name: 'iCalendar address made' })).toBeVisible();
  expect(await presses()).toBeLessThanOrEqual(AT_MOST);
  await expectAccessible(page, 'a new area, shared');

  // Anybody who has the address can read the calendar, until the address is ended.
  const address = (await area.locator('code', { hasText: /\/f\/.*\.ics$/ }).textContent())!;
  const read = () => page.evaluate((url) => fetch(url).then(({ status }) => status), address);
  expect(await read()).toBe(200);
  await area.getByRole('button', { name: 'End this address: iCalendar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End this address' }).click();
  await expect(area.getByText(address)).toHaveCount(0);
  expect(await read()).toBe(404);

  // Side by side with others it is called by its place.
  await page.getByText('Columns', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Leeds', exact: true })).toContainText('within 30 km');
  await page.getByText('List', { exact: true }).click();
});
