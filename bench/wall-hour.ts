/**
 * `npm run build && npm run bench -- wall-hour [minutes]`: one paired display in Chromium with its worker, in real
 * time, with a layout of every page type. Each minute it prints what is shown, the heap after garbage collection, and
 * the requests. Meanwhile there are messages, a line that is cut, another layout, a server that is killed, a display
 * that loses its power, and a later build.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { londonDay } from '#contract/london.ts';
import { buildOf, deploy } from '../tests/support/deploy.ts';
import { startRealWall } from './wall/realWall.ts';

const MINUTES = Number(process.argv[3] ?? 60);
const MINUTE_MS = 60_000;
const LOOK_MS = 500;
/** A folder for a picture of each minute. Without it no pictures are made. */
const PICTURES = process.env['PICTURES'];
const ROUTES = [
  ['Manchester to Leeds', 'M62', 'J18', 'J29', 1],
  ['Carlisle to Glasgow', 'M74', 'J22', 'J7', -1],
  ['Newport to Cardiff', 'M4', 'J24', 'J29', 1],
  ['Gatwick to Heathrow', 'M25', 'J7', 'J15', 1],
  ['London to Oxford', 'M40', 'J1', 'J8', 1],
  ['Exeter to Bristol', 'M5', 'J30', 'J17', -1],
] as const;
const PAGES = ['board', 'routes', 'route', 'jobs', 'changes', 'map'].map((type) => ({ type, dwell_s: 20 }));

const wall = await startRealWall({ stepSeconds: 600 });
const { server, proxy, call } = wall;
const began = Date.now();

const said = (...words: unknown[]) =>
  console.log(`${((Date.now() - began) / MINUTE_MS).toFixed(1).padStart(5)}`, ...words);

/** The seconds until the wall shows these words, or no longer does. */
async function until(what: string, words: string, isShown = true): Promise<void> {
  const from = Date.now();
  while ((await wall.page().getByText(words).count()) > 0 !== isShown) {
    if (Date.now() - from > 3 * MINUTE_MS) return said(`FAILED, not within three minutes: ${what}`);
    await pause(LOOK_MS);
  }
  said(`${what}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
}

/** The seconds until the server knows that the display shows it. */
async function taken(what: string): Promise<void> {
  const from = Date.now();
  const { rev } = await wall.own();
  while ((await wall.own()).taken_rev !== rev) {
    if (Date.now() - from > 4 * MINUTE_MS) return said(`FAILED, not taken within four minutes: ${what}`);
    await pause(LOOK_MS);
  }
  said(`${what} is taken: ${((Date.now() - from) / 1000).toFixed(1)} s`);
}

const message = (text: string, minutes: number, cover: 'screen' | 'band', look: string) =>
  call<{ id: string }>('POST', 'displays/messages', {
    to: { all: true },
    text,
    look,
    cover,
    until: new Date(Date.now() + minutes * MINUTE_MS).toISOString(),
  });

// Its routes and its jobs.
const watch_ids: string[] = [];
for (const [name, road, from, to, sense] of ROUTES) {
  const made = await call<{ id: string }>('POST', 'watches', {
    kind: 'route',
    name,
    made_by: 'junctions',
    legs: [{ type: 'road', road, from, to, sense }],
  });
  watch_ids.push(made.id);
}
await call('PUT', `displays/${wall.id}/routes`, { watch_ids });
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' });
for (let place = 0; place < 16; place += 1)
  await call('POST', 'jobs', {
    day: londonDay(new Date()),
    leaves_local: clock.format(Date.now() + (place - 3) * 10 * MINUTE_MS),
    duration_min: 90,
    watch_id: place % 7 === 6 ? null : watch_ids[place % watch_ids.length],
    trip: `${ROUTES[place % ROUTES.length]![0].replace(' to ', ' → ')} ${place}`,
  });
const turning = await call<{ id: string }>('POST', 'displays/layouts', {
  name: 'Every page',
  pages: PAGES,
  pin_criticals: false,
});
const pinning = await call<{ id: string }>('POST', 'displays/layouts', {
  name: 'Every page, pinned',
  pages: PAGES,
  pin_criticals: true,
});
await wall.give(turning.id);
await taken('The layout');

/** Events by the minute in which they happen. */
const events: Record<number, () => Promise<void>> = {
  5: async () => {
    await message('Pump 2 is out of order.', 3, 'band', 'medium');
    await until('A band is there', 'Pump 2 is out of order');
    await until('It is gone at its time', 'Pump 2 is out of order', false);
  },
  12: async () => {
    await message('Fire alarm test at ten. Stay where you are.', 3, 'screen', 'high');
    await until('A take-over is there', 'Fire alarm test at ten');
    proxy.set('refused');
    said('The line is cut');
    await until('It is gone at its time, without a line', 'Fire alarm test at ten', false);
    await pause(3 * MINUTE_MS);
    proxy.set('pass');
    said('The line is back');
    await until('“No connection.” is gone', 'No connection.', false);
  },
  22: async () => {
    const { id } = await message('Evacuate the north yard now.', 60, 'screen', 'critical');
    await until('A critical take-over is there', 'Evacuate the north yard');
    await call('DELETE', `displays/messages/${id}`);
    await until('Withdrawn, it is gone', 'Evacuate the north yard', false);
  },
  27: async () => {
    await wall.give('lobby');
    await taken('Lobby');
  },
  31: async () => {
    await wall.give(pinning.id);
    await server.kill();
    said('The server is killed before the display could take another layout');
    await pause(MINUTE_MS);
    await wall.cutPower();
    await wall.powerOn();
    said('The display has lost its power and is back, without a server');
    await until('It stands', 'No connection.');
    await until('With its layout, which has no routes', 'Our routes', false);
    await server.start();
    said('The server is back');
    await taken('The layout');
  },
  42: async () => {
    await wall.give(turning.id);
    await taken('The layout before');
    deploy(proxy, 'later');
    const from = Date.now();
    while ((await buildOf(wall.page()).catch(() => null)) !== 'later') {
      if (Date.now() - from > 15 * MINUTE_MS) return said('FAILED, the deployed build was not taken');
      await pause(LOOK_MS);
    }
    said(`The deployed build is there: ${((Date.now() - from) / 1000).toFixed(0)} s`);
  },
};
let happening: Promise<void> = Promise.resolve();
for (let minute = 1; minute <= MINUTES; minute += 1) {
  const before = proxy.heard.length;
  await pause(Math.max(0, began + minute * MINUTE_MS - Date.now()));
  const calls = new Map<string, number>();
  for (const path of proxy.heard.slice(before)) {
    const name = path.split('?')[0]!.replace('/api/v1/', '');
    calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  const list = [...calls].map(([name, count]) => (count > 1 ? `${name} ${count}` : name));
  try {
    const page = wall.page();
    const shown = await page.evaluate<{ text: string; nodes: number }>(
      `({ text: document.querySelector('main').innerText, nodes: document.querySelectorAll('*').length })`,
    );
    const cdp = await wall.context().newCDPSession(page);
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number };
    await cdp.detach();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${String(minute).padStart(2, '0')}.png` });
    said(
      `| heap ${(usedSize / 1e6).toFixed(2)} MB | ${shown.nodes} nodes | ` +
        `asked ${proxy.heard.length - before}: ${list.length > 12 ? `${list.length} addresses` : list.join(', ')} | ${shown.text.replaceAll(/\s+/g, ' ').slice(0, 110)}`,
    );
  } catch (error) {
    said('| no look:', String(error).slice(0, 80));
  }
  const event = events[minute];
  if (event)
    happening = happening.then(event).catch((error: unknown) => said('FAILED', String(error).slice(0, 200)));
}
await happening;
console.log(`\nUncaught errors: ${wall.errors.length}`, ...wall.errors.slice(0, 5));
await wall.close();
