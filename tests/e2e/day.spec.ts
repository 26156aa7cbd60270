/** The day: a sheet from paste to list without a mouse, a phone on a bad network, and a brief on one page. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { londonDay } from '../../contract/london.ts';
import type { BriefPage } from '../../contract/messages/briefs.ts';
import type { JobList } from '../../contract/watches/jobs.ts';
import type { WatchList } from '../../contract/watches/watches.ts';
import { briefSheet, subjectOf } from '../../server/delivery/briefs/briefSheet.ts';
import { sampleDay } from '../../src/screens/today/sampleDay.ts';
import { expectAccessible } from '../support/accessible.ts';
import { expect, resize, test, withSession, workerReady } from '../support/browser.ts';

test.use({ server: 'day' });
test.describe.configure({ mode: 'serial', timeout: 180_000 }); // the second walk has the jobs of the first

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, role: string, name: RegExp) {
  const isThere = () =>
    page.evaluate(
      ([wanted, words]) => {
        const at = document.activeElement;
        const label = at?.getAttribute('aria-label') ?? (at as HTMLInputElement)?.labels?.[0]?.textContent;
        return (
          at?.matches(wanted!) === true && new RegExp(words!).test((label ?? at.textContent ?? '').trim())
        );
      },
      [role, name.source],
    );
  for (let step = 0; step < 90; step++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${role} ${name}`);
}

const DARK = { width: 390, height: 844 };
/** Light as it is, and dark on a phone. */
async function accessibleInBoth(page: Page, what: string) {
  await expectAccessible(page, `${what}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await resize(page, DARK);
  await expectAccessible(page, `${what}, dark, phone`);
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, { width: 1366, height: 768 });
}

const rows = (page: Page) => page.locator('[aria-label$="worst first"] > li');

test('a sheet is pasted, added, worked with and taken back without a mouse', async ({ page, service }) => {
  await withSession(page);
  await page.goto('/today');
  await expect(page.getByText('No jobs today.')).toBeVisible();
  await accessibleInBoth(page, 'today, empty');
  await tabTo(page, 'a', /^Import day sheet$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/today/import');

  await tabTo(page, 'textarea', /^Paste from your spreadsheet/);
  await page.keyboard.insertText(sampleDay(new Date()));
  await expect(page.getByText('41 rows, 8 columns.')).toBeVisible();
  await accessibleInBoth(page, 'import');
  await tabTo(page, 'button', /^See what was understood$/);
  await page.keyboard.press('Enter');
  const add = page.getByRole('button', { name: /^Add 41 jobs$/ });
  await expect(add).toBeEnabled({ timeout: 60_000 });
  await accessibleInBoth(page, 'import, understood');
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1]!);
  await tabTo(page, 'button', /^Add 41 jobs$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('41 jobs added')).toBeVisible();

  await expect(page.getByRole('heading', { name: /^Leaves soon/ })).toBeVisible();
  await expect(rows(page).first()).toBeVisible();
  await accessibleInBoth(page, 'today');
  // The next sheet is paste and one button, and the same sheet again changes nothing.
  await page.goto('/today/import');
  await page.getByRole('textbox', { name: /^Paste/ }).fill(sampleDay(new Date()));
  await page.getByRole('button', { name: 'See what was understood' }).click();
  await expect(page.getByText(/more trips, .*: as last time/)).toBeVisible({ timeout: 60_000 });
  await tabTo(page, 'button', /^Back$/);
  await page.keyboard.press('Escape');
  await page.goto('/today');

  // The keys of the list, of the form and of the search.
  await expect(rows(page).first()).toBeVisible();
  await rows(page).first().getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New job' });
  await expect(form).toBeVisible();
  await expectAccessible(page, 'new job', 'dialog');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.keyboard.press('/');
  await page.keyboard.insertText('PC-2404');
  await expect(rows(page)).toHaveCount(1);
  await tabTo(page, 'a', /^\d\d:\d\d /);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/today\/[\w-]+$/);

  await tabTo(page, 'button', /^Left \d\d:\d\d$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Left \d\d:\d\d$/ })).toBeVisible();
  await accessibleInBoth(page, 'a job');
  await expect
    .poll(async () => (await service.read<JobList>('jobs/')).jobs.filter(({ left_at }) => left_at).length)
    .toBe(0);
  await page.goto('/history');
  await expect(page.getByRole('region', { name: 'Jobs' })).toContainText(/of 41 jobs/);
  await expectAccessible(page, 'history with jobs');
});

test.describe('a phone', () => {
  test.use({ serviceWorkers: 'allow', viewport: DARK, hasTouch: true });

  test('on a slow network that loses answers says "Left" once, and keeps the day without any', async ({
    page,
    service,
  }) => {
    await withSession(page);
    await page.goto('/today');
    await workerReady(page);
    await page.reload(); // what is asked now goes through the worker
    const { jobs } = await service.read<JobList>('jobs/');
    const job = jobs.find(({ ref, left_at }) => ref === 'PC-2410' && left_at === null)!;
    const row = page.locator(`a[href$="${job.id}"]`);
    await row.click();
    const left = page.getByRole('button', { name: /^Left \d\d:\d\d$/ });

    service.proxy.set('cutReset', 'api'); // the server has it, and the answer is lost
    await left.click();
    await expect(page.getByText('Not sent yet')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /Left \d\d:\d\d/ })).toBeVisible();
    service.proxy.set('slow', 'api');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText('Not sent yet')).toBeHidden({ timeout: 90_000 });
    const said = (await service.read<JobList>('jobs/')).jobs.find(({ id }) => id === job.id)!;
    expect(said.left_at).not.toBeNull();
    expect(said.rev, 'once').toBe(job.rev + 1);

    service.proxy.set('refused');
    await page.goto('/today');
    await expect(page.getByText(/showing jobs from \d\d:\d\d/)).toBeVisible({ timeout: 60_000 });
    await expect(rows(page).first()).toBeVisible();
    await expectAccessible(page, 'today, offline, phone');
    service.proxy.set('pass');
  });
});

test('a brief is made by keyboard, sent, and one page of A4 with 120 incidents and 300 jobs', async ({
  page,
}) => {
  await withSession(page);
  await page.goto('/briefs');
  await tabTo(page, 'button', /^New brief$/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', /^Save$/);
  await page.keyboard.press('Enter');
  const send = page.getByRole('button', { name: 'Send one to me now' });
  await expect(send).toBeVisible();
  await accessibleInBoth(page, 'briefs');
  await tabTo(page, 'button', /^Send one to me now$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/briefs\/.+\/.+/);
  await expect(page.getByRole('heading', { level: 1, name: /of 41 jobs at risk/ })).toBeVisible();
  await expectAccessible(page, 'a brief');

  const full = fullSheet();
  await page.route('**/api/v1/briefs/*/*', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as BriefPage), ...full } });
  });
  await page.reload();
  await expect(page.getByText(/^and 288 more, first \d\d:\d\d$/)).toBeVisible();
  await expectAccessible(page, 'a full brief');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
});

/** What a brief says of 120 incidents, one of them on each of four ways, and 300 jobs there. */
function fullSheet() {
  const now = new Date();
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  const incidents = Array.from({ length: 120 }, (_, index) => ({
    event_id: `national-highways:${randomUUID()}`,
    source: 'national-highways',
    severity: ['critical', 'high', 'medium', 'low'][index % 4],
    event_type: 'road.closure',
    title: `M${index} northbound and southbound closed between the junctions for Leeds and Bradford, lorry`,
    start_time: index % 2 ? at(-30) : at(600),
    end_time: at(900),
    updated_at: at(-2),
    metadata: { phase: index % 2 ? 'active' : 'planned' },
    facts: null,
  }));
  const watches = Array.from({ length: 4 }, (_, way) => ({
    id: `w${way}`,
    kind: 'route',
    name: `Leeds Bradford Airport to London Heathrow Terminal ${way}`,
    length_km: 320,
    matches: incidents
      .filter((_, index) => index % 4 === way)
      .map(({ event_id }) => ({
        subject: 'disruption',
        subject_id: event_id,
        level: 'certain',
        why: '',
        from_km: 20,
        to_km: 40,
      })),
  }));
  const sources = Array.from({ length: 24 }, (_, index) => ({
    source: `a-source-with-a-long-name-${index}`,
    state: 'ok',
    freshness: index < 3 ? 'stale' : 'fresh',
    last_collected: at(-index),
  }));
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    id: `j${index}`,
    day: londonDay(now),
    watch_id: `w${index % 2 ? 1 : 3}`,
    trip: 'Leeds Bradford International Airport → London Heathrow Airport Terminal 5',
    leaves_at: at(index + 5),
    duration_min: 300,
    left_at: null,
    arrived_at: null,
    cancelled_at: null,
    deadline_at: null,
  }));
  const asked = { about: 'jobs', horizon: 'today', watch_ids: null } as const;
  const list = { watches, incidents, sources } as unknown as WatchList;
  const known = { asked, list, jobs: jobs as never, responses: [] };
  const before = briefSheet({ ...known, list: { ...list, incidents: [] }, before: undefined }, now);
  const sheet = briefSheet({ ...known, before: { ...before, from: at(-600) } }, now);
  return { sheet, subject: subjectOf(sheet, now, list.incidents) };
}
