/** Pages on A4: nothing to press, the age of the data, the filter, and all alerts with their grade in shape and word. */
import { expect, signIn, test } from '../support/browser.ts';

/** A4 without its margins, at 96 dots an inch. */
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
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground, colorScheme).toBe('rgb(255, 255, 255)');
    }
  }

  async function expectPaper() {
    await expect(page.getByText(/^Data of \d{1,2} \w{3} \d{4}, \d\d:\d\d$/)).toBeVisible();
    for (const role of ['button', 'combobox', 'textbox', 'searchbox', 'radio'] as const) {
      // A line of the strip that says what lies between is words on paper.
      const controls = page.getByRole(role).filter({ hasNotText: /\d km: / });
      for (const control of await controls.all()) await expect(control).toBeHidden();
    }
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(needed).toBeLessThanOrEqual(given!);
  }
});
