import type { Page } from '@playwright/test';
import { alertNumber } from '../../contract/incidents/alertNumber.ts';
import { pageAddressOf } from '../../contract/addresses.ts';
import type { DisruptionPage } from '../../contract/incidents/disruptions.ts';
import type { z } from 'zod/mini';
import {
  boardShown,
  expect,
  openBoard,
  pauseClock,
  test,
  type Service,
  withSession,
  workerReady,
} from '../support/browser.ts';
import { expectAccessible } from '../support/accessible.ts';

type Listed = z.infer<typeof DisruptionPage>['events'][number];

const M62 = 'national-highways:replay-500217';

const listed = async (service: Service): Promise<Listed[]> =>
  (await service.read<z.infer<typeof DisruptionPage>>('disruptions/?limit=200')).events;

const closure = async (service: Service): Promise<Listed> =>
  (await listed(service)).find(
    ({ facts, severity }) => severity === 'critical' && facts?.roads.includes('M62'),
  )!;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('says where, what, since when, who says so and how it went, gives texts to copy, and has a number', async ({
  page,
  context,
  service,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const alert = await closure(service);
  await page.clock.install();
  await withSession(page);
  await page.goto(pageAddressOf('alertNumber', 'nothing'));
  await expect(page.getByText('The number of an alert has five digits.')).toBeVisible();
  await page.goto(pageAddressOf('alert', M62.replace('500217', 'gone')));
  await expect(page.getByText('This alert is not here.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'All alerts' })).toBeVisible();

  await page.goto(pageAddressOf('alertNumber', alertNumber(alert.event_id)));
  await expect(heading(page)).toHaveText(alert.facts!.place!);
  await expect(page).toHaveURL(pageAddressOf('alert', alert.event_id));
  await expect(page.getByText(`${alertNumber(alert.event_id)}, at `)).toBeVisible();
  const article = page.getByRole('article');
  await expect(article).toContainText('Critical');
  await expect(article).toContainText('National Highways');
  await expect(page.getByRole('link', { name: 'Open Government Licence v3.0' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'How it went' })).toBeVisible();
  await page.getByText("The publisher's words").click();
  await expect(page.getByText(alert.title, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/ km of road$/)).toBeVisible();
  await expectAccessible(page, 'alert');

  // A button says for two seconds that it has copied.
  await pauseClock(page);
  for (const [name, most] of [
    ['Copy for driver', 160],
    ['Copy for customer', 400],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    expect(text).toMatch(/M62.*closed/);
    expect(text.length).toBeLessThanOrEqual(most);
    await page.clock.runFor(2000);
    await expect(page.getByText('Copied', { exact: true })).toHaveCount(0);
  }
  await page.clock.resume();

  await page.getByRole('link', { name: 'Open in Map View' }).click();
  await expect(page.getByRole('dialog', { name: 'Selected disruption' })).toContainText(alert.facts!.place!);
  await expect(page).toHaveURL(/[?&]alert=/);
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('an opened alert is kept whole, others as the board has them, and the list filters what is kept', async ({
    page,
    service,
  }) => {
    const alert = await closure(service);
    const other = (await listed(service)).find(
      ({ event_id, severity }) => severity === 'critical' && event_id !== alert.event_id,
    )!;
    await openBoard(page);
    await workerReady(page);
    await page.reload();
    await boardShown(page);
    await page.goto('/disruptions/list');
    await expect(page.getByRole('list', { name: 'Alerts' }).getByRole('listitem').first()).toBeVisible();
    const all = await page.getByRole('list', { name: 'Alerts' }).getByRole('listitem').count();
    await page.goto(pageAddressOf('alert', alert.event_id));
    await expect(page.getByRole('heading', { name: 'How it went' })).toBeVisible();

    service.proxy.set('refused');
    await page.reload();
    await expect(heading(page)).toHaveText(alert.facts!.place!);
    await expect(page.getByRole('heading', { name: 'How it went' })).toBeVisible();
    await expect(page.getByText(/Unable to refresh this alert/)).toBeVisible();

    await page.goto(pageAddressOf('alertNumber', alertNumber(other.event_id)));
    await expect(page.getByRole('button', { name: 'Copy for driver' })).toBeVisible();
    await expect(page.getByRole('article')).toContainText('Critical');
    await expect(page.getByText(/Unable to refresh this alert/)).toBeVisible();

    await page.goto('/disruptions/list');
    const rows = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await expect(rows).toHaveCount(all);
    await expect(page.getByText(/Unable to refresh the list/)).toBeVisible();
    await page.getByLabel('Feed').selectOption({ label: 'Rail Network' });
    await expect(page).toHaveURL('/disruptions/list?feed=rail-network');
    await expect.poll(() => rows.count()).toBeLessThan(all);
    for (const text of await rows.allTextContents()) expect(text).toMatch(/Rail/);
  });
});
