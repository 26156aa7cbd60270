/** The lint refuses regular expressions whose time grows faster than the text, and imports against the order of the folders. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearway-lint-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'build/lint'), { recursive: true });
  copyFileSync(join(root, 'build/lint/folders.ts'), join(folder, 'build/lint/folders.ts'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function lint(path: string, content: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const { status, stdout } = spawnSync(oxlint, ['--deny-warnings', path], { cwd: folder, encoding: 'utf8' });
  return { status, stdout };
}

it.each([
  ['server/collectors/planted.ts', String.raw`export const planted = /\s*;\s*/;`, 'quadratic'],
  ['src/board/planted.tsx', String.raw`export const planted = /(\w+\s?)+$/;`, 'exponential'],
  ['sw/planted.ts', String.raw`export const planted = /^(?:\d+|\w)*$/;`, 'exponential'],
  ['server/planted.ts', String.raw`export const planted = new RegExp(String.raw` + '`\\d+x`);', 'quadratic'],
])('an expression in %s: %s is refused as %s', (path, content, how) => {
  const { status, stdout } = lint(path, content);
  expect(status).toBe(1);
  expect(stdout).toContain('super-linear');
  expect(stdout).toContain(how);
});

it('one that reads each character once passes', () => {
  expect(lint('server/good.ts', String.raw`export const good = /(?<![\s,])[\s,]+$/;`)).toMatchObject({
    status: 0,
  });
});

it.each([
  ['server/db/planted.ts', "import type { P } from '../routes/keys.ts';\nexport type Q = P;", 'above'],
  ['server/events/planted.ts', "export { search } from '../places/search.ts';", 'beside'],
  ['src/ui/planted.ts', "export const board = () => import('../board/BoardPage.tsx');", 'above'],
  ['src/map/planted.ts', "import type { P } from '../wall/WallRow.tsx';\nexport type Q = P;", 'beside'],
  ['src/api/planted.ts', "export { db } from '../../server/db/open.ts';", 'imports nothing of server'],
  ['server/contract/planted.ts', "export { db } from '../db/open.ts';", 'above'],
  ['server/nowhere/planted.ts', "export { db } from '../db/open.ts';", 'no place in the order'],
])('an import against the order of the folders, in %s: %s, is refused', (path, content, why) => {
  const { status, stdout } = lint(path, content);
  expect(status).toBe(1);
  expect(stdout).toContain('folders(order)');
  expect(stdout).toContain(why);
});

it.each([
  ['server/routes/planted.ts', "export { db } from '../db/open.ts';"],
  ['src/wall/planted.ts', "export { Severity } from '#contract/disruptions.ts';"],
  ['tests/server/planted.ts', "export { start } from '../../server/service.ts';"],
])('an import from below passes, in %s: %s', (path, content) => {
  expect(lint(path, content)).toMatchObject({ status: 0 });
});
