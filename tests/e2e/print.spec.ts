/** Pages on A4: nothing to press, the age of the data, the filter, and all alerts with their grade as shape and
 *  word. */
import type { Locator } from '@playwright/test';
import type { DisruptionPage } from '../../contract/incidents/disruptions.ts';
import type { WatchList } from '../../contract/watches/watches.ts';
import { pageAddressOf } from '../../contract/addresses.ts';
import type { z } from 'zod/mini';
import { briefSheet, subjectOf } from '../../server/delivery/briefs/briefSheet.ts';
import { titleForms } from '../../contract/incidents/titleForms.ts';
import { KNOWN_SOURCES } from '../../contract/feeds/knownSources.ts';
import { expect, signIn, test, withSession } from '../support/browser.ts';

/** The size of A4 without its margins, at 96 dots an inch. */
const PAPER = { width: 703, height: 1032 };

test('board, list, route and area print on A4, white in either theme', async ({ page }) => {
  await signIn(page);
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });

  await page.goto('/disruptions');
  const feed = page.getByRole('article').first();
  await expect(feed).toBeVisible();
  await expect(page.getByText(/^Clearway · Live Disruptions Board$/)).toBeVisible();
  await expectPaper();
  const alerts = page.getByRole('article').getByRole('list', { name: 'All alerts' }).getByRole('listitem');
  expect(await alerts.count()).toBeGreaterThan(5);
  for (const alert of await alerts.all()) {
    await expect(alert).toBeVisible();
    await expect(alert).toHaveText(/(?:Critical|High|Medium|Low|Unrated)/);
    await expect(alert.locator('> svg')).toBeVisible();
  }

  await page.goto('/disruptions/list?feed=roads-uk&severity=high');
  await expect(page.getByText(/^Active, UK Roads, high$/)).toBeVisible();
  await expectPaper();
  const word = page.getByRole('list', { name: 'Alerts' }).getByText('High', { exact: true }).first();
  const { width } = (await word.boundingBox())!;
  expect(await word.evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(Math.ceil(width));
  expect(width).toBeGreaterThan(30);

  // White words on a plate would be lost on paper without it.
  await page.goto('/disruptions');
  const plate = page.getByRole('navigation', { name: 'All feeds' }).getByText(/Critical$/);
  await expect(plate.first()).toBeVisible();
  const kept = (one: Element) => getComputedStyle(one).printColorAdjust;
  expect(await plate.first().evaluate(kept)).toBe('exact');

  await page.goto('/routes');
  await expect(page.getByText(/^Clearway · /)).toBeVisible();
  await expectPaper();

  const made = await page.evaluate(async () => {
    const departure = { name: null, days: 127, from_date: null, to_date: null, except: [], duration_min: 60 };
    const post = async (body: object) => {
      const answer = await fetch('/api/v1/watches/', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${localStorage.getItem('access_token')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { id: string }).id;
    };
    return [
      await post({
        kind: 'route',
        name: 'Manchester to Leeds',
        made_by: 'junctions',
        legs: [{ type: 'road', road: 'M62', from: 'J18', to: 'J29', sense: 1 }],
        departures: ['06:10', '23:50'].map((at_local) => ({ ...departure, at_local })),
      }),
      await post({
        kind: 'area',
        made_by: 'circle',
        geometry: { type: 'Point', coordinates: [-1.55, 53.8] },
        reach_m: 30_000,
      }),
    ];
  });
  for (const id of made) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ media: 'print', reducedMotion: 'reduce', colorScheme });
      await page.goto(`/routes/${id}`);
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expect(page.getByText('Loading...')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Routes and areas' })).toBeHidden();
      await expectPaper();
      await expectOneEdge(page.getByRole('heading', { level: 2 }).first());
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground, colorScheme).toBe('rgb(255, 255, 255)');
    }
  }

  // On paper there is nothing beside the list.
  for (const size of [PAPER, { width: PAPER.height, height: PAPER.width }]) {
    await page.setViewportSize(size);
    await page.goto('/routes');
    await expect(page.getByText('Clearway · Routes and areas')).toBeVisible();
    await expect(page.getByRole('link', { name: /Manchester to Leeds/ }).first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'Manchester to Leeds' })).toBeHidden();
    await expectPaper();
    await expectOneEdge(page.getByRole('link', { name: /Manchester to Leeds/ }).first());
  }

  /** The printed head begins at the same edge as the content. */
  async function expectOneEdge(content: Locator) {
    const [head, text] = [page.getByText(/^Clearway · /), content];
    expect((await head.boundingBox())!.x).toBe((await text.boundingBox())!.x);
  }

  async function expectPaper() {
    await expect(page.getByText(/^Data of \d{1,2} \w{3} \d{4}, \d\d:\d\d$/)).toBeVisible();
    for (const role of ['button', 'combobox', 'textbox', 'searchbox', 'radio'] as const) {
      // On paper a gap in the strip says in words what lies between.
      const controls = page.getByRole(role).filter({ hasNotText: /\d km: / });
      for (const control of await controls.all()) await expect(control).toBeHidden();
    }
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(needed).toBeLessThanOrEqual(given!);
  }
});

test('the fullest brief, with 120 incidents and 300 jobs, is one readable A4 page', async ({
  page,
  service,
}) => {
  const { events } = await service.read<z.infer<typeof DisruptionPage>>('disruptions/?limit=200');
  const at = new Date('2026-11-24T06:00:00.000Z');
  // Real titles, the longest first, each of them many times.
  const lengthOf = ({ facts, title }: (typeof events)[number]) => titleForms(facts, title)[0]?.length ?? 0;
  const titles = events.toSorted((one, other) => lengthOf(other) - lengthOf(one)).slice(0, 40);
  const incidents = Array.from({ length: 120 }, (_, index) => ({
    ...titles[index % titles.length]!,
    event_id: `national-highways:${index}`,
    severity: 'critical' as const,
    start_time: index < 60 ? '2026-11-24T05:31:00.000Z' : '2026-11-24T07:30:00.000Z',
    end_time: '2026-11-26T05:31:00.000Z',
    metadata: { phase: index < 60 ? ('active' as const) : ('planned' as const) },
  }));
  const watches = Array.from({ length: 24 }, (_, route) => ({
    id: `w${route}`,
    name: 'Huddersfield Bus Station to Heathrow T5, by the M1 and the M25',
    length_km: 330,
    sources: ['national-highways'],
    checking: false,
    matches: incidents
      .filter((_one, index) => index % 24 === route)
      .map(({ event_id }) => ({ subject_id: event_id, level: 'certain', from_km: 23, to_km: 30 })),
  }));
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    id: `j${index}`,
    day: '2026-11-24',
    leaves_at: new Date(at.getTime() + (10 + index) * 60_000).toISOString(),
    duration_min: 260,
    watch_id: index % 10 === 9 ? null : `w${index % 24}`,
    trip: 'Huddersfield Bus Station Stand 4 → London Heathrow Terminal 5 Departures',
    deadline_at: new Date(at.getTime() + (200 + index) * 60_000).toISOString(),
    left_at: null,
    arrived_at: null,
    cancelled_at: null,
  }));
  const list = {
    watches,
    incidents,
    sources: Object.keys(KNOWN_SOURCES).map((source, index) => ({
      source,
      state: 'ok',
      freshness: index === 0 ? 'fresh' : 'stale',
      last_collected: '2026-11-24T05:12:00.000Z',
    })),
  } as unknown as WatchList;
  const asked = { about: 'jobs', horizon: 'week', watch_ids: null } as const;
  const responses = incidents.map(({ event_id }) => ({
    event_id,
    disposition: 'dealing_with_it',
    at: '2026-11-24T05:40:00.000Z',
    lapsed: null,
  }));
  const known = { asked, list, jobs: jobs as never[], responses: responses as never[] };
  const before = briefSheet(
    { ...known, list: { ...list, incidents: incidents.slice(100) }, before: undefined },
    at,
  );
  const sheet = briefSheet({ ...known, before: { ...before, from: '2026-11-23T06:00:00.000Z' } }, at);
  expect([sheet.worst, sheet.at_risk, sheet.changed, sheet.planned].map(({ length }) => length)).toEqual([
    3, 12, 5, 5,
  ]);

  await withSession(page);
  for (const [rows, points] of [
    [12, 8],
    [5, 9.5],
  ] as const) {
    const shown = { ...sheet, at_risk: sheet.at_risk.slice(0, rows) };
    await page.route('**/api/v1/briefs/full/**', (route) =>
      route.fulfill({
        json: {
          id: 'full',
          name: 'Morning brief of the control room in Huddersfield',
          team: 'Pennine Coaches of Leeds, Bradford and Huddersfield',
          at: at.toISOString(),
          made_at: new Date(at.getTime() + 24 * 60_000).toISOString(),
          subject: subjectOf(sheet, at, incidents),
          sheet: shown,
        },
      }),
    );
    await page.goto(pageAddressOf('brief', `full/${at.toISOString()}`));
    await expect(page.getByText(sheet.more!)).toBeVisible();
    const path = test.info().outputPath(`brief-${rows}.pdf`);
    const pdf = (await page.pdf({ preferCSSPageSize: true, path })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g), `${rows} jobs`).toHaveLength(1);
    await page.emulateMedia({ media: 'print' });
    const sizes = await page.getByRole('article').evaluate((article) =>
      [...article.querySelectorAll('*')]
        .filter((one) =>
          [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
        )
        .filter((one) => one.checkVisibility())
        .map((one) => Math.round(parseFloat(getComputedStyle(one).fontSize) * 75) / 100),
    );
    expect(Math.min(...sizes), 'points of the smallest letters').toBeGreaterThanOrEqual(points);
    await page.emulateMedia({ media: null });
  }
});
