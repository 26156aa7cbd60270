import { expect, it } from 'vitest';
import { STEP_MS } from '../../../src/feeds/rows/liveLoop.ts';
import { DISC_RADIUS_PX, SYMBOL_RADIUS_PX } from '../../../src/screens/map/clusters.ts';
import { FACES } from '../../../src/screens/wall/words/textFit.ts';
import { measureSheet } from '../../../src/screens/wall/words/wallMeasures.ts';

const sheets: Record<string, string> = import.meta.glob('/src/**/*.css', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const scripts: Record<string, string> = import.meta.glob('/src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const others: Record<string, string> = import.meta.glob(['/vite.config.ts', '/index.html'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const withoutComments = (text: string) => text.replaceAll(/\/\*.*?\*\//gs, '');
const read = (path: string) => withoutComments(sheets[`/${path}`]!);
const tokens = read('src/ui/tokens.css');
const token = (name: string) => new RegExp(`${name}: ([^;]+);`).exec(tokens)?.[1];
/** The declarations of the first rule with exactly this selector. */
const rule = (sheet: string, selector: string): string => {
  const escaped = selector.replaceAll(/[.[\]]/g, String.raw`\$&`);
  return new RegExp(`(?:^|\\})\\s*${escaped} \\{([^}]*)\\}`).exec(read(sheet))![1]!;
};

it('uses no property that neither a sheet nor a component sets', () => {
  const all = Object.values(sheets).map(withoutComments);
  const set = new Set([
    ...all.flatMap((text) => [...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)),
    ...Object.values(scripts).flatMap((text) =>
      [...text.matchAll(/'(?:--)?([a-z][\w-]*)': /g)].map(([, name]) => `--${name}`),
    ),
  ]);
  const used = all.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  expect(used.filter((name) => !set.has(name))).toEqual([]);
});

it('draws a step for as long as no other feed may begin one', () => {
  expect(token('--m-step')).toBe(`${STEP_MS}ms`);
});

it('draws clusters and disruptions on the map in the size that keeps them apart', () => {
  const sheet = 'src/screens/map/marks/EventMap.module.css';
  const discs = ['.cluster', ".cluster[data-size='medium']", ".cluster[data-size='large']"].map(
    (selector) => /--disc: (\d+)px/.exec(rule(sheet, selector))?.[1],
  );
  const { small, medium, large } = DISC_RADIUS_PX;
  expect(discs).toEqual([small, medium, large].map((radius) => String(2 * radius)));
  expect(rule(sheet, '.incident')).toContain(`--symbol-size: ${2 * SYMBOL_RADIUS_PX}px`);
});

it.each([
  ['place', 'src/screens/wall/band/WallWorst.module.css', '.first'],
  ['effect', 'src/screens/wall/band/WallWorst.module.css', '.second'],
  ['kind', 'src/screens/wall/band/WallWorst.module.css', '.marks'],
  ['calm', 'src/screens/wall/side/WallCalm.module.css', '.more'],
  ['lead', 'src/screens/wall/rows/WallLive.module.css', '.title'],
  ['time', 'src/screens/wall/rows/WallLive.module.css', '.time'],
  ['summary', 'src/screens/wall/rows/WallLive.module.css', '.summary'],
  ['queue', 'src/screens/wall/rows/WallLive.module.css', '.waiting'],
  ['slot', 'src/screens/wall/rows/WallSlot.module.css', '.slot'],
  ['tally', 'src/screens/wall/rows/WallRow.module.css', '.tally'],
  ['totals', 'src/screens/wall/frame/WallHeader.module.css', '.totals'],
  ['next', 'src/screens/wall/side/NextHours.module.css', '.next b'],
  ['held', 'src/screens/wall/rows/WallHeldAlerts.module.css', '.title'],
] as const)('sets %s on the wall in the type in which it is measured: %s %s', (name, sheet, selector) => {
  const { weight, size } = FACES[name];
  const inherited: Record<string, [string, string]> = {
    tally: ['src/ui/signs/Tally.module.css', '.tally'],
    totals: ['src/ui/signs/Tally.module.css', '.tally'],
    next: [sheet, '.next'],
  };
  const own = rule(sheet, selector);
  const { '--u': _unit, ...measures }: Record<string, unknown> = { ...measureSheet('usual') };
  const said = (own + rule(...(inherited[name] ?? [sheet, selector]))).replace(
    /var\((--[\w-]+)\)/g,
    (whole, measure: string) => String(measures[measure] ?? whole),
  );
  expect(said).toContain(`calc(${size} * var(--u))`);
  expect(said).toMatch(new RegExp(`(?:font-weight: ${weight};|font: ${weight} )`));
  if (said.includes('font: ')) expect(said).toContain('var(--font-sign)');
});

it('has room for each trip of a day sheet in the narrowest window where it is one line', () => {
  const sheet = 'src/screens/today/ImportPage.module.css';
  const columns = /grid-template-columns: ([^;]+);/.exec(rule(sheet, '.trips > li'))![1]!;
  const least = columns.match(/(?<=minmax\()[\d.]+(?=rem)|(?<= )[\d.]+(?=rem (?!\)))/g)!.map(Number);
  expect(least).toHaveLength(4);
  const narrowest = Number(/@media \(width < (\d+)rem\) \{\s*\.trips > li/.exec(read(sheet))![1]);
  const gap = Number.parseFloat(token('--s-5')!);
  const [, still, share] = /, ([\d.]+)rem \+ ([\d.]+)vw,/.exec(token('--gutter')!)!.map(Number);
  const gutter = still! + (share! / 100) * narrowest;
  const scrollbar = 15 / 16;
  expect(least.reduce((sum, width) => sum + width) + 3 * gap).toBeLessThanOrEqual(
    narrowest - 2 * gutter - scrollbar,
  );
});

it('opens the app on the ground of the wall, in its manifest and its page as well', () => {
  const ground = /\[data-theme='board'\] \{[^}]*--ground: (#\w+);/.exec(tokens)?.[1];
  expect(others['/vite.config.ts']).toContain(`const GROUND = '${ground}';`);
  expect(others['/index.html']).toContain(`name="theme-color" content="${ground}"`);
});
