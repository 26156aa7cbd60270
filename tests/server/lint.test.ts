import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

const EXPRESSIONS = [
  ['server/sources/planted.ts', String.raw`export const planted = /\s*;\s*/;`, 'quadratic'],
  ['src/screens/board/planted.tsx', String.raw`export const planted = /(\w+\s?)+$/;`, 'exponential'],
  ['sw/planted.ts', String.raw`export const planted = /^(?:\d+|\w)*$/;`, 'exponential'],
  ['server/planted.ts', String.raw`export const planted = new RegExp(String.raw` + '`\\d+x`);', 'quadratic'],
] as const;
const AGAINST_THE_ORDER = [
  [
    'server/db/planted.ts',
    "import type { P } from '../calls/accounts/keyCalls.ts';\nexport type Q = P;",
    'above',
  ],
  ['server/service.ts', "export { dev } from './dev.ts';", 'above'],
  ['server/geography/roads/planted.ts', "export { search } from '../names/placeSearch.ts';", 'above'],
  ['server/incidents/planted.ts', "export { lists } from './list/disruptions.ts';", 'above'],
  ['server/watches/typed/planted.ts', "export { match } from '../matching/rules/matcher.ts';", 'beside'],
  ['src/ui/planted.ts', "export const board = () => import('../screens/board/BoardPage.tsx');", 'above'],
  [
    'src/screens/map/planted.ts',
    "import type { P } from '../wall/rows/WallRow.tsx';\nexport type Q = P;",
    'beside',
  ],
  ['src/screens/map/events/planted.ts', "export { marks } from '../marks/EventMap.tsx';", 'above'],
  ['src/api/planted.ts', "export { db } from '../../server/db/open.ts';", 'imports nothing of server'],
  ['contract/planted.ts', "export { db } from '../server/db/open.ts';", 'imports nothing of server'],
  ['contract/feeds/planted.ts', "export { Watch } from '#contract/watches/watches.ts';", 'above'],
  ['server/nowhere/planted.ts', "export { db } from '../db/open.ts';", 'no place in the order'],
  [
    'server/calls/nowhere/planted.ts',
    "export { keys } from '../accounts/keyCalls.ts';",
    'no place in the order',
  ],
] as const;
const GOOD_EXPRESSION = ['server/good.ts', String.raw`export const good = /(?<![\s,])[\s,]+$/;`] as const;
const FROM_BELOW = [
  ['server/calls/planted.ts', "export { db } from '../db/open.ts';"],
  ['server/incidents/list/planted.ts', "export { trend } from '../trend.ts';"],
  ['src/screens/wall/planted.ts', "export { Severity } from '#contract/incidents/disruptions.ts';"],
  ['src/screens/wall/kiosk/planted.ts', "export { tapsIn } from '../../../../sw/workerMessages.ts';"],
  ['tests/server/planted.ts', "export { start } from '../../server/service.ts';"],
] as const;

/** The findings in all files, from one run: each run takes most of a second to start. */
let found: { status: number | null; files: number; diagnostics: Diagnostic[] };

interface Diagnostic {
  filename: string;
  severity: string;
  code: string;
  message: string;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-lint-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'build/lint'), { recursive: true });
  copyFileSync(join(root, 'build/lint/folders.ts'), join(folder, 'build/lint/folders.ts'));
  const planted = [...EXPRESSIONS, ...AGAINST_THE_ORDER, GOOD_EXPRESSION, ...FROM_BELOW];
  for (const [path, content] of planted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const paths = planted.map(([path]) => path);
  const { status, stdout } = spawnSync(oxlint, ['--deny-warnings', '--format=json', ...paths], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { number_of_files: files, diagnostics } = JSON.parse(stdout) as {
    number_of_files: number;
    diagnostics: Diagnostic[];
  };
  found = { status, files, diagnostics };
});
afterAll(() => rmSync(folder, { recursive: true }));

const faultsIn = (path: string) => found.diagnostics.filter(({ filename }) => filename === path);

it('the lint reads every file and fails', () => {
  const { status, files, diagnostics } = found;
  const planted = EXPRESSIONS.length + AGAINST_THE_ORDER.length + 1 + FROM_BELOW.length;
  expect({ status, files }).toEqual({ status: 1, files: planted });
  for (const { severity } of diagnostics) expect(severity).toBe('error');
});

it.each(EXPRESSIONS)('an expression in %s: %s is refused as %s', (path, _content, how) => {
  const faults = faultsIn(path).filter(({ code }) => code.includes('super-linear'));
  expect(faults.map(({ message }) => message).join('\n')).toContain(how);
});

it('a pattern that reads each character once passes', () => {
  expect(faultsIn(GOOD_EXPRESSION[0])).toEqual([]);
});

it.each(AGAINST_THE_ORDER)(
  'an import against the order of the folders, in %s: %s, is refused',
  (path, _content, why) => {
    const faults = faultsIn(path).filter(({ code }) => code === 'folders(order)');
    expect(faults.map(({ message }) => message).join('\n')).toContain(why);
  },
);

it.each(FROM_BELOW)('an import from below passes, in %s: %s', (path) => {
  expect(faultsIn(path)).toEqual([]);
});
