/** `npm run build && npm run bench -- wall-power [times]`: a paired display in Chromium with its worker is asked to
 *  show another layout, and its browser is killed within two seconds. It starts again without a server and must show
 *  the whole old layout or the whole new one; the new one if the server had its report. */
import { setTimeout as pause } from 'node:timers/promises';
import { startRealWall } from './wall/realWall.ts';

const TIMES = Number(process.argv[3] ?? 50);
const CUT_WITHIN_MS = 2000;
const PATIENCE_MS = 120_000;
/** The heading of each page type. */
const HEADINGS: Readonly<Record<string, string>> = { map: 'Map', changes: 'Changes' };

const wall = await startRealWall({ stepSeconds: 0 });
const layouts: Record<string, string> = {};
for (const type of Object.keys(HEADINGS)) {
  const asked = { name: type, pages: [{ type, dwell_s: 30 }], pin_criticals: false };
  layouts[type] = (await wall.call<{ id: string }>('POST', 'displays/layouts', asked)).id;
}
const stands = (type: string) =>
  wall.page().getByRole('heading', { level: 1, name: HEADINGS[type]! }).waitFor({ timeout: PATIENCE_MS });

let shown = 'map';
await wall.give(layouts[shown]!);
await wall.page().reload();
await stands(shown);
await pause(10_000); // until the browser has written it down

const counts = { old: 0, new: 0, 'new and proved': 0, 'OLD THOUGH PROVED': 0, NEITHER: 0 };
const starts: number[] = [];
for (let time = 1; time <= TIMES; time += 1) {
  const next = shown === 'map' ? 'changes' : 'map';
  await wall.give(layouts[next]!);
  const { rev } = await wall.own();
  const asked = wall.page().waitForResponse((answer) => answer.url().endsWith('/displays/me'), {
    timeout: PATIENCE_MS,
  });
  await wall.page().reload();
  await asked;
  await pause(Math.random() * CUT_WITHIN_MS);
  const isProved = (await wall.own()).taken_rev === rev;
  await wall.cutPower();
  wall.proxy.set('refused');
  const from = Date.now();
  await wall.powerOn();
  const heading = await wall.page().locator('h1').first().textContent({ timeout: PATIENCE_MS });
  starts.push(Date.now() - from);
  const isNew = heading === HEADINGS[next];
  const isOld = heading === HEADINGS[shown];
  counts[
    isNew
      ? isProved
        ? 'new and proved'
        : 'new'
      : isOld
        ? isProved
          ? 'OLD THOUGH PROVED'
          : 'old'
        : 'NEITHER'
  ] += 1;
  wall.proxy.set('pass');
  await wall.page().reload();
  await stands(next);
  shown = next;
  console.log(time, heading, JSON.stringify(counts));
}
starts.sort((a, b) => a - b);
console.log(
  `From the start of the browser until its page: median ${starts[Math.floor(TIMES / 2)]} ms, longest ${starts.at(-1)} ms.`,
);
if (counts['OLD THOUGH PROVED'] + counts.NEITHER > 0) process.exitCode = 1;
await wall.close();
