import { expectAccessible } from '../support/accessible.ts';
import { expect, signIn, test } from '../support/browser.ts';

const INCIDENTS = 120;

test('a shift with 120 incidents is three pages, and no row is cut', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/v1/handover/**', async (route) => {
    const reply = await route.fetch();
    const sheet = (await reply.json()) as { on_routes: unknown[] };
    sheet.on_routes = Array.from({ length: INCIDENTS }, (_, index) => ({
      route: { id: 'r', name: `Leeds to Hull ${index}` },
      level: 'certain',
      incident: {
        event_id: `national-highways:${index}`,
        source: 'national-highways',
        severity: 'high',
        title: `M62 eastbound, J${index}: closed, lorry`,
        start_time: null,
      },
      since: '2026-11-21T06:00:00.000Z',
      by: { id: 'rosa', name: 'Rosa Jones' },
      disposition: 'diverted',
      last_note: null,
    }));
    sheet.on_routes[0] = { ...(sheet.on_routes[0] as object), last_note: 'x'.repeat(200) };
    await route.fulfill({ response: reply, json: sheet });
  });
  await page.goto('/handover?from=06:00&to=14:00');
  await expect(page.getByRole('heading', { level: 1, name: 'Handover 06:00–14:00' })).toBeVisible();
  await expect(page.getByText(`Leeds to Hull ${INCIDENTS - 1}`, { exact: true })).toBeAttached();
  await expectAccessible(page, 'handover');

  // A word without a space does not widen the paper.
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1]!);

  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(3);
  await page.emulateMedia({ media: 'print' });
  const rows = page.getByRole('row');
  const breaks = await rows.evaluateAll((found) => found.map((row) => getComputedStyle(row).breakInside));
  expect(new Set(breaks)).toEqual(new Set(['avoid']));
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Take over' })).toBeHidden();
});
