import { expect, it } from 'vitest';
import { STEP_MS } from '../../../src/feeds/stepTimer.ts';
import { DISC_RADIUS_PX, SYMBOL_RADIUS_PX } from '../../../src/map/clusters.ts';
import { FACES } from '../../../src/wall/fit.ts';

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
  const sheet = 'src/map/EventMap.module.css';
  const discs = ['.cluster', ".cluster[data-size='medium']", ".cluster[data-size='large']"].map(
    (selector) => /--disc: (\d+)px/.exec(rule(sheet, selector))?.[1],
  );
  const { small, medium, large } = DISC_RADIUS_PX;
  expect(discs).toEqual([small, medium, large].map((radius) => String(2 * radius)));
  expect(rule(sheet, '.incident')).toContain(`--symbol-size: ${2 * SYMBOL_RADIUS_PX}px`);
});

it.each([
  ['title', 'src/wall/WallLiveFeed.module.css', '.title'],
  ['longTitle', 'src/wall/WallLiveFeed.module.css', '.title[data-long]'],
  ['body', 'src/wall/WallLiveFeed.module.css', '.words'],
  ['body', 'src/wall/WallSummary.module.css', '.text'],
  ['meta', 'src/wall/WallLiveFeed.module.css', '.age'],
  ['tally', 'src/wall/WallRow.module.css', '.tally'],
  ['totals', 'src/wall/WallHeader.module.css', '.totals'],
] as const)('sets %s on the wall in the type in which it is measured: %s %s', (name, sheet, selector) => {
  const face: { weight: number; size: number; line?: number; family: string } = FACES[name];
  const said = rule(sheet, selector).replaceAll(/var\((--tv-\w+)\)/g, (_, size: string) => token(size) ?? '');
  expect(said).toContain(`calc(${face.size} * var(--u))`);
  if (face.line) expect(said).toMatch(new RegExp(`(?:\\) / |line-height: )${face.line}\\b`));

  const inherited = {
    tally: 'src/ui/Tally.module.css .tally',
    totals: 'src/ui/Tally.module.css .tally',
    longTitle: `${sheet} .title`,
  };
  const [from, of] =
    name in inherited ? inherited[name as keyof typeof inherited].split(' ') : [sheet, selector];
  const font = /font: (\d+) .*var\((--font-\w+)\)/.exec(rule(from!, of!));
  expect(font?.[1]).toBe(String(face.weight));
  expect(token(font?.[2] ?? '')).toMatch(new RegExp(`^'${face.family}'`));
});

it('opens the app on the ground of the wall, in its manifest and its page as well', () => {
  const ground = /\[data-theme='board'\] \{[^}]*--ground: (#\w+);/.exec(tokens)?.[1];
  expect(others['/vite.config.ts']).toContain(`const GROUND = '${ground}';`);
  expect(others['/index.html']).toContain(`name="theme-color" content="${ground}"`);
});
