/** The lint refuses regular expressions whose time grows faster than the text: foreign text may be of any length. */
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
