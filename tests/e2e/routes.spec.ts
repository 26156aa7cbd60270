import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, pauseClock, test, withSession, workerReady } from '../support/browser.ts';

test.use({ serviceWorkers: 'allow', hearsWorker: true });

type Leg = readonly [name: string, road: string, from: string, to: string, sense: 1 | -1];

/** Routes of the coaches. The first six run where the replay's second scene has incidents in force. The others begin
 *  away from Westminster, where a demonstration is planned for tomorrow: late in the evening that is soon. */
const COACHES: readonly Leg[] = [
  ['Manchester to Leeds', 'M62', 'J18', 'J29', 1],
  ['Leeds to Manchester', 'M62', 'J29', 'J18', -1],
  ['Carlisle to Glasgow', 'M74', 'J22', 'J7', -1],
  ['Newport to Cardiff', 'M4', 'J24', 'J29', 1],
  ['Glasgow airport', 'M8', 'J26', 'J15', -1],
  ['Gatwick to Heathrow', 'M25', 'J7', 'J15', 1],
  ['Watford to Luton', 'M1', 'J5', 'J10', 1],
  ['Luton to Watford', 'M1', 'J10', 'J5', -1],
  ['London to Oxford', 'M40', 'J1', 'J8', 1],
  ['London to Cambridge', 'M11', 'J4', 'J12', 1],
  ['Southampton to London', 'M3', 'J14', 'J2', -1],
  ['Exeter to Bristol', 'M5', 'J30', 'J17', -1],
  ['London to Brighton', 'M23', 'J7', 'J11', 1],
  ['Ashford to Maidstone', 'M20', 'J10', 'J7', -1],
];
const AFFECTED = COACHES.slice(0, 6).map(([name]) => name);

/** Routes about which National Highways says nothing. */
const IN_SCOTLAND = COACHES.filter(([, road]) => ['M74', 'M8'].includes(road)).length;

const MINUTE_MS = 60_000;

const rows = (page: Page) =>
  page.getByRole('navigation', { name: 'Routes, areas and whole feeds, worst first' }).getByRole('listitem');
const clear = (page: Page) => rows(page).filter({ hasText: 'Clear now, as far as we know' });
const affected = (page: Page) => rows(page).filter({ hasText: /\d certain/ });

/** Three or more clear routes share one line. It is already unfolded if the route of the pane is one of them. */
async function unfold(page: Page) {
  const line = page.getByRole('button', { name: /^Clear \d+ as far as we know$/ });
  if ((await line.getAttribute('aria-expanded')) === 'false') await line.click();
  await expect(line).toHaveAttribute('aria-expanded', 'true');
}

const SOON = { timeout: 1000 };

/** Waits for the refreshes of some minutes. */
const refreshed = (page: Page, shown: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward(MINUTE_MS);
    await shown();
  }).toPass({ timeout: 30_000 });

async function addCoaches(page: Page) {
  const made = await page.evaluate(
    (coaches) =>
      Promise.all(
        coaches.map(async ([name, road, from, to, sense]) => {
          const { status } = await fetch('/api/v1/watches/', {
            method: 'POST',
            headers: {
              authorization: `Bearer ${localStorage.getItem('access_token')}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({
              kind: 'route',
              name,
              made_by: 'junctions',
              legs: [{ type: 'road', road, from, to, sense }],
            }),
          });
          return status;
        }),
      ),
    COACHES,
  );
  expect(made).toEqual(COACHES.map(() => 201));
}

test('says which of fourteen coaches are affected, and never calls an unknown route clear', async ({
  page,
  context,
  service,
}) => {
  await page.clock.install();
  await withSession(page, await service.newPerson());
  await page.goto('/routes');
  await expect(page.getByText('Nothing is watched yet. Begin with the place you answer for.')).toBeVisible();
  await expectAccessible(page, 'routes, none yet');
  await workerReady(page);

  await addCoaches(page);
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(MINUTE_MS); // the next refresh
        return affected(page).count();
      },
      { timeout: 30_000 },
    )
    .toBe(AFFECTED.length);
  const names = await affected(page).locator('b').allTextContents();
  expect(names.toSorted()).toEqual(AFFECTED.toSorted());
  await unfold(page);
  await expect(clear(page)).toHaveCount(COACHES.length - AFFECTED.length);
  await page.getByLabel('Show').selectOption('Affected now');
  await expect(rows(page)).toHaveCount(AFFECTED.length);
  await page.getByLabel('Show').selectOption('All');

  // The board says it in one line.
  await page.goto('/disruptions');
  const mine = page.getByRole('region', { name: 'My routes' });
  await expect(mine.getByRole('link', { name: 'Manchester to Leeds' })).toBeVisible();
  await expect(mine).toContainText('Carlisle to Glasgow');
  await expect(mine).toContainText('Ashford to Maidstone and 7 more clear now');
  await mine.getByRole('link', { name: 'My routes' }).click();
  await unfold(page);
  await expect(rows(page)).toHaveCount(COACHES.length);

  // A source that covers all of them falls silent: one poll later no route is clear.
  const list = '/api/v1/watches/';
  const heard = /("source":"national-highways"[^}]*"freshness":)"fresh"/;
  service.proxy.replace(list, (text) => text.replace(heard, '$1"late"'));
  await refreshed(page, () =>
    expect(rows(page).filter({ hasText: 'Late: National Highways' })).not.toHaveCount(0, SOON),
  );
  await expect(clear(page)).toHaveCount(0);
  service.proxy.replace(list, (text) => text.replace(heard, '$1"stale"'));
  const silent = rows(page).filter({
    hasText: /Do not rely on this: no information from .*National Highways.* since \d\d:\d\d/,
  });
  await refreshed(page, () => expect(silent).toHaveCount(COACHES.length - IN_SCOTLAND, SOON));
  await expect(affected(page)).toHaveCount(AFFECTED.length); // certain trouble is not hidden
  await expect(clear(page)).toHaveCount(0);
  service.proxy.replaceNothing();
  await refreshed(page, () => expect(clear(page)).toHaveCount(COACHES.length - AFFECTED.length, SOON));

  // The reason, by keyboard.
  await page.keyboard.press('/');
  await page.keyboard.type('Manchester to L');
  await page.keyboard.press('Escape');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/routes\/[\w-]+$/);
  const detail = page.getByRole('region', { name: 'Manchester to Leeds' });
  const lorry = detail.getByRole('listitem').filter({ hasText: 'M62 J26–J27 eastbound' });
  await lorry.getByRole('button', { name: 'Why?' }).focus();
  await page.keyboard.press('w');
  await expect(lorry).toContainText('Certain: National Highways names the M62, J26 to J27, eastbound.');
  await expect(lorry).toContainText('This route uses the M62 from J18 to J29 eastbound.');
  await expectAccessible(page, 'routes, one explained');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').clear();

  // The tablet loses the network.
  await context.setOffline(true);
  await expect(page.getByText(/Offline: showing routes and areas from \d\d:\d\d/)).toBeVisible();
  await expect(
    page.getByText('You are offline. Routes can be changed when the connection is back.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'New route' })).toBeDisabled();
  // Kept answers wait for no timer.
  await pauseClock(page);
  await page.reload();
  await expect(affected(page)).toHaveCount(AFFECTED.length);
  await expect(page.getByText(/Offline: showing routes and areas from \d\d:\d\d/)).toBeVisible();
  await page.clock.resume();
  await expect(detail).toContainText('M62 J26–J27 eastbound');
  await page.clock.fastForward(3 * MINUTE_MS);
  await expect(clear(page)).toHaveCount(0);
  await expect(rows(page).filter({ hasText: 'Do not rely on this' })).toHaveCount(COACHES.length);
  await expect(detail.getByText('nothing known')).toHaveCount(0);
  await expectAccessible(page, 'routes, offline');

  await context.setOffline(false);
  // The kept answer is shown when the first answer takes too long; the next refresh is then a minute away on the
  // page's clock.
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(10_000);
        return page.getByText(/Offline: showing/).count();
      },
      { intervals: [1000], timeout: 30_000 },
    )
    .toBe(0);
  await unfold(page);
  await expect(clear(page)).toHaveCount(COACHES.length - AFFECTED.length);
});

/** Suggestions of the form: the list's own filters have options too. */
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

/** Junctions of the M40, from Denham to Oxford. */
const M40_WAY: [longitude: number, latitude: number][] = [
  [-0.503, 51.559],
  [-0.521, 51.56],
  [-0.622, 51.596],
  [-0.692, 51.597],
  [-0.768, 51.616],
  [-0.91, 51.66],
  [-0.96, 51.67],
  [-1.055, 51.724],
  [-1.08, 51.73],
];

test.describe('how a route is made', () => {
  test.use({ serviceWorkers: 'block' });

  test('a route is made by junctions with the keyboard alone; one from a file; the first press on Next counts', async ({
    page,
    service,
  }) => {
    await withSession(page, await service.newPerson());
    await page.goto('/routes');
    await expect(page.getByRole('button', { name: 'New route' }).first()).toBeEnabled();

    await page.keyboard.press('n');
    const field = page.getByLabel('Places and junctions, in order');
    await expect(field).toBeFocused();
    await page.keyboard.type('M40 J1, M40 J');
    await expect(suggestions(page).first()).toBeVisible();
    await page.keyboard.type('9');
    await expect(page.getByRole('button', { name: 'Next' })).toBeEnabled();
    await expectAccessible(page, 'a new route');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByLabel('Name')).toBeFocused();
    await expectAccessible(page, 'a new route, reviewed');
    await page.keyboard.press('Enter');

    await expect(page).toHaveURL(/\/routes\/[\w-]+$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Delete this route' }).click();
    const question = page.getByRole('alertdialog');
    await expectAccessible(page, 'a route that is to be deleted');
    await question.getByRole('button', { name: 'Delete this route' }).click();
    await expect(page).toHaveURL('/routes');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page).toHaveURL(/\/routes\/[\w-]+$/);

    const line = { type: 'LineString', coordinates: M40_WAY };
    const each = (write: (longitude: number, latitude: number, at: number) => string) =>
      M40_WAY.map(([longitude, latitude], at) => write(longitude, latitude, at)).join('\n');
    const gpx = each((lon, lat) => `<trkpt lat="${lat}" lon="${lon}"/>`);
    const kml = each((lon, lat) => `${lon},${lat},0`);
    const out = each((lon, lat, at) => `out,${lat},${lon},${at}`);
    const back = each((lon, lat, at) => `back,${lat},${lon},${M40_WAY.length - at}`);
    const files = {
      'm40.gpx': `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${gpx}</trkseg></trk></gpx>`,
      'm40.kml': `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><LineString><coordinates>${kml}
      </coordinates></LineString></Placemark></kml>`,
      'm40.geojson': JSON.stringify(line),
      'shapes.txt': `shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n${out}\n${back}`,
    };
    await page.goto('/routes');
    await page.getByRole('button', { name: 'New route' }).first().click();
    await page.getByRole('tab', { name: 'From a file' }).click();
    const next = page.getByRole('button', { name: 'Next' });
    const choose = (name: string, text: string) =>
      page
        .getByLabel('A GPX, KML or GeoJSON file, or the shapes.txt of a GTFS feed')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

    await choose('broken.gpx', '<gpx><trk>');
    await expect(page.getByText('This file holds no track or line that we can read.')).toBeVisible();
    await choose('rome.geojson', '{"type":"LineString","coordinates":[[12.4,41.9],[12.5,41.8]]}');
    await expect(page.getByText('This line lies outside the United Kingdom and Ireland.')).toBeVisible();
    await expect(next).toBeDisabled();
    for (const [name, text] of Object.entries(files)) {
      await choose(name, text);
      await expect(page.getByText('We think this runs on M40 J1–J8 west'), name).toBeVisible();
      await expect(next).toBeEnabled();
    }
    await expect(page.getByRole('list', { name: 'Problems' })).toHaveCount(0);
    await page.getByLabel('Which line?').selectOption('Shape back');
    await expect(page.getByText('We think this runs on M40 J8–J1 east')).toBeVisible();
    await expectAccessible(page, 'a new route from a file');
    await next.click();
    await expect(page.getByLabel('Name')).toHaveValue('Shape back');
    await page.getByRole('button', { name: 'Save route' }).click();
    await expect(page.getByRole('region', { name: 'Shape back' })).toContainText('M40');

    await page.goto('/dashboard');
    await page.goto('/routes');
    await page.getByRole('button', { name: 'New route' }).first().click();
    await field.fill('M40 J1, M40 J9');
    await expect(next).toBeEnabled();
    await field.press('End');
    await page.keyboard.type(', Bices');
    await expect(suggestions(page).first()).toBeVisible();
    await page.keyboard.type('ter');
    await expect(suggestions(page).first()).toBeVisible();
    await expect(next).toBeEnabled();
    const { x, y, width, height } = (await next.boundingBox())!;
    // A finger presses the button where it is now, not where it will be.
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect(page.getByLabel('Name')).toHaveValue(/Bicester/);

    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).toHaveURL('/routes');
    // It is as before, even after the page is loaded again.
    await page.reload();
    await page.getByRole('button', { name: 'New route' }).first().click();
    await expect(page.getByLabel('Name')).toHaveValue(/Bicester/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL('/dashboard');
  });

  test('a route is drawn on the map, changed again, and an area by its outline', async ({
    page,
    service,
  }) => {
    await withSession(page, await service.newPerson());
    await page.goto('/routes');
    await page.getByRole('button', { name: 'New route' }).first().click();
    await page.getByRole('tab', { name: 'Draw' }).click();
    /** The bare mouse is used: where software draws, waiting until nothing moves takes seconds. */
    const tap = async (name: string, ...places: [x: number, y: number][]) => {
      const map = page.getByRole('region', { name });
      await expect(map).toBeVisible();
      const box = (await map.boundingBox())!;
      for (const [x, y] of places) await page.mouse.click(box.x + x, box.y + y);
    };
    await tap('Map to draw the route on', [400, 190], [405, 215], [410, 240]);
    await expect(page.getByText(/^3 points, \d+\.\d km$/)).toBeVisible();
    await page.getByLabel(/^Point 1 to 2/).fill('a1');
    await page.getByRole('button', { name: 'Point 2 of 3' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('button', { name: 'Point 2 of 3' })).toBeFocused();
    await expectAccessible(page, 'a new route, drawn');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Name').fill('By hand');
    await page.getByRole('button', { name: 'Save route' }).click();
    const detail = page.getByRole('region', { name: 'By hand' });
    await detail.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('tab', { name: 'Draw' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByLabel(/^Point 1 to 2/)).toHaveValue('A1');
    await page.getByRole('button', { name: 'Point 3 of 3' }).focus();
    await page.keyboard.press('Delete');
    await expect(page.getByText(/^2 points, /)).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'New area' }).first().click();
    await page.getByText('An outline').click();
    await tap('Map to draw the area on', [380, 150], [430, 230], [430, 150], [380, 230]);
    await page.getByLabel('Name').fill('The north');
    // These words replace the number of incidents, and say again why the area is not saved.
    const crossing = 'The outline crosses itself between points 1 and 3.';
    await expect(page.getByRole('status').filter({ hasText: crossing })).toBeVisible();
    await page.getByRole('button', { name: 'Save area' }).click();
    await expect(page.getByRole('alert').getByText(crossing)).toBeVisible();
    await page.getByRole('button', { name: 'Point 4 of 4' }).focus();
    await page.keyboard.press('Delete');
    await expect(page.getByText('3 corners')).toBeVisible();
    await page.getByRole('button', { name: 'Save area' }).click();
    const saved = page.getByRole('region', { name: 'The north' });
    await expect(saved).toBeVisible();
    await saved.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByText('3 corners')).toBeVisible();
    await expect(page.getByLabel('Within')).toHaveCount(0);
  });
});
